"""Finished suites for a person: in the terminal, as Markdown, and as one page with a plot."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import TextIO

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from affidavit.errors import UserError
from affidavit.evals import suites_wording as wording
from affidavit.evals.judge import Outcome
from affidavit.evals.page import figures_page
from affidavit.evals.past import Compared
from affidavit.evals.suite import Figure, SuiteEval
from affidavit.evals.suite_json import suite_json
from affidavit.report import inert
from affidavit.report.screen import WIDTH, laid_out, print_on

SHOWN = 5
"""Wrong cases of a suite that the terminal shows without `verbose`; the other formats hold all."""
DETAIL_CHARS = 160
_STYLES = {
    Outcome.MEASURED: "bold",
    Outcome.PASSED: "bold green",
    Outcome.BELOW_FLOOR: "bold red",
    Outcome.COULD_NOT_CHECK: "bold magenta",
}
_HEADS = ("figure", "share", "counts", "95% interval", "floor")


def show_suites(all_done: Sequence[SuiteEval], stream: TextIO | None = None, *, verbose: bool = False) -> None:
    """Print them on `stream` (standard output), styled where `stream` is a terminal that wants it."""
    print_on(stream, partial(_terminal, all_done, verbose=verbose))


def render_suites(all_done: Sequence[SuiteEval], output_format: str) -> str:
    """`all_done` in one of `SUITE_FORMATS`, whole. Raises UserError for a format that is not known."""
    renderer = _RENDERERS.get(output_format)
    if renderer is None:
        raise UserError(f"format {output_format!r} is not known; known: {', '.join(SUITE_FORMATS)}")
    return renderer(all_done)


def show_comparison(found: Compared, stream: TextIO | None = None) -> None:
    """Print how the later run differs from the earlier."""
    print_on(stream, partial(_comparison, found))


def _terminal(all_done: Sequence[SuiteEval], *, width: int, styled: bool, verbose: bool = False) -> str:
    parts = [part for done in all_done for part in _parts(done, verbose)]
    if len(all_done) > 1:
        parts.append(_together(all_done))
    return laid_out(parts, width=width, styled=styled)


def _together(all_done: Sequence[SuiteEval]) -> Table:
    """All suites in one table, a line each, for whoever reads nothing else."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for index, head in enumerate(wording.TOGETHER):
        table.add_column(head, justify="right" if 0 < index < len(wording.TOGETHER) - 1 else "left")
    for done in all_done:
        *cells, told = wording.together(done)
        table.add_row(*map(inert.line, cells), Text(told, _STYLES[done.outcome]))
    return table


def _parts(done: SuiteEval, verbose: bool) -> Iterator[RenderableType]:
    yield Text(inert.line(wording.headline(done)), _STYLES[done.outcome])
    table = Table(box=None, pad_edge=False, header_style="bold")
    for index, head in enumerate(_HEADS):
        table.add_column(head, justify="right" if 0 < index < len(_HEADS) - 1 else "left")
    for figure in done.measured.figures:
        table.add_row(*wording.cells(done, figure))
    yield table
    for note in (*wording.untold(done), *done.notes):
        yield Text.assemble(("Note: ", "yellow"), inert.line(note))
    wrong = done.wrong
    for case in wrong if verbose else wrong[:SHOWN]:
        detail = inert.line(case.detail)
        detail = detail if len(detail) <= DETAIL_CHARS else detail[:DETAIL_CHARS].rsplit(" ", 1)[0] + " …"
        yield Text.assemble((f"  {inert.line(case.case_id)} {case.state} ", "dim"), detail)
    if len(wrong) > SHOWN and not verbose:
        yield Text(f"  and {len(wrong) - SHOWN} more (--verbose, --out FILE)", "dim")
    yield Text("")


def _comparison(found: Compared, *, width: int, styled: bool) -> str:
    parts: list[RenderableType] = [
        Text(f"{found.later.suite}: {found.earlier.run_id}, then {found.later.run_id}", "bold")
    ]
    table = Table(box=None, pad_edge=False, header_style="bold")
    for head in ("figure", "before", "after", "points"):
        table.add_column(head, justify="left" if head == "figure" else "right")
    for before, after in found.figures:
        table.add_row(*wording.moved(before, after))
    parts += [table, Text(wording.compared(found))]
    for before, after in found.turned:
        told = inert.line(after.detail or before.detail)
        parts.append(Text(f"  {inert.line(after.case_id)}: {before.state} → {after.state}  {told[:DETAIL_CHARS]}"))
    return laid_out(parts, width=width, styled=styled)


def _markdown(all_done: Sequence[SuiteEval]) -> str:
    parts = [line for done in all_done for line in _markdown_lines(done)]
    if len(all_done) > 1:
        parts = [*_markdown_together(all_done), *parts]
    return "\n".join(parts).rstrip("\n") + "\n"


def _markdown_together(all_done: Sequence[SuiteEval]) -> Iterator[str]:
    yield f"| {' | '.join(wording.TOGETHER)} |"
    yield f"|---|{'--:|' * (len(wording.TOGETHER) - 2)}---|"
    yield from (f"| {' | '.join(map(inert.markdown, wording.together(done)))} |" for done in all_done)
    yield ""


def _markdown_lines(done: SuiteEval) -> Iterator[str]:
    yield f"## {inert.markdown(done.suite)}\n"
    yield f"{inert.markdown(wording.headline(done))}, {done.measured_at}, run {done.run_id}.\n"
    yield f"| {' | '.join(('figure', 'counts what', *_HEADS[1:]))} |"
    yield "|---|---|--:|--:|--:|---|"
    for figure in done.measured.figures:
        name, *rest = wording.cells(done, figure)
        yield f"| {' | '.join(map(inert.markdown, (name, figure.about, *rest)))} |"
    yield from (f"\n> {inert.markdown(note)}" for note in (*wording.untold(done), *done.notes))
    if done.wrong:
        yield "\nNot right:\n"
        yield from (f"- {inert.markdown(f'{one.case_id} ({one.state}) {one.detail}')}" for one in done.wrong)
    yield ""


def _json(all_done: Sequence[SuiteEval]) -> str:
    return json.dumps([suite_json(one) for one in all_done], ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def _html(all_done: Sequence[SuiteEval]) -> str:
    return figures_page("suites.html.j2", all_done=all_done, words=wording, plotted=_plotted)


def _plotted(done: SuiteEval, figures: Iterable[Figure]) -> list[dict[str, float | bool | str | None]]:
    """What the plot draws of each figure, in hundredths of its width."""
    bounds = {one.name: one for one in done.floors}
    return [
        {
            "name": figure.name,
            "value": None if figure.share.value is None else 100 * figure.share.value,
            "low": 100 * (figure.share.interval or (0.0, 0.0))[0],
            "high": 100 * (figure.share.interval or (0.0, 0.0))[1],
            "floor": 100 * bounds[figure.name].bound if figure.name in bounds else None,
            "met": figure.name not in bounds or bounds[figure.name].met,
        }
        for figure in figures
    ]


_RENDERERS: Mapping[str, Callable[[Sequence[SuiteEval]], str]] = MappingProxyType(
    {
        "terminal": lambda all_done: _terminal(all_done, width=WIDTH, styled=False, verbose=True),
        "md": _markdown,
        "html": _html,
        "json": _json,
    }
)
SUITE_FORMATS = tuple(_RENDERERS)
