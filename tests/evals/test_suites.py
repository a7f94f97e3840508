"""The suites that need no model of language: each tells a right product from a broken one."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from affidavit.errors import UserError
from affidavit.evals.past import compare, newest_suites, read_suite
from affidavit.evals.pinned import Pinned, floors_toml, pin, read_floors
from affidavit.evals.records import read_records
from affidavit.evals.run_suite import run_suite
from affidavit.evals.suite import CaseState
from affidavit.evals.suite_json import suite_json, suite_of
from affidavit.evals.suites import suites
from affidavit.evals.suites.numbers import NumbersSuite
from affidavit.evals.suites.questions import GroundingSuite, Questions, RetrievalSuite
from affidavit.evals.suites.spans import SpansSuite
from affidavit.evals.suites_report import render_suites
from affidavit.ledger import Ledger

QUICK = ("spans", "numbers")
CALL = {"doc_id": "d", "doc_text": "The lock was rebuilt in 1934. It leaks.", "locator": "The lock was rebuilt"}


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger.open(tmp_path / "ledger.sqlite") as opened:
        yield opened


def tell_nobody(*_: object) -> None:
    pass


def rows(folder: Path, *found: dict[str, object]) -> Path:
    path = folder / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in found))
    return path


@pytest.mark.parametrize("name", QUICK)
def test_what_ships_holds_its_floors(name: str, ledger: Ledger):
    done = run_suite(suites()[name], ledger, floors=read_floors(), progress=tell_nobody)
    assert done.outcome == "passed", done.floors
    assert suite_of(suite_json(done)) == done
    assert read_suite(ledger, done.run_id) == done
    assert [one.run_id for one in newest_suites(ledger)] == [done.run_id]


def test_a_number_that_is_missed_misread_or_invented_is_wrong(tmp_path: Path):
    text = "The depot stores 640 crates."
    label = {"start": 17, "end": 20, "kind": "count", "value": 640, "unit": None, "subject": "crate"}
    path = rows(
        tmp_path,
        {"id": "right", "text": text, "numbers": [label]},
        {"id": "misread", "text": text, "numbers": [label | {"value": 641}]},
        {"id": "missed", "text": "Nobody came.", "numbers": [label | {"start": 0, "end": 6}]},
        {"id": "invented", "text": text, "numbers": []},
        {"id": "debatable", "text": text, "numbers": [], "debatable": True},
    )
    measured = NumbersSuite().measure(read_records([path]), tell_nobody)
    assert [case.state for case in measured.cases] == ["right", "wrong", "wrong", "wrong", "could_not_check"]
    figures = {figure.name: figure.share for figure in measured.figures}
    assert (figures["precision"].hits, figures["precision"].of) == (1, 3)
    assert (figures["recall"].hits, figures["recall"].of) == (1, 3)


def test_a_bound_that_is_misread_costs_its_own_figure(tmp_path: Path):
    label = {"start": 15, "end": 17, "kind": "count", "value": 40, "subject": "guest"}
    told = {"text": "No more than   40 guests may sleep here.", "numbers": [label | {"modifier": "at_most"}]}
    path = rows(
        tmp_path,
        {"id": "right", **told},
        {"id": "wrong", **told, "numbers": [label | {"modifier": "at_least"}]},
        {"id": "untold", **told, "numbers": [label]},
    )
    measured = NumbersSuite().measure(read_records([path]), tell_nobody)
    assert {figure.name: (figure.share.hits, figure.share.of) for figure in measured.figures}["bounds"] == (1, 2)


def test_a_span_cut_elsewhere_or_a_wrong_refusal_is_wrong(tmp_path: Path):
    path = rows(
        tmp_path,
        {"id": "right", **CALL, "expect": {"start": 0, "end": 39}},
        {"id": "elsewhere", **CALL, "expect": {"start": 0, "end": 29}},
        {"id": "refused", **CALL, "expect": {"error": "LOCATOR_NOT_FOUND"}},
        {"id": "either", **CALL, "expect_any": [{"start": 0, "end": 29}, {"start": 0, "end": 39}]},
    )
    measured = SpansSuite().measure(read_records([path]), tell_nobody)
    assert [case.state for case in measured.cases] == ["right", "wrong", "wrong", "right"]
    assert "wanted 0:29, got 0:39" in measured.cases[1].detail


def test_a_row_that_is_none_is_named_with_its_line_and_field(tmp_path: Path):
    path = rows(tmp_path, {"id": "right", **CALL, "expect": {"start": 0, "end": 39}}, {"id": "x", "doc_id": "d"})
    with pytest.raises(UserError, match=r"rows\.jsonl:2: doc_text: field required"):
        SpansSuite().measure(read_records([path]), tell_nobody)


def test_floors_are_held_on_their_rows_alone_and_lowered_only_on_purpose(tmp_path: Path, ledger: Ledger):
    good = rows(tmp_path, {"id": "a", **CALL, "expect": {"start": 0, "end": 39}})
    first = run_suite(SpansSuite(), ledger, paths=[good], floors=read_floors(), progress=tell_nobody)
    assert first.outcome == "measured"
    assert "not those that the floors are pinned on" in first.notes[0]

    pinned = pin({}, first)
    (tmp_path / "floors.toml").write_text(floors_toml(pinned))
    assert read_floors(tmp_path / "floors.toml") == pinned
    strict = {"spans": Pinned(first.data_digest, {"as_expected": 1.0, "none_such": 0.5})}
    done = run_suite(SpansSuite(), ledger, paths=[good], floors=strict, progress=tell_nobody)
    assert done.outcome == "could_not_check"

    bad = rows(tmp_path, {"id": "a", **CALL, "expect": {"start": 0, "end": 29}})
    worse = run_suite(SpansSuite(), ledger, paths=[bad], floors=pinned, progress=tell_nobody)
    below = {"spans": Pinned(worse.data_digest, {"as_expected": 1.0})}
    assert run_suite(SpansSuite(), ledger, paths=[bad], floors=below, progress=tell_nobody).outcome == "below_floor"
    with pytest.raises(UserError, match="lowered only with --lower"):
        pin(below, worse)
    assert pin(below, worse, lower=True)["spans"].bounds == {"as_expected": 0.0}


def test_runs_on_the_same_rows_are_compared_case_by_case(tmp_path: Path, ledger: Ledger):
    path = rows(tmp_path, {"id": "a", **CALL, "expect": {"start": 0, "end": 39}})
    one = run_suite(SpansSuite(), ledger, paths=[path], floors={}, progress=tell_nobody)
    other = run_suite(SpansSuite(), ledger, paths=[path], floors={}, progress=tell_nobody)
    assert compare(one, other).turned == ()
    shipped = run_suite(SpansSuite(), ledger, floors={}, progress=tell_nobody)
    with pytest.raises(UserError, match="different rows"):
        compare(one, shipped)


def test_nothing_of_a_row_acts_in_the_page(tmp_path: Path, ledger: Ledger):
    path = rows(tmp_path, {"id": "<img src=x onerror=alert(1)>", **CALL, "expect": {"start": 0, "end": 1}})
    done = run_suite(SpansSuite(), ledger, paths=[path], floors={}, progress=tell_nobody)
    assert done.states[CaseState.WRONG] == 1
    page = render_suites([done], "html")
    assert "<img" not in page
    assert "&lt;img" in page
    assert "<img" not in render_suites([done], "md").replace("\\<img", "")


def test_several_suites_begin_with_one_table_of_all(tmp_path: Path, ledger: Ledger):
    path = rows(tmp_path, {"id": "a", **CALL, "expect": {"start": 0, "end": 1}})
    done = run_suite(SpansSuite(), ledger, paths=[path], floors={}, progress=tell_nobody)
    assert render_suites([done, done], "md").startswith("| suite | rows | right | wrong |")
    assert "| spans | 1 | 0 | 1 | 0 |" in render_suites([done, done], "md")
    assert '<a href="#spans">' in render_suites([done, done], "html")
    assert "| suite |" not in render_suites([done], "md")
    assert "href" not in render_suites([done], "html")


def test_questions_are_asked_without_a_model_and_an_answer_that_is_not_published_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("AFFIDAVIT_CACHE_DIR", str(tmp_path / "cache"))
    folder = tmp_path / "web"
    folder.mkdir()
    (folder / "gauge.txt").write_text("The Aldermoor tide gauge was installed in 1871. It is read every morning.\n")
    asked = {"web": [str(folder)], "question": "When was the Aldermoor tide gauge installed?", "answerable": True}
    path = rows(
        tmp_path,
        {"id": "right", **asked, "expect": "1871"},
        {"id": "wrong", **asked, "expect": "1872"},
        {"id": "silent", "web": [str(folder)], "question": "Who owns the ferry at Marlow Trent?", "answerable": False},
        {"id": "failed", "web": [str(folder)], "question": "???", "answerable": False},
    )
    records, questions = read_records([path]), Questions()
    grounding = GroundingSuite(questions).measure(records, tell_nobody)
    assert [case.state for case in grounding.cases] == ["right", "wrong", "right", "wrong"]
    assert [(one.share.hits, one.share.of) for one in grounding.figures[1:]] == [(1, 2), (1, 2)]
    assert grounding.figures[0].share.value == 1.0
    alone = RetrievalSuite(Questions()).measure(records, tell_nobody)
    assert [case.state for case in alone.cases] == ["right", "wrong"]

    # Within a run no question is asked again: the pages could be gone by now.
    (folder / "gauge.txt").write_text("The Aldermoor tide gauge is read every morning.\n")
    told: list[tuple[int, int]] = []
    assert RetrievalSuite(questions).measure(records, lambda done, of: told.append((done, of))) == alone
    assert told == [(2, 2)]
    gone = RetrievalSuite(Questions()).measure(records, tell_nobody)
    assert [case.state for case in gone.cases] == ["wrong", "wrong"]


def test_a_question_without_what_answers_it_is_named(tmp_path: Path):
    path = rows(tmp_path, {"id": "q", "question": "When?", "answerable": True, "expect": "("})
    with pytest.raises(UserError, match="expect: value error, no regular expression"):
        GroundingSuite(Questions()).measure(read_records([path]), tell_nobody)
