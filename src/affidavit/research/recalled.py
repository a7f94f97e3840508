"""What models answered in an earlier run, so that nobody pays for it again, and a replay needs no model.

A call is known by its model, the hash of its request and its key in the run. A finished one is answered from the
record. One that began and has no end is uncertain: the provider may have done the work and charged for it.
"""

import asyncio
from collections import defaultdict, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, cast

from affidavit.errors import ModelFailure, ModelFailureKind, NotRecorded
from affidavit.ledger.canonical import canonical
from affidavit.ledger.event import RESUMED, STOPPED, Event
from affidavit.models.call import RecallKey
from affidavit.models.prices import Prices
from affidavit.models.reply import ModelReply
from affidavit.models.request import ModelRequest

ASKED, REPLIED, FAILED, UNCERTAIN = "model.asked", "model.replied", "model.failed", "model.uncertain"
CANCELLED, INTERRUPTED = "model.cancelled", "interrupted"
"""The event of a call that a person ended, all its tries with it: it may stand beside an uncertain try or a failed one,
or, where the call still waited for its turn, beside none. Where the run landed for it, its end follows; where the run
ended too, the call is one that was cut off."""


@dataclass(slots=True)
class Calls:
    """The calls of one run. `replies` and `failures` are by key, in the order in which they ended; `uncertain` are the
    events of calls of which nobody knows the end; `cancelled` those that a person ended; `capped` the calls that were
    not made, because money had run out. `unpriced` counts those of which nobody knows what they cost."""

    replies: dict[RecallKey, list[ModelReply]] = field(default_factory=lambda: defaultdict(list))
    failures: dict[RecallKey, list[ModelFailure]] = field(default_factory=lambda: defaultdict(list))
    uncertain: list[Mapping[str, Any]] = field(default_factory=list[Mapping[str, Any]])
    cancelled: set[RecallKey] = field(default_factory=set[RecallKey])
    capped: dict[str, deque[ModelFailure]] = field(default_factory=lambda: defaultdict(deque))
    spent: Decimal = Decimal(0)
    unpriced: int = 0

    @property
    def to_repeat(self) -> list[Mapping[str, Any]]:
        """The uncertain calls that a run which goes on would have to make again."""
        return [one for one in self.uncertain if _key(one) not in self.cancelled]

    def may_have_cost(self, prices: Prices) -> Decimal:
        """The most dollars that the uncertain calls may have been charged: no text has more tokens than bytes."""
        total = Decimal(0)
        for call in self.uncertain:
            price, request = prices.of(call["model"]), call.get("request")
            if price is not None and request:
                total += price.most(len(canonical(request)), request["max_tokens"])
        return total


def read_calls(events: Sequence[Event]) -> Calls:
    """The calls that `events` tell of, each told when it began and when it ended."""
    found = Calls()
    open_calls: dict[int, Mapping[str, Any]] = {}
    ending: set[RecallKey] = set()
    for event in events:
        said = cast("Mapping[str, Any]", event.payload)
        if event.type == ASKED:
            # A number that is taken again is that of a run that was resumed: the call before it was cut off.
            cut_off = open_calls.pop(said["number"], None)
            found.uncertain += [] if cut_off is None else [cut_off]
            open_calls[said["number"]] = said
        elif event.type in (REPLIED, FAILED, UNCERTAIN):
            asked = open_calls.pop(said["number"], {})
            _ended(found, event.type, {**asked, **said})
        elif event.type == CANCELLED:
            ending.add(_key(said))
        elif event.type == INTERRUPTED:
            found.cancelled |= ending
        elif event.type in (STOPPED, RESUMED):
            ending.clear()
        elif event.type == "model_failed" and said["kind"] == ModelFailureKind.SPEND_LIMIT.value:
            found.capped[said["model"]].append(_failure(said["kind"], said))
    found.uncertain += open_calls.values()
    found.unpriced += len(open_calls)
    found.uncertain = [one for one in found.uncertain if not found.replies.get(_key(one))]
    return found


def as_uncertain(said: Mapping[str, Any]) -> dict[str, object]:
    """What is recorded of a call that was cut off, of which `said` tells the beginning or that it is uncertain."""
    kept = {name: said[name] for name in ("number", "role", "model", "request_sha256", "key")}
    return {**kept, "state": "uncertain", "seconds": 0.0, "cost": None}


def _ended(found: Calls, event_type: str, said: Mapping[str, Any]) -> None:
    key = _key(said)
    if said["cost"] is not None:
        found.spent += Decimal(said["cost"])
    elif event_type in (REPLIED, UNCERTAIN):
        found.unpriced += 1
    if event_type == REPLIED:
        found.replies[key].append(ModelReply.from_json(said["reply"]))
        return
    if "failure" in said:
        found.failures[key].append(_failure(said["failure"], said))
    if event_type == UNCERTAIN:
        found.uncertain.append(said)


def _key(said: Mapping[str, Any]) -> RecallKey:
    return said["model"], said["request_sha256"], said["key"]


def _failure(kind: str, said: Mapping[str, Any]) -> ModelFailure:
    return ModelFailure(ModelFailureKind(kind), said["model"], said["detail"])


class RecalledModel:
    """The model called `name` as far as `calls` go: the reply of a call, or the last failure of one that got none."""

    def __init__(self, name: str, calls: Calls) -> None:
        self.name = name
        self._calls = calls

    async def complete(self, request: ModelRequest) -> ModelReply:
        """Raises ModelFailure as it was raised then, CancelledError for a call that a person ended, NotRecorded for a
        call that was never made."""
        key = (self.name, request.sha256, request.key)
        if replies := self._calls.replies.get(key):
            return replies.pop(0)
        if key in self._calls.cancelled:
            raise asyncio.CancelledError
        if failures := self._calls.failures.get(key):
            raise failures[-1]
        if capped := self._calls.capped.get(self.name):
            raise capped.popleft()
        raise NotRecorded(
            f"no call of {self.name} with this request ({request.key or 'no key'}, sha256 {request.sha256[:12]}…) is "
            "in the ledger: something before it has come out otherwise"
        )
