"""The registers in the ledger: nothing that a person decided is lost, whoever else decides, whatever a re-run finds."""

import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import Any

import pytest

from affidavit.errors import IntegrityError, Overtaken, UserError
from affidavit.evidence.fact import Category, Fact, FactState, Register
from affidavit.facts import CrawledPage, FactRun, PageFacts, PageType
from affidavit.facts.consolidate import scope_note
from affidavit.facts.decide import Edit, Step, Who, add, approve, edit, reject, written
from affidavit.facts.history import ADDED, FOUND, CustomerRegister, fold
from affidavit.facts.record import fact_record
from affidavit.facts.store import Registers, stream_of
from affidavit.ledger.ledger import Ledger

from .made import ADA, BEN, fact, source
from .test_consolidate import candidate

OpenLedger = Callable[..., Ledger]

CRANES = fact("Twelve cranes stand on the quay.", subject="crane", value="twelve")
BERTHS = fact("The harbour has 45 berths.", value="45")


def page(path: str = "about", **more: Any) -> PageFacts:
    given: dict[str, Any] = {
        "url": f"https://harbour.example/{path}",
        "asked": f"https://harbour.example/{path}",
        "doc_id": "doc_0123456789abcdef",
        "title": "About",
        "page_type": PageType.ABOUT,
        "depth": 1,
        "words": 40,
        "content_hash": "0" * 64,
        "retrieved_at": "2026-03-01T12:00:00Z",
        "seen_at": "2026-03-01T12:00:00Z",
    }
    return PageFacts(page=CrawledPage(**(given | more)), extractor="rules/1")


def run(*facts: Fact, pages: tuple[PageFacts, ...] = ()) -> FactRun:
    return FactRun(
        site_url="https://harbour.example/", pages=pages or (page(),), register=Register("Harbour", facts), gaps=()
    )


def started(ledger: Ledger, *facts: Fact) -> Registers:
    registers = Registers(ledger)
    registers.keep("Harbour", "run_1", run(*facts))
    return registers


def test_a_register_begins_with_what_was_found_and_is_read_back(open_ledger: OpenLedger):
    started(open_ledger(), CRANES, BERTHS)
    now = Registers(open_ledger()).load("Harbour")
    assert {one.text: one.state for one in now.facts} == {
        CRANES.text: FactState.PENDING,
        BERTHS.text: FactState.PENDING,
    }
    assert now.revision == 3
    assert now.crawl is not None
    assert (now.crawl.run_id, now.crawl.read) == ("run_1", 1)
    assert Registers(open_ledger()).pages(now) == (page(),)
    assert Registers(open_ledger()).customers() == ("Harbour",)


def test_a_customer_is_known_by_the_letters_of_the_name(open_ledger: OpenLedger):
    started(open_ledger(), CRANES)
    assert Registers(open_ledger()).load("  HARBOUR ").customer == "Harbour"
    with pytest.raises(UserError, match=r"no register of Quay; there are registers of Harbour"):
        Registers(open_ledger()).load("Quay")
    with pytest.raises(UserError, match="--customer"):
        Registers(open_ledger()).load(" \t")


def test_what_was_left_out_can_be_approved_and_no_later_crawl_doubts_it(open_ledger: OpenLedger):
    text = "The harbour has 12 pilots."
    read = replace(page(), candidates=(candidate(text, "pilot", "12"), candidate(CRANES.text, "crane", "twelve")))
    registers = Registers(open_ledger())
    registers.keep("Harbour", "run_1", run(CRANES, pages=(read,)))
    (beside,) = registers.load("Harbour", left_out=True).left_out
    assert (beside.text, beside.state) == (text, FactState.PENDING)
    assert registers.load("Harbour").left_out == ()
    done = registers.decide("Harbour", ADA.name, lambda now: approve(now, [beside.fact_id[5:12]], ADA))
    assert done.after.fact(beside.fact_id) == replace(
        beside, state=FactState.APPROVED, decided_by=ADA.name, decided_at=ADA.at
    )
    assert registers.load("Harbour", left_out=True).left_out == ()
    renewal = registers.keep("Harbour", "run_2", run(CRANES, pages=(read,)))
    assert renewal.after.fact(beside.fact_id) == done.after.fact(beside.fact_id)
    assert not renewal.changes.any
    assert not renewal.after.contested
    gone = registers.keep("Harbour", "run_3", run(CRANES))
    assert list(gone.after.contested) == [beside.fact_id]


def test_a_crawl_that_read_no_page_changes_nothing_and_begins_no_register(open_ledger: OpenLedger):
    registers = started(open_ledger(), CRANES, BERTHS)
    nothing = FactRun(site_url="https://other.example/", pages=(), register=Register("Harbour"))
    before = registers.load("Harbour")
    for renewal in (registers.renewal("Harbour", nothing), registers.keep("Harbour", "run_2", nothing)):
        assert not renewal.changes.any
        assert renewal.after == before
    assert registers.load("Harbour") == before
    registers.keep("Quay", "run_3", nothing)
    assert registers.customers() == ("Harbour",)


def test_facts_of_pages_that_a_crawl_knows_nothing_of_stay_as_they_are(open_ledger: OpenLedger):
    ours = replace(BERTHS, sources=(source(BERTHS.text, "https://harbour.example/berths"),))
    registers = started(open_ledger(), CRANES, ours)
    registers.decide("Harbour", ADA.name, lambda now: approve(now, [ours.fact_id], ADA))
    kept = registers.keep("Harbour", "run_2", run(CRANES))
    assert not kept.changes.any
    assert not kept.after.contested
    gone = registers.keep("Harbour", "run_3", run(pages=(page(), page("berths"))))
    assert [one.before for one in gone.changes.removed] == [CRANES]
    assert list(gone.after.contested) == [ours.fact_id]


def test_a_note_that_sets_a_fact_off_against_a_rejected_one_goes_with_it(open_ledger: OpenLedger):
    ours, theirs = BERTHS, fact("The harbour of Elm has 60 berths.", value="60")
    noted = replace(ours, scope_note=scope_note(ours, [theirs]))
    assert noted.scope_note == "berth as in “The harbour has 45 berths”, not as in “The harbour of Elm has 60 berths”"
    registers = started(open_ledger(), noted, theirs)
    done = registers.decide("Harbour", ADA.name, lambda now: reject(now, [theirs.fact_id], ADA))
    assert done.after.fact(ours.fact_id) == ours
    assert ours.fact_id not in done.after.held
    assert registers.load("Harbour") == done.after
    again = registers.keep("Harbour", "run_2", run(noted, theirs))
    assert not again.changes.any


def test_a_decision_is_an_event_and_says_who(open_ledger: OpenLedger):
    registers = started(open_ledger(), CRANES)
    done = registers.decide("Harbour", "Ada Marsh", lambda now: approve(now, [CRANES.fact_id], ADA))
    assert done.before.facts[0].state is FactState.PENDING
    now = Registers(open_ledger()).load("Harbour")
    assert now == done.after
    assert now.facts[0].decided_by == "Ada Marsh"
    assert now.held == {CRANES.fact_id}
    last = now.history[CRANES.fact_id][-1]
    assert (last.type, last.by, last.changes["state"]) == ("facts.decided", "Ada Marsh", ("pending", "approved"))


def test_what_is_so_already_records_nothing(open_ledger: OpenLedger):
    registers = started(open_ledger(), CRANES)
    registers.decide("Harbour", "Ada Marsh", lambda now: approve(now, [CRANES.fact_id], ADA))
    again = registers.decide("Harbour", "Ben Holt", lambda now: approve(now, [CRANES.fact_id], BEN))
    assert again.before == again.after
    assert again.told


def meanwhile(decide: Callable[[], object], step: Callable[[CustomerRegister], Step]) -> Callable[..., Step]:
    """`step`, and before it is recorded the first time, what somebody else decides."""
    waiting = [decide]

    def decision(now: CustomerRegister) -> Step:
        made = step(now)
        if waiting:
            waiting.pop()()
        return made

    return decision


def test_two_that_approve_different_facts_at_once_both_succeed(open_ledger: OpenLedger):
    one, other = started(open_ledger(), CRANES, BERTHS), Registers(open_ledger())
    done = one.decide(
        "Harbour",
        "Ada Marsh",
        meanwhile(
            lambda: other.decide("Harbour", "Ben Holt", lambda now: approve(now, [BERTHS.fact_id], BEN)),
            lambda now: approve(now, [CRANES.fact_id], ADA),
        ),
    )
    assert {fact.text: fact.decided_by for fact in done.after.facts} == {
        CRANES.text: "Ada Marsh",
        BERTHS.text: "Ben Holt",
    }


def test_the_second_to_decide_on_a_fact_is_told_what_changed_and_nothing_is_lost(open_ledger: OpenLedger):
    one, other = started(open_ledger(), CRANES, BERTHS), Registers(open_ledger())
    with pytest.raises(Overtaken, match=r"has changed since you looked at it \(rejected by Ben Holt at "):
        one.decide(
            "Harbour",
            "Ada Marsh",
            meanwhile(
                lambda: other.decide("Harbour", "Ben Holt", lambda now: reject(now, [CRANES.fact_id], BEN)),
                lambda now: approve(now, [CRANES.fact_id, BERTHS.fact_id], ADA),
            ),
        )
    states = {fact.text: fact.state for fact in one.load("Harbour").facts}
    assert states == {CRANES.text: FactState.REJECTED, BERTHS.text: FactState.PENDING}


def test_who_looked_at_an_older_revision_is_told_too(open_ledger: OpenLedger):
    registers = started(open_ledger(), CRANES, BERTHS)
    seen = registers.load("Harbour").revision
    registers.decide("Harbour", "Ben Holt", lambda now: edit(now, CRANES.fact_id, Edit(text="12 cranes."), BEN))
    with pytest.raises(Overtaken, match=r"text by Ben Holt"):
        registers.decide("Harbour", "Ada Marsh", lambda now: approve(now, [CRANES.fact_id], ADA), seen=seen)
    registers.decide("Harbour", "Ada Marsh", lambda now: approve(now, [BERTHS.fact_id], ADA), seen=seen)
    with pytest.raises(UserError, match="revision 99"):
        registers.decide("Harbour", "Ada Marsh", lambda now: approve(now, [BERTHS.fact_id], ADA), seen=99)


def test_many_that_decide_at_once_lose_nothing(open_ledger: OpenLedger):
    facts = [fact(f"Statement {number}.", subject=f"subject {number}") for number in range(12)]
    started(open_ledger(), *facts)
    ledgers = [open_ledger() for _ in range(4)]

    def work(number: int) -> None:
        for one in facts[number::4]:
            who = Who(f"Person {number}", ADA.at)
            Registers(ledgers[number]).decide("Harbour", who.name, partial(approve, given=[one.fact_id], who=who))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    now = Registers(open_ledger()).load("Harbour")
    assert {one.fact_id: one.decided_by for one in now.facts} == {
        one.fact_id: f"Person {index % 4}" for index, one in enumerate(facts)
    }


def test_the_first_fact_that_a_person_adds_begins_a_register(open_ledger: OpenLedger):
    who = Who.named("Ada Marsh", datetime.now(UTC))
    new = written(
        "Quay",
        text="Twelve cranes.",
        category=Category.NUMBERS,
        subject="crane",
        value="twelve",
        scope_note=None,
        owner=None,
        expires=None,
        who=who,
    )
    done = Registers(open_ledger()).decide("Quay", who.name, lambda now: add(now, new, who))
    assert done.before.revision == 0
    assert Registers(open_ledger()).load("quay").facts[0].added_by == "Ada Marsh"


def forged(ledger: Ledger, put: list[Fact], removed: list[str]) -> None:
    events = ledger.stream(stream_of("Harbour"))
    ledger.append(
        stream_of("Harbour"),
        events[-1],
        [(FOUND, {"put": [fact_record(one) for one in put], "removed": removed, "contested": {}})],
    )


def test_a_re_run_that_touches_what_a_person_decided_is_refused_whoever_recorded_it(open_ledger: OpenLedger):
    ledger = open_ledger()
    registers = started(ledger, CRANES, BERTHS)
    registers.decide("Harbour", "Ada Marsh", lambda now: approve(now, [CRANES.fact_id], ADA))
    forged(ledger, [BERTHS], [])
    registers.load("Harbour")
    forged(ledger, [CRANES], [])
    with pytest.raises(IntegrityError, match=r"alters state of .* which a person decided"):
        registers.load("Harbour")


def test_an_event_of_a_newer_version_is_refused_and_not_passed_over(open_ledger: OpenLedger):
    ledger = open_ledger()
    started(ledger, CRANES)
    events = ledger.stream(stream_of("Harbour"))
    ledger.append(stream_of("Harbour"), events[-1], [("facts.merged", {})])
    with pytest.raises(IntegrityError, match="upgrade"):
        Registers(ledger).load("Harbour")
    assert ADDED not in {event.type for event in events}
    with pytest.raises(IntegrityError, match="does not begin"):
        fold(events[1:])
