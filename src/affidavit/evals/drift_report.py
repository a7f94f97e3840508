"""A judge's drift for a person: in the terminal, as Markdown, as JSON, and as a page with a plot for each data."""

import json
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from types import MappingProxyType
from typing import Literal, TextIO, cast

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from affidavit.errors import UserError
from affidavit.evals import drift_wording as wording
from affidavit.evals.drift import Drift, grouped
from affidavit.evals.drift_plot import HEIGHT, LEFT, WIDTH, plots
from affidavit.evals.judge_json import share_json
from affidavit.evals.page import figures_page
from affidavit.report import inert
from affidavit.report.drift_schema import DriftJson
from affidavit.report.screen import WIDTH as COLUMNS
from affidavit.report.screen import laid_out, print_on


def show_drift(found: Drift, stream: TextIO | None = None) -> None:
    """Print it on `stream` (standard output), styled where `stream` is a terminal that wants it."""
    print_on(stream, partial(_terminal, found))


def render_drift(found: Drift, output_format: str) -> str:
    """`found` in one of `DRIFT_FORMATS`, whole. Raises UserError for a format that is not known."""
    renderer = _RENDERERS.get(output_format)
    if renderer is None:
        raise UserError(f"format {output_format!r} is not known; known: {', '.join(DRIFT_FORMATS)}")
    return renderer(found)


def drift_json(found: Drift) -> DriftJson:
    """`found` ready for `json.dumps`."""
    return {
        "schema_version": "1.0",
        "kind": "drift",
        "since": found.since,
        "measurements": [
            {
                "run_id": one.run_id,
                "at": one.at,
                "verifier": one.verifier,
                "digest": one.digest,
                "rows": one.rows,
                "agreement": share_json(one.agreement),
                "false_supported": share_json(one.false_supported),
                "could_not_check": share_json(one.could_not_check),
            }
            for one in found.measurements
        ],
        "judges": [
            {
                "job": cast('Literal["ask", "check", "next"]', one.job),
                "verifier": one.verifier,
                "first": one.first,
                "last": one.last,
                "runs": one.runs,
                "run_id": one.run_id,
                "changed": [cast('Literal["model", "prompt", "verifier"]', what) for what in one.changed],
                "measured": one.measured,
            }
            for one in found.judges
        ],
        "fallen": [{"before": before.run_id, "after": after.run_id} for before, after in found.fallen],
    }


def _terminal(found: Drift, *, width: int, styled: bool) -> str:
    return laid_out(_parts(found), width=width, styled=styled)


def _parts(found: Drift) -> Iterator[RenderableType]:
    warnings = wording.warnings(found)
    yield Text(wording.headline(found), "bold red" if warnings else "bold")
    for series in grouped(found.measurements).values():
        yield Text(f"\n{inert.line(wording.series(series[0]))}", "bold")
        rows = [(one[0], *one[3:]) for one in map(wording.measured, series)]
        yield _table((wording.MEASURED[0], *wording.MEASURED[3:]), rows, numbers=1)
    yield Text(wording.LEGEND if found.measurements else wording.NOTHING, "dim")
    if found.judges:
        yield Text("")
        yield _table(wording.JUDGED, [wording.judged(one) for one in found.judges], numbers=len(wording.JUDGED))
    for told in warnings:
        yield Text.assemble(("Warning: ", "yellow"), inert.line(told))


def _table(heads: tuple[str, ...], rows: list[tuple[str, ...]], *, numbers: int) -> Table:
    """The columns from `numbers` on are figures."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for index, head in enumerate(heads):
        table.add_column(head, justify="right" if index >= numbers else "left", overflow="fold")
    for row in rows:
        table.add_row(*map(inert.line, row))
    return table


def _markdown(found: Drift) -> str:
    return "\n".join(_lines(found)) + "\n"


def _lines(found: Drift) -> Iterator[str]:
    yield f"## {wording.headline(found)}\n"
    for heads, rows in (
        (wording.MEASURED, [wording.measured(one) for one in found.measurements]),
        (wording.JUDGED, [wording.judged(one) for one in found.judges]),
    ):
        if rows:
            yield f"| {' | '.join(heads)} |\n|{'---|' * len(heads)}"
            yield from (f"| {' | '.join(map(inert.markdown, row))} |" for row in rows)
            yield ""
    yield wording.LEGEND if found.measurements else wording.NOTHING
    yield from (f"\n> {inert.markdown(told)}" for told in wording.warnings(found))


def _html(found: Drift) -> str:
    drawn = {"width": WIDTH, "height": HEIGHT, "left": LEFT}
    return figures_page("drift.html.j2", found=found, plots=plots(found), words=wording, drawn=drawn)


def _json(found: Drift) -> str:
    return json.dumps(drift_json(found), ensure_ascii=False, indent=2, allow_nan=False) + "\n"


_RENDERERS: Mapping[str, Callable[[Drift], str]] = MappingProxyType(
    {
        "terminal": partial(_terminal, width=COLUMNS, styled=False),
        "md": _markdown,
        "html": _html,
        "json": _json,
    }
)
DRIFT_FORMATS = tuple(_RENDERERS)
