"""An environment of a peer's own, and a process in it. Nothing of a peer is ever imported into this product.

A peer is a file beside this one: ``NAME.txt`` says what to install, ``NAME_peer.py`` runs in that environment, reads
one request as JSON from standard input and writes one answer to standard output.
"""

import json
import os
import platform
import subprocess
import tempfile
import venv
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Peer:
    """A peer, installed. `python` is the interpreter of its environment."""

    name: str
    python: Path

    def ask(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """The peer's answer. Raises CalledProcessError where it fails, with its words on standard error."""
        script = HERE / f"{self.name}_peer.py"
        found = subprocess.run(
            [self.python, script], input=json.dumps(request), stdout=subprocess.PIPE, text=True, check=True
        )
        return json.loads(found.stdout)


@contextmanager
def installed(name: str, folder: Path | None) -> Generator[Peer]:
    """The peer in an environment at `folder`, made there if there is none, and kept; or in one that is thrown away."""
    if folder is not None:
        yield _peer(name, folder)
        return
    with tempfile.TemporaryDirectory() as thrown_away:
        yield _peer(name, Path(thrown_away))


def _peer(name: str, folder: Path) -> Peer:
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not python.exists():
        venv.create(folder, with_pip=True)
    install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", HERE / f"{name}.txt"]
    subprocess.run(install, check=True)
    return Peer(name, python)


def machine() -> str:
    """What the times were taken on."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    model = next((line.partition(":")[2].strip() for line in lines if "model name" in line), platform.processor())
    return f"{model}, {os.cpu_count()} cores, Python {platform.python_version()}, load {os.getloadavg()[0]:.1f}"
