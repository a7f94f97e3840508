"""Three tries and one deadline: what makes a call to a machine far away as dependable as it can be made.

Tried again is what may pass (a full queue, a broken connection, a server in trouble), after a wait that doubles, part
of it chance, so that many runs do not come back at once; or after what the provider asks for. A wait that the deadline
would cut short is not begun: the failure comes at once, while there is time to do something else.
"""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable

from affidavit.errors import ModelFailure, ModelFailureKind
from affidavit.models.model import Model
from affidavit.models.reply import ModelReply
from affidavit.models.request import ModelRequest

TRIES = 3
FIRST_WAIT = 1.0
LONGEST_WAIT = 30.0
"""Seconds. The second wait is about two: providers' own clients wait half a second to eight."""
_PASSING = frozenset(
    {
        ModelFailureKind.RATE_LIMITED,
        ModelFailureKind.UNAVAILABLE,
        ModelFailureKind.TIMEOUT,
        ModelFailureKind.BAD_REPLY,
    }
)


class Retrying:
    """`inner`, asked up to `tries` times within `seconds`, or ``request.seconds`` where those are fewer."""

    def __init__(
        self,
        inner: Model,
        seconds: float,
        *,
        tries: int = TRIES,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        clock: Callable[[], float] = time.monotonic,
        chance: Callable[[], float] = random.random,
    ) -> None:
        self._inner = inner
        self._seconds = seconds
        self._tries = tries
        self._sleep = sleep
        self._clock = clock
        self._chance = chance

    @property
    def name(self) -> str:
        return self._inner.name

    async def complete(self, request: ModelRequest) -> ModelReply:
        """The first reply that came. Raises the last ModelFailure; at the deadline one of kind TIMEOUT, or TIME_LIMIT
        where it was not the call's time that was up but that of whoever asks."""
        theirs = request.seconds is not None and request.seconds < self._seconds
        seconds = request.seconds if theirs and request.seconds is not None else self._seconds
        kind = ModelFailureKind.TIME_LIMIT if theirs else ModelFailureKind.TIMEOUT
        end = self._clock() + seconds
        asking = False
        try:
            async with asyncio.timeout(seconds):
                for attempt in range(self._tries):
                    try:
                        asking = True
                        return await self._inner.complete(request)
                    except ModelFailure as failure:
                        asking = False
                        wait = self._wait(failure, attempt)
                        last = attempt + 1 == self._tries
                        if last or failure.kind not in _PASSING or self._clock() + wait >= end:
                            raise
                    await self._sleep(wait)
        except TimeoutError:
            whose = " that its run had left" if theirs else ""
            detail = f"no reply within the {seconds:g} s{whose}"
            raise ModelFailure(kind, self.name, detail, uncertain=asking) from None
        raise AssertionError("unreachable: the last try returns or raises")

    def _wait(self, failure: ModelFailure, attempt: int) -> float:
        """Seconds before the next try: what the provider asked for, or between half and all of a doubling wait."""
        if failure.retry_after is not None:
            return failure.retry_after
        return min(LONGEST_WAIT, FIRST_WAIT * 2**attempt) * (0.5 + self._chance() / 2)
