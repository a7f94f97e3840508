"""A sentence that makes several claims, cut where one ends and the next begins, so that the weakest can decide.

"The bridge was opened in 1902, and it carries 70 tonnes" is no better sourced than its second half. What is cut must be
a claim by itself: a clause with a subject and a verb of its own, from which nothing that governs it was cut off. So a
sentence stays whole where a condition, a purpose, a relation, a denial or a speaker might govern more than the clause
it stands in, where something stands before the first subject ("In 2019, …"), and wherever the rules, which know English
only and no grammar, are in doubt. A sentence wrongly kept whole is judged as a whole, as before; one wrongly cut would
certify words without their "if".
"""

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from affidavit.check.clauses import LONGEST
from affidavit.evidence.language import guess_language

Range = tuple[int, int]

_WORD = re.compile(r"[^\W_](?:[\w.\-/&'’]*[\w+#])?")
# The spaces before a joint are its own, all of them or none: begun at each, a long run would take its square.
_JOINT = re.compile(
    r"(?:(?<!\s)\s+)?;\s+(?:and\s+|but\s+)?"
    r"|(?:(?<!\s)\s+)?,\s+(?:and|but|while|whereas|although|though|even though)\s+"
    r"|(?<!\s)\s+(?:and|but|whereas)\s+",
    re.IGNORECASE,
)
_LEADING = re.compile(r"\W*(while|whereas|although|though|even though)\s+", re.IGNORECASE)
_MARKED = re.compile(r"[;,]|\bwhereas\b", re.IGNORECASE)
_FIRM = re.compile(r";|\b(?:while|whereas|though|although)\b", re.IGNORECASE)
_PAUSE = re.compile(r"[,;:—–]|\s-\s")
_TRAILING = re.compile(r",\s+(?:in|on|at|for|by|with|under|during|from|to|where|subject)\s[^,;]{1,60}$", re.IGNORECASE)
_COMMA = re.compile(r"(?:(?<!\s)\s+)?,\s+")
_PROGRESSIVE = re.compile(r"\b(?:is|are|was|were|be|been)\s+(?:\w+ly\s+)?\w+ing\b|^\W*\w+ing\b", re.IGNORECASE)
_NOT_ONLY = re.compile(r"\bnot\s+(?:only|just|merely|simply|because)\b|\bonly\b|\bno sooner\b|\bboth\b", re.IGNORECASE)
_PAIRS = {"(": ")", "[": "]", "{": "}", "“": "”", "„": "“", "«": "»", "‘": "’"}
_ROW = re.compile(r"[|\t\n]")
# Words looked at for a clause's verb; a longer subject is more than a subject.
_SUBJECT = 8
_LEAST_WORDS = 3
_SINGULAR = ("he", "she", "it", "this", "that")


@dataclass(frozen=True, slots=True)
class _Word:
    text: str
    start: int
    end: int
    capital: bool


@lru_cache(maxsize=1)
def _table() -> dict[str, frozenset[str]]:
    table = tomllib.loads(files("affidavit.check").joinpath("parts.toml").read_text(encoding="utf-8"))
    return {name: frozenset(words.split()) for name, words in table.items()}


def parts(text: str) -> list[Range]:
    """The claims of the sentence `text` as ``(start, end)``, in order; the whole as one where it is not safely cut.

    Between two parts, and before the first, lies nothing but a conjunction or a semicolon with its spaces.
    """
    start, end = len(text) - len(text.lstrip()), len(text.rstrip())
    whole = [(start, end)] if start < end else []
    if end - start > LONGEST or _ROW.search(text, start, end):
        return whole
    words = [
        _Word(match.group().lower().replace("’", "'"), match.start(), match.end(), match.group()[0].isupper())
        for match in _WORD.finditer(text)
    ]
    if not words or guess_language(text) != "en" or text[end - 1] == "?":
        return whole
    found = _cut(text, words, start, end)
    return found if len(found) > 1 and not _governed(text, words, found) else whole


def _cut(text: str, words: Sequence[_Word], start: int, end: int) -> list[Range]:
    """The ranges between joints that part two clauses, each with a verb of its own."""
    shut = _shut(text)
    begin = start
    cuts: list[Range] = []
    leading = _LEADING.match(text, start)
    if leading is not None:
        comma = _end_of_leading(text, words, leading.end(), end, shut)
        if comma is None:
            return [(start, end)]
        begin = leading.end()
        cuts.append(comma)
    for joint in _JOINT.finditer(text, cuts[-1][1] if cuts else begin, end):
        if not any(first <= joint.start() < last for first, last in shut):
            cuts.append(joint.span())
    found: list[Range] = []
    at = begin
    for index, (first, last) in enumerate(cuts):
        stop = cuts[index + 1][0] if index + 1 < len(cuts) else end
        marked = not text[first:last].isspace() and _MARKED.search(text, first, last) is not None
        if _parted(text, words, (at, first), (last, stop), text[first:last], marked=marked):
            found.append((at, first))
            at = last
    return [*found, (at, end)]


def _parted(text: str, words: Sequence[_Word], one: Range, other: Range, joint: str, *, marked: bool) -> bool:
    """Whether a joint parts two clauses. A bare "and" after a comma goes on with a list; after a relation ("the rules
    that A logs in, and B …") any "and" may go on with what is related."""
    if not _clause(text, words, one, marked=True) or not _clause(text, words, other, marked=marked):
        return False
    if _FIRM.search(joint):
        return True
    relating = _table()["relating"]
    here = [word for word in words if one[0] <= word.start and word.end <= one[1]]
    if any(word.text in relating for word in here[1:]):
        return False
    return marked or _PAUSE.search(text, *one) is None


def _end_of_leading(
    text: str, words: Sequence[_Word], start: int, end: int, shut: Sequence[Range]
) -> tuple[int, int] | None:
    """The comma at which "While A did, B did" turns to B."""
    for comma in _COMMA.finditer(text, start, end):
        if any(first <= comma.start() < last for first, last in shut):
            continue
        before, after = (start, comma.start()), (comma.end(), end)
        if _clause(text, words, before, marked=True) and _clause(text, words, after, marked=True):
            return comma.span()
    return None


def _clause(text: str, words: Sequence[_Word], within: Range, *, marked: bool) -> bool:
    """Whether the range begins with a subject that its verb follows soon. Without a mark before it the verb must be one
    that can be neither a participle nor a noun."""
    table = _table()
    here = [word for word in words if within[0] <= word.start and word.end <= within[1]]
    while here and here[0].text in table["connectives"]:
        here = here[1:]
    if len(here) < _LEAST_WORDS or not _subject(here[0], marked=marked):
        return False
    pronoun = here[0].text in table["subjects"]
    for index, word in enumerate(here[1 : _SUBJECT + 1], start=1):
        before = here[index - 1]
        if word.text in table["governing"] | table["relating"] or _PAUSE.search(text, before.end, word.start):
            return False
        if word.text in table["auxiliaries"]:
            return before.text != "to" and index + 1 < len(here)
        if word.text in table["pasts"] | table["presents"]:
            return pronoun or (marked and before.text != "to")
        after = here[index + 1] if index + 1 < len(here) else None
        if word.text.endswith("ed"):
            takes = after is not None and (after.text in table["determiners"] or after.text[0].isdigit())
            return marked and ((pronoun and index == 1) or takes)
        if pronoun and index == 1 and word.text.endswith("s") and before.text in _SINGULAR:
            return marked
    return False


def _subject(first: _Word, *, marked: bool) -> bool:
    """Whether a clause may begin with the word. A bare noun ("agencies must …") does only after a mark."""
    table = _table()
    never = table["prepositions"] | table["auxiliaries"] | table["presents"] | table["pasts"] | table["governing"]
    if first.text in never or first.text in table["relating"] - {"that"} or first.text.endswith("ing"):
        return False
    named = first.capital or first.text[0].isdigit() or first.text in table["subjects"] | table["determiners"]
    return named or (marked and not first.text.endswith("ed"))


def _shut(text: str) -> list[Range]:
    """Brackets and quotations, whose inside is not cut. What never closes is shut to the end."""
    found: list[Range] = []
    open_at: list[tuple[str, int]] = []
    straight: int | None = None
    for at, character in enumerate(text):
        if character == '"':
            if straight is None:
                straight = at
            else:
                found.append((straight, at + 1))
                straight = None
        elif open_at and character == open_at[-1][0]:
            found.append((open_at.pop()[1], at + 1))
        elif character in _PAIRS and not (character == "‘" and text[at - 1 : at].isalnum()):
            open_at.append((_PAIRS[character], at))
    found += [(at, len(text)) for _, at in open_at]
    return [*found, (straight, len(text))] if straight is not None else found


def _governed(text: str, words: Sequence[_Word], found: Sequence[Range]) -> bool:
    """Whether something in one part might speak of the others."""
    table = _table()
    if _NOT_ONLY.search(text) or _TRAILING.search(text, *found[-1]):
        return True
    if any(word.text in table["governing"] for word in words):
        return True
    if _LEADING.match(text) and any(_PROGRESSIVE.search(text, *one) for one in found):
        return True
    speaks = [any(one[0] <= word.start < one[1] and word.text in table["reporting"] for word in words) for one in found]
    return (any(speaks) and not all(speaks)) or _adverbial(text, words, found[0])


def _adverbial(text: str, words: Sequence[_Word], part: Range) -> bool:
    """Whether the first part begins with what may hold for all: "In 2019, …", "Under the old rules …"."""
    table = _table()
    here = [word for word in words if part[0] <= word.start and word.end <= part[1]]
    while here and here[0].text in table["connectives"]:
        here = here[1:]
    if not here:
        return False
    first = here[0]
    comma = text.find(",", part[0], part[1])
    before = [word for word in here if word.end <= comma]
    if first.text in table["prepositions"] or first.text.endswith("ly") or first.text.endswith("ing"):
        return True
    verbs = table["auxiliaries"] | table["pasts"] | table["presents"]
    return comma >= 0 and not any(word.text in verbs for word in before) and len(before) <= 3 and not _apposed(here)


def _apposed(here: Sequence[_Word]) -> bool:
    """A name with something set after it: "Ada Marsh, the mayor, opened it"."""
    return here[0].capital and len(here) > 1 and here[1].capital
