"""Every command and every Python block in the docs runs. A block that cannot run here does not belong there."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md", *(ROOT / "docs").rglob("*.md")])
_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_TARGET = re.compile(r"^([a-z]+):", re.MULTILINE)
_LINK = re.compile(r"\]\(((?!https?://|#)[^)\s#]+)")


def blocks(page: Path, *languages: str) -> list[str]:
    found = _BLOCK.findall(page.read_text(encoding="utf-8"))
    return [text for language, text in found if language in languages]


def commands(page: Path) -> Iterator[str]:
    for block in blocks(page, "console"):
        for line in block.splitlines():
            if line.startswith("$ "):
                yield line[2:]


def environment(home: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("AFFIDAVIT_")}
    return kept | {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "AFFIDAVIT_CACHE_DIR": str(home / "cache"),
        "AFFIDAVIT_DATA_DIR": str(home / "data"),
        "PYTHONWARNINGS": "error",
    }


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("docs")
    (home / "examples").symlink_to(ROOT / "examples")
    return home


def run(command: list[str], home: Path) -> None:
    result = subprocess.run(command, cwd=home, env=environment(home), capture_output=True, text=True, timeout=200)
    assert result.returncode == 0, f"{command}\n{result.stdout}\n{result.stderr}"


@pytest.mark.parametrize("page", [page for page in PAGES if any(commands(page))], ids=lambda page: page.name)
def test_every_command_in_the_docs_runs(page: Path, home: Path):
    targets = set(_TARGET.findall((ROOT / "Makefile").read_text(encoding="utf-8")))
    for command in commands(page):
        if command.startswith("make "):
            assert command.split()[1] in targets, f"{page.name}: there is no target for {command!r}"
        else:
            run(["bash", "-euo", "pipefail", "-c", command], home)


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "python")], ids=lambda page: page.name)
def test_every_python_block_in_the_docs_runs(page: Path, home: Path):
    for block in blocks(page, "python"):
        run([sys.executable, "-c", block], home)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_local_link_in_the_docs_leads_somewhere(page: Path):
    for target in _LINK.findall(page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), f"{page.name} links to {target}, which is not there"


def test_the_docs_name_no_machine_and_no_registry():
    leak = re.compile(r"(?<![\w.:/])/(?:tmp|root|home|work)/\w|--(?:extra-)?index-url")
    for page in PAGES:
        assert not leak.search(page.read_text(encoding="utf-8")), page
