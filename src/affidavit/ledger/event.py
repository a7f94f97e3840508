"""One thing that happened in a run, chained to what happened before it.

An event's digest covers everything the event says and the digest of the event before, so that no event of a run
can be changed, removed from the middle, added or moved without the chain saying where. Two things the chain
cannot say: that events were cut off its end (a finished run ends in ``run.finished``, so there it shows), and
that somebody wrote the whole run anew (a signature over a bundle answers that).
"""

import dataclasses
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import cast

from affidavit.errors import IntegrityError
from affidavit.evidence.answer import Answer
from affidavit.ledger.canonical import canonical, digest

BEGUN = "run.begun"
STOPPED = "run.stopped"
"""The run was left before its end, by Ctrl-C or because the machine failed it. It can be resumed."""
RESUMED = "run.resumed"
CUT = "run.cut"
"""Addresses that the event `event` names lost a secret: `same` are their digests (ledger.sameness). It stands before
that event, or after ``run.begun``."""
FINISHED = "run.finished"
PUBLISHED = "published"

EVENT_TYPE = re.compile(r"[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*\Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """`seq` counts from 1 in a run. `at` is ISO-8601 in UTC. `digest` and `previous` name their algorithm."""

    run_id: str
    seq: int
    type: str
    at: str
    payload: Mapping[str, object]
    previous: str | None
    digest: str

    @classmethod
    def following(
        cls, last: "Event | None", *, run_id: str, event_type: str, at: str, payload: Mapping[str, object]
    ) -> "Event":
        """The event that comes after `last` in run `run_id`; the first one when `last` is None."""
        if EVENT_TYPE.match(event_type) is None:
            raise ValueError(f"event type {event_type!r}: write lower-case words joined by dots, such as page.fetched")
        seq = 1 if last is None else last.seq + 1
        previous = None if last is None else last.digest
        said = {"run_id": run_id, "seq": seq, "type": event_type, "at": at, "payload": payload, "previous": previous}
        return cls(
            run_id=run_id, seq=seq, type=event_type, at=at, payload=payload, previous=previous, digest=digest(said)
        )

    def said(self) -> dict[str, object]:
        """What the digest covers: everything but the digest itself."""
        return {
            "run_id": self.run_id,
            "seq": self.seq,
            "type": self.type,
            "at": self.at,
            "payload": self.payload,
            "previous": self.previous,
        }

    def as_json(self) -> dict[str, object]:
        return {**self.said(), "digest": self.digest}


def event_from_json(data: Mapping[str, object], where: str) -> Event:
    """The event of one line of an export. Raises IntegrityError, beginning with `where`, if it is not one."""
    kinds = {"run_id": str, "seq": int, "type": str, "at": str, "payload": dict, "digest": str}
    for name, kind in kinds.items():
        if not isinstance(data.get(name), kind) or isinstance(data.get(name), bool):
            raise IntegrityError(f"{where}: {name} is missing or is not {kind.__name__}")
    previous = data.get("previous")
    if not (previous is None or isinstance(previous, str)) or set(data) != {*kinds, "previous"}:
        raise IntegrityError(f"{where}: not the fields of an event: {', '.join(sorted(data))}")
    return Event(**data)  # pyright: ignore[reportArgumentType]


def verify_chain(events: Iterable[Event], run_id: str) -> int:
    """How many events the chain of run `run_id` holds. Raises IntegrityError at the first that does not fit."""
    last: Event | None = None
    for event in _linked(events, run_id):
        where = f"{run_id}, event {event.seq} ({event.type})"
        if last is not None and last.type == FINISHED:
            raise IntegrityError(f"{where}: comes after the run was finished")
        if (event.type == BEGUN) is not (event.seq == 1):
            raise IntegrityError(f"{where}: is {event.type}; a run begins with one {BEGUN}")
        last = event
    if last is None:
        raise IntegrityError(f"{run_id}: no events")
    return last.seq


def verify_stream(events: Iterable[Event], stream: str) -> int:
    """How many events the stream holds; none is a stream that has not begun. Raises IntegrityError at the first that
    does not fit."""
    return sum(1 for _ in _linked(events, stream))


def _linked(events: Iterable[Event], chain: str) -> Iterator[Event]:
    """`events`, each once it is seen to follow the one before it in `chain` and to say what its digest covers."""
    last: Event | None = None
    for position, event in enumerate(events, start=1):
        where = f"{chain}, event {position}"
        if event.run_id != chain:
            raise IntegrityError(f"{where}: belongs to {event.run_id}")
        if event.seq != position:
            raise IntegrityError(f"{where}: is numbered {event.seq}; an event is missing or was moved")
        if event.previous != (last.digest if last else None):
            raise IntegrityError(f"{where} ({event.type}): follows {event.previous}, which is not the event before it")
        if digest(event.said()) != event.digest:
            raise IntegrityError(f"{where} ({event.type}): its content does not hash to {event.digest}")
        yield event
        last = event


def seconds_run(events: Sequence[Event]) -> list[float]:
    """How long the run had run at each of its `events`, in order; time in which no process wrote it does not count."""
    found: list[float] = []
    since: datetime | None = None
    before = 0.0
    for event in events:
        at = datetime.fromisoformat(event.at)
        if event.type == RESUMED:
            before, since = float(cast("float", event.payload["seconds"])), at
        since = since or at
        found.append(round(before + max(0.0, (at - since).total_seconds()), 6))
    return found


def answer_payload(answer: Answer) -> dict[str, object]:
    """What a ``published`` event says of `answer`: enough that no other answer can take its place.

    `digest` covers every field of the answer and the order of every list in it, and `documents` every field of each
    document, headers and times included. The rest is for a person who reads the events.
    """
    documents = {document.doc_id: digest(document) for document in answer.documents}
    fields = {field.name: getattr(answer, field.name) for field in dataclasses.fields(answer)}
    in_order = [digest(document) for document in answer.documents]
    return {
        "state": answer.state.value,
        "claims": [verified.claim.claim_id for verified in answer.claims],
        "partial": [verified.claim.claim_id for verified in answer.partial],
        "dropped": [dropped.claim.claim_id for dropped in answer.dropped],
        "documents": documents,
        "digest": digest({**fields, "documents": in_order}),
    }


def payload_text(event: Event) -> str:
    """The payload as it is stored."""
    return canonical(event.payload)


def payload_from_text(text: str) -> dict[str, object]:
    return json.loads(text)
