"""How often one site is asked: few requests at once, a pause between them, and none while it has asked for quiet."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from affidavit.egress.deadline import Deadline
from affidavit.errors import FailureKind, PageFailure


@dataclass(slots=True)
class _Host:
    slots: asyncio.Semaphore
    next_at: float = 0.0
    quiet_until: float = 0.0
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


class Politeness:
    """Gives turns at hosts. Belongs to one event loop.

    `at_once` requests of one host run at the same time, and they begin at least `interval` seconds apart; a site's own
    Crawl-delay stands over it, up to `longest`. A turn that would be longer than `longest` away is refused: nobody
    waits minutes for one page. The defaults are what a person with a few open tabs asks of a site.
    """

    def __init__(self, *, at_once: int = 2, interval: float = 0.5, longest: float = 20.0) -> None:
        self._at_once = at_once
        self._interval = interval
        self._longest = longest
        self._hosts: dict[str, _Host] = {}

    @asynccontextmanager
    async def turn(self, host: str, url: str, deadline: Deadline, delay: float | None = None) -> AsyncGenerator[None]:
        """Wait for a turn at `host` and hold it. `delay` is the site's Crawl-delay. Raises PageFailure (RATE_LIMIT).

        The wait does not count towards `deadline`: others before us in the queue are no fault of the page.
        """
        state = self._host(host)
        with deadline.paused():
            await state.slots.acquire()
            try:
                async with state.lock:
                    await self._wait(state, url, delay)
            except BaseException:
                state.slots.release()
                raise
        try:
            yield
        finally:
            state.slots.release()

    def postpone(self, host: str, seconds: float) -> None:
        """The site asked for `seconds` of quiet (Retry-After)."""
        state = self._host(host)
        state.quiet_until = max(state.quiet_until, _now() + seconds)

    async def _wait(self, state: _Host, url: str, delay: float | None) -> None:
        begin = max(state.next_at, state.quiet_until, _now())
        wait = begin - _now()
        if wait > self._longest:
            raise PageFailure(
                FailureKind.RATE_LIMIT, url, f"the site asked for {wait:.0f} s without requests; fetch it again then"
            )
        if wait > 0:
            await asyncio.sleep(wait)
        state.next_at = _now() + min(max(self._interval, delay or 0.0), self._longest)

    def _host(self, host: str) -> _Host:
        state = self._hosts.get(host)
        if state is None:
            state = self._hosts[host] = _Host(asyncio.Semaphore(self._at_once))
        return state


def _now() -> float:
    return asyncio.get_running_loop().time()
