import json
import re
from collections.abc import Callable

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from affidavit.errors import UserError
from affidavit.evals import JUDGE_FORMATS, calibration, render_judge
from affidavit.evals.floors import Floors
from affidavit.evals.judge import JudgeEval
from affidavit.evals.judge_html import LEFT, SIDE, TOP, curve
from affidavit.evals.judge_terminal import render_judge_terminal
from affidavit.evals.judge_wording import decimal
from affidavit.evals.reliability import Reliability
from affidavit.evidence.answer import VerifierCard
from affidavit.report.schema import load_schema
from affidavit.report.schema_file import generate

from .conftest import N, P, S, X

Done = Callable[..., JudgeEval]
ROWS = (
    ("alpha", "number", S, S, 0.97),
    ("alpha", "number", N, S, 0.91),
    ("alpha", None, P, X, None),
    ("a_data_set_with_quite_a_long_name", None, N, N, 0.02),
)


def test_the_json_validates_and_the_shipped_schema_is_the_generated_one(done: Done):
    found = json.loads(render_judge(done(*ROWS, floors=Floors(max_false_supported=0.9)), "json"))
    jsonschema.validate(found, load_schema("judge"))
    assert load_schema("judge") == generate("judge")


def test_every_field_of_the_schema_is_described():
    schema = load_schema("judge")
    shapes = {**schema["$defs"], "judge": schema}
    bare = [
        (name, field)
        for name, shape in shapes.items()
        for field, part in shape["properties"].items()
        if "description" not in part and "$ref" not in part
    ]
    assert [(name, field) for name, field in bare if name != "VerifierJson"] == []


def test_every_figure_of_the_json_can_be_counted_again_from_its_rows(done: Done):
    found = json.loads(render_judge(done(*ROWS), "json"))
    wrong = [row for row in found["rows"] if row["label"] != "SUPPORTED" and row["said"] == "SUPPORTED"]
    others = [row for row in found["rows"] if row["label"] != "SUPPORTED"]
    share = found["measured"]["pooled"]["as_not_supported"]["false_supported"]
    assert (share["hits"], share["of"]) == (len(wrong), len(others)) == (1, 3)
    apart = found["measured"]["near_misses"]["as_not_supported"]["certified_right"]
    assert (apart["hits"], apart["of"]) == (0, 1)
    assert sum(cell["rows"] for cell in found["measured"]["pooled"]["confusion"]) == len(found["rows"])


def test_a_calibration_names_its_verifier_its_data_and_the_error_that_matters(done: Done):
    ended = done(*ROWS)
    found = calibration(ended)
    assert (found["verifier"], found["digest"], found["rows"]) == ("table/1", ended.data.digest, 4)
    assert found["false_supported"]["hits"] == 1
    VerifierCard(name="table", version="1", calibration=found)


def test_the_terminal_is_plain_and_fits_eighty_columns(done: Done):
    text = render_judge_terminal(done(*ROWS, floors=Floors(min_balanced_accuracy=0.99)), verbose=True)
    assert "\x1b" not in text
    assert all(len(line) <= 80 for line in text.splitlines())
    assert "asked for at least 0.99: does not hold" in text
    assert "Falsely SUPPORTED: 1" in text


@pytest.mark.parametrize("output_format", ["terminal", "md", "html"])
def test_what_the_data_say_acts_in_no_report(done: Done, output_format: str):
    text = render_judge(
        done(("set", None, N, S, None), claim="\x1b[31m<script>[x](https://a.example) |"), output_format
    )
    assert "\x1b" not in text
    if output_format == "html":
        assert "<script" not in text
        assert "href" not in text
    if output_format == "md":
        assert not re.search(r"(?<!\\)<", text)
        assert not re.search(r"(?<!\\)\]\(", text)


def test_a_page_draws_each_bin_of_scores_where_its_rows_stand(done: Done):
    drawn = curve(Reliability.of([(0.05, False), (0.05, True), (0.85, True), (0.95, True)]))
    assert [(round((one.x - LEFT) / SIDE, 2), round(1 - (one.y - TOP) / SIDE, 2)) for one in drawn.points] == [
        (0.05, 0.5),
        (0.85, 1.0),
        (0.95, 1.0),
    ]
    assert drawn.points[0].r == max(one.r for one in drawn.points)
    page = render_judge(done(*ROWS), "html")
    assert page.count("<circle") == 2
    assert "1 rows scored 0.0 to 0.1: 0.0% SUPPORTED" in page
    assert "<svg" not in render_judge(done(("set", None, N, N, None)), "html")


def test_markdown_tables_have_as_many_cells_in_every_row(done: Done):
    text = render_judge(done(*ROWS, ("odd | name", "odd | kind", N, N, None)), "md")
    for block in text.split("\n\n"):
        lines = [line for line in block.splitlines() if line.startswith("|")]
        assert len({line.replace("\\|", "").count("|") for line in lines}) <= 1


@pytest.mark.parametrize("output_format", JUDGE_FORMATS)
def test_figures_that_cannot_be_told_are_told_so(done: Done, output_format: str):
    text = render_judge(done(("set", None, S, X, None)), output_format)
    assert "nothing was measured" in " ".join(text.split())
    assert "nan" not in text.lower().replace("nan]", "")


def test_an_unknown_format_is_refused(done: Done):
    with pytest.raises(UserError, match="md, html, json"):
        render_judge(done(*ROWS), "pdf")


@given(st.floats(0, 1))
def test_a_figure_is_written_with_three_decimals(value: float):
    assert float(decimal(value)) == pytest.approx(value, abs=5.1e-4)
    assert len(decimal(value).partition(".")[2]) == 3
