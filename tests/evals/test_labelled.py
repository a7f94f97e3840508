"""The claims that ship worded and labelled by hand: of which kinds, and that each span stands on the page it names."""

import json
import re
from collections import Counter
from importlib.resources import as_file

from affidavit.egress.archive import open_archive
from affidavit.evals.records import shipped_file
from affidavit.evidence.document import BlockKind
from affidavit.extract import extract

ROWS = [json.loads(line) for line in shipped_file("labelled.jsonl").read_text("utf-8").splitlines()]
NEAR = [row for row in ROWS if row["label"] != "SUPPORTED"]
TRUE = [row for row in ROWS if row["label"] == "SUPPORTED"]


def test_there_are_enough_of_every_kind_and_about_half_are_near_misses() -> None:
    kinds = Counter(row["kind"] for row in NEAR)
    assert len(ROWS) >= 120
    assert set(kinds) >= {
        *("number", "unit", "date", "actor", "modality", "quantifier", "negation", "comparator", "attribution"),
        *("scope", "question", "heading", "instruction"),
    }
    assert min(kinds.values()) >= 4
    assert 0.4 <= len(NEAR) / len(ROWS) <= 0.6


def test_true_claims_are_worded_otherwise_and_no_row_stands_twice() -> None:
    assert [row["id"] for row in TRUE if row["claim"].rstrip(".") in row["span"]] == []
    assert all((row["twin"] == "paraphrased") is (row["label"] == "SUPPORTED") for row in ROWS)
    assert len({(row["claim"], row["span"]) for row in ROWS}) == len({row["id"] for row in ROWS}) == len(ROWS)


def test_every_span_stands_on_the_page_it_names_as_what_it_says() -> None:
    wanted = {row["source_url"] for row in ROWS}
    with as_file(shipped_file("pages.warc.gz")) as path:
        archive = open_archive(path)
        pages = {url: extract(archive.get(url)) for url in wanted}
    for row in ROWS:
        page = pages[row["source_url"]]
        starts = [match.start() for match in re.finditer(re.escape(row["span"]), page.text)]
        kinds = [block.kind for start in starts if (block := page.block_at(start)) is not None]
        assert kinds, row["id"]
        assert (BlockKind.HEADING in kinds) is (row.get("block") == "heading"), row["id"]
