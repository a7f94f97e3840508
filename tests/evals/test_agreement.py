import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affidavit.evals.agreement import Confusion, Mean, Share, mean_over_sets
from affidavit.evals.triples import LABELS
from affidavit.evidence.claim import Label

S, P, N, X = Label.SUPPORTED, Label.PARTIAL, Label.NOT_SUPPORTED, Label.COULD_NOT_CHECK

PAIRS = st.lists(st.tuples(st.sampled_from(LABELS), st.sampled_from(Label)), max_size=60)
SHARES = st.integers(1, 5000).flatmap(lambda of: st.tuples(st.integers(0, of), st.just(of)))


def test_the_figures_of_a_small_table_are_those_counted_by_hand():
    found = Confusion.of([(S, S)] * 6 + [(S, X)] * 2 + [(S, P)] * 2 + [(P, S), (P, P), (N, N), (N, N), (N, X)])
    assert found.supported_recall == Share(6, 10)
    assert found.false_supported == Share(1, 5)
    assert found.precision == Share(6, 7)
    assert found.could_not_check == Share(3, 15)
    assert found.balanced_accuracy == pytest.approx((0.6 + 0.8) / 2)
    assert found.certified_right == Share(10, 15)
    assert found.checked.supported_recall == Share(6, 8)
    assert found.checked.agreement == Share(9, 12)
    assert found.as_not_supported.agreement == Share(10, 15)


def test_without_rows_of_a_class_there_is_no_figure_rather_than_a_perfect_one():
    only_supported = Confusion.of([(S, S)])
    assert only_supported.false_supported.value is None
    assert only_supported.balanced_accuracy is None
    assert Confusion.of([]).could_not_check.value is None
    assert Share(0, 0).interval is None


@pytest.mark.parametrize("answer", list(Label))
def test_a_constant_answer_has_a_balanced_accuracy_of_one_half(answer: Label):
    assert Confusion.of([(S, answer)] * 9 + [(P, answer)] * 2 + [(N, answer)]).balanced_accuracy == 0.5


@given(PAIRS)
def test_every_figure_is_a_share_and_the_order_of_rows_is_nothing_to_it(pairs: list[tuple[Label, Label]]):
    found = Confusion.of(pairs)
    assert found == Confusion.of(reversed(pairs))
    assert found.rows() == len(pairs) == sum(found.rows(true=label) for label in LABELS)
    for reading in (found, found.checked, found.as_not_supported):
        shares = (reading.supported_recall, reading.false_supported, reading.precision, reading.agreement)
        assert all(share.value is None or 0 <= share.value <= 1 for share in shares)
        assert reading.balanced_accuracy is None or 0 <= reading.balanced_accuracy <= 1


@given(PAIRS)
def test_what_could_not_be_checked_certifies_nothing_in_either_reading(pairs: list[tuple[Label, Label]]):
    found = Confusion.of(pairs)
    assert found.balanced_accuracy == found.as_not_supported.balanced_accuracy
    assert found.false_supported == found.as_not_supported.false_supported
    assert found.checked.rows() + found.could_not_check.hits == found.rows()
    assert found.checked.could_not_check.hits == found.as_not_supported.could_not_check.hits == 0
    assert found.checked.false_supported.hits == found.false_supported.hits


@given(PAIRS, st.integers(0, 59))
def test_saying_could_not_check_instead_of_a_verdict_never_raises_false_supported(
    pairs: list[tuple[Label, Label]], place: int
):
    held_back = [(true, X if index == place else said) for index, (true, said) in enumerate(pairs)]
    before, after = Confusion.of(pairs).false_supported, Confusion.of(held_back).false_supported
    assert after.of == before.of
    assert after.hits <= before.hits


@given(SHARES)
def test_wilson_s_interval_holds_the_share_and_stays_within_0_and_1(share: tuple[int, int]):
    found = Share(*share)
    low, high = found.interval or (math.nan, math.nan)
    assert found.value is not None
    assert 0 <= low <= found.value <= high <= 1
    assert low < high
    mirrored = Share(found.of - found.hits, found.of).interval or (math.nan, math.nan)
    assert (1 - high, 1 - low) == pytest.approx(mirrored, abs=1e-9)


@pytest.mark.parametrize(
    ("share", "interval"),
    [(Share(0, 10), (0.0, 0.2775)), (Share(5, 10), (0.2366, 0.7634)), (Share(81, 263), (0.2553, 0.3662))],
)
def test_wilson_s_interval_is_the_published_one(share: Share, interval: tuple[float, float]):
    """Newcombe 1998, table I, gives the last."""
    assert share.interval == pytest.approx(interval, abs=5e-5)


@given(st.integers(1, 50), st.integers(2, 20))
def test_more_rows_of_the_same_share_narrow_the_interval(of: int, times: int):
    few, many = Share(of // 2, of).interval, Share(of // 2 * times, of * times).interval
    assert few is not None
    assert many is not None
    assert many[1] - many[0] < few[1] - few[0]


def test_a_share_of_more_than_there_are_is_refused():
    with pytest.raises(ValueError, match="3 of 2"):
        Share(3, 2)


def test_a_mean_counts_each_set_once_and_only_the_sets_that_have_the_figure():
    small, large, other = Confusion.of([(S, S), (N, N)]), Confusion.of([(S, N), (N, S)] * 50), Confusion.of([(P, P)])
    assert mean_over_sets([small, large, other], lambda one: one.balanced_accuracy) == Mean(0.5, 2)
    assert mean_over_sets([other], lambda one: one.balanced_accuracy) == Mean(None, 0)
