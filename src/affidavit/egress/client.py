"""One GET over a pinned connection, read under limits: what comes back is a `Received`, or a typed failure.

Everything that is sent is written here. There is no cookie, no authorisation, no referrer, and no way to give one.
"""

from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import aclosing
from dataclasses import dataclass, replace
from datetime import UTC, datetime

import httpcore2

from affidavit.egress import body
from affidavit.egress.received import REDIRECTS, Limits, Received
from affidavit.egress.target import PORTS, Target
from affidavit.egress.transport import PINNED_ADDRESS, PinnedTransport
from affidavit.errors import FailureKind, PageFailure
from affidavit.version import __version__

PRODUCT = "Affidavit"
"""The product token: what a robots.txt calls us by (RFC 9309, 2.2.1)."""

_ACCEPT = "text/html,application/xhtml+xml,application/pdf;q=0.9,text/plain;q=0.8,*/*;q=0.5"
_CODINGS = frozenset({*body.PLAIN, "gzip", "x-gzip"})
# Headers about the connection (RFC 9110, 7.6.1), and what would let a site know us again.
_DROPPED = frozenset(
    {"connection", "keep-alive", "proxy-connection", "set-cookie", "set-cookie2", "te", "trailer", "transfer-encoding"}
    | {"upgrade"}
)
# So much of a body that nobody looks at (a redirect's, an error's that is no page) is read, to keep the connection.
_UNREAD_BODY = 16 * 1024


def user_agent(contact: str | None) -> str:
    """What sites see. `contact` is a mail address or a page by which they can reach whoever runs this."""
    said = " ".join(contact.split()) if contact else "no contact given"
    return f"{PRODUCT}/{__version__} (+{said.encode('ascii', 'replace').decode()})"


@dataclass(slots=True)
class Attempt:
    """What became of one request as far as it came: filled in as it goes, so that a failure too can say.

    On a connection that is used again, the address is known with the response's first line and not before.
    """

    address: str | None = None
    status: int | None = None
    received: int = 0

    def dialled(self, address: str) -> None:
        self.address = address


class PageClient:
    """Sends GETs and nothing else."""

    def __init__(self, transport: PinnedTransport, *, agent: str, limits: Limits, types: frozenset[str]) -> None:
        self._transport = transport
        self._agent = agent
        self._limits = limits
        self._types = types

    async def get(self, target: Target, attempt: Attempt, *, conditions: Iterable[tuple[str, str]] = ()) -> Received:
        """The response to a GET of `target`. `conditions` are headers that make the request conditional.

        A success of a type that the policy does not name is refused at its headers; of an error of such a type the body
        is not read. Raises PageFailure (BAD_TYPE, TOO_LARGE, BROKEN, UNREACHABLE), HostFailure.
        """
        return await self._exchange(target, attempt, conditions, self._check_page, self._limits.received, cut=False)

    async def get_start(self, target: Target, attempt: Attempt, size: int) -> Received:
        """The first `size` bytes, as sent, of a response of any type and status. Raises as `get` does."""
        return await self._exchange(target, attempt, (), self._check_coding, size, cut=True)

    def readable(self, received: Received) -> bool:
        """Whether the policy names its type, so that its body was read."""
        return received.media_type in self._types

    async def _exchange(
        self,
        target: Target,
        attempt: Attempt,
        conditions: Iterable[tuple[str, str]],
        check: Callable[[Received], None],
        size: int,
        *,
        cut: bool,
    ) -> Received:
        headers = [
            *_fixed_headers(target, self._agent),
            *((name.encode(), value.encode()) for name, value in conditions),
        ]
        url = httpcore2.URL(
            scheme=target.scheme.encode(),
            host=target.host.strip("[]").encode(),
            port=target.port,
            target=target.path.encode(),
        )
        now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        request = httpcore2.Request(b"GET", url, headers=headers)
        try:
            async with self._transport.exchange(request, attempt.dialled) as response:
                attempt.status = response.status
                attempt.address = response.extensions["network_stream"].get_extra_info(PINNED_ADDRESS)
                head = Received(
                    url=target.url,
                    status=response.status,
                    phrase=bytes(response.extensions.get("reason_phrase", b"")).decode("latin-1"),
                    headers=self._headers(target, response.headers),
                    raw=b"",
                    retrieved_at=now,
                    address=attempt.address,
                )
                check(head)
                if head.status in REDIRECTS or not (cut or self.readable(head)):
                    size, cut = _UNREAD_BODY, True
                raw = await self._read(head, response, attempt, size, cut=cut)
        except httpcore2.ProtocolError as error:
            raise self._protocol_failure(target, error) from error
        except (httpcore2.NetworkError, httpcore2.TimeoutException, OSError) as error:
            kind = FailureKind.BROKEN if attempt.status else FailureKind.UNREACHABLE
            raise PageFailure(kind, target.url, f"the connection broke off ({error}); fetch it again later") from error
        return replace(head, raw=raw)

    def _headers(self, target: Target, raw: list[tuple[bytes, bytes]]) -> tuple[tuple[str, str], ...]:
        size = sum(len(name) + len(value) + 4 for name, value in raw)
        if size > self._limits.header_bytes or len(raw) > self._limits.header_count:
            raise PageFailure(
                FailureKind.TOO_LARGE, target.url, f"{len(raw)} headers of {size:,} bytes; use another source"
            )
        pairs = ((name.decode("latin-1").lower(), _text(value)) for name, value in raw)
        return tuple((name, value) for name, value in pairs if name not in _DROPPED)

    def _check_page(self, head: Received) -> None:
        self._check_coding(head)
        if 200 <= head.status < 300 and not self.readable(head):
            raise PageFailure(
                FailureKind.BAD_TYPE,
                head.url,
                f"it is {head.media_type}, which is not read; look for the same as a page, a PDF or plain text",
            )

    def _check_coding(self, head: Received) -> None:
        codings = [value.strip().lower() for name, value in head.headers if name == "content-encoding"]
        if len(codings) > 1 or not _CODINGS.issuperset(codings):
            raise PageFailure(
                FailureKind.BAD_TYPE,
                head.url,
                f"it came as {', '.join(codings)!r:.80} though only gzip was asked for; the site is at fault",
            )

    async def _read(
        self, head: Received, response: httpcore2.Response, attempt: Attempt, size: int, *, cut: bool
    ) -> bytes:
        """At most `size` bytes. A longer body is cut off there or refused; what its header says is not trusted."""
        named = head.header("content-length") or ""
        if not cut and named.isascii() and named.isdigit() and float(named) > size:  # `int` refuses 4,301 digits
            raise _too_large(head.url, size)
        parts: list[bytes] = []
        left = size
        stream: AsyncGenerator[bytes] = response.aiter_stream()
        async with aclosing(stream) as chunks:
            async for chunk in chunks:
                attempt.received += len(chunk)
                if len(chunk) > left:
                    if not cut:
                        raise _too_large(head.url, size)
                    parts.append(chunk[:left])
                    break
                parts.append(chunk)
                left -= len(chunk)
        return b"".join(parts)

    def _protocol_failure(self, target: Target, error: httpcore2.ProtocolError) -> PageFailure:
        if any(
            getattr(inner, "error_status_hint", None) == 431 for inner in error.args
        ):  # h11: header fields too large
            return PageFailure(FailureKind.TOO_LARGE, target.url, "its headers have no end; use another source")
        return PageFailure(
            FailureKind.BROKEN, target.url, f"its response is not HTTP as it should be ({error}); fetch it again later"
        )


def _fixed_headers(target: Target, agent: str) -> list[tuple[bytes, bytes]]:
    host = target.host if target.port == PORTS[target.scheme] else f"{target.host}:{target.port}"
    return [
        (b"Host", host.encode()),
        (b"User-Agent", agent.encode()),
        (b"Accept", _ACCEPT.encode()),
        (b"Accept-Encoding", b"gzip, identity"),
    ]


def _text(value: bytes) -> str:
    """A header value. RFC 9110 leaves bytes over 127 open; sites that use them mean UTF-8, then Latin-1."""
    try:
        return value.decode("utf-8").strip()
    except UnicodeDecodeError:
        return value.decode("latin-1").strip()


def _too_large(url: str, size: int) -> PageFailure:
    return PageFailure(
        FailureKind.TOO_LARGE, url, f"more than {size / 1024**2:.0f} MB come over the wire; look for a smaller version"
    )
