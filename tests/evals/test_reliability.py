import pytest
from hypothesis import given
from hypothesis import strategies as st

from affidavit.evals.reliability import BINS, Reliability

SCORED = st.lists(st.tuples(st.floats(0, 1), st.booleans()), max_size=80)


@given(SCORED)
def test_every_score_is_in_one_bin_and_lies_between_its_ends(scored: list[tuple[float, bool]]):
    found = Reliability.of(scored)
    assert found.rows == len(scored)
    assert [one.low for one in found.bins] == [index / BINS for index in range(BINS)]
    for one in found.bins:
        assert (one.mean_score is None) is (one.rows == 0)
        if one.mean_score is not None:
            assert one.low - 1e-9 <= one.mean_score <= one.high + 1e-9
    assert found.expected_error is None or 0 <= found.expected_error <= 1


def test_scores_that_mean_what_they_say_have_no_error():
    assert Reliability.of([(0.0, False), (1.0, True), (0.5, True), (0.5, False)]).expected_error == 0


def test_sure_and_wrong_is_the_largest_error():
    assert Reliability.of([(1.0, False), (0.0, True)]).expected_error == 1


def test_without_scores_there_is_no_error_rather_than_none_at_all():
    assert Reliability.of([]).expected_error is None


@pytest.mark.parametrize("score", [-0.01, 1.01, float("nan")])
def test_what_is_no_probability_is_refused(score: float):
    with pytest.raises(ValueError, match="not between 0 and 1"):
        Reliability.of([(score, True)])
