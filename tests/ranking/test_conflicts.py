"""Pairs of texts that may disagree."""

import pytest

from affidavit.ranking.conflicts import Kind, Measured, propose


def pair(one: str, other: str, topic: str = "") -> list[Measured]:
    return [
        Measured(text=one, topic=topic, source="https://a.example/"),
        Measured(text=other, topic=topic, source="https://b.example/"),
    ]


def test_two_figures_for_one_measure_are_proposed_with_what_each_says() -> None:
    texts = pair(
        "The harbour at Larkhill handled 120 ferries in its first week.",
        "In its first week the Larkhill harbour handled 134 ferries.",
    )
    (found,) = propose(texts)
    assert (found.a, found.b, found.kind) == (0, 1, Kind.FIGURES)
    assert (found.said_a.value, found.said_b.value) == ("120", "134")
    assert found.said_a.unit == "ferry"
    assert "harbour" in found.measure


def test_a_year_named_on_one_side_is_kept_as_its_date() -> None:
    texts = pair("Larkhill harbour handled 120 ferries in 2019.", "Larkhill harbour handled 134 ferries.")
    assert propose(texts)[0].said_a.as_of == "2019"
    assert propose(texts)[0].said_b.as_of is None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Larkhill harbour handled 120 ferries.", "Larkhill harbour handled 120 ferries a week."),
        ("Larkhill harbour handled about 120 ferries.", "Larkhill harbour handled 118 ferries."),
        ("Larkhill harbour handled over 100 ferries.", "Larkhill harbour handled 120 ferries."),
        ("Larkhill harbour handled 120 ferries in 2019.", "Larkhill harbour handled 134 ferries in 2020."),
        ("Larkhill harbour handled 120 ferries.", "Larkhill harbour employs 134 pilots."),
        ("At AAL2 the session harbour ends after 30 minutes.", "At AAL3 the session harbour ends after 15 minutes."),
        ("Larkhill harbour handled 120 ferries.", "The target of Larkhill harbour was 134 ferries."),
        ("A bakery sells 12 loaves.", "A school bought 40 loaves."),
    ],
)
def test_texts_that_can_both_be_so_are_not_proposed(one: str, other: str) -> None:
    assert propose(pair(one, other)) == []


def test_answers_to_one_question_need_share_less() -> None:
    one, other = "We had staff in 12 locations then.", "There were staff in 11 cities."
    assert propose(pair(one, other)) == []
    assert propose(pair(one, other, "In how many places was staff?"))[0].kind is Kind.FIGURES


def test_a_denial_beside_an_affirmation_is_proposed() -> None:
    texts = pair("The council repaired the north arch of the mill.", "The council never repaired the north arch.")
    (found,) = propose(texts)
    assert found.kind is Kind.DENIAL
    assert (found.said_a.value, found.said_b.value) == ("affirmed", "never")


def test_opposite_outcomes_of_one_thing_are_proposed() -> None:
    texts = pair("The frozenmap proposal was rejected.", "The frozenmap type is added to the library.", "frozenmap?")
    assert propose(texts)[0].kind is Kind.OUTCOME


def test_a_text_does_not_disagree_with_itself() -> None:
    assert propose([Measured(text="It has 12 boats."), Measured(text="It has 12 boats.")]) == []
    assert propose([]) == []
