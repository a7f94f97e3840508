"""``affidavit write``: a piece that asserts nothing outside the customer's register, or none and the reasons."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from affidavit.cli.exit_codes import piece_exit
from affidavit.cli.model_options import MaxUsd, ModelOf, dollars, models_of
from affidavit.cli.output import Output, write_told
from affidavit.cli.progress import Steps
from affidavit.cli.streams import as_text, print_text, tell
from affidavit.cli.targets import check_targets
from affidavit.draft_file import DraftFile
from affidavit.errors import UserError
from affidavit.evidence.piece import Piece
from affidavit.models.roles import Role
from affidavit.report.piece_terminal import show_piece
from affidavit.report.pieces import PIECE_FORMATS, render_piece
from affidavit.settings import load_settings
from affidavit.studio import Order, open_studio
from affidavit.write.author import read_prompt
from affidavit.write.pack import Assignment
from affidavit.write.profile import load_profile


def write(
    customer: Annotated[str, typer.Option(help="Whose register of facts is used (affidavit facts list).")],
    title: Annotated[str | None, typer.Option(help="The title. With --draft: the draft's first heading.")] = None,
    notes: Annotated[str | None, typer.Option(help="What to say, and to whom.")] = None,
    notes_file: Annotated[Path | None, typer.Option(metavar="FILE", help="The notes, from a file.")] = None,
    prompt: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A writer prompt of your own; used as it is, byte for byte.")
    ] = None,
    profile: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The customer's profile: name, tone, keywords… in TOML.")
    ] = None,
    draft: Annotated[
        str | None,
        typer.Option(metavar="FILE|-", help="Hold this draft of your own to the facts; no model writes."),
    ] = None,
    max_words: Annotated[int | None, typer.Option(min=1, max=100_000, help="Words at most.")] = None,
    model: ModelOf = None,
    keyless: Annotated[bool, typer.Option("--keyless", help="With --draft: let no model review it.")] = False,
    max_usd: MaxUsd = None,
    output_format: Annotated[
        str | None, typer.Option("--format", metavar="FORMAT", help=f"One of {', '.join(PIECE_FORMATS)}.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
    out: Annotated[
        Path | None,
        typer.Option(
            help="Also write the piece here; the ending says the format. A withheld one only as .json, .html."
        ),
    ] = None,
    drafts: Annotated[bool, typer.Option("--drafts", help="Show every draft, also of what is withheld.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress on stderr.")] = False,
) -> int:
    """Write a piece from a customer's approved facts, or withhold it and say why.

    A draft is checked by rules and read by a second model; where something blocks it is rewritten once. Without a
    model, --draft holds a text of your own to the same facts.
    """
    check_targets({"--out": out}, [one for one in (prompt, profile, notes_file, draft) if one is not None])
    output = Output.of(PIECE_FORMATS, output_format, out, json=as_json)
    if keyless and draft is None:
        raise UserError("--keyless asks no model, and without one nothing is written: add --draft FILE")
    if draft is not None and prompt is not None:
        raise UserError("--prompt is for the model that writes, and with --draft none does; leave one out")
    if notes is not None and notes_file is not None:
        raise UserError("--notes and --notes-file both give the notes; leave one out")
    models = models_of(model or (), keyless=False) or {}
    if keyless:
        models |= {Role.REVIEWER.value: None, Role.VERIFIER.value: None}
    settings = load_settings(models=models or None, max_usd=dollars(max_usd))
    text = None if draft is None else _draft(draft)
    order = Order(
        customer=customer,
        assignment=Assignment(
            title=_title(as_text(title), text),
            notes=_file(notes_file) if notes_file is not None else as_text(notes) or "",
            max_words=max_words,
        ),
        profile=None if profile is None else load_profile(profile),
        prompt=None if prompt is None else read_prompt(prompt),
        draft=text,
    )
    with Steps(quiet=quiet) as steps, open_studio(settings, steps.listeners) as studio:
        piece = studio.write(order)
    show(piece, output.shown, drafts=drafts, file=draft)
    if output.file is not None and output.written is not None:
        save(piece, output.file, output.written)
    return piece_exit(piece)


def show(piece: Piece, shown: str, *, drafts: bool, file: str | None = None) -> None:
    if shown == "terminal":
        show_piece(piece, drafts=drafts, file=file)
    else:
        print_text(render_piece(piece, shown))


def save(piece: Piece, out: Path, output_format: str) -> None:
    """Write `piece` to `out`. A withheld one becomes no Markdown file: what lies there would be published."""
    if piece.text is None and output_format in ("md", "terminal"):
        tell(f"{out} was not written: the piece is withheld")
        return
    write_told(out, render_piece(piece, output_format))


def _draft(name: str) -> str:
    text = DraftFile.named(name, sys.stdin.buffer).text()
    if not text.strip():
        raise UserError(f"{name}: the draft is empty; there is nothing to check")
    return text


def _title(given: str | None, draft: str | None) -> str:
    if given is not None and given.strip():
        return given.strip()
    heading = next((line for line in (draft or "").splitlines() if line.startswith("# ")), None)
    if heading is None:
        raise UserError("--title is missing: what should the piece be called?")
    return heading.removeprefix("# ").strip()


def _file(path: Path) -> str:
    try:
        return _decoded(path.read_bytes(), str(path)).strip()
    except OSError as error:
        raise UserError(f"{path}: the notes cannot be read: {error.strerror or error}") from error


def _decoded(body: bytes, name: str) -> str:
    try:
        return body.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UserError(f"{name}: not UTF-8 (byte {error.start}); save it as UTF-8") from error
