"""The records of one WARC: framed here, strictly; parsed by warcio.

warcio forgives: a file that ends early ends its iteration, and a wrong length is a line on stderr. An archive
that is evidence must say so instead, so the frame of every record (version line, header, length, the blank lines
after it) is read here, and a break in it is `Damaged` with its place. What stands inside a frame, with all the
liberties of real servers, is warcio's to read.
"""

import base64
import binascii
import hashlib
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from affidavit.egress.source import Damaged, Source

if TYPE_CHECKING:
    from warcio.recordloader import ArcWarcRecord

_LINE = 64 * 1024
_HEAD_LINES = 1000
# No file is longer than 18 digits say, and `int` raises past 4,300 of them.
_LENGTH = re.compile(rb"[0-9]{1,18}")
# Enough of a block for its HTTP header; a header past this is not read (browsers stop at 256 KiB over all).
_BLOCK_HEAD = 256 * 1024


@dataclass(frozen=True, slots=True)
class Frame:
    """One record: where it starts, its size with its header, and its bytes as far as an HTTP header can reach."""

    offset: int
    size: int
    head: bytes


def frames(source: Source, reader: io.BufferedReader) -> Iterator[Frame]:
    """Every record from the start of `reader` to its end. Raises Damaged where the file stops being a WARC."""
    offset = 0
    while True:
        blank, line = _first_line(reader)
        offset += blank
        if not line:
            return
        if not line.startswith(b"WARC/"):
            raise Damaged("a record should start here and does not", source.place(offset))
        header, length = _header(source, reader, line, offset)
        head = reader.read(min(length, _BLOCK_HEAD))
        if len(head) < min(length, _BLOCK_HEAD) or not _pass_over(reader, length - len(head)):
            raise Damaged("the last record is cut off", source.place(offset))
        size = len(header) + length
        yield Frame(offset, size, header + head)
        offset += size


def _first_line(reader: io.BufferedReader) -> tuple[int, bytes]:
    """The bytes of blank lines passed over, and the line after them (empty at the end)."""
    blank = 0
    while True:
        line = reader.readline(_LINE)
        if line not in (b"\r\n", b"\n"):
            return blank, line
        blank += len(line)


def _header(source: Source, reader: io.BufferedReader, first: bytes, offset: int) -> tuple[bytes, int]:
    lines = [first]
    length: int | None = None
    for _ in range(_HEAD_LINES):
        line = reader.readline(_LINE)
        if not line:
            raise Damaged("the last record is cut off", source.place(offset))
        lines.append(line)
        if line in (b"\r\n", b"\n"):
            break
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length" and _LENGTH.fullmatch(value.strip()):
            length = int(value)
    else:
        raise Damaged("a record's header has no end", source.place(offset))
    if length is None:
        raise Damaged("a record has no length", source.place(offset))
    return b"".join(lines), length


def _pass_over(reader: io.BufferedReader, count: int) -> bool:
    while count > 0:
        data = reader.read(min(count, _LINE))
        if not data:
            return False
        count -= len(data)
    return True


def parse(record: bytes) -> "ArcWarcRecord":
    """The record whose bytes start `record`. Raises ValueError, with what is wrong, for one that warcio cannot read."""
    # late: reading archives is the one use of warcio, and `--version` has none.
    from warcio.exceptions import ArchiveLoadFailed
    from warcio.recordloader import ArcWarcRecordLoader
    from warcio.statusandheaders import StatusAndHeadersParserException

    try:
        return ArcWarcRecordLoader(verify_http=True, arc2warc=False).parse_record_stream(
            io.BytesIO(record), known_format="warc"
        )
    except (ArchiveLoadFailed, StatusAndHeadersParserException, EOFError, AttributeError) as error:
        raise ValueError(f"not a record that can be read ({error})") from error


def digest_agrees(named: str, content: bytes) -> bool | None:
    """Whether `content` has the digest that a WARC header names (``sha1:BASE32``); None if that cannot be told."""
    algorithm, _, value = named.partition(":")
    algorithm = algorithm.strip().lower().replace("-", "")
    if algorithm not in ("md5", "sha1", "sha256", "sha512"):
        return None
    found = hashlib.new(algorithm, content, usedforsecurity=False).digest()
    value = value.strip()
    if len(value) == 2 * len(found):
        return value.lower() == found.hex()
    try:
        return base64.b32decode(value.upper()) == found
    except binascii.Error:
        return None
