"""An eval of a verifier for a terminal: headline, floors, one line a data set, then what it certified wrongly."""

from collections.abc import Iterable, Mapping
from functools import partial
from typing import TextIO

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from affidavit.evals import judge_wording as wording
from affidavit.evals.agreement import Confusion
from affidavit.evals.judge import JudgeEval, Measured, Outcome
from affidavit.evals.reliability import Reliability
from affidavit.report import inert
from affidavit.report.screen import WIDTH, laid_out, print_on

SHOWN = 5
"""Rows falsely certified that are shown without `verbose`; the other formats hold all."""
CLAIM_CHARS = 160
_STYLES = {
    Outcome.MEASURED: "bold",
    Outcome.PASSED: "bold green",
    Outcome.BELOW_FLOOR: "bold red",
    Outcome.COULD_NOT_CHECK: "bold magenta",
}


def show_judge(done: JudgeEval, stream: TextIO | None = None, *, verbose: bool = False) -> None:
    """Print `done` on `stream` (standard output), styled where `stream` is a terminal that wants it."""
    print_on(stream, partial(render_judge_terminal, done, verbose=verbose))


def render_judge_terminal(done: JudgeEval, *, width: int = WIDTH, styled: bool = False, verbose: bool = False) -> str:
    """`done` as text for `width` columns. `verbose` shows every row falsely certified, and the tables by kind."""
    return laid_out(_parts(done, verbose), width=width, styled=styled)


def _parts(done: JudgeEval, verbose: bool) -> Iterable[RenderableType]:
    yield Text.assemble((inert.line(wording.card(done.measured)), "bold"), f" on {wording.data(done)}")
    yield Text(wording.OUTCOMES[done.outcome], _STYLES[done.outcome])
    for one in done.floors:
        yield Text(f"  {wording.floor(one)}", "" if one.met else "red")
    for warning in done.warnings:
        yield Text.assemble(("Warning: ", "yellow"), inert.line(warning))
    yield from _measured(done.measured, verbose)
    wrong = done.measured.falsely_supported
    if wrong:
        yield Text(f"\n{wording.FALSELY}: {len(wrong)}", "bold")
        for one in wrong if verbose else wrong[:SHOWN]:
            claim = inert.line(one.row.claim)
            claim = claim if len(claim) <= CLAIM_CHARS else claim[:CLAIM_CHARS].rsplit(" ", 1)[0] + " …"
            yield Text.assemble((f"  {inert.line(one.row.dataset)} {inert.line(one.row.row_id)}  ", "dim"), claim)
        if len(wrong) > SHOWN and not verbose:
            yield Text(f"  and {len(wrong) - SHOWN} more (--verbose, --out FILE)", "dim")
    found = done.paired
    if done.against is not None and found is not None:
        yield Text.assemble("\nHeld against ", (inert.line(wording.card(done.against)), "bold"))
        yield from _measured(done.against, verbose)
        yield Text(f"\n{inert.line(wording.paired(done, found))}")
    yield Text(f"\n{wording.LEGEND}", "dim")


def _measured(measured: Measured, verbose: bool) -> Iterable[RenderableType]:
    told = wording.headline(measured)
    agreed = wording.agreement(measured)
    yield Text(f"\n{told[0].upper()}{told[1:]}.\n{agreed[0].upper()}{agreed[1:]}.")
    told = wording.checked_only(measured)
    yield Text(f"{told[0].upper()}{told[1:]}. {wording.speed(measured)}.\n", "dim")
    if len(measured.sets) == 1:
        yield _table("data set", measured.sets)
    else:
        balanced, wrong, recall, unchecked = wording.means(measured)
        table = _table("data set", {**measured.sets, wording.POOLED: measured.pooled})
        table.add_row(
            wording.MEAN,
            "",
            wording.decimal(balanced.value),
            wording.percent(wrong.value),
            wording.percent(recall.value),
            wording.percent(unchecked.value),
        )
        yield table
    if wording.tells_kinds(measured) and (verbose or len(measured.sets) == 1):
        yield Text()
        yield _table("kind", measured.kinds)
    if measured.twins:
        yield Text()
        yield _table("true twin", measured.twins)
    if measured.reliability is not None and verbose:
        yield Text(f"\nScores; expected calibration error {wording.decimal(measured.reliability.expected_error)}\n")
        yield _scores(measured.reliability)


def _table(what: str, groups: Mapping[str, Confusion]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column(what, overflow="fold")
    for name in ("S/P/N", "BAcc", "false S", "S recall", "unchecked"):
        table.add_column(name, justify="right", no_wrap=True)
    for name, one in groups.items():
        table.add_row(
            inert.line(name),
            wording.labels(one),
            wording.decimal(one.balanced_accuracy),
            wording.percent(one.false_supported.value),
            wording.percent(one.supported_recall.value),
            wording.percent(one.could_not_check.value),
        )
    return table


def _scores(found: Reliability) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("score", "rows", "mean score", "SUPPORTED"):
        table.add_column(name, justify="right", no_wrap=True)
    for one in found.bins:
        if one.rows:
            mean, share = wording.decimal(one.mean_score), wording.percent(one.supported)
            table.add_row(f"{one.low:.1f}–{one.high:.1f}", str(one.rows), mean, share)
    return table
