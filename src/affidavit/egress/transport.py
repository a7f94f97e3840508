"""The pinned connection: what was checked is what is connected to, for pages and for search APIs alike.

`PinnedTransport` is a transport for `httpx2` over `httpcore2`. Its network backend takes the host of a request to
`CheckedResolver` and connects to the address that comes back, so there is no way to a socket around the address
table. Host header, SNI and certificate check stay those of the name, since only the dialling is ours. Proxies of the
environment play no part (contract G6), HTTP/2 and connections to Unix sockets neither.

A host that is refused or not reached raises `HostFailure`; every other trouble the exception of `httpx2` for it.
"""

import ssl
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Collection, Iterable
from contextlib import aclosing, asynccontextmanager
from contextvars import ContextVar
from functools import cache
from typing import Any

import httpcore2
import httpx2

from affidavit.egress.dialler import Around, Dialler, SocketOption
from affidavit.egress.resolver import CheckedResolver, Resolver, SystemResolver
from affidavit.errors import FailureKind, HostFailure

# Time for one address of several before the next is tried; the last has the time that is left. A machine without
# IPv6 fails at once, so this only waits for addresses that swallow packets.
ADDRESS_SECONDS = 4.0
MAX_CONNECTIONS = 100
MAX_IDLE = 20
IDLE_SECONDS = 5.0  # servers close idle connections after 5 s (Apache, Node) to 75 s (nginx)

PINNED_ADDRESS = "pinned_address"
"""What `get_extra_info` of a connection's stream answers with the address that it was dialled to."""


class PinnedTransport(httpx2.AsyncBaseTransport):
    """Give it to `httpx2.AsyncClient(transport=…, trust_env=False)`; close it, or the client, when done.

    `allow_private` opens hosts as in `CheckedResolver`. `dialler` opens the connection to an address that was judged;
    a test gives one that leads public addresses to a server of its own. `checked` is who judges the addresses.
    """

    def __init__(
        self,
        resolver: Resolver | None = None,
        *,
        allow_private: Collection[str] = (),
        ssl_context: ssl.SSLContext | None = None,
        dialler: httpcore2.AsyncNetworkBackend | None = None,
        max_connections: int = MAX_CONNECTIONS,
    ) -> None:
        self.checked = CheckedResolver(resolver or SystemResolver(), allow_private=allow_private)
        self._pool = httpcore2.AsyncConnectionPool(
            ssl_context=ssl_context or _public_trust(),
            max_connections=max_connections,
            max_keepalive_connections=MAX_IDLE,
            keepalive_expiry=IDLE_SECONDS,
            network_backend=_PinnedBackend(self.checked, dialler or Dialler()),
        )

    @asynccontextmanager
    async def exchange(
        self, request: httpcore2.Request, on_dialled: Callable[[str], None]
    ) -> AsyncGenerator[httpcore2.Response]:
        """One request and its response, unread; closed on leaving, with the connection if not read to its end.

        `on_dialled` is told the address where a connection was made for it, before anything is sent. Nothing is added
        to the request: no header, no cookie, no redirect. Raises HostFailure, and what httpcore2 raises.
        """
        before = _on_dialled.set(on_dialled)
        try:
            response = await self._pool.handle_async_request(request)
        finally:
            _on_dialled.reset(before)
        try:
            yield response
        finally:
            await response.aclose()

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        url = request.url
        inner = httpcore2.Request(
            method=request.method,
            url=httpcore2.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path),
            headers=request.headers.raw,
            content=request.stream,
            extensions=request.extensions,
        )
        try:
            response = await self._pool.handle_async_request(inner)
        except _HTTPCORE_ERRORS as error:
            raise _as_httpx(error) from error
        return httpx2.Response(
            response.status, headers=response.headers, stream=_Body(response), extensions=response.extensions
        )

    async def aclose(self) -> None:
        await self._pool.aclose()


# Who wants to know of the connection that is made for a request: `httpcore2` makes it in that request's task. Its own
# way to tell is asked at a dozen other steps of each request, too.
_on_dialled: ContextVar[Callable[[str], None] | None] = ContextVar("on_dialled", default=None)


class _PinnedBackend(httpcore2.AsyncNetworkBackend):
    """Where all connections begin: host to judged addresses to socket, in one place."""

    def __init__(self, resolver: CheckedResolver, dialler: httpcore2.AsyncNetworkBackend) -> None:
        self._resolver = resolver
        self._dialler = dialler

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[SocketOption] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        addresses = await self._resolver.reachable(host)
        kind, detail = FailureKind.UNREACHABLE, ""
        for number, address in enumerate(addresses, start=1):
            limit = timeout
            if number < len(addresses):
                limit = ADDRESS_SECONDS if timeout is None else min(ADDRESS_SECONDS, timeout)
            try:
                stream = await self._dialler.connect_tcp(str(address), port, limit, local_address, socket_options)
            except httpcore2.ConnectTimeout:
                kind, detail = FailureKind.TIMEOUT, "it did not answer in time; try again later"
            except httpcore2.ConnectError as error:
                kind, detail = FailureKind.UNREACHABLE, f"no connection ({error}); try again later"
            else:
                if (told := _on_dialled.get()) is not None:
                    told(str(address))
                return _PinnedStream(stream, host, str(address))
        tried = ", ".join(map(str, addresses))
        raise HostFailure(kind, host, f"{detail} (tried {tried}, port {port})", address=str(addresses[-1]))

    async def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,  # noqa: ARG002
        socket_options: Iterable[SocketOption] | None = None,  # noqa: ARG002
    ) -> httpcore2.AsyncNetworkStream:
        raise HostFailure(FailureKind.BLOCKED_BY_POLICY, path, "no local sockets; only hosts of the web are reached")

    async def sleep(self, seconds: float) -> None:
        await self._dialler.sleep(seconds)


@cache
def _public_trust() -> ssl.SSLContext:
    """The authorities that everybody trusts. Read once a process, which takes as long as twenty pages."""
    return httpcore2.default_ssl_context()


class _PinnedStream(Around):
    """A connection that knows the address it was dialled to."""

    def __init__(self, stream: httpcore2.AsyncNetworkStream, host: str, address: str) -> None:
        super().__init__(stream)
        self._host = host
        self._address = address

    async def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.AsyncNetworkStream:
        try:
            stream = await self._stream.start_tls(ssl_context, server_hostname, timeout)
        except (httpcore2.ConnectError, ssl.SSLError) as error:
            raise self._tls_failure(error) from error
        return _PinnedStream(stream, self._host, self._address)

    def get_extra_info(self, info: str) -> Any:
        return self._address if info == PINNED_ADDRESS else self._stream.get_extra_info(info)

    def _tls_failure(self, error: Exception) -> HostFailure:
        cause = error if isinstance(error, ssl.SSLError) else error.__cause__
        if isinstance(cause, ssl.SSLCertVerificationError):
            said = f"its certificate is not valid for it ({cause.verify_message}); do not trust the page, tell the site"
        else:
            said = f"no secure connection ({cause or error}); try again later or use another source"
        return HostFailure(FailureKind.TLS, self._host, said, address=self._address)


class _Body(httpx2.AsyncByteStream):
    """The body of a response, its errors those of httpx2."""

    def __init__(self, response: httpcore2.Response) -> None:
        self._response = response

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async with aclosing(self._response.aiter_stream()) as parts:
            try:
                async for part in parts:
                    yield part
            except _HTTPCORE_ERRORS as error:
                raise _as_httpx(error) from error

    async def aclose(self) -> None:
        await self._response.aclose()


_HTTPCORE_ERRORS = (
    httpcore2.TimeoutException,
    httpcore2.NetworkError,
    httpcore2.ProtocolError,
    httpcore2.ProxyError,
    httpcore2.UnsupportedProtocol,
)


def _as_httpx(error: Exception) -> httpx2.HTTPError:
    """The exception of the same name: the two libraries keep one set of names, apart."""
    named: type[httpx2.HTTPError] = getattr(httpx2, type(error).__name__)
    return named(str(error))
