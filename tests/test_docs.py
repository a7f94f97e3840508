"""Every command and every Python block in the docs runs. A block that cannot run here does not belong there.

A command that stands on several pages runs where it stands first. One that is a plain call of affidavit runs in this
process, so that what is imported and loaded once serves every page; the others run in a shell, as a reader runs them.
"""

import contextlib
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from unittest.mock import patch

import pytest

from .cli.command import Command

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md", *(ROOT / "docs").rglob("*.md")])
_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_TARGET = re.compile(r"^([a-z]+):", re.MULTILINE)
_LINK = re.compile(r"\]\(((?!https?://|#)[^)\s#]+)")


def blocks(page: Path, *languages: str) -> list[str]:
    found = _BLOCK.findall(page.read_text(encoding="utf-8"))
    return [text for language, text in found if language in languages]


def commands_of_pages() -> dict[Path, list[str]]:
    """The commands of each page that has some of its own, in their order."""
    seen: set[str] = set()
    found: dict[Path, list[str]] = {}
    for page in PAGES:
        lines = [line[2:] for block in blocks(page, "console") for line in block.splitlines() if line.startswith("$ ")]
        found[page] = [line for line in dict.fromkeys(lines) if line not in seen]
        seen.update(lines)
    return {page: lines for page, lines in found.items() if lines}


COMMANDS = commands_of_pages()
_STATUS = re.compile(r" \|\| test \$\? -eq (\d)$")


def plain_call(line: str) -> tuple[list[str], int] | None:
    """The arguments of a line that calls affidavit and leaves nothing to the shell, and the status it ends with."""
    status = _STATUS.search(line)
    line = _STATUS.sub("", line)
    words = list(shlex.shlex(line, posix=True, punctuation_chars=True))
    if words[0] != "affidavit" or set("$`*~") & set(line) or any(not set(word) - set("();<>|&") for word in words):
        return None
    return shlex.split(line)[1:], int(status[1]) if status else 0


@pytest.fixture(scope="module")
def command(tmp_path_factory: pytest.TempPathFactory) -> Command:
    home = tmp_path_factory.mktemp("docs")
    (home / "examples").symlink_to(ROOT / "examples")
    return Command(home, {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"})


def test_a_line_that_asks_something_of_a_shell_is_no_plain_call():
    assert plain_call('affidavit ask "Is a|b > (c)?" --json || test $? -eq 1') == (
        ["ask", "Is a|b > (c)?", "--json"],
        1,
    )
    assert plain_call("affidavit runs list") == (["runs", "list"], 0)
    for line in ("affidavit runs list | cat", "affidavit runs list > a", "affidavit a $(b)", "affidavit a; b", "cat a"):
        assert plain_call(line) is None


@pytest.mark.timeout(900)  # a page's commands together, on a machine that does other things too
@pytest.mark.parametrize("page", COMMANDS, ids=lambda page: page.name)
def test_every_command_in_the_docs_runs(page: Path, command: Command):
    targets = set(_TARGET.findall((ROOT / "Makefile").read_text(encoding="utf-8")))
    for line in COMMANDS[page]:
        if line.startswith("make "):
            assert line.split()[1] in targets, f"{page.name}: there is no target for {line!r}"
        elif (call := plain_call(line)) is not None:
            arguments, status = call
            ran = command(*arguments)
            assert ran.status == status, f"{line}\n{ran.out}\n{ran.err}"
        else:
            shell = ["bash", "-euo", "pipefail", "-c", line]
            done = subprocess.run(
                shell, cwd=command.home, env=command.environment(), capture_output=True, text=True, timeout=200
            )
            assert done.returncode == 0, f"{line}\n{done.stdout}\n{done.stderr}"


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "python")], ids=lambda page: page.name)
def test_every_python_block_in_the_docs_runs(page: Path, command: Command):
    for block in blocks(page, "python"):
        with patch.dict(os.environ, command.environment(), clear=True), contextlib.chdir(command.home):
            exec(compile(block, f"{page.name}, a block", "exec"), {"__name__": "__main__"})


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_local_link_in_the_docs_leads_somewhere(page: Path):
    for target in _LINK.findall(page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), f"{page.name} links to {target}, which is not there"


def test_the_docs_name_no_machine_and_no_registry():
    leak = re.compile(r"(?<![\w.:/])/(?:tmp|root|home|work)/\w|--(?:extra-)?index-url")
    for page in PAGES:
        assert not leak.search(page.read_text(encoding="utf-8")), page
