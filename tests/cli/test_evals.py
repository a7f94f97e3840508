import json
from pathlib import Path

import jsonschema
import pytest

from affidavit.report.schema import load_schema

from .conftest import Command

ROWS = (
    {"claim": "The bridge opened in 1902.", "span": "The bridge opened in 1902.", "label": "SUPPORTED", "kind": "twin"},
    {"claim": "The bridge opened in 1903.", "span": "The bridge opened in 1902.", "label": "NOT_SUPPORTED"},
    {"claim": "Ships sail under it, it is said.", "span": "The bridge opened in 1902.", "label": "NOT_SUPPORTED"},
)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "mine.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    return path


def test_the_json_validates_and_is_a_run_of_the_ledger(affidavit: Command, data: Path):
    ran = affidavit("eval", "judge", "--data", str(data), "--verifier", "overlap", "--json")
    assert ran.status == 0, ran.err
    found = json.loads(ran.out)
    jsonschema.validate(found, load_schema("judge"))
    assert [row["label"] for row in found["rows"]] == ["SUPPORTED", "NOT_SUPPORTED", "NOT_SUPPORTED"]
    (run,) = json.loads(affidavit("runs", "list", "--json").out)
    assert (run["run_id"], run["kind"], run["question"]) == (found["run_id"], "eval", "judge")


def test_above_every_floor_the_exit_status_is_0(affidavit: Command, data: Path):
    floors = ["--max-false-supported", "0", "--min-balanced-accuracy", "1"]
    ran = affidavit("eval", "judge", "--data", str(data), "--verifier", "verbatim", *floors)
    assert ran.status == 0, ran.out + ran.err


def test_below_a_floor_the_exit_status_is_1_and_the_report_says_which(affidavit: Command, data: Path):
    data.write_text(
        json.dumps({"claim": "Ada opened the bridge.", "span": "The bridge opened Ada.", "label": "NOT_SUPPORTED"})
        + "\n"
        + json.dumps(ROWS[0])
    )
    ran = affidavit("eval", "judge", "--data", str(data), "--verifier", "overlap", "--max-false-supported", "0.05")
    assert ran.status == 1, ran.err
    assert "false SUPPORTED is 1.000, asked for at most 0.05: does not hold" in ran.out


def test_where_nothing_could_be_checked_the_exit_status_is_2(affidavit: Command, data: Path):
    data.write_text(json.dumps(ROWS[2]))
    ran = affidavit("eval", "judge", "--data", str(data), "--verifier", "verbatim", "--max-false-supported", "1")
    assert ran.status == 2, ran.err
    assert "nothing was measured" in " ".join(ran.out.split())


def test_two_verifiers_are_held_against_each_other_and_piped_output_fits_eighty_columns(affidavit: Command, data: Path):
    ran = affidavit("eval", "judge", "--data", str(data), "--verifier", "verbatim", "--against", "overlap", "-v")
    assert ran.status == 0, ran.err
    assert "McNemar" in ran.out
    assert "\x1b" not in ran.out
    assert all(len(line) <= 80 for line in ran.out.splitlines())


@pytest.mark.parametrize("ending", ["md", "txt"])
def test_out_writes_the_format_its_ending_names(affidavit: Command, data: Path, ending: str):
    ran = affidavit("eval", "judge", "--data", str(data), "--verifier", "overlap", "--out", f"report.{ending}")
    assert ran.status == 0, ran.err
    text = (affidavit.home / f"report.{ending}").read_text(encoding="utf-8")
    assert "overlap" in text
    assert (text[0] == "{") is (ending == "json")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--data", "none.jsonl"], "none.jsonl"),
        (["--data", "mine.jsonl", "--verifier", "oracle"], "'oracle'; there are: "),
        (["--data", "mine.jsonl", "--verifier", "none.toml"], "none.toml"),
        (["--data", "mine.jsonl", "--calibration", "mine.jsonl"], "one of the files read"),
        (["--data", "mine.jsonl", "--max-false-supported", "5"], "--max-false-supported 5"),
        (["--data", "mine.jsonl", "--out", "mine.jsonl"], "names no format"),
        (["--data", "broken.jsonl"], "broken.jsonl:1: no 'span'"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_wrong_input_is_one_line_and_status_64(affidavit: Command, data: Path, options: list[str], said: str):
    (affidavit.home / "broken.jsonl").write_text('{"claim": "a"}\n')
    ran = affidavit("eval", "judge", "--verifier", "overlap", *options)
    assert ran.status == 64, (ran.out, ran.err)
    assert said in ran.err
    assert ran.err.count("\n") == 1
    assert ran.out == ""


def test_the_list_names_the_suite_its_data_and_the_verifiers(affidavit: Command):
    ran = affidavit("eval", "list")
    assert ran.status == 0, ran.err
    assert "judge" in ran.out
    assert "overlap" in ran.out
    assert "(default)" in ran.out


def test_a_suite_asks_only_models_that_are_named_for_it_and_no_judge_of_its_own_words(affidavit: Command):
    ran = affidavit("eval", "run", "spans", "--model", "judge=openai:gpt-6-luna")
    assert ran.status == 64
    assert "no suite of this run asks one; those that ask: writing:" in ran.err
    ran = affidavit("eval", "run", "writing", "--model", "writer=openai:gpt-6-luna")
    assert "name a writer and a reviewer together" in ran.err
    named = ("--model", "judge=openai:gpt-6-luna", "--writer", "openrouter:openai/gpt-6-luna")
    ran = affidavit("eval", "pairwise", "--data", "pairs.jsonl", *named)
    assert ran.status == 64
    assert "--own-judge" in ran.err
    ran = affidavit("eval", "pairwise", "--data", "pairs.jsonl")
    assert "name the judge, and no other model" in ran.err


def test_what_was_measured_since_a_date_is_shown_from_the_ledger_alone(affidavit: Command, data: Path):
    assert affidavit("eval", "judge", "--since", "2026-01-01").status == 2
    measured = affidavit("eval", "judge", "--data", str(data), "--verifier", "overlap", "--json")
    ran = affidavit("eval", "judge", "--since", "2026-01-01", "--json", "--out", "judges.html")
    assert ran.status == 0, ran.err
    found = json.loads(ran.out)
    jsonschema.validate(found, load_schema("drift"))
    assert [one["run_id"] for one in found["measurements"]] == [json.loads(measured.out)["run_id"]]
    assert '<svg class="drift"' in (affidavit.home / "judges.html").read_text(encoding="utf-8")
    assert len(json.loads(affidavit("runs", "list", "--json").out)) == 1


def test_the_model_that_would_judge_now_is_flagged_until_it_is_measured(affidavit: Command):
    affidavit.env["AFFIDAVIT_MODELS__VERIFIER"] = "openai:gpt-6-luna"
    ran = affidavit("eval", "judge", "--since", "2026-01-01")
    assert ran.status == 1, ran.err
    assert "would judge the next run, and nobody has measured it" in " ".join(ran.out.split())


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["judge", "--since", "yesterday"], "'yesterday': write a date"),
        (["judge", "--since", "2026-01-01", "--verifier", "overlap"], "--since measures nothing"),
        (["run", "--quick", "spans"], "--quick names the suites itself"),
        (["run", "spans", "--jobs", "0"], "--jobs"),
        (["report", "--docs", "page.md"], "no marks"),
        (["report", "--docs", "none.md"], "none.md: cannot be read"),
    ],
)
def test_what_cannot_be_done_is_said_with_what_to_do(affidavit: Command, options: list[str], said: str):
    (affidavit.home / "page.md").write_text("No place for anything.")
    ran = affidavit("eval", *options)
    assert ran.status == 64, ran.out + ran.err
    assert said in " ".join(ran.err.split())


def test_the_marks_of_a_page_are_filled_with_what_was_measured(affidavit: Command):
    page = affidavit.home / "page.md"
    page.write_text("Ours.\n<!-- suite spans -->\n<!-- end of spans -->\n<!-- suite check -->\n<!-- end of check -->\n")
    assert affidavit("eval", "run", "spans").status == 0
    ran = affidavit("eval", "report", "--docs", "page.md")
    assert ran.status == 0, ran.err
    assert "check: not measured on the rows that ship" in " ".join(ran.err.split())
    assert page.read_text(encoding="utf-8").startswith("Ours.\n<!-- suite spans -->\n\n`affidavit eval run spans` on ")
