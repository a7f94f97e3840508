"""Figures that no source states and that follow from some that it does: sums, differences, shares, years between.

A derivation that fits is no proof that the writer made it, so a derived figure is never passed: it is reported with
the figures that give it. Only figures that belong together are tried: of one unit and kind, counting one thing, in one
sentence or in the neighbouring lines of one list. Among many numbers almost anything is the sum of two.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from itertools import combinations, pairwise

from affidavit.gates.numbers.compare import measure
from affidavit.gates.numbers.mention import Kind, Mention, Modifier

# Figures of one sentence or subject beyond this many are not combined: their pairs would fit any number.
_MOST = 12

# Code points between the figures of two lines of one list, at most.
_GAP = 120
# A span of years is one from a founding only where the claim says so.
_SINCE = re.compile(r"\b(?:since|ago|old|after|later|anniversary|past|last|for)\b", re.IGNORECASE)

# A figure, its dimension, and its value where it has one.
_Measured = tuple[Mention, str, Decimal | None]
# How, of what, and the value.
_Result = tuple[str, tuple[Mention, ...], Decimal]


@dataclass(frozen=True, slots=True)
class Derivation:
    """`how` is "sum", "difference", "share", "change", "multiple" or "years since"; `of` are the figures it is of."""

    how: str
    of: tuple[Mention, ...]


class Together:
    """The figures of one source text, parted into those that may be combined; worked out once for many claims."""

    def __init__(self, sources: Sequence[Mention], text: str = "") -> None:
        self.figures = [_measured(mention) for mention in sources if mention.is_figure]
        by_sentence: dict[tuple[int, int], list[_Measured]] = {}
        for one in self.figures:
            by_sentence.setdefault(one[0].sentence, []).append(one)
        # One figure by itself gives none, but a year counted from.
        self.sentences = [group[:_MOST] for group in by_sentence.values() if len(group) > 1 or _is_year(group[0][0])]
        self.lists = [run[:_MOST] for run in _lists(self.figures, text) if len(run) > 1]
        self._results: dict[tuple[str, int | None], tuple[list[Decimal], list[tuple[int, _Result, bool]]]] = {}

    def results(
        self, dimension: str, since: int | None, low: Decimal, high: Decimal
    ) -> Iterator[tuple[str, tuple[Mention, ...], Decimal, bool]]:
        """What gives a value from `low` to `high`, sentences before lists, each in order; the last says which it was.
        Everything that the figures give is worked out once and sorted, since most claims ask in vain."""
        key = (dimension, since)
        if key not in self._results:
            found = [
                (result, listed)
                for groups, listed in ((self.sentences, False), (self.lists, True))
                for group in groups
                for result in _results(dimension, group, since)
            ]
            order = sorted(range(len(found)), key=lambda index: found[index][0][2])
            self._results[key] = [found[index][0][2] for index in order], [(index, *found[index]) for index in order]
        values, results = self._results[key]
        for _, result, listed in sorted(
            results[bisect_left(values, low) : bisect_right(values, high)], key=lambda one: one[0]
        ):
            yield (*result, listed)


def _lists(figures: Sequence[_Measured], text: str) -> Iterator[list[_Measured]]:
    """Runs of neighbouring lines that each have one figure, all of one dimension."""
    breaks = [match.start() for match in re.finditer("\n", text)]
    lines = [bisect_left(breaks, one[0].start) for one in figures]
    crowded = {line for line, following in pairwise(lines) if line == following}
    run: list[_Measured] = []
    for index, one in enumerate(figures):
        follows = run and lines[index] == lines[index - 1] + 1 and one[0].start - figures[index - 1][0].end <= _GAP
        if run and not (follows and lines[index] not in crowded and one[1] == run[0][1]):
            yield run
            run = []
        if lines[index] not in crowded:
            run = [*run, one]
    yield run


def _measured(mention: Mention) -> _Measured:
    found = measure(mention)
    return mention, found.dimension, found.value if isinstance(found.value, Decimal) else None


def _is_year(mention: Mention) -> bool:
    return mention.kind is Kind.YEAR and mention.unit is None


def derive(
    claim: Mention, sources: Sequence[Mention] | Together, as_of: int | None = None, said: str | None = None
) -> Derivation | None:
    """How the claim's figure follows from figures of one source text; None where it does not.

    `as_of` is the year from which "N years" is counted back to a year of the source, where `said`, the claim's
    sentence, has a word for that.
    """
    ours = measure(claim)
    if not isinstance(ours.value, Decimal) or claim.kind in (Kind.ORDINAL, Kind.YEAR, Kind.DATE):
        return None
    together = sources if isinstance(sources, Together) else Together(sources)
    since = as_of if said is None or _says_since(said) else None
    reach = _reach(claim, ours.value, ours.step)
    for how, of, value, listed in together.results(ours.dimension, since, ours.value - reach, ours.value + reach):
        derivation = Derivation(how, of)
        if _fits(claim, ours.value, ours.step, value) and _belong(claim, derivation, listed=listed):
            return derivation
    return None


@lru_cache(maxsize=64)
def _says_since(said: str) -> bool:
    """Asked once for each figure of a sentence and each text."""
    return _SINCE.search(said) is not None


def _belong(claim: Mention, derivation: Derivation, *, listed: bool) -> bool:
    """Whether the figures are of one kind and count one thing, which is the claim's where a sum or difference of things
    is claimed; and whether the claim is no rounder than they are.

    In a list each line may name what it is of: rent and food are both costs.
    """
    first, *rest = derivation.of
    if any((one.kind, one.unit) != (first.kind, first.unit) for one in rest):
        return False
    if any(one.subject != first.subject for one in rest) and not (listed and first.unit):
        return False
    if first.kind is Kind.COUNT and first.unit is None and first.subject is None:
        return False  # bare numbers: nothing says what they count
    if derivation.how not in ("sum", "difference") or first.kind is Kind.YEAR or claim.unit == "percentage_point":
        return True
    if claim.unit != first.unit:
        return False
    if claim.unit is None and claim.subject is not None and claim.subject != first.subject:
        return False
    steps = [one.step for one in derivation.of if one.step is not None]
    return claim.step is None or not steps or claim.step <= max(steps)


def _results(dimension: str, group: Sequence[_Measured], as_of: int | None) -> Iterator[_Result]:
    single = [(mention, kind, value) for mention, kind, value in group if value is not None]
    same = [(mention, value) for mention, kind, value in single if kind == dimension]
    for (first, one), (second, other) in combinations(same, 2):
        if dimension != "year":
            yield "sum", (first, second), one + other
            yield "difference", (first, second), abs(one - other)
    if len(same) > 2:
        yield "sum", tuple(mention for mention, _ in same), sum((value for _, value in same), Decimal(0))
    if dimension == "calendar":
        yield from _years([(mention, value) for mention, _, value in single], as_of)
    if dimension not in ("share", "point_of_share", "times"):
        return
    for (first, kind, one), (second, another, other) in combinations(single, 2):
        if kind != another or kind in ("year", "ordinal", "times") or not one or not other:
            continue
        if dimension == "share" and kind != "share":
            low, high = sorted((abs(one), abs(other)))
            yield "share", (first, second), low / high
            yield "change", (first, second), abs(other - one) / abs(one)
        if dimension == "point_of_share" and kind == "share":
            yield "difference", (first, second), abs(one - other) * 100
        if dimension == "times":
            low, high = sorted((abs(one), abs(other)))
            yield "multiple", (first, second), high / low


def _years(single: Sequence[tuple[Mention, Decimal]], as_of: int | None) -> Iterator[_Result]:
    years = [(mention, value) for mention, value in single if mention.kind is Kind.YEAR]
    for (first, one), (second, other) in combinations(years, 2):
        yield "difference", (first, second), abs(one - other) * 12
    for mention, value in years:
        if as_of is not None and as_of > value:
            yield "years since", (mention,), (as_of - value) * 12


def _reach(claim: Mention, mine: Decimal, step: Decimal | None) -> Decimal:
    """How far from the claim's value another may be and fit, or a little farther."""
    loose = claim.modifier in (Modifier.ABOUT, Modifier.NEARLY, Modifier.OVER)
    share = Decimal("0.06") if loose else Decimal("1e-9")
    return max(share * max(abs(mine), Decimal(1)), step / 2 if step is not None else Decimal("0.005"))


def _fits(claim: Mention, mine: Decimal, step: Decimal | None, value: Decimal) -> bool:
    if abs(mine - value) <= Decimal("1e-9") * max(abs(mine), 1):
        return True
    slack = step / 2 if step is not None else Decimal("0.005")
    if claim.modifier in (Modifier.ABOUT, Modifier.NEARLY, Modifier.OVER):
        slack = max(slack, abs(value) * Decimal("0.05"))
    return abs(mine - value) <= slack and abs(mine) >= 2 * slack
