"""`extract_quote`: the only way evidence enters a run.

A caller copies 12 to 240 characters that it has seen; if they stand exactly once in the document, it gets the
document's own text from there to a sentence end. It cannot point, describe or guess its way to a span, so a
quotation made up from memory fails here and not in an answer. Every refusal says what to do next, because a model
reads it; the choices the contract leaves open are in ``docs/decisions/0002-quote-extraction.md``.
"""

from dataclasses import dataclass
from enum import StrEnum

from affidavit.errors import (
    IntegrityError,
    InvalidArgument,
    LocatorAmbiguous,
    LocatorNotFound,
    SpanBudgetExceeded,
    UnknownDocId,
)
from affidavit.evidence.document import BlockKind, Document
from affidavit.evidence.envelope import neutralise, unescape, visible
from affidavit.evidence.grapheme import boundary_before
from affidavit.evidence.prepared import MAX_OCCURRENCES, PreparedDocument, prepare
from affidavit.evidence.span import Span
from affidavit.evidence.telling_apart import words_after, words_before

LOCATOR_CHARS = (12, 240)
SPAN_CHARS = (40, 900)
DEFAULT_SPAN_CHARS = 600

# How many of the places of an ambiguous locator its message lists; the error itself holds all.
_LISTED = 10
_NO_GUESS = "Do not guess another locator from memory: re-read the preview and copy the words exactly as they stand."


class Purpose(StrEnum):
    """Why a span is asked for. Logged; changes nothing."""

    SUPPORT_CLAIM = "support_claim"
    CHECK_CONTRADICTION = "check_contradiction"
    IDENTIFY_SOURCE_DATE = "identify_source_date"
    IDENTIFY_AUTHOR = "identify_author"


@dataclass(frozen=True, slots=True, kw_only=True)
class Quote:
    """A span with where and when its page was read.

    `flags` name the invisible characters within the span (as `Document.flags`). `block_kind` is the kind of block the
    span begins in, None outside all blocks: navigation can be quoted to look at it, and is refused as evidence.
    """

    span: Span
    doc_url: str
    doc_retrieved_at: str
    purpose: Purpose
    flags: tuple[str, ...]
    block_kind: BlockKind | None

    @property
    def truncated(self) -> bool:
        return self.span.truncated


class Quoter:
    """The documents of one run and what is left of its span budget.

    `max_spans` spans and `max_total_chars` code points of span text in all, counted by what is returned. A refused
    call costs nothing; the same span asked for twice counts twice, since a model reads it twice.
    """

    def __init__(
        self, *, max_spans: int = 40, max_total_chars: int = 12_000, spans_used: int = 0, chars_used: int = 0
    ) -> None:
        self.max_spans = max_spans
        self.max_total_chars = max_total_chars
        self.spans_used = spans_used
        self.chars_used = chars_used
        self._documents: dict[str, Document] = {}
        self._prepared: dict[str, PreparedDocument] = {}

    def add(self, document: Document) -> None:
        """Make a fetched document quotable. It is prepared when first quoted from.

        Raises IntegrityError for another text under a known id: one address would mean two quotations.
        """
        known = self._documents.get(document.doc_id)
        if known is not None and (known.text, known.blocks, known.breaks) != (
            document.text,
            document.blocks,
            document.breaks,
        ):
            raise IntegrityError(f"{document.doc_id} ({document.final_url}) is known with another text")
        self._prepared.pop(document.doc_id, None)
        self._documents[document.doc_id] = document

    def prepared(self, doc_id: str) -> PreparedDocument:
        """The prepared document. Raises UnknownDocId."""
        if doc_id not in self._documents:
            known = ", ".join(list(self._documents)[-_LISTED:]) or "none yet"
            raise UnknownDocId(
                f"doc_id {doc_id[:80]!r} was not fetched in this run: fetch its page first, and use the doc_id that "
                f"fetch_page returns. Fetched: {known}."
            )
        if doc_id not in self._prepared:
            self._prepared[doc_id] = prepare(self._documents[doc_id])
        return self._prepared[doc_id]

    def extract_quote(self, doc_id: object, locator: object, purpose: object, max_chars: object = None) -> Quote:
        """The span of document `doc_id` that starts at `locator`.

        The arguments are a model's and may be anything. `max_chars` is 40 to 900 code points; None means 600. When
        several refusals apply, the first of this order is given: UNKNOWN_DOC_ID, INVALID_ARGUMENT,
        SPAN_BUDGET_EXCEEDED (nothing left), LOCATOR_NOT_FOUND, LOCATOR_AMBIGUOUS, INVALID_ARGUMENT (the passage is
        longer than `max_chars`), SPAN_BUDGET_EXCEEDED (this span does not fit).
        """
        if not isinstance(doc_id, str):
            raise InvalidArgument(f"doc_id is {doc_id!r:.80}; give the doc_id that fetch_page returned, a string.")
        prepared = self.prepared(doc_id)
        sought, why, most = _locator(locator), _purpose(purpose), _max_chars(max_chars)
        if self.spans_used >= self.max_spans or self.chars_used >= self.max_total_chars:
            raise SpanBudgetExceeded(
                f"The span budget is used up ({self.spans_used} of {self.max_spans} spans, {self.chars_used} of "
                f"{self.max_total_chars} characters): draft with what you have."
            )
        start, end = _locate(prepared, sought)
        if end - start > most:
            raise InvalidArgument(
                f"The locator covers {end - start} characters of the document, max_chars is {most}: raise max_chars "
                f"to {end - start} or more, or shorten the locator."
            )
        span = prepared.span(start, end, most)
        self._spend(len(span.text))
        return _quote(prepared.document, span, why)

    def _spend(self, chars: int) -> None:
        left = self.max_total_chars - self.chars_used
        if chars > left:
            raise SpanBudgetExceeded(
                f"This span has {chars} characters and {left} are left: ask for a shorter one with max_chars, or "
                "draft with what you have."
            )
        self.spans_used += 1
        self.chars_used += chars


def _locator(locator: object) -> str:
    least, most = LOCATOR_CHARS
    if not isinstance(locator, str):
        raise InvalidArgument(f"locator is {locator!r:.80}; copy {least} to {most} characters from the document.")
    if not least <= len(locator) <= most:
        raise InvalidArgument(
            f"locator has {len(locator)} characters; give {least} to {most}, copied exactly from the document."
        )
    if not visible(locator)[0].strip():
        raise InvalidArgument("locator holds nothing that can be seen; copy words from the document.")
    return locator


def _purpose(purpose: object) -> Purpose:
    try:
        return Purpose(purpose)
    except ValueError:
        known = ", ".join(Purpose)
        raise InvalidArgument(f"purpose is {purpose!r:.80}; give one of: {known}.") from None


def _max_chars(max_chars: object) -> int:
    if max_chars is None:
        return DEFAULT_SPAN_CHARS
    least, most = SPAN_CHARS
    # bool is an int, and true is no length
    if isinstance(max_chars, bool) or not isinstance(max_chars, int) or not least <= max_chars <= most:
        raise InvalidArgument(f"max_chars is {max_chars!r:.80}; give a whole number from {least} to {most}.")
    return max_chars


def _locate(prepared: PreparedDocument, locator: str) -> tuple[int, int]:
    """The one place of the locator, as a source range. An envelope's escapes, copied along, are undone if need be."""
    document = prepared.document
    found = prepared.occurrences(locator)
    if not found and (plain := unescape(locator)) != locator:
        found = prepared.occurrences(plain)
    apart = [prepared.joins(start, end) for start, end in found]
    whole = [place for place, between in zip(found, apart, strict=True) if between is None]
    if len(whole) > 1:
        raise _ambiguous(prepared, whole)
    if whole:
        start, end = whole[0]
        return boundary_before(document.text, start), end
    shown = neutralise(locator).text
    if found:
        raise LocatorNotFound(
            f'The words "{shown}" stand on both sides of {apart[0]} in {document.doc_id}, and a span may not cross it: '
            "take the locator from one side of it."
        )
    raise LocatorNotFound(f'The locator "{shown}" does not appear in {document.doc_id}. {_NO_GUESS}')


def _ambiguous(prepared: PreparedDocument, places: list[tuple[int, int]]) -> LocatorAmbiguous:
    count = f"more than {MAX_OCCURRENCES}" if len(places) > MAX_OCCURRENCES else str(len(places))
    places = places[:MAX_OCCURRENCES]
    following = words_after(prepared.folded, prepared.document.text, places)
    lines = [
        f"The locator appears {count} times in {prepared.document.doc_id}. "
        "Extend it with the words that follow the place you mean:"
    ]
    for number, ((start, _), words) in enumerate(zip(places[:_LISTED], following, strict=False), 1):
        if words is not None:
            lines.append(f'{number}. … "{neutralise(words).text}"')
        else:
            before = neutralise(words_before(prepared.document.text, start)).text
            lines.append(f'{number}. no following words tell it apart; begin the locator earlier: "{before}" …')
    if len(places) > _LISTED:
        lines.append("(the other places are not listed)")
    return LocatorAmbiguous("\n".join(lines), tuple(start for start, _ in places), following)


def _quote(document: Document, span: Span, purpose: Purpose) -> Quote:
    block = document.block_at(span.start)
    around = document.blocks_between(span.start, span.end)
    # A direction override before the span still turns its letters around: look at the whole of the blocks.
    first = min(span.start, around[0].start) if around else span.start
    last = max(span.end, around[-1].end) if around else span.end
    return Quote(
        span=span,
        doc_url=document.final_url,
        doc_retrieved_at=document.retrieved_at,
        purpose=purpose,
        flags=visible(document.text[first:last])[1],
        block_kind=None if block is None else block.kind,
    )
