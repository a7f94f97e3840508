"""The command as a person types it, with a home of its own: in this process, or in one of its own."""

import contextlib
import io
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from unittest.mock import patch

import pytest

from affidavit.cli.app import run

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples/public-pages.warc.gz"


@dataclass
class Ran:
    status: int
    out: str
    err: str


@dataclass
class Command:
    """Runs ``affidavit`` in `home`. `env` is added to a clean environment."""

    home: Path
    env: dict[str, str] = field(default_factory=dict)

    def environment(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("AFFIDAVIT_")}
        return (
            kept
            | {
                "AFFIDAVIT_CACHE_DIR": str(self.home / "cache"),
                "AFFIDAVIT_DATA_DIR": str(self.home / "data"),
                "XDG_CONFIG_HOME": str(self.home / "config"),
                "PYTHONWARNINGS": "error",
            }
            | self.env
        )

    def __call__(self, *arguments: str, stdin: str | None = None) -> Ran:
        """Runs here: what is imported and loaded once serves every test."""
        out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
        with (
            patch.dict(os.environ, self.environment(), clear=True),
            contextlib.chdir(self.home),
            patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO((stdin or "").encode()), "utf-8")),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
        ):
            status = run(arguments)
        return Ran(status, _text_of(out), _text_of(err))

    def process(self, *arguments: str, stdin: str | None = None) -> Ran:
        """Runs in a process of its own, as a shell does."""
        result = subprocess.run(
            [sys.executable, "-m", "affidavit", *arguments],
            cwd=self.home,
            env=self.environment(),
            capture_output=True,
            text=True,
            input=stdin,
            timeout=120,
        )
        return Ran(result.returncode, result.stdout, result.stderr)


def _text_of(stream: io.TextIOWrapper) -> str:
    stream.seek(0)
    return stream.read()


@pytest.fixture
def affidavit(tmp_path: Path) -> Command:
    return Command(tmp_path)


@pytest.fixture(scope="session")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Command]:
    """A command whose index over the examples is built already."""
    home = tmp_path_factory.mktemp("indexed")
    command = Command(home)
    command("ask", "How often must a subscriber be reauthenticated at AAL1?", "--web", str(EXAMPLES), "-q")
    return lambda: command


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    """A folder of three small pages."""
    folder = tmp_path / "harbour"
    folder.mkdir()
    (folder / "gauge.html").write_text(
        "<html lang=en><title>Aldermoor tide gauge</title><main><h1>Aldermoor tide gauge</h1>"
        "<p>The Aldermoor tide gauge was installed in 1871. It is read every morning at six by the harbour master.</p>"
        "<p>The readings are kept in the town archive, which holds 1,204 bound volumes.</p></main>"
    )
    (folder / "bridge.md").write_text(
        "# Harbour bridge\n\nThe harbour bridge was opened by Ada Marsh in 1902. It carries 40 tonnes.\n"
    )
    (folder / "ferry.txt").write_text("The ferry crosses the bay twice a day. The crossing takes 25 minutes.\n")
    return folder
