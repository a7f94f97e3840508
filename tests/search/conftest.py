"""Small sites in folders, and the means to search them."""

import asyncio
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

from affidavit.egress.archive import Archive, open_archive
from affidavit.errors import PageFailure
from affidavit.evidence.document import Document, Fetched
from affidavit.extract.extraction import EXTRACTORS, extract
from affidavit.search.build import Builder
from affidavit.search.embedded import EmbeddedSearch


class InProcess:
    """Extraction without worker processes, for pages that are no danger. Counts what it is given."""

    def __init__(self) -> None:
        self.count = 0

    def extract_many(self, pages: Iterable[Fetched]) -> Iterator[tuple[Fetched, Document | PageFailure]]:
        for page in pages:
            self.count += 1
            try:
                yield page, extract(page)
            except PageFailure as failure:
                yield page, failure


class Building:
    """A builder and what it said while building."""

    def __init__(self, cache: Path) -> None:
        self.extractor = InProcess()
        self.progress: list[tuple[int, int]] = []
        self.messages: list[str] = []
        self.builder = Builder(cache, lambda: self.extractor, EXTRACTORS, self._on_progress, self.messages.append)

    def _on_progress(self, done: int, total: int, archive: Archive) -> None:
        self.progress.append((done, total))


@pytest.fixture
def site(tmp_path: Path) -> Callable[..., Archive]:
    """Writes a folder of pages, name to text, and opens it."""

    def write(pages: dict[str, str], name: str = "site") -> Archive:
        root = tmp_path / name
        for file, text in pages.items():
            path = root / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return open_archive(root)

    return write


@pytest.fixture
def building(tmp_path: Path) -> Callable[[], Building]:
    """A new builder over the same cache folder, as another run would have."""
    return lambda: Building(tmp_path / "cache")


class Searched:
    """A search whose calls wait for their results."""

    def __init__(self, search: EmbeddedSearch) -> None:
        self.search = search

    def hits(self, query: str, *arguments: int | None):
        return asyncio.run(self.search.search(query, *arguments))

    def urls(self, query: str, *arguments: int | None) -> list[str]:
        return [hit.url.rpartition("/")[2] for hit in self.hits(query, *arguments)]

    def passages(self, query: str, limit: int = 50):
        return asyncio.run(self.search.passages(query, limit))


@pytest.fixture
def searching(building) -> Iterator[Callable[..., Searched]]:
    opened: list[EmbeddedSearch] = []

    def search(*archives: Archive, **options) -> Searched:
        opened.append(EmbeddedSearch.open(archives, building().builder, **options))
        return Searched(opened[-1])

    yield search
    for one in opened:
        one.close()
