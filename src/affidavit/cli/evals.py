"""``affidavit eval``: how good the judges are, on labelled data."""

import json
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from affidavit.cli import eval_pairwise, eval_suites
from affidavit.cli.exit_codes import Exit
from affidavit.cli.model_options import tell_spent
from affidavit.cli.output import Output, write_told
from affidavit.cli.progress import Steps
from affidavit.cli.targets import check_targets
from affidavit.errors import UserError
from affidavit.evals import (
    JUDGE_FORMATS,
    Floors,
    calibration,
    read_shipped,
    read_triples,
    render_judge,
    run_judge,
    show_judge,
)
from affidavit.evals.drift import drift, since_of
from affidavit.evals.drift_report import DRIFT_FORMATS, render_drift, show_drift
from affidavit.evals.records import read_shipped_records
from affidavit.evals.suites import suites
from affidavit.settings import load_settings
from affidavit.staff import Payroll
from affidavit.verify.model import MODEL, signature
from affidavit.wiring import DEFAULT_VERIFIER, VERIFIERS, open_ledger, open_verifier

app = typer.Typer(help="Measure the product and its judges on labelled data.", no_args_is_help=True)
app.command("run")(eval_suites.run)
app.command("report")(eval_suites.report)
app.command("compare")(eval_suites.compare_runs)
app.command("pairwise")(eval_pairwise.pairwise)


@app.command("list")
def list_suites() -> None:
    """List the suites, the data they use when none is named, and the verifiers."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("suite", "measures", "data, unless --data names others"):
        table.add_column(name, overflow="fold")
    for suite in suites().values():
        table.add_row(suite.name, suite.about, f"{suite.data}, {len(read_shipped_records(suite.data).rows)} rows")
    verifiers = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("verifier", "what it is"):
        verifiers.add_column(name, overflow="fold")
    for name, told in VERIFIERS.items():
        verifiers.add_row(f"{name} (default)" if name == DEFAULT_VERIFIER else name, told)
    console = Console(highlight=False, markup=False)
    console.print(table)
    console.print()
    console.print(verifiers)


@app.command("judge")
def judge(
    data: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE|DIR", help="Labelled claims, .jsonl or .csv; default: the near misses that ship."),
    ] = None,
    verifier: Annotated[
        str, typer.Option(metavar="NAME", help=f"{', '.join(VERIFIERS)}, model:provider:name, or a checkpoint's .toml.")
    ] = DEFAULT_VERIFIER,
    against: Annotated[
        str | None, typer.Option(metavar="NAME", help="A second verifier on the same rows; is the first better?")
    ] = None,
    max_false_supported: Annotated[
        float | None, typer.Option(metavar="SHARE", help="Exit 1 if more of the unsupported rows are certified.")
    ] = None,
    min_balanced_accuracy: Annotated[
        float | None, typer.Option(metavar="SHARE", help="Exit 1 if the balanced accuracy is lower.")
    ] = None,
    since: Annotated[
        str | None,
        typer.Option(
            metavar="DATE", help="Measure nothing: show what was measured since then, and who judged unmeasured."
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    out: Annotated[Path | None, typer.Option(help="Also write the report here: .html, .md, .json or .txt.")] = None,
    calibration_file: Annotated[
        Path | None,
        typer.Option("--calibration", help="Also write what the verifier's card should say of it, as JSON."),
    ] = None,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Show every wrong certificate, kind, score.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress on stderr.")] = False,
) -> int:
    """Measure a verifier: how often it certifies what is not supported, and how much of the rest it finds.

    A row of the data holds claim, span and label (SUPPORTED, PARTIAL or NOT_SUPPORTED). Exit status 0 measured and
    above every floor, 1 below one, 2 where nothing could be checked. With --since: 1 where a judge is unmeasured or
    agrees less than it did, 2 where nothing was measured.
    """
    if since is not None:
        measuring = (data, against, max_false_supported, min_balanced_accuracy, calibration_file)
        if any(given is not None for given in measuring) or verifier != DEFAULT_VERIFIER:
            raise UserError("--since measures nothing: name with it --json, --out and nothing else")
        return _drift(since, as_json=as_json, out=out)
    output = Output.by_ending(JUDGE_FORMATS, out, as_json=as_json)
    check_targets({"--out": out, "--calibration": calibration_file}, [*(data or ()), verifier, against or ""])
    floors = Floors(max_false_supported=max_false_supported, min_balanced_accuracy=min_balanced_accuracy)
    settings = load_settings()
    payroll = Payroll()
    asked = [name for name in (verifier, against) if name is not None]
    cast = payroll.cast(settings) if any(name.startswith(MODEL) for name in asked) else None
    first = open_verifier(verifier, settings, cast)
    second = None if against is None else open_verifier(against, settings, cast)
    rows = read_shipped() if not data else read_triples(data)
    with Steps(quiet=quiet) as steps, open_ledger(settings) as ledger:
        done = run_judge(
            first, rows, ledger, against=second, floors=floors, progress=steps.rows, on_begun=payroll.charge
        )
    tell_spent(payroll.account)
    output.give(partial(show_judge, done, verbose=verbose), partial(render_judge, done))
    if calibration_file is not None:
        write_told(calibration_file, json.dumps(calibration(done), ensure_ascii=False, indent=2) + "\n")
    return eval_suites.status_of([done])


def _drift(since: str, *, as_json: bool, out: Path | None) -> int:
    """Judges over time, from the ledger alone."""
    moment = since_of(since)
    output = Output.by_ending(DRIFT_FORMATS, out, as_json=as_json)
    check_targets({"--out": out}, [])
    settings = load_settings()
    judge = settings.models.verifier
    with open_ledger(settings) as ledger:
        found = drift(ledger, moment, None if judge is None else "/".join(signature(judge)))
    output.give(partial(show_drift, found), partial(render_drift, found))
    if found.unmeasured or found.fallen:
        return Exit.FINDINGS
    return Exit.DONE if found.measurements else Exit.COULD_NOT_CHECK
