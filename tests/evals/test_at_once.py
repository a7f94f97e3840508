"""Suites measured in processes of their own."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from affidavit.evals.at_once import run_at_once, together
from affidavit.evals.past import read_suite
from affidavit.evals.pinned import read_floors
from affidavit.evals.suites import suites
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
