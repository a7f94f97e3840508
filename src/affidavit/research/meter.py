"""What a run has spent of what it may spend. The runtime asks before each step; nobody can talk it into more."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from affidavit.settings import Budgets


@dataclass(slots=True)
class Meter:
    """Counts up; never refunds. `clock` gives seconds on a monotonic scale.

    Which take of the run was the first that came too late is told to `on_late`, once: time is the one budget that
    nothing else in a run's record tells. Where a record tells it, `late_from` has it and the clock is not asked.
    """

    limits: Budgets
    clock: Callable[[], float] = time.monotonic
    late_from: int | None = None
    on_late: Callable[[int], object] = int
    takes: int = 0
    searches: int = 0
    fetches: int = 0
    spans: int = 0
    started: float = field(init=False)
    out: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.started = self.clock()

    @property
    def seconds(self) -> float:
        return self.clock() - self.started

    @property
    def seconds_left(self) -> float:
        return max(0.0, self.limits.max_seconds - self.seconds)

    def end(self) -> None:
        """The time is up: the next take is the first that comes too late, whatever the clock says."""
        if "seconds" not in self.out:
            self.late_from = self.takes + 1
            self.on_late(self.late_from)
            self.out.add("seconds")

    def take_search(self) -> bool:
        return self._take("searches", self.limits.max_searches)

    def take_fetch(self) -> bool:
        return self._take("fetches", self.limits.max_fetches)

    def take_span(self) -> bool:
        """A span may be taken though the time is up: it costs none, and a run drafts with what it has read."""
        return self._take("spans", self.limits.max_spans, timed=False)

    def _take(self, name: str, limit: int, *, timed: bool = True) -> bool:
        """Take one of `name` if one is left and, if it is `timed`, there is time; remember what ran out."""
        self.takes += 1
        if timed and self._late():
            if "seconds" not in self.out:
                self.on_late(self.takes)
            self.out.add("seconds")
            return False
        used: int = getattr(self, name)
        if used >= limit:
            self.out.add(name)
            return False
        setattr(self, name, used + 1)
        return True

    def _late(self) -> bool:
        return self.seconds_left <= 0 if self.late_from is None else self.takes >= self.late_from

    def report(self) -> Mapping[str, Mapping[str, float | None]]:
        return {
            "searches": {"used": self.searches, "limit": self.limits.max_searches},
            "fetches": {"used": self.fetches, "limit": self.limits.max_fetches},
            "spans": {"used": self.spans, "limit": self.limits.max_spans},
            "seconds": {"used": round(self.seconds, 3), "limit": self.limits.max_seconds},
        }
