"""``affidavit runs``: what the ledger holds."""

import json
from datetime import datetime
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from affidavit.ledger import Ledger
from affidavit.report.inert import line
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


@app.command("show")
def show(
    run_id: Annotated[str, typer.Argument(help="A run id, or enough of its beginning.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print every event as JSON, one a line.")] = False,
) -> None:
    """Show a run's events in order, its chain verified first."""
    with open_ledger(load_settings()) as ledger:
        _show(ledger, run_id, as_json)


def _show(ledger: Ledger, run_id: str, as_json: bool) -> None:
    run = ledger.run(run_id)
    count = ledger.verify(run.run_id)
    events = ledger.events(run.run_id)
    if as_json:
        for event in events:
            print(json.dumps(event.as_json(), ensure_ascii=False))
        return
    console = Console(highlight=False, markup=False)
    console.print(f"{run.run_id}  {run.kind}  {run.state}  (affidavit {run.product})")
    console.print(f"question: {line(run.question or '')}")
    console.print(f"{count} events, hash chain whole\n")
    for event in events:
        payload = json.dumps(event.payload, ensure_ascii=False)
        text = f"{event.seq:4}  {event.at[11:23]}  {event.type:<12} {line(payload)}"
        console.print(text[: console.width] if console.is_terminal else text, soft_wrap=True)
