"""What a crawl or a decision did to a register, or would do, for a terminal: a line a fact, like a diff."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import TextIO

from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from affidavit.evidence.fact import Fact
from affidavit.facts.decide import short_ids
from affidavit.facts.dropped import Why
from affidavit.facts.history import CustomerRegister, changes_of
from affidavit.facts.page import GapKind, PageGap
from affidavit.facts.renew import Change, Changes
from affidavit.facts.run import FactRun
from affidavit.report import inert
from affidavit.report.check_terminal import cut
from affidavit.report.facts_terminal import WIDEST
from affidavit.report.screen import WIDTH, laid_out, print_on
from affidavit.report.wording import counted

SHOWN_GAPS = 6
SHOWN_URLS = 2
_QUIET = ("candidates", "sources", "confidence", "decided_at")
"""Fields whose change says nothing to a person who reads a diff."""


def show_changes(
    before: CustomerRegister, after: CustomerRegister, changes: Changes, *, recorded: bool, stream: TextIO | None = None
) -> None:
    """Print what changes between two states of a register."""
    print_on(stream, partial(render_changes, before, after, changes, recorded=recorded), most=WIDEST)


def show_reading(run: FactRun, stream: TextIO | None = None) -> None:
    """Print what was read of a site, and what could not be."""
    print_on(stream, partial(render_reading, run))


def render_changes(
    before: CustomerRegister,
    after: CustomerRegister,
    changes: Changes,
    *,
    recorded: bool,
    width: int = WIDTH,
    styled: bool = False,
) -> str:
    """The changes as text for `width` columns."""
    return laid_out(_changes(before, after, changes, recorded), width=width, styled=styled)


def render_reading(run: FactRun, *, width: int = WIDTH, styled: bool = False) -> str:
    """The reading as text for `width` columns."""
    return laid_out(_reading(run), width=width, styled=styled)


def changed_fields(before: Fact, after: Fact) -> list[str]:
    """What differs between two states of a fact, in a few words; nothing where only its place or surety does."""
    told: list[str] = []
    for name, (old, new) in changes_of(before, after).items():
        if name in _QUIET:
            continue
        if name == "conflict_group":
            told.append("in no conflict any more" if new is None else "in conflict")
            continue
        shown = "scope" if name == "scope_note" else name.replace("_", " ")
        told.append(f"{shown}: {_short(old)} → {_short(new)}")
    return told


def _changes(
    before: CustomerRegister, after: CustomerRegister, changes: Changes, recorded: bool
) -> Iterable[RenderableType]:
    counts = [
        f"{len(part)} {word}"
        for part, word in (
            (changes.added, "new"),
            (changes.changed, "changed"),
            (changes.removed, "gone"),
            (changes.contested, "in doubt"),
        )
        if part
    ]
    lead = ", ".join(counts) or "nothing new"
    if not recorded:
        yield Text("A dry run: nothing is recorded. This would change:", "dim")
    yield Text.assemble((f"{lead[0].upper()}{lead[1:]}", "bold"), f"; {changes.kept} as before")
    ids = {**short_ids(before), **short_ids(after)}
    for mark, style, part in (
        ("+", "green", changes.added),
        ("~", "yellow", changes.changed),
        ("-", "red", changes.removed),
        ("!", "bold red", changes.contested),
    ):
        for change in part:
            yield _change(mark, style, change, ids)


def _change(mark: str, style: str, change: Change, ids: Mapping[str, str]) -> RenderableType:
    fact = change.after or change.before
    assert fact is not None  # a change is of a fact
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(width=1)
    grid.add_column(width=max((len(short) for short in ids.values()), default=4), no_wrap=True)
    grid.add_column(ratio=1, overflow="fold")
    grid.add_row(Text(mark, style), Text(ids.get(fact.fact_id, ""), "cyan"), Text(inert.line(fact.text)))
    fields = changed_fields(change.before, change.after) if mark == "~" and change.before and change.after else []
    for told in fields:
        grid.add_row("", "", Text(told, "dim"))
    if change.why and mark != "+" and not fields:
        grid.add_row("", "", Text(inert.line(change.why), "dim" if mark != "!" else "red"))
    return Padding(grid, (0, 0, 0, 2))


def _reading(run: FactRun) -> Iterable[RenderableType]:
    found = counted(len(run.candidates), "statement")
    facts = counted(len(run.register.facts), "fact")
    yield Text(f"{counted(len(run.pages), 'page')} of {inert.line(run.site_url)} read: {found}, {facts}")
    for warning in run.warnings:
        yield Text.assemble(("Note: ", "yellow"), inert.line(warning))
    beside = sum(one.why in (Why.NOT_CHOSEN, Why.CUT) for one in run.dropped)
    if beside:
        yield Text(f"{beside} more were left out of the register: affidavit facts list --state left-out", "dim")
    yield from _gaps(run.gaps)


def _gaps(gaps: Sequence[PageGap]) -> Iterable[RenderableType]:
    """The pages that gave nothing, those with one reason together; of many reasons only the first."""
    reasons: dict[tuple[str, str], list[PageGap]] = {}
    for gap in gaps:
        label = "Not read" if gap.failure else "Beyond the limits" if gap.kind is GapKind.OVER_LIMIT else "Left out"
        reasons.setdefault((label, gap.detail), []).append(gap)
    for (label, detail), some in list(reasons.items())[:SHOWN_GAPS]:
        # A gap over the limits stands for many pages, which its detail names.
        urls = "" if label == "Beyond the limits" else ", ".join(inert.line(gap.url) for gap in some[:SHOWN_URLS])
        more = f", … {len(some)} pages" if len(some) > SHOWN_URLS else ""
        told = f"{urls}{more} ({inert.line(detail)})" if urls else inert.line(detail)
        yield Text.assemble((f"{label}: ", "yellow"), told)
    rest = sum(len(some) for some in list(reasons.values())[SHOWN_GAPS:])
    if rest:
        yield Text(f"… and {rest} more pages that gave nothing", "dim")


def _short(value: object) -> str:
    return "none" if value is None else cut(inert.line(str(value)), 60)
