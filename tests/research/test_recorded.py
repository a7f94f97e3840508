"""A run is derived again from its record, and goes on from any part of it, to the same answer."""

import asyncio
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from affidavit.errors import FailureKind, NotRecorded, PageFailure, SearchFailure, SearchFailureKind
from affidavit.evidence.answer import Answer, GapKind
from affidavit.evidence.document import Fetched
from affidavit.extract.extraction import extract
from affidavit.ledger.canonical import plain
from affidavit.ledger.event import BEGUN, Event, answer_payload
from affidavit.models.embedded.encoder import SentenceEncoder
from affidavit.ranking.hit import Hit
from affidavit.ranking.policy import load_policy
from affidavit.report.as_json import answer_json
from affidavit.research.ask import Ask
from affidavit.research.plan import make_plan
from affidavit.research.recorded import Recorded, ReplayedLog, ResumedLog, late_from, no_deadline
from affidavit.research.recording import Recording, read_recording
from affidavit.research.run import research
from affidavit.research.tools import Tools
from affidavit.settings import Budgets
from affidavit.verify import VerbatimVerifier

ENCODER = SentenceEncoder()
POLICY = load_policy(None)
NOW = datetime(2026, 6, 30, tzinfo=UTC)
PLAN = make_plan(Ask(question="When was the pier at Aldersbrook closed, and who owns the mill at Aldersbrook?"), 2)
TEXTS = (
    "The pier at Aldersbrook was closed in March 1988 after a storm.",
    "The mill at Aldersbrook is owned by the village, and was rebuilt in 1911.",
    "The pier at Aldersbrook was closed in 1988. The mill at Aldersbrook is owned by nobody else.",
)


def plainly(value: object) -> object:
    return plain(value)


@dataclass
class Ticking:
    """Time that jumps by `jump` seconds at one of its readings."""

    at: int
    jump: float = 1e6
    readings: int = 0

    def __call__(self) -> float:
        self.readings += 1
        return self.jump if self.readings > self.at else 0.0


@dataclass
class World:
    """A search and a web whose answers are fixed; counts what it is asked."""

    failing: frozenset[int] = frozenset()
    broken: frozenset[int] = frozenset()
    parts: frozenset[int] = frozenset()
    stop_at: int | None = None
    name: str = "world"
    searched: list[str] = field(default_factory=list)
    fetched: list[str] = field(default_factory=list)
    missed: list[SearchFailure] = field(default_factory=list)

    async def search(self, query: str, recency_days: int | None = None, limit: int = 10) -> list[Hit]:
        number = int(hashlib.sha256(query.encode()).hexdigest(), 16) % 8
        self.searched.append(query)
        await asyncio.sleep(0)
        if number in self.parts:
            self.missed.append(SearchFailure(SearchFailureKind.QUOTA, "other", f"no more of {query}"))
        if number in self.failing:
            raise SearchFailure(SearchFailureKind.RATE_LIMITED, self.name, "too many requests", 60)
        return [
            Hit(
                url=f"https://p{one}.example.org/a",
                title=f"Page {one}",
                snippet="",
                published=None,
                provider="w",
                rank=1,
            )
            for one in range(len(TEXTS))
        ]

    def saw(self, url: str, how: str) -> None:
        pass

    async def fetch(self, url: str) -> Fetched:
        number = int(url.removeprefix("https://p").partition(".")[0])
        self.fetched.append(url)
        await asyncio.sleep(0)
        if self.stop_at == number:
            raise asyncio.CancelledError
        if number in self.broken:
            raise PageFailure(FailureKind.NOT_FOUND, url, "gone")
        body = f"<html><body><main><p>{TEXTS[number]}</p></main></body></html>".encode()
        headers = (("content-type", "text/html; charset=utf-8"),)
        return Fetched(
            requested_url=url,
            final_url=url,
            retrieved_at="2026-06-30T00:00:00Z",
            status=200,
            headers=headers,
            body=body,
        )


class Listed:
    """A log in memory, one event a second, whose events are read back as a ledger would give them."""

    run_id = "run_1"

    def __init__(self, events: Sequence[Event] = ()) -> None:
        self.events = list(events)
        self.blobs: dict[str, bytes] = {}
        if not self.events:
            self.record(BEGUN, {"kind": "ask", "question": PLAN.ask.asked, "settings": {}, "product": "0"})

    def record(self, event_type: str, payload: Mapping[str, object]) -> int:
        at = (NOW + timedelta(milliseconds=len(self.events))).isoformat()
        said: Any = plain(payload)
        last = self.events[-1] if self.events else None
        self.events.append(Event.following(last, run_id="run_1", event_type=event_type, at=at, payload=said))
        return len(self.events)

    def keep(self, body: bytes) -> str:
        key = hashlib.sha256(body).hexdigest()
        self.blobs[key] = body
        return key


async def read(fetched: Fetched) -> Any:
    return extract(fetched)


def tools(log: Any, search: Any, web: Any, missed: list[SearchFailure], **given: Any) -> Tools:
    def taken() -> list[SearchFailure]:
        found = list(missed)
        missed.clear()
        return found

    parts: dict[str, Any] = {
        "searches": [search],
        "web": web,
        "extract": read,
        "verifier": VerbatimVerifier(),
        "encoder": ENCODER,
        "policy": POLICY,
        "log": log,
        "keep": lambda body: hashlib.sha256(body).hexdigest(),
        "now": lambda: NOW,
        "progress": lambda step, detail: None,
        "missed": taken,
    }
    return Tools(**parts | given)


def run(world: World, clock: Any, budgets: Budgets) -> tuple[Answer, Listed]:
    log = Listed()
    made = tools(log, world, world, world.missed, keep=log.keep, clock=clock)
    answer = asyncio.run(research(PLAN, made, budgets)).answer
    log.record("published", {**answer_payload(answer), "answer": answer_json(answer)})
    return answer, log


async def again(recording: Recording, blobs: Mapping[str, bytes], budgets: Budgets) -> Answer:
    missed: list[SearchFailure] = []
    log = ReplayedLog("run_1", recording, plainly)
    world = Recorded(recording, log, plainly, blobs.__getitem__)
    (name,) = recording.names
    made = tools(
        log,
        world.search(name, missed.append),
        world.web(),
        missed,
        now=lambda: recording.now or NOW,
        clock=lambda: log.seconds,
        deadline=no_deadline,
        late_from=late_from(recording),
    )
    return (await research(PLAN, made, budgets)).answer


async def resumed(
    events: Sequence[Event], blobs: Mapping[str, bytes], world: World, clock: Any, budgets: Budgets
) -> tuple[Answer, Listed]:
    recording = read_recording(events)
    inner = Listed(events)
    log = ResumedLog(inner, recording, plainly, clock=lambda: 0.0)
    recorded = Recorded(recording, log, plainly, blobs.__getitem__)
    made = tools(
        log,
        recorded.search("world", world.missed.append, world),
        recorded.web(world),
        world.missed,
        keep=inner.keep,
        clock=lambda: log.seconds,
        late_from=recording.late_from,
    )
    return (await research(PLAN, made, budgets)).answer, inner


def shown(answer: Answer) -> dict[str, Any]:
    found: Any = answer_json(answer)
    return {**found, "budget": {name: spent for name, spent in found["budget"].items() if name != "seconds"}}


FEW = st.frozensets(st.integers(0, 7), max_size=3)
SOME_PAGES = st.frozensets(st.integers(0, 2), max_size=2)
WORLDS = st.builds(World, failing=FEW, broken=SOME_PAGES, parts=FEW)
ONCE = settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))


@ONCE
@given(WORLDS, st.integers(1, 40), st.integers(1, 8), st.none() | st.integers(0, 2))
def test_a_run_is_derived_again_from_its_record_alone(world: World, ticks: int, searches: int, stop_at: int | None):
    """Whatever failed, whichever budget ran out, wherever Ctrl-C struck: the same answer, to the last field."""
    world.stop_at = stop_at
    budgets = Budgets.model_validate({"max_searches": searches})
    answer, log = run(world, Ticking(ticks), budgets)
    recording = read_recording(log.events)
    assert not recording.missing
    replayed = asyncio.run(again(recording, log.blobs, budgets))
    assert answer_json(replayed) == answer_json(answer)
    assert answer_payload(replayed)["digest"] == answer_payload(answer)["digest"]


def resumptions(log: Listed) -> Iterator[int]:
    """Every point at which a run can be cut off, after its beginning and before what it published."""
    yield from range(1, len(log.events))


@ONCE
@given(WORLDS, st.integers(1, 8), st.data())
def test_a_run_cut_off_anywhere_comes_to_the_answer_of_one_that_was_not(world: World, searches: int, data: Any):
    budgets = Budgets.model_validate({"max_searches": searches})
    answer, log = run(world, lambda: 0.0, budgets)
    cut = data.draw(st.sampled_from(list(resumptions(log))))
    before = log.events[:cut]
    second = World(failing=world.failing, broken=world.broken, parts=world.parts)
    found, after = asyncio.run(resumed(before, log.blobs, second, lambda: 0.0, budgets))
    assert shown(found) == shown(answer)
    settled = {str(one.payload["asked"]) for one in before if one.type in ("fetched", "page_failed")}
    assert not settled & set(second.fetched), "what came is not asked for again"
    searched = [str(one.payload["query"]) for one in before if one.type == "search"]
    assert len(second.searched) == len(world.searched) - len(searched) - whole_failures(before)
    kinds = [event.type for event in after.events]
    assert sorted(kinds) == sorted(event.type for event in log.events if event.type != "published"), "nothing twice"


def whole_failures(events: Sequence[Event]) -> int:
    return sum(1 for event in events if event.type == "search_failed" and event.payload["whole"])


def test_time_that_ran_out_is_out_again_at_the_same_step():
    budgets = Budgets.model_validate({})
    answer, log = run(World(), Ticking(8), budgets)
    assert GapKind.BUDGET_OUT in {gap.kind for gap in answer.gaps}
    (late,) = [event.payload for event in log.events if event.type == "late"]
    recording = read_recording(log.events)
    assert recording.late_from == late["take"]
    assert answer_json(asyncio.run(again(recording, log.blobs, budgets))) == answer_json(answer)


def test_a_record_without_a_search_says_which():
    budgets = Budgets.model_validate({})
    _, log = run(World(), lambda: 0.0, budgets)
    cut = [event for event in log.events if event.type != "search"]
    with pytest.raises(NotRecorded, match="no search of world for"):
        asyncio.run(again(read_recording(cut), log.blobs, budgets))


def test_a_record_without_a_page_says_which():
    budgets = Budgets.model_validate({})
    _, log = run(World(), lambda: 0.0, budgets)
    cut = [event for event in log.events if event.payload.get("asked") != "https://p1.example.org/a"]
    with pytest.raises(NotRecorded, match=r"nothing of https://p1\.example\.org/a is in the ledger"):
        asyncio.run(again(read_recording(cut), log.blobs, budgets))


def test_events_of_an_older_version_are_read_and_what_they_lack_is_named():
    log = Listed()
    log.record("plan", {"asked": "What?", "falsifier": None, "subquestions": ["What?"]})
    log.record("search", {"provider": "archive", "query": "what", "hits": [{"url": "https://a.example.org/"}]})
    log.record("document", {"doc_id": "doc_1", "url": "https://a.example.org/", "blob": "00"})
    log.record("page_failed", {"url": "https://b.example.org/", "kind": "not_found", "detail": "gone"})
    recording = read_recording(log.events)
    assert [one.partition(" (an older")[0] for one in recording.missing] == [
        "event 2 (plan): searches, notes",
        "event 3 (search): title, snippet, published, provider, rank",
        "event 4: the response that https://a.example.org/ was read from",
        "event 5 (page_failed): asked",
    ]
