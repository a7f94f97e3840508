"""The command as a person types it, with a home of its own: in this process, or in one of its own."""

import contextlib
import io
import os
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from unittest.mock import patch

from affidavit.cli.app import run


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
