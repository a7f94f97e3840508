"""How often each provider may be asked, counted for all runs of this user together.

One row a provider in a SQLite file of the cache folder: the time at which its next request is due (the generic cell
rate algorithm of ATM Forum TM 4.0, which is a token bucket in one number). A request reserves its time first and
waits for it afterwards, in a transaction that locks the file, so two processes never take the same turn. When a
provider says "not before", that is written down too, and other runs do not knock either.

A file that is damaged is begun anew: it holds nothing but the last minutes.
"""

import sqlite3
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from affidavit.errors import StorageError
from affidavit.own_folder import make_own_folder

_BUSY_SECONDS = 10.0
# A turn further ahead than this was written by a clock that has since been put back: it is not waited for.
_HORIZON = 24 * 3600.0
_SCHEMA = "CREATE TABLE IF NOT EXISTS due (provider TEXT PRIMARY KEY, at REAL NOT NULL, not_before REAL NOT NULL)"

_Result = TypeVar("_Result")


@dataclass(frozen=True, slots=True)
class Rate:
    """`requests` in every `seconds`; `burst` of them may come at once after a rest (at least 1)."""

    requests: float
    seconds: float
    burst: int = 1

    @property
    def interval(self) -> float:
        return self.seconds / self.requests


class Limits:
    """The file, shared between threads and processes: each call opens it, since a turn is taken once a second."""

    def __init__(self, path: Path, clock: Callable[[], float] = time.time) -> None:
        self._path = path
        self._clock = clock

    def reserve(self, provider: str, rate: Rate, patience: float) -> float:
        """Seconds to wait before asking `provider`; the turn is taken, unless the wait is longer than `patience`."""
        return self._change(lambda connection: self._reserve(connection, provider, rate, patience))

    def hold(self, provider: str, seconds: float) -> None:
        """Nobody asks `provider` for `seconds`: it said so."""
        self._change(lambda connection: self._hold(connection, provider, min(seconds, _HORIZON)))

    def _reserve(self, connection: sqlite3.Connection, provider: str, rate: Rate, patience: float) -> float:
        now = self._clock()
        at, not_before = self._row(connection, provider, now)
        wait = max(0.0, at - (rate.burst - 1) * rate.interval - now, not_before - now)
        if wait <= patience:
            self._write(connection, provider, max(at, now + wait) + rate.interval, not_before)
        return wait

    def _hold(self, connection: sqlite3.Connection, provider: str, seconds: float) -> None:
        now = self._clock()
        at, not_before = self._row(connection, provider, now)
        self._write(connection, provider, at, max(not_before, now + seconds))

    def _row(self, connection: sqlite3.Connection, provider: str, now: float) -> tuple[float, float]:
        row = connection.execute("SELECT at, not_before FROM due WHERE provider = ?", (provider,)).fetchone()
        at, not_before = row or (0.0, 0.0)
        return (0.0 if at > now + _HORIZON else at), (0.0 if not_before > now + _HORIZON else not_before)

    def _write(self, connection: sqlite3.Connection, provider: str, at: float, not_before: float) -> None:
        connection.execute("INSERT OR REPLACE INTO due VALUES (?, ?, ?)", (provider, at, not_before))

    def _change(self, change: Callable[[sqlite3.Connection], _Result]) -> _Result:
        try:
            return self._once(change)
        except sqlite3.OperationalError as error:
            raise self._unusable(error) from error
        except sqlite3.DatabaseError:
            # Not a database any more: what it held is past in a minute.
            self._path.unlink(missing_ok=True)
        try:
            return self._once(change)
        except sqlite3.Error as error:
            raise self._unusable(error) from error

    def _once(self, change: Callable[[sqlite3.Connection], _Result]) -> _Result:
        try:
            make_own_folder(self._path.parent)
        except OSError as error:
            raise self._unusable(error) from error
        connection = sqlite3.connect(self._path, timeout=_BUSY_SECONDS, isolation_level=None)
        try:
            # Written many times a second and worth nothing after a crash: not waited for until it is on the disk.
            connection.execute("PRAGMA synchronous = OFF")
            connection.execute("BEGIN IMMEDIATE")
            connection.execute(_SCHEMA)
            result = change(connection)
            connection.execute("COMMIT")
        finally:
            connection.close()
        return result

    def _unusable(self, error: Exception) -> StorageError:
        return StorageError(
            f"{self._path}, which counts how often search providers are asked, cannot be used ({error}); "
            "check the cache folder's permissions, or set AFFIDAVIT_CACHE_DIR"
        )
