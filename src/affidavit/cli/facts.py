"""``affidavit facts``: what a customer may say of itself, read off its site and decided on by a person."""

import json
import sys
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from affidavit.cli.exit_codes import Exit
from affidavit.cli.facts_crawl import crawl
from affidavit.cli.facts_options import (
    AsJson,
    By,
    Customer,
    Facts,
    OneFact,
    Seen,
    customer_of,
    decide,
    print_json,
    today,
)
from affidavit.cli.output import write_told
from affidavit.cli.streams import as_text, print_text, tell
from affidavit.cli.targets import check_targets
from affidavit.errors import UserError
from affidavit.evidence.fact import Category, Fact
from affidavit.facts import decide as decisions
from affidavit.facts.decide import Edit, Step, Who, found, rivals_of
from affidavit.facts.fact_file import LARGEST, FaultyFile, facts_csv, read_rows
from affidavit.facts.history import CustomerRegister
from affidavit.facts.imported import imported
from affidavit.facts.record import NoRecord, read_day
from affidavit.register import open_registers
from affidavit.report.facts_json import fact_detail_json, register_json
from affidavit.report.facts_terminal import Listing, show_fact, show_register, standing, state_of
from affidavit.settings import load_settings

app = typer.Typer(help="Read a customer's site for facts, and decide which may be used.", no_args_is_help=True)
app.command("crawl")(crawl)


class Shown(StrEnum):
    """Which facts are listed."""

    ALL = "all"
    USABLE = "usable"
    PENDING = "pending"
    CONFLICT = "conflict"
    REJECTED = "rejected"
    EXPIRED = "expired"
    LEFT_OUT = "left-out"


class Format(StrEnum):
    CSV = "csv"
    JSON = "json"


@app.command("list")
def list_facts(
    customer: Customer = None,
    state: Annotated[Shown, typer.Option(help="Only these.")] = Shown.ALL,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Show every quote and where it stands.")] = False,
    as_json: AsJson = False,
) -> None:
    """List a customer's facts: what contradicts itself first, then by category.

    left-out are statements of the site that have no place in the register; approving one makes it a fact.
    """
    beside = state is Shown.LEFT_OUT
    with open_registers(load_settings()) as registers:
        now = registers.load(customer_of(registers, customer), left_out=beside)
    facts = now.left_out if beside else [fact for fact in now.facts if _is_shown(fact, state, now)]
    if as_json:
        print_json(register_json(now, today=today(), facts=facts))
        return
    wanted = state in (Shown.ALL, Shown.CONFLICT)
    show_register(
        Listing(
            register=now,
            facts=facts,
            conflicts=standing(now) if wanted else {},
            today=today(),
            verbose=verbose,
            filtered=state is not Shown.ALL,
        )
    )


def _is_shown(fact: Fact, state: Shown, now: CustomerRegister) -> bool:
    match state:
        case Shown.ALL:
            return True
        case Shown.USABLE:
            return fact.usable(today())
        case Shown.CONFLICT:
            return fact.conflict_group in standing(now)
        case _:
            return state_of(fact, today()) == state.value


@app.command("show")
def show(fact: OneFact, customer: Customer = None, as_json: AsJson = False) -> None:
    """Show one fact: its words, every quote and where it stands, and who changed what."""
    with open_registers(load_settings()) as registers:
        now = registers.load(customer_of(registers, customer), left_out=True)
    one = found(now, fact)
    if as_json:
        print_json(fact_detail_json(now, one, rivals_of(now, one), today()))
    else:
        show_fact(now, one, today())


@app.command("approve")
def approve(facts: Facts, customer: Customer = None, by: By = None, seen: Seen = None, as_json: AsJson = False) -> int:
    """Approve facts: a writer may assert them from now on."""
    return decide(customer, by, seen, as_json, lambda now, who: decisions.approve(now, facts, who))


@app.command("reject")
def reject(facts: Facts, customer: Customer = None, by: By = None, seen: Seen = None, as_json: AsJson = False) -> int:
    """Reject facts: a draft that uses one is withheld, and no re-run brings it back."""
    return decide(customer, by, seen, as_json, lambda now, who: decisions.reject(now, facts, who))


@app.command("edit")
def edit(
    fact: OneFact,
    text: Annotated[str | None, typer.Option(help="The statement.")] = None,
    value: Annotated[str | None, typer.Option(help="Its figure; empty takes it away.")] = None,
    scope: Annotated[
        str | None, typer.Option(help="What the figure counts, and what not; empty takes it away.")
    ] = None,
    subject: Annotated[str | None, typer.Option(help="What it says something of.")] = None,
    category: Annotated[Category | None, typer.Option(help="What it is about.")] = None,
    owner: Annotated[str | None, typer.Option(help="Whose figure it is, if not the customer's; empty: theirs.")] = None,
    customer: Customer = None,
    by: By = None,
    seen: Seen = None,
    as_json: AsJson = False,
) -> int:
    """Change the words of a fact. Its quotes stay what the page says."""
    change = Edit(
        text=as_text(text),
        category=category,
        subject=as_text(subject),
        value=as_text(value),
        scope_note=as_text(scope),
        owner=as_text(owner),
    )
    if change == Edit():
        raise UserError(f"edit {fact}: say what to change, with --text, --value, --scope, --subject or --category")
    return decide(customer, by, seen, as_json, lambda now, who: decisions.edit(now, fact, change, who))


@app.command("add")
def add(
    text: Annotated[str, typer.Argument(metavar="TEXT", help="The statement, in one sentence.")],
    subject: Annotated[str, typer.Option(help="What it says something of, as office.")],
    category: Annotated[Category, typer.Option(help="What it is about.")] = Category.OTHER,
    value: Annotated[str | None, typer.Option(help="Its figure, as you write it.")] = None,
    scope: Annotated[str | None, typer.Option(help="What the figure counts, and what not.")] = None,
    owner: Annotated[str | None, typer.Option(help="Whose figure it is, if not the customer's.")] = None,
    expires: Annotated[str | None, typer.Option(metavar="DATE", help="The last day on which it may be used.")] = None,
    customer: Customer = None,
    by: By = None,
    as_json: AsJson = False,
) -> int:
    """Add a fact that no page states. It is approved, by you."""
    last = _day(expires, "--expires")

    def step(now: CustomerRegister, who: Who) -> Step:
        new = decisions.written(
            now.customer,
            text=as_text(text) or "",
            category=category,
            subject=as_text(subject) or "",
            value=as_text(value),
            scope_note=as_text(scope),
            owner=as_text(owner),
            expires=last,
            who=who,
        )
        return decisions.add(now, new, who)

    return decide(customer, by, None, as_json, step)


@app.command("resolve")
def resolve(
    group: Annotated[str, typer.Argument(metavar="GROUP", help="A conflict's name, or any fact of it.")],
    keep: Annotated[
        list[str] | None, typer.Option(metavar="FACT", help="What holds. May be repeated, each with a --scope.")
    ] = None,
    scope: Annotated[
        list[str] | None,
        typer.Option(metavar="FACT=NOTE", help="What a statement that is kept counts, and what not. Repeatable."),
    ] = None,
    customer: Customer = None,
    by: By = None,
    seen: Seen = None,
    as_json: AsJson = False,
) -> int:
    """Decide a conflict: what is kept is approved, the rest is rejected."""
    notes: dict[str, str] = {}
    for one in scope or ():
        fact, equals, note = (as_text(one) or "").partition("=")
        if not equals:
            raise UserError(f"--scope {one}: write FACT=NOTE, as 3f2a='offices, not placements'")
        notes[fact] = note
    return decide(customer, by, seen, as_json, lambda now, who: decisions.resolve(now, group, keep or (), notes, who))


@app.command("expire")
def expire(
    facts: Facts,
    on: Annotated[str | None, typer.Option("--on", metavar="DATE", help="The last day of use, as 2027-03-31.")] = None,
    never: Annotated[bool, typer.Option("--never", help="Take the date back.")] = False,
    customer: Customer = None,
    by: By = None,
    seen: Seen = None,
    as_json: AsJson = False,
) -> int:
    """Say until when facts may be used."""
    if (on is None) is not never:
        raise UserError("say with --on DATE until when, or with --never that they do not expire; one of the two")
    last = _day(on, "--on")
    return decide(customer, by, seen, as_json, lambda now, who: decisions.expire(now, facts, last, who))


@app.command("export")
def export(
    customer: Customer = None,
    output_format: Annotated[
        Format | None, typer.Option("--format", help="Default: what the ending of --out says, else csv.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Write here instead of to standard output.")] = None,
    as_json: AsJson = False,
) -> None:
    """Write a register as a file that people edit (csv) or programs read (json)."""
    shown = _format(output_format, as_json, out)
    check_targets({"--out": out}, [])
    with open_registers(load_settings()) as registers:
        now = registers.load(customer_of(registers, customer))
    text = _exported(now, shown)
    if out is None:
        print_text(text)
    else:
        write_told(out, text)


@app.command("import")
def import_facts(
    file: Annotated[str, typer.Argument(metavar="FILE", help="CSV or JSON, as export writes it; - is standard input.")],
    customer: Customer = None,
    by: By = None,
    as_json: AsJson = False,
) -> int:
    """Import facts from a file: all of them, or none and every fault by line and column."""
    try:
        rows = read_rows(file, _body(file))
        return decide(customer, by, None, as_json, lambda now, who: imported(now, file, rows, who))
    except FaultyFile as error:
        for told in (error.lead, *error.told):
            tell(told)
        return Exit.USAGE


def _body(file: str) -> bytes:
    """The bytes of a file, one more than are read at most: that tells what is too long. Raises UserError."""
    if file == "-":
        return sys.stdin.buffer.read(LARGEST + 1)
    try:
        with Path(file).expanduser().open("rb") as opened:
            return opened.read(LARGEST + 1)
    except OSError as error:
        raise UserError(f"{file}: cannot be read: {error.strerror or error}") from error


def _format(given: Format | None, as_json: bool, out: Path | None) -> Format:
    if as_json and given is Format.CSV:
        raise UserError("--json and --format csv ask for two different things")
    ending = out.suffix.lower().removeprefix(".") if out is not None else ""
    if given is None and not as_json and out is not None and ending not in set(Format):
        raise UserError(f"{out}: the ending {out.suffix!r} names no format; add --format csv|json")
    return Format.JSON if as_json else given or (Format(ending) if ending in set(Format) else Format.CSV)


def _exported(now: CustomerRegister, output_format: Format) -> str:
    if output_format is Format.JSON:
        return json.dumps(register_json(now, today=today()), ensure_ascii=False, indent=2) + "\n"
    revisions = {fact.fact_id: now.history[fact.fact_id][-1].revision for fact in now.facts}
    return facts_csv(now.facts, revisions)


def _day(given: str | None, option: str) -> date | None:
    try:
        return read_day(given, option)
    except NoRecord as error:
        raise UserError(str(error)) from error
