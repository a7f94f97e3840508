"""Copies of one report count as one source, on the pages made for it; real pages of one site stay apart."""

import json
from pathlib import Path
from typing import Any

from affidavit.evidence.document import Document, Fetched
from affidavit.extract import extract
from affidavit.ranking.dedupe import dedupe
from affidavit.ranking.hit import Hit
from affidavit.ranking.independence import independence_groups


def read(folder: Path) -> list[tuple[dict[str, Any], Document]]:
    lines = (folder / "manifest.jsonl").read_text(encoding="utf-8").splitlines()
    cases = [case for line in lines if line for case in [json.loads(line)] if case["kind"] == "syndication"]
    return [(case, extract(fetched(case, (folder / case["file"]).read_bytes()))) for case in cases]


def fetched(case: dict[str, Any], body: bytes) -> Fetched:
    return Fetched(
        requested_url=case["url"],
        final_url=case["url"],
        retrieved_at="2026-01-01T00:00:00Z",
        status=case["status"],
        headers=(("content-type", case["content_type"]),),
        body=body,
    )


def main_text(document: Document) -> str:
    return "\n".join(document.text[block.start : block.end] for block in document.blocks if block.main)


def test_each_independence_group_is_one_source_and_no_two_are(shared: Path) -> None:
    pages = read(shared / "data/adversarial/dev/pages")
    assert len(pages) >= 8
    found = independence_groups([main_text(document) for _, document in pages])
    told = [case["independence_group"] for case, _ in pages]
    assert len(set(found)) == len(set(told))
    assert len(set(zip(found, told, strict=True))) == len(set(told))


def test_copies_under_other_headlines_are_left_to_the_text(shared: Path) -> None:
    pages = read(shared / "data/adversarial/dev/pages")
    hits = [
        Hit(url=case["url"], title=document.title or "", snippet="", published=None, provider="test", rank=1)
        for case, document in pages
    ]
    assert dedupe(hits).kept == tuple(hits)
