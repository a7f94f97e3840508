"""From a draft's unsourced sentences to answers to bundles and back to the draft."""

import json
from pathlib import Path

import jsonschema

from affidavit.report.schema import load_schema

from .conftest import Command

DRAFT = "# The harbour\n\nThe harbour bridge was opened by **Ada Marsh** in 1902.\n\nSailors *adore* the [bridge](x).\n"
LIST = """\
# What the harbour master asked

# his notes
When was the Aldermoor tide gauge installed?
Who designed the lighthouse of Brackwater?
The ferry crosses the bay twice a day.
! A timetable with another number of crossings.
Is Rust beautiful?
"""


def written(affidavit: Command, name: str, text: str) -> str:
    (affidavit.home / name).write_text(text, encoding="utf-8")
    return name


def test_check_writes_the_unsourced_sentences_without_markup_and_ask_takes_them(affidavit: Command, pages: Path):
    draft = written(affidavit, "draft.md", DRAFT)
    ran = affidavit("check", draft, "--source", str(pages), "--unsourced", "unsourced.txt")
    assert ran.status == 0, ran.err
    lines = (affidavit.home / "unsourced.txt").read_text(encoding="utf-8").splitlines()
    assert lines[-1] == "Sailors adore the bridge."
    assert "draft.md, sentence 3, under “The harbour”" in lines[-2]
    assert "after “The harbour bridge was opened by Ada Marsh in 1902.”" in lines[-2]
    asked = affidavit("ask", "--from", "unsourced.txt", "--web", str(pages))
    assert asked.status in (0, 1), asked.err
    assert "Sailors adore the bridge." in asked.out
    assert "draft.md, sentence 3" in asked.out
    assert "1 line asked" in asked.err


def test_each_line_is_a_run_of_its_own_and_the_gravest_decides(affidavit: Command, pages: Path):
    ran = affidavit("ask", "--from", written(affidavit, "list.txt", LIST), "--web", str(pages), "--json")
    assert ran.status == 1, ran.err
    answers = [json.loads(line) for line in ran.out.splitlines()]
    for answer in answers:
        jsonschema.validate(answer, load_schema("answer"))
    assert [answer["state"] for answer in answers[:2]] == ["published", "nothing_sourced"]
    assert len({answer["run_id"] for answer in answers}) == len(answers) == 3
    assert "list.txt, line 8" in ran.err
    assert "1 line could not be asked" in ran.err
    runs = json.loads(affidavit("runs", "list", "--json").out)
    assert {run["run_id"] for run in runs} == {answer["run_id"] for answer in answers}


def test_a_line_that_cannot_be_asked_is_no_pass(affidavit: Command, pages: Path):
    text = "When was the Aldermoor tide gauge installed?\nIs Rust beautiful?\n"
    ran = affidavit("ask", "--from", written(affidavit, "list.txt", text), "--web", str(pages), "--json")
    assert ran.status == 2, ran.err


def test_the_bundles_of_the_answers_are_sources_for_the_draft(affidavit: Command, pages: Path):
    question = written(affidavit, "list.txt", "When was the Aldermoor tide gauge installed?\n")
    ran = affidavit(
        "ask", "--from", question, "--web", str(pages), "--bundle", "kept", "--out", "kept", "--format", "md"
    )
    assert ran.status == 0, ran.err
    assert {path.name for path in (affidavit.home / "kept").iterdir()} == {"001.affidavit", "001.md"}
    (affidavit.home / "kept/001.md").unlink()
    draft = written(affidavit, "draft.md", "The Aldermoor tide gauge was installed in 1871.\n")
    for source in ("kept", "kept/001.affidavit"):
        found = json.loads(affidavit("check", draft, "--source", source, "--json").out)
        assert found["state"] == "sourced"
        (given,) = found["sources"]
        assert given["name"] == "https://harbour.invalid/gauge.html"
        assert given["retrieved_at"].endswith("Z")


def test_an_altered_bundle_is_named_and_is_no_source(affidavit: Command, pages: Path):
    affidavit("ask", "When was the Aldermoor tide gauge installed?", "--web", str(pages), "--bundle", "a.affidavit")
    raw = bytearray((affidavit.home / "a.affidavit").read_bytes())
    raw[len(raw) // 2] ^= 1
    (affidavit.home / "a.affidavit").write_bytes(raw)
    draft = written(affidavit, "draft.md", "The Aldermoor tide gauge was installed in 1871.\n")
    ran = affidavit("check", draft, "--source", "a.affidavit", "--json")
    assert ran.status == 2, ran.err
    (given,) = json.loads(ran.out)["sources"]
    assert given["name"] == "a.affidavit"
    assert "does not agree with itself" in given["failure"]
    both = json.loads(affidavit("check", draft, "--source", "a.affidavit", "--source", str(pages), "--json").out)
    assert both["state"] == "sourced"
    assert [source["name"] for source in both["sources"] if source["failure"]] == ["a.affidavit"]


def test_wrong_lists_are_one_line_and_status_64(affidavit: Command, pages: Path):
    written(affidavit, "empty.txt", "\n")
    written(affidavit, "list.txt", "When was the gauge installed?\n")
    (affidavit.home / "latin.txt").write_bytes("Où est le café ?\n".encode("cp1252"))
    web = ("--web", str(pages))
    for arguments, said in (
        (("--from", "empty.txt", *web), "empty"),
        (("--from", "none.txt", *web), "none.txt"),
        (("--from", "latin.txt", *web), "UTF-8"),
        (("--from", "list.txt", "What else?", *web), "--from list.txt"),
        (("--from", "list.txt", "--out", "answers", *web), "--format"),
        (("--from", "list.txt", "--format", "html", *web), "--out"),
        (("--from", "list.txt", "--bundle", "empty.txt", *web), "folder"),
        (("--from", "list.txt", "--offline"), "--web"),
    ):
        ran = affidavit("ask", *arguments)
        assert ran.status == 64, (arguments, ran.out, ran.err)
        assert said in ran.err
        assert ran.err.count("\n") == 1, ran.err
        assert ran.out == ""


def test_a_list_of_remarks_alone_has_nothing_to_ask_and_that_is_no_fault(affidavit: Command, pages: Path):
    draft = written(affidavit, "draft.md", "The harbour bridge was opened by Ada Marsh in 1902.\n")
    assert affidavit("check", draft, "--source", str(pages), "--unsourced", "none.txt").status == 0
    ran = affidavit("ask", "--from", "none.txt", "--web", str(pages))
    assert ran.status == 0
    assert "nothing to ask" in ran.err
