"""`golden`: what its figures count, by a script and by a model that was named."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from affidavit.errors import UserError
from affidavit.evals.hired import Hired
from affidavit.evals.pinned import read_floors
from affidavit.evals.records import read_records, read_shipped_records
from affidavit.evals.scripted import Shown, calling, planned
from affidavit.evals.suite import Measured, data_digest
from affidavit.evals.suites.golden import GoldenSuite
from affidavit.models.cast import Cast
from affidavit.models.model import Model
from affidavit.models.reply import ModelReply
from affidavit.models.request import ModelRequest
from affidavit.models.roles import Role
from affidavit.settings import load_settings

GAUGE = "The Aldermoor tide gauge was installed in 1871."
ASKED = "When was the Aldermoor tide gauge installed?"
AT = "https://web.invalid/gauge.txt"


@pytest.fixture
def web(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("AFFIDAVIT_CACHE_DIR", str(tmp_path / "cache"))
    folder = tmp_path / "web"
    folder.mkdir()
    (folder / "gauge.txt").write_text(f"{GAUGE} It is read every morning.\n")
    (folder / "ferry.txt").write_text("The ferry of Aldermoor was sold in 1902. Nobody regrets it.\n")
    return folder


def tell_nobody(*_: object) -> None:
    pass


def measured(web: Path, *rows: Mapping[str, object]) -> Measured:
    path = web.parent / "rows.jsonl"
    text = (
        json.dumps({"id": str(n), "web": [str(web)], "question": ASKED, **row}) + "\n" for n, row in enumerate(rows)
    )
    path.write_text("".join(text))
    return GoldenSuite().measure(read_records([path]), tell_nobody)


def row(
    *claims: str, false: tuple[str, ...] = (), quote: str = GAUGE, at: str = AT, **more: object
) -> dict[str, object]:
    return {
        "answerable": True,
        "expect": "1871",
        "sources": [{"url": at, "quote": quote}],
        "claims": [{"text": one, "of": [1]} for one in claims],
        "false": [{"text": one, "of": [1]} for one in false],
        **more,
    }


def test_pages_quotations_and_claims_are_counted_before_and_after_pruning(web: Path):
    unanswerable = row(false=("The gauge was paid for by the queen.",), answerable=False, expect=None)
    found = measured(
        web,
        row(GAUGE, false=("The Aldermoor tide gauge was installed in 1872.",)),
        row(GAUGE, quote="The Aldermoor tide gauge was removed in 1871."),
        row(GAUGE, at="https://web.invalid/none.txt"),
        unanswerable,
    )
    shares = {figure.name: (figure.share.hits, figure.share.of) for figure in found.figures}
    assert [case.state for case in found.cases] == ["right", "wrong", "wrong", "right"], found.cases
    assert shares["gold_listed"] == shares["gold_read"] == (2, 3)
    assert shares["gold_quoted"] == (1, 3)
    assert shares["first_quotes"] == (2, 4)
    assert shares["duplicate_fetches"] == (0, 4)
    assert shares["supported_before"] == (1, 3)
    assert shares["answered"] == (1, 3)
    assert shares["grounded"] == shares["spans"] == (1, 1)
    assert shares["silent"] == (1, 1)


def test_a_published_sentence_that_the_row_calls_wrong_is_no_answer(web: Path):
    found = measured(web, row(GAUGE, wrong=["installed in 18"]))
    shares = {figure.name: (figure.share.hits, figure.share.of) for figure in found.figures}
    assert found.cases[0].state == "wrong"
    assert shares["answered"] == (1, 1)
    assert shares["grounded"] == (0, 1)


def test_what_was_drafted_and_not_judged_is_dropped_and_what_was_quoted_in_its_stead_is_not_counted(web: Path):
    found = measured(web, row(false=("The Aldermoor tide gauge was installed in 1872.",) * 3))
    shares = {figure.name: (figure.share.hits, figure.share.of) for figure in found.figures}
    assert shares["dropped"] == (3, 3)
    assert shares["supported_before"] == (0, 3)
    assert shares["answered"] == shares["grounded"] == (1, 1)


class Reading:
    """A model that reads what is listed first, and drafts nothing."""

    name = "local:reader"

    async def complete(self, request: ModelRequest) -> ModelReply:
        if request.output is not None:
            return planned(ASKED)
        if len(request.messages) > 1:
            return calling(("draft_answer", {"claims": [], "summary": ""}))
        return calling(("fetch_page", {"urls": Shown.of(request).listed[:1]}))


class Company(Cast):
    def named(self, model: str, role: Role) -> Model:
        return self.around(Reading(), role)


class Engaged(Hired):
    """Models whose replies are given here; what is around them is not."""

    def cast(self) -> Cast:
        return Company(load_settings({}, models=dict(self.roles)).models)


def test_a_model_that_was_named_is_measured_by_the_same_figures(web: Path):
    path = web.parent / "rows.jsonl"
    path.write_text(json.dumps({"id": "1", "web": [str(web)], "question": ASKED, **row(GAUGE)}) + "\n")
    suite = GoldenSuite(Engaged(load_settings({}), {Role.RESEARCHER: Reading.name}))
    shares = {
        figure.name: (figure.share.hits, figure.share.of)
        for figure in suite.measure(read_records([path]), tell_nobody).figures
    }
    assert shares["gold_read"] == (1, 1)
    assert shares["useful_fetches"] == (0, 1)
    assert shares["answered"] == (0, 1)
    assert shares["calls_accepted"] == (2, 2)


def test_an_answerable_question_without_sources_is_named(web: Path):
    with pytest.raises(UserError, match="write what its answer matches, and its sources"):
        measured(web, {"answerable": True, "expect": "1871"})


def test_no_model_judges_its_own_claims():
    named = {Role.RESEARCHER: "openai:gpt-6-luna", Role.VERIFIER: "openai:gpt-6-luna"}
    with pytest.raises(UserError, match="would judge its own claims"):
        GoldenSuite(Hired(load_settings({}), named))


def test_the_floors_are_of_the_rows_that_ship():
    records = read_shipped_records(GoldenSuite.data)
    assert read_floors()[GoldenSuite.name].digest == data_digest(records)
    assert len(records.rows) == 40
