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
from affidavit.facts.guards import is_placeholder
from affidavit.facts.identity import candidate_id, normal
from affidavit.facts.page import CrawledPage, PageType
from affidavit.gates.assertion import assess
from affidavit.gates.model_speech import speaks_to_a_model
from affidavit.gates.names import names
from affidavit.gates.numbers import Kind, Mention, mentions
from affidavit.gates.numbers.calendar import is_month
from affidavit.gates.numbers.magnitude import magnitudes

SIGNATURE = "rules/1"
MOST_PER_SENTENCE = 3
"""Facts of one sentence. One that counts more is a table in words."""
WORDS = (4, 45)
"""Words of a sentence that can be a fact: below, it says nothing by itself; above, nobody can check it at a glance."""
BASE = 0.74
"""Confidence of a plain statement of the page: kept in the register (0.70), and not approved (0.80) by that alone."""

SMALL = 10
"""Counts below it, without a unit, tell more often of an article's parts than of a business."""

_STATING = frozenset({BlockKind.PARAGRAPH, BlockKind.LIST_ITEM, BlockKind.TABLE_ROW, BlockKind.OTHER})
_OWN_PAGES = frozenset({PageType.HOME, PageType.ABOUT, PageType.SERVICES})
_COUNTING = frozenset({Kind.COUNT, Kind.PERCENT, Kind.CURRENCY, Kind.RANGE, Kind.RATIO})
_DATING = frozenset({Kind.YEAR, Kind.DATE})
_WE = re.compile(r"\b(?:we|our|ours|us)\b", re.IGNORECASE)
# What follows is held against what is meant: "two weeks rather than the typical eight weeks".
_FOIL = re.compile(
    r"\b(?:rather than|instead of|compared (?:to|with)|typical|usual|unlike)\s+(?:the\s+|a\s+)?"
    r"(?:typical\s+|usual\s+)?$",
    re.IGNORECASE,
)
_TELLING = re.compile(r"\bwe\b|\bin our case\b", re.IGNORECASE)
_LEANING = re.compile(
    r"(?:it|they|this(?! year)|that|these|those|he|she|such|there|here|both|however|but|so|then|also|or|instead"
    r"|for example|in addition|as a result|additionally|meanwhile|finally|first|second|third|next|another"
    r"|if|when|while|because|\w+ly(?=,))\b",
    re.IGNORECASE,
)
_YOU = re.compile(r"\b(?:you|your|yours|let’s|let's)\b", re.IGNORECASE)
_UNREAL = re.compile(
    r"\b(?:will|would|could|might|may|should|hopes?|hoping|plans? to|planning|aims?|goals?|expect(?:s|ed)?|imagine"
    r"|suppose|example|e\.g\.|let(?:[’']s| us) say|if|estimated to|intend(?:s|ed)?|upcoming|forthcoming)\b",
    re.IGNORECASE,
)
_OPINION = re.compile(r"\b(?:I|my|me|I[’']m|I[’']ve|think|feel|believe|love|great|amazing|exciting)\b")
_IS = re.compile(
    r"\s+(?:is|are|was|has|have|offers?|provides?|helps?|builds?|designs?|delivers?|works?|serves?|supports?|makes?"
    r"|operates?|employs?|runs?|trains?|advises?|specialis\w+|specializ\w+|partner\w*|collaborat\w+|ships?|sells?)\b"
)
_DATED = re.compile(
    r"\b(?:founded|established|incorporated|began|started|formed|opened|launched|created|since|acquired|merged|joined"
    r"|became|won|received|completed)\b",
    re.IGNORECASE,
)
_BIRTH = r"(?:founded|established|incorporated|formed|set up|started|created)"
_FOUNDED = re.compile(
    rf"^{_BIRTH}\b|\b(?:was|were|been) (?:first )?{_BIRTH}\b|\b{_BIRTH} (?:the|our|this) (?:company|firm|business|"
    r"agency|practice|organi[sz]ation|charity|studio|family)\b"
    r"|\bwe (?:began|started|opened)(?: our doors)? (?:in|on)\b",
    re.IGNORECASE,
)
_LISTED = re.compile(
    r"\s*(?:ways?|steps?|tips?|reasons?|things?|questions?|lessons?|takeaways?|examples?|principles?|types?|options?)\b"
)
_LABEL_WORDS = 6


@dataclass(frozen=True, slots=True)
class _Said:
    """One statement of a page, at ``[start, end)`` of its text."""

    text: str
    start: int
    end: int
    kind: BlockKind


@dataclass(frozen=True, slots=True)
class Business:
    """Whose site it is, as its pages call it. `names` are folded; the first is how the customer is called."""

    names: tuple[str, ...]

    @classmethod
    def of(cls, customer: str, host: str) -> "Business":
        label = host.split(".")[0] if host.count(".") else host
        return cls(tuple(dict.fromkeys(filter(None, (normal(customer), normal(label))))))

    def is_named(self, text: str) -> bool:
        folded = f" {re.sub(r'[^a-z0-9]+', ' ', text.lower())} "
        return any(f" {re.sub(r'[^a-z0-9]+', ' ', name).strip()} " in folded for name in self.names)


def read_candidates(document: Document, page: CrawledPage, business: Business) -> list[Candidate]:
    """The candidates of one page, in its order. Deterministic."""
    found: list[Candidate] = []
    for said in _statements(document):
        found += _of(said, document, page, business)
    return found


def _statements(document: Document) -> Iterator[_Said]:
    yield from _counters(document)
    for sentence in document_sentences(document):
        block = sentence.block
        if block is None or not block.main or block.kind not in _STATING:
            continue
        text = document.text[sentence.start : sentence.end]
        if not WORDS[0] <= len(text.split()) <= WORDS[1] or not assess(text, block.kind).is_evidence:
            continue
        if speaks_to_a_model(text) is None:
            yield _Said(text, sentence.start, sentence.end, block.kind)


def _counters(document: Document) -> Iterator[_Said]:
    """Figures set large over what they count: two short blocks, "120+" and "employees", that only together say it."""
    blocks = [block for block in document.blocks if block.main]
    for one, other in pairwise(blocks):
        if one.end - one.start > 14 or other.end - other.start > 60 or document.break_within(one.start, other.end):
            continue
        figure, label = document.text[one.start : one.end].strip(), document.text[other.start : other.end].strip()
        read = mentions(figure)
        whole = len(read) == 1 and read[0].is_figure and read[0].kind not in _DATING
        bare = re.sub(r"[+%xX×<>~\s]", "", figure[read[0].end :] + figure[: read[0].start]) if whole else "?"
        plain = not any(map(str.isdigit, label)) and label[:1].isalpha() and len(label.split()) <= _LABEL_WORDS
        if whole and not bare and plain and not label.endswith((".", "?", ":")) and _labels(one, other):
            yield _Said(document.text[one.start : other.end], one.start, other.end, one.kind)


def _labels(one: Block, other: Block) -> bool:
    return BlockKind.NAVIGATION not in (one.kind, other.kind) and BlockKind.TABLE_ROW not in (one.kind, other.kind)


def _of(said: _Said, document: Document, page: CrawledPage, business: Business) -> Iterator[Candidate]:
    text = " ".join(said.text.split())
    read = [one for one in mentions(text, document.language) if one.is_figure]
    counted = [one for one in read if one.kind in _COUNTING and not _idle(one, text)]
    dated = [one for one in read if one.kind in _DATING and _DATED.search(text)]
    sized = next(magnitudes(text), None)
    own = _is_own(text, page, business)
    owner = None if own else _owner(text, page, business)
    if not own and owner is None:
        return
    if _enumerates(read, text):
        return
    births = [one for one in dated if owner is None and _is_founding(text, business)][:1]
    stated = [*births, *counted, *(dated[:1] if not counted and not births else ())][:MOST_PER_SENTENCE]
    subjects = [subject_of(one, text, owner, business) for one in stated]
    seen: set[tuple[str, str]] = set()
    for one, subject in zip(stated, subjects, strict=True):
        # One noun with two values in one sentence counts two things: what follows each says which.
        more = _following(one, text) if subjects.count(subject) > 1 else ""
        told = f"{subject} ({more})" if more else subject
        if (told, one.raw) in seen:
            continue
        seen.add((told, one.raw))
        yield _candidate(said, text, document, page, business, told, value_of(one, text), owner, one)
    if sized is not None:
        after = re.split(r"[,;:.()—–]", text[sized.end :].removeprefix(" of "))[0].split()
        subject = " ".join(after[:2]) or _topic(text, owner)
        yield _candidate(said, text, document, page, business, subject, None, owner, None)
    elif not seen and own and page.page_type in _OWN_PAGES | {PageType.CASE_STUDY} and _describes(text, business):
        yield _candidate(said, text, document, page, business, _topic(text, owner), None, owner, None)


def _following(one: Mention, text: str) -> str:
    """The words after the noun that a figure counts, to the end of the clause, five at most."""
    after = re.split(r"[,;:.()—–]|\b(?:and|but|while|than)\b", text[one.end :])[0].split()
    return " ".join(after[1:6] if one.direct else after[:5])


def value_of(one: Mention, text: str) -> str:
    """The figure as written, with its plus sign."""
    plus = text[one.end : one.end + 1]
    return one.raw + (plus if plus == "+" and not one.raw.endswith("+") else "")


def _idle(one: Mention, text: str) -> bool:
    """A figure that states nothing of anybody: a lone one, a count of headings to come, a part of a word."""
    if one.kind is Kind.COUNT and one.unit is None and one.value == 1:
        return True
    after = text[one.end : one.end + 24].lower()
    if one.kind is Kind.COUNT and _LISTED.match(after) is not None:
        return True
    # "two-person team" is a kind of team, and "10x" in a row of names is a name.
    compound = one.kind is Kind.COUNT and one.unit is None and after[:1] == "-"
    named = one.raw.endswith("x") and re.match(r"\s+(?!and\b|or\b)\w", after) is None
    return compound or named or _FOIL.search(text[: one.start]) is not None


def subject_of(one: Mention, text: str, owner: str | None, business: Business) -> str:
    """What the figure counts, in the singular; for a date what happened then, for an amount what the sentence is of."""
    if one.kind in _DATING:
        return "founding" if owner is None and _is_founding(text, business) else _topic(text, owner)
    if one.kind is Kind.CURRENCY or one.subject is None or (one.unit or "").startswith(one.subject):
        return _topic(text, owner)
    return one.subject


def _is_founding(text: str, business: Business) -> bool:
    """Whether the sentence says when the customer came to be."""
    founds = (rf"\b{_BIRTH}\s+(?:the )?{re.escape(name)}\b" for name in business.names)
    return _FOUNDED.search(text) is not None or any(re.search(one, text, re.IGNORECASE) for one in founds)


def _enumerates(read: list[Mention], text: str) -> bool:
    """Whether the line opens with a count of what follows it: "5 ways to…"."""
    first = next(iter(read), None)
    return (
        first is not None and first.start <= 8 and _LISTED.match(text[first.end : first.end + 24].lower()) is not None
    )


def _topic(text: str, owner: str | None) -> str:
    if owner is not None:
        return owner
    words = re.sub(r"^(?:we|our|the|in|at|as)\s+", "", text, flags=re.IGNORECASE).split()
    return " ".join(words[:5]).strip(",.;:")


def _is_own(text: str, page: CrawledPage, business: Business) -> bool:
    """Whether a sentence speaks of the customer: it says we, or names it; or it names nobody, on a page of its own."""
    if _WE.search(text) or business.is_named(text):
        return page.page_type is not PageType.CASE_STUDY or _subject_is_own(text, business)
    return page.page_type in _OWN_PAGES and not names(text)


def _subject_is_own(text: str, business: Business) -> bool:
    """On a page about a client only what has the customer for its subject is the customer's."""
    opening = " ".join(text.split()[:4])
    return _WE.search(opening) is not None or business.is_named(opening)


def _owner(text: str, page: CrawledPage, business: Business) -> str | None:
    """Whose figure it is where it is not the customer's: whom the sentence names first, or whom the page is about."""
    for name in names(text):
        said = re.sub(r"['’]s?$", "", text[name.start : name.end])
        if not business.is_named(said) and not _is_date(said):
            return said
    if page.page_type in (PageType.CASE_STUDY, PageType.ARTICLE) and page.title:
        head = re.split(r"\s+[|–—-]\s+|:\s", page.title)[0].strip()
        return head[:80] if head and not business.is_named(head) else "client"
    return None


def _is_date(name: str) -> bool:
    """Whether a name is that of a month or a day, which own nothing."""
    return all(is_month(word) or word.lower().removesuffix("s").endswith("day") for word in name.split())


def _describes(text: str, business: Business) -> bool:
    """Whether the sentence says what the customer is or does, with the customer as its subject."""
    opening = re.match(r"(?:We|Our(?: [\w-]+){1,3}|The [\w-]+)\b", text)
    named = next((name for name in business.names if text.lower().startswith(name)), None)
    start = len(named) if named else opening.end() if opening else None
    if start is None or (opening and not named and opening.group().startswith("The ")):
        return False
    return _IS.match(text, start) is not None


def _candidate(
    said: _Said,
    text: str,
    document: Document,
    page: CrawledPage,
    business: Business,
    subject: str,
    value: str | None,
    owner: str | None,
    mention: Mention | None,
) -> Candidate:
    quote = document.text[said.start : said.end]
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
            quote=quote,
            retrieved_at=page.retrieved_at,
        ),
        confidence=_confidence(text, page, business, mention, owner, said.kind),
        owner=owner,
    )


def _confidence(
    text: str, page: CrawledPage, business: Business, mention: Mention | None, owner: str | None, kind: BlockKind
) -> float:
    """How sure the rules are that the sentence, read alone, states a lasting fact of whom it is said to be of.

    The weights were set on the development pages so that what is approved without a person (0.80) is a statement of the
    customer on its own pages; docs of the room's benchmark (`benchmarks/facts.py`) say what came of it.
    """
    if is_placeholder(mention.raw if mention is not None else text):
        return 0.3
    score = BASE
    if owner is None:
        score += 0.06 if business.is_named(text) or _WE.search(text) else 0.0
        score += 0.04 if page.page_type in _OWN_PAGES else 0.0
    if mention is not None:
        score += 0.04 if mention.direct or mention.unit is not None or mention.kind in _DATING else 0.0
        score -= 0.04 if _is_small(mention) else 0.0
    score -= 0.10 if _LEANING.match(text) else 0.0
    score -= 0.20 if _UNREAL.search(text) else 0.0
    score -= 0.10 if _YOU.search(text) else 0.0
    score -= 0.08 if _OPINION.search(text) else 0.0
    score -= 0.10 if page.page_type in (PageType.LEGAL, PageType.CAREERS) else 0.0
    # A post tells of its day: what it says of us may be over, and whose a figure is its title only guesses.
    if page.page_type is PageType.ARTICLE:
        score -= 0.08 if owner is None else 0.06 if owner not in text else 0.0
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
    if mention is not None and mention.kind in _DATING:
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
