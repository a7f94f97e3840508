"""What a site's robots.txt lets us read (RFC 9309), asked once a run and kept for a day.

The parser is Protego's. It is given only the rules that are for us (`own_rules`), since its work is agents times rules;
what stands here is what a crawler must decide around it. A missing file allows everything, a site that fails, cannot be
reached or has more rules for us than are weighed allows nothing, and the first 500 KiB count.

A redirect is followed to another host's ``/robots.txt``, if the policy lets it, in that host's turn. Nobody asked for
what lies anywhere else, so a site that points elsewhere, or from https to http, could make a run send requests that no
page and no search result led to: it is taken as one that cannot be reached, and allows nothing.
"""

import asyncio
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from protego import Protego

from affidavit.egress import body
from affidavit.egress.cache import PageCache
from affidavit.egress.client import PRODUCT, Attempt, PageClient
from affidavit.egress.deadline import Deadline
from affidavit.egress.own_rules import TooManyRules, own_rules
from affidavit.egress.politeness import Politeness
from affidavit.egress.reason import Reason
from affidavit.egress.received import Received
from affidavit.egress.redirects import RedirectRefused, follow
from affidavit.egress.target import Target
from affidavit.egress.web import Hop, Watch
from affidavit.errors import FailureKind, HostFailure, PageFailure

MAX_SIZE = 500 * 1024
KEPT_SECONDS = 86_400.0
"""RFC 9309, 2.4: a copy should not be used for longer."""
ASK_SECONDS = 10.0
"""A site that keeps robots.txt back costs this once, not the time of each of its pages."""
_MAX_HOPS = 5
_ENDLESS = frozenset({Reason.REDIRECT_LIMIT, Reason.REDIRECT_LOOP})
"""RFC 9309, 2.3.1.2: with more than five redirects the file is as if it were missing."""
_PATH = "/robots.txt"


@dataclass(frozen=True, slots=True)
class Permission:
    """Whether a page may be read; why not; and the site's Crawl-delay in seconds, if it names one."""

    allowed: bool
    why: str = ""
    delay: float | None = None


@dataclass(frozen=True, slots=True)
class _Rules:
    """A site's rules: those parsed, or one answer for every page."""

    parsed: Protego | None
    otherwise: Permission


@dataclass(slots=True)
class _Site:
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    rules: _Rules | None = None


class Robots:
    """Permissions by page. Belongs to one event loop; its memory is the run's, `cache` remembers between runs.

    Files are unpacked, parsed and asked in threads: what a stranger wrote never holds the loop up.
    """

    def __init__(
        self,
        client: PageClient,
        cache: PageCache | None = None,
        politeness: Politeness | None = None,
        scope: str = "",
    ) -> None:
        """`scope` is the run's in `cache`. Rules are kept apart from pages in it: a robots.txt that is read as a page
        has other limits and another freshness."""
        self._client = client
        self._cache = cache
        self._politeness = politeness or Politeness()
        self._scope = f"robots {scope}"
        self._sites: dict[str, _Site] = {}

    async def permission(self, target: Target, watch: Watch) -> Permission:
        """Whether `target` may be read. Asks its site for robots.txt at most once; that request is recorded too.

        Raises HostFailure where the site cannot be reached at all: its page cannot either.
        """
        site = self._sites.setdefault(target.origin, _Site())
        async with site.lock:
            if site.rules is None:
                site.rules = await self._rules(target, watch)
        parsed = site.rules.parsed
        if parsed is None or target.path == _PATH:
            return site.rules.otherwise
        delay = parsed.crawl_delay(PRODUCT)
        if await asyncio.to_thread(parsed.can_fetch, target.url, PRODUCT):
            return Permission(True, delay=delay)
        return Permission(False, f"{target.origin}{_PATH} disallows it")

    async def _rules(self, target: Target, watch: Watch) -> _Rules:
        start = replace(target, path=_PATH)
        kept = None if self._cache is None else await asyncio.to_thread(self._cache.get, start.url, self._scope)
        if kept is not None and kept.fresh(time.time()):
            return await _rules_aside(kept.received)
        try:
            async with Deadline(ASK_SECONDS) as deadline:
                received = await self._follow(start, watch, deadline)
                rules = await _rules_aside(received)
        except RedirectRefused as refused:
            if refused.reason in _ENDLESS:
                return _Rules(None, Permission(True))
            said = f"it redirects to {refused.where[:200]!r}, which is refused ({refused.reason.value})"
            return _Rules(None, Permission(False, f"its robots.txt cannot be read ({said})"))
        except PageFailure as failure:
            return _Rules(None, Permission(False, f"its robots.txt cannot be read ({failure.detail})"))
        except TimeoutError:
            return _Rules(None, Permission(False, f"its robots.txt did not come within {ASK_SECONDS:g} s"))
        if self._cache is not None and received.status < 500 and received.status != 429:
            found = replace(received, url=start.url)
            await asyncio.to_thread(self._cache.put, found, KEPT_SECONDS, time.time(), self._scope)
        return rules

    async def _follow(self, start: Target, watch: Watch, deadline: Deadline) -> Received:
        async def ask(target: Target) -> Received:
            if target is start:  # in the turn of the page that waits for it
                return await self._ask(target, watch)
            try:
                async with self._politeness.turn(target.host, target.url, deadline):
                    return await self._ask(target, watch)
            except HostFailure as failure:  # another host than the page's, which may well be reached
                said = f"it redirects to {failure.host}: {failure.detail}"
                raise PageFailure(failure.kind, start.url, said) from failure

        return await follow(start, ask, watch, most=_MAX_HOPS, purpose="robots", refuse=_elsewhere)

    async def _ask(self, target: Target, watch: Watch) -> Received:
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
                    bytes=attempt.received,
                    received=attempt.received,
                    seconds=time.monotonic() - began,
                    purpose="robots",
                )
            )

        try:
            received = await self._client.get_start(target, attempt, MAX_SIZE)
        except HostFailure as failure:
            attempt.address = failure.address
            allowed = failure.kind is not FailureKind.BLOCKED_BY_POLICY
            note(failure.reason or failure.kind.value, allowed=allowed)
            raise
        except PageFailure as failure:
            note(failure.kind.value)
            raise
        except BaseException:
            note(Reason.FAILED.value)
            raise
        note((Reason.FETCHED if received.location is None else Reason.REDIRECTED).value)
        return received


def _elsewhere(target: Target) -> Reason | None:
    return None if target.path == _PATH else Reason.NOT_ROBOTS


async def _rules_aside(received: Received) -> _Rules:
    """`_rules_of` in a thread, which stops soon after this is cancelled."""
    stop = threading.Event()
    try:
        return await asyncio.to_thread(_rules_of, received, stop.is_set)
    finally:
        stop.set()


def _rules_of(received: Received, stopped: Callable[[], bool]) -> _Rules:
    """RFC 9309, 2.3.1: success is parsed, other than that 4xx allows all and 5xx nothing. 429 is no answer either.

    What cannot be told apart as lines, or is too much to weigh, allows nothing.
    """
    status = received.status
    if status >= 500 or status == 429:
        return _Rules(None, Permission(False, f"its robots.txt answers {status}, so nothing may be read for now"))
    if status != 200:
        return _Rules(None, Permission(True))
    try:
        return _Rules(Protego.parse(own_rules(_text(received, stopped), PRODUCT)), Permission(True))
    except PageFailure as failure:
        # Cut off inside its coding: what stands before the cut is not known to be lines.
        return _Rules(None, Permission(False, f"its robots.txt cannot be read ({failure.detail})"))
    except TooManyRules as error:
        return _Rules(None, Permission(False, f"its robots.txt has {error} for us, which are not weighed"))
    except ValueError as error:
        return _Rules(None, Permission(False, f"its robots.txt cannot be understood ({error})"))


def _text(received: Received, stopped: Callable[[], bool]) -> str:
    """The lines that stand whole in the first 500 KiB. Raises PageFailure."""
    data = body.decode(received.url, received.headers, received.raw, 64 * MAX_SIZE, stopped)
    if len(received.raw) >= MAX_SIZE or len(data) > MAX_SIZE:
        data = data[:MAX_SIZE].rpartition(b"\n")[0]
    return data.decode("utf-8", "replace").removeprefix("\ufeff")
