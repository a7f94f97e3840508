"""Transfer and content codings of a stored response, undone under a cap.

Archives hold bodies both as they came and already decoded under the old headers (several crawlers write the
second), so a body that is not in the coding its header names is taken as it is. What starts in the coding and
breaks off, or grows past the cap, is a failure of that page.

Time is bounded like memory: the work grows with the bytes in and out and not with how they are cut up, and whoever
asked can stop it between two slices. On an event loop `decode_aside` does it in a thread.
"""

import asyncio
import re
import threading
import zlib
from collections.abc import Callable

import zstandard

from affidavit.egress.source import DEFLATE, GZIP, GZIP_MAGIC
from affidavit.errors import FailureKind, PageFailure

# The largest page worth reading: the whole HTML standard is 13 MB, long scanned PDFs reach 50 MB.
MAX_BODY = 64 * 1024 * 1024

# Deflate reaches 1032:1, so a slice unpacks to 8 MB at most.
_SLICE = 8 * 1024
_ZSTD_SLICE = 1024 * 1024
_ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
# The most members that an honest gzip has: bgzip cuts at 64 KiB, so a page of MAX_BODY has 1,024. An empty member is
# 20 bytes and costs a fresh decompressor, so 32 MB of them would take half a minute to say nothing.
MAX_MEMBERS = 4096
# Nobody packs a page more than twice; a gzip that unpacks to itself could be named thousands of times.
MAX_CODINGS = 4
_ZEROS = re.compile(rb"\0*")
PLAIN = ("", "identity", "none", "utf-8", "binary", "8bit")
"""Content codings that change nothing: the one of RFC 9110, and what servers write that took the field for another."""
_CODED = ("transfer-encoding", "content-encoding")


def _never() -> bool:
    return False


def decode(
    url: str,
    headers: tuple[tuple[str, str], ...],
    raw: bytes,
    cap: int = MAX_BODY,
    stopped: Callable[[], bool] = _never,
) -> bytes:
    """The body as the page's author wrote it. `headers` have lower-case names. Raises PageFailure.

    BROKEN for a coding that breaks off or comes in more than MAX_MEMBERS pieces, BAD_TYPE for one that is not known and
    for more than MAX_CODINGS of them, TOO_LARGE past `cap` bytes, TIMEOUT once `stopped` says so: it is asked before
    each slice.
    """
    body = raw
    if any("chunked" in coding for coding in _codings(headers, "transfer-encoding")):
        body = _unchunk(body)
    codings = [coding for coding in _codings(headers, "content-encoding") if coding not in PLAIN]
    if len(codings) > MAX_CODINGS:
        raise PageFailure(
            FailureKind.BAD_TYPE, url, f"packed {len(codings)} times over; at most {MAX_CODINGS} codings are undone"
        )
    for coding in reversed(codings):
        body = _undo(url, coding, body, cap, stopped)
    if len(body) > cap:
        raise _too_large(url, cap)
    return body


async def decode_aside(url: str, headers: tuple[tuple[str, str], ...], raw: bytes, cap: int = MAX_BODY) -> bytes:
    """`decode` for an event loop: what is coded is undone in a thread, which stops soon after this is cancelled.

    Without the stop a deadline would end the wait and leave the thread at work on the bomb.
    """
    if not any(coding not in PLAIN for name in _CODED for coding in _codings(headers, name)):
        return decode(url, headers, raw, cap)
    stop = threading.Event()
    try:
        return await asyncio.to_thread(decode, url, headers, raw, cap, stop.is_set)
    finally:
        stop.set()


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


def _undo(url: str, coding: str, body: bytes, cap: int, stopped: Callable[[], bool]) -> bytes:
    if not body:
        return body
    if coding in ("gzip", "x-gzip"):
        return _inflate(url, body, GZIP, cap, stopped) if body.startswith(GZIP_MAGIC) else body
    if coding == "deflate":
        return _deflate(url, body, cap, stopped)
    if coding == "zstd":
        return _unzstd(url, body, cap, stopped) if body.startswith(_ZSTD_MAGIC) else body
    raise PageFailure(
        FailureKind.BAD_TYPE,
        url,
        f"stored with content-encoding {coding!r}, which is not read: gzip, deflate, zstd are",
    )


def _deflate(url: str, body: bytes, cap: int, stopped: Callable[[], bool]) -> bytes:
    """The zlib wrapper of RFC 9110, or the bare deflate that some servers send; neither means not compressed."""
    for wbits in (zlib.MAX_WBITS, DEFLATE):
        try:
            zlib.decompressobj(wbits).decompress(body[:64], 1)
        except zlib.error:
            continue
        return _inflate(url, body, wbits, cap, stopped)
    return body


def _inflate(url: str, body: bytes, wbits: int, cap: int, stopped: Callable[[], bool]) -> bytes:
    """Fed in slices, so that a bomb takes the memory of the cap and no more: one call doubles its buffer as it goes.

    `at` is where the next slice starts, across all members; what is left is never copied, or the time would grow with
    the square of their number.
    """
    parts: list[bytes] = []
    size = at = members = 0
    while at < len(body):
        members += 1
        if members > MAX_MEMBERS:
            raise PageFailure(FailureKind.BROKEN, url, f"its compressed body is in more than {MAX_MEMBERS} pieces")
        state = zlib.decompressobj(wbits)
        whole = len(parts)
        try:
            while not state.eof and at < len(body):
                if stopped():
                    raise _stopped(url)
                given = body[at : at + _SLICE]
                parts.append(state.decompress(given, cap + 1 - size))
                at += len(given) - len(state.unused_data)
                size += len(parts[-1])
                if size > cap:
                    raise _too_large(url, cap)
        except zlib.error as error:
            if members > 1:  # what follows a whole body and is no other is ignored, as browsers do
                return b"".join(parts[:whole])
            raise PageFailure(FailureKind.BROKEN, url, f"its compressed body is damaged ({error})") from None
        if not state.eof:
            raise PageFailure(FailureKind.BROKEN, url, "its compressed body is cut off")
        padding = _ZEROS.match(body, at)
        at = padding.end() if padding else at
    return b"".join(parts)


def _unzstd(url: str, body: bytes, cap: int, stopped: Callable[[], bool]) -> bytes:
    parts: list[bytes] = []
    left = cap + 1
    try:
        with zstandard.ZstdDecompressor(max_window_size=2**27).stream_reader(body, read_across_frames=True) as reader:
            while left and (part := reader.read(min(left, _ZSTD_SLICE))):
                if stopped():
                    raise _stopped(url)
                parts.append(part)
                left -= len(part)
    except zstandard.ZstdError as error:
        raise PageFailure(FailureKind.BROKEN, url, f"its compressed body is damaged ({error})") from None
    if not left:
        raise _too_large(url, cap)
    return b"".join(parts)


def _stopped(url: str) -> PageFailure:
    return PageFailure(FailureKind.TIMEOUT, url, "unpacking it took longer than it was given; fetch it again later")


def _too_large(url: str, cap: int) -> PageFailure:
    return PageFailure(FailureKind.TOO_LARGE, url, f"its body unpacks to more than {cap // 1024**2} MB")
