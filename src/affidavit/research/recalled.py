"""What models answered in an earlier run, so that nobody pays for it again, and a replay needs no model.

A call is known by its model, the hash of its request and its key in the run. A finished one is answered from the
record. One that began and has no end is uncertain: the provider may have done the work and charged for it.
"""

import asyncio
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, cast

from affidavit.errors import ModelFailure, NotRecorded
from affidavit.ledger.canonical import canonical
from affidavit.ledger.event import RESUMED, STOPPED, Event
from affidavit.models.call import RecallKey, read_failure
from affidavit.models.prices import Prices
from affidavit.models.reply import ModelReply
from affidavit.models.request import ModelRequest

ASKED, REPLIED, FAILED, UNCERTAIN = "model.asked", "model.replied", "model.failed", "model.uncertain"
GAVE_UP, CANCELLED = "model.gave_up", "model.cancelled"
"""How a call ended that got no reply: given up after all its tries, or ended by a person. It may stand beside tries
that failed or are uncertain, or beside none: at the deadline, between tries and in the queue no try tells of it."""
INTERRUPTED = "interrupted"
"""Where the run landed because a person ended a call, this follows; where the run ended too, the call was cut off."""


@dataclass(slots=True)
class Calls:
    """The calls of one run. `replies` and `failures` are by key, in the order in which they ended; `uncertain` are the
    events of calls of which nobody knows the end; `endings` how calls ended that got no reply. `tries` is the highest
    number of a try, and `unpriced` counts those of which nobody knows what they cost."""

    replies: dict[RecallKey, list[ModelReply]] = field(default_factory=lambda: defaultdict(list))
    endings: dict[RecallKey, list[ModelFailure | None]] = field(default_factory=lambda: defaultdict(list))
    uncertain: list[Mapping[str, Any]] = field(default_factory=list[Mapping[str, Any]])
    tries: int = 0
    spent: Decimal = Decimal(0)
    unpriced: int = 0

    @property
    def to_repeat(self) -> list[Mapping[str, Any]]:
        """The uncertain calls that a run which goes on would have to make again."""
        return [one for one in self.uncertain if _key(one) not in self.endings]

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
    ended_by_hand: list[RecallKey] = []
    for event in events:
        said = cast("Mapping[str, Any]", event.payload)
        if event.type == ASKED:
            found.tries = max(found.tries, said["number"])
            # A number that is taken again is that of a run that was resumed: the call before it was cut off.
            cut_off = open_calls.pop(said["number"], None)
            found.uncertain += [] if cut_off is None else [cut_off]
            open_calls[said["number"]] = said
        elif event.type in (REPLIED, FAILED, UNCERTAIN):
            asked = open_calls.pop(said["number"], {})
            _ended(found, event.type, {**asked, **said})
        elif event.type == CANCELLED:
            ended_by_hand.append(_key(said))
        elif event.type == GAVE_UP:
            found.endings[_key(said)].append(read_failure(said["model"], said))
        elif event.type == INTERRUPTED:
            for key in ended_by_hand:
                found.endings[key].append(None)
            ended_by_hand.clear()
        elif event.type in (STOPPED, RESUMED):
            ended_by_hand.clear()
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
    if event_type == UNCERTAIN:
        found.uncertain.append(said)


def _key(said: Mapping[str, Any]) -> RecallKey:
    return said["model"], said["request_sha256"], said["key"]


class RecalledModel:
    """The model called `name` as far as `calls` go: the reply of a call, or how it ended without one."""

    def __init__(self, name: str, calls: Calls) -> None:
        self.name = name
        self._calls = calls

    async def complete(self, request: ModelRequest) -> ModelReply:
        """Raises ModelFailure as it was raised then, CancelledError for a call that a person ended, NotRecorded for a
        call that was never made."""
        key = (self.name, request.sha256, request.key)
        if replies := self._calls.replies.get(key):
            return replies.pop(0)
        if endings := self._calls.endings.get(key):
            raise endings.pop(0) or asyncio.CancelledError
        raise NotRecorded(
            f"no call of {self.name} with this request ({request.key or 'no key'}, sha256 {request.sha256[:12]}…) is "
            "in the ledger: something before it has come out otherwise"
        )
