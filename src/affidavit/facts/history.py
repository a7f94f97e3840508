"""A customer's register as the fold of its events: what was found, and what persons decided, in the order it happened.

    facts.begun ─ facts.crawled, facts.found ─ facts.decided ─ facts.edited ─ facts.crawled, facts.found ─ …

An event holds what came of it, whole facts (`put`) and ids (`removed`), and not only what was asked for: so a register
reads the same whatever a later version would make of the same pages. Whatever wrote the event, the fold refuses a
re-run that touches what a person holds; else a fault in one merge would undo an approval in silence.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

from affidavit.errors import IntegrityError
from affidavit.evidence.fact import Category, Fact, FactState, Register
from affidavit.facts.consolidate import uncited
from affidavit.facts.record import FACT_FIELDS, NoRecord, fact_of, fact_record
from affidavit.ledger import Event

RULE = "rule"
"""Who decided, where no person did: a threshold."""

BEGUN = "facts.begun"
CRAWLED = "facts.crawled"
FOUND = "facts.found"
DECIDED = "facts.decided"
EDITED = "facts.edited"
ADDED = "facts.added"
RESOLVED = "facts.resolved"
EXPIRED = "facts.expired"
IMPORTED = "facts.imported"

OF_PERSONS = (DECIDED, EDITED, ADDED, RESOLVED, EXPIRED, IMPORTED)

_OF_THE_SITE = ("candidates", "sources", "confidence", "conflict_group")
"""What a re-run may renew of a fact that a person holds: where it stands, and what contradicts it."""

_ORDER = {category: number for number, category in enumerate(Category)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """One event in the life of a fact. `by` is None for a re-run. `changes` are the fields that it changed, before and
    after; all of them at first sight."""

    revision: int
    at: str
    type: str
    by: str | None
    changes: Mapping[str, tuple[Any, Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Crawl:
    """What the last crawl of the site left. `pages` is the blob of what is known of all of its pages."""

    run_id: str
    site_url: str
    at: str
    read: int
    pages: str
    gaps: tuple[Mapping[str, Any], ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class CustomerRegister:
    """The register of one customer at one revision.

    `revision` counts its events. `held` are the ids of the facts that a person decided, wrote or changed; no re-run
    takes one of them away. `contested` says of some of them why the site no longer bears them out. `history` has every
    fact that ever was, those that are gone as well.
    """

    customer: str
    revision: int
    register: Register
    held: frozenset[str] = frozenset()
    contested: Mapping[str, str] = field(default_factory=dict[str, str])
    history: Mapping[str, tuple[Moment, ...]] = field(default_factory=dict[str, tuple[Moment, ...]])
    crawl: Crawl | None = None
    left_out: tuple[Fact, ...] = ()
    """What was read off the site beside its facts; filled only where it is asked for (`Registers.load`)."""

    @property
    def facts(self) -> tuple[Fact, ...]:
        return self.register.facts

    def fact(self, fact_id: str) -> Fact | None:
        return next((fact for fact in self.facts if fact.fact_id == fact_id), None)

    def group(self, name: str) -> tuple[Fact, ...]:
        return tuple(fact for fact in self.facts if fact.conflict_group == name)


def in_order(facts: Iterable[Fact]) -> tuple[Fact, ...]:
    """`facts` as a register lists them: by category, then by confidence, then by their words."""
    return tuple(sorted(facts, key=lambda fact: (_ORDER[fact.category], -fact.confidence, fact.text, fact.fact_id)))


def fold(events: Sequence[Event]) -> CustomerRegister:
    """The register that `events`, a whole stream, come to. Raises IntegrityError for a stream that is no register's."""
    if not events or events[0].type != BEGUN:
        raise IntegrityError(f"{events[0].run_id if events else 'an empty stream'} does not begin as a register does")
    now = CustomerRegister(
        customer=str(events[0].payload["customer"]), revision=1, register=Register(str(events[0].payload["customer"]))
    )
    for event in events[1:]:
        now = after(now, event)
    return now


def after(now: CustomerRegister, event: Event) -> CustomerRegister:
    """The register after one more event."""
    where = f"the register of {now.customer}, event {event.seq} ({event.type})"
    if event.type == CRAWLED:
        return replace(now, revision=event.seq, crawl=_crawl(event))
    if event.type != FOUND and event.type not in OF_PERSONS:
        raise IntegrityError(f"{where}: no such event is known; a newer Affidavit wrote it: upgrade")
    payload = cast("Mapping[str, Any]", event.payload)
    try:
        put = [fact_of(record) for record in payload["put"]]
    except NoRecord as error:
        raise IntegrityError(f"{where}: {error}") from error
    removed = frozenset(cast("Sequence[str]", payload["removed"]))
    facts = {fact.fact_id: fact for fact in now.facts}
    if event.type == FOUND:
        check_kept(now, put, removed, where)
    history = dict(now.history)
    for fact in put:
        moment = _moment(event, facts.get(fact.fact_id), fact)
        history[fact.fact_id] = (*history.get(fact.fact_id, ()), moment)
        facts[fact.fact_id] = fact
    for fact_id in removed:
        gone = Moment(revision=event.seq, at=event.at, type=event.type, by=payload.get("by"), changes={})
        history[fact_id] = (*history.get(fact_id, ()), gone)
        facts.pop(fact_id, None)
    rejected = [fact for fact in facts.values() if fact.state is FactState.REJECTED]
    touched = {fact.fact_id for fact in put}
    contested = {name: why for name, why in now.contested.items() if event.type != FOUND and name not in touched}
    return replace(
        now,
        revision=event.seq,
        register=Register(now.customer, in_order(uncited(list(facts.values()), rejected))),
        held=(now.held | frozenset(cast("Sequence[str]", payload.get("held", ())))) - removed,
        contested=contested | dict(cast("Mapping[str, str]", payload.get("contested", {}))),
        history=history,
    )


def check_kept(now: CustomerRegister, put: Iterable[Fact], removed: Iterable[str], where: str) -> None:
    """Refuse a re-run that takes away or alters what a person holds. Raises IntegrityError."""
    lost = sorted(now.held & frozenset(removed))
    if lost:
        raise IntegrityError(f"{where}: the re-run takes away {lost[0]}, which a person decided or wrote")
    for fact in put:
        before = now.fact(fact.fact_id)
        if before is None or fact.fact_id not in now.held:
            continue
        altered = [name for name in changes_of(before, fact) if name not in _OF_THE_SITE]
        if altered:
            raise IntegrityError(f"{where}: the re-run alters {altered[0]} of {fact.fact_id}, which a person decided")


def changes_of(before: Fact | None, now: Fact) -> dict[str, tuple[Any, Any]]:
    """The fields in which two states of a fact differ, as JSON, before and after."""
    new = fact_record(now)
    old = dict.fromkeys(FACT_FIELDS) if before is None else fact_record(before)
    return {name: (old[name], new[name]) for name in FACT_FIELDS if old[name] != new[name]}


def _moment(event: Event, before: Fact | None, now: Fact) -> Moment:
    by = cast("str | None", event.payload.get("by"))
    return Moment(revision=event.seq, at=event.at, type=event.type, by=by, changes=changes_of(before, now))


def _crawl(event: Event) -> Crawl:
    payload = cast("Mapping[str, Any]", event.payload)
    return Crawl(
        run_id=payload["run_id"],
        site_url=payload["site_url"],
        at=event.at,
        read=payload["read"],
        pages=payload["pages"],
        gaps=tuple(payload["gaps"]),
        warnings=tuple(payload["warnings"]),
    )
