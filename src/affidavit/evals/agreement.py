"""How a verifier's answers stand to the labels: counts, and the figures that follow from them. Pure.

Whatever is not SUPPORTED is not certified, so PARTIAL and NOT_SUPPORTED rows are one class for every figure but
`agreement`, which tells all three apart. COULD_NOT_CHECK certifies nothing either: it costs recall and is no false
certification. `checked` leaves such rows out instead, where they count as neither right nor wrong.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from math import sqrt

from affidavit.evidence.claim import Label
from affidavit.evidence.frozen import freeze_fields

Z95 = 1.959963984540054
"""The standard normal quantile of a two-sided 95% interval."""


@dataclass(frozen=True, slots=True)
class Share:
    """`hits` of `of`. With nothing to count there is no value, rather than a perfect one."""

    hits: int
    of: int

    def __post_init__(self) -> None:
        if not 0 <= self.hits <= self.of:
            raise ValueError(f"{self.hits} of {self.of} is no share")

    @property
    def value(self) -> float | None:
        return self.hits / self.of if self.of else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """Wilson's 95% score interval (Wilson 1927): right for few rows and for shares of 0 and 1, where the usual
        one has no width."""
        if not self.of:
            return None
        share, square = self.hits / self.of, Z95 * Z95
        middle = (share + square / (2 * self.of)) / (1 + square / self.of)
        reach = Z95 * sqrt(share * (1 - share) / self.of + square / (4 * self.of**2)) / (1 + square / self.of)
        return max(0.0, min(share, middle - reach)), min(1.0, max(share, middle + reach))


@dataclass(frozen=True, slots=True)
class Confusion:
    """How many rows of each true label got each answer, by ``(true, said)``."""

    counts: Mapping[tuple[Label, Label], int]

    def __post_init__(self) -> None:
        freeze_fields(self)

    @classmethod
    def of(cls, pairs: Iterable[tuple[Label, Label]]) -> "Confusion":
        return cls(Counter(pairs))

    def rows(self, *, true: Label | None = None, said: Label | None = None) -> int:
        """How many rows have that label and that answer; None is any."""
        return sum(
            count
            for (is_true, was_said), count in self.counts.items()
            if true in (None, is_true) and said in (None, was_said)
        )

    @property
    def could_not_check(self) -> Share:
        return Share(self.rows(said=Label.COULD_NOT_CHECK), self.rows())

    @property
    def supported_recall(self) -> Share:
        """Of the rows that are SUPPORTED, those certified."""
        return Share(self.rows(true=Label.SUPPORTED, said=Label.SUPPORTED), self.rows(true=Label.SUPPORTED))

    @property
    def false_supported(self) -> Share:
        """Of the rows that are not SUPPORTED, those certified: the one error that a gate must not make."""
        wrong = self.rows(said=Label.SUPPORTED) - self.rows(true=Label.SUPPORTED, said=Label.SUPPORTED)
        return Share(wrong, self.rows() - self.rows(true=Label.SUPPORTED))

    @property
    def precision(self) -> Share:
        """Of the rows certified, those that are SUPPORTED. It moves with the data's balance of labels."""
        return Share(self.rows(true=Label.SUPPORTED, said=Label.SUPPORTED), self.rows(said=Label.SUPPORTED))

    @property
    def balanced_accuracy(self) -> float | None:
        """The mean of the recall of SUPPORTED and of the rest: .5 for chance and for any constant answer. None where
        one of the two is missing from the data."""
        recall, wrong = self.supported_recall.value, self.false_supported.value
        return None if recall is None or wrong is None else (recall + 1 - wrong) / 2

    @property
    def certified_right(self) -> Share:
        """Rows certified exactly where they are SUPPORTED: what a gate is asked for."""
        wrong = self.false_supported
        return Share(self.supported_recall.hits + wrong.of - wrong.hits, self.rows())

    @property
    def agreement(self) -> Share:
        """Rows whose answer is their label, all three told apart."""
        return Share(sum(self.counts.get((label, label), 0) for label in Label), self.rows())

    @property
    def checked(self) -> "Confusion":
        """Without the rows that could not be checked."""
        return Confusion(
            {key: count for key, count in self.counts.items() if key[1] is not Label.COULD_NOT_CHECK},
        )

    @property
    def as_not_supported(self) -> "Confusion":
        """With every row that could not be checked counted as answered NOT_SUPPORTED: what a reader gets to see."""
        folded: Counter[tuple[Label, Label]] = Counter()
        for (true, said), count in self.counts.items():
            folded[true, Label.NOT_SUPPORTED if said is Label.COULD_NOT_CHECK else said] += count
        return Confusion(folded)


@dataclass(frozen=True, slots=True)
class Mean:
    """A figure's mean over the data sets that have it, each set counting once whatever its size. `sets` is how many."""

    value: float | None
    sets: int


def mean_over_sets(sets: Iterable[Confusion], figure: Callable[[Confusion], float | None]) -> Mean:
    """The mean of `figure`. A set that has not the labels for it is left out and not counted."""
    values = [value for one in sets if (value := figure(one)) is not None]
    return Mean(sum(values) / len(values) if values else None, len(values))
