"""One connection as a reader of frames wants it: so many bytes at a time, each copied once.

`asyncio`'s streams copy a page of a megabyte three times on its way in, and wake their reader for each part. Here what
is waited for is received straight into its place, and the reader is woken when it is whole.
"""

import asyncio
from collections.abc import Callable
from typing import Any

SCRATCH = 64 * 1024
"""Bytes taken before anybody asked for them: small frames come whole, with one call of the system each."""


class Line(asyncio.BufferedProtocol):
    """Bytes in and out. Of each one task at a time takes and sends. `on_open` is told of a connection that came in.

    Nothing past `SCRATCH` is taken from the other end but what `take` waits for: then it is made to wait.
    """

    transport: asyncio.Transport

    def __init__(self, on_open: "Callable[[Line], None] | None" = None) -> None:
        self._on_open = on_open
        self._scratch = bytearray(SCRATCH)
        self._view = memoryview(self._scratch)
        self._start = self._end = 0
        self._wanted: memoryview | None = None
        self._whole = True
        self._paused = False
        self._ended = False
        self._taker: asyncio.Future[None] | None = None
        self._sender: asyncio.Future[None] | None = None
        self._full = False
        self._lost = asyncio.Event()

    async def begun(self) -> bool:
        """Whether more came, and not the end; waits until one of both is so."""
        while self._start == self._end and not self._ended:
            await self._more()
        return self._start < self._end

    async def take(self, count: int) -> memoryview:
        """The next `count` bytes, for the taker to keep. Raises EOFError where the connection ends before them."""
        here = min(count, self._end - self._start)
        found = memoryview(bytearray(count))
        found[:here] = self._view[self._start : self._start + here]
        self._start += here
        if self._start == self._end:
            self._start = self._end = 0
        if here < count:
            await self._rest(found[here:])
        self._resume()
        return found

    def write(self, data: bytes | memoryview) -> None:
        """Send `data` as soon as that can be. Raises ConnectionError."""
        if self.transport.is_closing():
            raise ConnectionResetError("the connection is closed")
        self.transport.write(data)

    async def drain(self) -> None:
        """Wait until the other end has taken enough of what was written. Raises ConnectionError."""
        while self._full and not self.transport.is_closing():
            self._sender = asyncio.get_running_loop().create_future()
            await self._sender
        if self.transport.is_closing():
            raise ConnectionResetError("the connection was lost")

    async def finish(self) -> None:
        """Close the connection, and wait until nothing is left to be sent."""
        self.transport.close()
        await self._lost.wait()

    def abort(self) -> None:
        """End the connection at once, whatever is left to be sent."""
        if not self._lost.is_set():  # `asyncio` fails at a transport that has ended after a `close`
            self.transport.abort()

    async def _rest(self, wanted: memoryview) -> None:
        self._wanted, self._whole = wanted, False
        self._resume()
        try:
            while not self._whole:
                if self._ended:
                    raise EOFError
                await self._more()
        finally:
            self._wanted = None

    def _resume(self) -> None:
        if self._paused and self._end - self._start < SCRATCH:
            self._paused = False
            self.transport.resume_reading()

    async def _more(self) -> None:
        self._taker = asyncio.get_running_loop().create_future()
        try:
            await self._taker
        finally:
            self._taker = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        if self._on_open is not None:
            self._on_open(self)

    def get_buffer(self, sizehint: int) -> Any:  # noqa: ARG002 - what there is place for
        if self._wanted is not None:
            return self._wanted
        if self._end == SCRATCH:
            held = self._end - self._start
            self._view[:held] = self._scratch[self._start :]
            self._start, self._end = 0, held
        return self._view[self._end :]

    def buffer_updated(self, nbytes: int) -> None:
        if self._wanted is not None:
            self._whole = nbytes == len(self._wanted)
            self._wanted = None if self._whole else self._wanted[nbytes:]
            if self._whole:
                self._wake()
            return
        self._end += nbytes
        if self._end - self._start == SCRATCH:
            self._paused = True
            self.transport.pause_reading()
        self._wake()

    def eof_received(self) -> bool:
        self._ended = True
        self._wake()
        return True  # what was asked before is still answered

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - an end like another
        self._ended = True
        self._lost.set()
        self._wake()
        self.resume_writing()

    def pause_writing(self) -> None:
        self._full = True

    def resume_writing(self) -> None:
        self._full = False
        if self._sender is not None and not self._sender.done():
            self._sender.set_result(None)

    def _wake(self) -> None:
        if self._taker is not None and not self._taker.done():
            self._taker.set_result(None)
