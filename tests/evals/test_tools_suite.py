"""`tools`: a conversation that is handled otherwise than its row says is wrong, and a broken runtime is noticed."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from affidavit.errors import UserError
from affidavit.evals.pinned import read_floors
from affidavit.evals.records import read_records, read_shipped_records
from affidavit.evals.suite import Measured, data_digest
from affidavit.evals.suites.tools import ToolsSuite
from affidavit.research.meter import Meter

GAUGE = "The Aldermoor tide gauge was installed in 1871."
ASKED = "When was the Aldermoor tide gauge installed?"
FETCH = {"calls": [["fetch_page", {"urls": ["{{url:gauge.txt}}"]}]]}
QUOTE = {
    "calls": [
        ["extract_quote", {"doc_id": "{{doc:gauge.txt}}", "locator": GAUGE[:20], "purpose": "support_claim"}],
    ]
}
CLAIM = {"text": GAUGE, "span_ids": ["{{span:1}}"], "confidence": "high"}
DRAFT = {"calls": [["draft_answer", {"claims": [CLAIM], "summary": ""}]]}
FORGED = {"calls": [["draft_answer", {"claims": [CLAIM | {"span_ids": ["span_1"]}], "summary": ""}]]}
GOOD = {
    "question": ASKED,
    "turns": [FETCH, QUOTE, DRAFT],
    "handled": ["fetch_page ok", "extract_quote ok", "draft_answer ok"],
    "used": {"tool_calls": 3, "fetches": 1, "spans": 1},
    "state": "published",
    "published": 1,
}


@pytest.fixture
def web(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("AFFIDAVIT_CACHE_DIR", str(tmp_path / "cache"))
    folder = tmp_path / "web"
    folder.mkdir()
    (folder / "gauge.txt").write_text(f"{GAUGE} It is read every morning.\n")
    return folder


def tell_nobody(*_: object) -> None:
    pass


def measured(web: Path, *rows: Mapping[str, object]) -> Measured:
    path = web.parent / "rows.jsonl"
    text = (json.dumps({"id": str(n), "web": [str(web)], **row}) + "\n" for n, row in enumerate(rows))
    path.write_text("".join(text))
    return ToolsSuite().measure(read_records([path]), tell_nobody)


def shares(found: Measured) -> dict[str, tuple[int, int]]:
    return {figure.name: (figure.share.hits, figure.share.of) for figure in found.figures}


def test_a_call_handled_otherwise_another_bill_and_another_end_are_wrong(web: Path):
    found = measured(
        web,
        GOOD,
        GOOD | {"handled": ["fetch_page ok", "extract_quote LOCATOR_NOT_FOUND", "draft_answer ok"]},
        GOOD | {"used": {"fetches": 2}},
        GOOD | {"state": "nothing_sourced", "published": 0},
        GOOD
        | {
            "turns": [{"text": "In 1871."}, FETCH, QUOTE, FORGED, DRAFT],
            "handled": ["fetch_page ok", "extract_quote ok", "draft_answer NO_EVIDENCE", "draft_answer ok"],
            "used": {"tool_calls": 5},
        },
    )
    assert [case.state for case in found.cases] == ["right", "wrong", "wrong", "wrong", "right"], found.cases
    assert found.cases[1].detail == "handled: fetch_page ok, extract_quote ok, draft_answer ok"
    assert found.cases[2].detail == "fetches: 1 used, not 2"
    assert shares(found) == {
        "handled": (15, 16),
        "charged": (4, 5),
        "ended": (4, 5),
        "crashed": (0, 5),
        "over_budget": (0, 5),
    }


def always(*_: object, **__: object) -> bool:
    return True


def test_a_runtime_that_charges_nothing_or_crashes_is_noticed(web: Path, monkeypatch: pytest.MonkeyPatch):
    tight = {"question": ASKED, "turns": [FETCH] * 4, "handled": ["fetch_page ok"], "state": "published"}
    with monkeypatch.context() as patch:
        patch.setattr(Meter, "_take", always)
        found = measured(web, tight | {"budgets": {"max_searches": 1, "max_tool_calls": 4}})
    assert shares(found)["over_budget"] == (1, 1)
    assert "searches: 2 of 1" in found.cases[0].detail

    def crash(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("affidavit.research.toolbox.read_arguments", crash)
    found = measured(web, GOOD)
    assert shares(found)["crashed"] == (1, 1)
    assert "ZeroDivisionError" in found.cases[0].detail


def test_a_turn_that_is_none_is_named(web: Path):
    with pytest.raises(UserError, match=r"rows\.jsonl:1: turns\.0\.call: extra inputs are not permitted"):
        measured(web, GOOD | {"turns": [{"call": []}]})


def test_the_floors_are_of_the_rows_that_ship():
    """The suite itself takes half a minute and runs in `make eval`."""
    records = read_shipped_records(ToolsSuite.data)
    assert read_floors()[ToolsSuite.name].digest == data_digest(records)
    assert len(records.rows) >= 40
