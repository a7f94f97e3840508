"""When more searching brings nothing new."""

from hypothesis import given
from hypothesis import strategies as st

from affidavit.ranking.saturation import Saturation


def observe(*batches: list[str]) -> Saturation:
    state = Saturation()
    for batch in batches:
        state = state.observe(batch)
    return state


def test_two_batches_in_a_row_without_news_end_the_search() -> None:
    seen = [str(number) for number in range(10)]
    assert observe(seen, seen, seen).exhausted
    assert observe(seen, seen, seen).novelties == (1.0, 0.0, 0.0)


def test_one_batch_without_news_does_not() -> None:
    seen = [str(number) for number in range(10)]
    assert not observe(seen, seen).exhausted
    assert not observe(seen, seen, ["new"], seen).exhausted


def test_the_bound_is_15_percent() -> None:
    seen = [str(number) for number in range(100)]
    at_bound = seen[:85] + [f"a{number}" for number in range(15)]
    under = seen[:86] + [f"b{number}" for number in range(14)]
    assert not observe(seen, at_bound, under).exhausted
    assert observe(seen, under, under).exhausted


def test_an_empty_batch_brought_nothing_new() -> None:
    assert observe([], []).exhausted
    assert observe([]).novelties == (0.0,)
    assert not Saturation().exhausted


def test_a_page_twice_in_one_batch_is_new_once() -> None:
    assert observe(["a", "a"]).novelties == (0.5,)


@given(st.lists(st.lists(st.sampled_from("abcdefgh"), max_size=6), max_size=8))
def test_what_was_seen_only_grows_and_repeats_are_never_news(batches: list[list[str]]) -> None:
    state = Saturation()
    for batch in batches:
        after = state.observe(batch)
        assert after.seen >= state.seen | set(batch)
        assert 0.0 <= after.novelties[-1] <= 1.0
        assert after.observe(batch).novelties[-1] == 0.0
        state = after
