"""Where the registers are: one stream of events a customer in the ledger, read by folding it, written by adding to it.

Two that decide at once both succeed where they decide on different facts. Where one decided first on a fact that the
other decides on too, the other is told what changed and nothing of theirs is recorded: nobody overwrites a decision
that they have not seen.
"""

import hashlib
import json
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from typing import Any, cast

from affidavit.errors import BlobMismatch, Overtaken, UserError
from affidavit.evidence.fact import Fact, FactState, Register
from affidavit.facts.consolidate import left_out, uncited
from affidavit.facts.decide import NotInRegister, Step, same_words
from affidavit.facts.history import (
    BEGUN,
    CRAWLED,
    FOUND,
    RULE,
    CustomerRegister,
    Moment,
    after,
    check_kept,
    fold,
    in_order,
)
from affidavit.facts.identity import group_id
from affidavit.facts.page import PageFacts, address
from affidavit.facts.record import fact_record, pages_of, pages_record
from affidavit.facts.renew import UNSAID, Change, Changes, renewed
from affidavit.facts.run import FactRun
from affidavit.ledger import Event, Ledger
from affidavit.version import __version__

TRIES = 50
"""How often a decision is made anew because somebody else was quicker. Each time somebody else has succeeded."""

DISPLACED = "the site still says it; others came before it in the register"

_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """A register before and after, and what a person should be told. The two are one where nothing changed."""

    before: CustomerRegister
    after: CustomerRegister
    told: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Renewal:
    """What a run makes of a register: nothing where it read no page. Recorded or not (a dry run), it is the same."""

    before: CustomerRegister
    after: CustomerRegister
    changes: Changes


class Registers:
    """The registers in `ledger`."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    def customers(self) -> tuple[str, ...]:
        """The names of the customers that have a register, in their order."""
        begun = self._ledger.streams(BEGUN)
        return tuple(sorted((str(event.payload["customer"]) for event in begun), key=str.casefold))

    def load(self, customer: str, *, left_out: bool = False) -> CustomerRegister:
        """The register of `customer`, whose name is known by its letters: not by case or white space; with what was
        left out of it where that is asked for. Raises UserError where there is none, naming those there are."""
        now, _ = self._read(customer)
        if now.revision:
            return self._with_left_out(now) if left_out else now
        known = self.customers()
        there = f"there are registers of {', '.join(known)}" if known else "there is no register yet"
        raise UserError(
            f"no register of {customer}; {there}. `affidavit facts crawl URL --customer {customer}` makes one"
        )

    def find(self, customer: str) -> CustomerRegister:
        """The register of `customer`, empty and of revision 0 where there is none yet."""
        return self._read(customer)[0]

    def pages(self, now: CustomerRegister) -> tuple[PageFacts, ...]:
        """What is known of the pages of a customer's site. Raises StorageError or BlobMismatch where it is lost."""
        if now.crawl is None:
            return ()
        try:
            return pages_of(json.loads(self._ledger.blobs.get(now.crawl.pages)))
        except (KeyError, TypeError, ValueError) as error:
            raise BlobMismatch(
                f"the pages of {now.customer} (blob {now.crawl.pages}) cannot be read: {error}"
            ) from error

    def decide(
        self, customer: str, by: str, decision: Callable[[CustomerRegister], Step], *, seen: int | None = None
    ) -> Decided:
        """Record what `decision` makes of the register of `customer`, which is begun if there is none.

        A statement that was left out of the register may be decided on as a fact of it, and is one then. `seen` is the
        revision that the person looked at; None: the newest. Raises Overtaken where a fact that is
        decided on changed since; whatever `decision` raises.
        """
        first, _ = self._read(customer)
        looked_at = first.revision if seen is None else seen
        if looked_at > first.revision:
            raise UserError(
                f"revision {looked_at} of {first.customer}'s register is not there; the newest is {first.revision}"
            )
        for _ in range(TRIES):
            now, last = self._read(customer)
            try:
                step = decision(now)
            except NotInRegister:
                step = decision(self._with_left_out(now))
            _check_seen(now, step, looked_at)
            if not step.put:
                return Decided(before=now, after=now, told=step.told)
            payload = {
                **step.detail,
                "by": by,
                "put": [fact_record(fact) for fact in step.put],
                "removed": [],
                "held": sorted(fact.fact_id for fact in step.put if _is_held(now, fact)),
            }
            try:
                return Decided(before=now, after=self._append(now, last, [(step.type, payload)]), told=step.told)
            except Overtaken:
                continue
        raise Overtaken(f"the register of {customer} changed {TRIES} times meanwhile; nothing was recorded: try again")

    def renewal(self, customer: str, run: FactRun) -> Renewal:
        """What `run` would make of the register as it is now. Records nothing."""
        now, last = self._read(customer)
        if not run.pages:
            return _as_it_is(now)
        told, changes = _found(now, run)
        at = _now() if last is None else last.at
        event = Event.following(last, run_id="dry", event_type=FOUND, at=at, payload=cast("Mapping[str, object]", told))
        return Renewal(before=now, after=after(now, event), changes=changes)

    def keep(self, customer: str, run_id: str, run: FactRun) -> Renewal:
        """Record what the ledger's run `run_id` found, against the register as it is when it is recorded: whatever was
        decided while the site was read stands."""
        for _ in range(TRIES):
            now, last = self._read(customer)
            if not run.pages:
                return _as_it_is(now)
            told, changes = _found(now, run)
            crawled = {
                "run_id": run_id,
                "site_url": run.site_url,
                "read": len(run.pages),
                "pages": self._keep_pages(now, run),
                "gaps": [asdict(gap) for gap in run.gaps],
                "warnings": list(run.warnings),
            }
            try:
                new = self._append(now, last, [(CRAWLED, crawled), (FOUND, told | {"run_id": run_id})])
            except Overtaken:
                continue
            return Renewal(before=now, after=new, changes=changes)
        raise Overtaken(f"the register of {customer} changed {TRIES} times meanwhile; nothing was recorded: try again")

    def _with_left_out(self, now: CustomerRegister) -> CustomerRegister:
        candidates = [one for page in self.pages(now) for one in page.candidates]
        return replace(now, left_out=left_out(candidates, now.facts))

    def _keep_pages(self, now: CustomerRegister, run: FactRun) -> str:
        """The blob of all that is known of the site: the pages of `run`, and those before that it did not settle."""
        settled = run.settled
        before = (page for page in (*self.pages(now), *run.carried) if address(page.page.url) not in settled)
        known = {page.page.url: page for page in (*before, *run.pages)}
        return self._ledger.blobs.put(json.dumps(pages_record(list(known.values())), sort_keys=True).encode())

    def _read(self, customer: str) -> tuple[CustomerRegister, Event | None]:
        name = customer_name(customer)
        events = self._ledger.stream(stream_of(name))
        if not events:
            return CustomerRegister(customer=name, revision=0, register=Register(name)), None
        return fold(events), events[-1]

    def _append(
        self, now: CustomerRegister, last: Event | None, said: Sequence[tuple[str, Mapping[str, object]]]
    ) -> CustomerRegister:
        """Record `said` behind `last`, and begin the register with it where it has not begun. Raises Overtaken."""
        begin = [] if last is not None else [(BEGUN, {"customer": now.customer, "product": __version__})]
        events = self._ledger.append(stream_of(now.customer), last, [*begin, *said])
        for event in events[len(begin) :]:
            now = after(now, event)
        return now


def _as_it_is(now: CustomerRegister) -> Renewal:
    """What a run that read no page makes of a register: it knows nothing of the site."""
    return Renewal(before=now, after=now, changes=Changes(kept=len(now.facts)))


def customer_name(given: str) -> str:
    """`given` as a customer is called. Raises UserError for what is no name."""
    name = unicodedata.normalize("NFC", _SPACE.sub(" ", given).strip())
    if not name or len(name) > 200 or not name.isprintable():
        raise UserError(f"--customer {given!r}: write the customer's name, in one line of at most 200 characters")
    return name


def stream_of(customer: str) -> str:
    """The ledger's stream of a customer: ``register_`` and 24 hex digits over the name, its case left aside."""
    folded = unicodedata.normalize("NFKC", customer).casefold()
    return "register_" + hashlib.sha256(folded.encode()).hexdigest()[:24]


def _check_seen(now: CustomerRegister, step: Step, looked_at: int) -> None:
    """Refuse to overwrite what the person had not seen. Raises Overtaken."""
    for fact in step.put:
        later = [one for one in now.history.get(fact.fact_id, ()) if one.revision > looked_at]
        if later:
            raise Overtaken(
                f"{fact.fact_id} has changed since you looked at it ({told_of(later[-1])}); nothing was recorded: "
                "look at it (affidavit facts show) and decide again"
            )


def told_of(moment: Moment) -> str:
    """What happened to a fact, in a few words."""
    state = moment.changes.get("state")
    what = str(state[1]) if state is not None else ", ".join(moment.changes) or "gone from the site"
    who = moment.by or "a crawl"
    return f"{what} by {who} at {moment.at[:16].replace('T', ' ')}"


def _is_held(now: CustomerRegister, fact: Fact) -> bool:
    """Whether a re-run must leave `fact` alone from now on: a person decided, wrote or changed it. One that comes out
    of a file as a rule or nobody decided it is as good as found."""
    if fact.added_by is not None or fact.decided_by not in (None, RULE) or fact.fact_id in now.held:
        return True
    before = now.fact(fact.fact_id)
    return before is not None and replace(before, conflict_group=fact.conflict_group) != fact


def _found(now: CustomerRegister, run: FactRun) -> tuple[dict[str, Any], Changes]:
    """The event of what `run` found, and the changes it makes. What a person holds and has not decided yet is set aside
    from the merge and put back as it was: to the merge it would be a row that may be replaced."""
    waiting = [fact for fact in now.facts if fact.fact_id in now.held and fact.state is FactState.PENDING]
    aside = {fact.fact_id for fact in waiting}
    rest = tuple(_outside(fact, now) for fact in now.facts if fact.fact_id not in aside)
    rejected = [fact for fact in now.facts if fact.state is FactState.REJECTED]
    found = Register(now.customer, tuple(uncited(run.register.facts, rejected)))
    new, changes = renewed(Register(now.customer, rest), _without(found, waiting), _regarded(run))
    merged = {fact.fact_id: _steady(now, fact) for fact in (*waiting, *_joined(new.facts, now))}
    put = [fact for fact in in_order(merged.values()) if now.fact(fact.fact_id) != fact]
    removed = [fact.fact_id for fact in now.facts if fact.fact_id not in merged]
    check_kept(now, put, removed, f"the register of {now.customer}")
    changes = _worth_telling(changes, run)
    contested = {one.before.fact_id: one.why for one in changes.contested if one.before is not None}
    return {
        "put": [fact_record(fact) for fact in put],
        "removed": removed,
        "contested": contested,
    }, changes


def _regarded(run: FactRun) -> Callable[[str], bool]:
    known = run.regarded
    return lambda url: address(url) in known


def _outside(fact: Fact, now: CustomerRegister) -> Fact:
    """A fact that a person decided, out of the conflict that an earlier crawl put it in: each says anew whether the
    site contradicts it."""
    decided = fact.fact_id in now.held and fact.state is not FactState.PENDING
    return replace(fact, conflict_group=None) if decided else fact


def _joined(facts: Sequence[Fact], now: CustomerRegister) -> list[Fact]:
    """`facts`, those that a person approved joined to the conflict with what the site now says instead: so that both
    stand together before the person, and neither is approved beside the other."""
    rivals = [fact for fact in facts if fact.state is FactState.PENDING and fact.conflict_group is not None]

    def group(fact: Fact) -> str | None:
        of = (one.conflict_group for one in rivals if one.conflict_group == group_id((fact.fact_id, one.fact_id)))
        return next(of, fact.conflict_group)

    mine = now.held & {fact.fact_id for fact in facts if fact.state is FactState.APPROVED}
    return [replace(fact, conflict_group=group(fact)) if fact.fact_id in mine else fact for fact in facts]


def _steady(now: CustomerRegister, fact: Fact) -> Fact:
    """`fact` as it was, where the rule approved it before and all that is new is when it did so again."""
    before = now.fact(fact.fact_id)
    if before is None or fact.decided_by != RULE:
        return fact
    return before if replace(fact, decided_at=before.decided_at) == before else fact


def _worth_telling(changes: Changes, run: FactRun) -> Changes:
    """`changes` without those of facts whose page was read again and says the same: to a person nothing changed.
    A fact that others displaced from the register is not said to be gone from the site, and one that a person holds not
    to be borne out no more, where a page that was read still has its words."""
    pages = (*run.pages, *run.carried)
    quotes = {candidate.source.quote for page in pages for candidate in page.candidates}

    def stands(one: Change) -> bool:
        return one.before is not None and any(source.quote in quotes for source in one.before.sources)

    removed = tuple(replace(one, why=DISPLACED) if stands(one) else one for one in changes.removed)
    contested = tuple(one for one in changes.contested if one.why != UNSAID or not stands(one))
    told = tuple(one for one in changes.changed if _says(one.before) != _says(one.after))
    kept = changes.kept + len(changes.changed) - len(told) + len(changes.contested) - len(contested)
    return replace(changes, removed=removed, changed=told, contested=contested, kept=kept)


def _says(fact: Fact | None) -> object:
    """What a person sees of a fact."""
    if fact is None:
        return None
    stands = tuple((one.url, one.quote) for one in fact.sources)
    return stands, replace(fact, sources=(), candidates=(), confidence=1.0, decided_at=None, added_by="whoever")


def _without(found: Register, waiting: Sequence[Fact]) -> Register:
    """`found` less what says the same as a fact that is set aside."""
    ids = {fact.fact_id for fact in waiting}

    def known(fact: Fact) -> bool:
        return fact.fact_id in ids or any(same_words(fact.text, other.text) for other in waiting)

    return Register(found.customer, tuple(fact for fact in found.facts if not known(fact)))


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
