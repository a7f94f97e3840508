"""Whole runs with a model, cancelled at every await, failed at every call, many at once: honest and derived again."""

import asyncio
import json
from collections.abc import Coroutine, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import affidavit
from affidavit.evals import read_triples, run_judge
from affidavit.evidence.answer import Answer, GapKind, State
from affidavit.evidence.claim import Label
from affidavit.house import House, open_house
from affidavit.reach import Reach
from affidavit.replay import replay
from affidavit.research.ask import Ask
from affidavit.research.plan import Plan, make_plan
from affidavit.research.recalled import REPLIED
from affidavit.settings import Settings
from affidavit.staff import Payroll
from affidavit.verify.pair import text_pair
from affidavit.wiring import open_ledger, open_verifier

from .faithful import PAGES, QUESTION, QUOTED, Faithful, Served, played, settings_in, write_pages

MILL = "The mill was rebuilt in 1911."
CLAIMS = [claim for _, claim in QUOTED.values()]


def asked() -> Plan:
    return make_plan(Ask(question=QUESTION), 2)


@dataclass
class Home:
    """A house with a model in it, and the settings that it is open under."""

    house: House
    settings: Settings

    def newest(self) -> str:
        with open_ledger(self.settings) as ledger:
            return ledger.runs(1)[0].run_id

    def events(self, run_id: str) -> list[tuple[str, Any]]:
        with open_ledger(self.settings) as ledger:
            ledger.verify(run_id)
            return [(event.type, event.payload) for event in ledger.events(run_id)]

    def follows_again(self, run_id: str) -> None:
        report = replay(run_id, self.settings)
        assert report.outcome.value == "agrees", (report.differences, report.missing)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    folder = tmp_path_factory.mktemp("runs")
    settings = settings_in(folder)
    with open_house(settings, Reach.named([str(write_pages(folder))])) as house:
        yield Home(house, settings)


def honest(answer: Answer) -> list[str]:
    """What `answer` publishes, which is drafted, supported, and stands where it says."""
    for item in answer.claims:
        assert all(verdict.label is Label.SUPPORTED for verdict in item.verdicts)
        for span in item.claim.spans:
            span.check(answer.document(span.doc_id))
    return [item.claim.text for item in answer.claims]


class Cancelling:
    """`work`, its task cancelled when it waits for the time `place`, and again when it waits for the time `second`."""

    def __init__(self, work: Coroutine[Any, Any, Answer], *places: int) -> None:
        self._work = work
        self._places = places
        self.waits = 0

    def __await__(self) -> Generator[Any, Any, Answer]:
        steps = self._work.__await__()
        sent: Any = None
        thrown: BaseException | None = None
        while True:
            try:
                waiting = steps.throw(thrown) if thrown is not None else steps.send(sent)
            except StopIteration as ended:
                return ended.value
            self.waits += 1
            if self.waits in self._places:
                task = asyncio.current_task()
                assert task is not None
                task.cancel()
            sent, thrown = None, None
            try:
                sent = yield waiting
            except BaseException as error:  # noqa: BLE001 - handed on to the work
                thrown = error


def cancelled(home: Home, *places: int) -> tuple[Answer | None, int]:
    """What a run comes to that is cancelled when it waits for those times; and how often it waited."""

    async def go() -> tuple[Answer | None, int]:
        stopping = Cancelling(home.house.aask(asked()), *places)
        try:
            return await stopping, stopping.waits
        except asyncio.CancelledError:
            return None, stopping.waits

    return asyncio.run(go())


def test_a_run_cancelled_at_any_await_answers_from_what_it_has(home: Home, monkeypatch: pytest.MonkeyPatch):
    played(monkeypatch, Faithful)
    whole, waits = cancelled(home)
    assert whole is not None
    assert honest(whole) == CLAIMS
    assert waits > 10
    seen: set[tuple[str, ...]] = set()
    for place in range(1, waits + 1):
        answer, _ = cancelled(home, place)
        assert answer is not None, place
        texts = honest(answer)
        seen.add(tuple(texts))
        events = home.events(answer.run_id)
        assert (GapKind.INTERRUPTED in {gap.kind for gap in answer.gaps}) == ("interrupted" in [k for k, _ in events])
        if texts != CLAIMS:
            assert GapKind.INTERRUPTED in {gap.kind for gap in answer.gaps}, place
        home.follows_again(answer.run_id)
    assert len(seen) > 1, "some of them had only a part"


def test_a_run_cancelled_twice_ends_and_can_be_gone_on_with(home: Home, monkeypatch: pytest.MonkeyPatch):
    played(monkeypatch, Faithful)
    _, waits = cancelled(home)
    ended = 0
    for place in range(1, waits, 3):
        answer, _ = cancelled(home, place, place + 2)
        run_id = home.newest()
        if answer is None:
            ended += 1
            with open_ledger(home.settings) as ledger:
                assert ledger.run(run_id).state == "interrupted"
                assert ledger.run(run_id).resumable
            answer = home.house.resume(run_id, repeat_uncertain=True)
        honest(answer)
        home.follows_again(run_id)
    assert ended


@contextmanager
def behind_a_server(folder: Path, seconds: float) -> Generator[tuple[Served, Home]]:
    """A house whose models are behind a real server; a call may take so many seconds."""
    provider = Served()
    with provider.open():
        pass
    settings = settings_in(folder, provider.url, seconds=seconds)
    with open_house(settings, Reach.named([str(write_pages(folder))])) as house:
        yield provider, Home(house, settings)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Served, Home]]:
    with behind_a_server(tmp_path_factory.mktemp("served"), 60.0) as both:
        yield both


KINDS = ("429", "500", "malformed", "truncated", "hang up")
LONGEST = 12


@pytest.mark.parametrize(
    ("kind", "places"), [(kind, (0, *range(1 + n % 2, LONGEST, 2))) for n, kind in enumerate(KINDS)]
)
def test_a_provider_that_fails_from_any_call_on_leaves_an_honest_answer(
    served: tuple[Served, Home], kind: str, places: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
):
    """From the first, and in each kind from every second: all calls are begun with by two kinds or three."""
    monkeypatch.setattr("affidavit.models.retrying.FIRST_WAIT", 0.001)
    provider, home = served
    with provider.open():
        for first in places:
            provider.again(lambda number, first=first: kind if number >= first else None)
            answer = home.house.ask(asked())
            texts = honest(answer)
            gaps = {gap.kind for gap in answer.gaps}
            if len(provider.asked) <= first:
                break
            assert gaps & {GapKind.BLOCKED, GapKind.VERIFIER_UNAVAILABLE}, (first, answer.gaps)
            assert (answer.state is State.FAILED) == (first == 0) == (answer.failure is not None), first
            for text in texts:
                assert text in CLAIMS or any(text in page for page in PAGES.values()), "drafted, or word for word"
            home.follows_again(answer.run_id)
        else:
            pytest.fail(f"a run of more than {LONGEST} calls")
        assert texts == CLAIMS


@pytest.mark.parametrize("kind", KINDS)
def test_a_provider_that_fails_once_at_any_call_is_asked_again_and_nothing_is_lost(
    served: tuple[Served, Home], kind: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("affidavit.models.retrying.FIRST_WAIT", 0.001)
    provider, home = served
    with provider.open():
        for place in range(0, LONGEST, 4):
            provider.again(lambda number, place=place: kind if number == place else None)
            answer = home.house.ask(asked())
            assert honest(answer) == CLAIMS, place
            assert not answer.gaps
            home.follows_again(answer.run_id)


def test_a_provider_that_hangs_at_any_call_costs_that_call_and_no_more(tmp_path: Path):
    with behind_a_server(tmp_path, 2.0) as (provider, home), provider.open():
        for place in (0, 2, 4, 7):
            provider.again(lambda number, place=place: "hang" if number == place else None)
            answer = home.house.ask(asked())
            honest(answer)
            assert len(provider.asked) > place, "it was asked so often"
            assert any("timeout" in gap.detail for gap in answer.gaps), place
            uncertain = [said for name, said in home.events(answer.run_id) if name == "model.uncertain"]
            assert uncertain, "it may have been charged"
            home.follows_again(answer.run_id)


@pytest.mark.parametrize(("first", "last"), [(1, 1), (4, 4), (0, LONGEST), (3, LONGEST)])
def test_a_model_that_writes_without_end_is_stopped_and_costs_that_reply(
    served: tuple[Served, Home], first: int, last: int
):
    provider, home = served
    with provider.open():
        provider.again(lambda number: "loop" if first <= number <= last else None)
        answer = home.house.ask(asked())
        assert (honest(answer) == CLAIMS) is (first == last)
        assert answer.claims, "without the model, sentences of the pages"
        written = [said["reply"]["usage"]["output"] for name, said in home.events(answer.run_id) if name == REPLIED]
        assert 512 <= max(written) <= 1024
        home.follows_again(answer.run_id)


def test_a_provider_that_goes_away_refuses_the_rest(served: tuple[Served, Home], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("affidavit.models.retrying.FIRST_WAIT", 0.001)
    provider, home = served
    provider.again()
    answer = home.house.ask(asked())
    assert answer.state is State.FAILED
    assert "unavailable" in (answer.failure or "")
    home.follows_again(answer.run_id)


def test_many_runs_at_once_in_one_loop_each_follow_again(home: Home, monkeypatch: pytest.MonkeyPatch):
    played(monkeypatch, Faithful)

    async def all_at_once() -> list[Answer]:
        return await asyncio.gather(*(home.house.aask(asked()) for _ in range(12)))

    answers = asyncio.run(all_at_once())
    assert len({answer.run_id for answer in answers}) == 12
    for answer in answers:
        assert honest(answer) == CLAIMS
        home.events(answer.run_id)
        home.follows_again(answer.run_id)


def test_what_an_eval_or_a_check_pays_a_model_is_in_its_own_record(
    home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    played(monkeypatch, Faithful)
    payroll = Payroll()
    verifier = open_verifier("model:verifier", home.settings, payroll.cast(home.settings))
    rows = tmp_path / "rows.jsonl"
    row = {
        "claim": "The mill was rebuilt in 1911.",
        "span": "The mill was rebuilt in the year 1911.",
        "label": "SUPPORTED",
    }
    rows.write_text(json.dumps(row))
    with open_ledger(home.settings) as ledger:
        done = run_judge(verifier, read_triples([rows]), ledger, progress=lambda *_: None, on_begun=payroll.charge)
    calls = [said for name, said in home.events(done.run_id) if name in ("model.asked", "model.replied")]
    assert [one["state"] for one in calls] == ["started", "finished"] * 2  # the claim, and its denial
    assert "1911" in str(calls[0]["request"])
    assert payroll.account.lines["verifier"].calls == 2

    draft = "# Mill\n\nAfter the great fire the mill was rebuilt in 1911 at Aldersbrook.\n"
    pages = write_pages(home.settings.data_dir.parent)
    here = {"data_dir": home.settings.data_dir, "cache_dir": home.settings.cache_dir, "workers": 1}
    models = home.settings.models.model_dump()
    check = affidavit.check(
        draft,
        [pages],
        strict=True,
        verifier="model:verifier",
        models=models,
        **here,
    )
    asked_of = [said for name, said in home.events(check.run_id) if name == "model.asked"]
    assert asked_of
    home.follows_again(check.run_id)


def test_a_model_that_is_asked_for_no_run_is_not_asked(home: Home, monkeypatch: pytest.MonkeyPatch):
    played(monkeypatch, Faithful)
    verifier = open_verifier("model:verifier", home.settings, Payroll().cast(home.settings))
    with pytest.raises(RuntimeError, match="for no run"):
        asyncio.run(verifier.verify(text_pair(MILL, "The mill was rebuilt in the year 1911.")))
