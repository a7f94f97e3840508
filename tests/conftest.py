"""Fixtures for the whole suite. What needs a ledger runs over both databases: a SQLite file, and a PostgreSQL of the
test's own."""

import hashlib
import json
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import settings

from affidavit.evidence.document import Fetched
from affidavit.ledger.ledger import Ledger

ROOT = Path(__file__).resolve().parent.parent

OpenLedger = Callable[..., Ledger]

# The same examples for the same code, so that a change is judged by what it changed. A search for new examples is
# asked for: HYPOTHESIS_PROFILE=search.
settings.register_profile("same", derandomize=True, deadline=None)
settings.register_profile("search", derandomize=False, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The pages of the docs come first: each is one long case, which at the end one worker would be alone with."""
    items.sort(key=lambda item: item.path.name != "test_docs.py")


# A suite started in the background of a shell ignores Ctrl-C, and so would every process it starts; tests press it.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def shared() -> Path:
    """The shared design and data folder beside the checkout; tests that need it are skipped where it is absent."""
    path = Path(os.environ.get("SHARED_DATA", ROOT.parent / "shared"))
    if not (path / "data").is_dir():
        pytest.skip(f"needs the shared data folder, which is not at {path} (set SHARED_DATA)")
    return path


@pytest.fixture
def respond() -> Callable[..., Fetched]:
    """Makes a response of a body: ``respond(body, content_type=…, url=…, status=…, headers=…)``."""

    def make(
        body: str | bytes,
        *,
        content_type: str | None = "text/html; charset=utf-8",
        url: str = "https://trust.example.org/reports/mill",
        status: int = 200,
        headers: tuple[tuple[str, str], ...] = (),
    ) -> Fetched:
        named = (("content-type", content_type),) if content_type is not None else ()
        return Fetched(
            requested_url=url,
            final_url=url,
            retrieved_at="2026-03-01T12:00:00Z",
            status=status,
            headers=(*named, *headers),
            body=body.encode() if isinstance(body, str) else body,
        )

    return make


@pytest.fixture(scope="session")
def describe() -> Callable[..., Path]:
    """Writes a spec of the checkpoint in a folder, with the sha256 of what lies there: ``describe(folder, **entries)``.
    An entry that is None is left out."""

    def value(given: object) -> str:
        if isinstance(given, Mapping):
            return "{" + ", ".join(f"{json.dumps(name)} = {value(one)}" for name, one in given.items()) + "}"
        return json.dumps(given)

    def make(folder: Path, /, **entries: object) -> Path:
        digests = {
            path.name: hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(folder.iterdir())
            if path.suffix in (".json", ".safetensors", ".onnx")
        }
        written = {"name": "small", "model": str(folder), "max_tokens": 64, "sha256": digests} | entries
        path = folder.parent / f"{folder.name}.toml"
        lines = (f"{name} = {value(one)}" for name, one in written.items() if one is not None)
        path.write_text("\n".join(lines), encoding="utf-8")
        return path

    return make


@pytest.fixture(scope="session")
def onnx_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The weights of affidavit-judge laid out as any checkpoint in ONNX is."""
    package = find_spec("affidavit_judge")
    if package is None or package.origin is None:
        pytest.skip("needs the distribution affidavit-judge")
    folder = tmp_path_factory.mktemp("checkpoints") / "onnx"
    folder.mkdir()
    for name in ("judge.int8.onnx", "tokenizer.json"):
        (folder / name).symlink_to(Path(package.origin).parent / name)
    labels = {"0": "yes", "1": "some", "2": "no"}
    (folder / "config.json").write_text(json.dumps({"id2label": labels, "max_position_embeddings": 512}))
    return folder


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
