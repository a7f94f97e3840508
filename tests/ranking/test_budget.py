"""What fits is admitted in rank order; what does not is skipped."""

from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from affidavit.ranking.budget import OVERHEAD_CHARS, cost, fit_budget
from affidavit.ranking.hit import Hit
from affidavit.ranking.rank import Ranked
from affidavit.ranking.score import Terms
from affidavit.ranking.tiers import Tier

TERMS = Terms(tier=1.0, recency=1.0, data=1.0, independence=1.0)


def ranked(make_hit: Callable[..., Hit], *lengths: int) -> list[Ranked]:
    hits = [make_hit(f"https://example.org/{i}", title="", snippet="x" * length) for i, length in enumerate(lengths)]
    return [Ranked(hit, Tier.PRIMARY, TERMS, 1.0) for hit in hits]


def test_a_result_costs_its_snippet_its_title_and_80(make_hit: Callable[..., Hit]) -> None:
    one = Ranked(make_hit(title="abc", snippet="12345"), Tier.PRIMARY, TERMS, 1.0)
    assert cost(one) == 5 + 3 + OVERHEAD_CHARS == 88


def test_what_does_not_fit_is_skipped_and_is_not_the_end(make_hit: Callable[..., Hit]) -> None:
    first, long, short = ranked(make_hit, 20, 1000, 20)
    fitted = fit_budget([first, long, short], 200)
    assert fitted.admitted == (first, short)
    assert fitted.skipped == (long,)
    assert fitted.used == 200


@given(
    lengths=st.lists(st.integers(min_value=0, max_value=500), max_size=12),
    budget=st.integers(min_value=-10, max_value=2000),
)
def test_the_budget_is_never_exceeded_and_nothing_is_lost(
    lengths: list[int], budget: int, make_hit: Callable[..., Hit]
) -> None:
    given_in = ranked(make_hit, *lengths)
    fitted = fit_budget(given_in, budget)
    assert fitted.used == sum(map(cost, fitted.admitted)) <= max(budget, 0)
    assert sorted([*fitted.admitted, *fitted.skipped], key=given_in.index) == given_in
    assert [one for one in given_in if one in fitted.admitted] == list(fitted.admitted)
