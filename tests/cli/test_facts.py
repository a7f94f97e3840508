"""The register at the command line: decided on by persons, never by half, and said in a way that one can act on."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from affidavit.facts.fact_file import COLUMNS
from affidavit.report.schema import load_schema

from .conftest import Command

PENDING = {"state": "pending", "decided_by": None, "decided_at": None}


def record(number: int, text: str, **more: Any) -> dict[str, Any]:
    source = {
        "url": "https://harbour.example/about",
        "doc_id": "doc_0123456789abcdef",
        "start": 0,
        "end": len(text),
        "quote": text,
        "retrieved_at": "2026-03-01T12:00:00Z",
    }
    return {
        "fact_id": f"fact_{number:04d}000000000000",
        "text": text,
        "category": "numbers",
        "subject": "berth",
        "confidence": 0.9,
        "candidates": [f"cand_{number}"],
        "sources": [source],
        **PENDING,
        **more,
    }


FOUND = [
    record(1111, "The harbour has 45 berths.", value="45", conflict_group="conflict_berth"),
    record(2222, "We run 60 berths.", value="60", conflict_group="conflict_berth"),
    record(3333, "The harbour was opened in 1871.", subject="harbour", value="1871", category="history"),
]


@pytest.fixture
def harbour(affidavit: Command) -> Command:
    """A home with a register of three facts, two of which do not agree."""
    ran = affidavit("facts", "import", "-", "--customer", "Harbour", "--as", "Ada", stdin=json.dumps({"facts": FOUND}))
    assert ran.status == 0, ran.err
    return affidavit


def register(command: Command, *more: str) -> dict[str, Any]:
    ran = command("facts", "list", "--json", *more)
    assert ran.status == 0, ran.err
    found = json.loads(ran.out)
    jsonschema.validate(found, load_schema("register"))
    return found


def states(command: Command) -> dict[str, str]:
    return {fact["fact_id"][5:9]: fact["state"] for fact in register(command)["facts"]}


def test_a_conflict_is_listed_first_with_both_quotes_and_where_they_stand(harbour: Command):
    ran = harbour("facts", "list")
    assert ran.status == 0
    conflict = ran.out.partition("history")[0]
    for words in ("“The harbour has 45 berths.”", "“We run 60 berths.”", "https://harbour.example/about"):
        assert words in conflict
    assert "affidavit facts resolve 1111 --keep FACT" in ran.out
    assert max(map(len, ran.out.splitlines())) <= 80


def test_a_fact_is_approved_rejected_and_shown_with_who_did_what(harbour: Command):
    ran = harbour("facts", "approve", "3333", "--as", "Ada Marsh")
    assert ran.status == 0
    assert "state: pending → approved" in ran.out
    assert harbour("facts", "reject", "3333", "--as", "Ben Holt").status == 0
    shown = harbour("facts", "show", "3333").out
    assert "rejected by Ben Holt" in shown
    assert "Ada Marsh approved it" in shown
    detail = json.loads(harbour("facts", "show", "fact_3333", "--json").out)
    jsonschema.validate(detail, load_schema("fact"))
    assert [moment["by"] for moment in detail["history"]] == ["Ada", "Ada Marsh", "Ben Holt"]


def test_one_of_two_values_is_approved_by_resolving_alone(harbour: Command):
    ran = harbour("facts", "approve", "1111")
    assert ran.status == 64
    assert "do not agree" in ran.err
    assert "facts resolve conflict_berth" in ran.err
    assert harbour("facts", "resolve", "1111", "--keep", "1111", "--as", "Ada").status == 0
    assert states(harbour) == {"1111": "approved", "2222": "rejected", "3333": "pending"}


def test_both_values_are_kept_with_what_each_counts(harbour: Command):
    both = ["--keep", "1111", "--keep", "2222"]
    ran = harbour("facts", "resolve", "conflict_berth", *both, "--scope", "1111=for yachts")
    assert ran.status == 64
    assert "--scope 2222" in ran.err
    notes = ["--scope", "1111=for yachts", "--scope", "2222=all berths"]
    ran = harbour("facts", "resolve", "conflict_berth", *both, *notes, "--json")
    assert ran.status == 0
    found = json.loads(ran.out)
    jsonschema.validate(found, load_schema("register"))
    assert found["conflicts"] == []
    assert {one["after"]["scope_note"] for one in found["changes"]["changed"]} == {"for yachts", "all berths"}


def test_words_are_changed_added_and_given_a_last_day(harbour: Command):
    assert harbour("facts", "edit", "3333", "--scope", "its first basin", "--as", "Ada").status == 0
    assert harbour("facts", "expire", "3333", "--on", "2020-01-01", "--as", "Ada").status == 0
    added = harbour("facts", "add", "Twelve cranes.", "--subject", "crane", "--value", "twelve", "--as", "Ada")
    assert added.status == 0
    facts = {fact["text"]: fact for fact in register(harbour)["facts"]}
    assert facts["The harbour was opened in 1871."]["scope_note"] == "its first basin"
    assert not facts["The harbour was opened in 1871."]["usable"]
    assert facts["Twelve cranes."]["usable"]
    assert facts["Twelve cranes."]["sources"] == []
    assert "expired" in harbour("facts", "list").out
    assert [fact["text"] for fact in register(harbour, "--state", "expired")["facts"]] == [
        "The harbour was opened in 1871."
    ]


def test_whoever_looked_at_an_older_revision_is_told_and_nothing_is_recorded(harbour: Command):
    seen = str(register(harbour)["revision"])
    assert harbour("facts", "reject", "3333", "--as", "Ben").status == 0
    ran = harbour("facts", "approve", "3333", "--as", "Ada", "--seen", seen)
    assert ran.status == 1
    assert "rejected by Ben" in ran.err
    assert states(harbour)["3333"] == "rejected"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["show", "9999"], "no fact 9999"),
        (["approve", "3333", "--as", "rule"], "a person's name"),
        (["edit", "3333"], "say what to change"),
        (["edit", "3333", "--value", "several"], "holds no figure"),
        (["expire", "3333"], "--on DATE"),
        (["expire", "3333", "--on", "31.3.2027"], "write it as 2027-03-31"),
        (["resolve", "conflict_berth"], "say with --keep"),
        (["resolve", "conflict_berth", "--keep", "1111", "--scope", "yachts"], "write FACT=NOTE"),
        (["add", "The harbour has 45 berths", "--subject", "berth"], "says the same already"),
        (["list", "--customer", "Quay"], "there are registers of Harbour"),
        (["export", "--out", "facts.xls"], "--format csv|json"),
        (["import", "nowhere.csv"], "cannot be read"),
    ],
)
def test_what_cannot_be_done_says_what_to_do(harbour: Command, arguments: list[str], message: str):
    ran = harbour("facts", *arguments)
    assert ran.status == 64
    assert message in ran.err
    assert len(ran.err.splitlines()) == 1
    assert states(harbour) == {"1111": "pending", "2222": "pending", "3333": "pending"}


def test_without_a_register_the_way_to_one_is_told(affidavit: Command):
    ran = affidavit("facts", "list")
    assert ran.status == 64
    assert "affidavit facts crawl" in ran.err


def test_several_customers_are_told_apart_by_name(harbour: Command):
    assert harbour("facts", "add", "A pier.", "--subject", "pier", "--customer", "Quay", "--as", "Ada").status == 0
    ran = harbour("facts", "list")
    assert ran.status == 64
    assert "Harbour, Quay" in ran.err
    assert "A pier." in harbour("facts", "list", "--customer", "quay").out


@pytest.mark.parametrize("ending", ["csv", "json"])
def test_an_export_is_imported_as_it_was(harbour: Command, tmp_path: Path, ending: str):
    file = f"facts.{ending}"
    assert harbour("facts", "export", "--out", file).status == 0
    again = harbour("facts", "import", file, "--as", "Ben")
    assert again.status == 0
    assert "in the register already" in again.err
    other = Command(tmp_path / "other")
    other.home.mkdir()
    (other.home / file).write_bytes((harbour.home / file).read_bytes())
    assert other("facts", "import", file, "--customer", "Harbour", "--as", "Ben").status == 0
    here, there = (register(command)["facts"] for command in (harbour, other))
    assert [fact | {"revision": 0} for fact in here] == [fact | {"revision": 0} for fact in there]


def test_a_file_with_a_fault_names_its_line_and_nothing_of_it_is_imported(harbour: Command):
    body = "text,subject,category\nTwelve cranes.,crane,numbers\nTen tugs.,tug,numbrs\n"
    ran = harbour("facts", "import", "-", "--as", "Ben", stdin=body)
    assert ran.status == 64
    assert "line 3, column category" in ran.err
    assert "nothing is imported" in ran.err
    assert len(register(harbour)["facts"]) == 3


def test_a_formula_in_a_fact_is_text_in_the_export(harbour: Command):
    harbour("facts", "add", "=HYPERLINK(1)", "--subject", "+link", "--as", "Ada")
    exported = harbour("facts", "export").out.removeprefix("\ufeff")
    rows = list(csv.DictReader(io.StringIO(exported, newline="")))
    assert tuple(rows[0]) == COLUMNS
    assert {(row["text"], row["subject"]) for row in rows} >= {("'=HYPERLINK(1)", "'+link")}


def test_what_a_page_says_acts_in_no_terminal(affidavit: Command):
    evil = record(4444, "Evil \x1b[2J\x1b]0;PWN\x07\u202e[bold]text[/bold] 5", value="5\x1b[31m", scope_note="\x9b2J")
    affidavit("facts", "import", "-", "--customer", "x", "--as", "Ada", stdin=json.dumps([evil]))
    for arguments in (["list", "-v"], ["show", "4444"], ["approve", "4444", "--as", "Ada"]):
        ran = affidavit("facts", *arguments)
        assert ran.status == 0
        assert not set("\x1b\x07\x9b\u202e") & set(ran.out + ran.err)
        assert "[bold]text[/bold]" in ran.out


def test_a_day_in_the_future_is_usable_until_then(harbour: Command):
    harbour("facts", "approve", "3333", "--as", "Ada")
    harbour("facts", "expire", "3333", "--on", "2999-12-31", "--as", "Ada")
    assert [fact["expires"] for fact in register(harbour, "--state", "usable")["facts"]] == ["2999-12-31"]
    assert harbour("facts", "expire", "3333", "--never", "--as", "Ada").status == 0
    assert [fact["expires"] for fact in register(harbour, "--state", "usable")["facts"]] == [None]
