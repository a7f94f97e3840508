"""A web on loopback that says what it is told to, and the way to it from the product's own transport.

Names resolve as a table says; whatever address a connection was judged for, it leads here. So the whole policy is in
force over real sockets, nothing in the product is loosened, and what was asked for is known. What is not real is TLS:
an https address is asked for in the clear, for no certificate of example.org could be valid.
"""

import asyncio
import gzip
import ssl
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import httpcore2
from pydantic import BaseModel, ConfigDict

from affidavit.egress.dialler import Around, Dialler, SocketOption
from affidavit.errors import FailureKind, HostFailure

PUBLIC = "93.184.216.34"
"""The address of every name that a table does not list."""
ROBOTS = "/robots.txt"
_PAGE = b"<title>A page</title><p>Some words of a page that nobody should have asked for.</p>"


class Reply(BaseModel):
    """A response. The body is `body`, `times` over, packed if `gzip` says so, and of that the first `sent` bytes.
    `length` is what its header claims. With `drip` it comes a byte at a time, so many seconds apart. One that says
    ``Connection: close`` is the last."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    media: str = "text/html"
    body: str = "<title>A page</title><p>Some words.</p>"
    times: int = 1
    gzip: bool = False
    sent: int | None = None
    length: int | None = None
    drip: float = 0.0

    def parts(self) -> tuple[bytes, bytes]:
        """Head and body, as they are sent."""
        body = self.body.encode() * self.times
        lines = [f"HTTP/1.1 {self.status} Said", *(f"{name}: {value}" for name, value in self.headers)]
        if self.gzip:
            body = gzip.compress(body)
            lines.append("Content-Encoding: gzip")
        if self.media:
            lines.append(f"Content-Type: {self.media}")
        body = body[: self.sent]
        lines.append(f"Content-Length: {len(body) if self.length is None else self.length}")
        return "\r\n".join(lines).encode() + b"\r\n\r\n", body


@dataclass(frozen=True, slots=True)
class Asked:
    """A request as it came. `place` is its host, with the port where it has one, and its path."""

    method: str
    place: str
    headers: Mapping[str, str]


@dataclass(slots=True)
class Loopback:
    """Answers by `place`, then by path; anything else is a page, so that a request that slips through is fetched, but
    for a robots.txt, which is missing. Use as a context manager."""

    replies: Mapping[str, Reply] = field(default_factory=dict[str, Reply])
    asked: list[Asked] = field(default_factory=list[Asked])
    port: int = 0
    _server: asyncio.Server | None = None
    _open: dict[asyncio.StreamWriter, asyncio.Task[None] | None] = field(
        default_factory=dict[asyncio.StreamWriter, asyncio.Task[None] | None]
    )

    async def __aenter__(self) -> "Loopback":
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        serving = [task for task in self._open.values() if task is not None]
        self._hang_up()
        await asyncio.gather(*serving)

    def play(self, replies: Mapping[str, Reply]) -> None:
        """From here on answer so, with nothing asked yet."""
        self._hang_up()
        self.replies, self.asked = replies, []

    def _hang_up(self) -> None:
        for writer in self._open:
            writer.transport.abort()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._open[writer] = asyncio.current_task()
        try:
            more = True
            while more:
                asked = _read((await reader.readuntil(b"\r\n\r\n")).decode("latin-1"))
                await reader.readexactly(int(asked.headers.get("content-length", 0)))
                self.asked.append(asked)
                more = await self._answer(asked, writer)
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            return
        finally:
            del self._open[writer]
            writer.close()

    async def _answer(self, asked: Asked, writer: asyncio.StreamWriter) -> bool:
        """Whether the connection stays open."""
        path = asked.place[asked.place.index("/") :]
        missing = Reply(status=404, body="gone") if path == ROBOTS else Reply(body=_PAGE.decode())
        reply = self.replies.get(asked.place) or self.replies.get(path) or missing
        head, body = reply.parts()
        writer.write(head)
        if not reply.drip:
            writer.write(body)
        for byte in body if reply.drip else b"":
            await asyncio.sleep(reply.drip)
            writer.write(bytes([byte]))
            await writer.drain()
        await writer.drain()
        return ("Connection", "close") not in reply.headers


def _read(head: str) -> Asked:
    first, *lines = head.rstrip("\r\n").split("\r\n")
    method, path, _ = first.split(" ", 2)
    headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    return Asked(method, headers.get("host", "") + path, headers)


@dataclass(slots=True)
class Names:
    """A resolver: by name its addresses, or one list of them for each look-up in turn; None for no such name."""

    known: Mapping[str, Sequence[str] | Sequence[Sequence[str]] | None]
    looked_up: list[str] = field(default_factory=list[str])

    async def addresses(self, host: str) -> tuple[str, ...]:
        name = host.removesuffix(".")
        self.looked_up.append(name)
        found = self.known.get(name, (PUBLIC,))
        if found is None:
            raise HostFailure(FailureKind.DNS, name, "no such name")
        if found and not isinstance(found[0], str):
            return tuple(map(str, found[min(self.looked_up.count(name), len(found)) - 1]))
        return tuple(map(str, found))


@dataclass(slots=True)
class Detour(httpcore2.AsyncNetworkBackend):
    """Dials `port` here whatever address it is given, and remembers what it was given."""

    port: int
    dialled: list[str] = field(default_factory=list[str])

    async def connect_tcp(
        self,
        host: str,
        port: int,  # noqa: ARG002 - all ports are one here
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[SocketOption] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        self.dialled.append(host)
        stream = await Dialler().connect_tcp("127.0.0.1", self.port, timeout, local_address, socket_options)
        return _Clear(stream)

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


class _Clear(Around):
    """A connection that stays in the clear."""

    async def start_tls(
        self,
        ssl_context: ssl.SSLContext,  # noqa: ARG002
        server_hostname: str | None = None,  # noqa: ARG002
        timeout: float | None = None,  # noqa: ARG002
    ) -> httpcore2.AsyncNetworkStream:
        return self
