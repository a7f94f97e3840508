"""Quoting and segmenting a megabyte of text. Run with ``pytest benchmarks/bench_quote.py``; asserts no speed."""

import random
from collections.abc import Iterator

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from affidavit.evidence import Block, BlockKind, Document, PreparedDocument, Quoter, fold, prepare, sentences

_SIZE = 1_000_000
_TEXT = """harbour gauge reading council levy timber stone keeper storm ledger quay vessel “plain” tide's Dr. e.g. 3.2
1,204 per cent non‑stop café was were had been and of the in a by with from after before which there"""
_WORDS = _TEXT.split()


def _document() -> Document:
    source = random.Random(7)
    parts: list[str] = []
    blocks: list[Block] = []
    at = 0
    while at < _SIZE:
        count = source.randint(3, 8)
        said = (" ".join(source.choices(_WORDS, k=source.randint(6, 30))) for _ in range(count))
        paragraph = " ".join(f"The {words} {source.randint(1000, 999_999)}." for words in said)
        blocks.append(Block(at, at + len(paragraph), BlockKind.PARAGRAPH))
        parts.append(paragraph)
        at += len(paragraph) + 2
    return Document(
        requested_url="https://example.org/long",
        final_url="https://example.org/long",
        canonical_url="https://example.org/long",
        retrieved_at="2026-01-02T03:04:05Z",
        status=200,
        headers=(),
        media_type="text/html",
        sha256="0" * 64,
        extractor="bench/1",
        title=None,
        published=None,
        language="en",
        text="\n\n".join(parts),
        blocks=tuple(blocks),
    )


@pytest.fixture(scope="module")
def document() -> Document:
    return _document()


@pytest.fixture(scope="module")
def prepared(document: Document) -> PreparedDocument:
    return prepare(document)


def _locators(document: Document) -> Iterator[str]:
    source = random.Random(11)
    while True:
        start = source.randrange(len(document.text) - 240)
        yield document.text[start : start + source.randint(60, 240)]


def test_extract_quote_on_a_megabyte(benchmark: BenchmarkFixture, document: Document) -> None:
    quoter = Quoter(max_spans=1_000_000_000, max_total_chars=1_000_000_000_000)
    quoter.add(document)
    quoter.prepared(document.doc_id)
    locators = _locators(document)
    benchmark.pedantic(
        lambda locator: quoter.extract_quote(document.doc_id, locator, "support_claim"),
        setup=lambda: ((next(locators),), {}),
        rounds=3000,
    )
    times = sorted(benchmark.stats.stats.data)
    benchmark.extra_info["p99_ms"] = round(times[int(len(times) * 0.99)] * 1000, 3)
    print(f"extract_quote p99 {benchmark.extra_info['p99_ms']} ms")


def test_prepare_a_megabyte(benchmark: BenchmarkFixture, document: Document) -> None:
    benchmark.pedantic(prepare, args=(document,), rounds=5)


def test_fold_a_megabyte(benchmark: BenchmarkFixture, document: Document) -> None:
    benchmark.pedantic(fold, args=(document.text,), rounds=5)


def test_sentences_of_a_megabyte(benchmark: BenchmarkFixture, document: Document) -> None:
    benchmark.pedantic(sentences, args=(document.text, "en"), rounds=5)
    rate = len(document.text.encode()) / 1e6 / benchmark.stats.stats.mean
    benchmark.extra_info["mb_per_s"] = round(rate, 2)
    print(f"sentences {rate:.1f} MB/s")
