"""What went wrong with search providers in a run, as lines for its reader."""

from collections.abc import Sequence
from typing import overload

from affidavit.errors import SearchFailure


class Troubles(Sequence[str]):
    """The lines `before`, and after them one for each provider and kind of failure, with how often it came.

    Give it to `live_search` as `on_failure`, and to a run as its notes: it is read when the answer is made, so what
    went wrong until then is in it.
    """

    def __init__(self, before: Sequence[str] = ()) -> None:
        self._before = tuple(before)
        self._first: dict[tuple[str, str], SearchFailure] = {}
        self._count: dict[tuple[str, str], int] = {}

    def __call__(self, failure: SearchFailure) -> None:
        key = (failure.provider, failure.kind.value)
        self._first.setdefault(key, failure)
        self._count[key] = self._count.get(key, 0) + 1

    def lines(self) -> tuple[str, ...]:
        told = (
            f"Not all was searched: {failure}" + (f" ({self._count[key]} times)" if self._count[key] > 1 else "") + "."
            for key, failure in self._first.items()
        )
        return (*self._before, *told)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[str]: ...
    def __getitem__(self, index: int | slice) -> str | Sequence[str]:
        return self.lines()[index]

    def __len__(self) -> int:
        return len(self.lines())
