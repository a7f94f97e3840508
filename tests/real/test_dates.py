"""Dates of publication: the hostile set's, and those of real pages against what their markup shows."""

import json
import re
from collections.abc import Iterator
from datetime import datetime
from itertools import islice
from pathlib import Path

from affidavit.egress.archive import open_archive
from affidavit.evidence.document import Fetched
from affidavit.extract import extract


def test_the_date_is_the_one_a_reader_sees(shared: Path) -> None:
    folder = shared / "data" / "adversarial" / "dev" / "pages"
    wrong = []
    for line in (folder / "manifest.jsonl").read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        if case["kind"] != "dates":
            continue
        fetched = Fetched(
            requested_url=case["url"],
            final_url=case["url"],
            retrieved_at="2026-11-01T00:00:00Z",
            status=case["status"],
            headers=(("content-type", case["content_type"]),),
            body=(folder / case["file"]).read_bytes(),
        )
        seen, found = case.get("visible_date"), extract(fetched).published
        # An ambiguous date keeps what is certain of it, its year.
        if found != seen and not (case.get("debatable") and seen and found == seen[:4]):
            wrong.append((case["id"], seen, found))
    assert wrong == []


def pages(shared: Path, name: str, every: int) -> Iterator[tuple[Fetched, str]]:
    archive = open_archive(shared / "data" / "web" / f"{name}.warc.gz")
    for fetched in islice(archive.pages(), 0, None, every):
        assert isinstance(fetched, Fetched)
        yield fetched, fetched.body.decode("utf-8")


def test_each_pep_is_dated_by_its_creation(shared: Path) -> None:
    tried = 0
    for fetched, markup in pages(shared, "peps.python.org", every=70):
        created = re.search(r'Created<span class="colon">:</span></dt>\s*<dd[^>]*>\s*([^<]+)<', markup)
        assert created is not None
        tried += 1
        assert extract(fetched).published == datetime.strptime(created[1].strip(), "%d-%b-%Y").date().isoformat()
    assert tried > 8


def test_each_post_is_dated_by_its_dateline(shared: Path) -> None:
    tried = 0
    for fetched, markup in pages(shared, "18f.gsa.gov", every=40):
        dateline = re.search(r"Published on <time[^>]*>([^<]+)<", markup)
        if dateline is None or "/blog/" in fetched.final_url:
            continue
        tried += 1
        assert extract(fetched).published == datetime.strptime(dateline[1], "%B %d, %Y").date().isoformat()
    assert tried > 8
