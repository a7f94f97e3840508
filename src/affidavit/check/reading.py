"""A draft's bytes to a `Draft`: Markdown and plain text in their own characters, other formats as extracted."""

import unicodedata
from collections.abc import Callable

from affidavit.check.draft import Draft, document_draft, markdown_draft, plain_draft
from affidavit.errors import PageFailure, UserError
from affidavit.evidence.document import Document, Fetched
from affidavit.extract.encoding import decode
from affidavit.extract.media_type import MediaType, sniff

MAX_DRAFT = 4 * 1024 * 1024
"""Bytes of a draft that are read: a book of 600,000 words has as many."""
# Characters looked at to tell text from binary data that happens to decode.
_SAMPLE = 4000


def read_draft(name: str, page: Fetched, extract: Callable[[Fetched], Document]) -> Draft:
    """The draft in `page`. `extract` reads HTML, DOCX and PDF, in a process that can be killed.

    Raises UserError, which names the draft, for what is too large, empty or no text.
    """
    if len(page.body) > MAX_DRAFT:
        raise UserError(too_large(name, len(page.body)))
    if not page.body.strip():
        raise UserError(f"{name}: the draft is empty; there is nothing to check")
    try:
        media_type = sniff(page, page.body)
        if media_type not in (MediaType.MARKDOWN, MediaType.PLAIN):
            return document_draft(name, extract(page))
    except PageFailure as failure:
        raise UserError(f"{name}: cannot be read as a draft: {failure.detail}") from failure
    text = decode(page.body, page.header("content-type")).text
    if sum(map(_is_control, text[:_SAMPLE])) * 100 > len(text[:_SAMPLE]):
        raise UserError(f"{name}: cannot be read as a draft: its bytes are no text, whatever its name says")
    return markdown_draft(name, text) if media_type is MediaType.MARKDOWN else plain_draft(name, text)


def _is_control(character: str) -> bool:
    return unicodedata.category(character) in ("Cc", "Cn") and character not in "\t\n\r\f"


def too_large(name: str, size: int) -> str:
    return f"{name}: the draft has {size:,} bytes; {MAX_DRAFT:,} are read. Check it chapter by chapter"
