"""One request to a provider, made as its operator asks: in turn, patiently, and not for ever.

A `Call` is one search: it has a deadline, and everything it sends counts against it. What can pass by itself (a busy
server, a broken connection, "too many requests") is asked again, at most three times in all, after a wait that
doubles, is spread at random so that many runs do not come back at once, and is never shorter than the provider's own
``Retry-After``. A wait that the deadline does not allow is not begun: the failure says how long it would have been,
and other runs are told too (`limits`).
"""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

import ada_url

from affidavit.egress.api import Api, ApiRequest, ApiResponse
from affidavit.egress.endpoints import setting_of
from affidavit.errors import FailureKind, PageFailure, SearchFailure, SearchFailureKind
from affidavit.search.limits import Limits, Rate

TRIES = 3
FIRST_WAIT = 0.5
LONGEST_WAIT = 8.0
"""Seconds: the waits are drawn from [d/2, d] for d = 0.5, 1, … ("equal jitter": Brooker, Exponential Backoff and
Jitter, 2015). Not tuned: a search is interactive, and its deadline decides."""

_AGAIN = frozenset({SearchFailureKind.UNAVAILABLE, SearchFailureKind.RATE_LIMITED})
_LONGEST_RETRY_AFTER = 24 * 3600.0


@dataclass(frozen=True, slots=True)
class Problem:
    """What a provider's answer says is wrong. `advice` where there is better than what the kind says. Not `again`
    where asking once more within the same search is waiting for nothing."""

    kind: SearchFailureKind
    detail: str
    retry_after: float | None = None
    advice: str = ""
    again: bool = True


Explain = Callable[[ApiResponse], Problem | None]
"""What an answer of this provider says is wrong; None leaves it to its status (`by_status`)."""


@dataclass(frozen=True, slots=True)
class Manners:
    """How a provider may be asked: how often without a key and with one, and how many requests at once."""

    rate: Rate
    rate_with_key: Rate
    at_once: int


class Exchange:
    """Carries the requests of all providers of one run; belongs to one event loop. Raises SearchFailure alone.

    `on_partial` is told of a failure that cost some of a provider's results and not all.
    """

    def __init__(
        self,
        api: Api,
        limits: Limits,
        manners: Mapping[str, Manners],
        *,
        seconds: float,
        on_partial: Callable[[SearchFailure], None],
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        draw: Callable[[], float] = random.random,
    ) -> None:
        self.api = api
        self.limits = limits
        self.seconds = seconds
        self.on_partial = on_partial
        self.sleep = sleep
        self.draw = draw
        self._manners = dict(manners)
        self._gates = {name: asyncio.Semaphore(one.at_once) for name, one in manners.items()}

    def call(self, provider: str, explain: Explain) -> "Call":
        """Begin one search; its deadline runs from now."""
        return Call(self, provider, explain, self._manners[provider], self._gates[provider])


class Call:
    """One search of one provider: one or more requests under one deadline."""

    def __init__(
        self, exchange: Exchange, provider: str, explain: Explain, manners: Manners, gate: asyncio.Semaphore
    ) -> None:
        self._exchange = exchange
        self._provider = provider
        self._explain = explain
        self._manners = manners
        self._gate = gate
        self._ends = time.monotonic() + exchange.seconds

    async def send(self, request: ApiRequest) -> ApiResponse:
        """A good answer (2xx, nothing wrong in it). Raises SearchFailure."""
        missing = self._exchange.api.ready(request.endpoint)
        if missing is not None:
            kind = SearchFailureKind.BAD_REQUEST if setting_of(request.endpoint) else SearchFailureKind.AUTH
            advice = "set it, or leave the provider out of the setting search"
            raise SearchFailure(kind, self._provider, missing, advice=advice)
        for attempt in range(TRIES):
            problem = await self._try(request)
            if isinstance(problem, ApiResponse):
                return problem
            if problem.retry_after and problem.kind in _AGAIN:
                turn, _ = self._turn(request)
                await asyncio.to_thread(self._exchange.limits.hold, turn, problem.retry_after)
            wait = max(self._backoff(attempt), problem.retry_after or 0.0)
            passing = problem.again and problem.kind in _AGAIN
            if not passing or attempt == TRIES - 1 or wait >= self._left():
                raise self._failure(problem)
            await self._exchange.sleep(wait)
        raise AssertionError

    def bad_response(self, detail: str) -> SearchFailure:
        """The failure to raise for an answer that cannot be read."""
        return SearchFailure(SearchFailureKind.BAD_RESPONSE, self._provider, detail)

    def tell(self, failure: SearchFailure) -> None:
        """Some of the results are there; this is why the rest is not."""
        self._exchange.on_partial(failure)

    async def _try(self, request: ApiRequest) -> ApiResponse | Problem:
        late = Problem(SearchFailureKind.UNAVAILABLE, f"gave no answer within {self._exchange.seconds:.0f} s")
        try:
            async with asyncio.timeout(max(0.0, self._left())), self._gate:
                turn, rate = self._turn(request)
                wait = await asyncio.to_thread(self._exchange.limits.reserve, turn, rate, self._left())
                if wait > self._left():
                    return Problem(SearchFailureKind.RATE_LIMITED, "its turn does not come in time", wait)
                if wait > 0:
                    await self._exchange.sleep(wait)
                response = await self._exchange.api.send(request, max(0.001, self._left()))
        except TimeoutError:
            return late
        except PageFailure as failure:
            return _by_failure(failure)
        return self._explain(response) or by_status(response) or response

    def _turn(self, request: ApiRequest) -> tuple[str, Rate]:
        """In which queue the request stands: with a key it has nothing to do with what was refused without one."""
        if self._exchange.api.keyed(request.endpoint):
            return f"{self._provider}+key", self._manners.rate_with_key
        return self._provider, self._manners.rate

    def _backoff(self, attempt: int) -> float:
        longest = min(LONGEST_WAIT, FIRST_WAIT * 2**attempt)
        return longest * (0.5 + self._exchange.draw() / 2)

    def _left(self) -> float:
        return self._ends - time.monotonic()

    def _failure(self, problem: Problem) -> SearchFailure:
        return SearchFailure(problem.kind, self._provider, problem.detail, problem.retry_after, problem.advice)


def by_status(response: ApiResponse) -> Problem | None:
    """What the status alone says (RFC 9110, 15), for whatever the provider did not explain."""
    status = response.status
    after = retry_after(response.header("retry-after"))
    if 200 <= status < 300:
        return None
    if 300 <= status < 400:
        return Problem(
            SearchFailureKind.BAD_RESPONSE, f"wants to send us elsewhere{_where(response)} (status {status})"
        )
    if status in (401, 403, 407):
        return Problem(SearchFailureKind.AUTH, f"refused us (status {status})")
    if status == 402:
        return Problem(SearchFailureKind.QUOTA, "wants to be paid (status 402)", after)
    if status == 429:
        return Problem(SearchFailureKind.RATE_LIMITED, "too many requests (status 429)", after)
    if status in (408, 425) or status >= 500:
        return Problem(SearchFailureKind.UNAVAILABLE, f"is not working (status {status})", after)
    return Problem(SearchFailureKind.BAD_REQUEST, f"did not take the request (status {status})")


def retry_after(value: str | None, now: datetime | None = None) -> float | None:
    """Seconds of a ``Retry-After``, a number or a date (RFC 9110, 10.2.3), at most a day; None for anything else."""
    if value is None:
        return None
    text = value.strip()
    if text.isascii() and text.replace(".", "", 1).isdigit():
        return min(float(text), _LONGEST_RETRY_AFTER)
    try:
        at = parsedate_to_datetime(text)
        if at.tzinfo is None:
            at = at.replace(tzinfo=UTC)
        seconds = (at - (now or datetime.now(UTC))).total_seconds()
    except (ValueError, TypeError, IndexError, OverflowError):  # of dates that are none, and zones that no clock has
        return None
    return min(max(seconds, 0.0), _LONGEST_RETRY_AFTER)


def _by_failure(failure: PageFailure) -> Problem:
    """A connection that failed: too large and refused by policy will not pass by themselves, the rest may."""
    if failure.kind in (FailureKind.TOO_LARGE, FailureKind.BAD_TYPE):
        return Problem(SearchFailureKind.BAD_RESPONSE, failure.detail)
    if failure.kind is FailureKind.BLOCKED_BY_POLICY:
        return Problem(SearchFailureKind.BAD_REQUEST, failure.detail)
    # A name that is not found now is not found in a second: the resolver has tried by itself, or there is no network.
    named = failure.kind is not FailureKind.DNS
    detail = f"{failure.kind.value.replace('_', ' ')}: {failure.detail}"
    return Problem(SearchFailureKind.UNAVAILABLE, detail, again=named)


def _where(response: ApiResponse) -> str:
    """The host a redirect names; the rest of the address is the server's to make up and is not shown."""
    try:
        return f", to {ada_url.URL(response.header('location') or '').hostname}"
    except ValueError:
        return ""
