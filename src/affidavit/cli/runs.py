"""``affidavit runs``: what the ledger holds, which of it can go on, and whether it follows again from its record."""

import json
from datetime import datetime
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from affidavit.cli.exit_codes import Exit
from affidavit.cli.progress import Steps
from affidavit.ledger import Ledger, Run
from affidavit.replay import replay, resume_command
from affidavit.report.inert import line
from affidavit.report.replay_report import Outcome, ReplayReport
from affidavit.settings import load_settings
from affidavit.wiring import open_ledger

app = typer.Typer(help="Show what earlier runs did.", no_args_is_help=True)


@app.command("list")
def list_runs(
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="How many, newest first.")] = 20,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """List the newest runs."""
    with open_ledger(load_settings()) as ledger:
        found = ledger.runs(limit)
    if as_json:
        rows = [
            {
                "run_id": run.run_id,
                "kind": run.kind,
                "state": run.state,
                "question": run.question,
                "begun_at": run.begun_at,
                "last_at": run.last_at,
                "events": run.events,
                "version": run.product,
                "resume": _resume(run),
            }
            for run in found
        ]
        print(json.dumps(rows, ensure_ascii=False, indent=2))
        return
    if not found:
        print("No runs yet. `affidavit ask` makes one.")
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("run", "when", "state", "question"):
        table.add_column(name, overflow="fold" if name == "question" else "ellipsis", no_wrap=name != "question")
    for run in found:
        when = datetime.fromisoformat(run.begun_at).astimezone().strftime("%Y-%m-%d %H:%M")
        table.add_row(run.run_id, when, run.state, line(run.question or ""))
    Console().print(table)
    for run in found:
        command = _resume(run)
        if command is not None:
            print(f"{run.run_id} is {run.state}; it goes on with: {command}")


@app.command("show")
def show(
    run_id: Annotated[str, typer.Argument(help="A run id, or enough of its beginning.")],
    events: Annotated[bool, typer.Option(help="Show the events, or only what they come to.")] = True,
    as_json: Annotated[bool, typer.Option("--json", help="Print every event as JSON, one a line.")] = False,
) -> None:
    """Show a run and its events in order, its chain verified first."""
    with open_ledger(load_settings()) as ledger:
        _show(ledger, run_id, events=events, as_json=as_json)


@app.command("replay")
def replay_run(
    run_id: Annotated[str, typer.Argument(help="A run id, or enough of its beginning.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress on stderr.")] = False,
) -> int:
    """Derive a run's result again from the ledger alone, and compare it field by field. No network, no model.

    Exit status 0 if everything agrees, 1 if something differs (the first place is named), 2 if the ledger lacks what
    it takes.
    """
    with Steps(quiet=quiet) as steps:
        report = replay(run_id, load_settings(), steps.step)
    if as_json:
        print(json.dumps(report.as_json(), ensure_ascii=False, indent=2))
    else:
        _show_replay(report)
    return _EXITS[report.outcome]


_EXITS = {
    Outcome.AGREES: Exit.DONE,
    Outcome.DIFFERS: Exit.FINDINGS,
    Outcome.COULD_NOT_REPLAY: Exit.COULD_NOT_CHECK,
}
_TITLES = {
    Outcome.AGREES: "AGREES: derived again from the ledger, it is the same",
    Outcome.DIFFERS: "DIFFERS: derived again from the ledger, it is not the same",
    Outcome.COULD_NOT_REPLAY: "COULD NOT REPLAY: the ledger lacks what it takes",
}


def _show_replay(report: ReplayReport) -> None:
    console = Console(highlight=False, markup=False)
    console.print(_TITLES[report.outcome])
    console.print(f"{report.run_id}, {report.kind}, made by affidavit {line(report.product)}; {report.events} events")
    if report.steps:
        console.print(f"steps that agree: {', '.join(f'{name} ({count})' for name, count in report.steps)}")
    if report.agreed:
        console.print(f"fields that agree: {', '.join(report.agreed)}")
    for title, lines in (
        ("Differs", [f"{one.part}: {one.detail}" for one in report.differences]),
        ("Missing", report.missing),
        ("Not as it was then", report.notes),
    ):
        if lines:
            console.print(f"{title}:")
            for text in lines:
                console.print(f"  - {line(text)}", soft_wrap=True)


def _resume(run: Run) -> str | None:
    """The command with which `run` goes on; None where it cannot."""
    return resume_command(run) if run.resumable and run.kind == "ask" else None


def _show(ledger: Ledger, run_id: str, *, events: bool, as_json: bool) -> None:
    run = ledger.run(run_id)
    count = ledger.verify(run.run_id)
    found = ledger.events(run.run_id)
    if as_json:
        for event in found:
            print(json.dumps(event.as_json(), ensure_ascii=False))
        return
    console = Console(highlight=False, markup=False)
    console.print(f"{run.run_id}  {run.kind}  {run.state}  (affidavit {run.product})")
    console.print(f"question: {line(run.question or '')}")
    console.print(f"{count} events, hash chain whole")
    if (command := _resume(run)) is not None:
        console.print(f"it goes on with: {command}", soft_wrap=True)
    if not events:
        return
    console.print()
    for event in found:
        payload = json.dumps(event.payload, ensure_ascii=False)
        text = f"{event.seq:4}  {event.at[11:23]}  {event.type:<12} {line(payload)}"
        console.print(text[: console.width] if console.is_terminal else text, soft_wrap=True)
