"""A paid call, recorded so that nobody pays for it twice.

Told before it begins, and again when it ends. One that began and did not end in either way is uncertain: the provider
may have done the work and charged for it. Whoever resumes a run finds the finished ones by `Call.recall_key`.
"""

import asyncio
import itertools
import time
from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from enum import StrEnum

from affidavit.errors import ModelFailure
from affidavit.models.model import Model
from affidavit.models.reply import ModelReply
from affidavit.models.request import ModelRequest
from affidavit.models.spend import Reservation, Spend


class CallState(StrEnum):
    STARTED = "started"
    FINISHED = "finished"
    FAILED = "failed"
    UNCERTAIN = "uncertain"
    """It was interrupted, or no answer came: what it did and cost is not known."""


RecallKey = tuple[str, str, str | None]
"""Model, hash of the request, key of the call."""


@dataclass(frozen=True, kw_only=True)
class Call:
    """One try of one call. `number` counts the tries of a run, from 1, in the order in which they began.

    `cost` is in dollars; None where it is not known. `seconds` is since it began.
    """

    number: int
    state: CallState
    role: str
    model: str
    request: ModelRequest
    reply: ModelReply | None = None
    cost: Decimal | None = None
    failure: ModelFailure | None = None
    seconds: float = 0.0

    @property
    def recall_key(self) -> RecallKey:
        return self.model, self.request.sha256, self.request.key

    def as_json(self) -> dict[str, object]:
        """For the ledger: the request whole when it starts, the reply whole when it ends."""
        said: dict[str, object] = {
            "number": self.number,
            "state": self.state.value,
            "role": self.role,
            "model": self.model,
            "request_sha256": self.request.sha256,
            "key": self.request.key,
        }
        if self.state is CallState.STARTED:
            return said | {"request": self.request.as_json()}
        said |= {"seconds": round(self.seconds, 3), "cost": None if self.cost is None else str(self.cost)}
        if self.reply is not None:
            said["reply"] = self.reply.as_json()
        if self.failure is not None:
            said |= {"failure": self.failure.kind.value, "detail": self.failure.detail}
        return said


OnCall = Callable[[Call], None]


def tell_nobody(_: Call) -> None:
    """For whoever records nothing."""


class Recorded:
    """`inner` for one role, each try reserved with `spend` and told to `on_call` before and after.

    What `on_call` raises goes to the caller: a call that cannot be recorded is not made. `recalled` are replies of an
    interrupted run by their key; each stands in once for a call that was paid for, and is told to nobody. `cancelled`
    are the calls that a person ended: they are not made, and end as they did then.
    """

    def __init__(
        self,
        inner: Model,
        role: str,
        spend: Spend,
        on_call: OnCall = tell_nobody,
        *,
        recalled: Mapping[RecallKey, list[ModelReply]] | None = None,
        cancelled: Container[RecallKey] = (),
        numbers: "itertools.count[int] | None" = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._inner = inner
        self._role = role
        self._spend = spend
        self._on_call = on_call
        self._recalled = recalled or {}
        self._cancelled = cancelled
        self._numbers = numbers or itertools.count(1)
        self._clock = clock

    @property
    def name(self) -> str:
        return self._inner.name

    async def complete(self, request: ModelRequest) -> ModelReply:
        """What `inner` replies, or replied when it was asked before. Raises ModelFailure."""
        started = Call(number=0, state=CallState.STARTED, role=self._role, model=self.name, request=request)
        if waiting := self._recalled.get(started.recall_key):
            return waiting.pop(0)
        if started.recall_key in self._cancelled:
            raise asyncio.CancelledError
        reserved = self._spend.reserve(self.name, request)
        started = replace(started, number=next(self._numbers))
        begun = self._clock()
        try:
            self._on_call(started)
        except BaseException:
            self._spend.release(reserved, uncertain=False)
            raise
        try:
            reply = await self._inner.complete(request)
        except ModelFailure as failure:
            self._ended_badly(started, reserved, failure, self._clock() - begun)
            raise
        except (Exception, asyncio.CancelledError, KeyboardInterrupt):
            self._ended_badly(started, reserved, None, self._clock() - begun)
            raise
        cost = self._spend.settle(reserved, request, reply)
        seconds = self._clock() - begun
        self._on_call(replace(started, state=CallState.FINISHED, reply=reply, cost=cost, seconds=seconds))
        return reply

    def _ended_badly(self, started: Call, reserved: Reservation, failure: ModelFailure | None, seconds: float) -> None:
        uncertain = failure is None or failure.uncertain
        self._spend.release(reserved, uncertain=uncertain)
        state = CallState.UNCERTAIN if uncertain else CallState.FAILED
        self._on_call(replace(started, state=state, failure=failure, seconds=seconds))
