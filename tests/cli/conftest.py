"""The command with a home of its own, and pages to ask."""

from collections.abc import Callable
from pathlib import Path

import pytest

from .command import Command, Ran

__all__ = ["EXAMPLES", "Command", "Ran"]

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples/public-pages.warc.gz"


@pytest.fixture
def affidavit(tmp_path: Path) -> Command:
    return Command(tmp_path)


@pytest.fixture(scope="session")
def over_examples(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Command]:
    """A command whose index over the examples is built already."""
    command = Command(tmp_path_factory.mktemp("examples"))
    command("ask", "How often must a subscriber be reauthenticated at AAL1?", "--web", str(EXAMPLES), "-q")
    return lambda: command


@pytest.fixture(scope="session")
def over_pages(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Command]:
    """A command beside three small pages, in ``harbour``, over which its index is built already."""
    command = Command(tmp_path_factory.mktemp("pages"))
    write_pages(command.home / "harbour")
    command("ask", "When was the Aldermoor tide gauge installed?", "--web", "harbour", "-q")
    return lambda: command


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    """A folder of three small pages."""
    return write_pages(tmp_path / "harbour")


def write_pages(folder: Path) -> Path:
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
