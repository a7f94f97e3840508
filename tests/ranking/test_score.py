"""The four terms of a score."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affidavit.ranking.hit import Hit
from affidavit.ranking.policy import Policy
from affidavit.ranking.score import has_data, recency, terms_of
from affidavit.ranking.tiers import Tier

NOW = datetime(2026, 6, 15, 12, tzinfo=UTC)


def days_ago(days: int) -> str:
    return (NOW - timedelta(days=days)).date().isoformat()


def test_recency_halves_every_540_days() -> None:
    assert recency(days_ago(0), now=NOW) == 1.0
    assert recency(days_ago(540), now=NOW) == 0.5
    assert recency(days_ago(1080), now=NOW) == 0.25


@pytest.mark.parametrize("published", [None, "", "soon", "2026-13-01", "2026-06-16", "2999", "2026-07", "31.12.2020"])
def test_no_date_and_a_future_date_are_uncertain_and_not_worthless(published: str | None) -> None:
    assert recency(published, now=NOW) == 0.5


def test_a_year_or_month_counts_as_its_middle_and_as_today_while_it_lasts() -> None:
    assert recency("2026", now=NOW) == recency("2026-06", now=NOW) == 1.0
    assert recency("2024", now=NOW) == recency("2024-07-01", now=NOW)
    assert recency("2025-05", now=NOW) == recency("2025-05-15", now=NOW)


def test_the_hour_and_zone_of_a_date_are_read() -> None:
    assert recency("2026-06-15T23:30:00-14:00", now=NOW) == 0.5
    assert recency("2026-06-16T02:00:00+14:00", now=NOW) == 1.0


@pytest.mark.parametrize(
    "text", ["cut by 25 of 30", "n = 7", "a dataset of letters", "our sample", "the data sets", "up 5%"]
)
def test_a_figure_or_a_data_set_is_data(text: str) -> None:
    assert has_data(text)


@pytest.mark.parametrize("text", ["", "no figures here", "one of 3 rooms", "an example", "resampled sound"])
def test_prose_is_not_data(text: str) -> None:
    assert not has_data(text)


def test_a_score_is_the_weighted_sum_of_its_terms(make_hit: Callable[..., Hit], policy: Policy) -> None:
    hit = make_hit(snippet="a sample of 1,200", published=days_ago(540))
    terms = terms_of(hit, Tier.PRIMARY, 4, policy=policy, now=NOW)
    assert (terms.tier, terms.recency, terms.data, terms.independence) == (1.0, 0.5, 1.0, 0.25)
    assert terms.score(policy) == pytest.approx(0.45 + 0.125 + 0.20 + 0.025)
    assert sum(terms.weighted(policy).values()) == pytest.approx(terms.score(policy))


def test_an_old_primary_source_without_figures_loses_to_a_recent_secondary_one_with(
    make_hit: Callable[..., Hit], policy: Policy
) -> None:
    old = terms_of(make_hit(snippet="words", published=days_ago(1100)), Tier.PRIMARY, 1, policy=policy, now=NOW)
    new = terms_of(make_hit(snippet="n = 812", published=days_ago(20)), Tier.SECONDARY, 1, policy=policy, now=NOW)
    assert new.score(policy) > old.score(policy)


@given(
    tier=st.sampled_from(list(Tier)),
    count=st.integers(min_value=0, max_value=10_000),
    published=st.one_of(st.none(), st.dates().map(str), st.text(max_size=12)),
    text=st.text(max_size=60),
)
def test_a_score_lies_between_0_and_1(
    tier: Tier, count: int, published: str | None, text: str, make_hit: Callable[..., Hit], policy: Policy
) -> None:
    hit = make_hit(title=text, snippet=text, published=published)
    assert 0.0 <= terms_of(hit, tier, count, policy=policy, now=NOW).score(policy) <= 1.0
