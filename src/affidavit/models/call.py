"""A paid call, recorded so that nobody pays for it twice.

Told before it begins, and again when it ends. One that began and did not end in either way is uncertain: the provider
may have done the work and charged for it. Whoever resumes a run finds the finished ones by `Call.recall_key`.
"""

import asyncio
import itertools
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from enum import StrEnum
from typing import Any

from affidavit.errors import ModelFailure, ModelFailureKind
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
            said |= failure_json(self.failure)
        return said


@dataclass(frozen=True, kw_only=True)
class Ending:
    """How a call ended that gave no reply, all its tries together: by its last `failure`, or by a person, where there
    is none. Between tries, while it waits for its turn and at its deadline no try tells of it."""

    model: str
    request: ModelRequest
    failure: ModelFailure | None

    def as_json(self) -> dict[str, object]:
        said: dict[str, object] = {"model": self.model, "request_sha256": self.request.sha256, "key": self.request.key}
        return said if self.failure is None else said | failure_json(self.failure)


def failure_json(failure: ModelFailure) -> dict[str, object]:
    """All that a failure says; `read_failure` reads it back."""
    return {
        "failure": failure.kind.value,
        "detail": failure.detail,
        "retry_after": failure.retry_after,
        "uncertain": failure.uncertain,
        "advice": failure.advice,
    }


def read_failure(model: str, said: Mapping[str, Any]) -> ModelFailure:
    """The failure of `model` that `failure_json` wrote."""
    return ModelFailure(
        ModelFailureKind(said["failure"]),
        model,
        said["detail"],
        retry_after=said.get("retry_after"),
        uncertain=said.get("uncertain", False),
        advice=said.get("advice", ""),
    )


OnCall = Callable[[Call], None]
OnEnd = Callable[[Ending], None]


def tell_nobody(_: Call | Ending) -> None:
    """For whoever records nothing."""


class Recorded:
    """`inner` for one role, each try reserved with `spend` and told to `on_call` before and after.

    What `on_call` raises goes to the caller: a call that cannot be recorded is not made. `recalled` are replies of an
    interrupted run by their key; each stands in once for a call that was paid for, and is told to nobody.
    """

    def __init__(
        self,
        inner: Model,
        role: str,
        spend: Spend,
        on_call: OnCall = tell_nobody,
        *,
        recalled: Mapping[RecallKey, list[ModelReply]] | None = None,
        numbers: "itertools.count[int] | None" = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._inner = inner
        self._role = role
        self._spend = spend
        self._on_call = on_call
        self._recalled = recalled or {}
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


class Ended:
    """`inner`, all its tries together, told to `on_end` where it gave no reply.

    `ended` are the endings of an interrupted run by their key, None where a person ended the call: it ends so again,
    and is not made. Else a run that goes on would hear a reply where it had heard none, ask other things from there on,
    and pay again for what it had.
    """

    def __init__(
        self,
        inner: Model,
        on_end: OnEnd = tell_nobody,
        *,
        ended: Mapping[RecallKey, list[ModelFailure | None]] | None = None,
    ) -> None:
        self._inner = inner
        self._on_end = on_end
        self._ended = ended or {}

    @property
    def name(self) -> str:
        return self._inner.name

    async def complete(self, request: ModelRequest) -> ModelReply:
        """Raises ModelFailure, and CancelledError as it was raised in the run that is resumed."""
        before = self._ended.get((self.name, request.sha256, request.key))
        try:
            if before:
                raise before.pop(0) or asyncio.CancelledError
            return await self._inner.complete(request)
        except ModelFailure as failure:
            self._on_end(Ending(model=self.name, request=request, failure=failure))
            raise
        except asyncio.CancelledError:
            self._on_end(Ending(model=self.name, request=request, failure=None))
            raise
