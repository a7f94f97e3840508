"""What the commands under ``affidavit facts`` share: whose register, who decides, and how the outcome is shown."""

import getpass
import json
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from typing import Annotated, Any

import typer

from affidavit.cli.exit_codes import Exit
from affidavit.cli.streams import as_text, print_text, tell
from affidavit.errors import Overtaken, UserError
from affidavit.evidence.fact import Fact
from affidavit.facts.decide import Step, Who
from affidavit.facts.history import CustomerRegister
from affidavit.facts.renew import Change, Changes
from affidavit.facts.store import Decided, Registers
from affidavit.register import open_registers
from affidavit.report.facts_changes import show_changes
from affidavit.report.facts_json import decided_json, register_json
from affidavit.settings import load_settings

Customer = Annotated[
    str | None, typer.Option(metavar="NAME", help="Whose register. May be left out where there is only one.")
]
By = Annotated[
    str | None, typer.Option("--as", metavar="NAME", help="Who decides. Default: the name you are logged in with.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Seen = Annotated[
    int | None,
    typer.Option(
        metavar="REVISION", help="The register's revision you looked at; refuse if a fact changed since (list --json)."
    ),
]
Facts = Annotated[list[str], typer.Argument(metavar="FACT…", help="Ids of facts, or enough of their beginnings.")]
OneFact = Annotated[str, typer.Argument(metavar="FACT", help="The id of a fact, or enough of its beginning.")]


def who_decides(given: str | None) -> Who:
    """The person who decides. Raises UserError where nobody is named and nobody is logged in."""
    name = as_text(given)
    if name is None:
        try:
            name = getpass.getuser()
        except (OSError, KeyError, ImportError) as error:
            raise UserError("it is not known who you are: say with --as NAME who decides") from error
    return Who.named(name, datetime.now(UTC))


def customer_of(registers: Registers, given: str | None) -> str:
    """`given`, or the one customer there is. Raises UserError."""
    name = as_text(given)
    if name is not None:
        return name
    known = registers.customers()
    if len(known) == 1:
        return known[0]
    there = f"there are registers of {', '.join(known)}" if known else "`affidavit facts crawl` makes a register"
    raise UserError(f"say with --customer NAME whose register is meant; {there}")


def decide(
    customer: str | None,
    by: str | None,
    seen: int | None,
    as_json: bool,
    decision: Callable[[CustomerRegister, Who], Step],
) -> int:
    """Record a decision and show what changed. What somebody else changed first is told, with exit status 1."""
    who = who_decides(by)
    with open_registers(load_settings()) as registers:
        try:
            done = registers.decide(
                customer_of(registers, customer), who.name, lambda now: decision(now, who), seen=seen
            )
        except Overtaken as error:
            tell(str(error))
            return Exit.FINDINGS
    show_decided(done, as_json)
    return Exit.DONE


def show_decided(done: Decided, as_json: bool) -> None:
    """What a decision changed, and what was noticed on the way."""
    if as_json:
        changes = decided_json(done.before, done.after, today())
        print_json(register_json(done.after, today=today(), changes=changes, warnings=done.told))
        return
    if done.after.revision != done.before.revision:
        show_changes(done.before, done.after, changes_between(done.before, done.after), recorded=True)
    if done.before.revision == 0 and done.after.revision:
        tell(f"this began a register of {done.after.customer}; affidavit facts list shows it")
    for told in done.told:
        tell(told)


def changes_between(before: CustomerRegister, after: CustomerRegister) -> Changes:
    """The facts in which two states of a register differ."""
    old: dict[str, Fact] = {fact.fact_id: fact for fact in before.facts}
    changed = [fact for fact in after.facts if old.get(fact.fact_id) != fact]
    return Changes(
        added=tuple(Change(before=None, after=fact, why="") for fact in changed if fact.fact_id not in old),
        changed=tuple(Change(before=old[fact.fact_id], after=fact, why="") for fact in changed if fact.fact_id in old),
        kept=len(after.facts) - len(changed),
    )


def print_json(value: Mapping[str, Any]) -> None:
    print_text(json.dumps(value, ensure_ascii=False, indent=2) + "\n")


def today() -> date:
    """The day by which a fact expires, in UTC as everything recorded is."""
    return datetime.now(UTC).date()
