"""Bounds on a verifier's pooled figures, below which an eval fails.

They are held against the point estimate, not against its interval: a floor says what was measured on these rows, and
whoever wants more certainty measures on more rows.
"""

from dataclasses import dataclass

from affidavit.errors import UserError
from affidavit.evals.agreement import Confusion


@dataclass(frozen=True, slots=True)
class Floor:
    """One bound on a pooled figure. `measured` is None where the data cannot tell it; then it is not met."""

    name: str
    bound: float
    measured: float | None
    met: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Floors:
    """What must hold for an exit status of 0. Raises UserError for a bound outside 0 to 1."""

    max_false_supported: float | None = None
    min_balanced_accuracy: float | None = None

    def __post_init__(self) -> None:
        for name in ("max_false_supported", "min_balanced_accuracy"):
            bound = getattr(self, name)
            if bound is not None and not 0 <= bound <= 1:
                raise UserError(f"--{name.replace('_', '-')} {bound:g}: write a share between 0 and 1, such as 0.05")

    def held_against(self, pooled: Confusion) -> tuple[Floor, ...]:
        """Each bound that was set, beside the point estimate over all rows."""
        found: list[Floor] = []
        if self.max_false_supported is not None:
            share, bound = pooled.false_supported.value, self.max_false_supported
            found.append(Floor("max_false_supported", bound, share, share is not None and share <= bound))
        if self.min_balanced_accuracy is not None:
            balanced, bound = pooled.balanced_accuracy, self.min_balanced_accuracy
            met = balanced is not None and balanced >= bound
            found.append(Floor("min_balanced_accuracy", bound, balanced, met))
        return tuple(found)
