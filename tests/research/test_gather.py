"""What a search that fails does to a run."""

import asyncio
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import pytest

from affidavit.errors import FailureKind, PageFailure, SearchFailure, SearchFailureKind
from affidavit.evidence.answer import GapKind, State
from affidavit.evidence.document import Fetched
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


def run(*searches: Any):
    log = Noted()
    tools = Tools(
        searches=searches,
        web=Nowhere(),
        extract=lambda fetched: pytest.fail("nothing was fetched"),
        verifier=VerbatimVerifier(),
        encoder=SentenceEncoder(),
        policy=load_policy(None),
        log=log,
        keep=lambda body: "sha256",
        now=lambda: datetime(2026, 6, 30, tzinfo=UTC),
        progress=lambda step, detail: None,
    )
    plan = make_plan(Ask(question="When was the pier closed?"), 4)
    return asyncio.run(research(plan, tools, Budgets())).answer, log  # pyright: ignore[reportCallIssue]


def test_a_search_that_fails_is_a_gap_and_an_event_and_no_end():
    answer, log = run(Failing(), Finding())
    blocked = [gap.detail for gap in answer.gaps if gap.kind is GapKind.BLOCKED]
    assert [detail for detail in blocked if detail.startswith("provider tavily: rate limited")] == blocked[:1]
    failed = [payload for kind, payload in log.events if kind == "search_failed"]
    assert {payload["failed"] for payload in failed} == {"tavily"}
    assert {tried.provider for tried in answer.tried} == {"wikipedia"}


def test_a_run_in_which_no_search_answered_says_so():
    answer, _ = run(Failing())
    assert answer.state is State.NOTHING_SOURCED
    assert any("tavily" in gap.detail for gap in answer.gaps)
