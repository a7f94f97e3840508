"""Block pages and near-misses of the hostile set, and what is refused among real pages."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from affidavit.egress.archive import open_archive
from affidavit.errors import FailureKind, PageFailure
from affidavit.evidence.document import Document, Fetched
from affidavit.extract import extract


def hostile(shared: Path) -> Iterator[tuple[dict[str, object], Fetched]]:
    folder = shared / "data" / "adversarial" / "dev" / "pages"
    for line in (folder / "manifest.jsonl").read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        yield (
            case,
            Fetched(
                requested_url=case["url"],
                final_url=case["url"],
                retrieved_at="2026-11-01T00:00:00Z",
                status=case["status"],
                headers=(("content-type", case["content_type"]),),
                body=(folder / case["file"]).read_bytes(),
            ),
        )


def outcome(fetched: Fetched) -> Document | FailureKind:
    try:
        return extract(fetched)
    except PageFailure as failure:
        return failure.kind


def test_every_block_page_is_refused_by_its_kind_and_no_other_page_is(shared: Path) -> None:
    wrong, debatable = [], []
    for case, fetched in hostile(shared):
        found = outcome(fetched)
        expected = FailureKind(str(case["block"])) if case["evidence"] == "never" else None
        if (found if isinstance(found, FailureKind) else None) is not expected:
            (debatable if case.get("debatable") else wrong).append((case["id"], expected, found))
    assert wrong == []
    # A cut teaser is refused, and a dead link on a front page of headlines too: both readings of the set allow it.
    assert debatable == []


def real(shared: Path, name: str, every: int, small: int) -> Iterator[Fetched]:
    """Every page below `small` bytes of the archive `name`, and each `every`-th of the others."""
    archive = open_archive(shared / "data" / "web" / f"{name}.warc.gz")
    for number, fetched in enumerate(archive.pages()):
        assert isinstance(fetched, Fetched)
        if len(fetched.body) < small or number % every == 0:
            yield fetched


@pytest.mark.parametrize("name", ["18f.gsa.gov", "pages.nist.gov", "peps.python.org"])
def test_real_pages_are_refused_only_where_they_are_none(shared: Path, name: str) -> None:
    """All 1,439 were tried once: the 33 redirect stubs are refused and one site map, nothing else."""
    refused = {}
    for fetched in real(shared, name, every=40, small=3000):
        try:
            extract(fetched)
        except PageFailure as failure:
            refused[fetched.final_url] = failure.kind
    stubs = [url for url, kind in refused.items() if kind is FailureKind.REDIRECT_STUB]
    assert len(stubs) == (33 if name == "18f.gsa.gov" else 0)
    assert set(refused) == set(stubs)
