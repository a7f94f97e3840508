"""The page of what was measured: its own words stand, and between its marks what the suites last found.

A page holds for each suite a pair of marks, `<!-- suite NAME -->` and `<!-- end of NAME -->`. What stands between them
is made from a finished run, on the very rows that the shipped floors were pinned on; everything else is somebody's.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from affidavit.evals.agreement import Share
from affidavit.evals.judge_wording import interval, percent
from affidavit.evals.suite import Case, CaseState, SuiteEval
from affidavit.evals.suites_wording import floor_cell
from affidavit.report import inert
from affidavit.report.wording import counted

MOST_KINDS = 5
"""Kinds with wrong cases that are named as what a suite's subject is bad at, the worst first."""
DETAIL_CHARS = 180
_BLOCK = re.compile(r"<!-- suite (?P<name>\w+) -->\n.*?<!-- end of (?P=name) -->", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Filled:
    """A page as it should be, and which suites it has marks for that nothing was measured of."""

    text: str
    suites: tuple[str, ...]
    left: tuple[str, ...]


def fill(page: str, measured: Mapping[str, SuiteEval]) -> Filled:
    """`page` with the newest of each suite between its marks. What has not been measured stays as it is."""
    named = [found["name"] for found in _BLOCK.finditer(page)]
    text = _BLOCK.sub(lambda found: block(measured[found["name"]]) if found["name"] in measured else found[0], page)
    return Filled(text, tuple(named), tuple(name for name in named if name not in measured))


def block(done: SuiteEval) -> str:
    """What stands between the marks of a suite, marks and all."""
    parts = [
        f"<!-- suite {done.suite} -->",
        _headline(done),
        _figures(done),
        _kinds(done.measured.cases),
        _bad_at(done),
    ]
    return "\n\n".join(part for part in parts if part) + f"\n\n<!-- end of {done.suite} -->"


def _headline(done: SuiteEval) -> str:
    states, files = done.states, ", ".join(one.name for one in done.files)
    return (
        f"`affidavit eval run {done.suite}` on {done.measured_at[:10]}, version {done.version}, "
        f"{counted(len(done.measured.cases), 'row')} of `{files}` (`{done.data_digest}`): "
        f"{states[CaseState.RIGHT]} right, {states[CaseState.WRONG]} wrong, "
        f"{states[CaseState.COULD_NOT_CHECK]} could not be checked."
    )


def _figures(done: SuiteEval) -> str:
    bounds = {one.name: one for one in done.floors}
    rows = [
        (
            figure.name.replace("_", " "),
            figure.about,
            f"{figure.share.hits} of {figure.share.of}",
            percent(figure.share.value),
            interval(figure.share),
            floor_cell(figure, bounds.get(figure.name)).removesuffix(": holds"),
        )
        for figure in done.measured.figures
    ]
    return _table(("figure", "counts", "", "share", "95% interval", "floor"), "--rrr-", rows)


def _kinds(cases: Sequence[Case]) -> str:
    """Kind by kind, those of which a case is not right; the others in one line."""
    told: list[tuple[str, ...]] = []
    rest: list[Case] = []
    for kind, here in _by_kind(cases).items():
        if all(case.state is CaseState.RIGHT for case in here):
            rest += here
        else:
            told.append((_code(kind), *_counts(here)))
    if rest:
        kinds = len({case.kind for case in rest})
        told.append((f"{counted(kinds, 'other kind' if told else 'kind')}", *_counts(rest)))
    if not told or len({case.kind for case in cases}) == 1:
        return ""
    heads = ("kind of row", "rows", "right", "wrong", "could not check", "right of those checked, 95% interval")
    return _table(heads, "-rrrrr", sorted(told, key=lambda row: row[0].partition(" ")[0].isdigit()))


def _counts(cases: Sequence[Case]) -> tuple[str, ...]:
    right, wrong, unchecked = (
        sum(case.state is state for case in cases)
        for state in (CaseState.RIGHT, CaseState.WRONG, CaseState.COULD_NOT_CHECK)
    )
    return str(len(cases)), str(right), str(wrong), str(unchecked), interval(Share(right, right + wrong))


def _bad_at(done: SuiteEval) -> str:
    """The kinds with wrong cases, the largest share first, each with its first case."""
    worst: list[tuple[float, str]] = []
    for kind, here in _by_kind(done.measured.cases).items():
        wrong = [case for case in here if case.state is CaseState.WRONG]
        if wrong:
            such = inert.markdown(_short(wrong[0].detail))
            told = f"- {_code(kind)}: {len(wrong)} of {len(here)} wrong" + (f", such as: {such}" if such else "")
            worst.append((len(wrong) / len(here), told))
    if not worst:
        return "Nothing of it is wrong." if done.states[CaseState.RIGHT] else ""
    worst.sort(key=lambda one: -one[0])
    more = f"\n- and {counted(len(worst) - MOST_KINDS, 'other kind')}" if len(worst) > MOST_KINDS else ""
    return "It is wrong at:\n\n" + "\n".join(told for _, told in worst[:MOST_KINDS]) + more


def _short(detail: str) -> str:
    """`detail` on one line, cut at a word."""
    line = inert.line(detail)
    return line if len(line) <= DETAIL_CHARS else line[:DETAIL_CHARS].rsplit(" ", 1)[0] + " …"


def _by_kind(cases: Sequence[Case]) -> dict[str, list[Case]]:
    """In order of name."""
    ordered = sorted(cases, key=lambda case: case.kind)
    return {kind: list(found) for kind, found in groupby(ordered, key=lambda case: case.kind)}


def _table(heads: Sequence[str], sides: str, rows: Sequence[Sequence[str]]) -> str:
    """`sides` has an ``r`` for each column of figures."""
    rule = "".join("--:|" if side == "r" else "---|" for side in sides)
    lines = [f"| {' | '.join(heads)} |", f"|{rule}"]
    return "\n".join([*lines, *(f"| {' | '.join(cell.replace('|', '/') for cell in row)} |" for row in rows)])


def _code(kind: str) -> str:
    """A row's own word for its kind, which may be anything."""
    return f"`{inert.line(kind).replace('`', '')}`"
