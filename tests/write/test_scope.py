"""Whether a figure counts what its fact counts: by the scope note and the sentence, not by the next noun."""

from datetime import date

import pytest

from affidavit.evidence.fact import Category, Fact, FactState
from affidavit.write.checks import check_draft
from affidavit.write.memory import Memory


def fact(text, subject, *, note=None, value=None, owner=None):
    return Fact(
        fact_id=text,
        text=text,
        category=Category.NUMBERS,
        subject=subject,
        value=value,
        scope_note=note,
        owner=owner,
        state=FactState.APPROVED,
        decided_by="the owner",
        added_by="the owner",
    )


FACTS = (
    fact("The company has offices in 45 countries.", "offices", note="countries with an office", value="45"),
    fact(
        "Candidates have been placed in 91 countries.",
        "placements",
        note="placements, not offices; the company has offices in 45 countries",
        value="91",
    ),
    fact("There are 310 staff.", "staff", value="310"),
    fact("The system takes 20,000 reports a year.", "reports", value="20,000"),
    fact("The Port of Selby cut waiting times by 38%.", "waiting at the port", owner="Port of Selby", value="38%"),
    fact("62% of members renew online.", "renewals", value="62%"),
    fact("The Marlow Fund pays 17 farms.", "Marlow Fund", value="17"),
    fact("Dash had 140,000 users in 2019.", "Dash users, 2019", value="140,000"),
)


def mismatches(draft):
    found = check_draft(
        draft, facts=FACTS, rejected=(), allowed=("Alder",), memory=Memory(), max_words=None, today=date(2026, 10, 1)
    )
    return [draft[one.start : one.end] for one in found if one.code == "subject_mismatch"]


@pytest.mark.parametrize(
    "draft",
    [
        "We have offices in 45 countries.",
        "We have offices in 45 countries and have placed candidates in 91.",
        "Our people can be met in the offices of 45 countries.",
        "With placements in 91 countries behind us, we know the forms.",
        "We have placed candidates in 91 countries (not offices).",
        "There are 91 countries' worth of placements in our files.",
        "We are 310 people.",
        "310 members of staff work across our countries.",
        "A team of 310 is at your service.",
        "Every year 20,000 reports arrive in the system.",
        "The system takes 20,000 reports annually.",
        "The Port of Selby cut its waiting times by 38% with our help.",
        "Of our members, 62% renew online.",
        "The Marlow Fund is small. It pays 17 farms.",
        "In 2019 Dash had 140,000 users.",
    ],
)
def test_a_figure_that_is_said_of_what_it_counts_is_let_be(draft):
    assert mismatches(draft) == []


@pytest.mark.parametrize(
    ("draft", "figure"),
    [
        ("We have offices in 91 countries.", "91"),
        ("From offices in 91 countries we place candidates everywhere.", "91"),
        ("Candidates have been placed in 45 countries.", "45"),
        ("45 members of staff look after our countries.", "45"),
        ("310 countries are served.", "310"),
        ("The system has taken 20,000 reports.", "20,000"),
        ("We cut waiting times by 38%.", "38%"),
        ("62% of members joined by telephone.", "62%"),
        ("Every member pays 17 farms.", "17"),
        ("Today Dash has 140,000 users.", "140,000"),
        ("The kettle boiled 310 times before breakfast.", "310"),
    ],
)
def test_a_figure_that_is_said_of_something_else_is_told(draft, figure):
    assert mismatches(draft) == [figure]


def test_what_a_heading_names_is_named():
    assert mismatches("## The Marlow Fund\n\nIt pays 17 farms.") == []
    assert mismatches("## The long summer\n\nThe scheme pays 17 farms.") == ["17"]


def test_a_text_that_is_no_fact_may_say_it_of_another_thing():
    draft = "45 readers wrote in."
    found = check_draft(
        draft,
        facts=FACTS,
        rejected=(),
        allowed=("45 readers wrote to us.",),
        memory=Memory(),
        max_words=None,
        today=date(2026, 10, 1),
    )
    assert found == ()


def test_no_mismatch_ever_blocks():
    found = check_draft(
        "We have offices in 91 countries.",
        facts=FACTS,
        rejected=(),
        allowed=(),
        memory=Memory(),
        max_words=None,
        today=date(2026, 10, 1),
    )
    assert [one.blocks for one in found] == [False]
