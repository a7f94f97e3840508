"""Judges over time: what is known of one when a run begins, and what a change of model or prompt leaves unknown."""

import json
from collections.abc import Iterator
from pathlib import Path

import jsonschema
import pytest

from affidavit.desk import Sources, open_desk
from affidavit.draft_file import DraftFile
from affidavit.errors import UserError
from affidavit.evals import run_judge
from affidavit.evals.drift import SHIPPED, Drift, drift, since_of
from affidavit.evals.drift_plot import HEIGHT, WIDTH, plots
from affidavit.evals.drift_report import DRIFT_FORMATS, render_drift
from affidavit.evidence.answer import Answer, VerifierCard
from affidavit.evidence.claim import Label
from affidavit.house import House, open_house
from affidavit.ledger import Ledger
from affidavit.reach import Reach
from affidavit.replay import replay
from affidavit.report import render, render_check
from affidavit.report.schema import load_schema
from affidavit.report.schema_file import generate
from affidavit.research.ask import Ask
from affidavit.research.plan import make_plan
from affidavit.settings import Settings, load_settings
from affidavit.staff import Payroll
from affidavit.wiring import open_ledger, open_verifier

from ..faithful import QUESTION, Faithful, played, settings_in, write_pages
from .conftest import N, S, Table, X, rows, triples

LONG_AGO = "2001-01-01"


def tell_nobody(*_: object) -> None:
    pass


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger.open(tmp_path / "ledger.sqlite") as opened:
        yield opened


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[House, Settings]]:
    """A house in which one model researches and another judges."""
    played(monkeypatch, Faithful)
    settings = settings_in(tmp_path)
    with open_house(settings, Reach.named([str(write_pages(tmp_path))])) as house:
        yield house, settings


def ask(house: House) -> Answer:
    return house.ask(make_plan(Ask(question=QUESTION), 2))


def measure_model(settings: Settings) -> None:
    """Measure the model that judges, by this ledger."""
    payroll = Payroll()
    judge = open_verifier("model:verifier", settings, payroll.cast(settings))
    data = triples(rows(S, S, N))
    with open_ledger(settings) as opened:
        run_judge(judge, data, opened, progress=tell_nobody, on_begun=payroll.charge)


def measure(ledger: Ledger, said: list[Label], version: str = "1", wanted: Label = S) -> None:
    """Measure a verifier that answers as `said`, where `wanted` would be right."""
    found = rows(*[wanted] * len(said))
    card = VerifierCard(name="table", version=version, calibration=None)
    table = Table({row.claim: label for row, label in zip(found, said, strict=True)}, card)
    run_judge(table, triples(found), ledger, progress=tell_nobody)


def since(settings: Settings, now: str | None = None) -> Drift:
    with open_ledger(settings) as opened:
        return drift(opened, LONG_AGO, now)


def test_an_answer_says_that_its_judge_is_unmeasured_until_it_is_measured_in_this_ledger(home: tuple[House, Settings]):
    house, settings = home
    before = ask(house)
    assert json.loads(render(before, "json"))["verifier"]["calibration"] is None
    for output_format in ("terminal", "md", "html"):
        assert "Not calibrated" in render(before, output_format)
    (unmeasured,) = since(settings).unmeasured
    assert (unmeasured.job, unmeasured.runs, unmeasured.run_id) == ("ask", 1, before.run_id)

    measure_model(settings)
    after = ask(house)
    told = json.loads(render(after, "json"))["verifier"]["calibration"]
    assert (told["rows"], told["agreement"]["of"]) == (3, 3)
    assert "Not calibrated" not in render(after, "terminal")
    assert f"{told['agreement']['hits']} of 3 (" in render(after, "terminal")
    assert since(settings).unmeasured == ()
    for answer in (before, after):  # what was known when each began, whatever was measured since
        assert replay(answer.run_id, settings).outcome.value == "agrees"


def test_a_prompt_that_changed_is_another_judge_whom_nobody_has_measured(
    home: tuple[House, Settings], monkeypatch: pytest.MonkeyPatch
):
    house, settings = home
    measure_model(settings)
    ask(house)
    monkeypatch.setattr("affidavit.verify.model.PROMPT_SHA256", "f" * 64)
    signed = "model:mine:small/prompt-ffffffffffff"
    (would_be,) = since(settings, now=signed).unmeasured
    assert (would_be.job, would_be.verifier, would_be.changed, would_be.runs) == ("next", signed, ("prompt",), 0)

    answer = ask(house)
    assert answer.verifier.calibration is None
    found = since(settings, now=signed)
    assert [(one.verifier == signed, one.changed, one.measured is None) for one in found.judges] == [
        (False, (), False),
        (True, ("prompt",), True),
    ]
    assert "prompt changed" in render_drift(found, "md")
    measure_model(settings)
    assert since(settings, now=signed).unmeasured == ()


def test_a_check_names_the_verifier_that_nobody_measured(tmp_path: Path):
    (tmp_path / "source.txt").write_text("The mill was rebuilt in 1911 after the fire.\n")
    claim = "After the fire the mill had been built anew."
    settings = load_settings({}, data_dir=tmp_path / "data", cache_dir=tmp_path / "cache", workers=1)
    judge = Table({claim: S}, VerifierCard(name="mine", version="7", calibration=None))
    draft = DraftFile(name="draft.txt", body=claim.encode(), media_type="text/plain")
    with open_desk(settings, Sources(files=[str(tmp_path / "source.txt")]), verifier=judge) as desk:
        check = desk.check(draft)
    for output_format in ("terminal", "md", "html"):
        text = " ".join(render_check(check, output_format).split())
        assert "mine 7: Not calibrated" in text
    assert json.loads(render_check(check, "json"))["verifier"]["calibration"]["mine 7"] is None
    (unmeasured,) = since(settings).unmeasured
    assert (unmeasured.job, unmeasured.verifier) == ("check", "mine/7")
    assert replay(check.run_id, settings).outcome.value == "agrees"


def test_a_verifier_that_agrees_less_on_the_same_rows_has_fallen(ledger: Ledger):
    measure(ledger, [S] * 60)
    measure(ledger, [S] * 59 + [N])
    assert drift(ledger, LONG_AGO).fallen == ()
    measure(ledger, [S] * 30 + [N] * 30)
    measure(ledger, [S] * 12 + [N] * 48, version="2")
    found = drift(ledger, LONG_AGO)
    ((before, after),) = found.fallen
    assert (before.agreement.hits, after.agreement.hits) == (59, 30)
    assert "agrees less than it did" in render_drift(found, "terminal")


def test_an_eval_that_could_check_nothing_has_measured_nothing(ledger: Ledger):
    measure(ledger, [X] * 3)
    assert drift(ledger, LONG_AGO).measurements == ()


def test_what_was_measured_before_the_date_is_not_shown(ledger: Ledger):
    measure(ledger, [S])
    assert drift(ledger, "2100-01-01").measurements == ()
    assert drift(ledger, LONG_AGO).measurements[0].verifier == "table/1"


def test_the_plot_draws_each_verifier_on_each_data_and_stays_within_its_frame(ledger: Ledger):
    measure(ledger, [S, S, N])
    measure(ledger, [S, N, N])
    measure(ledger, [S, S, S], version="2")
    measure(ledger, [N, N], wanted=N)
    found = drift(ledger, LONG_AGO)
    assert [[len(line.points) for line in plot.lines] for plot in plots(found)] == [[2, 1], [1]]
    for point in (point for plot in plots(found) for line in plot.lines for point in line.points):
        assert 0 <= point.x <= WIDTH
        assert 0 <= point.high <= point.y <= point.low <= HEIGHT
    high, low = plots(found)[0].lines[0].points
    assert high.y < low.y
    page = render_drift(found, "html")
    assert page.count('<svg class="drift"') == 2
    assert page.count("<circle") == 4


def test_every_format_tells_of_every_measurement_and_the_json_has_its_schema(ledger: Ledger):
    measure(ledger, [S, S, N])
    found = drift(ledger, LONG_AGO)
    for output_format in DRIFT_FORMATS:
        assert "table/1" in render_drift(found, output_format)
    jsonschema.validate(json.loads(render_drift(found, "json")), load_schema("drift"))
    assert load_schema("drift") == generate("drift")


def test_a_name_acts_in_no_page(ledger: Ledger):
    measure(ledger, [S], version="<img src=x>")
    assert "<img" not in render_drift(drift(ledger, LONG_AGO), "html")


def test_a_verifier_that_ships_with_its_figures_is_not_flagged(tmp_path: Path):
    settings = load_settings({}, data_dir=tmp_path / "data", cache_dir=tmp_path / "cache", workers=1)
    with open_house(settings, Reach.named([str(write_pages(tmp_path))])) as house:
        ask(house)
    (judge,) = since(settings).judges
    assert judge.measured == SHIPPED


def test_a_date_is_read_as_utc_and_anything_else_is_refused():
    assert since_of("2026-11-01") == "2026-11-01T00:00:00"
    assert since_of("2026-11-01T09:00+02:00") == "2026-11-01T07:00:00"
    with pytest.raises(UserError, match="'last week'"):
        since_of("last week")
