"""Which text can be evidence at all: statements. Not headings, questions, menus, calls to act, scraps or code.

A rule for people is a statement and stays evidence: "Verifiers SHALL…", "Use 4 spaces per indentation level.". What
names a thing and says nothing of it is a heading wherever it stands: a row of column heads, a table's caption, a
numbered title in a table of contents, the title of a link in a list.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from affidavit.evidence.document import BlockKind
from affidavit.gates.model_speech import speaks_to_a_model

__all__ = ["VERSION", "Assertion", "assess", "speaks_to_a_model"]

VERSION = "assertion/2"

_BY_KIND = {BlockKind.HEADING: "heading", BlockKind.NAVIGATION: "navigation", BlockKind.CODE: "code"}

_WORD = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*")
# Scripts whose words a word count misses: nothing stands between them, or marks within them that are no letters.
_UNCOUNTED = re.compile(r"[\u0900-\u0dff\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u9fff\uac00-\ud7af]")
_CLOSERS = "\"'”’»«)]}*_ \u00a0\u202f"
_QUESTION_MARKS = ("?", "？", "؟", "⁇", "⁈", "⁉", "՞")
_OPENER = re.compile(r"[\"“‘«(]|(?<!\w)'")
_QUESTION_START = re.compile(
    r"(?:who|whom|whose|what|which|when|where|why|how|is|are|was|were|do|does|did|can|could|should|would|will|has|have)\b",
    re.IGNORECASE,
)
# What a page asks its visitor to do: with the page itself, never with the subject of the page.
_CALL_TO_ACT = re.compile(
    r"(?:please |now )?(?:click|tap|press) (?:on )?(?:here|the (?:link|button))\b"
    r"|(?:subscribe|sign up|register|log ?in|sign in)(?: (?:to|for|now|today|here|below|with))?\b"
    r".{0,60}\b(?:newsletter|updates|account|list|access|here|now|today|below|free)\b.{0,20}$"
    r"|(?:read|learn|see|view|show|load|find out|discover) (?:more|less|all)"
    r"(?: (?:about|on|from|in|at|posts?|articles?|comments?|results?)\b.{0,60})?[.…»›→]*$"
    r"|(?:share|tweet|pin|print|e-?mail|bookmark) (?:this|it)"
    r"(?: (?:page|post|article|story|on|via|with)\b.{0,40})?[.!]*$"
    r"|(?:follow|like|find|contact|call|e-?mail|write to|talk to|reach out to|get in touch with|visit|join|drop) us\b"
    r".{0,100}$"
    r"|(?:e-?mail|write to|contact|call|text) (?:\S+@\S+|\+?[\d ().-]{7,})(?: .{0,60})?$"
    r"|(?:skip|jump|back|return|go) to (?:the )?(?:main content|content|navigation|top|home|search|home ?page)[.!]*$"
    r"|(?:download|get|buy|order|book|try|request|start|shop|plan|check|apply|register|donate|act|upgrade)\b"
    r".{0,40}\b(?:now|today|for free|right away)[.!]*$"
    r"|(?:accept|reject|manage) (?:all )?cookies\b|leave a (?:comment|reply)\b"
    r"|(?:previous|next|older|newer) (?:post|page|article|entries)s?\b.{0,10}$"
    r"|(?:(?:double|re)[- ]?)?check (?:that|whether|to see)\b(?!.*\b(?:must|shall)\b)"
    r"|(?:question|ballot|instructions?|prompt)(?:\s*:\s|\s*\t)\s*(?:please )?"
    r"(?:select|choose|pick|tick|enter|type|rank|mark)\b"
    r"|[^:\t]{1,30}(?::\s|\t)\s*(?:please )?(?:select|choose|pick|tick) "
    r"(?:a|an|one|all|any|the|your|up to|from|candidates?)\b",
    re.IGNORECASE,
)
_CODE = re.compile(
    r"^(?:>>>|\$ |#!|#include|import [\w.]+$|from [\w.]+ import [\w, *()]+$|def \w+\(.*\).*:$|class \w+.*:$"
    r"|@\w+(?:\(.*\))?$|[{}();]+$|</?\w+(?:\s+[\w:-]+(?:=(?:\"[^\"]*\"|'[^']*'|\S+))?)*\s*/?>$)"
)
# The last word of a lead-in, which states nothing without the list that it leads in.
_LEAD_IN = re.compile(
    r"\b(?:following|follows|below|as|includ(?:e|es|ing)|examples?|e\.g\.?|these|those|are|is|was|were|be|has|have|that"
    r"|to|by|of|for|with|and|or|shall|must|should|may|can|will|not|either)\W*$"
    r"|\b(?:the following|one of these|any of these|all of these|each of these)\b[^.;:]{0,80}:\W*$",
    re.IGNORECASE,
)
# Words that make a statement of a line, as far as a closed list can tell; a past form in -ed counts as one.
_VERB = re.compile(
    r"\b(?:is|are|was|were|be|been|has|have|had|do|does|did|can|could|may|might|must|shall|should|will|would|cannot"
    r"|[a-z]+n['’]t|MAY|MUST|SHALL|SHOULD|(?-i:[a-z]{3,}ed))\b"
)
_CAPTION = re.compile(
    r"(?:table|tab\.|figure|fig\.|chart|exhibit|listing|tabelle|abbildung|abb\.|tableau|tabla|figura|tabella)\s+"
    r"(?:\d+|[A-Z])(?:[-.–]\d+)*\s*[.:–—-]?\s+(?P<rest>\S.*)$",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"(?:(?:\d+\.)+|(?:appendix|annex) [A-Z\d]+[.:]?)\s+(?P<rest>[^\W\d_].*)$", re.IGNORECASE)
_LABELLED_SOURCE = re.compile(r"\[[^\]\t]{1,40}\][\s:.]+(?P<rest>\S.*)$")
_CITED = re.compile(r"https?://|\bdoi\b|\bwww\.|\bISBN\b|[\"“‘][^\"”’]+[,.][\"”’]", re.IGNORECASE)
# "Levy, A. (2019). …", "Levy A, Roe B. (2019) …": an entry of a list of works, by author and year.
_AUTHOR_YEAR = re.compile(r"[A-Z][\w'’-]+,? (?:[A-Z]\.[\s,&-]*)+(?:[^()]{0,120})\((?:19|20)\d\d[a-z]?\)[.,:]?\s")
# "Establishes the Board", "Released two drafts": a third person before an article, a past form at the start.
_VERB_FIRST = re.compile(r"[A-Z][a-z]*[a-rt-z]s (?:the|an?) |[A-Z][a-z]{2,}ed ")
_YEAR = re.compile(r"\b(?:18|19|20)\d\d\b")
_SMALL = frozenset("a an and as at but by for from in into nor of on or over per the to up via vs with".split())
_ENDS = (".", "!", "。", "！", "…", "।", "؟", "．", ";")
# A line without an end mark and without a figure needs this many words; a line that ends in a colon, this many. Over
# the development quotations (166) none is lost at 5 and 8.
LINE_WORDS = 5
LEAD_IN_WORDS = 8
# What is said of a sentence is kept, 8192 of them; of a longer text it is not: it would keep the text.
_KEPT_CHARS = 1000
_PAIR = re.compile(r"^[^\t|:]{1,80}(?:[\t|]|:\s)\s*\S")


@dataclass(frozen=True, slots=True)
class Assertion:
    """`reason` is None for evidence, else heading, question, navigation, instruction, fragment, reference or code."""

    is_evidence: bool
    reason: str | None = None


def assess(text: str, kind: BlockKind) -> Assertion:
    """Whether a sentence, row or item out of a block of that kind can be evidence.

    Errs towards evidence where form does not tell: what is let through must still be relevant and verified.
    """
    return _assessed(text, kind) if len(text) <= _KEPT_CHARS else _assessed.__wrapped__(text, kind)


@lru_cache(maxsize=8192)
def _assessed(text: str, kind: BlockKind) -> Assertion:
    reason = _BY_KIND.get(kind) or _reason(" ".join(text.split(" ")).strip(), kind)
    return Assertion(reason is None, reason)


def _reason(text: str, kind: BlockKind) -> str | None:
    if _is_question(text):
        return "question"
    if speaks_to_a_model(text) or _CALL_TO_ACT.match(text.lstrip("-–—•*▸›»←→ ")):
        return "instruction"
    if _CODE.search(text):
        return "code"
    if _is_reference(text):
        return "reference"
    if _is_heading(text, kind):
        return "heading"
    return "fragment" if _is_fragment(text, kind) else None


def _is_question(text: str) -> bool:
    """Ends in a question mark of its own. A mark inside a quotation or bracket that the sentence only holds is not."""
    bare = text.rstrip(_CLOSERS)
    if not bare.endswith(_QUESTION_MARKS):
        return False
    if any(mark in text[len(bare) :] for mark in "\"'”’»)"):
        opened = _OPENER.search(bare)
        return opened is None or opened.start() <= 1 or _QUESTION_START.match(bare) is not None
    return True


def _is_reference(text: str) -> bool:
    """An entry of a list of sources, which says that a work exists; a footnote that states something is none."""
    labelled = _LABELLED_SOURCE.match(text)
    if labelled is not None:
        rest = labelled["rest"]
        return _CITED.search(rest) is not None or _VERB.search(rest) is None
    return _AUTHOR_YEAR.match(text) is not None


def _is_heading(text: str, kind: BlockKind) -> bool:
    """A line that names and states nothing, in a block that its markup does not call a heading."""
    if kind is BlockKind.OTHER and "\t" in text:
        return True  # a row of column heads: `extract.table` gives such rows this kind
    if caption := _CAPTION.match(text):
        # "Table 5-1 lists the limits": a name would begin with a capital.
        return not caption["rest"][0].islower() and not _states(caption["rest"])
    if numbered := _NUMBERED.match(text):
        return not _states(numbered["rest"]) and _is_title(numbered["rest"], least=1)
    # ":" and a tab part a label from its value, which is a statement.
    listed = kind is BlockKind.LIST_ITEM and not re.search(r":\s|\t", text)
    return listed and not _states(text) and _is_title(text, least=2)


def _states(text: str) -> bool:
    """Whether a line may state something: it has a verb, or a figure that is more than a year."""
    figure = re.search(r"(?<![\w-])\d", _YEAR.sub("", text))
    return figure is not None or _VERB.search(text) is not None


def _is_title(text: str, *, least: int) -> bool:
    """Whether most words after the first, and no fewer than `least`, are capitalised as in a title or a name.

    "Levy supports Harbours" has a verb that only its place gives away.
    """
    words = [word for word in _WORD.findall(text) if word.lower() not in _SMALL]
    if text.rstrip(_CLOSERS).endswith(_ENDS) or not words or not words[0][0].isupper() or _VERB_FIRST.match(text):
        return False
    high = [not word[0].islower() for word in words[1:]]
    if any(
        word.endswith("s") and not here and before and after
        for word, before, here, after in zip(words[2:], high, high[1:], high[2:], strict=False)
    ):
        return False
    return sum(high) >= max(least, len(high) / 2)


def _is_fragment(text: str, kind: BlockKind) -> bool:
    """A scrap that states nothing: too few words, a lead-in to a list, a line without an end or a figure."""
    words = _WORD.findall(text)
    if not any(character.isalpha() for character in text):
        return True
    if _UNCOUNTED.search(text):
        return len(text) < 6
    if text.endswith((":", "：")):
        return len(words) < LEAD_IN_WORDS or _LEAD_IN.search(text) is not None
    if len(words) < 2:
        return True
    if kind is BlockKind.TABLE_ROW or _PAIR.match(text):
        return False
    ended = text.rstrip(_CLOSERS).endswith(_ENDS)
    whole = ended or kind is BlockKind.LIST_ITEM or any(character.isdigit() for character in text)
    return len(words) < (3 if whole else LINE_WORDS)
