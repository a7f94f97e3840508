"""Hits in the order in which they deserve to be read, each with the reasons."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from affidavit.ranking.canonical import registrable_domain
from affidavit.ranking.hit import Hit
from affidavit.ranking.policy import Policy
from affidavit.ranking.score import Terms, terms_of
from affidavit.ranking.tiers import Tier, tier_of


@dataclass(frozen=True, slots=True)
class Ranked:
    """A hit, its tier, the four terms of its score, and the score (0 to 1)."""

    hit: Hit
    tier: Tier
    terms: Terms
    score: float

    def explanation(self, policy: Policy) -> str:
        """One line: what each term added."""
        parts = ", ".join(f"{name} {value:.3f}" for name, value in self.terms.weighted(policy).items())
        return f"{self.score:.4f} = {parts} ({self.tier.value})"


def rank(hits: Sequence[Hit], *, policy: Policy, now: datetime) -> list[Ranked]:
    """All `hits`, best first; equal scores keep the order in which they came.

    Independence is counted over these hits, so dedupe first: a domain's copies of one page are not its votes.
    Raises UserError for a hit whose URL is none.
    """
    domains = [registrable_domain(hit.url) for hit in hits]
    counts = Counter(domains)
    ranked: list[Ranked] = []
    for hit, domain in zip(hits, domains, strict=True):
        tier = tier_of(hit.url, policy.tiers)
        terms = terms_of(hit, tier, counts[domain], policy=policy, now=now)
        ranked.append(Ranked(hit, tier, terms, terms.score(policy)))
    return sorted(ranked, key=lambda one: -one.score)
