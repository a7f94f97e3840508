"""The words and numbers of finished suites, for every format alike."""

from collections.abc import Sequence

from affidavit.evals.floors import Floor
from affidavit.evals.judge import Outcome
from affidavit.evals.judge_wording import interval, percent
from affidavit.evals.past import Compared
from affidavit.evals.suite import CaseState, Figure, SuiteEval

OUTCOMES = {
    Outcome.MEASURED: "measured; no floor is held",
    Outcome.PASSED: "every floor holds",
    Outcome.BELOW_FLOOR: "below a floor",
    Outcome.COULD_NOT_CHECK: "could not be told: that is no pass",
}


def headline(done: SuiteEval) -> str:
    """``numbers/1: every floor holds (42 rows of numbers.jsonl, 40 right, 0 wrong, 2 could not be checked, 0.1 s)``."""
    files = ", ".join(one.name for one in done.files)
    states = done.states
    return (
        f"{done.suite}/{done.version}: {OUTCOMES[done.outcome]} ({len(done.measured.cases)} rows of {files}, "
        f"{states[CaseState.RIGHT]} right, {states[CaseState.WRONG]} wrong, "
        f"{states[CaseState.COULD_NOT_CHECK]} could not be checked, {done.seconds:.1f} s)"
    )


TOGETHER = ("suite", "rows", "right", "wrong", "unchecked", "floors", "seconds", "outcome")


def together(done: SuiteEval) -> tuple[str, ...]:
    """A suite's line under `TOGETHER`. The outcome names the floors that are missed."""
    states = done.states
    met = [one for one in done.floors if one.met]
    missed = ", ".join(one.name for one in done.floors if not one.met)
    return (
        done.suite,
        str(len(done.measured.cases)),
        *(str(states[one]) for one in (CaseState.RIGHT, CaseState.WRONG, CaseState.COULD_NOT_CHECK)),
        f"{len(met)}/{len(done.floors)}",
        f"{done.seconds:.1f}",
        f"{OUTCOMES[done.outcome]}: {missed}" if missed else OUTCOMES[done.outcome],
    )


def cells(done: SuiteEval, figure: Figure) -> tuple[str, str, str, str, str]:
    """A figure's line: name, share, counts, interval, floor."""
    floor = next((one for one in done.floors if one.name == figure.name), None)
    share = figure.share
    return figure.name, percent(share.value), f"{share.hits}/{share.of}", interval(share), floor_cell(figure, floor)


def floor_cell(figure: Figure, floor: Floor | None) -> str:
    if floor is None:
        return "none"
    side = "at least" if figure.more_is_better else "at most"
    return f"{side} {floor.bound:.1%}: {'holds' if floor.met else 'MISSED'}"


def untold(done: SuiteEval) -> Sequence[str]:
    """The floors for figures that the data cannot tell."""
    return [
        f"{one.name}: the data cannot tell it, so its floor is not met" for one in done.floors if one.measured is None
    ]


def compared(found: Compared) -> str:
    """How likely chance alone would have turned so many cases one way."""
    paired = found.paired
    return (
        f"{paired.both} right in both, {paired.first_only} only before, {paired.second_only} only after, "
        f"{paired.neither} in neither; p = {paired.p_value:.3g} (McNemar, exact)"
    )


def moved(before: Figure, after: Figure) -> tuple[str, str, str, str]:
    """A figure's line in a comparison: name, before, after, difference in percentage points."""
    one, other = before.share.value, after.share.value
    points = "–" if one is None or other is None else f"{100 * (other - one):+.1f}"
    return after.name, percent(one), percent(other), points
