"""What a customer has published already, as the next piece must know it: so that it repeats neither figure nor phrase.

A `Recalled` is one earlier piece, made of its text by rules and no model: the same text always gives the same memory,
and its `memory_id` names exactly what was recalled.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property

from affidavit.evidence.document import Block, BlockKind, Document
from affidavit.evidence.frozen import freeze_fields
from affidavit.evidence.sentences import sentences
from affidavit.extract.markdown import read_markdown
from affidavit.gates.numbers import Kind, mentions
from affidavit.ledger.canonical import digest
from affidavit.ranking.terms import STOP_WORDS, stem, words

SENTENCE_WORDS = 8
"""A sentence of fewer words is not known again: "We are open all week." stands in pieces that share nothing else."""
SUMMARY_WORDS = 40
_STATISTICS = frozenset({Kind.PERCENT, Kind.CURRENCY, Kind.COUNT, Kind.RANGE, Kind.RATIO})
_ENUMERATED = 10
"""A count below this that is written as a word ("three steps") says how a text goes on, and is no statistic."""
_PROSE = frozenset({BlockKind.PARAGRAPH, BlockKind.LIST_ITEM, BlockKind.QUOTATION, BlockKind.TABLE_ROW})


@dataclass(frozen=True, kw_only=True)
class Recalled:
    """One earlier piece. `statistics` are its sentences that state a figure. `sentences` are all of its sentences that
    are long enough to be known again, the most distinctive first. `url` is where it stands, if it is published."""

    title: str
    summary: str
    statistics: tuple[str, ...] = ()
    sentences: tuple[str, ...] = ()
    url: str | None = None

    def __post_init__(self) -> None:
        freeze_fields(self)

    @cached_property
    def memory_id(self) -> str:
        """``mem_`` and 16 hex digits over everything that is recalled of the piece."""
        return "mem_" + digest(asdict(self)).removeprefix("sha256:")[:16]


@dataclass(frozen=True, slots=True)
class Memory:
    """The earlier pieces of one customer, the newest first."""

    pieces: tuple[Recalled, ...] = ()

    @classmethod
    def of(cls, pieces: Sequence[Recalled]) -> "Memory":
        return cls(tuple(pieces))


def recall_markdown(title: str, text: str, url: str | None = None) -> Recalled:
    """The memory of a piece that is Markdown, as those written here are."""
    page = read_markdown(text, "https://piece.invalid/")
    return _recall(title, _prose(page.text, page.blocks), url)


def recall_document(document: Document, title: str | None = None, url: str | None = None) -> Recalled:
    """The memory of a piece that was read from a file, a page or a feed; its main text only."""
    main = [block for block in document.blocks if block.main] or document.blocks
    return _recall(title or document.title or document.final_url, _prose(document.text, main), url)


def _prose(text: str, blocks: Iterable[Block]) -> Iterator[str]:
    for block in blocks:
        if block.kind in _PROSE:
            yield text[block.start : block.end]


def _recall(title: str, paragraphs: Iterable[str], url: str | None) -> Recalled:
    said = [
        " ".join(part[start:end].split())
        for part in paragraphs
        for start, end in sentences(part)
        if part[start:end].strip()
    ]
    long = list(dict.fromkeys(one for one in said if len(one.split()) >= SENTENCE_WORDS))
    return Recalled(
        title=title,
        summary=_summary(said),
        statistics=tuple(dict.fromkeys(one for one in said if _states_a_figure(one))),
        sentences=tuple(sorted(long, key=_plainness)),
        url=url,
    )


def _summary(said: Sequence[str]) -> str:
    """The beginning of the piece, whole sentences of it: what a piece is about stands there, and it is nobody's words
    but the piece's own."""
    kept: list[str] = []
    for sentence in said:
        if kept and sum(len(one.split()) for one in kept) + len(sentence.split()) > SUMMARY_WORDS:
            break
        kept.append(sentence)
    return " ".join(kept)


def _states_a_figure(sentence: str) -> bool:
    return any(
        mention.kind in _STATISTICS
        and not (
            mention.kind is Kind.COUNT
            and not any(letter.isdigit() for letter in mention.raw)
            and not isinstance(mention.value, tuple | str)
            and mention.value < _ENUMERATED
        )
        for mention in mentions(sentence)
    )


def _plainness(sentence: str) -> int:
    """Fewer content words make a plainer sentence; the least plain comes first."""
    return -len({stem(word) for word in words(sentence) if word.lower() not in STOP_WORDS})
