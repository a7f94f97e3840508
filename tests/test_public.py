"""The calls that Python programs make: plain ones that block, and their twins for a program with an event loop."""

import asyncio
import inspect
from collections.abc import Callable
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import affidavit
from affidavit import public
from affidavit.errors import UserError
from affidavit.settings import load_settings
from affidavit.wiring import Listeners, open_ledger

QUESTION = "When was the mill at Aldersbrook rebuilt?"
SENTENCE = "The mill at Aldersbrook was rebuilt in 1911 after the great fire."


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("public") / "mill"
    folder.mkdir()
    (folder / "a.txt").write_text(f"{SENTENCE} It grinds wheat for four villages to this day.")
    return folder


@pytest.fixture(scope="module")
def here(pages: Path) -> dict[str, Any]:
    return {"data_dir": pages.parent / "data", "cache_dir": pages.parent / "cache", "workers": 1}


def texts(answer: affidavit.Answer) -> list[str]:
    return [item.claim.text for item in answer.claims]


def test_several_questions_are_answered_at_once_in_one_event_loop(pages: Path, here: dict[str, Any]):
    async def both() -> list[affidavit.Answer]:
        return await asyncio.gather(*(affidavit.aask(QUESTION, web=pages, **here) for _ in range(2)))

    first, second = asyncio.run(both())
    assert texts(first) == texts(second)
    assert SENTENCE in texts(first)
    assert first.run_id != second.run_id
    assert all(affidavit.replay(one.run_id, **here).outcome.value == "agrees" for one in (first, second))


CALLS: list[tuple[str, Callable[[], object]]] = [
    ("ask", lambda: affidavit.ask(QUESTION)),
    ("resume", lambda: affidavit.resume("run_1")),
    ("replay", lambda: affidavit.replay("run_1")),
    ("check", lambda: affidavit.check("draft.md")),
]


@pytest.mark.parametrize(("name", "call"), CALLS)
def test_a_call_that_blocks_says_what_to_await_where_an_event_loop_runs(name: str, call: Callable[[], object]):
    async def inside() -> None:
        call()

    with pytest.raises(UserError, match=rf"await affidavit\.a{name}\("):
        asyncio.run(inside())


@pytest.mark.parametrize("name", [name for name, _ in CALLS])
def test_the_twin_of_a_call_takes_what_it_takes(name: str):
    plain = inspect.signature(getattr(affidavit, name))
    twin = inspect.signature(getattr(affidavit, f"a{name}"))
    assert twin.parameters == plain.parameters
    assert inspect.iscoroutinefunction(getattr(affidavit, f"a{name}"))


def test_a_draft_is_checked_beside_other_work(pages: Path, here: dict[str, Any]):
    check = asyncio.run(affidavit.acheck(f"# Mill\n\n{SENTENCE}\n", [pages], **here))
    assert [one.state.value for one in check.claims] == ["sourced"]
    assert asyncio.run(affidavit.areplay(check.run_id, **here)).outcome.value == "agrees"


def test_a_run_out_of_time_answers_from_what_it_has(pages: Path, here: dict[str, Any]):
    async def stopped() -> affidavit.Answer:
        def cancel(step: str, _: str) -> None:
            if step == "read":
                task.cancel()

        task = asyncio.current_task()
        assert task is not None
        return await affidavit.aask(QUESTION, web=pages, listeners=Listeners(on_step=cancel), **here)

    answer = asyncio.run(stopped())
    assert affidavit.GapKind.INTERRUPTED in {gap.kind for gap in answer.gaps}
    assert affidavit.replay(answer.run_id, **here).outcome.value == "agrees"


def test_a_run_that_was_cut_off_is_gone_on_with(pages: Path, here: dict[str, Any]):
    settings = load_settings(**here)
    whole = affidavit.ask(QUESTION, web=pages, **here)
    with open_ledger(settings) as ledger:
        begun = ledger.run(whole.run_id)
        cut = [ledger.begin("ask", QUESTION, begun.settings).run_id for _ in range(2)]
    assert texts(affidavit.resume(cut[0], web=[pages], **here)) == texts(whole)
    assert texts(asyncio.run(affidavit.aresume(cut[1], web=[pages], **here))) == texts(whole)
    with pytest.raises(UserError, match="only what was interrupted can be resumed"):
        affidavit.resume(cut[0], web=[pages], **here)


def test_who_is_cancelled_while_the_archives_are_opened_leaves_nothing_open(
    pages: Path, here: dict[str, Any], monkeypatch: pytest.MonkeyPatch
):
    ended: list[str] = []
    opening = public.open_house

    async def cancelled() -> None:
        loop = asyncio.get_running_loop()

        @contextmanager
        def slowly(*arguments: Any):
            loop.call_soon_threadsafe(task.cancel)
            with opening(*arguments) as house:
                yield house
            ended.append("closed")

        monkeypatch.setattr(public, "open_house", slowly)
        task = asyncio.ensure_future(affidavit.aask(QUESTION, web=pages, **here))
        await task

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(cancelled())
    assert ended == ["closed"]
