"""Progress on stderr: a bar on a terminal, a line per step when piped and asked for, never a word on stdout."""

from collections.abc import Generator
from contextlib import contextmanager
from types import TracebackType

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    Task,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
)
from rich.text import Text

from affidavit.cli.streams import tell
from affidavit.report.inert import line
from affidavit.wiring import Listeners


class _Count(MofNCompleteColumn):
    """How many of how many; nothing where nobody knows how many there will be."""

    def render(self, task: Task) -> Text:
        return super().render(task) if task.total is not None else Text()


class Steps:
    """Shows what the run is doing. Silent unless stderr is a terminal."""

    def __init__(self, *, quiet: bool) -> None:
        console = Console(stderr=True)
        self._progress = Progress(
            SpinnerColumn(),
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=24),
            _Count(),
            TimeElapsedColumn(),
            console=console,
            transient=True,
            disable=quiet or not console.is_terminal,
        )
        self._task: TaskID | None = None

    def __enter__(self) -> "Steps":
        self._progress.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self._progress.stop()

    @property
    def listeners(self) -> Listeners:
        """Who is told of a run what is shown here, and its warnings on a line of their own."""
        return Listeners(on_step=self.step, on_index=self.index, on_warning=tell)

    @contextmanager
    def paused(self) -> Generator[None]:
        """Out of the way while something is printed on the same terminal."""
        self._progress.stop()
        try:
            yield
        finally:
            self._progress.start()

    def step(self, phase: str, detail: str) -> None:
        self._show(f"{phase}  {line(detail)[:60]}", None, None)

    def index(self, done: int, total: int, archive: str) -> None:
        self._show(f"index  {line(archive)[:50]}", done, total)

    def rows(self, name: str, done: int, total: int) -> None:
        self._show(f"judge  {line(name)[:50]}", done, total)

    def measured(self, suite: str, done: int, total: int) -> None:
        self._show(f"eval  {line(suite)[:50]}", done, total)

    def _show(self, description: str, done: int | None, total: int | None) -> None:
        if self._task is None:
            self._task = self._progress.add_task(description, total=total)
        self._progress.update(self._task, description=description, completed=done or 0, total=total)
