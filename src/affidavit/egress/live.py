"""The live web as a `Web`: one page at a time, its redirects followed by hand.

Each hop asks the watch, the site's robots.txt and its turn, and goes to an address that was judged. Nothing of one
request is left for the next: no cookies, no authorisation, no referrer. A page that wants to move on by a meta refresh
or a script is the page itself; what it points to is a link like any other.
"""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from types import TracebackType

from affidavit.egress import body, freshness
from affidavit.egress.cache import Kept, PageCache
from affidavit.egress.client import Attempt, PageClient
from affidavit.egress.deadline import Deadline
from affidavit.egress.pages import PAGE_TYPES
from affidavit.egress.politeness import Politeness
from affidavit.egress.reason import ADVICE, Reason
from affidavit.egress.received import Limits, Received
from affidavit.egress.redirects import RedirectRefused, follow
from affidavit.egress.robots import Robots
from affidavit.egress.target import Target, read_target
from affidavit.egress.transport import PinnedTransport
from affidavit.egress.web import Hop, Watch
from affidavit.errors import FailureKind, HostFailure, PageFailure
from affidavit.evidence.document import Fetched
from affidavit.extract.advice import BY_STATUS

# What a site that asks to wait gets: one wait, no longer than this, and one more request.
LONGEST_RETRY = 10.0
_BUSY = frozenset({429, 503})
_NO_PAGE = {
    206: "only a part of the page came, which nobody asked for",
    304: "the site says that the page has not changed since it was kept, and it is not kept",
}


Keep = Callable[[Received], Awaitable[None]]
"""Is given a response as it came, and done when it is kept."""


def aside(write: Callable[[Received], None]) -> Keep:
    """`write` as a `Keep`, in a thread: for one that waits for a disk, as `WarcWriter.write` does."""

    async def keep(received: Received) -> None:
        await asyncio.to_thread(write, received)

    return keep


@dataclass(frozen=True, slots=True)
class _Page:
    """A response and its body as a reader gets it; `reason` says how it came."""

    received: Received
    body: bytes
    reason: Reason

    @property
    def location(self) -> str | None:
        return self.received.location


class LiveWeb:
    """Fetches from the web through `transport`, which it closes. Belongs to one event loop and one run.

    `agent` is the User-Agent (`client.user_agent`). `keep` is given every response.
    `cache` remembers between runs; without it every page is asked for. `max_age` is for how many seconds a page that
    an earlier run kept is read without asking its site, which may say less (0: it is always asked); None leaves it to
    the site. It is about pages: a site's robots.txt holds for its day.
    """

    def __init__(
        self,
        transport: PinnedTransport,
        *,
        agent: str,
        limits: Limits | None = None,
        types: frozenset[str] = PAGE_TYPES,
        cache: PageCache | None = None,
        max_age: float | None = None,
        keep: Keep | None = None,
        politeness: Politeness | None = None,
    ) -> None:
        self._transport = transport
        self._limits = limits or Limits()
        self._client = PageClient(transport, agent=agent, limits=self._limits, types=types)
        self._cache = cache
        self._max_age = max_age
        self._scope = _scope(transport.checked.opened, types)
        self._keep = keep
        self._politeness = politeness or Politeness()
        self._robots = Robots(self._client, cache, self._politeness, self._scope)

    async def __aenter__(self) -> "LiveWeb":
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        await self._transport.aclose()

    async def fetch(self, url: str, watch: Watch) -> Fetched:
        """The page at `url`. Raises PageFailure; each request made, and each refused, is recorded with `watch`."""
        target = read_target(url)
        if isinstance(target, Reason):
            raise _refused(url, url, target)
        try:
            async with Deadline(self._limits.seconds) as deadline:
                page = await follow(target, lambda one: self._hop(one, watch, deadline), watch, most=self._limits.hops)
        except RedirectRefused as refused:
            raise _refused(url, refused.where, refused.reason) from None
        except TimeoutError:
            raise PageFailure(
                FailureKind.TIMEOUT, url, f"not read within {self._limits.seconds:g} s; fetch it again later"
            ) from None
        received = page.received
        if received.status in _NO_PAGE:
            raise PageFailure(
                FailureKind.BROKEN, url, f"status {received.status}: {_NO_PAGE[received.status]}; use another source"
            )
        if not (200 <= received.status < 300 or self._client.readable(received)):
            kind, meaning = BY_STATUS.get(received.status) or BY_STATUS.get(received.status // 100, BY_STATUS[5])
            raise PageFailure(kind, url, f"status {received.status}: {meaning}; use another source, or try later")
        return Fetched(
            requested_url=url,
            final_url=received.url,
            retrieved_at=received.retrieved_at,
            status=received.status,
            headers=received.headers,
            body=page.body,
        )

    async def _hop(self, target: Target, watch: Watch, deadline: Deadline) -> _Page:
        kept = await self._usable(target)
        if kept is not None and kept.fresh(time.time(), self._max_age):
            page = await self._unpacked(kept.received, Reason.CACHED)
            watch.record(_hop(target, page, 0.0))
            await self._kept(page.received)
            return page
        page = await self._ask(target, kept, watch, deadline)
        if page.received.status in _BUSY and await self._waited(target, page.received, deadline):
            page = await self._ask(target, kept, watch, deadline)
        return page

    async def _usable(self, target: Target) -> Kept | None:
        """What is kept of `target`, if it could be fetched now as it was then: its address, type and size are judged as
        a new response's are. Without that a page of a private network would outlive the permission to read it."""
        if self._cache is None or not self._cache.holds(target.url, self._scope):
            return None
        kept = await asyncio.to_thread(self._cache.get, target.url, self._scope)
        if kept is None or kept.address is None or not self._client.readable(kept.received):
            return None
        if len(kept.received.raw) > self._limits.received:
            return None
        return kept if self._transport.checked.permits(target.host, kept.address) else None

    async def _ask(self, target: Target, kept: Kept | None, watch: Watch, deadline: Deadline) -> _Page:
        """One request in its turn, recorded whatever comes of it."""
        began = time.monotonic()
        attempt = Attempt()

        def note(reason: str, *, allowed: bool = True) -> None:
            watch.record(
                Hop(
                    url=target.url,
                    allowed=allowed,
                    reason=reason,
                    address=attempt.address,
                    status=attempt.status,
                    received=attempt.received,
                    seconds=time.monotonic() - began,
                )
            )

        try:
            delay = await self._permitted(target, watch)
            async with self._politeness.turn(target.host, target.url, deadline, delay):
                began = time.monotonic()
                page = await self._exchange(target, kept, attempt)
        except HostFailure as failure:
            attempt.address = failure.address
            allowed = failure.kind is not FailureKind.BLOCKED_BY_POLICY
            note(failure.reason or failure.kind.value, allowed=allowed)
            raise PageFailure(failure.kind, target.url, f"{failure.host}: {failure.detail}") from failure
        except PageFailure as failure:
            # Only a site's robots.txt and its wish for quiet end here before anything is sent.
            note(failure.kind.value, allowed=failure.kind not in (FailureKind.ROBOTS, FailureKind.RATE_LIMIT))
            raise
        except BaseException:
            note((FailureKind.TIMEOUT if deadline.expired else Reason.FAILED).value)
            raise
        watch.record(_hop(target, page, time.monotonic() - began))
        await self._kept(page.received)
        return page

    async def _permitted(self, target: Target, watch: Watch) -> float | None:
        """The site's Crawl-delay. Raises PageFailure (ROBOTS), HostFailure."""
        permission = await self._robots.permission(target, watch)
        if permission.allowed:
            return permission.delay
        raise PageFailure(FailureKind.ROBOTS, target.url, f"{permission.why}; {ADVICE[Reason.ROBOTS]}")

    async def _exchange(self, target: Target, kept: Kept | None, attempt: Attempt) -> _Page:
        asked = freshness.conditions(kept.received) if kept is not None else ()
        received = await self._client.get(target, attempt, conditions=asked)
        if kept is not None and asked and received.status == 304:
            received = _still_valid(kept.received, received)
            page = await self._unpacked(received, Reason.UNCHANGED)
        else:
            reason = Reason.FETCHED if received.location is None else Reason.REDIRECTED
            page = await self._unpacked(received, reason)
        lifetime = freshness.lifetime(received)
        if self._cache is not None and lifetime is not None:
            await asyncio.to_thread(self._cache.put, received, lifetime, time.time(), self._scope)
        return page

    async def _unpacked(self, received: Received, reason: Reason) -> _Page:
        if reason is Reason.REDIRECTED:
            return _Page(received, b"", reason)
        content = await body.decode_aside(received.url, received.headers, received.raw, self._limits.decoded)
        return _Page(received, content, reason)

    async def _waited(self, target: Target, received: Received, deadline: Deadline) -> bool:
        """Whether the site said how long to wait, that is short enough, and the time is over."""
        seconds = freshness.retry_after(received, datetime.now(UTC))
        if seconds is None:
            return False
        self._politeness.postpone(target.host, seconds)
        if seconds > LONGEST_RETRY:
            return False
        with deadline.paused():
            await asyncio.sleep(seconds)
        return True

    async def _kept(self, received: Received) -> None:
        if self._keep is not None:
            await self._keep(received)


def _scope(opened: Sequence[str], types: frozenset[str]) -> str:
    """What a run may read that another may not, for the cache. Hosts and ports are judged before it is asked."""
    return json.dumps({"allow_private": opened, "types": sorted(types)})


def _still_valid(kept: Received, answer: Received) -> Received:
    """The kept response with the headers of the 304 laid over its own (RFC 9111, 4.3.4), as of now."""
    fresh = {name for name, _ in answer.headers} - {"content-length", "content-encoding", "content-type"}
    headers = [pair for pair in kept.headers if pair[0] not in fresh]
    headers += [pair for pair in answer.headers if pair[0] in fresh]
    return replace(kept, headers=tuple(headers), retrieved_at=answer.retrieved_at, address=answer.address)


def _hop(target: Target, page: _Page, seconds: float) -> Hop:
    unread = page.reason in (Reason.CACHED, Reason.UNCHANGED)
    return Hop(
        url=target.url,
        allowed=True,
        reason=page.reason.value,
        address=page.received.address,
        status=page.received.status,
        bytes=len(page.body),
        received=0 if unread else len(page.received.raw),
        seconds=seconds,
    )


def _refused(asked: str, where: str, reason: Reason) -> PageFailure:
    led = "" if asked == where else f"redirects to {where[:300]}: "
    kind = (
        FailureKind.ERROR if reason in (Reason.REDIRECT_LOOP, Reason.REDIRECT_LIMIT) else FailureKind.BLOCKED_BY_POLICY
    )
    return PageFailure(kind, asked[:500], f"{led}{reason.value}: {ADVICE[reason]}")
