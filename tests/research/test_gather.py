"""What a search that fails does to a run."""

import asyncio
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import pytest

from affidavit.errors import FailureKind, PageFailure, SearchFailure, SearchFailureKind
from affidavit.evidence.answer import GapKind, State
from affidavit.evidence.document import Fetched
from affidavit.extract.extraction import extract
from affidavit.models.embedded.encoder import SentenceEncoder
from affidavit.ranking.hit import Hit
from affidavit.ranking.policy import load_policy
from affidavit.research.ask import Ask
from affidavit.research.plan import make_plan
from affidavit.research.run import research
from affidavit.research.tools import Tools
from affidavit.settings import Budgets
from affidavit.verify import VerbatimVerifier


class Failing:
    name = "tavily"

    async def search(self, query: str, recency_days: int | None = None, limit: int = 10) -> list[Hit]:
        raise SearchFailure(SearchFailureKind.RATE_LIMITED, "tavily", "too many requests", 60)


class Finding:
    name = "wikipedia"

    async def search(self, query: str, recency_days: int | None = None, limit: int = 10) -> list[Hit]:
        url = "https://en.wikipedia.org/wiki/Pier"
        return [Hit(url=url, title="Pier", snippet="", published=None, provider=self.name, rank=1)]


class Nowhere:
    def saw(self, url: str, how: str) -> None:
        pass

    async def fetch(self, url: str) -> Fetched:
        raise PageFailure(FailureKind.NOT_FOUND, url, "gone")


class Noted:
    run_id = "run_1"

    def __init__(self) -> None:
        self.events: list[tuple[str, Mapping[str, Any]]] = []

    def record(self, event_type: str, payload: Mapping[str, object]) -> int:
        self.events.append((event_type, payload))
        return len(self.events)


def tools_for(searches: Any, log: Noted, **given: Any) -> Tools:
    parts: dict[str, Any] = {
        "searches": searches,
        "web": Nowhere(),
        "extract": lambda fetched: pytest.fail("nothing was fetched"),
        "verifier": VerbatimVerifier(),
        "encoder": SentenceEncoder(),
        "policy": load_policy(None),
        "log": log,
        "keep": lambda body: "sha256",
        "now": lambda: datetime(2026, 6, 30, tzinfo=UTC),
        "progress": lambda step, detail: None,
    }
    return Tools(**parts | given)


def run(*searches: Any, **given: Any):
    log = Noted()
    plan = make_plan(Ask(question="When was the pier closed?"), 4)
    return asyncio.run(research(plan, tools_for(searches, log, **given), Budgets())).answer, log  # pyright: ignore[reportCallIssue]


def test_a_search_that_fails_is_a_gap_and_an_event_and_no_end():
    answer, log = run(Failing(), Finding())
    blocked = [gap.detail for gap in answer.gaps if gap.kind is GapKind.BLOCKED]
    assert [detail for detail in blocked if detail.startswith("provider tavily: rate limited")] == blocked[:1]
    failed = [payload for kind, payload in log.events if kind == "search_failed"]
    assert {payload["failed"] for payload in failed} == {"tavily"}
    assert {tried.provider for tried in answer.tried} == {"wikipedia"}


def test_a_run_in_which_no_search_answered_says_so():
    answer, _ = run(Failing())
    assert answer.state is State.FAILED
    assert "--web FILE" in (answer.failure or "")
    assert [gap.kind for gap in answer.gaps] == [GapKind.BLOCKED], "nothing was looked for, so nothing was not found"
    assert "tavily" in answer.gaps[0].detail


def test_a_provider_that_fails_behind_others_is_one_gap_and_an_event_for_each_query():
    waiting: list[SearchFailure] = []

    class Merged(Finding):
        async def search(self, query: str, recency_days: int | None = None, limit: int = 10) -> list[Hit]:
            waiting.append(SearchFailure(SearchFailureKind.RATE_LIMITED, "tavily", "too many", len(query)))
            return await super().search(query, recency_days, limit)

    def missed():
        told = list(waiting)
        waiting.clear()
        return told

    answer, log = run(Merged(), missed=missed)
    assert sum("tavily" in gap.detail for gap in answer.gaps) == 1
    assert [kind for kind, _ in log.events].count("search_failed") == len(answer.tried)


def test_how_recent_pages_must_be_is_asked_of_every_provider():
    asked: list[int | None] = []

    class Noting(Finding):
        async def search(self, query: str, recency_days: int | None = None, limit: int = 10) -> list[Hit]:
            asked.append(recency_days)
            return []

    run(Noting(), recency_days=30)
    assert asked
    assert set(asked) == {30}


class TwoPages:
    """The first page comes; the second never does, and whoever waits for it is interrupted."""

    name = "wikipedia"

    async def search(self, query: str, recency_days: int | None = None, limit: int = 10) -> list[Hit]:
        urls = ("https://a.example.org/pier", "https://b.example.net/never")
        return [Hit(url=url, title=url, snippet="", published=None, provider="a", rank=1) for url in urls]


def test_a_run_that_is_interrupted_answers_from_what_it_has_and_says_so():
    class Slow(Nowhere):
        async def fetch(self, url: str) -> Fetched:
            if "never" in url:
                main.cancel()
                await asyncio.sleep(60)
            body = b"<title>Pier</title><main><p>The pier at Aldermoor was closed in 1994 after a storm.</p></main>"
            return Fetched(
                requested_url=url,
                final_url=url,
                retrieved_at="2026-06-01T00:00:00Z",
                status=200,
                headers=(("content-type", "text/html"),),
                body=body,
            )

    async def read(fetched: Fetched):
        return extract(fetched)

    async def ask():
        nonlocal main
        main = asyncio.current_task()
        return await research(plan, tools_for([TwoPages()], log, web=Slow(), extract=read), Budgets())  # pyright: ignore[reportCallIssue]

    main: Any = None
    log = Noted()
    plan = make_plan(Ask(question="When was the pier at Aldermoor closed?"), 4)
    found = asyncio.run(ask())
    assert [item.claim.text for item in found.answer.claims] == [
        "The pier at Aldermoor was closed in 1994 after a storm."
    ]
    assert GapKind.INTERRUPTED in {gap.kind for gap in found.answer.gaps}
    assert found.answer.state is State.PUBLISHED_WITH_GAPS
    assert "interrupted" in [kind for kind, _ in log.events]


class Listing:
    """Finds the same pages for any query."""

    name = "listing"

    def __init__(self, count: int) -> None:
        self._urls = [f"https://h{number}.example.org/{number}" for number in range(count)]

    async def search(self, query: str, recency_days: int | None = None, limit: int = 10) -> list[Hit]:
        return [
            Hit(url=url, title=url[8:], snippet="", published=None, provider=self.name, rank=rank)
            for rank, url in enumerate(self._urls, start=1)
        ]


def test_for_each_page_that_cannot_be_read_the_next_best_is():
    asked: list[str] = []

    class Half(Nowhere):
        async def fetch(self, url: str) -> Fetched:
            asked.append(url)
            if url.endswith(("/1", "/4", "/10")):
                raise PageFailure(FailureKind.ROBOTS, url, "disallowed")
            return Fetched(
                requested_url=url,
                final_url=url,
                retrieved_at="2026-06-01T00:00:00Z",
                status=200,
                headers=(("content-type", "text/plain"),),
                body=f"Page {url} tells of the sea.".encode(),
            )

    async def read(fetched: Fetched):
        return extract(fetched)

    log = Noted()
    plan = make_plan(Ask(question="When was the pier closed?"), 4)
    tools = tools_for([Listing(15)], log, web=Half(), extract=read)
    answer = asyncio.run(research(plan, tools, Budgets())).answer  # pyright: ignore[reportCallIssue]
    assert sorted(int(url.rpartition("/")[2]) for url in asked) == list(range(12)), "ten, and two for the two"
    assert sum(source.doc_id is not None for source in answer.sources) == 9
    assert [kind for kind, _ in log.events].count("rank") == 2


def test_no_page_stands_in_beyond_the_budget():
    asked: list[str] = []

    class Dead(Nowhere):
        async def fetch(self, url: str) -> Fetched:
            asked.append(url)
            raise PageFailure(FailureKind.NOT_FOUND, url, "gone")

    plan = make_plan(Ask(question="When was the pier closed?"), 4)
    tools = tools_for([Listing(15)], Noted(), web=Dead())
    answer = asyncio.run(research(plan, tools, Budgets(max_fetches=11))).answer  # pyright: ignore[reportCallIssue]
    assert len(asked) == 11
    assert GapKind.BUDGET_OUT not in {gap.kind for gap in answer.gaps}


@pytest.mark.parametrize(
    ("text", "state", "told"),
    [
        ("The pier at Aldermoor was closed because its piles had rotted.", State.PUBLISHED, False),
        ("The pier at Aldermoor was closed for good on a Monday.", State.PUBLISHED_WITH_GAPS, True),
    ],
)
def test_a_sentence_that_may_not_answer_is_published_beside_a_gap(text: str, state: State, told: bool):
    class Served(Nowhere):
        async def fetch(self, url: str) -> Fetched:
            body = f"<title>Pier</title><main><p>{text}</p></main>".encode()
            return Fetched(
                requested_url=url,
                final_url=url,
                retrieved_at="2026-06-01T00:00:00Z",
                status=200,
                headers=(("content-type", "text/html"),),
                body=body,
            )

    async def read(fetched: Fetched):
        return extract(fetched)

    plan = make_plan(Ask(question="Why was the pier at Aldermoor closed?"), 4)
    tools = tools_for([Finding()], Noted(), web=Served(), extract=read)
    answer = asyncio.run(research(plan, tools, Budgets())).answer  # pyright: ignore[reportCallIssue]
    assert [item.claim.text for item in answer.claims] == [text]
    assert answer.state is state
    assert [gap.kind is GapKind.UNRESOLVED and "reason" in gap.detail for gap in answer.gaps] == [True] * told
