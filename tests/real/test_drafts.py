"""Whole drafts over real pages, every sentence labelled. What must never happen, and how often it is right."""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from affidavit.check import Checker, CheckSource, markdown_draft
from affidavit.egress.archive import open_archive
from affidavit.errors import FailureKind, PageFailure
from affidavit.evidence.check import CheckedSentence, SentenceKind
from affidavit.extract import extract
from affidavit.models.embedded import SentenceEncoder

SITES = ("18f.gsa.gov", "pages.nist.gov", "peps.python.org")
QUOTATIONS = {"altered_quote", "invented_quote", "misattributed_quote"}
FIGURES = {"wrong_number", "wrong_unit"}


archive = cache(open_archive)


def page(shared: Path, url: str) -> CheckSource:
    for site in SITES:
        try:
            return CheckSource(extract(archive(shared / "data/web" / f"{site}.warc.gz").get(url)))
        except PageFailure as failure:
            if failure.kind is not FailureKind.NOT_FOUND:
                raise
    pytest.fail(f"no archive holds {url}")


@cache
def judged(shared: Path) -> tuple[tuple[dict[str, Any], CheckedSentence], ...]:
    """Every labelled sentence with what came out."""
    return tuple(_judged(shared))


def _judged(shared: Path) -> Iterator[tuple[dict[str, Any], CheckedSentence]]:
    encoder = SentenceEncoder()
    for path in sorted((shared / "data/golden/dev/drafts").glob("*.json")):
        data, text = json.loads(path.read_text("utf-8")), path.with_suffix(".md").read_text("utf-8")
        checker = Checker([page(shared, url) for url in data["sources"]], encoder)
        found = {one.text: one for one in checker.check(markdown_draft(path.stem, text), run_id="run").sentences}
        for label in data["sentences"]:
            yield label, found[label["text"]]
        for label in data["non_claims"]:
            yield {"expected": None, **label}, found[label["text"]]


def state(sentence: CheckedSentence) -> str | None:
    return sentence.state.value if sentence.state else None


def test_every_part_of_a_draft_is_cut_and_classified_as_labelled(shared: Path):
    wrong = [
        (label, sentence.kind)
        for label, sentence in judged(shared)
        if (sentence.kind is SentenceKind.CLAIM) is (label["expected"] is None)
    ]
    assert wrong == []


def test_every_bad_quotation_and_every_wrong_figure_is_rejected(shared: Path):
    passed = [
        (label["text"], label["code"], state(sentence))
        for label, sentence in judged(shared)
        if label.get("code") in QUOTATIONS | FIGURES and state(sentence) not in label.get("accept", ["rejected"])
    ]
    assert passed == []


def test_nothing_sourced_is_rejected_and_nothing_rejected_is_sourced(shared: Path):
    grave = [
        (label["text"], label["expected"], state(sentence))
        for label, sentence in judged(shared)
        if {label["expected"], state(sentence)} == {"sourced", "rejected"}
    ]
    assert grave == []


def test_nothing_that_no_source_says_is_sourced(shared: Path):
    assert [
        label["text"]
        for label, sentence in judged(shared)
        if label["expected"] == "unsourced" and state(sentence) == "sourced"
    ] == []


def test_most_sentences_get_the_state_they_are_labelled_with(shared: Path):
    claims = [(label, sentence) for label, sentence in judged(shared) if label["expected"]]
    right = sum(state(sentence) in label.get("accept", [label["expected"]]) for label, sentence in claims)
    assert right >= 0.85 * len(claims)
