"""Calls to search APIs: the one place that sends anything but a GET, and the one that holds a key.

A request names an endpoint of the table, and what is sent is that endpoint's method to that endpoint's address. A
redirect is an answer like any other and is not followed: an API that moves is a change to the table. Nothing is
kept between two calls, no cookie and no credential, and the environment's proxies are not asked.

Every call ends: in time, whatever drips, and under a cap on its bytes, whatever its headers say. Every call is told
to `on_call` before its result is given out.
"""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol, cast
from urllib.parse import urlencode

import httpx2

from affidavit.egress.body import decode_aside
from affidavit.egress.endpoints import Endpoint, setting_of
from affidavit.egress.keys import Keys
from affidavit.errors import AffidavitError, FailureKind, HostFailure, PageFailure, UserError

MAX_BODY = 8 * 1024 * 1024
"""Bytes of one answer. A hundred full records of Crossref, the largest that any provider here sends, are 3 MB."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiRequest:
    """What to ask of an endpoint: parameters of the query, or a JSON body where its method is POST. It has no key."""

    endpoint: str
    params: tuple[tuple[str, str], ...] = ()
    body: Mapping[str, object] | None = None
    accept: str = "application/json"


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiResponse:
    """What came back, whatever its status. `headers` have lower-case names; `body` is decoded, and has no key."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes

    def header(self, name: str) -> str | None:
        """The first value of `name` (lower case)."""
        return next((value for key, value in self.headers if key == name), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiCall:
    """One call for the ledger. `reason` is "answered", a `FailureKind`, or "failed". `url` has no query, so no key."""

    endpoint: str
    method: str
    url: str
    host: str
    reason: str
    status: int | None
    bytes: int
    seconds: float


class Api(Protocol):
    """Whoever carries requests to search APIs: this process, or the gateway's."""

    def ready(self, endpoint: str) -> str | None:
        """None if `endpoint` can be asked; else what is missing, and how to give it."""
        ...

    def keyed(self, endpoint: str) -> bool:
        """Whether `endpoint` is asked with a key, so under an account's limits and not the public's."""
        ...

    async def send(self, request: ApiRequest, seconds: float) -> ApiResponse:
        """The answer, whatever its status. Raises PageFailure when none came whole within `seconds`."""
        ...


def own_hosts(endpoints: Iterable[Endpoint]) -> tuple[str, ...]:
    """The hosts that the operator named, which may have private addresses: `PinnedTransport(allow_private=…)`."""
    return tuple(sorted({endpoint.host for endpoint in endpoints if endpoint.own}))


class HttpApi:
    """`Api` over HTTP. A context: it opens and closes its connections, and belongs to one event loop.

    `transport` is a `PinnedTransport`, or one that refuses what the address policy refuses, as that does; it opens
    private addresses for the hosts of `own_hosts` alone.
    """

    def __init__(
        self,
        endpoints: Iterable[Endpoint],
        keys: Keys,
        *,
        transport: httpx2.AsyncBaseTransport,
        user_agent: str,
        contact: str | None = None,
        on_call: Callable[[ApiCall], None],
        cap: int = MAX_BODY,
    ) -> None:
        self._endpoints = {endpoint.name: endpoint for endpoint in endpoints}
        self._keys = keys
        self._transport = transport
        self._user_agent = user_agent
        self._contact = contact
        self._on_call = on_call
        self._cap = cap

    async def __aenter__(self) -> "HttpApi":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._transport.aclose()

    def ready(self, endpoint: str) -> str | None:
        place = self._endpoints.get(endpoint)
        if place is None:
            setting = setting_of(endpoint)
            return f"it has no address in the setting {setting}" if setting else "there is no such endpoint"
        if place.key is not None and place.key.required and self._keys.get(place.key.variable) is None:
            return f"it has no key in the environment variable {place.key.variable}"
        return None

    def keyed(self, endpoint: str) -> bool:
        place = self._endpoints.get(endpoint)
        return place is not None and place.key is not None and self._keys.get(place.key.variable) is not None

    async def send(self, request: ApiRequest, seconds: float) -> ApiResponse:
        """Raises PageFailure as the protocol says; UserError for an endpoint that is not ready."""
        missing = self.ready(request.endpoint)
        if missing is not None:
            raise UserError(f"{request.endpoint} cannot be asked: {missing}")
        endpoint = self._endpoints[request.endpoint]
        start = time.monotonic()
        try:
            async with asyncio.timeout(seconds):
                response = await self._exchange(endpoint, self._wire(endpoint, request, seconds))
        except TimeoutError:
            failure = PageFailure(FailureKind.TIMEOUT, endpoint.url, f"gave no whole answer within {seconds:.0f} s")
            self._tell(endpoint, failure.kind.value, None, 0, start)
            raise failure from None
        except HostFailure as error:
            failure = PageFailure(error.kind, endpoint.url, error.detail)
            self._tell(endpoint, failure.kind.value, None, 0, start)
            raise failure from None
        except httpx2.HTTPError as error:
            failure = _failure(endpoint, error)
            self._tell(endpoint, failure.kind.value, None, 0, start)
            raise failure from None
        except PageFailure as failure:
            self._tell(endpoint, failure.kind.value, None, 0, start)
            raise
        except BaseException:
            self._tell(endpoint, "failed", None, 0, start)
            raise
        self._tell(endpoint, "answered", response.status, len(response.body), start)
        return response

    def _wire(self, endpoint: Endpoint, request: ApiRequest, seconds: float) -> httpx2.Request:
        """The request as it is sent: the only place where a key meets it."""
        if (request.body is not None) != (endpoint.method == "POST"):
            raise AffidavitError(f"{endpoint.name} is asked by {endpoint.method}; a body goes with POST alone")
        params = list(request.params)
        headers = [("User-Agent", self._user_agent), ("Accept", request.accept), ("Accept-Encoding", "gzip, identity")]
        if endpoint.contact and self._contact:
            params.append((endpoint.contact, self._contact))
        if endpoint.key is not None:
            value = self._keys.get(endpoint.key.variable)
            if value is None:
                headers.extend(endpoint.key.keyless)
            elif endpoint.key.header is not None:
                headers.append((endpoint.key.header, endpoint.key.scheme + value))
            elif endpoint.key.param is not None:
                params.append((endpoint.key.param, value))
        content = None
        if request.body is not None:
            headers.append(("Content-Type", "application/json"))
            content = json.dumps(request.body, ensure_ascii=False).encode("utf-8", "replace")
        query = f"?{urlencode(params, errors='replace')}" if params else ""
        return httpx2.Request(
            endpoint.method,
            endpoint.url + query,
            headers=headers,
            content=content,
            extensions={"timeout": httpx2.Timeout(seconds).as_dict()},
        )

    async def _exchange(self, endpoint: Endpoint, request: httpx2.Request) -> ApiResponse:
        response = await self._transport.handle_async_request(request)
        try:
            raw = await self._read(endpoint, response)
        finally:
            await response.aclose()
        headers = tuple(
            (name.decode("latin-1").lower(), self._keys.cut_from(value).decode("latin-1"))
            for name, value in response.headers.raw
        )
        # Transfer codings are undone by the connection; content codings are undone here, under the cap.
        coded = tuple((name, value) for name, value in headers if name != "transfer-encoding")
        body = await decode_aside(endpoint.url, coded, raw, self._cap)
        return ApiResponse(status=response.status_code, headers=headers, body=self._keys.cut_from(body))

    async def _read(self, endpoint: Endpoint, response: httpx2.Response) -> bytes:
        parts: list[bytes] = []
        size = 0
        async for part in cast("AsyncIterator[bytes]", response.stream):
            size += len(part)
            if size > self._cap:
                raise PageFailure(
                    FailureKind.TOO_LARGE, endpoint.url, f"its answer is longer than {self._cap / 1024**2:.0f} MB"
                )
            parts.append(part)
        return b"".join(parts)

    def _tell(self, endpoint: Endpoint, reason: str, status: int | None, size: int, start: float) -> None:
        self._on_call(
            ApiCall(
                endpoint=endpoint.name,
                method=endpoint.method,
                url=endpoint.url,
                host=endpoint.host,
                reason=reason,
                status=status,
                bytes=size,
                seconds=time.monotonic() - start,
            )
        )


def _failure(endpoint: Endpoint, error: httpx2.HTTPError) -> PageFailure:
    """A failed connection by what failed. The texts of the library are not shown: they can hold the whole address."""
    if isinstance(error, httpx2.TimeoutException):
        return PageFailure(FailureKind.TIMEOUT, endpoint.url, "did not answer in time")
    if isinstance(error, httpx2.ProtocolError | httpx2.DecodingError):
        return PageFailure(FailureKind.BROKEN, endpoint.url, "broke its answer off, or spoke no HTTP")
    if isinstance(error, httpx2.NetworkError):
        return PageFailure(FailureKind.UNREACHABLE, endpoint.url, f"could not be reached ({type(error).__name__})")
    return PageFailure(FailureKind.ERROR, endpoint.url, f"could not be asked ({type(error).__name__})")
