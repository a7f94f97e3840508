"""Which runs are being written right now. The operating system or the database knows, and forgets with the process.

A run with no ``run.finished`` event is either going on or was cut off. No event can tell which: a process that is
killed writes nothing. So a run holds a lock while it lives, and a lock dies with its holder. A time limit instead
would call a run interrupted that waits for a slow model, or going on that was killed a moment ago.
"""

import hashlib
import os
import time
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from affidavit.errors import StorageError
from affidavit.ledger.refusal import refused
from affidavit.own_folder import make_own_folder

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

BUSY = "another process is writing this run; end that one first"

PROBE_SECONDS = 0.5
"""Far longer than a look at a lock takes, and short enough to say at once that another process has the run."""


class Presence(Protocol):
    """`hold` says that a run lives, until `release` or `close` is called or the process ends."""

    def hold(self, run_id: str) -> None: ...

    def release(self, run_id: str) -> None: ...

    def alive(self, run_ids: Iterable[str]) -> frozenset[str]: ...

    def close(self) -> None: ...


class FilePresence:
    """One locked file a run in `folder`, for a ledger in a SQLite file."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._holding: dict[str, int] = {}

    def hold(self, run_id: str) -> None:
        path = self._path(run_id)
        try:
            make_own_folder(self._folder)
            handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as error:
            raise refused(path, "mark the run as going on", error) from error
        if not _lock_within(handle, PROBE_SECONDS):
            os.close(handle)
            raise StorageError(f"{run_id}: {BUSY}")
        self._holding[run_id] = handle

    def release(self, run_id: str) -> None:
        handle = self._holding.pop(run_id, None)
        if handle is not None:
            self._path(run_id).unlink(missing_ok=True)
            os.close(handle)

    def alive(self, run_ids: Iterable[str]) -> frozenset[str]:
        return frozenset(run_id for run_id in run_ids if self._held(run_id))

    def close(self) -> None:
        for run_id in tuple(self._holding):
            self.release(run_id)

    def _path(self, run_id: str) -> Path:
        return self._folder / f"{run_id}.lock"

    def _held(self, run_id: str) -> bool:
        try:
            handle = os.open(self._path(run_id), os.O_RDWR)
        except OSError:
            return False  # no such file: nobody holds it; not ours to open: nobody of ours does
        try:
            return not _try_lock(handle)
        finally:
            os.close(handle)


class PostgresPresence:
    """One advisory lock a run, on a connection of its own, for a ledger in PostgreSQL."""

    def __init__(self, engine: "Engine") -> None:
        self._engine = engine
        self._holding: dict[str, Connection] = {}

    def hold(self, run_id: str) -> None:
        import sqlalchemy as sa  # late: 0.15 s, and `--version` needs no database

        connection = self._engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        if not connection.scalar(sa.text("SELECT pg_try_advisory_lock(:key)"), {"key": _key(run_id)}):
            connection.close()
            raise StorageError(f"{run_id}: {BUSY}")
        self._holding[run_id] = connection

    def release(self, run_id: str) -> None:
        connection = self._holding.pop(run_id, None)
        if connection is not None:
            connection.invalidate()  # ends the session, and the lock with it, even where the server is gone
            connection.close()

    def alive(self, run_ids: Iterable[str]) -> frozenset[str]:
        import sqlalchemy as sa  # late: 0.15 s, and `--version` needs no database

        held = (
            "SELECT (classid::bigint << 32) | objid::bigint FROM pg_locks WHERE locktype = 'advisory'"
            " AND objsubid = 1 AND granted"
            " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
        )
        with self._engine.connect() as connection:
            keys = set(connection.scalars(sa.text(held)))
        return frozenset(run_id for run_id in run_ids if _key(run_id) in keys)

    def close(self) -> None:
        for run_id in tuple(self._holding):
            self.release(run_id)


def _key(run_id: str) -> int:
    """A 64-bit lock number of the run, signed as PostgreSQL has it."""
    return int.from_bytes(hashlib.sha256(run_id.encode()).digest()[:8], "big", signed=True)


def _lock_within(handle: int, seconds: float) -> bool:
    """Lock the open file, trying again for a moment: whoever asks what is alive holds the lock while asking."""
    deadline = time.monotonic() + seconds
    while not _try_lock(handle):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


def _try_lock(handle: int) -> bool:
    """Lock the open file for this process unless another has it. The lock ends when the handle is closed."""
    if os.name == "nt":
        import msvcrt  # only there

        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # pyright: ignore
        except OSError:
            return False
        return True
    import fcntl  # not on Windows

    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
