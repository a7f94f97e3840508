"""The pieces of a customer in the ledger: what was written here, and what was published before and imported.

A piece that is handed out becomes memory by being recorded; imported ones stand in a stream of events of their own for
each customer. Nothing is ever taken out of either.
"""

import hashlib
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, cast

from affidavit.errors import NotRecorded, Overtaken
from affidavit.evidence.piece import Piece
from affidavit.ledger import Event, Ledger
from affidavit.write.memory import Memory, Recalled, recall_markdown

PIECE = "piece"
"""The event with a piece as it was given out."""
BEGUN, IMPORTED = "pieces.begun", "pieces.imported"
_ALL = 100_000
_TRIES = 50


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import brought: the pieces that are new, and how many were known already."""

    new: tuple[Recalled, ...]
    known: int


class Pieces:
    """The pieces in `ledger`."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    def written(self, customer: str | None = None) -> list[Mapping[str, Any]]:
        """The pieces written here, as JSON (J3) and with `written_at`, ISO-8601 in UTC, newest first; those of
        `customer`, or all."""
        return [{**said["piece"], "written_at": event.at} for event, said in self._events(customer)]

    def memory(self, customer: str, *, but: str | None = None) -> Memory:
        """What `customer` has published, as far as it is known: what was handed out here, newest first, then what was
        imported, the last import first.

        Of the pieces written here under one title the newest stands for all: they are versions of one piece. `but` is a
        title under which one is being written: its earlier versions are no earlier piece.
        """
        versions: dict[str, Recalled] = {}
        for said in self._written(customer):
            if said["recalled"] is not None:
                versions.setdefault(_plain(said["piece"]["title"]), recalled(said["recalled"]))
        versions.pop(_plain(but or ""), None)
        imported = [recalled(event.payload) for event in reversed(self._imported(customer))]
        return Memory.of([*versions.values(), *imported])

    def recall(self, customer: str, memory_ids: Sequence[str]) -> Memory:
        """The pieces of `customer` of those ids, in that order. Raises NotRecorded naming one that is not here."""
        if not memory_ids:
            return Memory()
        said = [one["recalled"] for one in self._written(customer) if one["recalled"] is not None]
        known = [*map(recalled, said), *(recalled(event.payload) for event in self._imported(customer))]
        by_id = {one.memory_id: one for one in known}
        missing = next((one for one in memory_ids if one not in by_id), None)
        if missing is not None:
            raise NotRecorded(f"the earlier piece {missing} of {customer}")
        return Memory(tuple(by_id[one] for one in memory_ids))

    def _written(self, customer: str | None) -> list[Mapping[str, Any]]:
        return [said for _, said in self._events(customer)]

    def _events(self, customer: str | None) -> list[tuple[Event, Mapping[str, Any]]]:
        events = self._ledger.recorded(PIECE, limit=_ALL)
        found = [(event, cast("Mapping[str, Any]", event.payload)) for event in events]
        return [one for one in found if customer is None or same_customer(one[1]["customer"], customer)]

    def add(self, customer: str, found: Sequence[Recalled]) -> Imported:
        """Record earlier pieces of `customer`; one that is known is not recorded again. Raises StorageError."""
        stream = stream_of(customer)
        for _ in range(_TRIES):
            events = self._ledger.stream(stream)
            known = {str(event.payload["memory_id"]) for event in events if event.type == IMPORTED}
            new = list({one.memory_id: one for one in found if one.memory_id not in known}.values())
            said: list[tuple[str, Mapping[str, object]]] = [] if events else [(BEGUN, {"customer": customer})]
            said += [(IMPORTED, remembered(one)) for one in new]
            if not new:
                return Imported((), len(found))
            try:
                self._ledger.append(stream, events[-1] if events else None, said)
            except Overtaken:
                continue
            return Imported(tuple(new), len(found) - len(new))
        raise Overtaken(f"{stream}: other processes were quicker {_TRIES} times; import again")

    def _imported(self, customer: str) -> list[Event]:
        return [event for event in self._ledger.stream(stream_of(customer)) if event.type == IMPORTED]


def piece_event(piece: Piece, shown: Mapping[str, Any]) -> dict[str, object]:
    """What a run records of the piece that it gives out: the piece as it is `shown` (J3), and, where it is handed out,
    what will be remembered of it. That is worked out once here: a customer of years has hundreds of pieces."""
    memory = None if piece.text is None else remembered(recall_markdown(piece.title, piece.text))
    return {"customer": piece.customer, "piece": shown, "recalled": memory}


def remembered(one: Recalled) -> dict[str, object]:
    """What is recorded of an earlier piece; `recalled` reads it back."""
    return {"memory_id": one.memory_id, **asdict(one)}


def recalled(said: Mapping[str, Any]) -> Recalled:
    """What was recorded of an earlier piece."""
    return Recalled(**{name: value for name, value in said.items() if name != "memory_id"})


def same_customer(one: str, other: str) -> bool:
    """A customer is known by the letters of its name, not by case or white space."""
    return _plain(one) == _plain(other)


def stream_of(customer: str) -> str:
    """The name of the stream of imported pieces: short, and of no character that a database or a file minds."""
    return "pieces_" + hashlib.sha256(_plain(customer).encode("utf-8", "surrogatepass")).hexdigest()[:24]


def _plain(name: str) -> str:
    return unicodedata.normalize("NFKC", " ".join(name.split())).casefold()
