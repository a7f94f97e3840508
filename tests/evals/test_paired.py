from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affidavit.evals.paired import Paired


@given(st.lists(st.tuples(st.booleans(), st.booleans()), max_size=80))
def test_rows_are_counted_once_and_turning_the_verifiers_round_changes_no_p_value(rows: list[tuple[bool, bool]]):
    found = Paired.of(rows)
    turned = Paired.of((second, first) for first, second in rows)
    assert found.both + found.first_only + found.second_only + found.neither == len(rows)
    assert (found.first_only, found.second_only) == (turned.second_only, turned.first_only)
    assert found.p_value == turned.p_value
    assert 0 < found.p_value <= 1


@given(st.integers(0, 60), st.integers(0, 60), st.integers(0, 10_000))
def test_rows_on_which_they_do_not_differ_say_nothing(first: int, second: int, same: int):
    assert Paired(same, first, second, same).p_value == Paired(0, first, second, 0).p_value


@given(st.integers(0, 60), st.integers(0, 60))
def test_the_p_value_is_the_two_tails_of_a_fair_coin(first: int, second: int):
    differ = first + second
    tails = 2 * sum(comb(differ, taken) for taken in range(min(first, second) + 1)) / 2**differ
    assert Paired(0, first, second, 0).p_value == pytest.approx(min(1.0, tails))


def test_a_known_table_has_its_known_p_value():
    assert Paired(0, 1, 9, 0).p_value == pytest.approx(22 / 1024)


def test_thousands_of_differences_are_no_trouble():
    assert Paired(0, 5000, 5000, 0).p_value == 1.0
    assert Paired(0, 9000, 1000, 0).p_value < 1e-300
