"""What kind of source a host is."""

import pytest

from affidavit.ranking.policy import Policy
from affidavit.ranking.tiers import Tier, tier_of


@pytest.mark.parametrize(
    "url",
    [
        "https://arxiv.org/abs/1706.03762",
        "https://www.nature.com/articles/x",
        "https://www.sec.gov/",
        "https://www.who.int/",
        "https://pubmed.ncbi.nlm.nih.gov/1/",
        "https://ec.europa.eu/eurostat",
        "https://www.bls.gov/cpi",
        "https://pages.example.gov/x",
        "https://www.army.mil/",
        "https://www.gov.uk/guidance",
        "https://www.ons.gov.uk/",
        "https://www.tbs-sct.gc.ca/",
        "https://www.mof.go.jp/",
        "https://www.economie.gouv.fr/",
        "https://www.rfc-editor.org/rfc/rfc9110",
        "https://www.w3.org/TR/",
    ],
)
def test_who_made_it_is_primary(url: str, policy: Policy) -> None:
    assert tier_of(url, policy.tiers) is Tier.PRIMARY


@pytest.mark.parametrize(
    "url",
    [
        "https://medium.com/@a/b",
        "https://someone.substack.com/p/x",
        "https://old.reddit.com/r/x",
        "https://news.ycombinator.com/item?id=1",
        "https://x.com/a/status/1",
        "https://www.linkedin.com/pulse/x",
    ],
)
def test_where_anybody_posts_is_an_aggregator(url: str, policy: Policy) -> None:
    assert tier_of(url, policy.tiers) is Tier.AGGREGATOR


@pytest.mark.parametrize(
    "url",
    [
        "https://evilnature.com/",
        "https://nature.com.evil.org/",
        "https://nature.com@evil.org/",
        "https://nature-com.org/",
        "https://www.netflix.com/",
        "https://fedex.com/",
        "https://notgov/",
        "https://gov.example.org/",
        "https://go.it/",
        "https://natuгe.com/",
        "https://bbc.co.uk/news",
        "https://ycombinator.com/",
        "file:///tmp/nature.com",
    ],
)
def test_what_only_looks_like_a_listed_host_is_secondary(url: str, policy: Policy) -> None:
    assert tier_of(url, policy.tiers) is Tier.SECONDARY


def test_the_longest_name_decides() -> None:
    table = {"example.org": Tier.PRIMARY, "blog.example.org": Tier.AGGREGATOR}
    assert tier_of("https://www.example.org/", table) is Tier.PRIMARY
    assert tier_of("https://a.blog.example.org/", table) is Tier.AGGREGATOR
