"""Candidates made into a register, with and without a model, and the rule that approves."""

import asyncio
import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affidavit.errors import ModelFailure, ModelFailureKind
from affidavit.evidence.fact import Candidate, Category, Fact, FactSource, FactState
from affidavit.facts.approval import approved_by_rule, decided
from affidavit.facts.consolidate import Consolidated, consolidate
from affidavit.facts.consolidator import consolidate_with
from affidavit.facts.dropped import Why
from affidavit.facts.enforce import MOST, enforced
from affidavit.facts.identity import candidate_id, fact_id
from affidavit.models.scripted import ScriptedModel, said
from affidavit.models.structured import Structured

NOW = "2026-03-01T12:00:00Z"


def candidate(
    text: str,
    subject: str,
    value: str | None,
    *,
    page: str = "about",
    confidence: float = 0.84,
    owner: str | None = None,
    category: Category = Category.NUMBERS,
) -> Candidate:
    source = FactSource(
        url=f"https://harbour.example/{page}",
        doc_id=f"doc_{page}",
        start=0,
        end=len(text),
        quote=text,
        retrieved_at=NOW,
    )
    return Candidate(
        candidate_id=candidate_id(source.doc_id, 0, len(text), text, subject, value),
        text=text,
        category=category,
        subject=subject,
        value=value,
        source=source,
        confidence=confidence,
        owner=owner,
    )


def fact(text: str, subject: str, value: str | None, **more: object) -> Fact:
    one = candidate(text, subject, value)
    made = Fact(
        fact_id=fact_id(text, subject, value, None),
        text=text,
        category=one.category,
        subject=subject,
        value=value,
        confidence=one.confidence,
        candidates=(one.candidate_id,),
        sources=(one.source,),
    )
    return replace(made, **more)  # type: ignore[arg-type]


def test_placements_and_offices_never_merge_and_each_says_what_it_counts():
    made = consolidate(
        [
            candidate("We have offices in 45 countries.", "country", "45"),
            candidate("Candidates have been placed in 91 countries by our consultants.", "country", "91", page="home"),
        ]
    )
    assert {one.value for one in made.facts} == {"45", "91"}
    offices, placed = (
        "“We have offices in 45 countries”",
        "“Candidates have been placed in 91 countries by our consultants”",
    )
    assert {one.value: one.scope_note for one in made.facts} == {
        "45": f"country as in {offices}, not as in {placed}",
        "91": f"country as in {placed}, not as in {offices}",
    }
    assert all(one.conflict_group is None for one in made.facts)


def test_a_value_that_measures_something_else_needs_no_scope_note_and_both_stay():
    made = consolidate(
        [
            candidate("Our fees are 18% of the salary.", "salary", "18%"),
            candidate("The median salary is £40,000 a year.", "salary", "£40,000", page="home"),
        ]
    )
    assert len(made.facts) == 2
    assert not [one.scope_note for one in made.facts if one.scope_note]


def test_two_values_of_one_subject_are_a_conflict_across_pages_and_none_is_approved():
    made = consolidate(
        [
            candidate("We have offices in 70 countries.", "country", "70"),
            candidate("We have offices in 45+ countries.", "country", "45+", page="home"),
        ]
    )
    assert len({one.conflict_group for one in made.facts}) == 1
    assert {source.quote for one in made.facts for source in one.sources} == {
        "We have offices in 70 countries.",
        "We have offices in 45+ countries.",
    }
    assert all(one.state is FactState.PENDING for one in decided(made.facts, NOW))
    assert all(one.scope_note for one in made.facts)


def test_three_values_are_no_conflict_of_two_and_none_is_approved_beside_the_others():
    made = consolidate(
        [candidate(f"We have offices in {n} countries.", "country", str(n), page=str(n)) for n in (45, 70, 91)]
    )
    assert not [one for one in decided(made.facts, NOW) if one.state is FactState.APPROVED]


def test_what_gives_one_more_value_of_a_conflict_is_approved_by_no_rule():
    rows = [
        ("Our 46 roofers work from three depots.", "46", "index"),
        ("We have 48 roofers in our depots.", "48", "team"),
        ("Today we employ 51 roofers and 9 apprentices: Ely, Diss and Thetford have them.", "51", "about"),
        ("In 1999 we had 12 roofers.", "12", "history"),
    ]
    made = consolidate([candidate(text, "roofer", value, page=page) for text, value, page in rows])
    approved = {one.value for one in decided(made.facts, NOW) if one.state is FactState.APPROVED}
    assert {one.value for one in made.facts} == {"46", "48", "51", "12"}
    assert approved == {"12"}
    two = consolidate([candidate(text, "roofer", value, page=page) for text, value, page in rows[1:3]])
    assert [one.state for one in decided(two.facts, NOW)] == [FactState.PENDING] * 2
    grouped = [fact(f"We have {n} depots.", f"depot {n}", str(n), conflict_group="g") for n in (4, 5, 6)]
    kept, _ = enforced(grouped)
    assert not [one for one in decided(kept, NOW) if one.state is FactState.APPROVED]


def test_values_of_other_years_and_of_other_owners_do_not_conflict():
    made = consolidate(
        [
            candidate("In 2019 our firm employed 45 consultants.", "consultant", "45"),
            candidate("In 2024 our firm employed 70 consultants.", "consultant", "70", page="home"),
            candidate("Aldersbrook employed 90 consultants.", "consultant", "90", page="case", owner="Aldersbrook"),
        ]
    )
    assert not [one for one in made.facts if one.conflict_group is not None]
    assert {one.owner for one in made.facts if one.value == "90"} == {"Aldersbrook"}


def test_what_two_pages_say_alike_is_one_fact_with_both_places():
    made = consolidate(
        [
            candidate("We employ 45 consultants.", "consultant", "45"),
            candidate("We employ 45 consultants.", "consultant", "45", page="home"),
        ]
    )
    (only,) = made.facts
    assert {source.url for source in only.sources} == {"https://harbour.example/about", "https://harbour.example/home"}
    assert len(only.candidates) == 2
    assert [one.why for one in made.dropped] == [Why.MERGED]


@pytest.mark.parametrize(
    ("text", "confidence", "why"),
    [
        ("We employ 45 consultants.", 0.69, Why.LOW_CONFIDENCE),
        ("4 ways to find a consultant", 0.9, Why.ENUMERATION),
        ("Write to hello@harbour.example for our 45 offers.", 0.9, Why.CONTACT),
        ("Read more about our 45 consultants", 0.9, Why.CALL_TO_ACT),
    ],
)
def test_filler_is_dropped_and_said_to_be(text: str, confidence: float, why: Why):
    kept, dropped = enforced([fact(text, "consultant", "45", confidence=confidence)])
    assert not kept
    assert [one.why for one in dropped] == [why]


def test_false_conflict_groups_are_cleared():
    three = [fact(f"We have {n} depots.", f"depot {n}", str(n), conflict_group="g") for n in (1, 2, 3)]
    listed = [fact(f"It has {n} parts.", "part", str(n), scope_note=str(n), conflict_group="h") for n in (7, 8)]
    kept, _ = enforced([*three, *listed])
    assert len(kept) == 5
    assert not [one for one in kept if one.conflict_group is not None]


def test_of_one_subject_without_a_conflict_the_more_confident_stays():
    sure, less = fact("We have 45 depots.", "depot", "45"), fact("We run 46 depots.", "depot", "46", confidence=0.75)
    kept, dropped = enforced([less, sure])
    assert kept == (sure,)
    assert [(one.why, one.text) for one in dropped] == [(Why.LESS_CONFIDENT, less.text)]


@given(st.lists(st.tuples(st.integers(0, 60), st.floats(0, 1), st.sampled_from(Category)), max_size=50))
def test_a_register_is_bounded_sorted_stable_and_accounts_for_every_fact(rows: list[tuple[int, float, Category]]):
    facts = {
        one.fact_id: one
        for n, confidence, category in rows
        for one in [fact(f"We run {n} depots.", f"depot {n}", str(n), confidence=confidence, category=category)]
    }
    kept, dropped = enforced(facts.values())
    assert len(kept) <= MOST
    assert [list(Category).index(one.category) for one in kept] == sorted(
        list(Category).index(k.category) for k in kept
    )
    assert len(kept) + len(dropped) == len(facts)
    assert enforced(kept) == (kept, ())


@given(st.floats(0, 1), st.sampled_from([None, "g"]))
def test_the_rule_approves_from_080_on_and_never_in_a_conflict(confidence: float, group: str | None):
    one = fact("We run 45 depots.", "depot", "45", confidence=confidence, conflict_group=group)
    assert approved_by_rule(one) is (confidence >= 0.80 and group is None)
    (after,) = decided([one], NOW)
    assert (after.state is FactState.APPROVED) is approved_by_rule(one)
    assert after.decided_by == ("rule" if approved_by_rule(one) else None)


def entry(**more: object) -> dict[str, object]:
    return {
        "candidates": [1],
        "text": "We have offices in 45 countries.",
        "category": "presence",
        "subject": "country",
        "value": "45",
        "scope_note": None,
        "conflict_group": None,
        "owner": None,
        "confidence": 0.9,
    } | more


def made_of(entries: list[dict[str, object]], candidates: list[Candidate]) -> Consolidated:
    model = Structured(ScriptedModel([said(json.dumps({"facts": entries}))]))
    made = asyncio.run(consolidate_with(model, candidates, "Harbour"))
    assert isinstance(made, Consolidated)
    return made


def test_a_model_can_merge_and_can_add_nothing():
    own = candidate("We have offices in 45 countries.", "country", "45", confidence=0.9)
    theirs = candidate(
        "Aldersbrook saved 30% of its costs.", "cost", "30%", owner="Aldersbrook", page="case", confidence=0.8
    )
    made = made_of(
        [
            entry(),
            entry(candidates=[9], text="We have offices in 91 countries.", value="91"),
            entry(text="We have offices in 50 countries.", value="50"),
            entry(
                candidates=[2],
                text="We save our clients 30% of their costs.",
                subject="cost",
                value="30%",
                confidence=1.0,
            ),
        ],
        [own, theirs],
    )
    assert {(one.value, one.owner, one.confidence) for one in made.facts} == {
        ("45", None, 0.9),
        ("30%", "Aldersbrook", 0.8),
    }
    assert {one.why for one in made.dropped} == {Why.UNKNOWN_CANDIDATE, Why.VALUE_NOT_IN_SOURCE}


def test_a_model_that_gives_no_reply_is_a_failure_and_no_empty_register():
    model = ScriptedModel([ModelFailure(ModelFailureKind.QUOTA, "scripted", "no money")])
    made = asyncio.run(consolidate_with(model, [candidate("We have 45 depots.", "depot", "45")], "Harbour"))
    assert isinstance(made, ModelFailure)
