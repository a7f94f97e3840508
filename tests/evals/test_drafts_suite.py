"""The suite of whole drafts, on drafts of a line or two over a page that is written here."""

import json
from pathlib import Path

import pytest

from affidavit.errors import UserError
from affidavit.evals.records import read_records
from affidavit.evals.suites.drafts import DraftsSuite

TEXT = "# The gauge\n\nThe Aldermoor tide gauge was installed in 1871. It cost 40 pounds. Who read it?\n"
PAGE = "The Aldermoor tide gauge was installed in 1871 by Ada Marsh. A keeper read it every morning for 30 years.\n"


def rows(folder: Path, url: str, *sentences: tuple[str, list[str]]) -> Path:
    web = folder / "web"
    web.mkdir()
    (web / "gauge.txt").write_text(PAGE)
    labels = [{"text": text, "kind": "plain", "expect": expect} for text, expect in sentences]
    row = {"id": "d", "text": TEXT, "sources": [url], "web": [str(web)], "sentences": labels}
    path = folder / "drafts.jsonl"
    path.write_text(json.dumps(row) + "\n")
    return path


def test_every_labelled_sentence_is_a_case_and_a_figure_counts_those_it_is_about(tmp_path: Path) -> None:
    path = rows(
        tmp_path,
        "https://web.invalid/gauge.txt",
        ("The gauge", ["no_claim"]),
        ("The Aldermoor tide gauge was installed in 1871.", ["sourced"]),
        ("It cost 40 pounds.", ["rejected"]),
        ("It cost 40 pounds.", ["unsourced"]),
        ("The Aldermoor tide gauge", ["sourced"]),
        ("Who read it?", ["no_claim", "unsourced"]),
    )
    measured = DraftsSuite().measure(read_records([path]), lambda *_: None)
    assert [case.state for case in measured.cases] == ["right", "right", "right", "wrong", "wrong", "right"]
    assert measured.cases[4].detail.startswith("cut elsewhere, wanted sourced")
    assert {figure.name: (figure.share.hits, figure.share.of) for figure in measured.figures} == {
        "false_sourced": (0, 2),
        "false_alarms": (0, 2),
        "sourced": (1, 2),
        "rejected": (1, 1),
        "set_aside": (2, 2),
    }


def test_a_source_that_no_archive_holds_is_named(tmp_path: Path) -> None:
    path = rows(tmp_path, "https://elsewhere.invalid/x", ("The gauge", ["no_claim"]))
    with pytest.raises(UserError, match=r"'d'.*https://elsewhere\.invalid/x is in none"):
        DraftsSuite().measure(read_records([path]), lambda *_: None)
