"""``affidavit ask``: a question, or a claim to test, answered from pages."""

import sys
from datetime import UTC, datetime
from pathlib import Path

import typer

from affidavit.cli.exit_codes import Exit
from affidavit.cli.output import FORMATS, format_for, write_file
from affidavit.cli.progress import Steps
from affidavit.errors import UserError
from affidavit.evidence.answer import Answer, State
from affidavit.report import render
from affidavit.research.ask import Ask
from affidavit.settings import Settings, load_settings
from affidavit.wiring import Asked, ask_web

EXITS = {
    State.PUBLISHED: Exit.DONE,
    State.PUBLISHED_WITH_GAPS: Exit.DONE,
    State.NEEDS_HUMAN: Exit.DONE,
    State.NOTHING_SOURCED: Exit.FINDINGS,
    State.FAILED: Exit.FAILED,
}


def ask(
    question: str | None = typer.Argument(None, help="What you want to know."),
    claim: str | None = typer.Option(None, help="Test this claim instead of asking a question."),
    falsifier: str | None = typer.Option(None, help="What result would refute the claim."),
    web: list[str] = typer.Option(
        [], help="Pages to read: a WARC or WACZ file, or a folder of pages. May be given more than once.", metavar="FILE"
    ),
    output_format: str | None = typer.Option(None, "--format", help=f"One of {', '.join(FORMATS)}.", metavar="FORMAT"),
    as_json: bool = typer.Option(False, "--json", help="The same as --format json."),
    out: Path | None = typer.Option(None, help="Also write the answer to this file; its ending says the format."),
    bundle: Path | None = typer.Option(None, help="Also write an evidence bundle that anybody can re-check."),
    verbose: bool = typer.Option(False, "--verbose", "-v", help="Show sources, queries and budget in full."),
    quiet: bool = typer.Option(False, "--quiet", "-q", help="No progress on stderr."),
    policy: Path | None = typer.Option(None, help="A TOML file that extends the source policy."),
    max_searches: int | None = typer.Option(None, help="Queries at most."),
    max_fetches: int | None = typer.Option(None, help="Pages read at most."),
    max_spans: int | None = typer.Option(None, help="Quotations at most."),
    max_claims: int | None = typer.Option(None, help="Sentences published at most."),
    max_seconds: float | None = typer.Option(None, help="Seconds at most."),
    max_subquestions: int | None = typer.Option(None, help="Parts a question is split into at most."),
) -> int:
    """Answer a question from pages, every sentence a quotation that can be checked.

    Without a model the answer is made of whole sentences of the pages, word for word. What the pages do not say is
    told as a gap.
    """
    shown = _shown_format(output_format, as_json, out)
    asked = Ask(question=question, claim=claim, falsifier=falsifier)
    settings = load_settings(
        policy=policy,
        max_searches=max_searches,
        max_fetches=max_fetches,
        max_spans=max_spans,
        max_claims=max_claims,
        max_seconds=max_seconds,
        max_subquestions=max_subquestions,
    )
    for target in (out, bundle):
        if target is not None and not target.absolute().parent.is_dir():
            raise UserError(f"{target}: there is no folder {target.absolute().parent}; make it first")
    answer = _run(asked, web, settings, quiet=quiet, bundle=bundle)
    print(render(answer, shown, verbose=verbose), end="")
    if out is not None:
        write_file(out, render(answer, format_for(out, output_format), verbose=verbose))
    for target in (out, bundle):
        if target is not None:
            print(f"wrote {target}", file=sys.stderr)
    return EXITS[answer.state]


def _shown_format(output_format: str | None, as_json: bool, out: Path | None) -> str:
    if output_format is not None and output_format not in FORMATS:
        raise UserError(f"--format {output_format!r} is not known; known: {', '.join(FORMATS)}")
    if as_json:
        if output_format not in (None, "json"):
            raise UserError(f"--json and --format {output_format} ask for two different things")
        return "json"
    return "terminal" if out is not None or output_format is None else output_format


def _run(asked: Ask, web: list[str], settings: Settings, *, quiet: bool, bundle: Path | None) -> Answer:
    with Steps(quiet=quiet) as steps:
        return ask_web(
            Asked(asked, tuple(web), bundle),
            settings,
            on_step=steps.step,
            on_index=steps.index,
            on_warning=lambda text: print(f"affidavit: {text}", file=sys.stderr),
            now=lambda: datetime.now(UTC),
        )
