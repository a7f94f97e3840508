"""Opens the ledger's database, brings its schema up to date, and says what went wrong in words.

SQLite runs in WAL mode with ``synchronous=FULL``: readers never wait for a writer, writers wait for each other up
to `BUSY_SECONDS`, and what was committed survives a power cut. ``NORMAL`` would be faster and could lose the last
events of a run at exactly the moment their story matters.
"""

import contextlib
import os
import time
from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from affidavit.errors import MissingExtra, StorageError
from affidavit.ledger.refusal import refused
from affidavit.ledger.schema import HEAD
from affidavit.own_folder import make_own_folder

if TYPE_CHECKING:
    from sqlalchemy import URL, Connection, Engine

BUSY_SECONDS = 30.0
"""How long a writer waits for another. One event is written in about a millisecond."""

MIGRATION_LOCK = 0x4166666964617669
"""The PostgreSQL advisory lock that one migrating process holds: "Affidavi" as 64 bits."""

MIGRATIONS = Path(__file__).parent / "migrations"


def database_url(where: str | Path) -> "URL":
    """The URL of a path to a SQLite file, or of a database URL. Raises StorageError for another kind of database."""
    import sqlalchemy as sa  # late: 0.15 s, and `--version` needs no database
    from sqlalchemy import exc

    if isinstance(where, Path) or "://" not in where:
        return sa.URL.create("sqlite", database=str(Path(where).expanduser().absolute()))
    try:
        url = sa.make_url(where)
    except exc.ArgumentError as error:
        raise StorageError("the ledger's database URL cannot be read; write postgresql://user@host/name") from error
    kind = url.get_backend_name()
    if kind == "postgresql" or kind == "postgres":
        return url.set(drivername="postgresql+psycopg")
    if kind == "sqlite" and url.database and url.database != ":memory:":
        return url.set(database=str(Path(url.database).absolute()))
    raise StorageError(
        f"{url.render_as_string()}: the ledger is a SQLite file or a PostgreSQL database; "
        "give a path or postgresql://user@host/name"
    )


def shown(url: "URL") -> str:
    """The place as a person may see it: a path, or a URL without its password."""
    return url.database or "" if url.get_backend_name() == "sqlite" else url.render_as_string(hide_password=True)


def connect(url: "URL") -> "Engine":
    """An engine on a database that exists and has this code's schema. Raises StorageError, MissingExtra."""
    engine = _sqlite(url) if url.get_backend_name() == "sqlite" else _postgresql(url)
    try:
        with translated(url):
            _migrate(engine, url)
    except BaseException:
        engine.dispose()
        raise
    return engine


@contextlib.contextmanager
def writing(engine: "Engine") -> "Generator[Connection, None, None]":
    """One transaction that will write. On SQLite it takes the write lock at once, so that it can wait for it."""
    with engine.connect().execution_options(affidavit_writes=True) as connection, connection.begin():
        yield connection


@contextlib.contextmanager
def translated(url: "URL") -> Generator[None, None, None]:
    """Turn the driver's errors into StorageError that names the place and says what to do."""
    from sqlalchemy import exc  # late: 0.15 s, and `--version` needs no database

    try:
        yield
    except exc.SQLAlchemyError as error:
        reason = str(error.orig).strip() if isinstance(error, exc.DBAPIError) else str(error)
        raise StorageError(f"{shown(url)}: {_advice(reason)}") from error


ADVICE = (
    ("append-only", "an event that is recorded cannot be changed, removed or recorded again"),
    ("unique constraint", "this event is already recorded: another process is writing the same run"),
    ("disk is full", "the disk is full: free some space; what was recorded can still be read"),
    ("no space left", "the disk is full: free some space; what was recorded can still be read"),
    ("disk i/o error", "the disk refused a read or a write: check its space and its health"),
    ("readonly", "the database is read-only: change its permissions, or name another place for the ledger"),
    ("read-only", "the database is read-only: change its permissions, or name another place for the ledger"),
    ("unable to open", "the database cannot be opened: check that its folder exists and can be written"),
    ("database is locked", f"another process has held the ledger for {BUSY_SECONDS:.0f} s: end it and try again"),
    ("not a database", "this file is not a ledger: name another file"),
    ("malformed", "the database is damaged: restore it from a copy (`sqlite3 FILE .recover` may save what is left)"),
    ("connection", "the database server cannot be reached: check that it runs and that the URL is right"),
    ("authentication", "the database server refused the user or the password: check the URL"),
)


def _advice(reason: str) -> str:
    first = reason.splitlines()[0] if reason else "no reason was given"
    lower = reason.lower()
    return next((f"{advice} ({first})" for cue, advice in ADVICE if cue in lower), first)


def _sqlite(url: "URL") -> "Engine":
    import sqlalchemy as sa  # late: 0.15 s, and `--version` needs no database
    from sqlalchemy import event

    path = Path(url.database or "")
    try:
        make_own_folder(path.parent)
    except OSError as error:
        raise refused(path.parent, "make the ledger's folder", error) from error
    if _sealed(path):
        url = url.set(database=f"file:{quote(str(path))}", query={"mode": "ro", "immutable": "1", "uri": "true"})
    engine = sa.create_engine(url, connect_args={"timeout": BUSY_SECONDS})

    def on_connect(connection: Any, _record: object) -> None:
        connection.isolation_level = None  # transactions are begun below, not guessed by the driver
        connection.execute("PRAGMA synchronous=FULL")

    def on_begin(connection: "Connection") -> None:
        writes = connection.get_execution_options().get("affidavit_writes")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    event.listen(engine, "connect", on_connect)
    event.listen(engine, "begin", on_begin)
    return engine


def _sealed(path: Path) -> bool:
    """Whether the ledger lies where nothing can be written, so that SQLite cannot make its index beside it.

    Opened as immutable it can still be read, unless events wait in its ``-wal`` file: those would be missing.
    """
    if not path.is_file() or os.access(path.parent, os.W_OK):
        return False
    waiting = path.with_name(path.name + "-wal")
    if waiting.exists() and waiting.stat().st_size > 0:
        raise StorageError(
            f"{path}: its folder cannot be written and {waiting.name} holds events not yet merged; "
            "copy the folder to a place that can be written and open that"
        )
    return True


def _postgresql(url: "URL") -> "Engine":
    import sqlalchemy as sa  # late: 0.15 s, and `--version` needs no database

    try:
        return sa.create_engine(url, connect_args={"connect_timeout": 10}, pool_pre_ping=True)
    except ModuleNotFoundError as error:
        raise MissingExtra(
            f"{shown(url)}: PostgreSQL needs the extra 'postgres': pip install 'affidavit[postgres]'"
        ) from error


def _migrate(engine: "Engine", url: "URL") -> None:
    with engine.connect() as connection:
        revision = _revision(connection)
    if revision == HEAD:
        return
    _refuse_newer(revision, url)
    sqlite = engine.dialect.name == "sqlite"
    if sqlite:
        _write_ahead(engine)
    from alembic import command  # late: 0.25 s, and only a new or an older ledger needs it
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    with writing(engine) as connection:
        if not sqlite:
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({MIGRATION_LOCK})")
        if _revision(connection) != HEAD:
            config.attributes["connection"] = connection
            command.upgrade(config, HEAD)


def _revision(connection: "Connection") -> str | None:
    """The schema's revision, or None in an empty database."""
    import sqlalchemy as sa  # late: 0.15 s, and `--version` needs no database

    if not sa.inspect(connection).has_table("alembic_version"):
        return None
    return connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()


def _refuse_newer(revision: str | None, url: "URL") -> None:
    known = {path.name.split("_")[0] for path in (MIGRATIONS / "versions").glob("[0-9]*.py")}
    if revision is not None and revision not in known:
        raise StorageError(
            f"{shown(url)}: written by a newer Affidavit (schema {revision}, this one knows up to {HEAD}); "
            "upgrade with: pip install --upgrade affidavit"
        )


def _write_ahead(engine: "Engine") -> None:
    """Switch a SQLite file to WAL. The switch does not wait for other openers by itself."""
    from sqlalchemy import exc  # late: 0.15 s, and `--version` needs no database

    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            raw = engine.raw_connection()
            try:
                raw.cursor().execute("PRAGMA journal_mode=WAL")
            finally:
                raw.close()
        except (exc.OperationalError, engine.dialect.loaded_dbapi.OperationalError) as error:
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise StorageError(f"{shown(engine.url)}: {_advice(str(error))}") from error
            time.sleep(0.05)
        else:
            return
