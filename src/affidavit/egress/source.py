"""The bytes of an archive, readable from any place without unpacking what stands before it.

A `Source` is a run of bytes: a `FileRange` of a file, or what another source unpacks to (`Unpacked`). Deflate has
no way in but its start, so the first pass over an `Unpacked` leaves checkpoints: the start of each gzip member
and, inside long ones, the state of the decompressor. A later read begins at the nearest. So an archive compressed
record by record and one compressed in one piece are read alike, and a stored or a compressed zip member too.

Damage is reported with its place, never read over: a decompressor that stops early and says nothing turns half an
archive into all of it.
"""

import io
import zlib
from bisect import bisect_right
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

GZIP_MAGIC = b"\x1f\x8b"
GZIP = 16 + zlib.MAX_WBITS
DEFLATE = -zlib.MAX_WBITS

_CHUNK = 64 * 1024
_CHECKPOINT_EVERY = 4 * 1024 * 1024
# Deflate reaches 1032:1 at most; crawls of text reach 5:1 to 20:1. Beyond both bounds a file unpacks as no crawl does.
_BOMB_RATIO = 200
_BOMB_BYTES = 1024**3


class Damaged(Exception):
    """A source cannot be read on. `offset` is the place in the file (or zip member) that a person can look at."""

    def __init__(self, what: str, offset: int) -> None:
        super().__init__(f"{what} at byte {offset:,}")
        self.what = what
        self.offset = offset


class Inflater(Protocol):
    """What ``zlib.decompressobj`` gives."""

    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    @property
    def unconsumed_tail(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int = ..., /) -> bytes: ...
    def copy(self) -> "Inflater": ...


class Source(Protocol):
    """A run of bytes."""

    def open_at(self, offset: int) -> io.BufferedReader:
        """A reader from `offset` to the end, for the caller to close. Raises OSError; its reads raise Damaged."""
        ...

    def place(self, offset: int) -> int:
        """Where in the file the bytes at `offset` stand; inside a compressed run, where the run starts."""
        ...


@dataclass(frozen=True, slots=True)
class FileRange:
    """``[start, start + size)`` of a file. The file is opened for each read, so nothing is left to close."""

    path: Path
    start: int
    size: int

    @classmethod
    def whole(cls, path: Path) -> "FileRange":
        return cls(path, 0, path.stat().st_size)

    def open_at(self, offset: int) -> io.BufferedReader:
        return io.BufferedReader(_RangeReader(self, offset), _CHUNK)

    def place(self, offset: int) -> int:
        return offset


class _RangeReader(io.RawIOBase):
    def __init__(self, span: FileRange, offset: int) -> None:
        super().__init__()
        self._file = span.path.open("rb", buffering=0)
        self._file.seek(span.start + offset)
        self._left = max(0, span.size - offset)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer", /) -> int:
        view = memoryview(buffer)[: self._left]
        count = self._file.readinto(view) or 0
        self._left -= count
        return count

    def close(self) -> None:
        self._file.close()
        super().close()


@dataclass(frozen=True, slots=True)
class _Checkpoint:
    """At unpacked offset `at`, packed offset `packed`. `state` is None at the start of a member."""

    at: int
    packed: int
    state: "Inflater | None"
    member: int


class Unpacked:
    """What `source` unpacks to. `wbits` says how it is packed: GZIP (any number of members) or DEFLATE (one run).

    The first read must go from the start to the end (`scan`): it checks every checksum and leaves the checkpoints.
    """

    def __init__(self, source: Source, wbits: int, packed_size: int) -> None:
        self._source = source
        self._wbits = wbits
        self.limit = max(_BOMB_BYTES, _BOMB_RATIO * packed_size)
        self._checkpoints = [_Checkpoint(0, 0, None, 0)]

    def scan(self) -> io.BufferedReader:
        """A reader of the whole that leaves checkpoints as it goes."""
        self._checkpoints = [_Checkpoint(0, 0, None, 0)]
        return io.BufferedReader(_Inflating(self, self._checkpoints[0], self._checkpoints), _CHUNK)

    def open_at(self, offset: int) -> io.BufferedReader:
        index = bisect_right(self._checkpoints, offset, key=lambda checkpoint: checkpoint.at) - 1
        checkpoint = self._checkpoints[index]
        reader: io.BufferedReader = io.BufferedReader(_Inflating(self, checkpoint, None), _CHUNK)
        try:
            _skip(reader, offset - checkpoint.at)
        except BaseException:
            reader.close()
            raise
        return reader

    def place(self, offset: int) -> int:
        index = bisect_right(self._checkpoints, offset, key=lambda checkpoint: checkpoint.at) - 1
        return self._source.place(self._checkpoints[index].member)

    def packed_at(self, offset: int) -> io.BufferedReader:
        return self._source.open_at(offset)

    def decompressor(self) -> "Inflater":
        return zlib.decompressobj(self._wbits)

    @property
    def has_members(self) -> bool:
        return self._wbits == GZIP

    def damaged(self, what: str, packed: int) -> Damaged:
        return Damaged(what, self._source.place(packed))


class _Inflating(io.RawIOBase):
    """Unpacks from one checkpoint on. With `trail`, checkpoints are appended to it."""

    def __init__(self, owner: Unpacked, start: _Checkpoint, trail: list[_Checkpoint] | None) -> None:
        super().__init__()
        self._owner = owner
        self._trail = trail
        self._packed = owner.packed_at(start.packed)
        self._consumed = start.packed
        self._member = start.member
        self._at = start.at
        self._state = owner.decompressor() if start.state is None else start.state.copy()
        self._pending = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer", /) -> int:
        view = memoryview(buffer)
        data = self._next(len(view))
        view[: len(data)] = data
        return len(data)

    def close(self) -> None:
        self._packed.close()
        super().close()

    def _next(self, size: int) -> bytes:
        while True:
            if self._state.eof and not self._next_member():
                return b""
            exhausted = not self._pending and not self._refill()
            data = self._inflate(size)
            if data:
                self._at += len(data)
                self._mark()
                return data
            if exhausted and not self._state.eof:
                raise self._owner.damaged("the compressed data is cut off", self._member)

    def _refill(self) -> bool:
        self._pending = self._packed.read(_CHUNK)
        return bool(self._pending)

    def _inflate(self, size: int) -> bytes:
        given = len(self._pending)
        try:
            data = self._state.decompress(self._pending, size)
        except zlib.error as error:
            raise self._owner.damaged(f"the compressed data is damaged ({error})", self._member) from None
        self._pending = self._state.unused_data if self._state.eof else self._state.unconsumed_tail
        self._consumed += given - len(self._pending)
        if self._at + len(data) > self._owner.limit:
            raise self._owner.damaged(f"unpacks to more than {self._owner.limit:,} bytes", self._member)
        return data

    def _next_member(self) -> bool:
        """Whether another member follows. Zero bytes after the last are padding (gzip(1) allows them)."""
        while self._pending or self._refill():
            padding = len(self._pending) - len(self._pending.lstrip(b"\0"))
            self._consumed += padding
            self._pending = self._pending[padding:]
            if self._pending:
                break
        else:
            return False
        if not self._owner.has_members:
            raise self._owner.damaged("unexpected bytes after the compressed data", self._consumed)
        self._state = self._owner.decompressor()
        self._member = self._consumed
        if self._trail is not None:
            self._trail.append(_Checkpoint(self._at, self._consumed, None, self._member))
        return True

    def _mark(self) -> None:
        if self._trail is None or self._state.eof or self._at - self._trail[-1].at < _CHECKPOINT_EVERY:
            return
        self._trail.append(_Checkpoint(self._at, self._consumed, self._state.copy(), self._member))


def _skip(reader: io.BufferedReader, count: int) -> None:
    while count > 0:
        data = reader.read(min(count, _CHUNK))
        if not data:
            return
        count -= len(data)
