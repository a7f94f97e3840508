import pytest
from hypothesis import given
from hypothesis import strategies as st

from affidavit.evidence.rates import ENOUGH_RUNS, Rates, alerts, fitted, rates_of


def rates(supported: int, of: int = 12, *, partial: int = 0, dropped: int = 0) -> Rates:
    return Rates(pairs=of, supported=supported, partial=partial, claims=of, dropped=dropped)


USUAL = [rates(supported) for supported in (9, 10, 10, 11, 9, 10, 12, 8, 10, 9, 11, 10)]


def test_a_run_like_the_others_is_not_spoken_of():
    for one in USUAL:
        assert alerts(one, USUAL) == ()


def test_a_share_that_no_earlier_run_had_is_told_with_both_figures():
    (told,) = alerts(rates(2), USUAL)
    assert told.startswith("Unusual for your runs: 17% (2 of 12) were supported by the verifier")
    assert "in the last 12 runs with this verifier it was 83%" in told


def test_each_measure_is_looked_at_by_itself():
    told = alerts(rates(10, partial=9, dropped=9), USUAL)
    assert ["supported in part" in one for one in told] == [True, False]
    assert "75% (9 of 12) were dropped" in told[1]


def test_a_verifier_that_begins_to_agree_with_everything_is_told_too():
    before = [rates(supported, 40) for supported in (19, 21, 20, 22, 18, 20, 21, 19, 20, 20)]
    assert len(alerts(rates(40, 40), before)) == 1


def test_nothing_is_said_of_a_small_run_or_after_few_runs():
    assert alerts(rates(0, 3), USUAL) == ()
    assert alerts(rates(0), USUAL[: ENOUGH_RUNS - 1]) == ()
    assert alerts(rates(0, 0), [rates(0, 0)] * ENOUGH_RUNS) == ()


def test_runs_that_differ_much_among_themselves_make_room_for_another():
    scattered = [rates(supported) for supported in (0, 12, 3, 11, 6, 12, 1, 9, 12, 0, 5, 12)]
    assert alerts(rates(0), scattered) == ()
    assert fitted([one.share("supported") for one in scattered])[1] > 0.3


COUNTS = st.integers(0, 40).flatmap(lambda of: st.tuples(st.integers(0, of), st.just(of)))


@given(COUNTS, st.lists(COUNTS, max_size=60))
def test_any_counts_can_be_compared(count: tuple[int, int], before: list[tuple[int, int]]):
    told = alerts(rates(*count), [rates(*one) for one in before])
    assert len(told) <= 1


@given(st.lists(COUNTS.filter(lambda one: one[1] > 0), min_size=1, max_size=60))
def test_the_fit_is_a_distribution(before: list[tuple[int, int]]):
    mean, spread = fitted(before)
    assert 0 < mean < 1
    assert 0 < spread < 1


@pytest.mark.parametrize("one", USUAL[:2])
def test_rates_are_read_back_as_they_were_written(one: Rates):
    assert rates_of(one.as_list()) == one
