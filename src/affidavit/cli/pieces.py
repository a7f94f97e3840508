"""``affidavit pieces``: what was written, and what a customer published before."""

import json
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from affidavit.cli.exit_codes import Exit
from affidavit.cli.output import format_for, shown_format
from affidavit.cli.progress import Steps
from affidavit.cli.streams import as_text, tell
from affidavit.cli.targets import check_targets
from affidavit.cli.write import save, show
from affidavit.errors import UserError
from affidavit.evidence.piece import PieceState
from affidavit.report.inert import line
from affidavit.report.piece_wording import STATES
from affidavit.report.pieces import PIECE_FORMATS
from affidavit.report.wording import counted
from affidavit.settings import load_settings
from affidavit.studio import open_studio

app = typer.Typer(help="Show, export and import pieces.", no_args_is_help=True)

_Customer = Annotated[str | None, typer.Option(help="Only this customer's.")]


@app.command("list")
def list_pieces(
    customer: _Customer = None,
    limit: Annotated[int, typer.Option(min=1, max=100_000, help="How many, newest first.")] = 20,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """List the newest pieces, the withheld ones too."""
    with open_studio(load_settings()) as studio:
        found = studio.pieces.written(customer)[:limit]
    if as_json:
        print(json.dumps([_row(one) for one in found], ensure_ascii=False, indent=2))
        return
    if not found:
        print("No pieces yet. `affidavit write` makes one.")
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("piece", "when", "customer", "state", "title"):
        table.add_column(
            name, overflow="fold" if name in ("title", "customer") else "ellipsis", no_wrap=name != "title"
        )
    for one in found:
        when = datetime.fromisoformat(one["written_at"]).astimezone().strftime("%Y-%m-%d %H:%M")
        state = STATES[PieceState(one["state"])].label.lower().removeprefix("accepted, ")
        table.add_row(one["run_id"], when, line(one["customer"]), state, line(one["title"]))
    Console().print(table)


def _row(one: Mapping[str, Any]) -> dict[str, Any]:
    kept = ("run_id", "written_at", "customer", "title", "state", "writer", "reviewer")
    return {name: one[name] for name in kept} | {"rounds": len(one["rounds"]), "reasons": one["reasons"]}


@app.command("show")
def show_one(
    run_id: Annotated[str, typer.Argument(help="A piece's run id, or enough of its beginning.")],
    drafts: Annotated[bool, typer.Option("--drafts", help="Show every draft, also of what is withheld.")] = False,
    output_format: Annotated[
        str | None, typer.Option("--format", metavar="FORMAT", help=f"One of {', '.join(PIECE_FORMATS)}.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
) -> None:
    """Show a piece as it was given out."""
    shown = shown_format(PIECE_FORMATS, output_format, None, json=as_json)
    with open_studio(load_settings()) as studio:
        piece = studio.piece(run_id)
    show(piece, shown, drafts=drafts)


@app.command("export")
def export_one(
    run_id: Annotated[str, typer.Argument(help="A piece's run id, or enough of its beginning.")],
    out: Annotated[Path, typer.Option(help="Where to; the ending says the format.")],
    output_format: Annotated[
        str | None, typer.Option("--format", metavar="FORMAT", help=f"One of {', '.join(PIECE_FORMATS)}.")
    ] = None,
) -> int:
    """Write a piece to a file. A withheld one is written as .json or .html only."""
    check_targets({"--out": out}, [])
    chosen = format_for(out, output_format, PIECE_FORMATS)
    with open_studio(load_settings()) as studio:
        piece = studio.piece(run_id)
    save(piece, out, chosen)
    return Exit.DONE if out.exists() and (piece.text is not None or chosen in ("json", "html")) else Exit.FINDINGS


@app.command("import")
def import_pieces(
    files: Annotated[
        list[Path], typer.Argument(metavar="FOLDER|FILE…", help="Folders or files (Markdown, HTML, text), or a feed.")
    ],
    customer: Annotated[str, typer.Option(help="Whose earlier pieces these are.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress on stderr.")] = False,
) -> int:
    """Import what a customer published before, so that the next piece repeats none of it."""
    name = as_text(customer) or ""
    missing = next((path for path in files if not path.expanduser().exists()), None)
    if missing is not None:
        raise UserError(f"{missing}: there is no such file or folder; check the path")
    with Steps(quiet=quiet) as steps, open_studio(load_settings(), steps.listeners) as studio:
        found = studio.import_pieces(name, [path.expanduser() for path in files])
    new = found.imported.new
    if as_json:
        rows = [{"memory_id": one.memory_id, "title": one.title, "url": one.url} for one in new]
        failed = [{"name": one, "detail": detail} for one, detail in found.failed]
        print(json.dumps({"new": rows, "known": found.imported.known, "failed": failed}, ensure_ascii=False, indent=2))
    else:
        print(f"{counted(len(new), 'piece')} imported for {line(name)}, {found.imported.known} known already")
        for one in new:
            print(f"  {one.memory_id}  {line(one.title)}")
    for failed_name, detail in found.failed:
        tell(f"{failed_name}: not imported: {detail}")
    return Exit.COULD_NOT_CHECK if found.failed else Exit.DONE
