"""The one thing a verifier may see: a claim's words beside a span's words.

A `Pair` holds no question, no sibling claim and no trace, so that no verifier, whatever it is made of, can judge
anything but whether this text supports this claim.
"""

import hashlib
from dataclasses import dataclass

from affidavit.evidence.document import Block, BlockKind, Document
from affidavit.evidence.sentences import sentences
from affidavit.evidence.span import Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """`kinds` are the kinds of block the span touches, in page order. `whole` is whether the span begins at a
    sentence's first character and ends at a sentence's last: a span that does not may have lost a "not". `around` is
    the span's text with the sentences that it cuts made whole again; code alone reads it, to see what was lost."""

    claim_text: str
    span: Span
    url: str
    retrieved_at: str
    kinds: tuple[BlockKind, ...]
    whole: bool
    around: str


def pair(claim_text: str, span: Span, document: Document) -> Pair:
    """Re-read `span` from `document` and set it beside the claim. Raises SpanMismatch."""
    span.check(document)
    blocks = [block for block in document.blocks if block.start < span.end and block.end > span.start]
    starts: set[int] = set()
    ends: set[int] = set()
    for block in blocks:
        for start, end in sentences(document.text[block.start : block.end], document.language):
            starts.add(block.start + start)
            ends.add(block.start + end)
    first = max((start for start in starts if start <= span.start), default=span.start)
    last = min((end for end in ends if end >= span.end), default=span.end)
    return Pair(
        claim_text=claim_text,
        span=span,
        url=document.final_url,
        retrieved_at=document.retrieved_at,
        kinds=tuple(block.kind for block in blocks),
        whole=span.start in starts and span.end in ends,
        around=document.text[first:last],
    )


def text_pair(claim_text: str, text: str, *, kind: BlockKind = BlockKind.PARAGRAPH) -> Pair:
    """A pair over `text` alone, for labelled sets and tests, which come without a page. Raises SpanMismatch where it is
    empty."""
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    document = Document(
        requested_url="urn:text",
        final_url="urn:text",
        canonical_url="urn:text",
        retrieved_at="",
        status=200,
        headers=(),
        media_type="text/plain",
        sha256=digest,
        extractor="text/1",
        title=None,
        published=None,
        language=None,
        text=text,
        blocks=(Block(0, len(text), kind),) if text else (),
    )
    return pair(claim_text, Span.at(document, 0, len(text)), document)
