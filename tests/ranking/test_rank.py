"""Hits in order, with their reasons."""

from collections.abc import Callable
from datetime import UTC, datetime

from affidavit.ranking.hit import Hit
from affidavit.ranking.policy import Policy
from affidavit.ranking.rank import rank
from affidavit.ranking.tiers import Tier

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def test_the_best_tier_comes_first_and_every_hit_keeps_its_terms(make_hit: Callable[..., Hit], policy: Policy) -> None:
    hits = [make_hit("https://medium.com/a"), make_hit("https://example.org/b"), make_hit("https://arxiv.org/c")]
    ranked = rank(hits, policy=policy, now=NOW)
    assert [one.tier for one in ranked] == [Tier.PRIMARY, Tier.SECONDARY, Tier.AGGREGATOR]
    assert [one.score for one in ranked] == [one.terms.score(policy) for one in ranked]
    assert "tier 0.450" in ranked[0].explanation(policy)


def test_a_site_with_six_results_does_not_get_six_votes(make_hit: Callable[..., Hit], policy: Policy) -> None:
    hits = [make_hit(f"https://{name}.loud.example.com/{name}") for name in "abcdef"]
    ranked = rank([*hits, make_hit("https://quiet.example.org/")], policy=policy, now=NOW)
    assert ranked[0].hit.url == "https://quiet.example.org/"
    assert {round(one.terms.independence, 4) for one in ranked[1:]} == {round(1 / 6, 4)}


def test_equal_scores_keep_the_order_in_which_they_came(make_hit: Callable[..., Hit], policy: Policy) -> None:
    hits = [make_hit(f"https://{name}.example/") for name in ("c", "a", "b")]
    assert [one.hit for one in rank(hits, policy=policy, now=NOW)] == hits


def test_nothing_ranks_to_nothing(policy: Policy) -> None:
    assert rank([], policy=policy, now=NOW) == []
