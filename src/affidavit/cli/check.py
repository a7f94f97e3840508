"""``affidavit check``: a draft held against its sources."""

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from affidavit.check import MAX_DRAFT, too_large
from affidavit.cli.exit_codes import Exit
from affidavit.cli.output import CHECK_ENDINGS, format_for, write_file
from affidavit.cli.progress import Steps
from affidavit.cli.streams import print_text
from affidavit.cli.targets import check_targets
from affidavit.errors import UserError
from affidavit.evidence.check import Check
from affidavit.report import CHECK_FORMATS, render_check, show_check
from affidavit.settings import load_settings
from affidavit.wiring import DraftFile, Listeners, check_draft


class FailOn(StrEnum):
    """The least state that makes the exit status 1."""

    REJECTED = "rejected"
    UNSOURCED = "unsourced"


def check(
    drafts: Annotated[
        list[str],
        typer.Argument(metavar="DRAFT…", help="The draft: Markdown, HTML, DOCX or text; - reads standard input."),
    ],
    source: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE|DIR|URL", help="A source: a file, folder or archive; a URL is read from --web."),
    ] = None,
    web: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE", help="A WARC or WACZ file; all its pages are sources, unless a URL is named."),
    ] = None,
    allow: Annotated[
        list[str] | None, typer.Option(metavar="FILE", help="A text of your own that needs no other source.")
    ] = None,
    fail_on: Annotated[FailOn, typer.Option(help="Exit with status 1 from this state on.")] = FailOn.REJECTED,
    output_format: Annotated[
        str | None, typer.Option("--format", metavar="FORMAT", help=f"One of {', '.join(CHECK_FORMATS)}.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
    as_sarif: Annotated[bool, typer.Option("--sarif", help="The same as --format sarif.")] = False,
    out: Annotated[Path | None, typer.Option(help="Also write the report here; the ending says the format.")] = None,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Show the quotes of sourced sentences too.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress on stderr.")] = False,
) -> int:
    """Hold a draft against its sources: every sentence is sourced, unsourced or rejected.

    Rejected are quotations that no source has, figures that no source has, and what a source contradicts.
    """
    shown = _shown_format(output_format, as_json, as_sarif, out)
    if out is not None:
        format_for(out, output_format, CHECK_ENDINGS, CHECK_FORMATS)
    check_targets({"--out": out}, [*drafts, *(source or ()), *(web or ()), *(allow or ())])
    if len(drafts) > 1 and (out is not None or shown != "terminal"):
        raise UserError(
            f"{len(drafts)} drafts have one report each: check them one by one for another format than text"
        )
    settings = load_settings()
    found: list[Check] = []
    with Steps(quiet=quiet) as steps:
        listeners = Listeners(on_step=steps.step, on_warning=lambda text: print(f"affidavit: {text}", file=sys.stderr))
        for draft in drafts:
            file = _stdin() if draft == "-" else DraftFile.at(Path(draft).expanduser())
            found.append(
                check_draft(file, source or (), settings, web=web or (), allow=allow or (), listeners=listeners)
            )
    for index, one in enumerate(found):
        if shown != "terminal":
            print_text(render_check(one, shown))
        else:
            print("\n" if index else "", end="")
            show_check(one, verbose=verbose)
    if out is not None:
        write_file(out, render_check(found[0], format_for(out, output_format, CHECK_ENDINGS, CHECK_FORMATS)))
        print(f"wrote {out}", file=sys.stderr)
    statuses = {exit_status(one, fail_on) for one in found}
    return next(status for status in (Exit.FINDINGS, Exit.COULD_NOT_CHECK, Exit.DONE) if status in statuses)


def exit_status(check: Check, fail_on: FailOn) -> Exit:
    """Findings first; then what could not be checked, which is no pass."""
    counts = check.counts
    if counts["rejected"] or (fail_on is FailOn.UNSOURCED and counts["unsourced"]):
        return Exit.FINDINGS
    return Exit.COULD_NOT_CHECK if counts["could_not_check"] or not check.claims else Exit.DONE


def _stdin() -> DraftFile:
    body = sys.stdin.buffer.read(MAX_DRAFT + 1)
    if len(body) > MAX_DRAFT:
        raise UserError(too_large("-", len(body)))
    return DraftFile(name="-", body=body, media_type="text/markdown")


def _shown_format(output_format: str | None, as_json: bool, as_sarif: bool, out: Path | None) -> str:
    if output_format is not None and output_format not in CHECK_FORMATS:
        raise UserError(f"--format {output_format!r} is not known; known: {', '.join(CHECK_FORMATS)}")
    asked = {name for name in (output_format, "json" if as_json else None, "sarif" if as_sarif else None) if name}
    if len(asked) > 1:
        raise UserError(f"{' and '.join(sorted(asked))} are asked for at once; choose one, and --out for another")
    if as_json or as_sarif:
        return next(iter(asked))
    return "terminal" if out is not None or output_format is None else output_format
