"""What a body is, by its bytes. The server's label and the URL's ending only decide between kinds of text.

A label is a claim: PDFs come as ``text/html``, sign-in pages come as ``application/pdf``, and archives come
with whatever their server said that day. Reading by the label would quote binary noise or refuse a good page.
"""

import json
import re
import zipfile
import zlib
from enum import StrEnum
from io import BytesIO
from urllib.parse import urlsplit

from affidavit.errors import FailureKind, PageFailure
from affidavit.evidence.document import Fetched
from affidavit.extract.encoding import decode
from affidavit.extract.signatures import BINARY, HTML_DOCUMENT, HTML_TAGS, TEXTUAL

# The largest body read, packed or unpacked. The largest page of the 1,439 real ones has 0.7 MB and the largest
# heavy page of the hostile set that still gives its text has 9 MB; a book as PDF has some 30 MB.
MAX_BYTES = 64 * 1024 * 1024


class MediaType(StrEnum):
    """The kinds of body that can be read."""

    HTML = "text/html"
    PDF = "application/pdf"
    PLAIN = "text/plain"
    MARKDOWN = "text/markdown"
    DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


_READABLE = "Affidavit reads HTML, PDF, plain text, Markdown and DOCX"
_MARKDOWN_LABELS = frozenset({"text/markdown", "text/x-markdown"})
_HTML_LABELS = frozenset({"", "text/html", "application/xhtml+xml"})
_UNNAMED_LABELS = frozenset({"", "application/octet-stream", "binary/octet-stream", "application/x-download"})
_CODE_LABELS = frozenset({"text/css", "text/javascript", "application/javascript", "text/calendar", "text/vcard"})
_TABLE_LABELS = frozenset({"text/csv", "text/tab-separated-values"})
_OFFICE_PARTS = {"xl/": "an Excel workbook", "ppt/": "a PowerPoint deck", "META-INF/container.xml": "an EPUB book"}
_MARKDOWN_ENDINGS = (".md", ".markdown", ".mdown", ".mkd")
_TAG = re.compile(rb"<(!doctype\s+html|[a-z][a-z0-9]*)(?=[\s>/]|$)", re.IGNORECASE)
_COMMENT = re.compile(rb"\s*<!--.*?-->", re.DOTALL)
_XML_ROOT = re.compile(rb"<([a-z_][\w.:-]*)", re.IGNORECASE)


def label(fetched: Fetched) -> str:
    """The media type the server names, without parameters, lower case; empty when it names none."""
    return (fetched.header("content-type") or "").split(";")[0].strip().lower()


def unpack(fetched: Fetched) -> bytes:
    """The body, un-gzipped if it is a gzip stream. Raises PageFailure EMPTY_BODY, TOO_LARGE, BROKEN.

    Decompression stops at `MAX_BYTES`, so a bomb costs no more than an honest large page.
    """
    body = fetched.body
    if body.startswith(b"\x1f\x8b"):
        body = _gunzip(fetched)
    if len(body) > MAX_BYTES:
        raise PageFailure(
            FailureKind.TOO_LARGE,
            fetched.final_url,
            f"the body has {len(body):,} bytes; the limit is {MAX_BYTES:,}. Look for the passage on a smaller page",
        )
    if not body.strip(b" \t\r\n\f\x00\xef\xbb\xbf\xfe\xff"):
        raise PageFailure(
            FailureKind.EMPTY_BODY,
            fetched.final_url,
            f"the server answered {fetched.status} with an empty page. Open it in a browser, or try again later",
        )
    return body


def _gunzip(fetched: Fetched) -> bytes:
    stream = zlib.decompressobj(wbits=31)
    try:
        body = stream.decompress(fetched.body, MAX_BYTES + 1)
    except zlib.error as error:
        raise PageFailure(
            FailureKind.BROKEN, fetched.final_url, f"the gzip stream is damaged ({error}). Fetch the page again"
        ) from error
    if len(body) <= MAX_BYTES and not stream.eof:
        raise PageFailure(FailureKind.BROKEN, fetched.final_url, "the gzip stream ends early. Fetch the page again")
    return body


def sniff(fetched: Fetched, body: bytes) -> MediaType:
    """The media type of `body` (unpacked). Raises PageFailure BAD_TYPE, TYPE_MISMATCH or ENCRYPTED for the rest."""
    begins = _first_tag(body)
    # The PDF standard lets junk stand before the header; readers look through the first kilobyte.
    if not begins and b"%PDF-" in body[:1024]:
        return MediaType.PDF
    if body.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _zip(fetched, body)
    if body.startswith(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"):
        raise _ole(fetched, body)
    if not _is_text(fetched, body):
        known = (name for offset, magic, name in BINARY if body.startswith(magic, offset))
        raise _bad_type(fetched, next(known, "binary data"))
    for magic, name in TEXTUAL:
        if body.startswith(magic):
            raise _bad_type(fetched, name)
    media_type = _text_type(fetched, body, begins)
    if _is_binary_label(label(fetched)):
        raise PageFailure(
            FailureKind.TYPE_MISMATCH,
            fetched.final_url,
            f"served as {label(fetched)}, but it is {media_type.value}: probably a notice in the file's place. "
            "Open it in a browser to see what the site asks for",
        )
    return media_type


def _first_tag(body: bytes) -> str:
    """The tag that `body` begins with, lower case, or an empty string."""
    head = body[:65536].lstrip(b"\xef\xbb\xbf\xff\xfe\xfe\xff").replace(b"\x00", b"").lstrip()
    while comment := _COMMENT.match(head):
        head = head[comment.end() :].lstrip()
    if head.startswith(b"<?xml"):
        head = head[head.find(b"?>") + 2 :].lstrip()
        while comment := _COMMENT.match(head):
            head = head[comment.end() :].lstrip()
        if head[:9].lower() != b"<!doctype":
            root = _XML_ROOT.match(head)
            return "html" if root and root[1].lower() in (b"html", b"xhtml:html") else "?xml"
    tag = _TAG.match(head)
    if not tag:
        return ""
    return " ".join(tag[1].decode("ascii").lower().split())


def _is_binary_label(name: str) -> bool:
    return name.startswith(("image/", "audio/", "video/", "font/")) or name in (
        MediaType.PDF.value,
        MediaType.DOCX.value,
        "application/msword",
        "application/zip",
        "application/gzip",
    )


def _is_text(fetched: Fetched, body: bytes) -> bool:
    """Whether `body` can be text: no control bytes that no text encoding has (WHATWG's binary data bytes)."""
    if decode(body[:64], fetched.header("content-type")).encoding in ("utf-16le", "utf-16be"):
        return not any(body.startswith(magic, offset) for offset, magic, _ in BINARY if b"\x00" in magic)
    sample = body[:1445]
    binary = sum(byte < 0x09 or byte == 0x0B or 0x0E <= byte <= 0x1A or 0x1C <= byte <= 0x1F for byte in sample)
    # Markup with a stray control byte is still markup: a parser drops the byte and keeps the page.
    return binary <= (len(sample) // 100 if label(fetched).startswith("text/") else 0)


def _text_type(fetched: Fetched, body: bytes, begins: str) -> MediaType:
    name = label(fetched)
    if begins in HTML_DOCUMENT:
        return MediaType.HTML
    if begins == "?xml" or (begins == "" and (name.endswith(("/xml", "+xml")) and name != "application/xhtml+xml")):
        raise _bad_type(fetched, "XML")
    if begins == "svg" or name == "image/svg+xml":
        raise _bad_type(fetched, "an SVG picture")
    if name.endswith(("/json", "+json")) or _is_json(body):
        raise _bad_type(fetched, "JSON")
    if name in _CODE_LABELS or name in _TABLE_LABELS:
        raise _bad_type(fetched, f"a {name} file")
    if name in _MARKDOWN_LABELS:
        return MediaType.MARKDOWN
    if begins in HTML_TAGS and name not in ("text/plain",):
        return MediaType.HTML
    if name in _UNNAMED_LABELS or name == "text/plain":
        path = urlsplit(fetched.final_url).path.lower()
        return MediaType.MARKDOWN if path.endswith(_MARKDOWN_ENDINGS) else MediaType.PLAIN
    return MediaType.HTML if name in _HTML_LABELS else MediaType.PLAIN


def _is_json(body: bytes) -> bool:
    head = body[:64].lstrip(b"\xef\xbb\xbf \t\r\n")
    if not head.startswith((b"{", b"[")) or len(body) > 4 * 1024 * 1024:
        return False
    try:
        json.loads(body)
    except (ValueError, RecursionError):
        return False
    return True


def _zip(fetched: Fetched, body: bytes) -> MediaType:
    try:
        names = zipfile.ZipFile(BytesIO(body)).namelist()
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError) as error:
        raise PageFailure(
            FailureKind.BROKEN, fetched.final_url, f"the ZIP container is damaged ({error}). Fetch the file again"
        ) from error
    if any(name.startswith("word/") and name.endswith(".xml") for name in names):
        return MediaType.DOCX
    for part, what in _OFFICE_PARTS.items():
        if any(name.startswith(part) for name in names):
            raise _bad_type(fetched, what)
    raise _bad_type(fetched, "a ZIP archive")


def _ole(fetched: Fetched, body: bytes) -> PageFailure:
    if "EncryptedPackage".encode("utf-16-le") in body:
        return PageFailure(
            FailureKind.ENCRYPTED,
            fetched.final_url,
            "an Office file locked with a password. Save a copy without the password and give that",
        )
    return _bad_type(fetched, "an Office file of before 2007")


def _bad_type(fetched: Fetched, what: str) -> PageFailure:
    served = label(fetched)
    return PageFailure(
        FailureKind.BAD_TYPE,
        fetched.final_url,
        f"this is {what}{f' (served as {served})' if served else ''}. {_READABLE}: look for the same in one of these",
    )
