"""Every ledger test runs over both databases: a SQLite file, and a PostgreSQL cluster of the test's own."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from affidavit.ledger.ledger import Ledger

OpenLedger = Callable[..., Ledger]


def _postgres_programs() -> Path | None:
    found = shutil.which("initdb")
    homes = [Path(found).resolve().parent] if found else []
    homes += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((home for home in homes if (home / "initdb").is_file() and (home / "pg_ctl").is_file()), None)


@pytest.fixture(scope="session")
def postgresql() -> Iterator[str]:
    """The URL of a private PostgreSQL on a Unix socket; the server refuses to run as root, so another user runs it."""
    pytest.importorskip("psycopg", reason="needs psycopg: pip install 'affidavit[postgres]'")
    home = _postgres_programs()
    if home is None:
        pytest.skip("needs PostgreSQL's initdb and pg_ctl on this machine")
    user: str | None = None
    if os.geteuid() == 0:
        if "postgres" not in {entry.pw_name for entry in pwd.getpwall()}:
            pytest.skip("needs a user 'postgres' to run the server, because this is root")
        user = "postgres"
    folder = Path(tempfile.mkdtemp(prefix="affidavit-pg-"))
    if user:
        shutil.chown(folder, user)
    data = folder / "data"

    def run(*command: str | Path) -> None:
        subprocess.run(command, check=True, capture_output=True, timeout=60, user=user, cwd=folder)

    try:
        run(home / "initdb", "-D", data, "-U", "tester", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C.UTF-8")
        options = f"-c listen_addresses='' -c unix_socket_directories={folder} -c fsync=off -c max_connections=40"
        run(home / "pg_ctl", "-D", data, "-w", "-l", folder / "log", "-o", options, "start")
        try:
            yield f"postgresql://tester@/postgres?host={folder}"
        finally:
            run(home / "pg_ctl", "-D", data, "-w", "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(params=["sqlite", "postgresql"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A place for a new, empty ledger."""
    if request.param == "sqlite":
        return str(tmp_path / "ledger.sqlite3")
    import psycopg

    url: str = request.getfixturevalue("postgresql")
    schema = "test_" + os.urandom(6).hex()
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {schema}")
    return f"{url}&options=-csearch_path%3D{schema}"


@pytest.fixture
def open_ledger(where: str, tmp_path: Path) -> Iterator[OpenLedger]:
    """Opens the same ledger as often as a test likes, as processes would."""
    opened: list[Ledger] = []

    def opener(**options: object) -> Ledger:
        opened.append(Ledger.open(where, blobs=tmp_path / "blobs", **options))  # type: ignore[arg-type]
        return opened[-1]

    yield opener
    for ledger in opened:
        ledger.close()
