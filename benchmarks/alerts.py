"""How often `affidavit.evidence.rates` calls a run far outside, of runs like the others and of runs that are not.

    python benchmarks/alerts.py

Simulated users: each has a mean share, an overdispersion and a number of earlier runs; a run has 4 to 40 pairs.
"""

import random

from affidavit.evidence import rates as judged
from affidavit.evidence.rates import Rates, alerts

USERS = 4000


def run(chance: random.Random, mean: float, spread: float) -> Rates:
    pairs = chance.randint(4, 40)
    share = (
        mean if spread == 0 else chance.betavariate(mean * (1 - spread) / spread, (1 - mean) * (1 - spread) / spread)
    )
    supported = sum(chance.random() < share for _ in range(pairs))
    return Rates(pairs=pairs, supported=supported, partial=0, claims=pairs, dropped=0)


def told(changed: float | None) -> float:
    """The share of users whose next run is called far outside; `changed` times the usual mean where it is given."""
    chance = random.Random(7)
    found = 0
    for _ in range(USERS):
        mean, spread = chance.choice((0.5, 0.75, 0.9, 0.98)), chance.choice((0.0, 0.05, 0.15, 0.3))
        before = [run(chance, mean, spread) for _ in range(chance.randint(10, 50))]
        found += bool(alerts(run(chance, mean if changed is None else mean * changed, spread), before))
    return found / USERS


if __name__ == "__main__":
    for rare in (0.01, 0.003, 0.001, 0.0003):
        for spread in (0.001, 0.01, 0.03):
            judged.RARE, judged.LEAST_SPREAD = rare, spread
            shares = [told(None), told(0.5), told(0.2)]
            print(rare, spread, "false {:.4f}  fell to half {:.3f}  to a fifth {:.3f}".format(*shares))
