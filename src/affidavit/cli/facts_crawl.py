"""``affidavit facts crawl``: a customer's site read for facts, its register renewed."""

from pathlib import Path
from typing import Annotated

import typer

from affidavit.cli.exit_codes import Exit
from affidavit.cli.facts_options import AsJson, print_json, today
from affidavit.cli.model_options import MaxUsd, ModelOf, dollars, models_of
from affidavit.cli.progress import Steps
from affidavit.cli.streams import as_text, tell
from affidavit.cli.targets import check_targets
from affidavit.cli.web_options import Offline, SaveWeb
from affidavit.errors import UserError
from affidavit.facts.page import CrawlLimits
from affidavit.models.roles import FALLS_BACK_ON, Role
from affidavit.reach import Reach
from affidavit.register import Crawled, Site, open_registrar
from affidavit.report.facts_changes import show_changes, show_reading
from affidavit.report.facts_json import crawl_json, register_json, renewal_json
from affidavit.report.facts_terminal import Listing, show_register, standing
from affidavit.settings import Settings, load_settings

_ROLES = (Role.EXTRACTOR, Role.CONSOLIDATOR)


def crawl(
    url: Annotated[str, typer.Argument(metavar="URL", help="The customer's site: where to begin.")],
    customer: Annotated[str, typer.Option(metavar="NAME", help="Whose site it is; names the register.")],
    also: Annotated[
        list[str] | None, typer.Option(metavar="URL", help="One more page of the site to read, first. Repeatable.")
    ] = None,
    web: Annotated[
        list[str] | None,
        typer.Option(
            metavar="live|FILE",
            help="Read the site from this WARC or WACZ file or folder instead; live is the web (the default).",
        ),
    ] = None,
    pages: Annotated[int, typer.Option(min=1, max=500, help="Pages read at most.")] = 15,
    depth: Annotated[int, typer.Option(min=0, max=10, help="Links followed from the start at most.")] = 2,
    fresh_days: Annotated[
        int, typer.Option(min=0, max=3650, help="A page seen within so many days is not fetched again; 0: fetch all.")
    ] = 30,
    model: ModelOf = None,
    keyless: Annotated[bool, typer.Option("--keyless", help="Use no model: rules read the facts.")] = False,
    max_usd: MaxUsd = None,
    offline: Offline = False,
    save_web: SaveWeb = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would change, and leave the register as it is.")
    ] = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Show every quote and where it stands.")] = False,
    as_json: AsJson = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress on stderr.")] = False,
) -> int:
    """Read a customer's site for facts and renew its register; what persons decided stays.

    Facts of high confidence that nothing contradicts are approved by the rule, everything else waits for a person.
    Exit status 0 facts were found, 1 none, 2 no page could be read.
    """
    models = models_of(model or (), keyless=False) or {}
    if keyless:
        models |= _no_models(models)
    settings = load_settings(models=models or None, max_usd=dollars(max_usd), offline=offline or None)
    reach = Reach.named(web or (), otherwise_live=True, save=save_web)
    check_targets({"--save-web": save_web}, reach.archives)
    site = Site(
        customer=as_text(customer) or "",
        url=_address(as_text(url) or ""),
        also=[_address(as_text(one) or "") for one in also or ()],
        limits=CrawlLimits(pages=pages, depth=depth, fresh_days=fresh_days),
    )
    done = _crawled(site, settings, reach, dry_run=dry_run, quiet=quiet)
    if as_json:
        _print_json(done)
    else:
        _show(done, verbose=verbose)
    if not done.run.pages:
        return Exit.COULD_NOT_CHECK
    return Exit.DONE if done.run.register.facts else Exit.FINDINGS


def _no_models(named: dict[str, str | None]) -> dict[str, str | None]:
    """The roles without a model, and those that would stand in for them. Raises UserError where one is named."""
    given = [role.value for role in _ROLES if named.get(role.value)]
    if given:
        raise UserError(f"--keyless uses no model, and --model names one for the {given[0]}; leave one out")
    return {role.value: None for role in (*_ROLES, *(FALLS_BACK_ON[role] for role in _ROLES))}


def _address(given: str) -> str:
    """`given` as an address: a host alone is taken for the site it is of. Raises UserError for a file or a folder."""
    if "://" not in given and given.strip() and Path(given).expanduser().exists():
        name = Path(given).expanduser().resolve().name
        address = f"https://{name}.invalid/" if Path(given).expanduser().is_dir() else "https://…"
        raise UserError(
            f"{given} is on this machine and no address: give the site's, and read it from there: "
            f"affidavit facts crawl {address} --web {given}"
        )
    return given if "://" in given or not given.strip() else f"https://{given.strip()}"


def _crawled(site: Site, settings: Settings, reach: Reach, *, dry_run: bool, quiet: bool) -> Crawled:
    with Steps(quiet=quiet) as steps, open_registrar(settings, reach, steps.listeners) as registrar:
        try:
            return registrar.crawl(site, dry_run=dry_run)
        except KeyboardInterrupt:
            tell("the pages read so far are kept: the same command goes on from there")
            raise


def _show(done: Crawled, *, verbose: bool) -> None:
    """What was read, what it changes, and of a first crawl the whole register."""
    before, after, changes = done.renewal.before, done.renewal.after, done.renewal.changes
    show_reading(done.run)
    if not done.run.pages:
        tell("no page was read, so nothing is recorded: the register stays as it is")
        return
    if before.facts or not done.recorded:
        print()
        show_changes(before, after, changes, recorded=done.recorded)
        waiting = standing(after)
        if not waiting or not done.recorded:
            return
        facts = [fact for group in waiting.values() for fact in group]
        listing = Listing(register=after, facts=facts, conflicts=waiting, today=today())
    else:
        listing = Listing(register=after, facts=after.facts, conflicts=standing(after), today=today(), verbose=verbose)
    print()
    show_register(listing)


def _print_json(done: Crawled) -> None:
    before, after = done.renewal.before, done.renewal.after
    print_json(
        register_json(
            after,
            today=today(),
            changes=renewal_json(before, after, done.renewal.changes, done.recorded, today()),
            warnings=() if done.recorded else done.run.warnings,
            crawl=crawl_json(done.run, done.run_id, done.at, done.cost),
        )
    )
