"""Drafts that quote real pages, each quotation rightly, wrongly or in another's name."""

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from affidavit.egress.archive import open_archive
from affidavit.errors import FailureKind, PageFailure
from affidavit.evidence.document import Document
from affidavit.extract import extract
from affidavit.gates.quotation_check import QuotationResult, QuotationStatus, check_quotations
from affidavit.gates.source_texts import PreparedSources, SourceText

SITES = ("18f.gsa.gov", "pages.nist.gov", "peps.python.org")
QUOTED = {
    "verbatim_quote": {QuotationStatus.FOUND},
    "altered_quote": {QuotationStatus.ALTERED},
    "invented_quote": {QuotationStatus.NOT_FOUND},
    "misattributed_quote": {QuotationStatus.MISATTRIBUTED},
    "typography": {QuotationStatus.FOUND},
    "non_ascii": {QuotationStatus.FOUND},
}
BLOCK = re.compile(r"(?m)^>.*(?:\n>.*)*")


archive = cache(open_archive)


@cache
def page(shared: Path, url: str) -> Document:
    for site in SITES:
        try:
            return extract(archive(shared / "data/web" / f"{site}.warc.gz").get(url))
        except PageFailure as failure:
            if failure.kind is not FailureKind.NOT_FOUND:
                raise
    pytest.fail(f"no archive holds {url}")


def sources(shared: Path, urls: list[str]) -> PreparedSources:
    documents = [page(shared, url) for url in urls]
    return PreparedSources.of(
        SourceText(one.title or "", one.text, one.author, one.final_url, one.breaks) for one in documents
    )


@cache
def results(shared: Path) -> tuple[tuple[dict[str, Any], tuple[QuotationResult, ...]], ...]:
    """Every sentence of the drafts with what was found of the quotations in it."""
    return tuple(_results(shared))


def _results(shared: Path) -> Iterator[tuple[dict[str, Any], tuple[QuotationResult, ...]]]:
    for path in sorted((shared / "data/golden/dev/drafts").glob("*.json")):
        draft, text = json.loads(path.read_text("utf-8")), path.with_suffix(".md").read_text("utf-8")
        blocks = [match.span() for match in BLOCK.finditer(text)]
        checked = check_quotations(text, sources(shared, draft["sources"]), blocks)
        for sentence in draft["sentences"]:
            start = text.index(sentence["text"])
            end = start + len(sentence["text"])
            yield sentence, tuple(one for one in checked if start <= one.quotation.start < end)


def test_every_quotation_is_found_or_rejected_for_what_is_wrong_with_it(shared: Path) -> None:
    wrong, seen = [], 0
    for sentence, found in results(shared):
        if sentence["code"] not in QUOTED:
            continue
        seen += len(found)
        wrong += [(one.status, sentence["text"]) for one in found if one.status not in QUOTED[sentence["code"]]]
        if sentence["code"].endswith("_quote") and not found:
            wrong.append((None, sentence["text"]))
    assert wrong == []
    assert seen >= 10


def test_no_sentence_is_rejected_for_a_quotation_that_its_source_has(shared: Path) -> None:
    rejected = [
        (sentence["text"], one.findings)
        for sentence, found in results(shared)
        if sentence["expected"] == "sourced"
        for one in found
        if one.status not in (QuotationStatus.FOUND, QuotationStatus.TOO_SHORT)
    ]
    assert rejected == []
