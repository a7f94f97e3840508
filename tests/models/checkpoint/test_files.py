import hashlib
import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

COMMIT = "0123456789abcdef0123456789abcdef01234567"
FILES = {"config.json": b"{}", "tokenizer.json": b"[]", "model.safetensors": b"weights"}

Describe = Callable[..., Path]

LOAD = """
import sys
from pathlib import Path
from affidavit.errors import AffidavitError
from affidavit.models.checkpoint.files import verified_files
from affidavit.models.checkpoint.spec import load_spec
try:
    found = verified_files(load_spec(Path(sys.argv[1])), offline=sys.argv[2] == "offline")
    print({name: path.read_text() for name, path in found.items()})
except AffidavitError as error:
    print(type(error).__name__, error)
"""


class Hub(BaseHTTPRequestHandler):
    """As much of the hub as gives a file at a commit; `asked` is what it was asked for, and with which credentials."""

    asked: list[tuple[str, str, str | None]] = []

    def do_HEAD(self) -> None:
        self._answer(body=False)

    def do_GET(self) -> None:
        self._answer(body=True)

    def _answer(self, *, body: bool) -> None:
        self.asked.append((self.command, self.path, self.headers.get("Authorization")))
        data = FILES.get(self.path.removeprefix(f"/org/name/resolve/{COMMIT}/"))
        self.send_response(404 if data is None else 200)
        self.send_header("X-Repo-Commit", COMMIT)
        self.send_header("ETag", f'"{hashlib.sha1(data or b"").hexdigest()}"')
        self.send_header("Content-Length", str(len(data or b"")))
        self.end_headers()
        if body and data:
            self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        """Quiet."""


@pytest.fixture
def hub() -> Iterator[str]:
    Hub.asked.clear()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Hub)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def spec(describe: Describe, tmp_path: Path) -> Path:
    (tmp_path / "hub").mkdir()
    return describe(
        tmp_path / "hub",
        model=f"org/name@{COMMIT}",
        sha256={name: hashlib.sha256(data).hexdigest() for name, data in FILES.items()},
        labels={"yes": "SUPPORTED"},
    )


def load(spec: Path, endpoint: str, how: str = "online") -> str:
    """In a process of its own, because the hub library reads its endpoint and its cache at import."""
    env = os.environ | {
        "HF_ENDPOINT": endpoint,
        "HF_HOME": str(spec.parent / "cache"),
        "HF_TOKEN": "hf_secret",
        "NO_PROXY": "127.0.0.1",
    }
    command = [sys.executable, "-c", LOAD, str(spec), how]
    return subprocess.run(command, env=env, capture_output=True, text=True, check=True, timeout=60).stdout


def test_a_hub_gives_the_files_named_at_the_commit_once_and_sees_no_token(hub: str, spec: Path):
    assert "weights" in load(spec, hub)
    fetched = [path for command, path, _ in Hub.asked if command == "GET"]
    assert sorted(fetched) == sorted(f"/org/name/resolve/{COMMIT}/{name}" for name in FILES)
    assert {authorization for _, _, authorization in Hub.asked} == {None}
    Hub.asked.clear()
    assert "weights" in load(spec, hub)
    assert Hub.asked == []


def test_offline_nothing_is_asked_of_the_hub(hub: str, spec: Path):
    assert "OperatorError config.json of org/name@0123" in load(spec, hub, "offline")
    assert Hub.asked == []
    load(spec, hub)
    Hub.asked.clear()
    assert "weights" in load(spec, hub, "offline")
    assert Hub.asked == []


def test_the_hub_librarys_own_offline_switch_is_obeyed(hub: str, spec: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    assert load(spec, hub).startswith(f"OperatorError config.json of org/name@{COMMIT} did not come")
    assert Hub.asked == []


def test_other_bytes_from_the_hub_are_refused(hub: str, spec: Path):
    written = spec.read_text()
    spec.write_text(written.replace(hashlib.sha256(FILES["model.safetensors"]).hexdigest(), "0" * 64))
    assert "IntegrityError" in load(spec, hub)


def test_a_file_the_hub_has_not_is_named(hub: str, spec: Path):
    spec.write_text(spec.read_text().replace("model.safetensors", "other.safetensors"))
    assert load(spec, hub).startswith(f"OperatorError other.safetensors of org/name@{COMMIT} did not come")


def test_a_folder_asks_nothing_of_the_hub(hub: str, describe: Describe, tmp_path: Path):
    (tmp_path / "own").mkdir()
    for name, data in FILES.items():
        (tmp_path / "own" / name).write_bytes(data)
    assert json.dumps("weights")[1:-1] in load(describe(tmp_path / "own", labels={"yes": "SUPPORTED"}), hub)
    assert Hub.asked == []
