"""``affidavit ask``: a question, or a claim to test, answered from pages."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from affidavit.cli.ask_list import Listed, ask_list
from affidavit.cli.exit_codes import Exit, exit_of
from affidavit.cli.model_options import (
    EstimateOnly,
    Keyless,
    MaxTokens,
    MaxToolCalls,
    MaxUsd,
    ModelOf,
    dollars,
    estimate_of,
    models_of,
)
from affidavit.cli.output import Output, read_key, shown_format, tell_written
from affidavit.cli.progress import Steps
from affidavit.cli.streams import as_text, print_text
from affidavit.cli.targets import check_targets
from affidavit.cli.web_options import AllowHost, DenyHost, Offline, SaveWeb
from affidavit.errors import UserError
from affidavit.house import begun_as, open_house
from affidavit.reach import Reach
from affidavit.report import FORMATS, render, show
from affidavit.research.ask import Ask
from affidavit.research.plan import Plan, make_plan
from affidavit.settings import Settings, load_settings


def ask(
    question: Annotated[str | None, typer.Argument(help="What you want to know.")] = None,
    claim: Annotated[str | None, typer.Option(help="Test this claim instead of asking a question.")] = None,
    falsifier: Annotated[str | None, typer.Option(help="What result would refute the claim.")] = None,
    listed: Annotated[
        Path | None,
        typer.Option("--from", metavar="FILE", help="Ask each line of this file; check --unsourced writes one."),
    ] = None,
    resume: Annotated[
        str | None,
        typer.Option(metavar="RUN", help="Go on with this interrupted run, over the same pages (affidavit runs list)."),
    ] = None,
    repeat_uncertain: Annotated[
        bool,
        typer.Option(
            "--repeat-uncertain", help="With --resume: make calls of models again that may have been charged already."
        ),
    ] = False,
    web: Annotated[
        list[str] | None,
        typer.Option(
            metavar="live|FILE",
            help="Pages to read: live is the web (the default), else a WARC or WACZ file or a folder. May be repeated.",
        ),
    ] = None,
    offline: Offline = False,
    allow_host: AllowHost = None,
    deny_host: DenyHost = None,
    language: Annotated[
        str | None, typer.Option(help="Language of the pages looked for, as en or pt-BR; where a provider has it.")
    ] = None,
    region: Annotated[
        str | None, typer.Option(help="Country the search is made for, as CH; where a provider has it.")
    ] = None,
    recency_days: Annotated[
        int | None, typer.Option(metavar="N", help="Only pages dated within the last N days.")
    ] = None,
    save_web: SaveWeb = None,
    output_format: Annotated[
        str | None, typer.Option("--format", metavar="FORMAT", help=f"One of {', '.join(FORMATS)}.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
    out: Annotated[
        Path | None, typer.Option(help="Also write the answer here; the ending says the format. With --from, a folder.")
    ] = None,
    bundle: Annotated[
        Path | None,
        typer.Option(help="Also write an evidence bundle anybody can re-check. With --from, a folder for them."),
    ] = None,
    sign: Annotated[
        Path | None, typer.Option(metavar="KEY", help="Sign the bundle with this Ed25519 private key (PEM).")
    ] = None,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Show sources, queries and budget in full.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress on stderr.")] = False,
    policy: Annotated[Path | None, typer.Option(help="A TOML file that extends the source policy.")] = None,
    max_searches: Annotated[int | None, typer.Option(help="Queries at most.")] = None,
    max_fetches: Annotated[int | None, typer.Option(help="Pages read at most.")] = None,
    max_spans: Annotated[int | None, typer.Option(help="Quotations at most.")] = None,
    max_claims: Annotated[int | None, typer.Option(help="Sentences published at most.")] = None,
    max_seconds: Annotated[float | None, typer.Option(help="Seconds at most.")] = None,
    max_subquestions: Annotated[int | None, typer.Option(help="Parts a question is split into at most.")] = None,
    model: ModelOf = None,
    keyless: Keyless = False,
    max_usd: MaxUsd = None,
    max_tool_calls: MaxToolCalls = None,
    max_tokens: MaxTokens = None,
    estimate: EstimateOnly = False,
) -> int:
    """Answer a question from pages, every sentence a quotation that can be checked.

    Without a model the answer is made of whole sentences of the pages, word for word; with one that researches (see
    --model) every claim is checked against its quotation by another. What the pages do not say is told as a gap.
    Without --web the question goes to search providers, and the pages they name are read.
    """
    settings = load_settings(
        policy=policy,
        max_searches=max_searches,
        max_fetches=max_fetches,
        max_spans=max_spans,
        max_claims=max_claims,
        max_seconds=max_seconds,
        max_subquestions=max_subquestions,
        offline=offline or None,
        search_language=language,
        search_region=region,
        search_recency_days=recency_days,
        models=models_of(model or (), keyless=keyless),
        max_usd=dollars(max_usd),
        max_tool_calls=max_tool_calls,
        max_tokens=max_tokens,
    )
    reach = Reach.named(
        web or (), otherwise_live=True, allow_hosts=allow_host or (), deny_hosts=deny_host or (), save=save_web
    )
    key = _signing_key(sign, bundle)
    if resume is not None:
        begun = [question, claim, falsifier, listed, allow_host, deny_host, language, region, recency_days]
        begun += [max_searches, max_fetches, max_spans, max_claims, max_seconds, max_subquestions]
        begun += [model, max_usd, max_tool_calls, max_tokens, keyless or None, estimate or None]
        _refuse_what_began(resume, begun)
        settings, reach = begun_as(resume, settings, reach)
    elif listed is not None:
        _refuse_with_list(listed, [question, claim, falsifier], estimate=estimate)
        check_targets({"--save-web": save_web}, [listed, *reach.archives])
        shown = shown_format(FORMATS, output_format, out, json=as_json)
        given = Listed(path=listed, out=out, bundles=bundle, key=key, shown=shown, output_format=output_format)
        return ask_list(given, reach, settings, verbose=verbose, quiet=quiet)
    work = resume if resume is not None else _plan(question, claim, falsifier, settings)
    inputs = [*reach.archives, *(path for path in (sign, policy, settings.web_policy) if path)]
    check_targets({"--out": out, "--bundle": bundle, "--save-web": save_web}, inputs)
    output = Output.of(FORMATS, output_format, out, json=as_json)
    if estimate:
        print_text(estimate_of(settings, work).told() + "\n")
        return Exit.DONE
    with Steps(quiet=quiet) as steps, open_house(settings, reach, steps.listeners) as house:
        if isinstance(work, str):
            answer = house.resume(work, bundle=bundle, signing_key=key, repeat_uncertain=repeat_uncertain)
        else:
            answer = house.ask(work, bundle=bundle, signing_key=key)
    output.give(partial(show, answer, verbose=verbose, bundle=bundle), partial(render, answer, verbose=verbose))
    tell_written(bundle, save_web)
    return exit_of(answer)


def _signing_key(sign: Path | None, bundle: Path | None) -> bytes | None:
    if sign is not None and bundle is None:
        raise UserError("--sign signs a bundle; say with --bundle FILE where to write it")
    return read_key(sign) if sign is not None else None


def _refuse_what_began(resume: str, begun: Sequence[object]) -> None:
    """Refuse options, none of which is None, that would make another run of the one that goes on."""
    if any(one is not None for one in begun):
        raise UserError(
            f"--resume {resume} goes on as the run began: leave out the question, --from, the hosts, the language, "
            "the models and the budgets"
        )


def _refuse_with_list(listed: Path, asked: Sequence[str | None], *, estimate: bool) -> None:
    if any(one is not None for one in asked):
        raise UserError(f"--from {listed} says what to ask; leave the question or claim out, or write it in there")
    if estimate:
        raise UserError("--estimate is for one question: leave --from out")


def _plan(question: str | None, claim: str | None, falsifier: str | None, settings: Settings) -> Plan:
    asked = Ask(question=as_text(question), claim=as_text(claim), falsifier=as_text(falsifier))
    return make_plan(asked, settings.max_subquestions)
