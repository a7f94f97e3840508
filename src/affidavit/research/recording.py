"""What a run's events hold of the world outside it: what each search gave, what came from each address, how time went.

With that, the run's own code can be run again and must come to the same answer, with no network and no model. Old
events lack some of it; `Recording.missing` names what.
"""

from collections import defaultdict, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, cast

from affidavit.errors import FailureKind, PageFailure, SearchFailure, SearchFailureKind
from affidavit.evidence.document import Fetched
from affidavit.ledger.canonical import canonical
from affidavit.ledger.event import FINISHED, PUBLISHED, Event, seconds_run
from affidavit.ledger.redaction import MARK
from affidavit.ranking.hit import Hit

OF_MACHINE = (FailureKind.TIMEOUT, FailureKind.CRASHED, FailureKind.TOO_LARGE)
"""What ended a page for reasons of that machine at that moment: a fact of the run, not of the page."""

_RESPONSE = ("asked", "url", "status", "headers", "retrieved_at", "blob")
_HIT = ("url", "title", "snippet", "published", "provider", "rank")


@dataclass(frozen=True, slots=True, kw_only=True)
class Searched:
    """What one search gave: hits, or the failure of the whole of it; beside hits, the `parts` of it that failed."""

    hits: tuple[Hit, ...] = ()
    failure: SearchFailure | None = None
    parts: tuple[SearchFailure, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """A page as it came; its body lies in the ledger's blobs under `blob`."""

    asked: str
    url: str
    status: int
    headers: tuple[tuple[str, str], ...]
    retrieved_at: str
    blob: str

    @classmethod
    def of(cls, asked: str, fetched: Fetched, blob: str) -> "Response":
        return cls(
            asked=asked,
            url=fetched.final_url,
            status=fetched.status,
            headers=fetched.headers,
            retrieved_at=fetched.retrieved_at,
            blob=blob,
        )

    def as_json(self) -> dict[str, object]:
        """As it stands in an event; `response_of` reads it back."""
        return {name: getattr(self, name) for name in _RESPONSE}

    def fetched(self, body: bytes) -> Fetched:
        return Fetched(
            requested_url=self.asked,
            final_url=self.url,
            retrieved_at=self.retrieved_at,
            status=self.status,
            headers=self.headers,
            body=body,
        )


@dataclass(slots=True)
class Recording:
    """Read from `events`. Searches are taken out one by one, in the order in which they were made; pages stay.
    `interrupted` is whether its gathering was cancelled, `cut_short` whether what came after was."""

    events: Sequence[Event]
    searches: dict[tuple[str, str], deque[Searched]] = field(default_factory=lambda: defaultdict(deque))
    responses: dict[str, Response] = field(default_factory=dict[str, Response])
    documents: set[str] = field(default_factory=set[str])
    failures: dict[str, PageFailure] = field(default_factory=dict[str, PageFailure])
    interrupted: bool = False
    cut_short: bool = False
    late_from: int | None = None
    now: datetime | None = None
    names: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    missing: list[str] = field(default_factory=list[str])

    @property
    def begun(self) -> Mapping[str, Any]:
        """What the first event says: the question, the settings, the version of the product."""
        return self.events[0].payload

    @property
    def settings(self) -> Mapping[str, Any]:
        return cast("Mapping[str, Any]", self.begun["settings"])

    @property
    def published(self) -> Mapping[str, Any] | None:
        """What the run gave back; None for a run that did not come so far."""
        return next((event.payload for event in self.events if event.type == PUBLISHED), None)

    @property
    def finished(self) -> bool:
        return self.events[-1].type == FINISHED

    @property
    def urls(self) -> tuple[str, ...]:
        """Every address that the run had seen, by a search or where a page led it: those first that it has not asked
        for yet. One that a secret was cut out of is none any more."""
        found = [hit.url for kept in self.searches.values() for one in kept for hit in one.hits]
        asked = self.responses.keys() | self.failures.keys()
        waiting, done = [url for url in found if url not in asked], [url for url in found if url in asked]
        landed = [response.url for response in self.responses.values()]
        return tuple(url for url in dict.fromkeys([*waiting, *landed, *done]) if MARK not in url)

    def search(self, provider: str, query: str) -> Searched | None:
        """What the next search of that provider for `query` gave; None where none more is recorded."""
        waiting = self.searches.get((provider, query))
        return waiting.popleft() if waiting else None

    def page(self, asked: str) -> Response | PageFailure | None:
        """What came from `asked`, or the failure that ended it there or on a machine that was too small; else None."""
        failure = self.failures.get(asked)
        response = self.responses.get(asked)
        if failure is not None and (response is None or failure.kind in OF_MACHINE):
            return failure
        if self.interrupted and asked not in self.documents and failure is None:
            return None  # it came, and the run was stopped before it was read
        return response

    def at(self) -> dict[str, deque[float]]:
        """When, in seconds of the run, each thing was recorded, by `key_of` what was said."""
        found: dict[str, deque[float]] = defaultdict(deque)
        for event, seconds in zip(self.events, seconds_run(self.events), strict=True):
            found[key_of(event.type, event.payload)].append(seconds)
        return found


def key_of(event_type: str, payload: object) -> str:
    """One text for one event, whenever it was said."""
    return f"{event_type} {canonical(payload)}"


def read_recording(events: Sequence[Event]) -> Recording:
    """The recording of one run. What an event lacks is noted in `missing`, and the rest is still read."""
    found = Recording(events)
    parts: _Parts = defaultdict(list)
    for event in events:
        reader = _READERS.get(event.type)
        if reader is not None:
            reader(found, event, parts)
    if not found.names:
        found.names = tuple(dict.fromkeys(provider for provider, _ in found.searches))
    return found


_Parts = dict[tuple[str, str], list[SearchFailure]]
"""By provider and query, the failures that cost a part of a search whose own end has not been read yet."""


def _plan(found: Recording, event: Event, _: _Parts) -> None:
    if _lacks(found, event, ("searches", "notes"), event.payload):
        return
    found.names = tuple(cast("Sequence[str]", event.payload["searches"]))
    found.notes = tuple(cast("Sequence[str]", event.payload["notes"]))


def _search(found: Recording, event: Event, parts: _Parts) -> None:
    said = cast("Mapping[str, Any]", event.payload)
    key = (str(said["provider"]), str(said["query"]))
    failed = tuple(parts.pop(key, ()))
    hits: list[Hit] = []
    for hit in cast("Sequence[Mapping[str, Any]]", said["hits"]):
        if _lacks(found, event, _HIT, hit):
            return
        hits.append(Hit(**hit))
    found.searches[key].append(Searched(hits=tuple(hits), parts=failed))


def _search_failed(found: Recording, event: Event, parts: _Parts) -> None:
    said = cast("Mapping[str, Any]", event.payload)
    if _lacks(found, event, ("advice", "whole"), said):
        return
    failure = SearchFailure(
        SearchFailureKind(said["kind"]), said["failed"], said["detail"], said["retry_after"], said["advice"]
    )
    key = (str(said["provider"]), str(said["query"]))
    if said["whole"]:
        found.searches[key].append(Searched(failure=failure, parts=tuple(parts.pop(key, ()))))
    else:
        parts[key].append(failure)


def _fetched(found: Recording, event: Event, _: _Parts) -> None:
    said = cast("Mapping[str, Any]", event.payload)
    if _lacks(found, event, _RESPONSE, said):
        return
    found.responses[said["asked"]] = response_of(said)


def response_of(said: Mapping[str, Any]) -> Response:
    """The response of an event that has all its fields."""
    return Response(
        asked=said["asked"],
        url=said["url"],
        status=said["status"],
        headers=tuple((str(name), str(value)) for name, value in said["headers"]),
        retrieved_at=said["retrieved_at"],
        blob=said["blob"],
    )


def _document(found: Recording, event: Event, _: _Parts) -> None:
    asked = event.payload.get("asked")
    if asked is None:
        url = event.payload.get("url")
        found.missing.append(f"event {event.seq}: the response that {url} was read from (an older version kept none)")
        return
    found.documents.add(str(asked))


def _page_failed(found: Recording, event: Event, _: _Parts) -> None:
    said = cast("Mapping[str, Any]", event.payload)
    if not _lacks(found, event, ("asked",), said):
        found.failures[said["asked"]] = PageFailure(FailureKind(said["kind"]), said["url"], said["detail"])


def _rank(found: Recording, event: Event, _: _Parts) -> None:
    found.now = datetime.fromisoformat(str(event.payload.get("now", event.at)))


def _late(found: Recording, event: Event, _: _Parts) -> None:
    found.late_from = cast("int", event.payload["take"])


def _interrupted(found: Recording, event: Event, _: _Parts) -> None:
    if event.payload.get("landing"):
        found.cut_short = True
    else:
        found.interrupted = True


def _lacks(found: Recording, event: Event, names: Sequence[str], said: Mapping[str, object]) -> bool:
    absent = [name for name in names if name not in said]
    if absent:
        found.missing.append(f"event {event.seq} ({event.type}): {', '.join(absent)} (an older version kept none)")
    return bool(absent)


_READERS: Mapping[str, Callable[[Recording, Event, _Parts], None]] = {
    "plan": _plan,
    "search": _search,
    "search_failed": _search_failed,
    "fetched": _fetched,
    "document": _document,
    "page_failed": _page_failed,
    "rank": _rank,
    "late": _late,
    "interrupted": _interrupted,
}
"""Every event that the outside world is read from. `run.begun` is read by whoever plans."""
