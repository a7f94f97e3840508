"""A web server that does what no honest one does, on loopback, and the way to it.

Names resolve to public addresses as `Answers` says, and `Detour` leads the connection that was made to such an
address to the server here. So tests run with the whole policy in force and over real sockets, and nothing in the
product has to be loosened for them.
"""

import asyncio
import ssl
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import httpcore2
import trustme

from affidavit.egress.dialler import Dialler
from affidavit.errors import FailureKind, HostFailure

PUBLIC = "93.184.215.14"


@dataclass(frozen=True)
class Asked:
    """One request as it came in."""

    method: str
    path: str
    headers: dict[str, str]
    secure: bool

    @property
    def host(self) -> str:
        return self.headers.get("host", "")

    @property
    def url(self) -> str:
        return f"{'https' if self.secure else 'http'}://{self.host}{self.path}"


Handler = Callable[[Asked, asyncio.StreamWriter], Awaitable[None]]


def reply(
    body: bytes = b"<title>t</title><p>Some words.", *headers: str, status: str = "200 OK", content_type="text/html"
) -> bytes:
    """An ordinary response. `headers` are whole lines."""
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *headers]
    if content_type:
        lines.append(f"Content-Type: {content_type}")
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def redirect(location: str, status: str = "302 Found", *headers: str) -> bytes:
    return reply(b"", f"Location: {location}", *headers, status=status)


@dataclass
class HostileServer:
    """Answers by URL, or by path for every host. ``/robots.txt`` is missing unless given. Use as a context manager.

    `names` are what its certificate is valid for.
    """

    pages: dict[str, bytes | Handler | list[bytes]] = field(default_factory=dict)
    names: tuple[str, ...] = ("*.example.com", "example.com", "*.example.net", "example.net", "*.example.org")
    asked: list[Asked] = field(default_factory=list)
    at_once: int = 0
    most_at_once: int = 0

    async def __aenter__(self) -> "HostileServer":
        authority = trustme.CA()
        server_side = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        authority.issue_cert(*self.names).configure_cert(server_side)
        self.trust = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        authority.configure_trust(self.trust)
        self._open: set[asyncio.Task[None]] = set()
        self._plain = await asyncio.start_server(lambda r, w: self._serve(r, w, False), "127.0.0.1", 0)
        self._secure = await asyncio.start_server(lambda r, w: self._serve(r, w, True), "127.0.0.1", 0, ssl=server_side)
        return self

    async def __aexit__(self, *_: object) -> None:
        for server in (self._plain, self._secure):
            server.close()
        for task in list(self._open):
            task.cancel()
        await asyncio.gather(*self._open, return_exceptions=True)

    @property
    def detour(self) -> "Detour":
        return Detour({80: _port(self._plain), 443: _port(self._secure)})

    @property
    def urls(self) -> list[str]:
        """What was asked for, without robots.txt."""
        return [asked.url for asked in self.asked if asked.path != "/robots.txt"]

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, secure: bool) -> None:
        task = asyncio.current_task()
        self._open.add(task)
        try:
            while (asked := await _request(reader, secure)) is not None:
                self.asked.append(asked)
                self.at_once += 1
                self.most_at_once = max(self.most_at_once, self.at_once)
                try:
                    await self._answer(asked, writer)
                finally:
                    self.at_once -= 1
                await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError, ssl.SSLError):
            pass
        finally:
            self._open.discard(task)
            writer.close()

    async def _answer(self, asked: Asked, writer: asyncio.StreamWriter) -> None:
        page = self.pages.get(asked.url, self.pages.get(asked.path))
        if page is None:
            page = reply(b"gone", status="404 Not Found")
        if isinstance(page, list):
            page = page.pop(0) if len(page) > 1 else page[0]
        if isinstance(page, bytes):
            writer.write(page)
        else:
            await page(asked, writer)


@dataclass
class Detour(httpcore2.AsyncNetworkBackend):
    """Dials the server here, whatever address it is told, and remembers what it was told."""

    ports: dict[int, int]
    dialled: list[str] = field(default_factory=list)

    async def connect_tcp(self, host, port, timeout=None, local_address=None, socket_options=None):
        self.dialled.append(host)
        return await Dialler().connect_tcp("127.0.0.1", self.ports[port], timeout, local_address, socket_options)


@dataclass
class Answers:
    """A resolver that answers what it is told: by name, one list of addresses, or one list for each look-up in turn.

    Without an entry a name has the public address of every test.
    """

    by_name: dict[str, list[str] | list[list[str]] | None] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    async def addresses(self, host: str) -> tuple[str, ...]:
        name = host.removesuffix(".")
        self.asked.append(name)
        answer = self.by_name.get(name, [PUBLIC])
        if answer is None:
            raise HostFailure(FailureKind.DNS, name, "no such name")
        if answer and isinstance(answer[0], list):
            answer = answer.pop(0) if len(answer) > 1 else answer[0]
        return tuple(answer)


async def _request(reader: asyncio.StreamReader, secure: bool) -> Asked | None:
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        line = await reader.readline()
        if not line:
            return None
        head += line
    first, *lines = head.decode("latin-1").strip().split("\r\n")
    method, path, _ = first.split(" ")
    headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    return Asked(method, path, headers, secure)


def _port(server: asyncio.Server) -> int:
    return server.sockets[0].getsockname()[1]
