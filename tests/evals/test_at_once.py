"""Suites measured in processes of their own."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from affidavit.evals.at_once import run_at_once, together
from affidavit.evals.past import read_suite
from affidavit.evals.pinned import read_floors
from affidavit.evals.read_once import read_once
from affidavit.evals.suite import Case, CaseState, Measured, SuiteEval, counted
from affidavit.evals.suites import suites
from affidavit.evals.suites_report import render_suites
from affidavit.settings import load_settings
from affidavit.wiring import open_ledger


@dataclass
class Named:
    name: str
    data: str


def test_suites_over_the_same_rows_stay_together_and_what_takes_long_begins_first():
    chosen: Any = [Named("quick", "a"), Named("first", "b"), Named("other", "c"), Named("second", "b")]
    assert together(chosen) == [("other",), ("first", "second"), ("quick",)]


def test_what_is_measured_at_once_stands_in_one_ledger_and_comes_back_in_the_order_asked(tmp_path: Path):
    settings = load_settings({}, data_dir=tmp_path / "data", cache_dir=tmp_path / "cache")
    known = suites()
    chosen = [known["numbers"], known["spans"]]
    told: list[tuple[str, int, int]] = []

    def progress(suite: str, done: int, total: int) -> None:
        told.append((suite, done, total))

    done = run_at_once(chosen, 2, settings=settings, floors=read_floors(), progress=progress)
    assert [one.suite for one in done] == ["numbers", "spans"]
    with open_ledger(settings) as ledger:
        assert [read_suite(ledger, one.run_id) for one in done] == done
    assert [(count, total) for _, count, total in told] == [(0, 2), (1, 2), (2, 2)]
    assert {suite for suite, *_ in told[1:]} == {"numbers", "spans"}
    *_, heads, first, second = render_suites(done, "terminal").rstrip().splitlines()
    assert (heads.split()[0], first.split()[0], second.split()[0]) == ("suite", "numbers", "spans")


def test_the_last_table_names_the_floors_that_are_missed():
    def finished(suite: str, state: CaseState) -> SuiteEval:
        figure = counted("found", "of the rows, those found", [Case("a", "row", state)])
        return SuiteEval(
            run_id="run_1",
            suite=suite,
            version="1",
            measured_at="2026-03-01T12:00:00Z",
            files=(),
            data_digest="sha256:0",
            measured=Measured((Case("a", "row", state),), (figure,)),
            floors=(figure.held_against(0.5),),
            seconds=2.0,
        )

    text = render_suites([finished("good", CaseState.RIGHT), finished("bad", CaseState.WRONG)], "terminal")
    good, bad = text.rstrip().splitlines()[-2:]
    assert good.split() == "good 1 1 0 0 1/1 2.0 every floor holds".split()
    assert bad.split() == "bad 1 0 1 0 0/1 2.0 below a floor: found".split()


def test_suites_of_one_run_share_a_cache_that_nobody_had_before_and_nobody_has_after(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("AFFIDAVIT_CACHE_DIR", "/somebody/else/had")
    with read_once():
        folder = load_settings().cache_dir
        assert list(folder.iterdir()) == []
    assert not folder.exists()
    assert load_settings().cache_dir == Path("/somebody/else/had")
