"""Are the pages and passages that answer among the first found? Recall over the golden questions, and what it costs.

    python benchmarks/retrieval.py [--shared ../shared] [--workers 1 2] [--cache DIR]

Prints, for the questions that can be answered: the share of gold pages among the first 1, 5, 10 and 20 pages of the
page search; the same for the pages of the best passages (a page counts by its best); the share of gold quotations
that stand in one of the first 1, 5, 10, 20, 50 passages; then the time to build the indexes, their size, and the
time of a query. Without --cache the indexes are built in a folder of their own and removed.
"""

import argparse
import asyncio
import json
import statistics
import tempfile
import time
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from affidavit.egress.archive import Archive, open_archive
from affidavit.extract.extraction import EXTRACTORS
from affidavit.extract.worker import Workers
from affidavit.ranking.canonical import canonical_url
from affidavit.search.build import Builder
from affidavit.search.embedded import EmbeddedSearch

PAGES_AT = (1, 5, 10, 20)
PASSAGES_AT = (1, 5, 10, 20, 50)
DEPTH = 200

Hits = TypeVar("Hits")


@dataclass(frozen=True)
class Question:
    text: str
    facts: tuple[tuple[str, str], ...]
    """Of each fact the gold page (canonical) and the gold quotation."""

    @property
    def pages(self) -> set[str]:
        return {url for url, _ in self.facts}


@dataclass(frozen=True)
class Found:
    """What a search found for one question, best first: pages, pages by their passages, passages with their text."""

    pages: list[str]
    passage_pages: list[str]
    passages: list[tuple[str, str]]


def main() -> None:
    parser = argparse.ArgumentParser(description="Recall of gold pages and quotations, and the cost of the index.")
    parser.add_argument("--shared", type=Path, default=Path(__file__).resolve().parents[2] / "shared")
    parser.add_argument("--workers", type=int, nargs="+", default=[2], help="build once with each number of workers")
    parser.add_argument("--cache", type=Path, help="keep the indexes here")
    chosen = parser.parse_args()
    archives = [open_archive(path) for path in sorted((chosen.shared / "data" / "web").glob("*.warc.gz"))]
    questions = read_questions(chosen.shared / "data" / "golden" / "dev" / "questions.jsonl")
    for number in chosen.workers:
        with tempfile.TemporaryDirectory() as folder:
            cache = chosen.cache or Path(folder)
            with built(archives, cache, number) as search:
                if number == chosen.workers[-1]:
                    report(search, questions)


def read_questions(path: Path) -> list[Question]:
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [
        Question(row["question"], tuple((canonical_url(fact["url"]), fact["quote"]) for fact in row["facts"]))
        for row in rows
        if row["answerable"]
    ]


def built(archives: Sequence[Archive], cache: Path, number: int) -> EmbeddedSearch:
    start = time.perf_counter()
    with Workers(number, 20.0, 1024) as workers:
        builder = Builder(cache, lambda: workers, EXTRACTORS, lambda *_: None, print)
        search = EmbeddedSearch.open(archives, builder)
    seconds = time.perf_counter() - start
    size = sum(builder.path(archive).stat().st_size for archive in archives)
    pages = sum(len(archive) for archive in archives)
    print(
        f"index: {pages} pages, {number} worker(s): {seconds:.1f} s, {pages / seconds:.0f} pages/s, {size / 1e6:.1f} MB"
    )
    kinds: dict[str, int] = {}
    for page in search.unreadable():
        kinds[page.kind] = kinds.get(page.kind, 0) + 1
    print(f"not in the index: {sum(kinds.values())} pages {kinds}")
    return search


def report(search: EmbeddedSearch, questions: Sequence[Question]) -> None:
    page_times: list[float] = []
    passage_times: list[float] = []
    found: list[Found] = []
    for question in questions:
        hits = timed(page_times, lambda text=question.text: search.search(text, limit=max(PAGES_AT)))
        passages = timed(passage_times, lambda text=question.text: search.passages(text, limit=DEPTH))
        found.append(
            Found(
                [canonical_url(hit.url) for hit in hits],
                list(dict.fromkeys(canonical_url(hit.url) for hit in passages)),
                [(canonical_url(hit.url), letters(hit.text)) for hit in passages],
            )
        )
    print(f"questions: {len(questions)} answerable, {sum(len(one.pages) for one in questions)} gold pages")
    line("gold pages, page search", PAGES_AT, lambda at: mean_pages(questions, [one.pages[:at] for one in found]))
    line("any gold page, page search", PAGES_AT, lambda at: any_page(questions, [one.pages[:at] for one in found]))
    line("gold pages, passages", PAGES_AT, lambda at: mean_pages(questions, [one.passage_pages[:at] for one in found]))
    line("gold quotations", PASSAGES_AT, lambda at: mean_quotes(questions, [one.passages[:at] for one in found]))
    for name, times in (("page search", page_times), ("passages", passage_times)):
        middle, worst = statistics.median(times), max(times)
        print(f"{name}: median {middle * 1e3:.1f} ms, slowest {worst * 1e3:.1f} ms")


def timed(times: list[float], call: Callable[[], Coroutine[object, object, list[Hits]]]) -> list[Hits]:
    start = time.perf_counter()
    hits = asyncio.run(call())
    times.append(time.perf_counter() - start)
    return hits


def line(name: str, at: Sequence[int], measure: Callable[[int], float]) -> None:
    print(f"{name:28}" + "  ".join(f"@{number} {measure(number):.3f}" for number in at))


def mean_pages(questions: Sequence[Question], found: Sequence[Sequence[str]]) -> float:
    pairs = zip(questions, found, strict=True)
    return statistics.mean(len(question.pages & set(urls)) / len(question.pages) for question, urls in pairs)


def any_page(questions: Sequence[Question], found: Sequence[Sequence[str]]) -> float:
    return statistics.mean(bool(question.pages & set(urls)) for question, urls in zip(questions, found, strict=True))


def mean_quotes(questions: Sequence[Question], found: Sequence[Sequence[tuple[str, str]]]) -> float:
    """A quotation that runs on past its passage counts by its first 60 letters."""
    shares = [
        statistics.mean(
            any(url == page and letters(quote)[:60] in text for url, text in passages) for page, quote in question.facts
        )
        for question, passages in zip(questions, found, strict=True)
    ]
    return statistics.mean(shares)


def letters(text: str) -> str:
    """Letters and digits alone: gold quotations have their white space collapsed and their tables drawn with bars."""
    return "".join(character for character in text if character.isalnum()).lower()


if __name__ == "__main__":
    main()
