"""Transfer and content codings of a stored response, undone under a cap.

Archives hold bodies both as they came and already decoded under the old headers (several crawlers write the
second), so a body that is not in the coding its header names is taken as it is. What starts in the coding and
breaks off, or grows past the cap, is a failure of that page.
"""

import zlib

import zstandard

from affidavit.egress.source import DEFLATE, GZIP, GZIP_MAGIC
from affidavit.errors import FailureKind, PageFailure

# The largest page worth reading: the whole HTML standard is 13 MB, long scanned PDFs reach 50 MB.
MAX_BODY = 64 * 1024 * 1024

# Deflate reaches 1032:1, so a slice unpacks to 8 MB at most.
_SLICE = 8 * 1024
_ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
PLAIN = ("", "identity", "none", "utf-8", "binary", "8bit")
"""Content codings that change nothing: the one of RFC 9110, and what servers write that took the field for another."""


def decode(url: str, headers: tuple[tuple[str, str], ...], raw: bytes, cap: int = MAX_BODY) -> bytes:
    """The body as the page's author wrote it. `headers` have lower-case names. Raises PageFailure.

    BROKEN for a coding that breaks off, BAD_TYPE for one that is not known, TOO_LARGE past `cap` bytes.
    """
    body = raw
    if any("chunked" in coding for coding in _codings(headers, "transfer-encoding")):
        body = _unchunk(body)
    for coding in reversed(_codings(headers, "content-encoding")):
        body = _undo(url, coding, body, cap)
    if len(body) > cap:
        raise _too_large(url, cap)
    return body


def _codings(headers: tuple[tuple[str, str], ...], name: str) -> list[str]:
    return [coding.strip().lower() for key, value in headers if key == name for coding in value.split(",")]


def _unchunk(raw: bytes) -> bytes:
    """RFC 9112, 7.1. Bytes that are not chunks come back as they are: the crawler had joined them."""
    parts: list[bytes] = []
    at = 0
    while True:
        line_end = raw.find(b"\r\n", at)
        size_text = raw[at:line_end].partition(b";")[0].strip() if line_end >= 0 else b""
        try:
            size = int(size_text, 16)
        except ValueError:
            return raw if not parts else b"".join(parts)
        if size <= 0:
            return b"".join(parts)
        parts.append(raw[line_end + 2 : line_end + 2 + size])
        at = line_end + 2 + size + 2


def _undo(url: str, coding: str, body: bytes, cap: int) -> bytes:
    if coding in PLAIN or not body:
        return body
    if coding in ("gzip", "x-gzip"):
        return _inflate(url, body, GZIP, cap) if body.startswith(GZIP_MAGIC) else body
    if coding == "deflate":
        return _deflate(url, body, cap)
    if coding == "zstd":
        return _unzstd(url, body, cap) if body.startswith(_ZSTD_MAGIC) else body
    raise PageFailure(
        FailureKind.BAD_TYPE,
        url,
        f"stored with content-encoding {coding!r}, which is not read: gzip, deflate, zstd are",
    )


def _deflate(url: str, body: bytes, cap: int) -> bytes:
    """The zlib wrapper of RFC 9110, or the bare deflate that some servers send; neither means not compressed."""
    for wbits in (zlib.MAX_WBITS, DEFLATE):
        try:
            zlib.decompressobj(wbits).decompress(body[:64], 1)
        except zlib.error:
            continue
        return _inflate(url, body, wbits, cap)
    return body


def _inflate(url: str, body: bytes, wbits: int, cap: int) -> bytes:
    """Fed in slices, so that a bomb takes the memory of the cap and no more: one call doubles its buffer as it goes."""
    parts: list[bytes] = []
    size = 0
    rest = body
    while rest.strip(b"\0"):
        state = zlib.decompressobj(wbits)
        whole, at = len(parts), 0
        try:
            while not state.eof and at < len(rest):
                parts.append(state.decompress(rest[at : at + _SLICE], cap + 1 - size))
                at += _SLICE
                size += len(parts[-1])
                if size > cap:
                    raise _too_large(url, cap)
        except zlib.error as error:
            if whole:  # what follows a whole body and is no other is ignored, as browsers do
                return b"".join(parts[:whole])
            raise PageFailure(FailureKind.BROKEN, url, f"its compressed body is damaged ({error})") from None
        if not state.eof:
            raise PageFailure(FailureKind.BROKEN, url, "its compressed body is cut off")
        rest = state.unused_data + rest[at:]
    return b"".join(parts)


def _unzstd(url: str, body: bytes, cap: int) -> bytes:
    try:
        with zstandard.ZstdDecompressor(max_window_size=2**27).stream_reader(body, read_across_frames=True) as reader:
            unpacked = reader.read(cap + 1)
    except zstandard.ZstdError as error:
        raise PageFailure(FailureKind.BROKEN, url, f"its compressed body is damaged ({error})") from None
    if len(unpacked) > cap:
        raise _too_large(url, cap)
    return unpacked


def _too_large(url: str, cap: int) -> PageFailure:
    return PageFailure(FailureKind.TOO_LARGE, url, f"its body unpacks to more than {cap // 1024**2} MB")
