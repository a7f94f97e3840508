"""Figures that no source states and that follow from some that it does: sums, differences, shares, years between.

A derivation that fits is no proof that the writer made it, so a derived figure is never passed: it is reported with
the figures that give it. Only figures that belong together are tried (one sentence, or one subject in one text): among
many numbers almost anything is the sum of two.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import combinations

from affidavit.gates.numbers.compare import measure
from affidavit.gates.numbers.mention import Kind, Mention, Modifier

# Figures of one sentence or subject beyond this many are not combined: their pairs would fit any number.
_MOST = 12

# A figure, its dimension, and its value where it has one.
_Measured = tuple[Mention, str, Decimal | None]


@dataclass(frozen=True, slots=True)
class Derivation:
    """`how` is "sum", "difference", "share", "change", "multiple" or "years since"; `of` are the figures it is of."""

    how: str
    of: tuple[Mention, ...]


class Together:
    """The figures of one source text, parted into those that may be combined; worked out once for many claims."""

    def __init__(self, sources: Sequence[Mention]) -> None:
        self.figures = [_measured(mention) for mention in sources if mention.is_figure]
        by_sentence: dict[tuple[int, int], list[_Measured]] = {}
        for one in self.figures:
            by_sentence.setdefault(one[0].sentence, []).append(one)
        # One figure by itself gives none, but a year counted from.
        self.sentences = [group[:_MOST] for group in by_sentence.values() if len(group) > 1 or _is_year(group[0][0])]

    def groups(self, claim: Mention) -> Iterator[list[_Measured]]:
        """Those of a sentence, then the years, then those of the claim's own subject."""
        yield from self.sentences
        if claim.unit == "year":
            yield [one for one in self.figures if _is_year(one[0])][:_MOST]
        if claim.subject:
            yield [one for one in self.figures if one[0].subject == claim.subject][:_MOST]


def _measured(mention: Mention) -> _Measured:
    found = measure(mention)
    return mention, found.dimension, found.value if isinstance(found.value, Decimal) else None


def _is_year(mention: Mention) -> bool:
    return mention.kind is Kind.YEAR and mention.unit is None


def derive(claim: Mention, sources: Sequence[Mention] | Together, as_of: int | None = None) -> Derivation | None:
    """How the claim's figure follows from figures of one source text; None where it does not.

    `as_of` is the year from which "N years" is counted back to a year of the source.
    """
    ours = measure(claim)
    if not isinstance(ours.value, Decimal) or claim.kind in (Kind.ORDINAL, Kind.YEAR, Kind.DATE):
        return None
    together = sources if isinstance(sources, Together) else Together(sources)
    for group in together.groups(claim):
        for derivation, value in _results(ours.dimension, group, as_of):
            if _fits(claim, ours.value, ours.step, value):
                return derivation
    return None


def _results(dimension: str, group: Sequence[_Measured], as_of: int | None) -> Iterator[tuple[Derivation, Decimal]]:
    single = [(mention, kind, value) for mention, kind, value in group if value is not None]
    same = [(mention, value) for mention, kind, value in single if kind == dimension]
    for (first, one), (second, other) in combinations(same, 2):
        if dimension != "year":
            yield Derivation("sum", (first, second)), one + other
            yield Derivation("difference", (first, second)), abs(one - other)
    if len(same) > 2:
        yield Derivation("sum", tuple(mention for mention, _ in same)), sum((value for _, value in same), Decimal(0))
    if dimension == "calendar":
        yield from _years([(mention, value) for mention, _, value in single], as_of)
    if dimension not in ("share", "point_of_share", "times"):
        return
    for (first, kind, one), (second, another, other) in combinations(single, 2):
        if kind != another or kind in ("year", "ordinal") or not one or not other:
            continue
        if dimension == "share" and kind != "share":
            low, high = sorted((abs(one), abs(other)))
            yield Derivation("share", (first, second)), low / high
            yield Derivation("change", (first, second)), abs(other - one) / abs(one)
        if dimension == "point_of_share" and kind == "share":
            yield Derivation("difference", (first, second)), abs(one - other) * 100
        if dimension == "times":
            low, high = sorted((abs(one), abs(other)))
            yield Derivation("multiple", (first, second)), high / low


def _years(single: Sequence[tuple[Mention, Decimal]], as_of: int | None) -> Iterator[tuple[Derivation, Decimal]]:
    years = [(mention, value) for mention, value in single if mention.kind is Kind.YEAR]
    for (first, one), (second, other) in combinations(years, 2):
        yield Derivation("difference", (first, second)), abs(one - other) * 12
    for mention, value in years:
        if as_of is not None and as_of > value:
            yield Derivation("years since", (mention,)), (as_of - value) * 12


def _fits(claim: Mention, mine: Decimal, step: Decimal | None, value: Decimal) -> bool:
    if abs(mine - value) <= Decimal("1e-9") * max(abs(mine), 1):
        return True
    slack = step / 2 if step is not None else Decimal("0.005")
    if claim.modifier in (Modifier.ABOUT, Modifier.NEARLY, Modifier.OVER):
        slack = max(slack, abs(value) * Decimal("0.05"))
    return abs(mine - value) <= slack and abs(mine) >= 2 * slack
