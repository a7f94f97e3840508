"""Connections over asyncio's own transports, as a network backend for `httpcore2`.

`httpcore2` brings one over anyio. For each request its pool asks every idle connection whether that is still open,
which there is a system call under several layers; here it is a look at what has come. Of the 0.51 ms of a core that a
page of 20 KB took, 20 at once on loopback, that and the layers were 0.14 (benchmarks/egress.py).

Who uses it decides where to: `transport.py` gives it addresses that were judged, and no names.
"""

import asyncio
import ssl
from collections import deque
from collections.abc import Iterable
from typing import Any

import httpcore2

HELD = 256 * 1024
"""Bytes that may wait to be read before the other end is made to wait: what one call of the system gives at most."""

SocketOption = tuple[int, int, int] | tuple[int, int, bytes | bytearray] | tuple[int, int, None, int]


class Around(httpcore2.AsyncNetworkStream):
    """A connection that is `stream` in all but TLS, which a subclass says."""

    def __init__(self, stream: httpcore2.AsyncNetworkStream) -> None:
        self._stream = stream

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return await self._stream.read(max_bytes, timeout)

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:
        await self._stream.write(buffer, timeout)

    async def aclose(self) -> None:
        await self._stream.aclose()

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


class Dialler(httpcore2.AsyncNetworkBackend):
    """Opens TCP connections to addresses. Belongs to no event loop until it is used."""

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[SocketOption] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(timeout):
                transport, line = await loop.create_connection(
                    _Line, host, port, local_addr=(local_address, 0) if local_address is not None else None
                )
        except TimeoutError as error:
            raise httpcore2.ConnectTimeout(str(error)) from error
        except OSError as error:
            raise httpcore2.ConnectError(str(error)) from error
        for option in socket_options or ():
            transport.get_extra_info("socket").setsockopt(*option)
        return _Stream(line)

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


class _Stream(httpcore2.AsyncNetworkStream):
    def __init__(self, line: "_Line") -> None:
        self._line = line

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        """What has come, at most `max_bytes`; nothing at the end."""
        if timeout is None:
            return await self._line.read(max_bytes)
        try:
            async with asyncio.timeout(timeout):
                return await self._line.read(max_bytes)
        except TimeoutError as error:
            raise httpcore2.ReadTimeout(str(error)) from error

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:
        if timeout is None:
            await self._line.write(buffer)
            return
        try:
            async with asyncio.timeout(timeout):
                await self._line.write(buffer)
        except TimeoutError as error:
            raise httpcore2.WriteTimeout(str(error)) from error

    async def aclose(self) -> None:
        self._line.close()

    async def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.AsyncNetworkStream:
        try:
            async with asyncio.timeout(timeout):
                await self._line.start_tls(ssl_context, server_hostname)
        except TimeoutError as error:
            self._line.close()
            raise httpcore2.ConnectTimeout(str(error)) from error
        except OSError as error:  # an SSLError is one
            self._line.close()
            raise httpcore2.ConnectError(str(error)) from error
        except BaseException:
            self._line.close()
            raise
        return self

    def get_extra_info(self, info: str) -> Any:
        match info:
            case "is_readable":
                return self._line.readable
            case "server_addr":
                return self._line.transport.get_extra_info("peername")
            case "client_addr":
                return self._line.transport.get_extra_info("sockname")
            case "socket" | "ssl_object":
                return self._line.transport.get_extra_info(info)
            case _:
                return None


class _Line(asyncio.Protocol):
    """What came over one connection and was not read yet; one reader and one writer at a time."""

    transport: asyncio.Transport

    def __init__(self) -> None:
        self._parts: deque[bytes] = deque()
        self._held = 0
        self._ended = self._lost = False
        self._error: Exception | None = None
        self._paused = False
        self._reader: asyncio.Future[None] | None = None
        self._full: asyncio.Future[None] | None = None

    @property
    def readable(self) -> bool:
        """Whether a read would not wait. Of a connection on which nothing is asked, that it cannot be used again: it
        has ended, or holds what nobody asked for."""
        return self._held > 0 or self._ended

    async def read(self, max_bytes: int) -> bytes:
        if not self.readable:
            self._reader = asyncio.get_running_loop().create_future()
            try:
                await self._reader
            finally:
                self._reader = None
        if not self._parts:
            if self._error is not None:
                raise httpcore2.ReadError(str(self._error)) from self._error
            return b""
        part = self._parts.popleft()
        if len(part) > max_bytes:
            self._parts.appendleft(part[max_bytes:])
            part = part[:max_bytes]
        self._held -= len(part)
        if self._paused and self._held <= HELD:
            self._paused = False
            self.transport.resume_reading()
        return part

    async def write(self, data: bytes) -> None:
        if self._ended or self.transport.is_closing():
            raise httpcore2.WriteError(str(self._error or "the connection is closed"))
        self.transport.write(data)
        if self._full is not None:
            await asyncio.shield(self._full)

    async def start_tls(self, context: ssl.SSLContext, name: str | None) -> None:
        """Raises OSError, also where something came already. In TLS the client speaks first, so that was put there by
        somebody on the way, who has no certificate: kept, it would be read as the answer of the host that has one."""
        loop = asyncio.get_running_loop()
        if self.readable:
            raise ConnectionAbortedError("it spoke before the connection was secure")
        begun = await loop.start_tls(self.transport, self, context, server_hostname=name)
        if begun is None:
            raise ConnectionAbortedError("the connection ended before it was secure")
        self.transport = begun

    def close(self) -> None:
        """At once: no goodbye is waited for, which the other end could hold back."""
        if not self._lost:  # `asyncio` fails at a transport that has ended after its other end did
            self.transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self._parts.append(data)
        self._held += len(data)
        if self._held > HELD and not self._paused:
            self._paused = True
            self.transport.pause_reading()
        self._wake()

    def eof_received(self) -> bool:
        self._ended = True
        self._wake()
        return False

    def connection_lost(self, exc: Exception | None) -> None:
        self._ended = self._lost = True
        self._error = exc
        self._wake()
        self.resume_writing()

    def pause_writing(self) -> None:
        self._full = asyncio.get_running_loop().create_future()

    def resume_writing(self) -> None:
        if self._full is not None and not self._full.done():
            self._full.set_result(None)
        self._full = None

    def _wake(self) -> None:
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)
