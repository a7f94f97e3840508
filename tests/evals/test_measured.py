"""The page of what was measured: what is made of the ledger agrees with the runs, the floors and the function."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from affidavit.evals.measured_page import block, fill
from affidavit.evals.past import shipped_suites
from affidavit.evals.pinned import read_floors
from affidavit.evals.run_suite import run_suite
from affidavit.evals.suite import Case, CaseState, Measured, SuiteEval, counted
from affidavit.evals.suites.numbers import NumbersSuite
from affidavit.evals.suites.spans import SpansSuite
from affidavit.ledger import Ledger

PAGE = Path(__file__).resolve().parents[2] / "docs/measured.md"
AGAIN = "run `make eval measured`, or measure this suite alone: affidavit eval run NAME, then make measured"
DAY = re.compile(r" on \d{4}-\d\d-\d\d,")


def tell_nobody(*_: object) -> None:
    pass


def blocks(page: str) -> dict[str, str]:
    """What stands in `page` of each suite that was measured."""
    found = re.finditer(r"<!-- suite (\w+) -->\n(.*?)<!-- end of \1 -->", page, re.DOTALL)
    return {one[1]: one[0] for one in found if one[2].strip()}


SHIPPED = blocks(PAGE.read_text("utf-8"))


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger.open(tmp_path / "ledger.sqlite") as opened:
        yield opened


def finished(*cases: Case) -> SuiteEval:
    return SuiteEval(
        run_id="run_1",
        suite="made",
        version="1",
        measured_at="2026-03-01T12:00:00Z",
        files=(),
        data_digest="sha256:0",
        measured=Measured(cases, (counted("as_expected", "of the rows, those answered as expected", cases),)),
        floors=(),
        seconds=1.0,
    )


def test_the_page_holds_what_the_quick_suites_find_here(ledger: Ledger):
    for suite in (SpansSuite(), NumbersSuite()):
        done = run_suite(suite, ledger, floors=read_floors(), progress=tell_nobody)
        assert DAY.sub("", SHIPPED[suite.name]) == DAY.sub("", block(done)), AGAIN


@pytest.mark.parametrize("suite", SHIPPED)
def test_rows_and_floors_named_in_the_page_are_those_pinned(suite: str):
    pinned = read_floors()[suite]
    assert f"`{pinned.digest}`" in SHIPPED[suite], AGAIN
    lines = [[cell.strip() for cell in line.split("|")] for line in SHIPPED[suite].splitlines()]
    named = {cells[1].replace(" ", "_"): cells[6] for cells in lines if len(cells) == 8 and cells[6].startswith("at ")}
    told = {name: float(re.sub(r"[^\d.]", "", cell)) / 100 for name, cell in named.items()}
    assert told == pytest.approx(pinned.bounds), AGAIN
    assert "MISSED" not in SHIPPED[suite]


def test_only_what_stands_between_the_marks_of_a_measured_suite_changes(ledger: Ledger):
    done = run_suite(SpansSuite(), ledger, floors=read_floors(), progress=tell_nobody)
    other = "<!-- suite other -->\nx\n<!-- end of other -->\n"
    page = f"Before.\n<!-- suite spans -->\nold\n<!-- end of spans -->\nAfter.\n{other}"
    filled = fill(page, shipped_suites(ledger))
    assert (filled.suites, filled.left) == (("spans", "other"), ("other",))
    assert filled.text == page.replace("<!-- suite spans -->\nold\n<!-- end of spans -->", block(done))
    assert fill(filled.text, shipped_suites(ledger)).text == filled.text


def test_a_run_is_held_to_the_floors_of_today(ledger: Ledger):
    run_suite(SpansSuite(), ledger, floors={}, progress=tell_nobody)
    assert {one.name: one.bound for one in shipped_suites(ledger)["spans"].floors} == read_floors()["spans"].bounds


def test_what_was_found_on_other_rows_is_not_written_into_the_page(tmp_path: Path, ledger: Ledger):
    path = tmp_path / "mine.jsonl"
    path.write_text('{"id": "a", "doc_id": "d", "doc_text": "It leaks.", "locator": "x", "expect": {"error": "NO"}}\n')
    run_suite(SpansSuite(), ledger, floors=read_floors(), progress=tell_nobody)
    run_suite(SpansSuite(), ledger, paths=[path], floors={}, progress=tell_nobody)
    assert [one.data_digest for one in shipped_suites(ledger).values()] == [read_floors()["spans"].digest]


def test_a_kind_that_goes_wrong_is_named_with_its_counts_and_a_case_and_the_worst_first():
    wrong, right, unknown = CaseState.WRONG, CaseState.RIGHT, CaseState.COULD_NOT_CHECK
    text = block(
        finished(
            Case("a", "date", wrong, "SUPPORTED: it opened in 1903"),
            Case("b", "date", right),
            Case("c", "date", right),
            Case("d", "name", wrong, "SUPPORTED: <b>Ada</b> | opened it"),
            Case("e", "name", unknown),
            Case("f", "unit", right),
        )
    )
    assert "3 right, 2 wrong, 1 could not be checked" in text
    assert "| `date` | 3 | 2 | 1 | 0 | 20.8%–93.9% |" in text
    assert "| `name` | 2 | 0 | 1 | 1 | 0.0%–79.3% |" in text
    assert "| 1 other kind | 1 | 1 | 0 | 0 |" in text
    bad = text[text.index("It is wrong at:") :]
    assert bad.index("`name`: 1 of 2 wrong") < bad.index("`date`: 1 of 3 wrong, such as: SUPPORTED: it opened in 1903")
    assert "<b>" not in text


def test_nothing_wrong_is_said_to_be_so_and_nothing_checked_is_not():
    assert "Nothing of it is wrong." in block(finished(Case("a", "date", CaseState.RIGHT)))
    assert "Nothing of it" not in block(finished(Case("a", "date", CaseState.COULD_NOT_CHECK)))
