"""What the sources say to one claim, without a model: the rules of contract C3, in their order.

1. Quotations and figures are the gates': what they block is rejected, whatever else stands in the claim.
2. A figure that a source has, of another thing (`rivals`), and a row's cell that a source fills otherwise (`table`),
   are rejected.
3. A claim that says the opposite of the passage it is bound to (`gates.polarity`) is rejected, where the two share so
   much that they speak of one thing.
4. Sourced is what remains of the claims whose words, figures and names stand together in one passage, or nearly, with
   nothing found against them: neither by the gates nor by the embedded verifier, which knows what may not be left out
   of a sentence or put in place of something in it. Everything else is unsourced: a rule that cannot tell does not
   certify.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from affidavit.check.beside import Beside, stand_beside
from affidavit.check.bind import BESIDE, FLOOR, Binder, Bound
from affidavit.check.claim import Claim
from affidavit.check.rivals import misplaced
from affidavit.evidence.check import BY_ITS_WORDS, Remark, SentenceState
from affidavit.gates.numbers import Kind, derive
from affidavit.verify.embedded import Scorer

VERSION = "keyless/3"

# Each number below was swept alone over the 133 dev sentences (benchmarks/drafts.py --sweep), counting sentences judged
# as labelled and, apart, grave errors (sourced for rejected or the reverse). All chosen values: no grave error. A value
# inside a plateau stands away from its edge; where certifying more would gain, the stricter was kept.
LEAST_SHARE = 0.50
"""Of share. {.4, .45, .5, .55, .6}: level at 114."""
LEAST_REACH = 0.60
LEAST_COSINE = 0.40
"""{.3, .35, .4: 114; .45: 113; .5: 110}."""
SOURCED = 1.20
"""Mean of share and reach plus `NEARNESS` times the cosine, from which a claim with nothing against it is sourced.
{1.05, 1.1, 1.15: 116; 1.2: 114; 1.25: 112; 1.3: 110}."""
CONTRADICTS = 1.0
"""The same sum, from which a mismatch of polarity is a contradiction rather than another subject. {.9: 115 with a
grave error; .95, 1.0: 115; 1.05, 1.1: 114; 1.15: 113}."""
OUTWEIGHS = 0.05
"""A passage that holds so much more of a claim than one that speaks against it is what the claim is about. {.05, .1:
114; .15, .2: 114 with a grave error}."""
EASE = 0.1
"""How much less is asked of a passage that stands where the sentence before was bound, of a claim that leans on
it."""
CONTRADICTING_SHARE = 0.5
"""The share of the claim that must stand in the passage for that. {.35 to .5: 114; .55: 113 and .6: 112 with a grave
error}."""
RIVAL_SHARE = 0.45
"""Likewise where the passage has another value of the very same kind: a period, a cell. {.35 to .55}: level."""
TERMS = 4
"""A claim of fewer words that carry meaning can stand anywhere. {3, 4: 115; 5: 113; 6: 109}."""
FURTHER = 0.15
"""A passage this much further off than the nearest certifies nothing: the claim is about the nearest. {.1 to .25:
114; .3: a grave error}."""
SHORT_COSINE = 0.8
"""Such a claim is sourced only by a passage this near in meaning."""
LABELLED = 2
LABEL_REACH = 0.75
"""A claim of so many figures, all of them in one passage, may have the rest of its words in the place of that
passage: "Investment: $400k, duration: 3 months" under the heading of what costs that."""
WEIGHED = 6
"""Passages, best first, that are held against the claim one by one. {3: 113; 4, 6, 8: 114}."""


_LIKELY = (
    "The passage has its words, its figures and its names; that it says the same with them no rule can tell. Read it."
)
_RIVALS = frozenset({"other_period", "cell_of_another_row"})


@dataclass(frozen=True, slots=True)
class Judged:
    """`bound` is the passage that decided, or the nearest one; None where none comes near. `certain` is whether the
    claim stands whole in a sentence of it."""

    state: SentenceState
    remarks: tuple[Remark, ...]
    bound: Bound | None
    reason: str
    certain: bool = False


def judge(
    claim: Claim,
    binder: Binder,
    near: Sequence[Bound],
    gated: Sequence[Remark],
    scorer: Scorer | None = None,
) -> Judged:
    """The state of `claim`. `near` are its passages, best first; `gated` what the gates for quotations and figures
    found in it."""
    best = near[0] if near else None
    gated = (*(_derived_here(one, claim, binder, near) for one in gated), *_unknown_versions(claim, binder))
    if any(one.severity == "block" for one in gated):
        return Judged(SentenceState.REJECTED, gated, best, "a gate blocks it")
    derived = frozenset(one.start for one in gated if one.code == "figure_derived")
    beside = [stand_beside(claim, binder, one, derived, scorer) for one in near[:WEIGHED] if one.share >= FLOOR]
    certain = any(one.clean and one.reading.certain for one in beside)
    taken = () if certain else tuple(misplaced(claim, binder, near))
    if any(one.severity == "block" for one in taken):
        return Judged(SentenceState.REJECTED, (*gated, *taken), best, "a source gives the figure to something else")
    gated = (*gated, *taken)
    contradiction = next((one for one in beside if _contradicts(one)), None)
    if contradiction is not None and not _outweighed(claim, contradiction, beside):
        remarks = (*gated, *contradiction.against)
        return Judged(SentenceState.REJECTED, remarks, contradiction.bound, "the source says otherwise")
    nearest = max((one.bound.score for one in beside), default=0.0)
    passed = next(
        (one for one in beside if one.clean and one.bound.score >= nearest - FURTHER and _sourced(claim, one)),
        None,
    )
    if passed is not None and not any(one.severity == "cap" for one in gated):
        remarks = (*gated, *passed.warned)
        if passed.reading.certain or passed.quoted:
            reason = "it stands in the source"
            return Judged(SentenceState.SOURCED, remarks, passed.bound, reason, passed.reading.certain)
        likely = Remark(BY_ITS_WORDS, _LIKELY, 0, len(claim.text), "warn")
        return Judged(SentenceState.SOURCED, (*remarks, likely), passed.bound, "its words stand in the source")
    if not beside:
        remark = Remark("no_passage", "No source has a passage about this.", 0, len(claim.text), "cap")
        return Judged(SentenceState.UNSOURCED, (*gated, remark), None, "no passage holds enough of its words")
    return _unsourced(claim, beside[0], gated)


def _outweighed(claim: Claim, contradiction: Beside, beside: Sequence[Beside]) -> bool:
    """Whether another passage is nearer to the claim and says nothing against it: then that one is what it is about.

    Against another value of the very same kind only a passage counts that says what the claim says.
    """
    ours = contradiction.bound
    strict = any(remark.code in _RIVALS for remark in contradiction.against)
    speaking = [one for one in beside if not one.against and not _unnamed(one)]
    if strict:
        return any(one.clean and _sourced(claim, one) for one in speaking)
    if ours.bonus >= BESIDE:
        return any(one.bound.score > ours.score for one in speaking)
    return any(
        (one.bound.score > ours.score and one.bound.share >= ours.share) or one.bound.share >= ours.share + OUTWEIGHS
        for one in speaking
    )


def _unnamed(one: Beside) -> bool:
    """Whether the passage does not name what the claim names: then it is about something else."""
    return any(lack.code == "name_not_there" for lack in one.lacks)


def _contradicts(one: Beside) -> bool:
    """Whether what speaks against the claim is near enough to be about it."""
    bound = one.bound
    if any(remark.code in _RIVALS for remark in one.against):
        return bound.share >= RIVAL_SHARE
    ease = EASE if bound.bonus >= BESIDE else 0.0
    return bool(one.against) and bound.share >= CONTRADICTING_SHARE - ease and bound.score >= CONTRADICTS - ease


def _derived_here(remark: Remark, claim: Claim, binder: Binder, near: Sequence[Bound]) -> Remark:
    """A derived figure stays unsourced only where one passage about the claim has what it derives from. Among all the
    figures of a page some two have nearly any sum: that is a figure no source has."""
    mention = next((one for one in claim.figures if one.start == remark.start), None)
    if remark.code != "figure_derived" or mention is None:
        return remark
    for bound in near[:WEIGHED]:
        figures = [one for index in range(bound.first, bound.last) for one in binder.mentions_of(index)]
        if derive(mention, list(dict.fromkeys(figures))) is not None:
            return remark
    message = f"No source has “{mention.raw}”. Cite one that does, or leave the figure out."
    return Remark("figure_without_source", message, remark.start, remark.end, "block")


def _unknown_versions(claim: Claim, binder: Binder) -> Iterator[Remark]:
    """Versions that no source names, of a series of which they name others: "Python 3.17" beside 3.13 and 3.14."""
    known = {str(one.value) for found in binder.figures.by_text for one in found if one.kind is Kind.VERSION}
    for mention in claim.mentions:
        value = str(mention.value)
        if mention.kind is not Kind.VERSION or not re.fullmatch(r"\d+(?:\.\d+)+", value):
            continue
        series = value.partition(".")[0] + "."
        named = any(one == value or one.startswith(value + ".") for one in known) or _stands(value, binder)
        if not named and any(one.startswith(series) for one in known):
            message = f"No source names “{mention.raw}”, and they name others of its series."
            yield Remark("version_without_source", message, mention.start, mention.end, "block")


def _stands(value: str, binder: Binder) -> bool:
    pattern = re.compile(rf"(?<![\w.]){re.escape(value)}(?!\d)")
    return any(pattern.search(text) for text in binder.figures.texts)


def _unsourced(claim: Claim, one: Beside, gated: Sequence[Remark]) -> Judged:
    softened = tuple(replace(remark, severity="cap") for remark in one.against)
    found = (*gated, *softened, *one.lacks, *one.doubts(claim), *one.warned)
    if not any(remark.severity == "cap" for remark in found):
        message = "The nearest passage is about this and does not say it in these words: read it, or cite another."
        found = (*found, Remark("not_established", message, 0, len(claim.text), "cap"))
    return Judged(SentenceState.UNSOURCED, found, one.bound, "the nearest passage does not establish it")


def _sourced(claim: Claim, one: Beside) -> bool:
    """Whether the passage, with nothing against the claim and nothing lacking, says it."""
    if one.quoted and one.bound.share >= FLOOR:
        return True
    if one.doubts(claim):
        return False
    return one.reading.certain or _enough(claim, one.bound) or one.reading.strong


def _enough(claim: Claim, bound: Bound) -> bool:
    """Whether so much of the claim stands in the passage that, with nothing against it, it is said there."""
    if bound.figures >= LABELLED and bound.reach >= LABEL_REACH and bound.cosine >= LEAST_COSINE:
        return True
    told = sum(not term.startswith("=") for term in claim.terms) + len(claim.figures)
    if told < TERMS and bound.cosine < SHORT_COSINE:
        return False
    if bound.share < LEAST_SHARE or bound.reach < LEAST_REACH or bound.cosine < LEAST_COSINE:
        return False
    return bound.score >= SOURCED


def gravest(states: Iterable[SentenceState]) -> SentenceState:
    """The gravest of the states of a claim's parts."""
    order = (
        SentenceState.REJECTED,
        SentenceState.COULD_NOT_CHECK,
        SentenceState.UNSOURCED,
        SentenceState.SOURCED,
    )
    found = set(states)
    return next(state for state in order if state in found)
