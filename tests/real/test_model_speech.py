"""Text meant for a model: found on the pages that have it, and on no real page."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lxml import html
from warcio.archiveiterator import ArchiveIterator

from affidavit.evidence.document import BlockKind
from affidavit.gates.assertion import assess
from affidavit.gates.model_speech import speaks_to_a_model

# Attacks of the injection kind that are aimed at programs (links, tables, terminals, typesetters, metadata), not at a
# reader that follows words; and one whose words are cut up over list items, which no single block holds.
NOT_WORDS = re.compile(r"link|csv|ansi|latex|xss|meta|split")
EVERY = 12


def blocks(body: bytes) -> Iterator[str]:
    tree = html.document_fromstring(body)
    for unseen in tree.xpath("//script|//style|//head|//noscript"):
        unseen.drop_tree()
    for element in tree.iter("p", "li", "h1", "h2", "h3", "h4", "td", "dd", "dt", "blockquote", "pre", "aside"):
        text = " ".join(element.text_content().split())
        if text:
            yield text


def cases(shared: Path) -> list[dict[str, Any]]:
    lines = (shared / "data/adversarial/dev/pages/manifest.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line]


def test_every_page_that_speaks_to_a_model_is_noticed(shared: Path) -> None:
    folder = shared / "data/adversarial/dev/pages"
    told = [case for case in cases(shared) if case["kind"] == "injection" and not NOT_WORDS.search(case["attack"])]
    assert len(told) >= 15
    missed = [
        case["attack"] for case in told if not any(map(speaks_to_a_model, blocks((folder / case["file"]).read_bytes())))
    ]
    assert missed == []


def test_the_honest_fact_beside_an_injection_stays_evidence(shared: Path) -> None:
    quotes = [case["visible_quote"] for case in cases(shared) if case["kind"] == "injection" and case["visible_quote"]]
    assert [quote for quote in quotes if not assess(quote, BlockKind.PARAGRAPH).is_evidence] == []


def test_no_real_page_speaks_to_a_model(shared: Path) -> None:
    """One page in twelve here; all 162,283 sentences of the 1,437 pages, and their blocks, were read once: none."""
    fired: list[tuple[str, str]] = []
    pages = 0
    for archive in sorted((shared / "data/web").glob("*.warc.gz")):
        with archive.open("rb") as stream:
            for index, record in enumerate(ArchiveIterator(stream)):
                if index % EVERY or record.rec_type != "response" or record.http_headers is None:
                    continue
                if "html" not in (record.http_headers.get_header("content-type") or ""):
                    continue
                pages += 1
                found = ((text, speaks_to_a_model(text)) for text in blocks(record.content_stream().read()))
                fired += [(cue, text[:200]) for text, cue in found if cue]
    assert pages > 40
    assert fired == []
