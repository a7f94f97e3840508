import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest

import affidavit as package
from affidavit.errors import UserError
from affidavit.report.schema import load_schema

from .conftest import EXAMPLES, Command

QUESTION = "How often must a subscriber be reauthenticated at AAL1?"
GAUGE = "When was the Aldermoor tide gauge installed?"


def test_an_answer_from_a_folder_is_quoted_word_for_word(affidavit: Command, pages: Path):
    ran = affidavit("ask", GAUGE, "--web", str(pages), "--json")
    assert ran.status == 0, ran.err
    answer = json.loads(ran.out)
    jsonschema.validate(answer, load_schema("answer"))
    assert answer["claims"][0]["text"] == "The Aldermoor tide gauge was installed in 1871."
    assert answer["claims"][0]["spans"][0]["text"] == answer["claims"][0]["text"]
    assert answer["state"] == "published"


def test_what_the_pages_do_not_say_ends_with_status_one_and_a_gap(affidavit: Command, pages: Path):
    ran = affidavit("ask", "Who designed the lighthouse of Brackwater?", "--web", str(pages), "--json")
    assert ran.status == 1
    answer = json.loads(ran.out)
    assert answer["state"] == "nothing_sourced"
    assert answer["claims"] == []
    assert answer["gaps"][0]["kind"] == "nothing_found"


def test_json_goes_to_stdout_alone(over_pages: Callable[[], Command]):
    ran = over_pages()("ask", GAUGE, "--web", "harbour", "--json")
    assert ran.status == 0
    assert json.loads(ran.out)["kind"] == "answer"


def test_piped_output_has_no_colour_and_fits_eighty_columns(over_pages: Callable[[], Command]):
    ran = over_pages()("ask", GAUGE, "--web", "harbour")
    assert ran.status == 0
    assert "\x1b" not in ran.out + ran.err
    too_long = [line for line in ran.out.splitlines() if len(line) > 80 and "http" not in line]
    assert not too_long


def test_a_claim_is_tested_with_evidence_for_and_against_kept_apart(over_examples: Callable[[], Command]):
    ran = over_examples()(
        "ask",
        "--claim",
        "18F is paid for by an appropriation from Congress.",
        "--falsifier",
        "A statement that 18F receives no appropriated funds.",
        "--web",
        str(EXAMPLES),
        "--json",
    )
    assert ran.status == 0, ran.err
    answer = json.loads(ran.out)
    assert answer["falsifier"]
    against = [claim["text"] for claim in answer["claims"] if claim["stance"] == "against"]
    assert any("don't receive appropriated funds" in text for text in against)


@pytest.mark.parametrize("ending", ["html", "md", "json", "bib", "ris", "txt"])
def test_out_writes_the_format_its_ending_names(over_pages: Callable[[], Command], tmp_path: Path, ending: str):
    target = tmp_path / f"answer.{ending}"
    ran = over_pages()("ask", GAUGE, "--web", "harbour", "--out", str(target))
    assert ran.status == 0, ran.err
    assert str(target) in ran.err
    starts = {"html": "<!doctype html", "json": "{", "bib": "@", "ris": "TY  -"}
    text = target.read_text(encoding="utf-8")
    assert text.lower().startswith(starts.get(ending, "").lower())
    assert "1871" in text or ending in ("bib", "ris")


def test_a_bundle_verifies_and_an_altered_one_does_not(over_pages: Callable[[], Command], tmp_path: Path):
    target = tmp_path / "answer.affidavit"
    assert over_pages()("ask", GAUGE, "--web", "harbour", "--bundle", str(target)).status == 0
    good = over_pages()("verify", str(target))
    assert good.status == 0, good.out + good.err
    assert good.out.startswith("VERIFIED")
    raw = bytearray(target.read_bytes())
    raw[len(raw) // 2] ^= 1
    target.write_bytes(bytes(raw))
    bad = over_pages()("verify", str(target))
    assert bad.status == 1
    assert bad.out.startswith("NOT VERIFIED")
    assert re.search(r"byte \d+", bad.out)
    assert json.loads(over_pages()("verify", str(target), "--json").out)["verified"] is False


def test_a_run_is_listed_and_shown(over_pages: Callable[[], Command]):
    run_id = json.loads(over_pages()("ask", GAUGE, "--web", "harbour", "--json").out)["run_id"]
    listed = json.loads(over_pages()("runs", "list", "--json").out)
    assert listed[0]["run_id"] == run_id
    assert run_id in over_pages()("runs", "list").out
    shown = over_pages()("runs", "show", run_id)
    assert "hash chain whole" in shown.out
    events = [json.loads(line) for line in over_pages()("runs", "show", run_id, "--json").out.splitlines()]
    assert {"plan", "search", "document", "gateway", "draft", "verdict"} <= {event["type"] for event in events}


def test_a_link_stays_a_link_and_a_device_stays_a_device(over_pages: Callable[[], Command], tmp_path: Path):
    real = tmp_path / "real.md"
    link = tmp_path / "link.md"
    link.symlink_to(real)
    assert over_pages()("ask", GAUGE, "--web", "harbour", "--out", str(link)).status == 0
    assert link.is_symlink()
    assert "1871" in real.read_text(encoding="utf-8")
    assert over_pages()("ask", GAUGE, "--web", "harbour", "--out", os.devnull, "--format", "md").status == 0
    assert not Path(os.devnull).is_file()


@pytest.mark.parametrize(
    "targets",
    [
        ["--out", "archive.warc.gz", "--format", "md"],
        ["--bundle", "archive.warc.gz"],
        ["--bundle", "key.pem", "--sign", "key.pem"],
        ["--out", "same.md", "--bundle", "./same.md"],
        ["--out", "link.md"],
        ["--out", "folder", "--format", "md"],
    ],
    ids=" ".join,
)
def test_nothing_that_is_read_is_written_over(affidavit: Command, targets: list[str]):
    archive = affidavit.home / "archive.warc.gz"
    archive.write_bytes(EXAMPLES.read_bytes())
    (affidavit.home / "key.pem").write_text("a key")
    (affidavit.home / "link.md").symlink_to(archive)
    (affidavit.home / "folder").mkdir()
    ran = affidavit("ask", QUESTION, "--web", "archive.warc.gz", *targets)
    assert ran.status == 64, ran.err
    one_line(ran.err)
    assert archive.read_bytes() == EXAMPLES.read_bytes()
    assert (affidavit.home / "key.pem").read_text() == "a key"


def test_a_question_is_read_and_an_answer_written_in_utf8_whatever_the_locale(affidavit: Command, pages: Path):
    (pages / "cafe.txt").write_text("Das Café Lumière hat 44 Sitzplätze.\n", encoding="utf-8")
    affidavit.env |= {"LANG": "C", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    result = subprocess.run(
        [
            sys.executable,
            "-m",
            "affidavit",
            "ask",
            "Wie viele Sitzplätze hat das Café Lumière?",
            "--web",
            "harbour",
            "--json",
        ],
        cwd=affidavit.home,
        env=affidavit.environment(),
        capture_output=True,
    )
    assert b"Traceback" not in result.stderr, result.stderr
    assert json.loads(result.stdout.decode("utf-8"))["question"] == "Wie viele Sitzplätze hat das Café Lumière?"


def test_a_file_name_that_is_no_text_is_only_a_name(affidavit: Command, pages: Path):
    name = os.fsdecode(os.fsencode(str(pages)) + b"/b\xff.txt")
    Path(name).write_text("The lighthouse of Brackwater was built in 1888.\n")
    ran = affidavit("ask", "When was the lighthouse of Brackwater built?", "--web", str(pages), "--json")
    assert ran.status == 0, ran.err
    assert json.loads(ran.out)["claims"]


def test_a_closed_standard_output_is_no_crash(affidavit: Command):
    command = f"{sys.executable} -m affidavit runs list >&-"
    result = subprocess.run(["bash", "-c", command], env=affidavit.environment(), capture_output=True, text=True)
    assert "Traceback" not in result.stderr
    assert result.returncode == 0


def test_an_ask_leaves_nothing_in_the_home_folder(affidavit: Command, pages: Path):
    home = affidavit.home / "home"
    home.mkdir()
    affidavit.env |= {"HOME": str(home), "XDG_CACHE_HOME": "", "XDG_DATA_HOME": "", "XDG_CONFIG_HOME": ""}
    assert affidavit("ask", GAUGE, "--web", str(pages)).status == 0
    assert [path for path in home.rglob("*") if path.is_file()] == []


# What a person gets wrong: each is one clear line on stderr, the right status, and no traceback.


def one_line(text: str) -> str:
    assert text.startswith("affidavit: ")
    assert text.count("\n") == 1
    assert "Traceback" not in text
    return text


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["ask", "Why?", "--web", "none.warc.gz"], "none.warc.gz: there is no such file"),
        (["ask", "When was it built?", "--offline"], "--web FILE"),
        (["ask", "When was it built?", "--web", "live", "--offline"], "--offline"),
        (["ask", "When was it built?", "--allow-host", "https://a.example"], "no host"),
        (["ask", "When was it built?", "--region", "Swiss"], "search_region"),
        (["ask", "When was it built?", "--web", "x", "--save-web", "kept.warc.gz"], "--save-web"),
        (["ask", "--web", "x"], "give a question"),
        (["ask", "When?", "--claim", "It is old.", "--web", "x"], "both given"),
        (["ask", "--claim", "It is 9 m deep.", "--web", "x"], "falsifier"),
        (["ask", "When was it built?", "--web", "x", "--no-such-flag"], "--no-such-flag"),
        (["ask", "When was it built?", "--web", "x", "--max-fetches", "many"], "--max-fetches"),
        (["ask", "When was it built?", "--web", "x", "--max-fetches", "0"], "max_fetches"),
        (["ask", "When was it built?", "--web", "x", "--format", "docx"], "docx"),
        (["ask", "When was it built?", "--web", "x", "--out", "no/such/answer.html"], "no folder"),
        (["ask", "When was it built?", "--web", "x", "--out", "answer.docx"], ".docx"),
        (["ask", "When was it built?", "--web", "x", "--sign", "key.pem"], "--bundle"),
        (["ask", "When was it built?", "--web", "x", "--policy", "none.toml"], "none.toml"),
        (["ask", "What is the best language?", "--web", "x"], "best"),
        (["ask", "When was it built?", "--web", ""], "is a variable unset"),
        (["asks"], "asks"),
        (["verify", "none.affidavit"], "none.affidavit"),
        (["runs", "show", "run_nothing"], "run_nothing"),
    ],
    ids=lambda value: " ".join(value)[:60] if isinstance(value, list) else None,
)
def test_wrong_input_is_one_line_and_status_64(affidavit: Command, arguments: list[str], said: str):
    ran = affidavit(*arguments)
    assert ran.status == 64, (ran.out, ran.err)
    assert said in one_line(ran.err)
    assert ran.out == ""


def test_a_question_of_five_megabytes_is_refused(affidavit: Command, pages: Path, monkeypatch: pytest.MonkeyPatch):
    # The system takes no argument that long, so it comes as a response file would: through Python.
    for name, value in affidavit.environment().items():
        monkeypatch.setenv(name, value)
    with pytest.raises(UserError, match="the question has 5,000,000 characters"):
        package.ask("why " * 1_250_000, web=[pages])


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "empty"),
        (b"just words", "not an archive"),
        (b"%PDF-1.7", "PDF"),
        (EXAMPLES.read_bytes()[:100_001], "byte"),
    ],
    ids=["empty", "text", "pdf", "truncated"],
)
def test_an_archive_that_is_none_is_named(affidavit: Command, content: bytes, said: str):
    (affidavit.home / "pages.warc.gz").write_bytes(content)
    ran = affidavit("ask", "When was it built?", "--web", "pages.warc.gz")
    assert ran.status == 64
    assert "pages.warc.gz" in one_line(ran.err)
    assert said in ran.err


def test_an_unreadable_page_costs_only_that_page(affidavit: Command, pages: Path):
    (pages / "broken.pdf").write_bytes(b"%PDF-1.7\nthis is the Aldermoor tide gauge, broken")
    ran = affidavit("ask", GAUGE, "--web", str(pages), "--json")
    assert ran.status == 0, ran.err
    assert json.loads(ran.out)["claims"]


@pytest.mark.parametrize("name", ["AFFIDAVIT_MAX_FETCHS", "AFFIDAVIT_NONSENSE"])
def test_an_unknown_setting_is_refused(affidavit: Command, pages: Path, name: str):
    affidavit.env[name] = "3"
    ran = affidavit("ask", "When was it built?", "--web", str(pages))
    assert ran.status == 64
    assert name.removeprefix("AFFIDAVIT_").lower() in one_line(ran.err)


def test_an_impossible_date_on_a_page_is_no_date(affidavit: Command, pages: Path):
    (pages / "dated.html").write_text(
        "<html lang=en><title>Quay works</title><meta property='article:published_time' content='2026-02-30'>"
        "<main><h1>Quay works</h1><p>Published 31 February 2026</p>"
        "<p>The quay works cost $70,000 in all.</p></main>"
    )
    ran = affidavit("ask", "How much did the quay works cost?", "--web", str(pages), "--json")
    assert ran.status == 0, ran.err
    (source,) = [source for source in json.loads(ran.out)["sources"] if source["title"] == "Quay works"]
    assert source["published"] in (None, "2026", "2026-02")


def test_without_permission_for_the_cache_the_answer_comes_anyway(affidavit: Command, pages: Path):
    blocked = affidavit.home / "blocked"
    blocked.write_text("a file where a folder should be")
    affidavit.env["AFFIDAVIT_CACHE_DIR"] = str(blocked / "cache")
    ran = affidavit("ask", GAUGE, "--web", str(pages))
    assert ran.status == 0
    assert "1871" in ran.out
    told = ran.err.splitlines()
    assert len(told) == 2, "the index, and the pages that were read"
    assert all(line.startswith(f"affidavit: {blocked}") for line in told)
    assert "the next run reads them anew" in told[1]


def test_without_permission_for_the_ledger_nothing_is_claimed_to_be_recorded(affidavit: Command, pages: Path):
    blocked = affidavit.home / "blocked"
    blocked.write_text("a file where a folder should be")
    affidavit.env["AFFIDAVIT_DATA_DIR"] = str(blocked / "data")
    ran = affidavit("ask", GAUGE, "--web", str(pages))
    assert ran.status == 3
    assert str(blocked) in one_line(ran.err)
    assert ran.out == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_full_disk_under_the_output_is_one_line(affidavit: Command, pages: Path, unbuffered: str):
    with Path("/dev/full").open("w") as full:
        result = subprocess.run(
            [sys.executable, "-m", "affidavit", "runs", "list"],
            env=affidavit.environment() | {"PYTHONUNBUFFERED": unbuffered},
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert result.returncode == 3
    assert "No space left" in one_line(result.stderr)


def test_a_reader_that_goes_away_is_no_error(affidavit: Command, pages: Path):
    command = (
        f"{sys.executable} -m affidavit ask 'When was the Aldermoor tide gauge installed?' --web harbour --json | true"
    )
    result = subprocess.run(
        ["bash", "-c", command], cwd=affidavit.home, env=affidavit.environment(), capture_output=True, text=True
    )
    assert "Traceback" not in result.stderr
    assert "Exception ignored" not in result.stderr


def test_ctrl_c_ends_with_130_and_what_was_recorded_stays_readable(affidavit: Command):
    process = subprocess.Popen(
        [sys.executable, "-m", "affidavit", "ask", QUESTION, "--web", str(EXAMPLES)],
        cwd=affidavit.home,
        env=affidavit.environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    cache = affidavit.home / "cache"
    deadline = time.monotonic() + 60
    while not any(cache.rglob("*.sqlite")) and time.monotonic() < deadline and process.poll() is None:
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, (out, err)
    assert "Traceback" not in err
    assert "interrupted" in one_line(err)
    assert affidavit("runs", "list").status == 0
    again = affidavit("ask", QUESTION, "--web", str(EXAMPLES), "--json")
    assert again.status == 0, again.err
    assert json.loads(again.out)["claims"]
