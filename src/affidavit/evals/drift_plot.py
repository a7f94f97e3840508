"""Agreement over time as a drawing: where each point, bar and line stands, in the plot's own units. No markup here."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from affidavit.evals.drift import Drift, Judge, Measurement, grouped

WIDTH, HEIGHT = 640, 220
LEFT, RIGHT, TOP, BOTTOM = 44, 12, 10, 24
"""Room for the labels of the axes."""
COLOURS = 6
"""Lines that have a colour of their own; the next begins again."""


@dataclass(frozen=True, slots=True)
class Point:
    """A measurement: its place, and where its 95% interval begins and ends."""

    x: float
    y: float
    low: float
    high: float
    told: str


@dataclass(frozen=True, slots=True)
class Line:
    """The measurements of one verifier, oldest first. `colour` counts from 0."""

    verifier: str
    colour: int
    points: tuple[Point, ...]

    @property
    def path(self) -> str:
        return " ".join(f"{one.x:.1f},{one.y:.1f}" for one in self.points)


@dataclass(frozen=True, slots=True)
class Change:
    """Where runs began to be judged by another. `measured` is whether anybody has measured that one."""

    x: float
    told: str
    measured: bool


@dataclass(frozen=True, slots=True)
class Plot:
    """All that was measured on the same rows. `ticks` are heights and what stands at them; `days` the two ends."""

    digest: str
    rows: int
    lines: tuple[Line, ...]
    changes: tuple[Change, ...]
    ticks: tuple[tuple[float, str], ...]
    days: tuple[str, str]


def plots(found: Drift) -> tuple[Plot, ...]:
    """One for each data that something was measured on, on one scale of time."""
    judges = [one for one in found.judges if one.first and one.changed]
    times = [one.at for one in found.measurements] + [one.first for one in judges if one.first >= found.since]
    if not found.measurements:
        return ()
    scale = _Scale(min(times), max(times), _least(found.measurements))
    digests = dict.fromkeys(one.digest for one in found.measurements)
    colours = {
        name: index % COLOURS for index, name in enumerate(dict.fromkeys(m.verifier for m in found.measurements))
    }
    return tuple(_plot(digest, found.measurements, judges, scale, colours) for digest in digests)


def _plot(
    digest: str, measured: Sequence[Measurement], judges: Sequence[Judge], scale: "_Scale", colours: dict[str, int]
) -> Plot:
    here = [one for one in measured if one.digest == digest]
    lines = tuple(
        Line(verifier, colours[verifier], tuple(scale.point(one) for one in series))
        for (_, verifier), series in grouped(here).items()
    )
    changes = tuple(
        Change(scale.x(one.first), f"{one.job}: {one.verifier} ({', '.join(one.changed)})", one.measured is not None)
        for one in judges
        if one.first >= scale.first
    )
    return Plot(digest, here[0].rows, lines, changes, scale.ticks, (scale.first[:10], scale.last[:10]))


def _least(measured: Sequence[Measurement]) -> float:
    """The tenth at which the scale begins: below every interval."""
    lows = [found[0] for one in measured if (found := one.agreement.interval) is not None]
    return int(10 * min(lows, default=0.0)) / 10


@dataclass(frozen=True, slots=True)
class _Scale:
    first: str
    last: str
    least: float

    def x(self, at: str) -> float:
        """One moment alone stands in the middle."""
        start, end = _seconds(self.first), _seconds(self.last)
        share = (_seconds(at) - start) / (end - start) if end > start else 0.5
        return LEFT + share * (WIDTH - LEFT - RIGHT)

    def y(self, share: float) -> float:
        span = max(1.0 - self.least, 0.1)
        return TOP + (1.0 - share) / span * (HEIGHT - TOP - BOTTOM)

    @property
    def ticks(self) -> tuple[tuple[float, str], ...]:
        tenths = range(round(10 * self.least), 11)
        kept = tenths if len(tenths) < 7 else tenths[::-2][::-1]
        return tuple((self.y(tenth / 10), f"{10 * tenth}%") for tenth in kept)

    def point(self, one: Measurement) -> Point:
        value = one.agreement.value or 0.0
        low, high = one.agreement.interval or (0.0, 0.0)
        told = f"{one.verifier}, {one.at[:10]}: {value:.1%} ({low:.1%} to {high:.1%})"
        return Point(self.x(one.at), self.y(value), self.y(low), self.y(high), told)


def _seconds(at: str) -> float:
    time = datetime.fromisoformat(at)
    return (time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp()
