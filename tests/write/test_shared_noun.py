"""Nouns that several figures count."""

from affidavit.write.shared_noun import shared_nouns

from .conftest import make_fact

OFFICES = make_fact(1, "Harbour has offices in 45 countries.", "offices")
PLACEMENTS = make_fact(2, "Harbour has placed people in 91 countries.", "placements", scope_note="placements")


def test_two_values_of_one_noun_are_told():
    (found,) = shared_nouns([OFFICES, PLACEMENTS])
    assert found.noun == "country"
    assert found.facts == (("45", OFFICES), ("91", PLACEMENTS))


def test_one_value_said_twice_is_none():
    assert shared_nouns([OFFICES, make_fact(3, "We are in 45 countries.")]) == ()


def test_two_figures_of_one_fact_are_none():
    assert shared_nouns([make_fact(4, "It grew from 45 countries to 91 countries.")]) == ()


def test_other_nouns_are_none():
    assert shared_nouns([OFFICES, make_fact(5, "Harbour has 91 boats.")]) == ()
