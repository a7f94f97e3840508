"""How much a search result promises, as one number whose four parts are kept.

    score = 0.45 tier + 0.25 recency + 0.20 data + 0.10 independence

Every term lies between 0 and 1 and the weights (from the policy) sum to 1, so the score does too. A rank that
cannot be explained cannot be argued with: the terms travel with the hit.
"""

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime

from affidavit.ranking.hit import Hit
from affidavit.ranking.policy import Policy
from affidavit.ranking.tiers import Tier

# The seed's signals (a number of two digits, "dataset", "sample", "n = 30"), with their plurals, and a percentage.
_DATA = re.compile(r"\d{2,}|\d\s?%|\bdata\s?sets?\b|\bsamples?\b|\bn\s*=\s*\d+", re.IGNORECASE)
_YEAR = re.compile(r"\d{4}")
_MONTH = re.compile(r"(\d{4})-(\d{2})")


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """The four terms before weighing, each between 0 and 1."""

    tier: float
    recency: float
    data: float
    independence: float

    def weighted(self, policy: Policy) -> dict[str, float]:
        """What each term adds to the score, by name."""
        return {
            "tier": policy.tier_weight * self.tier,
            "recency": policy.recency_weight * self.recency,
            "data": policy.data_weight * self.data,
            "independence": policy.independence_weight * self.independence,
        }

    def score(self, policy: Policy) -> float:
        """The weighted sum, rounded to four places so that equal evidence ties."""
        return min(1.0, round(sum(self.weighted(policy).values()), 4))


def terms_of(hit: Hit, tier: Tier, domain_count: int, *, policy: Policy, now: datetime) -> Terms:
    """The terms of `hit`, whose registrable domain brought `domain_count` (at least 1) of the results."""
    return Terms(
        tier=policy.tier_values[tier],
        recency=recency(hit.published, now=now, half_life_days=policy.half_life_days, undated=policy.undated),
        data=1.0 if has_data(f"{hit.title} {hit.snippet}") else 0.0,
        independence=1.0 / max(1, domain_count),
    )


def recency(published: str | None, *, now: datetime, half_life_days: float = 540.0, undated: float = 0.5) -> float:
    """``0.5 ** (age in days / half-life)``; `undated` for no date, a date nobody can read, or one after `now`.

    `now` has a time zone; the room has no clock. ``2024`` and ``2024-05`` count as their middle, or as `now` while
    they last. Without the rule on future dates any page could claim to be the newest.
    """
    then = _date(published, now.astimezone(UTC).date()) if published else None
    if then is None:
        return undated
    age = (now.astimezone(UTC).date() - then).days
    return undated if age < 0 else 0.5 ** (age / half_life_days)


def has_data(text: str) -> bool:
    """Whether `text` shows a figure or names a data set or sample."""
    return _DATA.search(text) is not None


def _date(published: str, today: date) -> date | None:
    text = published.strip()
    try:
        if _YEAR.fullmatch(text):
            year = int(text)
            return today if year == today.year else date(year, 7, 1)
        if month := _MONTH.fullmatch(text):
            year, number = int(month[1]), int(month[2])
            return today if (year, number) == (today.year, today.month) else date(year, number, 15)
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return (moment.astimezone(UTC) if moment.tzinfo else moment).date()
