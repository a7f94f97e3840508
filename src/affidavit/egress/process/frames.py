"""Frames: twelve bytes that say how much follows, one JSON object, and bytes.

Nothing that is read is ever executed or unpickled, and nothing is read before its length is known to be allowed. A
peer that sends anything else, or sends it too slowly, or does not take what it is sent, loses its connection.
"""

import asyncio
import json
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self, cast

from affidavit.egress.process.line import Line
from affidavit.errors import AffidavitError

MAGIC = b"AFG1"
HEAD = struct.Struct("!4sII")
"""Magic, length of the JSON, length of the bytes after it. HTTP and TLS begin otherwise and are refused at once."""

FRAME_SECONDS = 30.0
"""For the rest of a frame once it has begun to come, and for a peer to take one."""
SEND_SECONDS = 120.0
PIECE = 256 * 1024
"""Bytes handed to the socket at once. What it does not take, `asyncio` copies and holds, so this bounds the copy. Swept
{128, 192, 256, 512 KiB, 4 MiB} on pages of 1 MB with benchmarks/gateway_process.py, three times each: 1.0 to 1.3 ms of
a core a page in the gateway's process with all of them."""

JOINED = 64 * 1024
"""The most bytes that go out in one piece with what is said of them: a copy that costs less than a call of the system,
and than waking the other end twice."""


class BadFrame(AffidavitError):
    """The peer does not speak as it should. It loses its connection; nobody else notices."""


@dataclass(frozen=True, slots=True)
class Frame:
    """`blob` is the receiver's own: nothing else writes to it."""

    said: Mapping[str, object]
    blob: bytes | memoryview = b""


@dataclass(frozen=True, slots=True)
class Caps:
    """The most that is taken in one frame, in bytes."""

    json: int
    blob: int


FROM_STRANGER = Caps(4 * 1024, 0)
FROM_RUN = Caps(1024 * 1024, 0)
"""Addresses, questions and one policy."""
FROM_GATEWAY = Caps(64 * 1024 * 1024, 256 * 1024 * 1024)
"""The largest page twice (as sent, and unpacked), with all that redirected to it. A run trusts its gateway, and this
only keeps a mistake from filling the memory."""


class Pipe:
    """One connection, from either end. `caps` may be changed as a peer becomes known."""

    def __init__(self, line: Line, caps: Caps) -> None:
        self.caps = caps
        self._line = line
        self._turn = asyncio.Lock()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.close()

    async def receive(self, seconds: float | None = None) -> Frame | None:
        """The next frame, or None where the peer has gone. Waits for it for `seconds`, or for ever.

        Raises BadFrame; TimeoutError if none begins.
        """
        async with asyncio.timeout(seconds):
            if not await self._line.begun():
                return None
        try:
            async with asyncio.timeout(FRAME_SECONDS):
                said, blob = self._lengths(bytes(await self._line.take(HEAD.size)))
                whole = await self._line.take(said + blob)
        except TimeoutError:
            raise BadFrame(f"a frame did not come whole within {FRAME_SECONDS:g} s") from None
        except EOFError:
            raise BadFrame("the connection ended inside a frame") from None
        return Frame(_object(bytes(whole[:said])), whole[said:])

    async def send(self, said: Mapping[str, object], blobs: Sequence[bytes] = ()) -> None:
        """Send one frame, after those that are being sent. Raises ConnectionError; BadFrame where nobody takes it."""
        size = sum(map(len, blobs))
        head = _written(said, size)
        if size <= JOINED:
            head, blobs = b"".join((head, *blobs)), ()
        async with self._turn:
            try:
                async with asyncio.timeout(SEND_SECONDS):
                    self._line.write(head)
                    for blob in blobs:
                        whole = memoryview(blob)
                        for start in range(0, len(blob), PIECE):
                            self._line.write(whole[start : start + PIECE])
                            await self._line.drain()
                    await self._line.drain()
            except TimeoutError:
                self.close()
                raise BadFrame(f"the peer did not take a frame within {SEND_SECONDS:g} s") from None

    def post(self, said: Mapping[str, object]) -> None:
        """Send one frame without waiting for it to be taken.

        For an end that never sends bytes after its JSON: each of its frames is one write, so this one falls between
        two others, and comes before whatever is sent next.
        """
        if not self._line.transport.is_closing():
            self._line.write(_written(said, 0))

    def close(self) -> None:
        """End the connection at once, whatever is still to be sent."""
        self._line.abort()

    async def finish(self, seconds: float) -> None:
        """End the connection after what is still to be sent, if that takes no longer than `seconds`."""
        try:
            async with asyncio.timeout(seconds):
                await self._line.finish()
        except TimeoutError:
            self.close()

    def _lengths(self, head: bytes) -> tuple[int, int]:
        magic, said, blob = cast("tuple[bytes, int, int]", HEAD.unpack(head))
        if magic != MAGIC:
            raise BadFrame(f"what came is no frame: it begins with {head[:4]!r}")
        if said > self.caps.json or blob > self.caps.blob:
            raise BadFrame(
                f"a frame of {said:,} + {blob:,} bytes; at most {self.caps.json:,} + {self.caps.blob:,} are taken"
            )
        return said, blob


def _written(said: Mapping[str, object], blob: int) -> bytes:
    text = json.dumps(said, ensure_ascii=True, separators=(",", ":")).encode("ascii")
    return HEAD.pack(MAGIC, len(text), blob) + text


def _object(text: bytes) -> Mapping[str, object]:
    try:
        said: object = json.loads(text)
    except (ValueError, RecursionError):
        raise BadFrame("a frame holds no JSON") from None
    if not isinstance(said, dict):
        raise BadFrame("a frame holds JSON that is no object")
    return cast("dict[str, object]", said)
