"""A piece derived again from the ledger's events, with no model: the same loop over the replies that were recorded."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

from affidavit.errors import NotRecorded
from affidavit.evidence.piece import Piece
from affidavit.ledger import Event
from affidavit.models.context import Context
from affidavit.models.embedded import TokenCounter
from affidavit.models.structured import Structured
from affidavit.research.recalled import Calls, RecalledModel, read_calls
from affidavit.write.author import DEFAULT_PROMPT, Author
from affidavit.write.loop import Desk, write_piece
from affidavit.write.pieces import PIECE
from affidavit.write.record import COMMISSION, Recall, commission_from_json, commission_json
from affidavit.write.reviewer import Reviewer

COST = "cost"
"""The event with what the models of the run took: recorded, since no replay can derive it."""


@dataclass(slots=True)
class Said:
    """A log that keeps what a replay says, as it would stand in the ledger, and writes nothing."""

    run_id: str
    cleaned: Callable[[object], object]
    said: list[tuple[str, object]] = field(default_factory=list[tuple[str, object]])

    def record(self, event_type: str, payload: Mapping[str, object]) -> int:
        self.said.append((event_type, self.cleaned(payload)))
        return len(self.said)


@dataclass(frozen=True, slots=True)
class PieceRecord:
    """What a writing run recorded. `shown` is the piece as it was given out (J3)."""

    run_id: str
    events: Sequence[Event]
    commission: Mapping[str, Any]
    shown: Mapping[str, Any]
    cost: Mapping[str, Any]

    def again(self, cleaned: Callable[[object], object], recall: Recall) -> tuple[Piece, list[tuple[str, object]]]:
        """The piece that follows from the record, and what was said on the way; `recall` finds earlier pieces in the
        ledger. Raises NotRecorded where a call is asked for that was never made, or an earlier piece is not there."""
        log = Said(self.run_id, cleaned)
        commission = commission_from_json(self.commission, recall)
        log.record(COMMISSION, commission_json(commission))
        calls = read_calls(self.events)
        desk = Desk(
            log=log,
            counter=TokenCounter(),
            author=None
            if commission.draft is not None
            else Author(self._model("writer", calls), _prompt(commission.prompt), self._context),
            reviewer=None
            if self.shown["reviewer"] is None
            else Reviewer(self._model("reviewer", calls), self._context),
        )
        piece = asyncio.run(write_piece(commission, desk))
        log.record(COST, self.cost)
        return replace(piece, cost=self.cost or None), log.said

    @property
    def _context(self) -> Context:
        """What the models read in one call, as the run was begun with it."""
        begun = cast("Mapping[str, Any]", self.events[0].payload)
        return Context(begun["settings"]["models"].get("context_tokens"))

    def _model(self, role: str, calls: Calls) -> Structured:
        return Structured(RecalledModel(str(self.shown[role]), calls))


def read_piece_record(run_id: str, events: Sequence[Event]) -> PieceRecord:
    """The record of a writing run that came to its end. Raises NotRecorded naming what is not there."""
    found: dict[str, Mapping[str, Any]] = {event.type: cast("Mapping[str, Any]", event.payload) for event in events}
    for name, what in {
        COMMISSION: "what was asked for",
        PIECE: "the piece as it was given out",
        COST: "the cost",
    }.items():
        if name not in found:
            raise NotRecorded(f"{what} (no {name} event)")
    return PieceRecord(run_id, events, found[COMMISSION], found[PIECE]["piece"], found[COST])


def _prompt(prompt: str | None) -> str:
    return DEFAULT_PROMPT if prompt is None else prompt
