"""An eval of a verifier as one page: its tables, and its reliability as a curve."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from affidavit.evals import judge_wording as wording
from affidavit.evals.agreement import Confusion
from affidavit.evals.judge import SUITE, SUITE_VERSION, JudgeEval, Measured
from affidavit.evals.page import figures_page
from affidavit.evals.reliability import Reliability

SIDE, LEFT, BOTTOM, TOP = 300, 40, 24, 8
"""The square of the plot, and the room around it for the labels of its axes."""
LARGEST, SMALLEST = 10.0, 2.0
"""Radii: of the bin with most rows, and of one with few. The area of a point is as its rows."""


@dataclass(frozen=True, slots=True)
class Point:
    """A bin of scores: its place, its radius, and what it tells."""

    x: float
    y: float
    r: float
    told: str


@dataclass(frozen=True, slots=True)
class Curve:
    """The bins that have rows. `ticks` are shares of the side and what stands at them."""

    points: tuple[Point, ...]
    ticks: tuple[tuple[float, str], ...]
    told: str

    @property
    def path(self) -> str:
        return " ".join(f"{one.x:.1f},{one.y:.1f}" for one in self.points)


def render_judge_html(done: JudgeEval) -> str:
    """`done` as a page without scripts, in which nothing of the data acts as markup."""
    both = [one for one in (done.measured, done.against) if one is not None]
    told = [(one, tuple(tables(one)), None if one.reliability is None else curve(one.reliability)) for one in both]
    drawn = {"side": SIDE, "left": LEFT, "bottom": BOTTOM, "top": TOP}
    suite = f"{SUITE}/{SUITE_VERSION}"
    return figures_page("judge.html.j2", done=done, measured=told, suite=suite, drawn=drawn, words=wording)


def tables(measured: Measured) -> Iterator[tuple[str, list[tuple[str, ...]]]]:
    """By data set, by kind, by kind of true twin: each with what it goes by and its rows."""
    groups: list[tuple[str, Mapping[str, Confusion]]] = [
        ("data set", {**measured.sets, wording.POOLED: measured.pooled}),
        ("kind", measured.kinds if wording.tells_kinds(measured) else {}),
        ("true twin", measured.twins),
    ]
    for name, found in groups:
        if found:
            yield name, [(group, *wording.cells(one)) for group, one in found.items()]


def curve(found: Reliability) -> Curve:
    """Where each bin stands: its mean score to the right, its share of SUPPORTED upwards."""
    most = max((one.rows for one in found.bins), default=0)
    points = tuple(
        Point(
            x=LEFT + SIDE * one.mean_score,
            y=TOP + SIDE * (1 - one.supported),
            r=max(SMALLEST, LARGEST * (one.rows / most) ** 0.5),
            told=f"{one.rows} rows scored {one.low:.1f} to {one.high:.1f}: {wording.percent(one.supported)} SUPPORTED",
        )
        for one in found.bins
        if one.mean_score is not None and one.supported is not None
    )
    ticks = tuple((step / 4, f"{step / 4:.0%}") for step in range(5))
    told = f"{found.rows} rows with a score, expected calibration error {wording.decimal(found.expected_error)}"
    return Curve(points, ticks, told)
