"""A crawl at the command line: what it prints, what it answers with, and what it refuses."""

import json
from pathlib import Path

import jsonschema

from affidavit.report.schema import load_schema

from .conftest import Command

HOME = "https://harbour.invalid/"


def test_a_crawl_prints_what_it_read_and_as_json_what_it_changed(affidavit: Command, pages: Path):
    told = ["facts", "crawl", HOME + "gauge.html", "--also", HOME + "bridge.md", "--customer", "Harbour"]
    told += ["--web", str(pages), "--keyless"]
    dry = affidavit(*told, "--dry-run")
    assert dry.status == 0, dry.err
    assert "nothing is recorded" in dry.out
    assert affidavit("facts", "list").status == 64
    ran = affidavit(*told, "--json")
    assert ran.status == 0, ran.err
    found = json.loads(ran.out)
    jsonschema.validate(found, load_schema("register"))
    assert found["crawl"]["pages"] == 2
    assert found["changes"]["recorded"]
    assert len(found["changes"]["added"]) == len(found["facts"]) > 0
    beside = affidavit("facts", "list", "--state", "left-out", "--json")
    assert beside.status == 0
    jsonschema.validate(json.loads(beside.out), load_schema("register"))
    ids = {one["fact_id"] for one in found["facts"]}
    assert not ids & {one["fact_id"] for one in json.loads(beside.out)["facts"]}
    in_words = affidavit("facts", "list", "--state", "left-out").out
    assert in_words.count("left out: ") == len(json.loads(beside.out)["facts"])
    again = affidavit(*told)
    assert again.status == 0
    assert again.out.count("Nothing new") == 1


def test_a_site_that_cannot_be_read_and_one_without_facts_have_their_own_status(affidavit: Command, tmp_path: Path):
    folder = tmp_path / "quay"
    folder.mkdir()
    (folder / "index.html").write_text("<html lang=en><title>Quay</title><main><p>Welcome.</p></main></html>")
    told = ["--customer", "Quay", "--web", str(folder), "--keyless"]
    missing = affidavit("facts", "crawl", "https://quay.invalid/none.html", *told)
    assert missing.status == 2
    assert "Not read" in missing.out
    assert affidavit("facts", "crawl", "https://quay.invalid/index.html", *told).status in (1, 2)


def test_what_contradicts_itself_on_the_command_line_is_refused(affidavit: Command, pages: Path):
    told = ["facts", "crawl", HOME, "--customer", "Harbour", "--web", str(pages)]
    ran = affidavit(*told, "--keyless", "--model", "extractor=openai:gpt-6-luna")
    assert ran.status == 64
    assert "leave one out" in ran.err
    assert affidavit("facts", "crawl", HOME, "--customer", " ", "--web", str(pages), "--keyless").status == 64
    assert affidavit("facts", "crawl", HOME, "--customer", "x", "--offline").status == 64
    folder = affidavit("facts", "crawl", str(pages), "--customer", "x")
    assert folder.status == 64
    assert f"https://{pages.name}.invalid/ --web {pages}" in folder.err
