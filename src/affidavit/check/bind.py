"""The passage of the sources that a claim is held against: most of its words and figures, and nearest in meaning.

Words find candidates through the index; the sentence encoder tells, among the few that hold about as many words,
which one is about the same. Neither is trusted alone: a vector does not know 18% from 28%, and words do not know that
a password is a memorized secret.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from affidavit.check.claim import Claim, same_digits
from affidavit.check.passages import Passages
from affidavit.gates.numbers import Mention, Relation, compare
from affidavit.gates.numbers.compare import BEARS_OUT
from affidavit.gates.source_figures import Sourced, SourceFigures

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FLOOR = 0.30
"""Contract C2: with less of its words in a passage, a claim is bound to nothing."""
CANDIDATES = 12
"""Passages weighed for a claim. Swept as the numbers of `judge`: {8, 12, 16, 24}: level."""
BESIDE = 0.15
"""Added for what stands where the sentence before was bound, if the claim leans on that sentence."""
ALL_FIGURES = 0.1
"""Added for a passage that has every figure of the claim."""
NEARNESS = 0.8
"""Worth of a cosine of 1 beside a share of 1. {.6: 109; .7: 112; .8: 114; .9, 1: 117}, the sums asked for in `judge`
unchanged: so more certifies more, and the stricter was kept."""


# To be found beside a claim a figure may differ in its bound; whether that is fair is for the gates to say.
_BEARING = frozenset({*BEARS_OUT, Relation.DROPPED_BOUND, Relation.ADDED_BOUND})


class Encoder(Protocol):
    """Texts to vectors of unit length, one row a text."""

    def encode(self, texts: Sequence[str]) -> "NDArray[np.float32]": ...


@dataclass(frozen=True, slots=True)
class Bound:
    """Lines ``[first, last)`` of the index beside a claim. `share` is the weighted part of the claim's terms and
    figures that their words hold, `reach` with the words of their place; `cosine` how near they are in meaning."""

    first: int
    last: int
    text: str
    share: float
    reach: float
    cosine: float
    bonus: float = 0.0
    figures: int = 0

    @property
    def score(self) -> float:
        return (self.share + self.reach) / 2 + NEARNESS * self.cosine + self.bonus


class Binder:
    """Finds passages for claims. Keeps the vector of every text it has encoded."""

    def __init__(self, passages: Passages, figures: SourceFigures, encoder: Encoder) -> None:
        self.passages = passages
        self.figures = figures
        self._encoder = encoder
        self._vectors: dict[str, NDArray[np.float32]] = {}
        self._starts: list[list[int]] = [[] for _ in passages.sources]
        self._lines: list[list[int]] = [[] for _ in passages.sources]
        for index, line in enumerate(passages.lines):
            self._starts[line.source].append(line.start)
            self._lines[line.source].append(index)

    def bind(self, claim: Claim, prefer: int | None, before: "Bound | None") -> list[Bound]:
        """The passages for `claim`, best first. `before` is what the sentence before it was bound to: what leans on
        that sentence may stand beside it in the source as well."""
        borne = {figure: self.bearing(figure) for figure in claim.figures}
        beside: set[tuple[int, int]] = set()
        found = {
            *self.passages.best(claim.terms, claim.context, prefer, CANDIDATES, borne.values()),
        }
        if before is not None and claim.leans:
            beside = {(one, one + 1) for one in self._around(before)}
            found |= beside
        if not found:
            return []
        lines = self.passages.lines
        ranges = sorted(one for one in found if any(line.evidence for line in lines[one[0] : one[1]]))
        texts = [self.passages.text(first, last) for first, last in ranges]
        cosines = self._cosines(claim.text, texts)
        bound = [
            self._bound(claim, borne, first, last, text, cosine, BESIDE if (first, last) in beside else 0.0)
            for (first, last), text, cosine in zip(ranges, texts, cosines, strict=True)
        ]
        return sorted(bound, key=lambda one: -one.score)

    def bearing(self, figure: Mention) -> frozenset[int]:
        """The lines that have a figure which bears `figure` out."""
        found = {self.line_at(one.text, one.mention.start) for one in self.bearing_mentions(figure)}
        rows = {row for index in found if (row := self.passages.lines[index].row) is not None}
        return frozenset(found | rows)

    def bearing_mentions(self, figure: Mention) -> list[Sourced]:
        """The figures of the sources that bear `figure` out, bounds apart."""
        return [s for s in self.figures.near(figure) if compare(figure, s.mention).relation in _BEARING]

    def mentions_of(self, index: int) -> list[Mention]:
        """The numbers in line `index`."""
        line = self.passages.lines[index]
        found = self.figures.by_text[line.source]
        first = bisect_left(found, line.start, key=lambda one: one.start)
        last = bisect_left(found, line.end, key=lambda one: one.start)
        return list(found[first:last])

    def line_at(self, source: int, offset: int) -> int:
        """The line that holds `offset` of the text of source number `source`, or the one before it."""
        at = bisect_right(self._starts[source], offset) - 1
        return self._lines[source][max(0, at)] if self._lines[source] else -1

    def _around(self, bound: Bound) -> Iterable[int]:
        source = self.passages.lines[bound.first].source
        for index in range(max(0, bound.first - 1), min(len(self.passages.lines), bound.last + 1)):
            if self.passages.lines[index].source == source:
                yield index

    def _bound(
        self,
        claim: Claim,
        borne: dict[Mention, frozenset[int]],
        first: int,
        last: int,
        text: str,
        cosine: float,
        bonus: float,
    ) -> Bound:
        lines = self.passages.lines[first:last]
        own = frozenset[str]().union(*(line.own for line in lines))
        place = own.union(*(line.place for line in lines))
        figure = self.passages.figure_weight
        here = sum(
            figure
            for mention, indices in borne.items()
            if indices & set(range(first, last)) or same_digits(mention, text)
        )
        near = sum(figure for indices in borne.values() if indices & set(range(first - 1, last + 1)))
        solid = frozenset(term for term in claim.terms if not term.startswith("=") or term in own)
        total = (sum(map(self.passages.weight, solid)) + figure * len(borne)) or 1.0
        share = (self.passages.held(solid, own) + here) / total
        reach = (self.passages.held(solid, place) + near) / total
        whole = ALL_FIGURES if borne and here >= figure * len(borne) - 1e-9 else 0.0
        return Bound(first, last, text, share, max(share, reach), cosine, bonus + whole, len(borne) if whole else 0)

    def _cosines(self, claim: str, texts: Sequence[str]) -> list[float]:
        asked, *wanted = [" ".join(text.split()) for text in (claim, *texts)]
        new = [text for text in dict.fromkeys((asked, *wanted)) if text not in self._vectors]
        self._vectors.update(zip(new, self._encoder.encode(new), strict=True))
        return [float(self._vectors[text] @ self._vectors[asked]) for text in wanted]
