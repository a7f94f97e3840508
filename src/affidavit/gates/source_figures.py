"""The figures of the texts that a claim is held against, read once and found by what they measure.

A claim's figure is compared with those alone that could stand to it in some relation: of its dimension, and from two
fifths to two and a half times its value. Whatever else is asked of the texts is worked out when first asked.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

from affidavit.gates.numbers.compare import measure
from affidavit.gates.numbers.derived import Together
from affidavit.gates.numbers.magnitude import Magnitude, magnitudes
from affidavit.gates.numbers.mention import Kind, Mention
from affidavit.gates.numbers.reader import mentions


@dataclass(frozen=True, slots=True)
class Sourced:
    mention: Mention
    text: int


@dataclass(frozen=True)
class SourceFigures:
    """The figures of source texts, read once. Make one with `read_sources`; it serves any number of claims.

    What only some claims ask for is worked out when the first one asks.
    """

    texts: tuple[str, ...]
    by_text: tuple[tuple[Mention, ...], ...]
    scoped: frozenset[int]
    _sorted: dict[str, tuple[list[Decimal], list[Sourced]]]
    _others: dict[str, list[Sourced]]
    titles: tuple[str, ...] = ()

    def near(self, claim: Mention) -> list[Sourced]:
        """The figures that may stand to the claim's in some relation: of its dimension and magnitude, and its dates."""
        ours = measure(claim)
        found = list(self._others.get(ours.dimension, ()))
        if ours.dimension in ("year", "decade"):
            found += self._others.get("date", ())
        if ours.dimension == "decade":
            found += self._sorted.get("year", ([], []))[1]
        if isinstance(ours.value, Decimal):
            values, sourced = self._sorted.get(ours.dimension, ([], []))
            low, high = sorted((ours.value * Decimal("0.4"), ours.value * Decimal("2.5")))
            found += sourced[bisect_left(values, low) : bisect_right(values, high)]
        return found

    @cached_property
    def figures(self) -> tuple[Sourced, ...]:
        """All of them in order, names of things left out."""
        return tuple(
            Sourced(mention, index)
            for index, found in enumerate(self.by_text)
            for mention in found
            if mention.is_figure
        )

    @cached_property
    def ranges(self) -> tuple[Mention, ...]:
        return tuple(sourced.mention for sourced in self.figures if sourced.mention.kind is Kind.RANGE)

    @cached_property
    def by_digits(self) -> dict[tuple[int, ...], list[Sourced]]:
        """By the digits that count, wherever the point stands."""
        found: dict[tuple[int, ...], list[Sourced]] = defaultdict(list)
        for sourced in self.figures:
            if isinstance(sourced.mention.value, Decimal):
                found[significant_digits(sourced.mention.value)].append(sourced)
        return found

    @cached_property
    def by_subject(self) -> dict[str, list[Mention]]:
        found: dict[str, list[Mention]] = defaultdict(list)
        for sourced in self.figures:
            if sourced.mention.subject:
                found[sourced.mention.subject].append(sourced.mention)
        return found

    @cached_property
    def names(self) -> frozenset[str]:
        """What names a thing: identifiers and versions."""
        read = (*self.by_text, *map(mentions, self.titles))
        return frozenset(str(one.value) for found in read for one in found if not one.is_figure)

    @cached_property
    def versions(self) -> frozenset[str]:
        return frozenset(str(one.value) for found in self.by_text for one in found if one.kind is Kind.VERSION)

    @cached_property
    def together(self) -> tuple[Together, ...]:
        """For each text the figures of it that a writer may have reckoned with."""
        return tuple(Together(found, text) for found, text in zip(self.by_text, self.texts, strict=True))

    @cached_property
    def magnitudes(self) -> tuple[Magnitude, ...]:
        return tuple(one for text in self.texts for one in magnitudes(text))

    @cached_property
    def lowered(self) -> tuple[str, ...]:
        return tuple(text.lower() for text in (*self.texts, *self.titles))


def read_sources(
    texts: Sequence[str], *, locale: str | None = None, scopes: Sequence[str | None] = (), titles: Sequence[str] = ()
) -> SourceFigures:
    """Read the figures of `texts`. `scopes` are notes on what the counts of each count. `titles` are what the sources
    are called: they name things ("PEP 8") and state no figure."""
    notes = [*scopes, *[None] * (len(texts) - len(scopes))]
    by_text = tuple(mentions(text, locale, note) for text, note in zip(texts, notes, strict=True))
    scoped = frozenset(index for index, note in enumerate(notes) if note)
    rows: dict[str, list[tuple[Decimal, Sourced]]] = defaultdict(list)
    others: dict[str, list[Sourced]] = defaultdict(list)
    for index, found in enumerate(by_text):
        for mention in found:
            if not mention.is_figure:
                continue
            measured = measure(mention)
            sourced = Sourced(mention, index)
            if isinstance(measured.value, Decimal):
                rows[measured.dimension].append((measured.value, sourced))
            else:
                others[measured.dimension].append(sourced)
    ordered: dict[str, tuple[list[Decimal], list[Sourced]]] = {}
    for dimension, row in rows.items():
        row.sort(key=lambda pair: pair[0])
        ordered[dimension] = ([value for value, _ in row], [sourced for _, sourced in row])
    return SourceFigures(tuple(texts), by_text, scoped, ordered, dict(others), tuple(titles))


def significant_digits(value: Decimal) -> tuple[int, ...]:
    """The digits that count, wherever the point stands: 12,000 and 1.2 have the same."""
    return value.normalize().as_tuple().digits
