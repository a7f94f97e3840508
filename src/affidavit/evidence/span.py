"""A span is an address: a document and a range of its text. The words are carried along only to be compared."""

import hashlib
from dataclasses import dataclass, field

from affidavit.errors import SpanMismatch
from affidavit.evidence.document import Document


@dataclass(frozen=True, slots=True)
class Span:
    """``[start, end)`` in code points of the text of document `doc_id`.

    `truncated` says that no sentence end was in reach and the span stops at a word end; it is no part of the address,
    so two spans of one range are equal whichever call made them.
    """

    doc_id: str
    start: int
    end: int
    text: str
    truncated: bool = field(default=False, compare=False)

    @property
    def span_id(self) -> str:
        """``span_`` and 16 hex digits of sha256 over document, start and end: the same range, the same id, always."""
        key = f"{self.doc_id}\n{self.start}\n{self.end}"
        return "span_" + hashlib.sha256(key.encode()).hexdigest()[:16]

    @classmethod
    def at(cls, document: Document, start: int, end: int, *, truncated: bool = False) -> "Span":
        """The span of `document` over ``[start, end)``. Raises SpanMismatch for a range that cannot be quoted."""
        span = cls(document.doc_id, start, end, document.text[max(start, 0) : max(end, 0)], truncated)
        span.check(document)
        return span

    def check(self, document: Document) -> None:
        """Re-read the document and compare. Raises SpanMismatch; without this a quotation is only a copy."""
        if document.doc_id != self.doc_id:
            raise SpanMismatch(f"{self.span_id} belongs to {self.doc_id}, not to {document.doc_id}")
        if not 0 <= self.start < self.end <= len(document.text):
            raise SpanMismatch(
                f"{self.span_id}: no text at {self.start}:{self.end}; {self.doc_id} has {len(document.text)} characters"
            )
        crossed = document.break_within(self.start, self.end)
        if crossed is not None:
            raise SpanMismatch(
                f"{self.span_id}: {self.start}:{self.end} crosses {crossed}, where {self.doc_id} leaves text out"
            )
        found = document.text[self.start : self.end]
        if found != self.text:
            raise SpanMismatch(f"{self.span_id}: {self.doc_id} holds {found[:80]!r} there, not {self.text[:80]!r}")
