"""What a person may decide, and what nobody may."""

from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

from affidavit.errors import UserError
from affidavit.evidence.fact import Category, Fact, FactState, Register
from affidavit.facts.decide import (
    Edit,
    Who,
    add,
    approve,
    edit,
    expire,
    found,
    reject,
    resolve,
    short_ids,
    written,
)
from affidavit.facts.history import CustomerRegister, Moment, in_order

from .made import ADA, BEN, approved, fact


def holding(*facts: Fact) -> CustomerRegister:
    born = Moment(revision=2, at=ADA.at, type="facts.found", by=None, changes={})
    return CustomerRegister(
        customer="Harbour",
        revision=2,
        register=Register("Harbour", in_order(facts)),
        history={one.fact_id: (born,) for one in facts},
    )


SMALL = fact("The harbour has 45 berths.", value="45", conflict_group="conflict_berth")
LARGE = fact("The harbour has 60 berths.", value="60", conflict_group="conflict_berth")
OLD = approved("The harbour was opened in 1871.", subject="harbour", value="1871")


def test_an_approval_says_who_and_when():
    step = approve(holding(fact()), [fact().fact_id], ADA)
    (one,) = step.put
    assert (one.state, one.decided_by, one.decided_at) == (FactState.APPROVED, "Ada Marsh", ADA.at)


def test_what_a_rule_approved_a_person_can_confirm_and_what_a_person_approved_stays_theirs():
    step = approve(holding(OLD), [OLD.fact_id], ADA)
    assert step.put[0].decided_by == "Ada Marsh"
    again = approve(holding(step.put[0]), [OLD.fact_id], BEN)
    assert again.put == ()
    assert "approved already, by Ada Marsh" in again.told[0]


def test_one_of_two_values_is_not_approved_while_the_other_stands():
    with pytest.raises(UserError, match=r"2 statements that do not agree.*facts resolve conflict_berth --keep"):
        approve(holding(SMALL, LARGE), [SMALL.fact_id], ADA)
    with pytest.raises(UserError, match="do not agree"):
        approve(holding(SMALL, LARGE), [SMALL.fact_id, LARGE.fact_id], ADA)


def test_the_last_of_a_conflict_stands_alone_and_waits_for_a_person():
    step = reject(holding(SMALL, LARGE), [LARGE.fact_id], ADA)
    states = {one.value: (one.state, one.conflict_group) for one in step.put}
    assert states == {"60": (FactState.REJECTED, None), "45": (FactState.PENDING, None)}
    assert "waits for a decision" in step.told[0]


def test_a_conflict_is_resolved_by_what_is_kept_and_the_others_are_rejected():
    step = resolve(holding(SMALL, LARGE), "conflict_berth", [SMALL.fact_id[:9]], {}, ADA)
    states = {one.value: (one.state, one.conflict_group, one.decided_by) for one in step.put}
    assert states == {
        "45": (FactState.APPROVED, None, "Ada Marsh"),
        "60": (FactState.REJECTED, None, "Ada Marsh"),
    }
    assert step.detail == {"group": "conflict_berth", "kept": [SMALL.fact_id]}


def test_both_values_are_kept_only_where_each_says_what_it_counts():
    both = [SMALL.fact_id, LARGE.fact_id]
    with pytest.raises(UserError, match=r"nobody has said what .* counts"):
        resolve(holding(SMALL, LARGE), "conflict_berth", both, {SMALL.fact_id: "since 2020"}, ADA)
    scopes = {SMALL.fact_id: "for yachts", LARGE.fact_id: "all berths, yachts and barges"}
    by_rule = replace(LARGE, scope_note="berth: we run (not 45)")
    with pytest.raises(UserError, match=r"nobody has said what .* counts"):
        resolve(holding(SMALL, by_rule), "conflict_berth", both, {SMALL.fact_id: "since 2020"}, ADA)
    step = resolve(holding(SMALL, LARGE), SMALL.fact_id, both, scopes, ADA)
    assert {one.scope_note for one in step.put} == set(scopes.values())
    assert all(one.state is FactState.APPROVED and one.conflict_group is None for one in step.put)


def test_a_conflict_is_not_resolved_with_a_fact_from_outside_it_or_with_none():
    with pytest.raises(UserError, match="is not in the conflict"):
        resolve(holding(SMALL, LARGE, OLD), "conflict_berth", [OLD.fact_id], {}, ADA)
    with pytest.raises(UserError, match="say with --keep"):
        resolve(holding(SMALL, LARGE), "conflict_berth", [], {}, ADA)
    with pytest.raises(UserError, match="in no conflict"):
        resolve(holding(OLD), OLD.fact_id, [OLD.fact_id], {}, ADA)
    with pytest.raises(UserError, match="there is none to decide"):
        resolve(holding(OLD), "conflict_x", [OLD.fact_id], {}, ADA)


def test_who_changes_an_approved_fact_answers_for_it():
    step = edit(holding(OLD), OLD.fact_id, Edit(text="The harbour opened in 1871."), BEN)
    (one,) = step.put
    assert (one.text, one.state, one.decided_by) == ("The harbour opened in 1871.", FactState.APPROVED, "Ben Holt")
    assert one.sources == OLD.sources


def test_a_changed_category_leaves_the_decision_with_whoever_made_it():
    mine = approved("The harbour was opened in 1871.", by="Ada Marsh")
    (one,) = edit(holding(mine), mine.fact_id, Edit(category=Category.HISTORY), BEN).put
    assert (one.category, one.decided_by) == (Category.HISTORY, "Ada Marsh")


def test_who_touches_what_a_rule_approved_answers_for_it():
    assert edit(holding(OLD), OLD.fact_id, Edit(category=Category.HISTORY), BEN).put[0].decided_by == "Ben Holt"
    assert expire(holding(OLD), [OLD.fact_id], date(2027, 3, 31), BEN).put[0].decided_by == "Ben Holt"


def test_a_value_beside_an_approved_one_is_approved_only_with_what_it_counts():
    known, other = approved("The harbour has 45 berths.", value="45"), fact("We run 60 berths.", value="60")
    with pytest.raises(UserError, match=r"gives another value for 'berth'.*--scope"):
        approve(holding(known, other), [other.fact_id], ADA)
    (noted,) = edit(holding(known, other), other.fact_id, Edit(scope_note="barges too"), ADA).put
    assert approve(holding(known, noted), [noted.fact_id], ADA).put[0].state is FactState.APPROVED


def test_an_edit_leaves_a_pending_fact_pending_and_an_empty_text_clears_a_note():
    noted = fact(scope_note="in summer")
    (one,) = edit(holding(noted), noted.fact_id, Edit(scope_note=""), ADA).put
    assert (one.state, one.scope_note) == (FactState.PENDING, None)
    assert edit(holding(one), one.fact_id, Edit(scope_note=""), ADA).put == ()


def test_a_value_that_the_text_or_the_quote_does_not_hold_is_doubted_and_stands():
    for value in ("54", "5", "45.5"):
        with pytest.raises(UserError, match=f"{value} does not stand in the text"):
            edit(holding(SMALL), SMALL.fact_id, Edit(value=value), ADA)
    with pytest.raises(UserError, match="45 does not stand in the text"):
        edit(holding(SMALL), SMALL.fact_id, Edit(text="The harbour has 60 berths."), ADA)
    with pytest.raises(UserError, match="6 does not stand in the text"):
        new("We have 5 vans.", subject="van", value="6")
    step = edit(holding(SMALL), SMALL.fact_id, Edit(value="54", text="The harbour has 54 berths."), ADA)
    assert "stands in none of the quotes" in step.told[0]
    assert step.put[0].value == "54"


@pytest.mark.parametrize("value", ["several", "many berths"])
def test_a_value_without_a_figure_is_refused(value: str):
    with pytest.raises(UserError, match="holds no figure"):
        edit(holding(SMALL), SMALL.fact_id, Edit(value=value), ADA)


def test_a_spelled_out_value_is_a_figure():
    (one,) = edit(holding(SMALL), SMALL.fact_id, Edit(value="forty-five"), ADA).put
    assert one.value == "forty-five"


def test_a_text_on_many_lines_or_with_what_nobody_sees_is_refused():
    (one,) = edit(holding(SMALL), SMALL.fact_id, Edit(text="The harbour\n has 45  berths."), ADA).put or (SMALL,)
    assert one.text == "The harbour has 45 berths."
    with pytest.raises(UserError, match=r"U\+202E"):
        edit(holding(SMALL), SMALL.fact_id, Edit(text="45 \u202esehtreb"), ADA)
    with pytest.raises(UserError, match="at most 600"):
        edit(holding(SMALL), SMALL.fact_id, Edit(text="berth " * 200), ADA)


def new(text: str, **more: object) -> Fact:
    given: dict[str, object] = {
        "category": Category.NUMBERS,
        "subject": "berth",
        "value": None,
        "scope_note": None,
        "owner": None,
        "expires": None,
    }
    return written("Harbour", text=text, who=ADA, **(given | more))  # type: ignore[arg-type]


def test_a_fact_that_a_person_adds_is_approved_and_has_no_source():
    (one,) = add(holding(OLD), new("There are 12 cranes.", subject="crane", value="12"), ADA).put
    assert (one.state, one.decided_by, one.added_by, one.sources) == (FactState.APPROVED, "Ada Marsh", "Ada Marsh", ())


def test_another_value_for_a_subject_is_added_only_with_what_it_counts():
    plain = approved("The harbour has 45 berths.", value="45")
    with pytest.raises(UserError, match=r"another value for 'berth'.*Say with --scope"):
        add(holding(plain), new("The harbour has 60 berths.", value="60"), ADA)
    step = add(holding(plain), new("The harbour has 60 berths.", value="60", scope_note="barges too"), ADA)
    assert step.put[0].scope_note == "barges too"
    add(holding(plain), new("The harbour of Elm has 60 berths.", value="60", owner="Elm"), ADA)


def test_what_the_register_says_is_not_added_again():
    with pytest.raises(UserError, match="says the same already"):
        add(holding(OLD), new("the harbour was  opened in 1871"), ADA)


def test_a_fact_expires_on_a_day_and_not_at_all_when_it_is_taken_back():
    (one,) = expire(holding(OLD), [OLD.fact_id], date(2027, 3, 31), ADA).put
    assert one.usable(date(2027, 3, 31))
    assert not one.usable(date(2027, 4, 1))
    assert expire(holding(one), [OLD.fact_id], None, ADA).put[0].expires is None
    assert "is past" in expire(holding(OLD), [OLD.fact_id], date(2020, 1, 1), ADA).told[0]


def test_a_fact_is_found_by_as_much_of_its_id_as_tells_it_from_the_others():
    one, other = fact("a", fact_id="fact_abcd000000000000"), fact("b", fact_id="fact_abce000000000000")
    now = holding(one, other)
    assert found(now, "abcd") == found(now, "fact_abcd") == found(now, "ABCD") == one
    assert short_ids(now) == {one.fact_id: "abcd", other.fact_id: "abce"}
    with pytest.raises(UserError, match="begins more than one fact"):
        found(now, "abc")
    with pytest.raises(UserError, match="write 3 or more"):
        found(now, "a")
    with pytest.raises(UserError, match="no fact ffff"):
        found(now, "ffff")


def test_short_ids_are_as_long_as_the_nearest_other_id_needs():
    ids = ["fact_abcdef0000000000", "fact_abcdefff00000000", "fact_0000000000000000"]
    now = holding(*(fact(name, fact_id=name) for name in ids))
    assert sorted(short_ids(now).values()) == ["0000", "abcdef0", "abcdeff"]


def test_nothing_is_decided_by_half():
    with pytest.raises(UserError, match="no fact ffff"):
        approve(holding(fact()), [fact().fact_id, "ffff"], ADA)


@pytest.mark.parametrize("name", ["", "  ", "rule", "Rule", "Ada\x1b[2J", "x" * 200])
def test_who_decides_has_a_persons_name(name: str):
    with pytest.raises(UserError, match="--as"):
        Who.named(name, datetime.now(UTC))
