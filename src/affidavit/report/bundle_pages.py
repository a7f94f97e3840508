"""The pages of a bundle as a web archive: one WARC 1.1 response record a page, each a gzip member of its own.

Any tool that replays WARC files opens it. It has one way to be written: the records' headers follow from the
documents beside them, so the archive can be made again from the documents and the bodies found in it, and what
differs was altered. That holds for the gzip around them too: its members are stored, not compressed, because a
compressed stream has many spellings and each build of zlib its own, while a stored one has only this (the bundle
around the archive is what compresses it). Bodies stand as they were read, their transfer and content codings undone;
the headers that named those codings are kept under ``x-archive-orig-`` names, where replay ignores them.
"""

import base64
import hashlib
import re
import struct
import uuid
import zlib
from collections.abc import Mapping, Sequence

from affidavit.errors import BundleMismatch, IntegrityError
from affidavit.evidence.document import Document, Fetched
from affidavit.report.bundle_container import LARGEST_WHOLE, first_different_byte

PAGES = "pages.warc.gz"
GZIP = zlib.MAX_WBITS | 16
_GZIP_HEAD = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
"""Deflate, no name, no time, no system (255: unknown), no level."""
_STORED_BLOCK = 0xFFFF
_CODED = ("content-encoding", "transfer-encoding", "content-length")
_LENGTH = re.compile(rb"\r\nContent-Length: ([0-9]{1,12})\r\n")
_INFO = b"software: affidavit\r\nformat: WARC File Format 1.1\r\n"


def write_pages(documents: Sequence[Document], pages: Mapping[str, Fetched]) -> bytes:
    """The archive of `documents`, in order. Raises IntegrityError where a page is missing or is another page."""
    records = [_info(documents)]
    for document in documents:
        page = pages.get(document.doc_id)
        if page is None:
            raise IntegrityError(f"{document.doc_id} ({document.final_url}): its page is not among the pages given")
        if hashlib.sha256(page.body).hexdigest() != document.sha256:
            raise IntegrityError(
                f"{document.doc_id} ({document.final_url}): the page given is not the one it was read from"
            )
        records.append(_response(document, page.body))
    return b"".join(_gzip(record) for record in records)


def read_pages(raw: bytes, documents: Sequence[Document]) -> dict[str, Fetched]:
    """The responses that `documents` were read from, by doc_id. Raises BundleMismatch at the first that differs."""
    records = _records(raw)
    if len(records) != len(documents) + 1:
        raise BundleMismatch(f"{PAGES}: {len(records)} records; the answer's {len(documents)} documents need one more")
    _same(records[0], _info(documents), "record 1 (warcinfo)")
    pages: dict[str, Fetched] = {}
    for number, (record, document) in enumerate(zip(records[1:], documents, strict=True), start=2):
        where = f"record {number} ({document.doc_id}, {document.final_url})"
        body = _body(record, where)
        _same(record, _response(document, body), where)
        found = hashlib.sha256(body).hexdigest()
        if found != document.sha256:
            raise BundleMismatch(
                f"{PAGES}: {where}: its body hashes to {found}, and the document says {document.sha256}"
            )
        pages[document.doc_id] = Fetched(
            requested_url=document.requested_url,
            final_url=document.final_url,
            retrieved_at=document.retrieved_at,
            status=document.status,
            headers=document.headers,
            body=body,
        )
    again = b"".join(_gzip(record) for record in records)
    if raw != again:
        raise BundleMismatch(f"{PAGES}: byte {first_different_byte(raw, again)}: the gzip around it is spelt otherwise")
    return pages


def _info(documents: Sequence[Document]) -> bytes:
    latest = max((document.retrieved_at for document in documents), default="1970-01-01T00:00:00Z")
    ids = "\n".join(document.doc_id for document in documents)
    return _record(
        ("WARC-Type", "warcinfo"),
        ("WARC-Record-ID", _record_id(ids)),
        ("WARC-Date", latest),
        ("Content-Type", "application/warc-fields"),
        block=_INFO,
    )


def _response(document: Document, body: bytes) -> bytes:
    lines = [f"HTTP/1.1 {document.status} {'OK' if document.status == 200 else ''}"]
    lines += [
        f"x-archive-orig-{name}: {value}" if name in _CODED else f"{name}: {value}" for name, value in document.headers
    ]
    lines.append(f"content-length: {len(body)}")
    head = "".join(_one_line(line) + "\r\n" for line in lines).encode("utf-8", "surrogateescape")
    digest = base64.b32encode(hashlib.sha256(body).digest()).decode("ascii")
    return _record(
        ("WARC-Type", "response"),
        ("WARC-Record-ID", _record_id(document.doc_id)),
        ("WARC-Date", document.retrieved_at),
        ("WARC-Target-URI", document.final_url),
        ("WARC-Payload-Digest", f"sha256:{digest}"),
        ("Content-Type", "application/http; msgtype=response"),
        block=head + b"\r\n" + body,
    )


def _record(*fields: tuple[str, str], block: bytes) -> bytes:
    lines = ["WARC/1.1", *(_one_line(f"{name}: {value}") for name, value in fields), f"Content-Length: {len(block)}"]
    return "\r\n".join(lines).encode("utf-8", "surrogateescape") + b"\r\n\r\n" + block + b"\r\n\r\n"


def _record_id(name: str) -> str:
    return f"<urn:uuid:{uuid.uuid5(uuid.NAMESPACE_OID, name)}>"


def _one_line(text: str) -> str:
    """A header line without line ends of its own: with one, the record would end where a page says."""
    return re.sub(r"[\r\n\x00]+", " ", text)


def _gzip(data: bytes) -> bytes:
    """The one gzip member of `data`, in stored blocks (RFC 1951, 3.2.4): the same bytes from every machine."""
    parts = [_GZIP_HEAD]
    for start in range(0, len(data), _STORED_BLOCK):
        block = data[start : start + _STORED_BLOCK]
        last = start + len(block) == len(data)
        parts += [struct.pack("<BHH", last, len(block), len(block) ^ 0xFFFF), block]
    parts.append(struct.pack("<II", zlib.crc32(data), len(data) & 0xFFFFFFFF))
    return b"".join(parts)


def _records(raw: bytes) -> list[bytes]:
    """The gzip members, unpacked under a limit."""
    records: list[bytes] = []
    left = LARGEST_WHOLE
    rest = raw
    while rest:
        offset = len(raw) - len(rest)
        unpacker = zlib.decompressobj(GZIP)
        try:
            record = unpacker.decompress(rest, left + 1)
        except zlib.error as error:
            raise BundleMismatch(
                f"{PAGES}: byte {offset}: record {len(records) + 1} cannot be unpacked: {error}"
            ) from error
        if len(record) > left:
            raise BundleMismatch(f"{PAGES}: byte {offset}: unpacks to more than {LARGEST_WHOLE} bytes")
        if not unpacker.eof:
            raise BundleMismatch(f"{PAGES}: byte {len(raw)}: cut off inside record {len(records) + 1}")
        left -= len(record)
        records.append(record)
        rest = unpacker.unused_data
    return records


def _body(record: bytes, where: str) -> bytes:
    """The body of a response record, as far as the record's own frame tells; the frame is compared afterwards."""
    head_end = record.find(b"\r\n\r\n")
    length = _LENGTH.search(record, 0, head_end + 2)
    if head_end < 0 or length is None:
        raise BundleMismatch(f"{PAGES}: {where}: no WARC header")
    block = record[head_end + 4 : head_end + 4 + int(length[1])]
    http_end = block.find(b"\r\n\r\n")
    if http_end < 0:
        raise BundleMismatch(f"{PAGES}: {where}: no HTTP header")
    return block[http_end + 4 :]


def _same(found: bytes, expected: bytes, where: str) -> None:
    if found != expected:
        at = first_different_byte(found, expected)
        raise BundleMismatch(f"{PAGES}: {where}: byte {at} of the record is not what its document says")
