"""Whether a verifier's scores mean what they say: of the pairs scored about .8, about 80% should be SUPPORTED."""

from collections.abc import Iterable
from dataclasses import dataclass

BINS = 10
"""Bins of equal width over 0 to 1."""


@dataclass(frozen=True, slots=True)
class Bin:
    """Rows scored from `low` up to `high` (the last bin holds 1 too). `mean_score` and `supported` are None without
    rows."""

    low: float
    high: float
    rows: int
    mean_score: float | None
    supported: float | None


@dataclass(frozen=True, slots=True)
class Reliability:
    """The bins in order."""

    bins: tuple[Bin, ...]

    @classmethod
    def of(cls, scored: Iterable[tuple[float, bool]]) -> "Reliability":
        """From each row's score and whether it is SUPPORTED. Raises ValueError for a score outside 0 to 1."""
        scores: list[list[float]] = [[] for _ in range(BINS)]
        supported = [0] * BINS
        for score, is_supported in scored:
            if not 0.0 <= score <= 1.0:
                raise ValueError(f"a score of {score} is not between 0 and 1")
            index = min(int(score * BINS), BINS - 1)
            scores[index].append(score)
            supported[index] += is_supported
        return cls(
            tuple(
                Bin(
                    low=index / BINS,
                    high=(index + 1) / BINS,
                    rows=len(found),
                    mean_score=sum(found) / len(found) if found else None,
                    supported=supported[index] / len(found) if found else None,
                )
                for index, found in enumerate(scores)
            )
        )

    @property
    def rows(self) -> int:
        return sum(one.rows for one in self.bins)

    @property
    def expected_error(self) -> float | None:
        """Expected calibration error: the mean over rows of how far a bin's scores are from its share of SUPPORTED."""
        if not self.rows:
            return None
        gaps = (
            one.rows * abs(one.mean_score - one.supported)
            for one in self.bins
            if one.mean_score is not None and one.supported is not None
        )
        return sum(gaps) / self.rows
