"""Which ranked results fit into a window of characters.

Rank says how good a source is; the budget says what it costs. A source that does not fit is skipped, and the next
may still fit: a long result in third place must not cost the reader a short one in fourth.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from affidavit.ranking.rank import Ranked

# What a citation takes beside title and snippet (the seed's number): address, number, line ends.
OVERHEAD_CHARS = 80


@dataclass(frozen=True, slots=True)
class Budgeted:
    """`admitted` and `skipped` keep rank order and together are what was ranked; `used` is at most the budget."""

    admitted: tuple[Ranked, ...]
    skipped: tuple[Ranked, ...]
    used: int


def cost(ranked: Ranked) -> int:
    """Characters that one result takes up."""
    return len(ranked.hit.snippet) + len(ranked.hit.title) + OVERHEAD_CHARS


def fit_budget(ranked: Iterable[Ranked], budget_chars: int) -> Budgeted:
    """Admit in rank order whatever still fits into `budget_chars`."""
    admitted: list[Ranked] = []
    skipped: list[Ranked] = []
    used = 0
    for one in ranked:
        if used + cost(one) > budget_chars:
            skipped.append(one)
            continue
        admitted.append(one)
        used += cost(one)
    return Budgeted(tuple(admitted), tuple(skipped), used)
