"""The index of one archive: an SQLite file with FTS5 tables over pages and over passages.

The FTS tables hold no text; `passages` does. Scores are BM25 for each term apart, so that several archives can be
searched as one: what a term is worth depends on how rare it is, and rare must mean rare in all of them. (Merged by
their own scores, an archive in which the question's words hardly occur wins, because there they are rare.)
"""

import math
import sqlite3
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from affidavit.search.terms import TOKENIZER, Term

SCHEMA_VERSION = 1

SCHEMA = f"""
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE pages (
    id INTEGER PRIMARY KEY, url TEXT NOT NULL UNIQUE, canonical_url TEXT NOT NULL, title TEXT, published TEXT
);
CREATE TABLE failures (url TEXT PRIMARY KEY, kind TEXT NOT NULL, detail TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE passages (
    id INTEGER PRIMARY KEY, page INTEGER NOT NULL REFERENCES pages, start INTEGER NOT NULL, end INTEGER NOT NULL,
    headings TEXT NOT NULL, text TEXT NOT NULL
);
CREATE INDEX passages_page ON passages (page);
CREATE VIRTUAL TABLE pages_fts USING fts5(title, headings, body, content='', tokenize="{TOKENIZER}");
CREATE VIRTUAL TABLE passages_fts USING fts5(title, headings, body, content='', tokenize="{TOKENIZER}");
"""


class Table(StrEnum):
    """What is ranked. The values are table names."""

    PAGES = "pages"
    PASSAGES = "passages"


@dataclass(frozen=True, slots=True)
class Weights:
    """How much a word counts by where it stands: in the title, in the headings above, in the text."""

    title: float
    headings: float
    body: float


@dataclass(frozen=True, slots=True)
class PageRow:
    """A page as indexed."""

    url: str
    canonical_url: str
    title: str | None
    published: str | None


@dataclass(frozen=True, slots=True)
class PassageRow:
    """A passage as indexed; `page` is the id of its page."""

    page: int
    start: int
    end: int
    headings: str
    text: str


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A page of the archive that is not in the index. `kind` is a FailureKind's value."""

    url: str
    kind: str
    detail: str


class Index:
    """A finished index. One connection, used by one thread at a time; `close` is the owner's to call.

    Every method raises sqlite3.DatabaseError for a damaged file.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._lock = threading.Lock()

    def close(self) -> None:
        with self._lock:
            self._connection.close()

    def size(self, table: Table) -> int:
        return int(self._rows(f"SELECT count(*) FROM {table}")[0][0])  # noqa: S608 - an enum's value

    def frequency(self, table: Table, term: Term) -> int:
        """How many rows hold `term`."""
        sql = f"SELECT count(*) FROM {table}_fts WHERE {table}_fts MATCH ?"  # noqa: S608 - an enum's value
        return int(self._rows(sql, (term.match,))[0][0])

    def ranked(
        self,
        table: Table,
        terms: Sequence[Term],
        weights: Weights,
        limit: int,
        published: tuple[str, str] | None = None,
    ) -> list[tuple[int, float]]:
        """The `limit` best rows as (id, score), best first: the sum over `terms` of weight times BM25.

        With `published` only pages dated from the first to the second ISO date; a page dated to a year or a month
        counts where any of its days may. A row without any of the terms is never among them.
        """
        if not terms:
            return []
        one = (
            f"SELECT rowid AS id, -bm25({table}_fts, {weights.title}, {weights.headings}, {weights.body}) * ? AS score "  # noqa: S608
            f"FROM {table}_fts WHERE {table}_fts MATCH ?"
        )
        values: list[str | int | float] = [value for term in terms for value in (term.weight, term.match)]
        where = ""
        if published is not None:
            page = "id" if table is Table.PAGES else "(SELECT page FROM passages WHERE passages.id = found.id)"
            where = (
                f"WHERE {page} IN (SELECT id FROM pages WHERE published >= substr(?, 1, length(published)) "  # noqa: S608
                "AND published <= ?)"
            )
            values += published
        sql = (
            f"WITH found AS MATERIALIZED ({' UNION ALL '.join([one] * len(terms))}) "  # noqa: S608
            f"SELECT id, sum(score) AS total FROM found {where} GROUP BY id ORDER BY total DESC, id LIMIT ?"
        )
        return [(int(row[0]), float(row[1])) for row in self._rows(sql, (*values, limit))]

    def pages(self, ids: Sequence[int]) -> dict[int, PageRow]:
        sql = f"SELECT id, url, canonical_url, title, published FROM pages WHERE id IN ({_marks(ids)})"  # noqa: S608
        return {row[0]: PageRow(*row[1:]) for row in self._rows(sql, ids)}

    def passages(self, ids: Sequence[int]) -> dict[int, PassageRow]:
        sql = f"SELECT id, page, start, end, headings, text FROM passages WHERE id IN ({_marks(ids)})"  # noqa: S608
        return {row[0]: PassageRow(*row[1:]) for row in self._rows(sql, ids)}

    def first_passage(self, page: int) -> PassageRow | None:
        sql = "SELECT page, start, end, headings, text FROM passages WHERE page = ? ORDER BY id LIMIT 1"
        return next((PassageRow(*row) for row in self._rows(sql, (page,))), None)

    def is_sound(self) -> bool:
        """Reads the whole file to see whether it is damaged anywhere: slow, for when there is a reason to doubt it.

        Needs a connection that may write, though nothing is written: FTS5's own check is spelled as an insert.
        """
        try:
            sound = self._rows("PRAGMA integrity_check") == [("ok",)]
            for table in Table:
                self._rows(f"INSERT INTO {table}_fts ({table}_fts) VALUES ('integrity-check')")  # noqa: S608
        except sqlite3.DatabaseError:
            return False
        return sound

    def unreadable(self) -> tuple[Unreadable, ...]:
        return tuple(Unreadable(*row) for row in self._rows("SELECT url, kind, detail FROM failures ORDER BY url"))

    def _rows(self, sql: str, values: Sequence[str | int | float] = ()) -> list[tuple[Any, ...]]:
        with self._lock:
            return self._connection.execute(sql, values).fetchall()


def by_rarity(indexes: Sequence[Index], table: Table, terms: Sequence[Term]) -> list[list[Term]]:
    """For each index, `terms` reweighted so that each counts by its rarity in all of them together.

    FTS5 multiplies a term's score by its idf in its own index, which is next to nothing for a term that half the
    rows hold. The weight takes that out and puts in the idf of Lucene, over all rows of all indexes, which is never
    nothing: in a site's archive the site's own name is in most pages, and a question about it is still about it.
    """
    sizes = [index.size(table) for index in indexes]
    result: list[list[Term]] = [[] for _ in indexes]
    for term in terms:
        counts = [index.frequency(table, term) for index in indexes]
        common = math.log1p(_odds(sum(sizes), sum(counts)))
        for place, (size, count) in enumerate(zip(sizes, counts, strict=True)):
            own = math.log(max(_odds(size, count), 1.0))
            # The floor is bm25()'s own (sqlite.org/fts5.html, 5.1.1).
            result[place].append(Term(term.match, term.weight * common / max(own, 1e-6)))
    return result


def _odds(rows: int, holding: int) -> float:
    return (rows - holding + 0.5) / (holding + 0.5)


def _marks(values: Sequence[int]) -> str:
    return ",".join("?" * len(values))
