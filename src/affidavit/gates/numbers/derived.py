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


@dataclass(frozen=True, slots=True)
class Derivation:
    """`how` is "sum", "difference", "share", "change", "multiple" or "years since"; `of` are the figures it is of."""

    how: str
    of: tuple[Mention, ...]


def derive(claim: Mention, sources: Sequence[Mention], as_of: int | None = None) -> Derivation | None:
    """How the claim's figure follows from figures of one source text; None where it does not.

    `as_of` is the year from which "N years" is counted back to a year of the source.
    """
    ours = measure(claim)
    if not isinstance(ours.value, Decimal) or claim.kind in (Kind.ORDINAL, Kind.YEAR, Kind.DATE):
        return None
    for group in _together(claim, sources):
        for derivation, value in _results(ours.dimension, group, as_of):
            if _fits(claim, ours.value, ours.step, value):
                return derivation
    return None


def _together(claim: Mention, sources: Sequence[Mention]) -> Iterator[list[Mention]]:
    """Groups of figures that may be combined: those of a sentence, then those of the claim's own subject."""
    by_sentence: dict[tuple[int, int], list[Mention]] = {}
    for mention in sources:
        if mention.is_figure:
            by_sentence.setdefault(mention.sentence, []).append(mention)
    for group in by_sentence.values():
        yield group[:_MOST]
    years = [mention for mention in sources if mention.kind is Kind.YEAR and mention.unit is None]
    if claim.unit == "year" and years:
        yield years[:_MOST]
    if claim.subject:
        yield [mention for mention in sources if mention.subject == claim.subject and mention.is_figure][:_MOST]


def _results(dimension: str, group: Sequence[Mention], as_of: int | None) -> Iterator[tuple[Derivation, Decimal]]:
    single = [(mention, value) for mention in group if isinstance(value := measure(mention).value, Decimal)]
    same = [(mention, value) for mention, value in single if measure(mention).dimension == dimension]
    for (first, one), (second, other) in combinations(same, 2):
        if dimension != "year":
            yield Derivation("sum", (first, second)), one + other
            yield Derivation("difference", (first, second)), abs(one - other)
    if len(same) > 2:
        yield Derivation("sum", tuple(mention for mention, _ in same)), sum((value for _, value in same), Decimal(0))
    if dimension == "calendar":
        yield from _years(single, as_of)
    for (first, one), (second, other) in combinations(single, 2):
        kind = measure(first).dimension
        if kind != measure(second).dimension or kind in ("year", "ordinal") or not one or not other:
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
