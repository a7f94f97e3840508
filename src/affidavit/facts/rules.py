"""Candidate facts without a model: sentences of a page that state a figure, a date, or what the customer is and does.

A fact's text is the page's own sentence, to the character, so nothing can be put into it that the page does not say.
One sentence gives one fact for each thing that it counts: "80 offices in 45+ countries" is two. Where the sentence
speaks of somebody else than the customer, its figures are theirs.
"""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from importlib.resources import files
from itertools import pairwise

from affidavit.evidence.document import Block, BlockKind, Document
from affidavit.evidence.fact import Candidate, Category, FactSource
from affidavit.evidence.sentences import document_sentences
from affidavit.facts.counted import DATING, following, is_founding, phrase_head, subject_of, topic_of_sentence
from affidavit.facts.guards import is_placeholder
from affidavit.facts.identity import candidate_id
from affidavit.facts.page import CrawledPage, PageType
from affidavit.facts.whose import OTHERS, OWN_PAGES, WE, Business, instructs, speaks, topic_of, whose
from affidavit.gates.assertion import assess
from affidavit.gates.model_speech import speaks_to_a_model
from affidavit.gates.numbers import Kind, Mention, mentions
from affidavit.gates.numbers.magnitude import magnitudes

SIGNATURE = "rules/3"
MOST_PER_SENTENCE = 3
"""Facts of one sentence. One that counts more is a table in words."""
WORDS = (4, 45)
"""Words of a sentence that can be a fact: below, it says nothing by itself; above, nobody can check it at a glance."""
BASE = 0.74
"""Confidence of a plain statement of the page: kept in the register (0.70), and not approved (0.80) by that alone."""

TALK = 3
"""Paragraphs that begin with who says them, from which on a page is a conversation."""
UNCLEAR = 0.79
"""The most where what a figure is of is a measure ("eleven weeks" of square metres): a person has to say of what."""
_UNITS = (
    r"(?:seconds?|minutes?|hours?|days?|weeks?|months?|met(?:re|er)s?|feet|miles?|acres?|tonn?es?|tons?|lit(?:re|er)s?)"
)
_DAYS = re.compile(r"\s+(?:working|business|calendar|full)[ -](?:hours?|days?|weeks?)\b")
_MEASURE = re.compile(rf"\b{_UNITS}\b", re.IGNORECASE)
SMALL = 10
"""Counts below it, without a unit, tell more often of an article's parts than of a business."""

_STATING = frozenset({BlockKind.PARAGRAPH, BlockKind.LIST_ITEM, BlockKind.TABLE_ROW, BlockKind.OTHER})
_COUNTING = frozenset({Kind.COUNT, Kind.PERCENT, Kind.CURRENCY, Kind.RANGE, Kind.RATIO})
# What follows is held against what is meant: "two weeks rather than the typical eight weeks".
_FOIL = re.compile(
    r"\b(?:rather than|instead of|compared (?:to|with)|typical|usual|unlike)\s+(?:the\s+|a\s+)?"
    r"(?:typical\s+|usual\s+)?$",
    re.IGNORECASE,
)
_TELLING = re.compile(r"\bwe\b|\bin our case\b", re.IGNORECASE)
_LEANING = re.compile(
    r"(?:(?:most|many|some|all|both|others|neither|either|one)(?=\s*(?:[—–,]|of (?:them|these|those)\b|\w+ed\b))"
    r"|it|they|this(?! year)|that|these|those|he|she|such|there|here|both|however|but|so|then|also|or|instead"
    r"|for example|in addition|as a result|additionally|meanwhile|finally|first|second|third|next|another"
    r"|if|when|while|because|\w+ly(?=,))\b",
    re.IGNORECASE,
)
_YOU = re.compile(r"\b(?:you|your|yours|let’s|let's)\b", re.IGNORECASE)
_UNREAL = re.compile(
    r"\b(?:shall|will|would|could|might|may|should|hopes?|hoping|plans? to|planning|aims?|goals?|expect(?:s|ed)?"
    r"|imagine|suppose|example|e\.g\.|let(?:[’']s| us) say|if|estimated to|intend(?:s|ed)?|planned|objective"
    r"|in the next|upcoming|forthcoming)\b",
    re.IGNORECASE,
)
_I = re.compile(r"\b(?:I|my|me)\b")
_OPINION = re.compile(r"\b(?:think|feel|believe|love|great|amazing|exciting)\b")
_IS = re.compile(
    r"\s+(?:is|are|was|has|have|offers?|provides?|helps?|builds?|designs?|delivers?|works?|serves?|supports?|makes?"
    r"|operates?|employs?|runs?|trains?|advises?|specialis\w+|specializ\w+|partner\w*|collaborat\w+|ships?|sells?)\b"
)
_DATED = re.compile(
    r"\b(?:founded|established|incorporated|began|started|formed|opened|launched|created|since|acquired|merged|joined"
    r"|became|won|received|completed)\b",
    re.IGNORECASE,
)
_LISTED = re.compile(
    r"\s*(?:ways?|steps?|tips?|reasons?|things?|questions?|lessons?|takeaways?|examples?|principles?|types?|options?)\b"
)
_BELOW = re.compile(r"(?:(?:below|here) (?:are|is)|the following|what follows)\b", re.IGNORECASE)
_LABEL_WORDS = 6
# What follows is the number of a part: "lines 10 and 11".
_NUMBERED = re.compile(
    r"\b(?:lines?|pages?|steps?|figures?|ports?|chapters?|sections?|versions?|rows?|columns?|tables?|phases?|rounds?"
    r"|slides?|grades?|questions?|numbers?|parts?|titles?|rules?|levels?|tiers?)\s+(?:\d+\s*(?:,|and|or|to|–|-)\s*)*$",
    re.IGNORECASE,
)
_PART_OF_NAME = re.compile(r"-|\s*fold\b|\s+(?:complian(?:t|ce)|certifi\w+|accredit\w+|standards?|conforman\w+)\b")
# "10x faster" is a figure, "the 10x program" a name.
_TIMES = re.compile(
    r"\s+(?:[a-z]+er|more|less|fewer|as|the|its|their|our|return|growth|increase|improvement|roi|what|over|in)\b"
)
_VERB = re.compile(
    r"\b(?:is|are|was|were|be|been|has|have|had|do|does|did|can|could|will|would|may|might|must|should|we|\w{2,}ed"
    r"|offers?|provides?|helps?|serves?|employs?|makes?|runs?|sells?|says?|wins?|won|grew|cut|saves?|uses?|gives?|gets?"
    r"|built|made|met|took|led|became|began)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Said:
    """One statement of a page, at ``[start, end)`` of its text."""

    text: str
    start: int
    end: int
    kind: BlockKind


@dataclass(frozen=True, slots=True)
class _Page:
    """A page, its text, whose site it is of, and whom it is about beside the customer."""

    document: Document
    page: CrawledPage
    business: Business
    topic: str | None
    spoken: bool
    """It is a conversation: we are whoever speaks."""

    @property
    def own(self) -> bool:
        return self.page.page_type in OWN_PAGES


def read_candidates(document: Document, page: CrawledPage, business: Business) -> list[Candidate]:
    """The candidates of one page, in its order. Deterministic."""
    lines = sum(block.main and speaks(document.text[block.start : block.end]) is not None for block in document.blocks)
    of = _Page(document, page, business, topic_of(document, page, business), lines >= TALK)
    return [candidate for said in _statements(of) for candidate in _of(said, of)]


def _statements(of: _Page) -> Iterator[_Said]:
    document = of.document
    yield from _counters(document)
    for sentence in document_sentences(document):
        block = sentence.block
        if block is None or not block.main or block.kind not in _STATING:
            continue
        text = document.text[sentence.start : sentence.end]
        long = WORDS[0] <= len(text.split()) <= WORDS[1]
        states = long and assess(text, block.kind).is_evidence and _is_whole(text)
        if instructs(text):
            continue
        if (states or (of.own and _is_counter(text))) and speaks_to_a_model(text) is None:
            yield _Said(text, sentence.start, sentence.end, block.kind)


def _is_counter(text: str) -> bool:
    """Whether a scrap is a figure and what it counts: "120+ employees"."""
    first = next(iter(mentions(text)), None) if len(text.split()) < WORDS[0] else None
    return first is not None and first.start <= 1 and first.direct and first.kind is Kind.COUNT


def _is_whole(text: str) -> bool:
    """Whether a line states something: it ends as a sentence, has a verb, or opens with a figure or a label."""
    line = text.strip()
    opens = line[:1].isdigit() or line[:1] in "$€£¥~+"
    return line[-1:] in '.!;”"’)…' or opens or ":" in line or "\t" in line or _VERB.search(line) is not None


def _counters(document: Document) -> Iterator[_Said]:
    """Figures set large over what they count: two short blocks, "120+" and "employees", that only together say it."""
    blocks = [block for block in document.blocks if block.main]
    for one, other in pairwise(blocks):
        if one.end - one.start > 14 or other.end - other.start > 60 or document.break_within(one.start, other.end):
            continue
        figure, label = document.text[one.start : one.end].strip(), document.text[other.start : other.end].strip()
        read = mentions(figure)
        whole = len(read) == 1 and read[0].is_figure and read[0].kind not in DATING
        bare = re.sub(r"[+%xX×<>~\s]", "", figure[read[0].end :] + figure[: read[0].start]) if whole else "?"
        plain = not any(map(str.isdigit, label)) and label[:1].isalpha() and len(label.split()) <= _LABEL_WORDS
        if whole and not bare and plain and not label.endswith((".", "?", ":")) and _labels(one, other):
            yield _Said(document.text[one.start : other.end], one.start, other.end, one.kind)


def _labels(one: Block, other: Block) -> bool:
    return BlockKind.NAVIGATION not in (one.kind, other.kind) and BlockKind.TABLE_ROW not in (one.kind, other.kind)


def _of(said: _Said, of: _Page) -> Iterator[Candidate]:
    text = " ".join(said.text.split())
    read = [one for one in mentions(text, of.document.language) if one.is_figure]
    if _enumerates(read, text):
        return
    counted = [one for one in read if one.kind in _COUNTING and not _idle(one, text)]
    dated = [one for one in read if one.kind in DATING and _DATED.search(text) and not _idle(one, text)]
    births = [one for one in dated if is_founding(text, of.business.names) and _whose(text, one, of) is None][:1]
    stated = [*births, *counted, *(dated[:1] if not counted and not births else ())][:MOST_PER_SENTENCE]
    subjects = ["founding" if one in births else subject_of(one, text, _before(one, read)) for one in stated]
    seen: set[tuple[str, str]] = set()
    for one, subject in zip(stated, subjects, strict=True):
        # One noun with two values in one sentence counts two things: what follows each says which.
        more = following(one, text) if subjects.count(subject) > 1 else ""
        told = f"{subject} ({more})" if more else subject
        if (told, one.raw) not in seen:
            seen.add((told, one.raw))
            yield _candidate(said, text, of, told, one)
    sized = next(magnitudes(text), None)
    if sized is not None:
        after = re.split(r"[,;:.()—–]", text[sized.end :].removeprefix(" of "))[0]
        yield _candidate(said, text, of, phrase_head(after) or topic_of_sentence(text), None)
    elif not seen and (of.own or of.page.page_type is PageType.CASE_STUDY) and _describes(text, of.business):
        yield _candidate(said, text, of, topic_of_sentence(text), None)


def _whose(text: str, one: Mention | None, of: _Page) -> str | None:
    return whose(text, one, of.page, of.business, of.topic)


def _before(one: Mention, read: list[Mention]) -> Mention | None:
    """The figure before it in the sentence."""
    return next((other for other in reversed(read) if other.end <= one.start), None)


def value_of(one: Mention, text: str) -> str:
    """The figure as written, with its plus sign, and with its unit where that is a time: "two working days"."""
    days = _DAYS.match(text, one.end) if one.kind is Kind.COUNT and one.unit is None else None
    if days is not None:
        return text[one.start : days.end()]
    plus = text[one.end : one.end + 1]
    return one.raw + (plus if plus == "+" and not one.raw.endswith("+") else "")


def _idle(one: Mention, text: str) -> bool:
    """A figure that states nothing of anybody: a lone one, a count of headings to come, a part of a word."""
    if one.kind is Kind.COUNT and one.unit is None and one.value == 1:
        return True
    if "=" in text or (one.kind is Kind.DATE and str(one.value).startswith("T")):  # a formula, a time of day
        return True
    after = text[one.end : one.end + 24].lower()
    if one.kind is Kind.COUNT and _LISTED.match(after) is not None:
        return True
    # "two-person team" and "90-day Task Force" are kinds of things, and "10x" in a row of names is a name.
    # "508 compliance" is the name of a rule, "two fold" no count of folds.
    compound = one.kind is Kind.COUNT and one.unit is None and _PART_OF_NAME.match(after) is not None
    called = "-" in one.raw and re.match(r"\s+[A-Z]", text[one.end :]) is not None
    named = one.raw.endswith("x") and _TIMES.match(after) is None
    return compound or called or named or _NUMBERED.search(text[: one.start]) is not None or _foiled(one, text)


def _foiled(one: Mention, text: str) -> bool:
    return _FOIL.search(text[: one.start]) is not None


def _enumerates(read: list[Mention], text: str) -> bool:
    """Whether the line opens with a count of what follows it: "5 ways to…", "Below are three…"."""
    if _BELOW.match(text):
        return True
    first = next(iter(read), None)
    return (
        first is not None and first.start <= 8 and _LISTED.match(text[first.end : first.end + 24].lower()) is not None
    )


def _describes(text: str, business: Business) -> bool:
    """Whether the sentence says what the customer is or does, with the customer as its subject."""
    opening = re.match(r"(?:We|Our(?: [\w-]+){1,3}|The [\w-]+)\b", text)
    named = next((name for name in business.names if text.lower().startswith(name)), None)
    start = len(named) if named else opening.end() if opening else None
    if start is None or (opening and not named and opening.group().startswith("The ")):
        return False
    return _IS.match(text, start) is not None


def _candidate(said: _Said, text: str, of: _Page, subject: str, mention: Mention | None) -> Candidate:
    owner, value, page = _whose(text, mention, of), None if mention is None else value_of(mention, text), of.page
    return Candidate(
        candidate_id=candidate_id(page.doc_id, said.start, said.end, text, subject, value),
        text=text,
        category=category_of(text, subject, mention, owner),
        subject=subject,
        value=value,
        source=FactSource(
            url=page.url,
            doc_id=page.doc_id,
            start=said.start,
            end=said.end,
            quote=of.document.text[said.start : said.end],
            retrieved_at=page.retrieved_at,
        ),
        confidence=_confidence(text, of, mention, owner, said.kind)
        if value is None or not _MEASURE.search(subject)
        else min(_confidence(text, of, mention, owner, said.kind), UNCLEAR),
        owner=owner,
    )


def _confidence(text: str, of: _Page, mention: Mention | None, owner: str | None, kind: BlockKind) -> float:
    """How sure the rules are that the sentence, read alone, states a lasting fact of whom it is said to be of.

    The weights were set on the development pages so that what is approved without a person (0.80) is a statement of the
    customer on its own pages; docs of the room's benchmark (`benchmarks/facts.py`) say what came of it.
    """
    if is_placeholder(mention.raw if mention is not None else text):
        return 0.3
    score, page, business = BASE, of.page, of.business
    if owner is None:
        score += 0.06 if business.is_named(text) or WE.search(text) else 0.0
        score += 0.04 if page.page_type in OWN_PAGES else 0.0
    if mention is not None:
        score += 0.04 if mention.direct or mention.unit is not None or mention.kind in DATING else 0.0
        score -= 0.04 if _is_small(mention) else 0.0
    score -= 0.10 if of.spoken and owner is None and not business.is_named(text) else 0.0
    score -= 0.10 if speaks(text) is not None else 0.0
    score -= 0.10 if _LEANING.match(text) else 0.0
    score -= 0.20 if _UNREAL.search(text) else 0.0
    score -= 0.10 if _YOU.search(text) else 0.0
    score -= 0.20 if _I.search(text) else 0.0
    score -= 0.08 if _OPINION.search(text) else 0.0
    score -= 0.10 if page.page_type in (PageType.LEGAL, PageType.CAREERS, PageType.LISTING) else 0.0
    score -= 0.06 if owner == OTHERS else 0.0
    # "60% of projects fail": a share on one's own page that says neither we nor one's name may be anybody's.
    untold = not (WE.search(text) or business.is_named(text))
    score -= 0.04 if owner is None and untold and mention is not None and mention.kind is Kind.PERCENT else 0.0
    # A post tells of its day: what it says of us may be over, and whose a figure is its title only guesses.
    if page.page_type is PageType.ARTICLE:
        score -= 0.08 if owner is None else 0.06 if owner != OTHERS and owner not in text else 0.0
        score -= 0.06 if mention is not None and mention.kind in DATING else 0.0
        # "We loaded all 12 GB" is how the post's work went, and seldom what the business is.
        score -= 0.08 if owner is None and _TELLING.search(text) and not business.is_named(text) else 0.0
    score -= 0.10 if kind is BlockKind.TABLE_ROW else 0.0
    score -= 0.10 if text.endswith(":") else 0.0
    return round(min(max(score, 0.0), 1.0), 2)


def _is_small(one: Mention) -> bool:
    """A count that anybody can make of what lies before them: two issues, five templates."""
    return one.kind is Kind.COUNT and one.unit is None and isinstance(one.value, Decimal) and one.value < SMALL


def category_of(text: str, subject: str, mention: Mention | None, owner: str | None) -> Category:
    """By the noun that is counted first, then by the words of the sentence."""
    if owner is not None:
        return Category.CLIENTS
    if mention is not None and mention.kind in DATING:
        return Category.HISTORY
    if mention is not None:
        return _by_words(subject) or Category.NUMBERS
    return _by_words(text) or Category.OTHER


def _by_words(text: str) -> Category | None:
    said = " " + text.lower()
    return next(
        (category for category, words in _rows() if any(f" {word}" in said for word in words)),
        None,
    )


@lru_cache(maxsize=1)
def _rows() -> tuple[tuple[Category, tuple[str, ...]], ...]:
    read = tomllib.loads(files("affidavit.facts").joinpath("categories.toml").read_text(encoding="utf-8"))
    return tuple(
        (Category(row["category"]), tuple(word.replace("-", " ") for word in row["words"].split()))
        for row in read["row"]
    )
