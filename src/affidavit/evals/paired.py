"""Whether one verifier is better than another on the same rows, or only luckier (McNemar's exact test)."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Paired:
    """Rows by which of two verifiers was right about them."""

    both: int
    first_only: int
    second_only: int
    neither: int

    @classmethod
    def of(cls, right: Iterable[tuple[bool, bool]]) -> "Paired":
        """From each row's ``(first right, second right)``."""
        counts = {(True, True): 0, (True, False): 0, (False, True): 0, (False, False): 0}
        for row in right:
            counts[row] += 1
        return cls(counts[True, True], counts[True, False], counts[False, True], counts[False, False])

    @property
    def p_value(self) -> float:
        """Two-sided and exact (McNemar 1947): how likely a split of the rows on which they differ is that is at least
        so uneven, were both equally good. Rows on which both are right or both wrong say nothing about it."""
        differ = self.first_only + self.second_only
        fewer = min(self.first_only, self.second_only)
        tail, term = 0, 1
        for taken in range(fewer + 1):
            tail += term
            term = term * (differ - taken) // (taken + 1)
        return min(1.0, 2 * tail / (1 << differ))
