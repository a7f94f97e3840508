"""PDFs made to mislead, to break and to hang, read as the product reads them: in workers that can be killed."""

import json
import unicodedata
from pathlib import Path
from typing import Any

import pytest

from affidavit.errors import FailureKind, PageFailure
from affidavit.evidence.document import BlockKind, Document, Fetched
from affidavit.extract.worker import Workers

UNSEEN = dict.fromkeys([0xAD, *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070), 0xFEFF])
RUN = 8
LIMIT_S = 6.0
KINDS = {
    "PDF_ENCRYPTED": {FailureKind.ENCRYPTED},
    "PDF_BROKEN": {FailureKind.BROKEN},
    "EMPTY_BODY": {FailureKind.EMPTY_BODY},
    # By content it is a page, and may be refused for what that page says.
    "TYPE_MISMATCH": {FailureKind.TYPE_MISMATCH, FailureKind.LOGIN},
    "NO_TEXT": {FailureKind.NO_TEXT},
    "LIMIT": {FailureKind.TOO_LARGE, FailureKind.TIMEOUT, FailureKind.CRASHED},
}
# What is debatable in the set, and the choice made here: words and sentences are joined as a reader joins them, over
# lines and over pages; the unseen text layer of a scan is not quoted; a font that misnames its letters is believed.
CHOICES = {"hyphenation": True, "sentence-over-pages": True, "scan-with-text-layer": True, "lying-unicode-map": False}

Outcome = Document | PageFailure


def plain(text: str) -> str:
    """The set's comparison: composed, ligatures folded, one space for any white space, nothing that cannot be seen."""
    return " ".join(unicodedata.normalize("NFKC", text).translate(UNSEEN).split())


@pytest.fixture(scope="module")
def outcomes(shared: Path) -> dict[str, tuple[dict[str, Any], Outcome]]:
    folder = shared / "data/adversarial/dev/pdfs"
    cases = [json.loads(line) for line in (folder / "manifest.jsonl").read_text("utf-8").splitlines()]
    pages = {
        case["id"]: Fetched(
            requested_url=case["url"],
            final_url=case["url"],
            retrieved_at="2026-01-01T00:00:00Z",
            status=200,
            headers=(("content-type", case["content_type"]),),
            body=(folder / case["file"]).read_bytes(),
        )
        for case in cases
    }
    with Workers(2, timeout_s=LIMIT_S, memory_mb=1024) as workers:
        futures = {name: workers.submit(page) for name, page in pages.items()}
        return {case["id"]: (case, settled(futures[case["id"]])) for case in cases}


def settled(future: Any) -> Outcome:
    try:
        return future.result()
    except PageFailure as failure:
        return failure


def faults(case: dict[str, Any], outcome: Outcome) -> list[str]:
    """What is wrong with the outcome of one case."""
    if isinstance(outcome, PageFailure):
        if case["expect"] == "text":
            return [f"failed: {outcome}"]
        wanted = KINDS.get(case.get("error_code") or "NO_TEXT", set())
        return [] if outcome.kind in wanted else [f"failed as {outcome.kind}, not as {sorted(wanted)}"]
    if case["expect"] in ("error", "no_text"):
        return [f"text where none was due: {outcome.text[:80]!r}"]
    text, found = plain(outcome.text), []
    for quote in (case["visible_quote"], *case.get("also_visible", ())):
        if quote and plain(quote) not in text and case["attack"] != "hyphenation":
            found.append(f"missing: {quote}")
    if case["attack"] == "hyphenation":
        found += [f"missing: {quote}" for quote in case["also_visible"] if plain(quote) not in text]
    for hidden in case["hidden_texts"]:
        words = plain(hidden).split()
        runs = [" ".join(words[index : index + RUN]) for index in range(max(1, len(words) - RUN + 1))]
        found += [f"hidden: {run}" for run in runs if run in text]
    return found


def test_every_case_that_is_not_debatable_comes_out_right(
    outcomes: dict[str, tuple[dict[str, Any], Outcome]],
) -> None:
    wrong = {
        f"{name} {case['attack']}": found
        for name, (case, outcome) in outcomes.items()
        if not case.get("debatable") and (found := faults(case, outcome))
    }
    assert not wrong


def test_debatable_cases_follow_the_choices_made(outcomes: dict[str, tuple[dict[str, Any], Outcome]]) -> None:
    debatable = {
        case["attack"]: not faults(case, outcome) for case, outcome in outcomes.values() if case.get("debatable")
    }
    assert debatable == {attack: CHOICES[attack] for attack in debatable}


def test_running_heads_and_page_numbers_stand_apart(outcomes: dict[str, tuple[dict[str, Any], Outcome]]) -> None:
    for case, outcome in outcomes.values():
        if case["attack"] in ("columns-2", "sentence-over-pages"):
            assert isinstance(outcome, Document)
            aside = [b for b in outcome.blocks if b.kind in (BlockKind.NAVIGATION, BlockKind.OTHER)]
            assert len(aside) >= 2
            assert {outcome.text[b.start : b.end] for b in aside if not b.main} & {"45", "Page 1 of 2"}


def test_every_block_knows_its_page(outcomes: dict[str, tuple[dict[str, Any], Outcome]]) -> None:
    for _, outcome in outcomes.values():
        if isinstance(outcome, Document):
            pages = [block.page for block in outcome.blocks if block.page is not None]
            assert len(pages) == len(outcome.blocks)
            assert pages == sorted(pages)
