"""A draft's bytes to a `Draft`: Markdown and plain text in their own characters, other formats as extracted."""

import unicodedata
from collections.abc import Callable

from affidavit.check.draft import Draft, document_draft, markdown_draft, plain_draft
from affidavit.errors import PageFailure, UserError
from affidavit.evidence.document import Document, Fetched
from affidavit.extract.encoding import DecidedBy, decode
from affidavit.extract.media_type import MediaType, sniff

MAX_DRAFT = 4 * 1024 * 1024
"""Bytes of a draft that are read: a book of 600,000 words has as many."""
# Characters looked at to tell text from binary data that happens to decode.
_SAMPLE = 4000
# The part of the visible characters that are not ASCII, from which a text is in no language of Western Europe: French
# and German have a tenth at most, Japanese or Russian read as windows-1252 nearly all.
_FOREIGN = 0.3


def read_draft(name: str, page: Fetched, extract: Callable[[Fetched], Document]) -> Draft:
    """The draft in `page`. `extract` reads HTML, DOCX and PDF, in a process that can be killed.

    Raises UserError, which names the draft, for what is too large, empty or no text.
    """
    if len(page.body) > MAX_DRAFT:
        raise UserError(too_large(name, len(page.body)))
    if not page.body.strip():
        raise UserError(_empty(name))
    try:
        media_type = sniff(page, page.body)
        if media_type not in (MediaType.MARKDOWN, MediaType.PLAIN):
            return document_draft(name, extract(page))
    except PageFailure as failure:
        raise UserError(f"{name}: cannot be read as a draft: {failure.detail}") from failure
    text = _text(name, page)
    if not text.strip():
        raise UserError(_empty(name))
    if sum(map(_is_control, text[:_SAMPLE])) * 100 > len(text[:_SAMPLE]):
        raise UserError(f"{name}: cannot be read as a draft: its bytes are no text, whatever its name says")
    return markdown_draft(name, text) if media_type is MediaType.MARKDOWN else plain_draft(name, text)


def _text(name: str, page: Fetched) -> str:
    """The characters of the file, without a byte-order mark. A few broken bytes stay as U+FFFD; where nothing tells the
    encoding and the guess gives what nobody wrote, the draft is refused: its findings would be about other words."""
    decoded = decode(page.body, page.header("content-type"))
    if decoded.decided_by not in (DecidedBy.GUESS, DecidedBy.FALLBACK):
        return decoded.text
    utf8 = page.body.decode("utf-8", "replace")
    if utf8.count("\ufffd") < sum(character > "\x7f" and character != "\ufffd" for character in utf8):
        return utf8
    visible = [character for character in decoded.text[:_SAMPLE] if not character.isspace()]
    foreign = sum(character > "\x7f" for character in visible)
    western = decoded.encoding == "windows-1252"
    if (western and foreign > _FOREIGN * len(visible)) or any(map(_is_c1, visible)) or decoded.lossy:
        raise UserError(f"{name}: the encoding of the draft cannot be told from its bytes; save it as UTF-8")
    return decoded.text


def _empty(name: str) -> str:
    return f"{name}: the draft is empty; there is nothing to check"


def _is_c1(character: str) -> bool:
    return "\x80" <= character <= "\x9f" or character == "\ufffd"


def _is_control(character: str) -> bool:
    return unicodedata.category(character) in ("Cc", "Cn") and character not in "\t\n\r\f"


def too_large(name: str, size: int) -> str:
    return f"{name}: the draft has {size:,} bytes; {MAX_DRAFT:,} are read. Check it chapter by chapter"
