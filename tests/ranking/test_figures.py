"""Figures, read to see whether two texts count one thing differently."""

import math

import pytest

from affidavit.ranking.figures import Figure, figures


@pytest.mark.parametrize(
    ("text", "low", "high", "unit"),
    [
        ("It has 19 .gov domains to preload.", 19, 19, "gov domains"),
        ("employees in 12 different locations, with", 12, 12, "locations"),
        ("It is 10-15% slower.", 10, 15, "percent"),
        ("between 5 and 7 million dollars", 5e6, 7e6, "USD"),
        ("a cost of $3.4 billion", 3.4e9, 3.4e9, "USD"),
        ("88,995 people a day", 88995, 88995, "person"),
        ("about 20 boats", 19, 21, "boats"),
        ("at least 8 characters in length", 8, math.inf, "characters"),
        ("up to 30 minutes", -math.inf, 30, "minutes"),
        ("for three years", 3, 3, "years"),
        ("3.5 hours", 3.5, 3.5, "hours"),
    ],
)
def test_a_figure_is_a_range_of_what_it_counts(text: str, low: float, high: float, unit: str) -> None:
    found = figures(text)
    assert len(found) == 1
    assert (found[0].low, found[0].high) == (low, high)
    assert found[0].unit in unit


@pytest.mark.parametrize(
    "text",
    [
        "See PEP 8 and Section 4.",
        "In 2019 it closed.",
        "On 4 May it opened.",
        "On May 4, it opened.",
        "SP 800-63B applies.",
        "Python 3.12 shipped.",
        "3.15 release manager",
        "M-15-13",
        "No figure here.",
    ],
)
def test_a_number_that_names_something_is_no_figure(text: str) -> None:
    assert figures(text) == []


def test_two_figures_agree_where_some_value_satisfies_both() -> None:
    assert Figure("10-15%", 10, 15, "percent").agrees(Figure("10%", 10, 10, "%"))
    assert not Figure("10-15%", 10, 15, "percent").agrees(Figure("8%", 8, 8, "%"))
    assert figures("more than 100 boats")[0].agrees(figures("120 boats")[0])
