"""What a replay says: agreed, differs, or what the ledger lacks. On runs over real files."""

import json
import sys
from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from affidavit.cli.app import run as command
from affidavit.desk import Sources, open_desk
from affidavit.draft_file import DraftFile
from affidavit.errors import UserError
from affidavit.evidence.document import Document, Fetched
from affidavit.evidence.fact import Category, Fact, FactState, Register
from affidavit.extract import extract
from affidavit.house import open_house
from affidavit.reach import Reach
from affidavit.replay import replay, resume_command
from affidavit.report.replay_report import Outcome
from affidavit.research.ask import Ask
from affidavit.research.plan import make_plan
from affidavit.settings import Settings, load_settings
from affidavit.studio import Order, open_studio
from affidavit.wiring import open_ledger
from affidavit.write.checks import VERSION as CHECKS
from affidavit.write.memory import recall_markdown
from affidavit.write.pack import Assignment

PAGE = (
    "The mill at Aldersbrook was rebuilt in 1911 after the great fire. It grinds wheat for four villages to this day."
)
DRAFT = "# The mill\n\nThe mill at Aldersbrook was rebuilt in 1911 after the great fire. It has 40 employees.\n"


class Here:
    """Reads pages in this process, as a test wants them read."""

    def __init__(self, *_: object) -> None:
        pass

    def __enter__(self) -> "Here":
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def submit(self, page: Fetched) -> "Future[Document]":
        future: Future[Document] = Future()
        found = extract(page)
        future.set_result(replace(found, extractor="text/99", text=found.text.replace("1911", "1912")))
        return future


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    folder = tmp_path_factory.mktemp("replay")
    (folder / "mill").mkdir()
    (folder / "mill" / "a.txt").write_text(PAGE)
    return load_settings({}, data_dir=folder / "data", cache_dir=folder / "cache", workers=1)


@pytest.fixture(scope="module")
def asked(settings: Settings) -> str:
    pages = settings.data_dir.parent / "mill"
    with open_house(settings, Reach.named([str(pages)])) as house:
        answer = house.ask(make_plan(Ask(question="When was the mill at Aldersbrook rebuilt?"), 1))
    assert answer.claims
    return answer.run_id


@pytest.fixture(scope="module")
def checked(settings: Settings) -> str:
    pages = settings.data_dir.parent / "mill"
    with open_desk(settings, Sources(files=[str(pages)])) as desk:
        return desk.check(DraftFile(name="draft.md", body=DRAFT.encode(), media_type="text/markdown")).run_id


@pytest.fixture
def without_pages(settings: Settings) -> Iterator[None]:
    """The blobs are elsewhere for a while."""
    blobs, away = settings.data_dir / "blobs", settings.data_dir / "away"
    blobs.rename(away)
    yield
    away.rename(blobs)


def test_an_answer_follows_again_from_the_ledger_field_by_field(settings: Settings, asked: str):
    report = replay(asked, settings)
    assert report.outcome is Outcome.AGREES, report
    assert {"claims", "summary", "sources", "budget", "tried", "verifier", "documents"} <= set(report.agreed)
    assert {"plan", "search", "fetched", "document", "rank", "draft", "verdict"} <= {name for name, _ in report.steps}
    assert not report.notes


def test_a_check_follows_again_from_the_ledger(settings: Settings, checked: str):
    report = replay(checked, settings)
    assert report.outcome is Outcome.AGREES, report
    assert {"sentences", "figures", "counts", "sources"} <= set(report.agreed)


@pytest.mark.usefixtures("without_pages")
def test_what_is_missing_is_named_and_nothing_is_guessed(settings: Settings, asked: str, checked: str):
    report = replay(asked, settings)
    assert report.outcome is Outcome.COULD_NOT_REPLAY
    assert "the page https://mill.invalid/a.txt: its bytes" in report.missing[0]
    assert not report.agreed
    found = replay(checked, settings)
    assert found.outcome is Outcome.COULD_NOT_REPLAY
    assert found.missing[0].startswith("the draft draft.md: its bytes")


def test_another_extractor_is_said_and_what_it_changes_is_shown(
    settings: Settings, asked: str, checked: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(sys.modules[replay.__module__], "Workers", Here)
    report = replay(asked, settings)
    assert report.outcome is Outcome.DIFFERS
    assert any("read by text/99 here" in note for note in report.notes)
    summary = next(one.detail for one in report.differences if one.part == "summary")
    assert "1912" in summary
    assert "1911" in summary
    assert "plan" in {name for name, _ in report.steps}
    assert "tried" in report.agreed
    assert replay(checked, settings).outcome is Outcome.DIFFERS


def test_another_source_policy_is_said_and_the_stored_one_is_used(settings: Settings, asked: str, tmp_path: Path):
    policy = tmp_path / "policy.toml"
    policy.write_text('[tiers]\nprimary = ["mill.invalid"]\n')
    report = replay(asked, settings.model_copy(update={"policy": policy}))
    assert report.outcome is Outcome.AGREES
    assert any("the source policy is another here" in note for note in report.notes)


def test_a_record_that_only_old_versions_wrote_is_no_disagreement(settings: Settings):
    with open_ledger(settings) as ledger:
        log = ledger.begin("ask", "What?", {"max_searches": 1})
        log.record("plan", {"asked": "What?", "falsifier": None, "subquestions": ["What?"]})
        log.record("published", {"state": "nothing_sourced", "digest": "sha256:00"})
        log.finish("nothing_sourced")
    report = replay(log.run_id, settings)
    assert report.outcome is Outcome.COULD_NOT_REPLAY
    assert any("an older version kept its digest alone" in one for one in report.missing)


def test_a_run_without_an_end_is_told_what_goes_on_with_it(settings: Settings, capsys: pytest.CaptureFixture[str]):
    with open_ledger(settings) as ledger:
        recorded = {"web": [{"name": "pages.warc.gz", "sha256": "00"}], "live": True}
        run_id = ledger.begin("ask", "What?", recorded).run_id
    wanted = f"affidavit ask --resume {run_id} --web pages.warc.gz --web live"
    with pytest.raises(UserError, match="is interrupted and has no result yet"):
        replay(run_id, settings)
    with open_ledger(settings) as ledger:
        assert resume_command(ledger.run(run_id)) == wanted


def test_the_commands_say_it(
    settings: Settings, asked: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setenv("AFFIDAVIT_DATA_DIR", str(settings.data_dir))
    monkeypatch.setenv("AFFIDAVIT_CACHE_DIR", str(settings.cache_dir))
    with open_ledger(settings) as ledger:
        left = ledger.begin("ask", "Who left?", {"web": [], "live": True}).run_id
    assert command(["runs", "replay", asked, "--quiet", "--json"]) == 0
    report: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert (report["outcome"], report["differences"], report["missing"]) == ("agrees", [], [])
    assert command(["runs", "replay", asked, "--quiet"]) == 0
    assert "AGREES" in capsys.readouterr().out
    assert command(["runs", "list"]) == 0
    out = capsys.readouterr().out
    assert f"{left} is interrupted; it goes on with: affidavit ask --resume {left}" in out
    assert command(["runs", "list", "--json"]) == 0
    rows = {row["run_id"]: row["resume"] for row in json.loads(capsys.readouterr().out)}
    assert rows[asked] is None
    assert rows[left] == f"affidavit ask --resume {left}"
    assert command(["runs", "show", left, "--no-events"]) == 0
    assert f"affidavit ask --resume {left}" in capsys.readouterr().out
    assert command(["ask", "--resume", asked, "--web", str(settings.data_dir.parent / "mill"), "-q"]) == 64
    assert "only what was interrupted can be resumed" in capsys.readouterr().err
    assert command(["ask", "Why?", "--resume", left, "-q"]) == 64
    assert "goes on as the run began" in capsys.readouterr().err


def test_a_run_is_not_resumed_over_other_pages(settings: Settings, tmp_path: Path):
    (tmp_path / "mill").mkdir()
    (tmp_path / "mill" / "a.txt").write_text("Another page about a mill.")
    with open_ledger(settings) as ledger:
        recorded = {"web": [{"name": "mill", "sha256": "00"}], "live": False, "policy_sha256": "00"}
        run_id = ledger.begin("ask", "What is it?", recorded).run_id
    with (
        open_house(settings, Reach.named([str(tmp_path / "mill")])) as house,
        pytest.raises(UserError, match=r"began with other archives: give the same pages \(--web mill\)"),
    ):
        house.resume(run_id)


def test_a_piece_names_the_earlier_pieces_that_it_was_held_against_and_is_derived_again(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("affidavit.studio.CHECKS", "writing-checks/1")
    fact = Fact(
        fact_id="fact_1",
        text="Harbour has offices in 45 countries.",
        category=Category.PRESENCE,
        subject="offices",
        state=FactState.APPROVED,
        decided_by="Ann",
        added_by="Ann",
    )
    told = "The sea has been good to all of us for a very long time."
    with open_studio(settings) as studio:
        studio.pieces.add("Harbour", [recall_markdown("The bay", told)])
        order = Order(
            customer="Harbour",
            assignment=Assignment(title="Ports"),
            draft=f"# Ports\n\n{told} Harbour has offices in 45 countries.\n",
            register=Register("Harbour", (fact,)),
        )
        piece = studio.write(order)
    assert [issue.code for issue in piece.rounds[-1].issues] == ["reused_sentence"]
    with open_ledger(settings) as ledger:
        (said,) = [event.payload for event in ledger.events(piece.run_id) if event.type == "commission"]
    assert said["memory"] == [recall_markdown("The bay", told).memory_id]
    assert said["memory"] == [recall_markdown("The bay", told).memory_id]
    again = replay(piece.run_id, settings)
    assert (again.outcome, again.notes) == (Outcome.AGREES, (f"checks: writing-checks/1 then, {CHECKS} here",))
