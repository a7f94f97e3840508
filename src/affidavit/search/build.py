"""Builds the index of an archive once, and finds it again.

The file's name is what it is made of: the archive's content, the extractors, this room's own versions. So it is
never out of date; a change of any makes another file. Building commits every few pages and can be killed at any
moment: the next build goes on from there. Two processes that need one index take turns by a lock that the system
releases when its holder dies. Where the cache folder cannot be written, the index is built in memory and said to be.
"""

import hashlib
import sqlite3
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from affidavit.egress.archive import Archive
from affidavit.errors import FailureKind, PageFailure, StorageError
from affidavit.evidence.document import BlockKind, Document, Fetched
from affidavit.own_folder import make_own_folder
from affidavit.search import passage, terms
from affidavit.search.index import SCHEMA, SCHEMA_VERSION, Index
from affidavit.search.passage import main_blocks, passages
from affidavit.search.terms import searchable

# Pages between commits: what a kill can lose. At some 30 pages a second and core it is about a second's work.
_BATCH = 32
# A build of a thousand pages takes about a minute; whoever waits longer than this waits for something that hangs.
_LOCK_WAIT_S = 1800.0
_LOCK_POLL_S = 0.2
# Seconds that a reader of an index and its builder wait for each other.
_COMMIT_WAIT_S = 10.0

# SQLite result codes (sqlite.org/rescode.html) by what they mean here.
_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR, sqlite3.SQLITE_SCHEMA}
_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}


class Extractor(Protocol):
    """Pages to Documents, several at once and in any order: `extract.worker.Workers`."""

    def extract_many(self, pages: Iterable[Fetched]) -> Iterator[tuple[Fetched, Document | PageFailure]]: ...


class Progress(Protocol):
    """Told of each page done: how many of how many, of which archive."""

    def __call__(self, done: int, total: int, archive: Archive) -> None: ...


class Builder:
    """Opens the indexes of archives, building those that are missing.

    `extractor_version` names everything that decides what text a page gives. `extractor` makes the workers, and
    is called only if there is something to extract. `on_message` gets one line for a person when something was
    not as it should be and was dealt with.
    """

    def __init__(
        self,
        cache_dir: Path,
        extractor: Callable[[], Extractor],
        extractor_version: str,
        on_progress: Progress,
        on_message: Callable[[str], None],
    ) -> None:
        self._cache_dir = cache_dir
        self._extractor = extractor
        self._version = extractor_version
        self._on_progress = on_progress
        self._on_message = on_message

    def path(self, archive: Archive) -> Path:
        """Where the index of `archive` is kept."""
        parts = (self._version, passage.VERSION, terms.VERSION, str(SCHEMA_VERSION))
        made_by = hashlib.sha256("\n".join(parts).encode()).hexdigest()[:12]
        return self._cache_dir / f"{archive.digest[:32]}-{made_by}.sqlite"

    def open(self, archive: Archive) -> Index:
        """The finished index of `archive`. Raises StorageError only where not even memory is left to build in."""
        path = self.path(archive)
        try:
            return self._kept(path) or self._build_kept(path, archive)
        except (OSError, sqlite3.Error) as error:
            self._on_message(
                f"{self._cache_dir}: the search index cannot be kept there ({error}); it is built in memory for this "
                "run. Give a cache folder that can be written, with space for about twice the size of the pages' text"
            )
            return self._in_memory(archive)

    def discard_damaged(self, archive: Archive) -> None:
        """Removes the kept index of `archive` if it is damaged anywhere, so that `open` builds it anew."""
        path = self.path(archive)
        if not path.is_file():
            return
        try:
            index = Index(_connect(f"{path.absolute().as_uri()}?mode=rw"))
        except sqlite3.Error:
            sound = False
        else:
            sound = index.is_sound()
            index.close()
        if not sound:
            self._remove(path, "it is damaged")

    def _kept(self, path: Path) -> Index | None:
        """The index at `path` if it is there and finished."""
        if not path.is_file():
            return None
        try:
            connection = _connect(f"{path.absolute().as_uri()}?mode=ro", _COMMIT_WAIT_S)
        except sqlite3.Error:
            return None
        try:
            finished = connection.execute("SELECT value FROM meta WHERE key = 'finished'").fetchone()
        except sqlite3.Error:
            finished = None
        if finished is None:
            connection.close()
            return None
        return Index(connection)

    def _build_kept(self, path: Path, archive: Archive) -> Index:
        make_own_folder(self._cache_dir)
        with self._turn(path):
            kept = self._kept(path)  # another process may have built it while this one waited
            if kept is not None:
                return kept
            try:
                self._build(path, archive)
            except sqlite3.DatabaseError as error:
                if _code(error) not in _DAMAGED:
                    raise
                self._remove(path, f"it is damaged ({error})")
                self._build(path, archive)
        index = self._kept(path)
        if index is None:
            raise StorageError(f"{path}: was written and cannot be read back; check the disk")
        return index

    def _build(self, path: Path, archive: Archive) -> None:
        connection = _connect(path.absolute().as_uri(), _COMMIT_WAIT_S)  # who looks whether it is finished holds it
        try:
            self._fill(connection, archive)
        finally:
            connection.close()

    def _in_memory(self, archive: Archive) -> Index:
        connection = _connect(":memory:")
        try:
            self._fill(connection, archive)
        except sqlite3.Error as error:
            connection.close()
            raise StorageError(f"{archive.path}: no index can be built, not even in memory ({error})") from None
        except BaseException:
            connection.close()
            raise
        return Index(connection)

    def _fill(self, connection: sqlite3.Connection, archive: Archive) -> None:
        """Adds the pages that are missing, in batches, and marks the index finished."""
        if not connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'meta'").fetchone():
            connection.executescript(f"BEGIN;{SCHEMA}COMMIT;")
        # What ended a page while the machine was busy or the build was being killed may not end it again.
        connection.execute("DELETE FROM failures WHERE kind IN (?, ?)", (FailureKind.TIMEOUT, FailureKind.CRASHED))
        held = {row[0] for row in connection.execute("SELECT url FROM pages UNION SELECT url FROM failures")}
        total = len(archive)
        done = sum(url in held for url in archive.urls())
        self._on_progress(done, total, archive)
        missing = [url for url in archive.urls() if url not in held]
        unread: list[PageFailure] = []
        connection.execute("BEGIN")
        if missing:
            for page, result in self._extractor().extract_many(_read(archive, missing, unread)):
                if isinstance(result, PageFailure):
                    _add_failure(connection, page.requested_url, result)
                else:
                    _add_page(connection, page.requested_url, result)
                done += 1
                if done % _BATCH == 0:
                    connection.execute("COMMIT")
                    connection.execute("BEGIN")
                self._on_progress(done, total, archive)
        for failure in unread:
            _add_failure(connection, failure.url, failure)
        for table in ("pages_fts", "passages_fts"):
            connection.execute(f"INSERT INTO {table} ({table}) VALUES ('optimize')")  # noqa: S608 - constants
        connection.execute("INSERT INTO meta VALUES ('finished', ?)", (str(total),))
        connection.execute("COMMIT")
        self._on_progress(total, total, archive)

    @contextmanager
    def _turn(self, path: Path) -> Generator[None]:
        """Holds the right to write `path`, by SQLite's own file lock, which dies with its holder."""
        lock = _connect(path.with_suffix(".lock").absolute().as_uri())
        try:
            deadline = time.monotonic() + _LOCK_WAIT_S
            told = False
            while True:
                try:
                    lock.execute("BEGIN EXCLUSIVE")
                    break
                except sqlite3.OperationalError as error:
                    if _code(error) not in _BUSY or time.monotonic() > deadline:
                        raise
                if not told:
                    self._on_message(f"{path.name}: another process is building this search index; waiting for it")
                    told = True
                time.sleep(_LOCK_POLL_S)
            yield
        finally:
            lock.close()

    def _remove(self, path: Path, why: str) -> None:
        self._on_message(f"{path}: the search index is built anew, since {why}")
        for suffix in ("", "-journal"):
            Path(f"{path}{suffix}").unlink(missing_ok=True)


def _connect(uri: str, wait: float = 0.0) -> sqlite3.Connection:
    """`wait` is how long, in seconds, a statement waits for another that commits."""
    return sqlite3.connect(
        uri, uri=uri.startswith("file:"), isolation_level=None, check_same_thread=False, timeout=wait
    )


def _code(error: sqlite3.Error) -> int | None:
    """The primary result code; the extended ones carry it in their low byte."""
    code = getattr(error, "sqlite_errorcode", None)
    return None if code is None else code & 0xFF


def _read(archive: Archive, urls: list[str], unread: list[PageFailure]) -> Iterator[Fetched]:
    """The stored pages one by one; those the archive cannot give are appended to `unread`."""
    for url in urls:
        try:
            page = archive.get(url)
        except PageFailure as failure:
            unread.append(failure)
            continue
        yield page


def _add_failure(connection: sqlite3.Connection, url: str, failure: PageFailure) -> None:
    connection.execute("INSERT INTO failures VALUES (?, ?, ?)", (url, failure.kind.value, failure.detail))


def _add_page(connection: sqlite3.Connection, url: str, document: Document) -> None:
    row = (url, document.canonical_url, document.title, document.published)
    insert = "INSERT INTO pages (url, canonical_url, title, published) VALUES (?, ?, ?, ?)"
    page = connection.execute(insert, row).lastrowid
    title = searchable(document.title or "")
    blocks = main_blocks(document)
    headings = [document.text[block.start : block.end] for block in blocks if block.kind is BlockKind.HEADING]
    body = [document.text[block.start : block.end] for block in blocks if block.kind is not BlockKind.HEADING]
    connection.execute(
        "INSERT INTO pages_fts (rowid, title, headings, body) VALUES (?, ?, ?, ?)",
        (page, title, searchable("\n".join(headings)), searchable("\n".join(body))),
    )
    for found in passages(document):
        text = document.text[found.start : found.end]
        above = " › ".join(found.headings)
        identity = connection.execute(
            "INSERT INTO passages (page, start, end, headings, text) VALUES (?, ?, ?, ?, ?)",
            (page, found.start, found.end, above, text),
        ).lastrowid
        connection.execute(
            "INSERT INTO passages_fts (rowid, title, headings, body) VALUES (?, ?, ?, ?)",
            (identity, title, searchable(above), searchable(text)),
        )
