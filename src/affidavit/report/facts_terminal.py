"""A register for a terminal: what contradicts itself first, side by side, then the facts by category in a table.

Every text comes from a web page or a person and is inert here. In 80 columns the table holds state, id, statement and
value; where there is room for it also the subject and the page.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import TextIO

from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from affidavit.evidence.fact import Category, Fact, FactState
from affidavit.facts.consolidate import why_left_out
from affidavit.facts.decide import rivals_of, short_ids
from affidavit.facts.history import RULE, CustomerRegister, Moment
from affidavit.report import inert
from affidavit.report.check_terminal import cut
from affidavit.report.screen import WIDTH, laid_out, print_on
from affidavit.report.wording import counted

WIDEST = 140
"""Columns beyond which a table is no easier to read."""
_ROOMY = 110
QUOTE_CHARS = 280
NOTE_CHARS = 120
"""A longer scope note is cut in a list; `show` and --verbose have it whole."""
_FAR = 10_000
_SUBJECT = 18
_STYLES = {
    "approved": "green",
    "by rule": "green",
    "pending": "yellow",
    "conflict": "bold red",
    "expired": "magenta",
    "rejected": "dim",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """What of a register is shown: `facts` in its order, `conflicts` by their names. `verbose` shows every quote."""

    register: CustomerRegister
    facts: Sequence[Fact]
    conflicts: Mapping[str, Sequence[Fact]]
    today: date
    verbose: bool = False
    filtered: bool = False


def show_register(listing: Listing, stream: TextIO | None = None) -> None:
    """Print `listing` on `stream` (standard output), styled where `stream` is a terminal that wants it."""
    print_on(stream, partial(render_register, listing), most=WIDEST)


def show_fact(now: CustomerRegister, fact: Fact, today: date, stream: TextIO | None = None) -> None:
    """Print one fact with all that is known of it."""
    print_on(stream, partial(render_fact, now, fact, today))


def render_register(listing: Listing, *, width: int = WIDTH, styled: bool = False) -> str:
    """`listing` as text for `width` columns."""
    return laid_out(_register(listing, width), width=width, styled=styled)


def render_fact(now: CustomerRegister, fact: Fact, today: date, *, width: int = WIDTH, styled: bool = False) -> str:
    """One fact as text for `width` columns."""
    return laid_out(_fact(now, fact, today), width=width, styled=styled)


def state_of(fact: Fact, today: date) -> str:
    """The state in one or two words, as a person asks for it: may it be used, and who said so."""
    if fact.state is FactState.REJECTED:
        return "rejected"
    if fact.expires is not None and fact.expires < today:
        return "expired"
    if fact.state is FactState.APPROVED:
        return "by rule" if fact.decided_by == RULE else "approved"
    return "pending" if fact.conflict_group is None else "conflict"


def tally(now: CustomerRegister, today: date) -> str:
    """How many facts there are and what is left to decide, in one line."""
    states = Counter(state_of(fact, today) for fact in now.facts)
    groups = len(standing(now))
    parts = [counted(len(now.facts), "fact"), f"{len(now.register.usable(today))} may be used"]
    parts += [f"{states['pending']} to decide"] if states["pending"] else []
    parts += [counted(groups, "conflict")] if groups else []
    parts += [f"{states[name]} {name}" for name in ("rejected", "expired") if states[name]]
    return ", ".join(parts)


def standing(now: CustomerRegister) -> dict[str, tuple[Fact, ...]]:
    """The conflicts that a person still has to decide: two or more statements that nobody rejected."""
    return {
        name: facts
        for name, facts in now.register.conflicts().items()
        if sum(fact.state is not FactState.REJECTED for fact in facts) > 1
    }


def _register(listing: Listing, width: int) -> Iterable[RenderableType]:
    now = listing.register
    yield Text.assemble((inert.line(now.customer), "bold"), f": {tally(now, listing.today)}")
    if now.crawl is not None:
        pages = counted(now.crawl.read, "page")
        yield Text(f"{pages} of {inert.line(now.crawl.site_url)} read on {now.crawl.at[:10]}", "dim")
    ids = short_ids(now)
    for name, facts in listing.conflicts.items():
        yield Text()
        yield from _conflict(name, facts, ids)
    rest = [fact for fact in listing.facts if fact.conflict_group not in listing.conflicts]
    for category in Category:
        chosen = [fact for fact in rest if fact.category is category]
        if chosen:
            yield Text(f"\n{category}", "bold")
            yield _table(chosen, listing, ids, width)
    if not listing.facts and not listing.conflicts:
        yield Text("No fact is of that kind." if listing.filtered else "No facts yet.", "dim")
        return
    yield Text()
    if listing.conflicts:
        example = next(iter(listing.conflicts.values()))[0]
        yield Text(f"Decide a conflict: affidavit facts resolve {ids[example.fact_id]} --keep FACT", "dim")
    if listing.facts and all(fact in now.left_out for fact in listing.facts):
        yield Text("Not in the register: affidavit facts approve FACT… makes facts of them", "dim")
    elif any(state_of(fact, listing.today) == "pending" for fact in listing.facts):
        yield Text("Decide the others: affidavit facts approve FACT…, or reject FACT…", "dim")


def _conflict(name: str, facts: Sequence[Fact], ids: Mapping[str, str]) -> Iterable[RenderableType]:
    """The statements of one conflict, each with its words and where they stand."""
    about = sorted({inert.line(fact.subject) for fact in facts})
    title = f" {len(facts)} statements do not agree: {', '.join(about)}"
    yield Text.assemble(("CONFLICT", "bold red"), (title, "bold"), (f"  ({inert.line(name)})", "dim"))
    yield from _statements(facts, ids)


def _statements(facts: Sequence[Fact], ids: Mapping[str, str]) -> Iterable[RenderableType]:
    for fact in facts:
        grid = _grid(max(len(short) for short in ids.values()))
        quoted = any(source.quote == fact.text for source in fact.sources)
        said = Text() if quoted and fact.value is not None else Text(inert.line(fact.text))
        if fact.value is not None:
            said = Text.assemble((inert.line(fact.value), "bold"), "  ", said)
        if fact.state is not FactState.PENDING:
            said.append(f"  {fact.state} by {inert.line(fact.decided_by or '')}", "dim")
        grid.add_row(Text(ids[fact.fact_id], "cyan"), said)
        for part in _notes(fact, None, most=NOTE_CHARS):
            grid.add_row("", part)
        for part in _quotes(fact):
            grid.add_row("", part)
        yield Padding(grid, (0, 0, 0, 2))


def _table(facts: Sequence[Fact], listing: Listing, ids: Mapping[str, str], width: int) -> Table:
    roomy = width >= _ROOMY
    table = Table.grid(padding=(0, 2, 0, 0), expand=True)
    table.add_column(width=8, no_wrap=True)
    table.add_column(width=max(len(short) for short in ids.values()), no_wrap=True)
    table.add_column(ratio=1, overflow="fold")
    table.add_column(max_width=16 if roomy else 12, overflow="fold", justify="right")
    if roomy:
        table.add_column(width=_SUBJECT, overflow="fold")
        table.add_column(width=28, overflow="fold")
    for fact in facts:
        state = state_of(fact, listing.today)
        dim = "dim" if state in ("rejected", "expired") else ""
        cells: list[RenderableType] = [
            Text(state, _STYLES[state]),
            Text(ids[fact.fact_id], "cyan"),
            _statement(fact, listing, dim),
            Text(inert.line(fact.value or ""), dim),
        ]
        if roomy:
            cells += [Text(inert.line(fact.subject), dim), Text(_place(fact), "dim")]
        table.add_row(*cells)
    return table


def _statement(fact: Fact, listing: Listing, style: str) -> Table:
    """The words of a fact, with what limits them, and its quotes where they are asked for."""
    grid = Table.grid()
    grid.add_column(overflow="fold")
    grid.add_row(Text(inert.line(fact.text), style))
    if fact in listing.register.left_out:
        grid.add_row(Text(f"left out: {why_left_out(fact)}", "dim"))
    for part in _notes(
        fact, listing.register.contested.get(fact.fact_id), most=_FAR if listing.verbose else NOTE_CHARS
    ):
        grid.add_row(part)
    if listing.verbose:
        for part in _quotes(fact):
            grid.add_row(part)
    return grid


def _notes(fact: Fact, contested: str | None, *, most: int) -> Iterable[Text]:
    if fact.scope_note is not None:
        yield Text(f"({cut(inert.line(fact.scope_note), most)})", "dim")
    if fact.owner is not None:
        yield Text(f"of {inert.line(fact.owner)}", "dim")
    if fact.expires is not None:
        yield Text(f"until {fact.expires}", "dim")
    if contested is not None:
        yield Text(f"! {inert.line(contested)}", "red")


def _quotes(fact: Fact) -> Iterable[Text]:
    for one in fact.sources:
        yield Text(f"“{cut(inert.line(one.quote), QUOTE_CHARS)}”", "italic")
        yield Text(inert.line(inert.web_url(one.url) or one.url), "dim")
    if not fact.sources:
        yield Text(f"no page says it; added by {inert.line(fact.added_by or '')}", "dim")


def _place(fact: Fact) -> str:
    """Where a fact stands, in short: the path of its page, and how many more there are."""
    if not fact.sources:
        return f"added by {inert.line(fact.added_by or '')}"
    url = inert.line(fact.sources[0].url)
    path = url.partition("://")[2].partition("/")[2].rstrip("/") or "home page"
    more = f" and {len(fact.sources) - 1} more" if len(fact.sources) > 1 else ""
    return cut(path, 50) + more


def _fact(now: CustomerRegister, fact: Fact, today: date) -> Iterable[RenderableType]:
    ids = short_ids(now)
    state = state_of(fact, today)
    yield Text.assemble((inert.line(fact.text), "bold"))
    decided = f" by {inert.line(fact.decided_by)}, {_minute(fact.decided_at)}" if fact.decided_by else ""
    yield Text.assemble(
        (state, _STYLES[state]), decided if fact.decided_by != RULE else f", {_minute(fact.decided_at)}"
    )
    grid = _grid(10)
    rows = {
        "id": fact.fact_id,
        "category": fact.category.value,
        "subject": fact.subject,
        "value": fact.value,
        "scope": fact.scope_note,
        "owner": fact.owner,
        "confidence": f"{fact.confidence:.2f}",
        "expires": None if fact.expires is None else str(fact.expires),
        "added by": fact.added_by,
        "contested": now.contested.get(fact.fact_id),
    }
    for name, value in rows.items():
        if value is not None:
            grid.add_row(Text(name, "dim"), Text(inert.line(value)))
    yield grid
    for one in fact.sources:
        yield Text()
        yield Text(f"“{inert.line(one.quote)}”", "italic")
        yield Text(f"{inert.line(inert.web_url(one.url) or one.url)}, read on {one.retrieved_at[:10]}", "dim")
    rivals = rivals_of(now, fact)
    if rivals:
        yield Text()
        yield Text.assemble(
            ("It does not agree with", "bold red"), (f"  ({inert.line(fact.conflict_group or '')})", "dim")
        )
        yield from _statements(rivals, ids)
    yield Text("\nhistory", "bold")
    for moment in now.history.get(fact.fact_id, ()):
        yield Text(f"{_minute(moment.at)}  {_happened(moment)}")


def _happened(moment: Moment) -> str:
    """One change in a line: who did what, from what to what."""
    who = inert.line(moment.by or "the crawl")
    first = "fact_id" in moment.changes and moment.changes["fact_id"][0] is None
    if first:
        verb = "found it" if moment.by is None else "added it" if moment.type == "facts.added" else "imported it"
        state = moment.changes["state"][1]
        return f"{who} {verb}" + ("" if state == "pending" else f", {state} by {moment.changes['decided_by'][1]}")
    if not moment.changes:
        return f"{who} found it no more"
    told: list[str] = []
    for name, (before, after) in moment.changes.items():
        if name == "state":
            told.append({"approved": "approved it", "rejected": "rejected it", "pending": "set it back"}[after])
        elif name == "sources":
            told.append("found where it stands")
        elif name == "conflict_group":
            told.append("found what does not agree with it" if after else "ended its conflict")
        elif name not in ("decided_by", "decided_at", "candidates", "confidence"):
            told.append(f"changed its {name.replace('_', ' ')}: {_short(before)} → {_short(after)}")
    return f"{who} " + ("; ".join(told) or "confirmed it")


def _short(value: object) -> str:
    return "nothing" if value is None else cut(inert.line(str(value)), 60)


def _minute(at: str | None) -> str:
    return (at or "")[:16].replace("T", " ")


def _grid(width: int) -> Table:
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(width=width, no_wrap=True)
    grid.add_column(ratio=1, overflow="fold")
    return grid
