"""Search over archives on this machine: BM25 over pages and passages, several archives as one.

A page is found by what it says as a whole and by its best passage: a long page that answers the question in one
paragraph and a short one that is about nothing else should both be found.
"""

import asyncio
import sqlite3
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import TypeVar

from affidavit.egress.archive import Archive
from affidavit.errors import StorageError
from affidavit.ranking.hit import Hit
from affidavit.search.build import Builder
from affidavit.search.index import Index, PassageRow, Table, Unreadable, Weights, by_rarity
from affidavit.search.snippet import snippet
from affidavit.search.terms import Term, terms

# All swept on the 35 answerable dev questions over the 1,437 pages of three sites (benchmarks/retrieval.py), one at a
# time with the others as they stand. One question is 0.03, so differences below that chose nothing.
#
# Page weights (title, headings, body) swept (1,1,1), (4,2,1), (8,4,1): gold pages among the first 5 are 0.78, 0.81,
# 0.81; among the first 10 0.91 in all three, since the passages decide more.
PAGE_WEIGHTS = Weights(title=4.0, headings=2.0, body=1.0)
# Passage weights swept (0,0,1), (1,1,1), (2,1,1), (2,2,1), (4,1,1), (4,2,1): gold pages among the first 10 by passage
# 0.85, 0.88, 0.91, 0.91, 0.89, 0.89; gold quotations in the first 5 passages 0.41, 0.48, 0.48, 0.45, 0.45, 0.45.
PASSAGE_WEIGHTS = Weights(title=2.0, headings=1.0, body=1.0)
# A page's score is its own plus this much of its best passage's. Swept 0, 1, 1.5, 2, 2.5, 3, 6: questions with a gold
# page among the first 10 are 31, 33, 33, 34, 34, 34, 34 of 35; with one in the first place 25, 25, 23, 22, 22, 22, 22.
# A run reads ten pages, so the first ten decide.
BEST_PASSAGE = 3.0
# Passages looked at for each page asked for, to find every page's best.
_DEPTH = 20

_Result = TypeVar("_Result")


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageHit:
    """A passage that may answer. ``[start, end)`` are code points of the text of the page's Document.

    `text` is what stood there when the page was indexed: before anything is quoted, the Document is read again.
    `headings` are those it stands under, outermost first, joined by " › ".
    """

    url: str
    title: str | None
    headings: str
    published: str | None
    start: int
    end: int
    text: str
    score: float


@dataclass(frozen=True, slots=True)
class _Found:
    """A ranked row: which index, which row of it, and its score."""

    place: int
    id: int
    score: float


@dataclass(frozen=True, slots=True)
class _Query:
    terms: tuple[Term, ...]
    published: tuple[str, str] | None


class EmbeddedSearch:
    """A `Provider` over archives. Made by `open`; to be closed, or used as a context. Safe from several threads."""

    name = "archive"

    def __init__(self, archives: Sequence[Archive], builder: Builder, today: Callable[[], date] | None = None) -> None:
        self._archives = tuple({archive.digest: archive for archive in archives}.values())
        self._builder = builder
        self._today = today or (lambda: datetime.now(UTC).date())
        self._indexes: tuple[Index, ...] = ()
        self._repair = threading.Lock()

    @classmethod
    def open(
        cls, archives: Sequence[Archive], builder: Builder, today: Callable[[], date] | None = None
    ) -> "EmbeddedSearch":
        """Opens the index of every archive, building what is missing, which may take minutes. Raises StorageError."""
        search = cls(archives, builder, today)
        search._open()
        return search

    def _open(self) -> None:
        opened: list[Index] = []
        try:
            opened.extend(self._builder.open(archive) for archive in self._archives)
        except BaseException:
            for index in opened:
                index.close()
            raise
        self._indexes = tuple(opened)

    def __enter__(self) -> "EmbeddedSearch":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        for index in self._indexes:
            index.close()

    def unreadable(self) -> tuple[Unreadable, ...]:
        """The pages that are in the archives and not in the index, and why."""
        return self._sound(lambda: tuple(page for index in self._indexes for page in index.unreadable()))

    async def search(self, query: str, recency_days: int | None = None, limit: int = 10) -> list[Hit]:
        asked = self._ask(query, recency_days)
        return await asyncio.to_thread(self._sound, lambda: self._hits(asked, limit))

    async def passages(self, query: str, limit: int = 50, recency_days: int | None = None) -> list[PassageHit]:
        """At most `limit` passages, best first; several may be of one page."""
        asked = self._ask(query, recency_days)
        return await asyncio.to_thread(self._sound, lambda: self._passage_hits(asked, limit))

    def _ask(self, query: str, recency_days: int | None) -> _Query:
        if recency_days is None:
            return _Query(terms(query), None)
        today = self._today()
        return _Query(terms(query), ((today - timedelta(days=recency_days)).isoformat(), today.isoformat()))

    def _sound(self, ask: Callable[[], _Result]) -> _Result:
        """What `ask` gives. Where an index proves damaged it is built anew, and `ask` is asked once more."""
        used = self._indexes
        try:
            return ask()
        except sqlite3.DatabaseError as error:
            damage = error
        with self._repair:
            if self._indexes is used:  # else another thread has repaired them meanwhile
                self.close()
                for archive in self._archives:
                    self._builder.discard_damaged(archive)
                self._open()
        try:
            return ask()
        except sqlite3.DatabaseError as error:
            raise StorageError(f"the search index, built anew after {damage}, gives {error}; check the disk") from error

    def _hits(self, query: _Query, limit: int) -> list[Hit]:
        scores = {
            (found.place, found.id): found.score for found in self._ranked(Table.PAGES, query, PAGE_WEIGHTS, limit * 4)
        }
        best: dict[tuple[int, int], PassageRow] = {}
        for found, row in self._rows(self._ranked(Table.PASSAGES, query, PASSAGE_WEIGHTS, limit * _DEPTH)):
            key = (found.place, row.page)
            if key not in best:
                best[key] = row
                scores[key] = scores.get(key, 0.0) + BEST_PASSAGE * found.score
        order = sorted(scores, key=lambda key: -scores[key])
        hits: dict[str, Hit] = {}
        for place, identity in order:
            if len(hits) == limit:
                break
            page = self._indexes[place].pages([identity])[identity]
            row = best.get((place, identity)) or self._indexes[place].first_passage(identity)
            hit = Hit(
                url=page.url,
                title=page.title or page.url,
                snippet=snippet(row.text, query.terms) if row else "",
                published=page.published,
                provider=self.name,
                rank=len(hits) + 1,
            )
            hits.setdefault(page.canonical_url, hit)
        return list(hits.values())

    def _passage_hits(self, query: _Query, limit: int) -> list[PassageHit]:
        hits: list[PassageHit] = []
        for found, row in self._rows(self._ranked(Table.PASSAGES, query, PASSAGE_WEIGHTS, limit)):
            page = self._indexes[found.place].pages([row.page])[row.page]
            hits.append(
                PassageHit(
                    url=page.url,
                    title=page.title,
                    headings=row.headings,
                    published=page.published,
                    start=row.start,
                    end=row.end,
                    text=row.text,
                    score=found.score,
                )
            )
        return hits

    def _ranked(self, table: Table, query: _Query, weights: Weights, limit: int) -> list[_Found]:
        shared = by_rarity(self._indexes, table, query.terms)
        found = [
            _Found(place, identity, score)
            for place, (index, own) in enumerate(zip(self._indexes, shared, strict=True))
            for identity, score in index.ranked(table, own, weights, limit, query.published)
        ]
        return sorted(found, key=lambda one: (-one.score, one.place, one.id))[:limit]

    def _rows(self, found: Sequence[_Found]) -> list[tuple[_Found, PassageRow]]:
        rows = {
            place: index.passages([one.id for one in found if one.place == place])
            for place, index in enumerate(self._indexes)
        }
        return [(one, rows[one.place][one.id]) for one in found]
