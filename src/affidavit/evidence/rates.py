"""How a run's verifier judged, in three counts, and whether that is far from what this user's runs are used to.

A verifier that begins to agree with everything, a writer that begins to claim more than it quotes, a site that changed
what it serves: each shows in a run as a share that no earlier run had. Runs are small, so shares scatter; what is far
outside is told by how rarely a run of this size would come out so, given how much earlier runs differ among themselves.

The earlier runs are taken as draws from one beta-binomial distribution, its mean and its overdispersion fitted by
moments (Kleinman, 1973). A share is far outside where the chance of one at least as far out is below `RARE`, and it is
`LEAST` away from the mean.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

RUNS = 50
"""Earlier runs that are looked at, the newest: old habits are forgotten."""
ENOUGH_RUNS = 10
"""With fewer nothing is said: how much runs differ is not known yet."""
ENOUGH_PAIRS = 4
"""Of a smaller run nothing is said."""
RARE = 0.003
LEAST = 0.15
LEAST_SPREAD = 0.01
"""Overdispersion that is always assumed: ten runs that all came out alike do not prove that all runs will.

RARE {0.01, 0.003, 0.001, 0.0003} and LEAST_SPREAD {0.001, 0.01, 0.03} were swept by `benchmarks/alerts.py` over 4,000
simulated users: runs of 4 to 40 pairs, a usual share of 0.5 to 0.98, overdispersion 0 to 0.3, 10 to 50 earlier runs. A
run like the others is called far outside at 0.0112, 0.0047, 0.0030, 0.0022 (LEAST_SPREAD 0.01); one whose share fell to
half is noticed at 0.48, 0.38, 0.32, 0.27, to a fifth at 0.74, 0.65, 0.57, 0.51. LEAST was not swept."""

MEASURES = ("supported", "partial", "dropped")
_NAMES: Mapping[str, str] = {
    "supported": "supported by the verifier, before anything was dropped",
    "partial": "supported in part",
    "dropped": "dropped",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates:
    """Counts of one run. Of `pairs` of a claim and a span, `supported` and `partial` were judged so; of `claims`
    drafted, `dropped` were not published. Of a check: its sentences, sourced, unsourced, and rejected."""

    pairs: int
    supported: int
    partial: int
    claims: int
    dropped: int

    def as_list(self) -> list[int]:
        """As it stands in another run's baseline; `rates_of` reads it back."""
        return [self.pairs, self.supported, self.partial, self.claims, self.dropped]

    def share(self, measure: str) -> tuple[int, int]:
        """How many, of how many."""
        return getattr(self, measure), self.claims if measure == "dropped" else self.pairs


def rates_of(counts: Sequence[int]) -> Rates:
    """What `Rates.as_list` gave."""
    pairs, supported, partial, claims, dropped = counts
    return Rates(pairs=pairs, supported=supported, partial=partial, claims=claims, dropped=dropped)


def alerts(rates: Rates, baseline: Sequence[Rates]) -> tuple[str, ...]:
    """What is far outside `baseline`, a warning each. Nothing where too little is known."""
    if len(baseline) < ENOUGH_RUNS:
        return ()
    return tuple(_told(measure, rates, baseline) for measure in MEASURES if _outside(measure, rates, baseline))


def _outside(measure: str, rates: Rates, baseline: Sequence[Rates]) -> bool:
    count, of = rates.share(measure)
    before = [(k, n) for k, n in (one.share(measure) for one in baseline) if n > 0]
    if of < ENOUGH_PAIRS or len(before) < ENOUGH_RUNS:
        return False
    mean, spread = fitted(before)
    if abs(count / of - mean) < LEAST:
        return False
    a, b = mean * (1 - spread) / spread, (1 - mean) * (1 - spread) / spread
    further = range(count + 1) if count / of < mean else range(count, of + 1)
    return sum(_chance(k, of, a, b) for k in further) < RARE


def fitted(before: Iterable[tuple[int, int]]) -> tuple[float, float]:
    """Mean and overdispersion (0 to 1) of counts, each of so many, by moments; the mean is never 0 or 1."""
    pairs = [*before]
    total = sum(n for _, n in pairs)
    mean = (sum(k for k, _ in pairs) + 0.5) / (total + 1)
    around = mean * (1 - mean)
    scatter = sum(n * (k / n - mean) ** 2 for k, n in pairs)
    within = len(pairs) - 1
    spread = (scatter - around * within) / (around * (total - sum(n * n for _, n in pairs) / total - within) or 1.0)
    return mean, min(0.9, max(LEAST_SPREAD, spread))


def _chance(k: int, n: int, a: float, b: float) -> float:
    """The beta-binomial chance of `k` of `n`."""
    ways = math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
    return math.exp(ways + _beta(k + a, n - k + b) - _beta(a, b))


def _beta(a: float, b: float) -> float:
    return math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)


def _told(measure: str, rates: Rates, baseline: Sequence[Rates]) -> str:
    count, of = rates.share(measure)
    shares = [one.share(measure) for one in baseline]
    usual = sum(k for k, _ in shares) / max(1, sum(n for _, n in shares))
    return (
        f"Unusual for your runs: {count / of:.0%} ({count} of {of}) were {_NAMES[measure]}; in the last "
        f"{len(baseline)} runs with this verifier it was {usual:.0%}. Look at the verdicts before you rely on this"
    )
