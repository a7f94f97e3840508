"""Whose figure it is: a figure that a source has, but gives to something else than the claim does.

"423,450 taxpayers submitted returns" beside "423,450 taxpayers logged in, and 140,803 submitted returns": every figure
stands in the source, every word too, and the claim is false. So the clauses of the sources that bear the figure out
are weighed against those that give another figure of the same dimension: where the claim's own words stand with the
other one, the figure was taken from the wrong place.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from affidavit.check.bind import Binder, Bound
from affidavit.check.claim import Claim, same_digits
from affidavit.check.clauses import clauses
from affidavit.check.passages import content, holds
from affidavit.evidence.check import Remark
from affidavit.gates.numbers import Kind, Mention, compare
from affidavit.gates.numbers.compare import measure

LEAD = 0.2
"""How much more of the claim's words must stand with the rival figure than with its own. {.15, .2: 115; .25: 114; .3,
.35: 113 with a grave error}."""
LEAD_IN_LINE = 0.12
"""Likewise where both stand in one sentence, so that nothing but their clauses tells them apart. {.08 to .16: 114;
.2: a grave error}."""
LEAST = 0.45
"""The share of the claim's words that must stand with the rival. {.35 to .5}: level."""
_SURROUNDINGS = 0.35
"""Worth of a word that stands in the sentence or its place, outside the clause."""
SAME = 4
"""Passages in which the very digits of a date are looked for."""
_LABEL = 6
"""A line of no more terms than this only labels its figures."""
_DATED = (Kind.YEAR, Kind.DATE)


@dataclass(frozen=True, slots=True)
class _Place:
    """A figure of a source, with how much of the claim stands in its clause and around it."""

    mention: Mention
    share: float
    line: int


def misplaced(claim: Claim, binder: Binder, near: Sequence[Bound]) -> Iterator[Remark]:
    """A finding for each figure of `claim` that its sources give to another thing. `near` are its passages; where the
    best of them has all its figures, only what stands in that one can be their rival."""
    together = (
        len(claim.figures) > 1
        and near
        and all(binder.bearing(one) & set(range(near[0].first, near[0].last)) for one in claim.figures)
    )
    for figure in claim.figures:
        if any(same_digits(figure, one.text) for one in near[:SAME]):
            continue
        own = _without_figures(claim, figure)
        if not own:
            continue
        bearing = [_weigh(binder, own, s.text, s.mention) for s in binder.bearing_mentions(figure)]
        if not bearing:
            continue
        where = [near[0]] if together else near
        inside = [one for one in bearing if near[0].first <= one.line < near[0].last] if together else bearing
        best = max(inside or bearing, key=lambda one: one.share)
        rivals = [one for one in _rivals(figure, binder, own, where) if one.share >= LEAST]
        rival = max(rivals, key=lambda one: one.share, default=None)
        lead = LEAD if rival is None or rival.line != best.line else LEAD_IN_LINE
        if rival is not None and rival.share >= best.share + lead:
            message = (
                f"“{figure.raw}” stands in a source with something else; of this the source says “{rival.mention.raw}”."
            )
            exchanged = any(compare(ours, rival.mention).bears_out for ours in claim.figures)
            yield Remark("figure_of_another", message, figure.start, figure.end, "cap" if exchanged else "block")


def _without_figures(claim: Claim, figure: Mention) -> frozenset[str]:
    """The claim's words in the clause of the figure, all of them where that clause says little."""
    for start, end in clauses(claim.text):
        if start <= figure.start < end:
            terms = content(claim.text[start:end]) & claim.terms
            solid = frozenset(term for term in terms if not term.startswith("="))
            if len(solid) >= 3:
                return solid
    return frozenset(term for term in claim.terms if not term.startswith("="))


def _weigh(binder: Binder, own: frozenset[str], source: int, mention: Mention) -> _Place:
    index = binder.line_at(source, mention.start)
    line = binder.passages.lines[index]
    text = binder.passages.sources[source].document.text[line.start : line.end]
    at = mention.start - line.start
    clause = next((content(text[a:b]) for a, b in clauses(text) if a <= at < b), frozenset[str]())
    weigh = binder.passages.weight
    total = sum(map(weigh, own)) or 1.0
    around = (line.own | line.place) - clause
    said = frozenset(term for term in own if holds(term, clause))
    # "Duration: 3 months" says nothing of what lasts so long; where it stands does.
    worth = 1.0 if len(line.own) <= _LABEL else _SURROUNDINGS
    near = frozenset(term for term in own - said if holds(term, around))
    return _Place(mention, (sum(map(weigh, said)) + worth * sum(map(weigh, near))) / total, index)


def _rivals(figure: Mention, binder: Binder, own: frozenset[str], near: Sequence[Bound]) -> Iterator[_Place]:
    """The figures in the claim's passages that could stand in the figure's stead; another of the claim's own can, since
    two may have been exchanged."""
    dimension = measure(figure).dimension
    seen: set[int] = set()
    for bound in near:
        for index in range(bound.first, bound.last):
            if index in seen:
                continue
            seen.add(index)
            line = binder.passages.lines[index]
            for mention in binder.mentions_of(index):
                if not mention.is_figure or not _comparable(figure, mention, dimension):
                    continue
                if compare(figure, mention).bears_out:
                    continue
                if same_digits(figure, binder.passages.text(index, index + 1)):
                    continue
                yield _weigh(binder, own, line.source, mention)


def _comparable(figure: Mention, other: Mention, dimension: str) -> bool:
    if figure.kind in _DATED and other.kind in _DATED:
        return True
    plain = other.kind not in (Kind.ORDINAL, *_DATED) and figure.kind not in _DATED
    return plain and measure(other).dimension == dimension
