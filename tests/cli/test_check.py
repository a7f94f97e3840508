import json
import os
import threading
from pathlib import Path

import jsonschema
import pytest

from affidavit.report.schema import load_schema

from .conftest import Command

SOURCED = "# The harbour\n\nThe harbour bridge was opened by Ada Marsh in 1902.\n"
REJECTED = SOURCED + "\nIt carries 70 tonnes.\n"
UNSOURCED = SOURCED + "\nSailors adore the bridge.\n"


def draft(affidavit: Command, text: str, name: str = "draft.md") -> str:
    (affidavit.home / name).write_text(text, encoding="utf-8")
    return name


@pytest.mark.parametrize(
    ("text", "options", "status"),
    [
        (SOURCED, [], 0),
        (REJECTED, [], 1),
        (UNSOURCED, [], 0),
        (UNSOURCED, ["--fail-on", "unsourced"], 1),
        ("# Only a heading\n", [], 2),
    ],
    ids=["sourced", "rejected", "unsourced", "unsourced fails", "nothing to check"],
)
def test_the_exit_status_says_what_was_found(
    affidavit: Command, pages: Path, text: str, options: list[str], status: int
):
    ran = affidavit("check", draft(affidavit, text), "--source", str(pages), *options)
    assert ran.status == status, ran.out + ran.err


def test_the_json_validates_and_its_offsets_are_of_the_file(affidavit: Command, pages: Path):
    ran = affidavit("check", draft(affidavit, REJECTED), "--source", str(pages), "--json")
    found = json.loads(ran.out)
    jsonschema.validate(found, load_schema("check"))
    assert found["state"] == "rejected"
    for sentence in found["sentences"]:
        assert REJECTED[sentence["start"] : sentence["end"]] == sentence["text"]
    claims = [sentence for sentence in found["sentences"] if sentence["kind"] == "claim"]
    assert claims[0]["source"]["path"].endswith("bridge.md")
    assert claims[0]["source"]["url"] is None
    assert [figure["text"] for figure in found["figures"] if figure["findings"]] == ["70 tonnes"]


def test_piped_output_is_plain_and_fits_eighty_columns(affidavit: Command, pages: Path):
    ran = affidavit("check", draft(affidavit, REJECTED), "--source", str(pages))
    assert "\x1b" not in ran.out
    assert all(len(line) <= 80 for line in ran.out.splitlines() if "/" not in line)
    assert "NO It carries 70 tonnes." in ran.out
    assert "40 tonnes" in ran.out


def test_a_draft_comes_from_standard_input(affidavit: Command, pages: Path):
    ran = affidavit("check", "-", "--source", str(pages), "--json", stdin=SOURCED)
    assert ran.status == 0, ran.err
    assert json.loads(ran.out)["draft"]["name"] == "-"


@pytest.mark.parametrize("ending", ["md", "html", "json", "sarif", "txt"])
def test_out_writes_the_format_its_ending_names(affidavit: Command, pages: Path, ending: str):
    ran = affidavit("check", draft(affidavit, REJECTED), "--source", str(pages), "--out", f"report.{ending}")
    assert ran.status == 1, ran.err
    assert "70 tonnes" in (affidavit.home / f"report.{ending}").read_text(encoding="utf-8")


def test_several_drafts_are_checked_each_and_the_gravest_decides(affidavit: Command, pages: Path):
    names = [draft(affidavit, SOURCED, "a.md"), draft(affidavit, REJECTED, "b.md")]
    ran = affidavit("check", "--source", str(pages), *names)
    assert ran.status == 1, ran.err
    assert [line for line in ran.out.splitlines() if line.startswith(("a.md:", "b.md:"))]
    assert affidavit("check", "--source", str(pages), "--json", *names).status == 64


def test_an_allowed_text_is_a_source_and_is_named_as_one(affidavit: Command, pages: Path):
    notes = draft(affidavit, "The bridge is painted green every spring.\n", "notes.txt")
    name = draft(affidavit, "The bridge is painted green every spring.\n")
    ran = affidavit("check", name, "--source", str(pages), "--allow", notes, "--json")
    found = json.loads(ran.out)
    assert found["state"] == "sourced", ran.err
    assert [source["path"] for source in found["sources"] if source["allowed"]] == ["notes.txt"]


def test_a_source_that_cannot_be_read_is_named_and_the_check_goes_on(affidavit: Command, pages: Path):
    (pages / "broken.pdf").write_bytes(b"%PDF-1.7\nbroken")
    ran = affidavit("check", draft(affidavit, SOURCED), "--source", str(pages), "--json")
    assert ran.status == 0, ran.err
    (broken,) = [source for source in json.loads(ran.out)["sources"] if source["failure"]]
    assert broken["path"].endswith("broken.pdf")


def test_without_one_usable_source_nothing_passes(affidavit: Command):
    (affidavit.home / "broken.pdf").write_bytes(b"%PDF-1.7\nbroken")
    ran = affidavit("check", draft(affidavit, SOURCED), "--source", "broken.pdf")
    assert ran.status == 2
    assert "broken.pdf" in ran.out


def test_drafts_of_other_encodings_are_read(affidavit: Command, pages: Path):
    (affidavit.home / "draft.md").write_bytes("The “harbour” café was opened in 1999.\n".encode("cp1252"))
    ran = affidavit("check", "draft.md", "--source", str(pages), "--json")
    assert json.loads(ran.out)["sentences"][0]["text"] == "The “harbour” café was opened in 1999."


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "empty"),
        (b"\x7fELF\x02\x01\x01" + b"\x00\x01" * 200, "cannot be read as a draft"),
        (b"x" * 5_000_000, "5,000,000 bytes"),
    ],
    ids=["empty", "binary", "too large"],
)
def test_a_draft_that_is_none_is_refused_in_one_line(affidavit: Command, pages: Path, content: bytes, said: str):
    (affidavit.home / "draft.md").write_bytes(content)
    ran = affidavit("check", "draft.md", "--source", str(pages))
    assert ran.status == 64
    assert "draft.md" in ran.err
    assert said in ran.err
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["check", "none.md", "--source", "x"], "none.md"),
        (["check", "draft.md"], "--source"),
        (["check", "draft.md", "--source", "none.md"], "none.md"),
        (["check", "draft.md", "--source", "https://a.example/", "--offline"], "--web FILE"),
        (["check", "draft.md", "--follow-links", "--offline"], "--offline"),
        (["check", "draft.md", "--source", "draft.md", "--web", "live"], "--follow-links"),
        (["check", "draft.md", "--source", "draft.md", "--json", "--sarif"], "--json and --sarif"),
        (["check", "draft.md", "--source", "draft.md", "--format", "pdf"], "pdf"),
        (["check", "draft.md", "--source", "draft.md", "--out", "report.docx"], ".docx"),
        (["check", "draft.md", "--source", "draft.md", "--fail-on", "sourced"], "fail-on"),
    ],
    ids=lambda value: " ".join(value)[:60] if isinstance(value, list) else None,
)
def test_wrong_input_is_one_line_and_status_64(affidavit: Command, arguments: list[str], said: str):
    draft(affidavit, SOURCED)
    ran = affidavit(*arguments)
    assert ran.status == 64, (ran.out, ran.err)
    assert said in ran.err
    assert ran.out == ""


def test_a_check_is_a_run_of_the_ledger(affidavit: Command, pages: Path):
    affidavit("check", draft(affidavit, REJECTED), "--source", str(pages), "--quiet")
    (run,) = json.loads(affidavit("runs", "list", "--json").out)
    assert (run["kind"], run["state"]) == ("check", "rejected")
    events = [json.loads(line) for line in affidavit("runs", "show", run["run_id"], "--json").out.splitlines()]
    assert {"document", "checked"} <= {event["type"] for event in events}


def test_a_report_is_never_written_over_the_draft_it_is_about(affidavit: Command):
    draft = affidavit.home / "draft.md"
    draft.write_text("The pier was closed in 1988.\n")
    source = affidavit.home / "source.txt"
    source.write_text("The pier was closed in 1988.\n")
    for target in (draft, source):
        ran = affidavit("check", "draft.md", "--source", "source.txt", "--out", str(target), "--format", "md")
        assert ran.status == 64
        assert "one of the files read" in ran.err
    assert draft.read_text() == source.read_text() == "The pier was closed in 1988.\n"


ACCOUNTS = "The harbour fund received 40 tonnes of coal in 1902 and 30 tonnes of coal in 1903 from the town council.\n"
DERIVED = "The harbour fund received 70 tonnes of coal in 1902 and 1903 from the town council.\n"


def test_a_derived_figure_leaves_its_sentence_unsourced_unless_allowed_and_is_told_either_way(affidavit: Command):
    source, name = draft(affidavit, ACCOUNTS, "accounts.txt"), draft(affidavit, DERIVED)
    for options, state in (([], "unsourced"), (["--derived", "allow"], "sourced")):
        ran = affidavit("check", name, "--source", source, "--json", "--out", "report.md", *options)
        found = json.loads(ran.out)
        assert found["state"] == state, found["sentences"]
        (finding,) = [one for one in found["sentences"][0]["findings"] if one["code"] == "figure_derived"]
        assert "40 tonnes" in finding["message"]
        assert "30 tonnes" in finding["message"]
        assert "A derived figure" in (affidavit.home / "report.md").read_text(encoding="utf-8")
    assert "A derived figure" in affidavit("check", name, "--source", source, "--derived", "allow", "--brief").out


def test_brief_shows_only_what_must_change_and_the_line_it_stands_in(affidavit: Command, pages: Path):
    ran = affidavit("check", draft(affidavit, REJECTED), "--source", str(pages), "--brief")
    assert "NO It carries 70 tonnes." in ran.out
    assert "draft.md:5" in ran.out
    assert "Ada Marsh" not in ran.out


def test_of_several_drafts_one_that_cannot_be_read_is_named_and_the_others_are_checked(affidavit: Command, pages: Path):
    names = [draft(affidavit, "", "empty.md"), draft(affidavit, SOURCED, "a.md")]
    ran = affidavit("check", "--source", str(pages), *names)
    assert ran.status == 64
    assert "empty.md" in ran.err
    assert "a.md:" in ran.out
    both = affidavit("check", "--source", str(pages), *names, draft(affidavit, REJECTED, "b.md"), "--sarif")
    assert both.status == 1
    artifacts = json.loads(both.out)["runs"][0]["artifacts"]
    assert [one["location"]["uri"] for one in artifacts] == ["a.md", "b.md"]


def test_a_source_that_is_not_there_is_told_once_however_many_drafts_there_are(affidavit: Command):
    names = [draft(affidavit, SOURCED, "a.md"), draft(affidavit, SOURCED, "b.md")]
    ran = affidavit("check", "--source", "none", *names)
    assert ran.status == 64
    assert ran.err.count("none") == 1


def test_pages_are_read_once_and_a_damaged_one_is_read_again(affidavit: Command, pages: Path):
    name = draft(affidavit, SOURCED)
    first = affidavit("check", name, "--source", str(pages), "--json")
    kept = sorted((affidavit.home / "cache/pages").glob("*/*/*"))
    assert len(kept) == 3
    kept[0].write_bytes(b"damaged")
    again = affidavit("check", name, "--source", str(pages), "--json")
    assert json.loads(again.out)["sentences"] == json.loads(first.out)["sentences"]
    assert kept[0].read_bytes() != b"damaged"


def test_without_a_cache_that_can_be_written_the_check_goes_on(affidavit: Command, pages: Path):
    (affidavit.home / "cache").write_text("a file in its place")
    ran = affidavit("check", draft(affidavit, SOURCED), "--source", str(pages))
    assert ran.status == 0
    assert ran.err.count("cannot be kept there") == 1


def test_markup_is_no_part_of_what_is_shown(affidavit: Command, pages: Path):
    ran = affidavit("check", draft(affidavit, "The [ferry](x) takes **40** minutes.\n"), "--source", str(pages))
    assert "The ferry takes 40 minutes." in ran.out


@pytest.mark.parametrize("target", ["--out", "--unsourced"])
def test_neither_report_nor_list_is_written_over_a_file_that_is_read(affidavit: Command, pages: Path, target: str):
    name = draft(affidavit, SOURCED)
    ran = affidavit("check", name, "--source", str(pages), target, name)
    assert ran.status == 64
    assert (affidavit.home / name).read_text() == SOURCED


def test_a_draft_is_no_source_for_itself(affidavit: Command, pages: Path):
    (pages / "draft.md").write_text(REJECTED)
    alone = affidavit("check", "harbour/draft.md", "--source", "harbour/draft.md", "--json")
    assert alone.status == 2, alone.out
    beside = affidavit("check", "harbour/draft.md", "--source", "harbour", "--json")
    found = json.loads(beside.out)
    assert beside.status == 1, beside.err
    assert [source["path"] for source in found["sources"] if source["failure"]] == ["harbour/draft.md"]


def test_a_source_named_twice_is_one(affidavit: Command, pages: Path):
    (affidavit.home / "link").symlink_to(pages)
    options = [word for one in ("harbour", "harbour/bridge.md", str(pages), "link") for word in ("--source", one)]
    found = json.loads(affidavit("check", draft(affidavit, SOURCED), *options, "--json").out)
    assert len(found["sources"]) == 3


@pytest.mark.parametrize(
    ("name", "said"),
    [("folder.md", "directory"), ("dangling.md", "No such file"), ("loop.md", "symbolic links")],
)
def test_a_draft_that_is_no_file_is_named(affidavit: Command, pages: Path, name: str, said: str):
    (affidavit.home / "folder.md").mkdir()
    (affidavit.home / "dangling.md").symlink_to("nowhere")
    (affidavit.home / "loop.md").symlink_to("loop.md")
    ran = affidavit("check", name, "--source", str(pages))
    assert ran.status == 64
    assert name in ran.err
    assert said in ran.err


def test_a_device_without_an_end_is_too_large_and_one_without_a_byte_is_empty(affidavit: Command, pages: Path):
    endless = affidavit("check", "/dev/zero", "--source", str(pages))
    assert (endless.status, "are read" in endless.err) == (64, True)
    empty = affidavit("check", "/dev/null", "--source", str(pages))
    assert (empty.status, "is empty" in empty.err) == (64, True)


def test_a_draft_comes_through_a_pipe(affidavit: Command, pages: Path):
    pipe = affidavit.home / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_text(SOURCED))
    writer.start()
    ran = affidavit("check", "pipe", "--source", str(pages))
    writer.join()
    assert ran.status == 0, ran.err


LIKELY = SOURCED.replace("was opened by Ada Marsh in 1902", "was by Ada Marsh opened, in the year 1902")


def test_strictly_what_only_has_its_words_in_a_source_is_unsourced(affidavit: Command, pages: Path):
    name = draft(affidavit, LIKELY)
    plain = json.loads(affidavit("check", name, "--source", str(pages), "--json").out)
    assert [one["state"] for one in plain["sentences"] if one["state"]] == ["sourced"]
    assert "by_its_words" in [finding["code"] for one in plain["sentences"] for finding in one["findings"]]
    strict = json.loads(affidavit("check", name, "--source", str(pages), "--json", "--strict").out)
    assert [one["state"] for one in strict["sentences"] if one["state"]] == ["unsourced"]


def test_a_verifier_that_is_not_known_is_named_with_those_that_are(affidavit: Command, pages: Path):
    ran = affidavit("check", draft(affidavit, SOURCED), "--source", str(pages), "--verifier", "oracle")
    assert ran.status == 64
    assert "oracle" in ran.err
    assert "embedded" in ran.err
