"""A run that is killed is gone on with: nothing that it recorded is asked for again, and its answer is the same."""

import json
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from affidavit.errors import StorageError, UserError
from affidavit.house import begun_as, open_house
from affidavit.ledger.ledger import Ledger
from affidavit.reach import Reach
from affidavit.research.ask import Ask
from affidavit.research.plan import make_plan
from affidavit.settings import load_settings
from affidavit.wiring import open_ledger

AGAIN = Path(__file__).with_name("again.py")
KILLED = 9
# After the beginning; among the searches; with a page asked for and not come; before the draft; before the answer,
# and after it.
POINTS = {"sqlite": ("1", "9", "-6", "-1"), "postgresql": ("9", "-2")}


def told(where: str, folder: Path, points: tuple[str, ...]) -> list[dict[str, Any]]:
    command = [sys.executable, str(AGAIN), where, str(folder), *points]
    done = subprocess.run(command, capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def same(answer: dict[str, Any]) -> dict[str, Any]:
    """What of an answer does not depend on when it was made."""
    budget = {name: spent for name, spent in answer["budget"].items() if name != "seconds"}
    return {**answer, "run_id": None, "budget": budget}


def test_a_killed_run_is_resumed_to_the_same_answer_and_repeats_nothing(
    where: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    whole, *others = told(where, tmp_path, POINTS[request.node.callspec.params["where"]])
    assert whole["replay"]["outcome"] == "agrees", whole["replay"]
    assert whole["answer"]["claims"], "there is something to lose"
    for one in others:
        place = f"killed after {one['point']} events"
        assert (one["status"], one["before"], one["resumed"]) == (KILLED, "interrupted", 0), place
        assert same(json.loads(one["answer"])) == same(whole["answer"]), place
        assert one["replay"]["outcome"] == "agrees", (place, one["replay"])
        assert one["state"] == whole["state"], place
        kinds = Counter(kind for kind, _ in one["events"])
        usual = Counter(kind for kind, _ in whole["events"])
        again = kinds - usual
        assert set(again) <= {"run.resumed", "gateway"}, (place, again)
        _nothing_is_fetched_twice(one["events"], place)


DRAWN = {"sqlite": 10, "postgresql": 3}
"""How many points are drawn; ten on either database take a minute together."""


def drawn(count: int, seed: int) -> tuple[str, ...]:
    """Points at which a run with models is killed: half with a request under way, half after so many events."""
    chance = random.Random(seed)
    asked = [f"q{chance.randint(1, 8)}" for _ in range(count // 2)]
    return (*asked, *(str(chance.randint(2, 40)) for _ in range(count - len(asked))))


def test_no_call_of_a_model_that_completed_is_made_again(
    where: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    database = request.node.callspec.params["where"]
    points = drawn(DRAWN[database], 5)
    whole, *others = told(where, tmp_path, ("model", *points))
    assert len(whole["answer"]["claims"]) == 2
    assert whole["replay"]["outcome"] == "agrees", whole["replay"]
    usual = Counter(kind for kind, _ in whole["events"])
    assert whole["asked"] == usual["model.replied"] >= 8
    assert len(others) == len(points)
    for one in others:
        place = f"killed at {one['point']}"
        kinds = Counter(kind for kind, _ in one["events"])
        assert (one["status"], one["before"], one["resumed"]) == (KILLED, "interrupted", 0), place
        assert same(json.loads(one["answer"])) == same(whole["answer"]), place
        assert one["replay"]["outcome"] == "agrees", (place, one["replay"])
        assert one["state"] == whole["state"], place
        assert kinds["model.replied"] == usual["model.replied"], place
        assert kinds["model.asked"] == usual["model.asked"] + kinds["model.uncertain"], place
        assert one["asked"] == kinds["model.replied"] - one["kept"], (place, "the provider counts no call twice")
        if one["point"].startswith("q"):
            assert kinds["model.uncertain"] >= 1, place
        _nothing_is_fetched_twice(one["events"], place)


def _nothing_is_fetched_twice(events: list[tuple[str, dict[str, Any]]], place: str) -> None:
    kept: set[str] = set()
    for kind, said in events:
        if kind == "fetched":
            kept.add(said["asked"])
        elif kind == "gateway":
            assert said["url"] not in kept, place


OpenLedger = Callable[..., Ledger]


def test_a_call_that_may_have_been_charged_is_made_again_only_if_asked_for(tmp_path: Path) -> None:
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "a.txt").write_text("The mill at Aldersbrook was rebuilt in 1911.")
    settings = load_settings({}, data_dir=tmp_path, cache_dir=tmp_path / "cache", workers=1)
    call = {"number": 1, "state": "started", "role": "researcher", "model": "mine:small"}
    with open_house(settings, Reach.named([str(tmp_path / "pages")])) as house:
        run_id = house.ask(make_plan(Ask(question="When was the mill at Aldersbrook rebuilt?"), 1)).run_id
        with open_ledger(settings) as ledger:
            recorded = ledger.run(run_id).settings
            log = ledger.begin("ask", "When was the mill at Aldersbrook rebuilt?", recorded)
            log.record("model.asked", {**call, "request_sha256": "00", "key": "research/plan", "request": {}})
        with pytest.raises(UserError, match=r"1 calls of models were under way .* --repeat-uncertain"):
            house.resume(log.run_id)
        assert house.resume(log.run_id, repeat_uncertain=True).claims
    with open_ledger(settings) as ledger:
        assert "model.uncertain" in [event.type for event in ledger.events(log.run_id)]


def begun(ledger: Ledger, **settings: object) -> Any:
    return ledger.begin("ask", "What?", {"web": [], "live": True, "web_policy": {}, **settings})


def test_a_run_that_lives_elsewhere_is_not_resumed(open_ledger: OpenLedger) -> None:
    log = begun(open_ledger())
    other = open_ledger()
    assert not other.run(log.run_id).resumable
    with pytest.raises(StorageError, match="another process is writing"):
        other.resume(log.run_id)


@pytest.mark.parametrize("error", [KeyboardInterrupt(), StorageError("the disk is full")])
def test_a_run_that_only_stopped_can_be_resumed(open_ledger: OpenLedger, error: BaseException) -> None:
    ledger = open_ledger()
    log = begun(ledger)
    with pytest.raises(type(error)), log:
        raise error
    assert ledger.run(log.run_id).resumable
    again = ledger.resume(log.run_id)
    again.finish("published")
    assert [event.type for event in ledger.events(log.run_id)] == [
        "run.begun",
        "run.stopped",
        "run.resumed",
        "run.finished",
    ]
    ledger.verify(log.run_id)


def test_a_run_that_failed_for_good_cannot(open_ledger: OpenLedger) -> None:
    ledger = open_ledger()
    log = begun(ledger)
    with pytest.raises(ValueError, match="no"), log:
        raise ValueError("no")
    assert not ledger.run(log.run_id).resumable
    with pytest.raises(UserError, match="finished as failed"):
        ledger.resume(log.run_id)


def test_it_goes_on_with_the_budgets_and_hosts_it_began_with(tmp_path: Path) -> None:
    settings = load_settings({}, data_dir=tmp_path, max_fetches=24, workers=3)
    with Ledger.open(tmp_path / "ledger.sqlite", blobs=tmp_path / "blobs") as ledger:
        policy = {"allow": ["example.org"], "deny": ["bad.example.org"]}
        run_id = begun(ledger, max_fetches=7, workers=1, web_policy=policy).run_id
    began, reach = begun_as(run_id, settings, Reach(live=True))
    assert (began.max_fetches, began.workers, began.data_dir) == (7, 3, tmp_path)
    allowed = reach.policy(began)
    assert allowed.allow == ("example.org",)
    assert allowed.deny == ("bad.example.org",)


def test_a_finished_run_is_told_apart_before_anything_is_opened(tmp_path: Path) -> None:
    settings = load_settings({}, data_dir=tmp_path)
    with Ledger.open(tmp_path / "ledger.sqlite", blobs=tmp_path / "blobs") as ledger:
        log = begun(ledger)
        log.finish("published")
    with pytest.raises(UserError, match="is published, and only what was interrupted can be resumed"):
        begun_as(log.run_id, settings, Reach(live=True))
