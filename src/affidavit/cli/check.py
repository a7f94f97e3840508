"""``affidavit check``: a draft held against its sources."""

import sys
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from affidavit.cli.exit_codes import Exit, gravest
from affidavit.cli.output import Output, tell_written, write_told
from affidavit.cli.progress import Steps
from affidavit.cli.streams import tell
from affidavit.cli.targets import check_targets
from affidavit.cli.web_options import AllowHost, DenyHost, Offline, SaveWeb
from affidavit.desk import Desk, Sources, open_desk
from affidavit.draft_file import DraftFile
from affidavit.errors import UserError
from affidavit.evidence.check import Check
from affidavit.report import CHECK_FORMATS, render_check, render_sarif, show_check
from affidavit.report.unsourced import unsourced_list
from affidavit.settings import load_settings
from affidavit.staff import Payroll
from affidavit.wiring import open_verifier


class FailOn(StrEnum):
    """The least state that makes the exit status 1."""

    REJECTED = "rejected"
    UNSOURCED = "unsourced"


class Derived(StrEnum):
    """What becomes of a figure that no source has and that follows from figures of the passage."""

    REPORT = "report"
    ALLOW = "allow"


def check(
    drafts: Annotated[
        list[str],
        typer.Argument(metavar="DRAFT…", help="The draft: Markdown, HTML, DOCX or text; - reads standard input."),
    ],
    source: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE|DIR|URL",
            help="A source: a file, folder, archive or .affidavit bundle; a URL is read from the web, or from --web.",
        ),
    ] = None,
    web: Annotated[
        list[str] | None,
        typer.Option(
            metavar="live|FILE",
            help="A WARC or WACZ file; all its pages are sources, unless a URL is named. With live, URLs that no FILE "
            "has are read from the web.",
        ),
    ] = None,
    follow_links: Annotated[
        bool,
        typer.Option("--follow-links", help="Also read the addresses that the draft cites. They learn that you do."),
    ] = False,
    offline: Offline = False,
    allow_host: AllowHost = None,
    deny_host: DenyHost = None,
    save_web: SaveWeb = None,
    allow: Annotated[
        list[str] | None, typer.Option(metavar="FILE", help="A text of your own that needs no other source.")
    ] = None,
    fail_on: Annotated[FailOn, typer.Option(help="Exit with status 1 from this state on.")] = FailOn.REJECTED,
    derived: Annotated[
        Derived, typer.Option(help="A figure that follows from others stays unsourced, or may stand; either is told.")
    ] = Derived.REPORT,
    unsourced: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also write the unsourced sentences here, for ask --from FILE.")
    ] = None,
    output_format: Annotated[
        str | None, typer.Option("--format", metavar="FORMAT", help=f"One of {', '.join(CHECK_FORMATS)}.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
    as_sarif: Annotated[bool, typer.Option("--sarif", help="The same as --format sarif.")] = False,
    out: Annotated[Path | None, typer.Option(help="Also write the report here; the ending says the format.")] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Only what stands in a sentence of a source is sourced.")
    ] = False,
    verifier: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="Ask it about what the rules leave open: model:ROLE, or a checkpoint's .toml."
        ),
    ] = None,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Show the quotes of sourced sentences too.")] = False,
    brief: Annotated[
        bool, typer.Option("--brief", "-b", help="Show only the sentences that something is said of.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress on stderr.")] = False,
) -> int:
    """Hold a draft against its sources: every sentence is sourced, unsourced or rejected.

    Rejected are quotations that no source has, figures that no source has, and what a source contradicts.
    """
    drafts = list(dict.fromkeys(drafts))
    inputs = [*drafts, *(source or ()), *(web or ()), *(allow or ())]
    check_targets({"--out": out, "--unsourced": unsourced, "--save-web": save_web}, inputs)
    output = Output.of(CHECK_FORMATS, output_format, out, json=as_json, sarif=as_sarif)
    if len(drafts) > 1 and not {output.shown, output.written or output.shown} <= {"terminal", "sarif"}:
        raise UserError(
            f"{len(drafts)} drafts have one report each: check them one by one for another format than text or SARIF"
        )
    sources = Sources(
        files=source or (),
        web=web or (),
        allow=allow or (),
        follow_links=follow_links,
        allow_hosts=allow_host or (),
        deny_hosts=deny_host or (),
        save=save_web,
    )
    settings = load_settings(offline=offline or None)
    payroll = Payroll()
    judge = open_verifier(verifier, settings, payroll.cast(settings)) if verifier is not None else None
    with (
        Steps(quiet=quiet) as steps,
        open_desk(
            settings,
            sources,
            allow_derived=derived is Derived.ALLOW,
            strict=strict,
            verifier=judge,
            on_begun=payroll.charge,
            listeners=steps.listeners,
        ) as desk,
    ):
        found, unread = _check_all(desk, drafts)
    if found:
        output.give(partial(_show, found, verbose=verbose, brief=brief), partial(_rendered, found, verbose=verbose))
        if unsourced is not None:
            write_told(unsourced, unsourced_list(found))
        tell_written(save_web)
    return gravest([*(exit_status(one, fail_on) for one in found), *[Exit.USAGE] * unread])


def _check_all(desk: Desk, drafts: list[str]) -> tuple[list[Check], int]:
    """The checks, and how many drafts could not be read. Of several, one that cannot is named and the rest are
    checked; one alone raises UserError."""
    found: list[Check] = []
    for draft in drafts:
        try:
            file = DraftFile.named(draft, sys.stdin.buffer)
            read = desk.read(file)
        except UserError as error:
            if len(drafts) == 1:
                raise
            tell(str(error))
            continue
        found.append(desk.check(file, read))
    return found, len(drafts) - len(found)


def _show(found: list[Check], *, verbose: bool, brief: bool) -> None:
    for index, one in enumerate(found):
        print("\n" if index else "", end="")
        show_check(one, verbose=verbose, brief=brief)


def _rendered(found: list[Check], output_format: str, *, verbose: bool) -> str:
    if output_format == "sarif":
        return render_sarif(*found)
    return "\n\n".join(render_check(one, output_format, verbose=verbose) for one in found)


def exit_status(check: Check, fail_on: FailOn) -> Exit:
    """Findings first; then what could not be checked, which is no pass."""
    counts = check.counts
    if counts["rejected"] or (fail_on is FailOn.UNSOURCED and counts["unsourced"]):
        return Exit.FINDINGS
    return Exit.COULD_NOT_CHECK if counts["could_not_check"] or not check.claims else Exit.DONE
