"""Whatever persons decide and whatever a site comes to say, in any order: no decision is lost, and none is made for
them."""

import itertools
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from affidavit.errors import UserError
from affidavit.evidence.fact import Category, Fact, FactState, Register
from affidavit.facts import FactRun
from affidavit.facts.decide import Edit, Step, Who, add, approve, edit, expire, reject, resolve, written
from affidavit.facts.history import RULE, CustomerRegister
from affidavit.facts.store import Registers
from affidavit.ledger.ledger import Ledger

from .made import fact
from .test_store import page

SUBJECTS = ("berth", "crane", "tug")
VALUES = ("12", "45", "60")
PEOPLE = ("Ada Marsh", "Ben Holt")


def stated(subject: str, value: str) -> Fact:
    return fact(f"The harbour has {value} {subject}s.", subject=subject, value=value)


def run(said: frozenset[tuple[str, str]]) -> FactRun:
    """What a site that says `said` gives: the rule approves what nothing contradicts, and two values are a conflict."""
    facts: list[Fact] = []
    for subject in SUBJECTS:
        values = sorted(value for of, value in said if of == subject)
        for value in values:
            one = stated(subject, value)
            if len(values) > 1:
                facts.append(replace(one, conflict_group=f"conflict_{subject}"))
            else:
                decided = {"state": FactState.APPROVED, "decided_by": RULE, "decided_at": "2026-03-01T12:00:00Z"}
                facts.append(replace(one, **decided))  # type: ignore[arg-type]
    return FactRun(site_url="https://harbour.example/", pages=(page(),), register=Register("Harbour", tuple(facts)))


CRAWL = st.tuples(
    st.just("crawl"), st.frozensets(st.tuples(st.sampled_from(SUBJECTS), st.sampled_from(VALUES)), max_size=6)
)
DECISION = st.tuples(
    st.sampled_from(["approve", "reject", "edit", "expire", "resolve", "note", "add"]),
    st.integers(0, 8),
    st.sampled_from(PEOPLE),
)


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ledger]:
    folder: Path = tmp_path_factory.mktemp("decisions")
    with Ledger.open(folder / "ledger.sqlite3") as opened:
        yield opened


NUMBER = itertools.count()


def decided(now: CustomerRegister, what: str, index: int, who: Who) -> Step:
    if what == "add":
        text = f"The harbour keeps {index} {who.name} lamps."
        new = written(
            now.customer,
            text=text,
            category=Category.OTHER,
            subject="lamp",
            value=str(index),
            scope_note=f"lamp post {index}",
            owner=None,
            expires=None,
            who=who,
        )
        return add(now, new, who)
    if not now.facts:
        raise UserError("there is no fact")
    one, value = now.facts[index % len(now.facts)].fact_id, now.facts[index % len(now.facts)].value
    match what:
        case "approve":
            return approve(now, [one], who)
        case "reject":
            return reject(now, [one], who)
        case "edit":
            return edit(now, one, Edit(text=f"{who.name} says ({index}) {value}."), who)
        case "note":
            return edit(now, one, Edit(scope_note=f"as {who.name} counts"), who)
        case "expire":
            return expire(now, [one], date(2027, 1, 1 + index), who)
        case _:
            return resolve(now, one, [one], {}, who)


def of_persons(now: CustomerRegister) -> dict[str, tuple[object, ...]]:
    """What persons said of each fact that they hold, all but what the site says: where it stands, what contradicts."""
    return {
        one.fact_id: (
            one.text, one.category, one.subject, one.value, one.scope_note, one.owner,
            one.state, one.decided_by, one.decided_at, one.added_by, one.expires,
        )
        for one in now.facts
        if one.fact_id in now.held
    }  # fmt: skip


@given(st.lists(CRAWL | DECISION, max_size=10))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)
def test_decisions_survive_every_order_of_crawls_and_decisions(
    ledger: Ledger, story: list[tuple[str, frozenset[tuple[str, str]]] | tuple[str, int, str]]
):
    registers, customer = Registers(ledger), f"Harbour {next(NUMBER)}"
    for turn, (what, *rest) in enumerate(story):
        before = registers.find(customer)
        if what == "crawl":
            registers.keep(customer, f"run_{turn}", run(rest[0]))  # type: ignore[arg-type]
        else:
            index, name = rest
            who = Who(str(name), f"2026-03-02T09:00:{turn:02d}Z")
            try:
                registers.decide(
                    customer,
                    who.name,
                    lambda now, index=int(index), who=who, what=what: decided(now, what, index, who),  # type: ignore[arg-type]
                )
            except UserError:
                assert registers.find(customer) == before  # a decision that cannot be leaves no trace
                continue
        after = registers.find(customer)
        assert after.held >= before.held
        assert after.held <= {one.fact_id for one in after.facts}
        if what == "crawl":
            kept = of_persons(after)
            assert {name: kept[name] for name in before.held} == of_persons(before)
        else:
            untouched = {one.fact_id: one for one in before.facts}
            for one in after.facts:
                if one.decided_by not in (None, RULE, who.name):
                    assert untouched[one.fact_id].decided_by == one.decided_by
        check_no_machine_decides_a_conflict(after)
    assert registers.find(customer) == Registers(ledger).find(customer)


def check_no_machine_decides_a_conflict(now: CustomerRegister) -> None:
    """No two values of one subject are both usable unless a person approved one of them, and none that a person
    rejected comes back by rule."""
    usable = [one for one in now.facts if one.state is FactState.APPROVED]
    for one in usable:
        if one.conflict_group is not None:
            assert one.decided_by != RULE
        for other in usable:
            if one.fact_id < other.fact_id and one.subject == other.subject and one.value != other.value:
                assert {one.decided_by, other.decided_by} != {RULE}, (one, other)
    rejected = {(one.subject, one.value) for one in now.facts if one.state is FactState.REJECTED}
    assert not [one for one in usable if (one.subject, one.value) in rejected and one.decided_by == RULE]
    assert len({one.fact_id for one in now.facts}) == len(now.facts)
