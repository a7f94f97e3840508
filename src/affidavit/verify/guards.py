"""What code knows of a pair before and after any verifier (contract V3).

Before: a span that speaks to a model, one that states nothing, and one that is cut out of a sentence which says
otherwise support nothing; a claim that is whole sentences of its span is supported by it. After: a quotation that is
not in the span voids the verdict, and a number, a date, a denial, a bound or a duty of the claim that the span has not
caps it at PARTIAL, whoever said SUPPORTED.
"""

from dataclasses import dataclass

from affidavit.evidence.answer import VerifierCard
from affidavit.evidence.claim import Label, Verdict
from affidavit.evidence.document import BlockKind
from affidavit.evidence.fold import fold
from affidavit.evidence.sentences import sentences
from affidavit.gates.assertion import assess, speaks_to_a_model
from affidavit.gates.figures import check_figures
from affidavit.gates.finding import Finding, Severity
from affidavit.gates.polarity import check_polarity
from affidavit.gates.roles import check_roles
from affidavit.gates.source_figures import read_sources
from affidavit.verify.containment import contain
from affidavit.verify.pair import Pair
from affidavit.verify.verifier import Verifier

QUOTE_WORDS = 25
"""A verdict quotes so many words at most (contract V1)."""


def settle(pair: Pair, verifier: str) -> Verdict | None:
    """The verdict that needs no judgement, signed `verifier`, or None where one is needed."""
    cue = speaks_to_a_model(pair.around)
    if cue is not None:
        return verdict(
            pair,
            verifier,
            Label.NOT_SUPPORTED,
            f"it speaks to a model: {cue}",
            element=pair.claim_text,
            instructed=True,
        )
    kind = pair.kinds[0] if pair.kinds else BlockKind.OTHER
    assertion = assess(pair.claim_text, kind)
    if not assertion.is_evidence:
        reason = f"the span is no statement ({assertion.reason})"
        return verdict(pair, verifier, Label.NOT_SUPPORTED, reason, element=pair.claim_text)
    if not _states(pair.span.text, kind):
        reason = "no sentence of the span is a statement"
        return verdict(pair, verifier, Label.NOT_SUPPORTED, reason, element=pair.claim_text)
    if stands_in(pair):
        return verdict(pair, verifier, Label.SUPPORTED, "word for word in the span", quote=pair.claim_text)
    lost = _torn_from(pair)
    if lost is not None:
        reason = f"the span is cut out of a sentence that says more: “{lost}”"
        return verdict(pair, verifier, Label.NOT_SUPPORTED, reason, element=pair.claim_text)
    return None


def _torn_from(pair: Pair) -> str | None:
    """The words of a sentence that the span cuts, without which the claim, which stands in it, says something else:
    "It is not true that …". The span alone could not show it, whoever reads it."""
    if pair.whole:
        return None
    found = contain(pair.claim_text, pair.around)
    return found.grave[0][1] if found is not None and found.grave else None


def _states(text: str, kind: BlockKind) -> bool:
    """Whether some sentence of the span states something: a heading or a question alone supports nothing."""
    return any(assess(text[start:end], kind).is_evidence for start, end in sentences(text))


def guard(pair: Pair, given: Verdict) -> Verdict:
    """`given`, or what is left of it: void where it quotes what is not there, PARTIAL where a specific is missing."""
    if given.quote_used is not None and fold(given.quote_used).text.strip() not in fold(pair.span.text).text:
        reason = f"it quotes {given.quote_used[:80]!r}, which is not in the span"
        return verdict(pair, given.verifier, Label.COULD_NOT_CHECK, reason)
    if given.label is not Label.SUPPORTED or stands_in(pair):
        return given
    found = missing(pair.claim_text, pair.span.text)
    if not found:
        return given
    element = pair.claim_text[found[0].start : found[0].end]
    return verdict(pair, given.verifier, Label.PARTIAL, found[0].message, element=element, quote=given.quote_used)


def missing(claim: str, text: str) -> tuple[Finding, ...]:
    """The specifics of `claim` that `text` has not, or has otherwise: figures, dates, denials, bounds, duties, and who
    did it to whom."""
    found = (*check_polarity(claim, text), *check_roles(claim, text))
    return (*figures(claim, text), *(one for one in found if one.severity is Severity.BLOCK))


def figures(claim: str, text: str) -> tuple[Finding, ...]:
    """The figures and dates of `claim` that `text` has not."""
    return tuple(one for one in check_figures(claim, read_sources([text])) if one.severity is not Severity.WARN)


def stands_in(pair: Pair) -> bool:
    """Whether the claim is a run of whole sentences of the span: the words before a part may deny it."""
    claim = fold(pair.claim_text).text.strip()
    if not claim:
        return False
    text = pair.span.text
    if pair.whole and fold(text).text.strip() == claim:
        return True
    ranges = sentences(text)
    if not pair.whole:
        ranges = ranges[1:-1]
    return any(
        fold(text[start:end]).text.strip() == claim
        for index, (start, _) in enumerate(ranges)
        for _, end in ranges[index:]
    )


def verdict(
    pair: Pair,
    verifier: str,
    label: Label,
    reason: str,
    *,
    element: str | None = None,
    quote: str | None = None,
    instructed: bool = False,
) -> Verdict:
    """A verdict on `pair`, its quotation cut to what a verdict may quote."""
    return Verdict(
        claim_text=pair.claim_text,
        span_id=pair.span.span_id,
        label=label,
        verifier=verifier,
        reason=reason,
        unsupported_element=element,
        quote_used=" ".join(quote.split()[:QUOTE_WORDS]) if quote else None,
        contains_instructions=instructed,
    )


@dataclass(frozen=True, slots=True)
class Guarded:
    """`inner` between the guards. What it would have been asked needlessly, it is not asked."""

    inner: Verifier

    @property
    def card(self) -> VerifierCard:
        return self.inner.card

    async def verify(self, pair: Pair) -> Verdict:
        settled = settle(pair, f"{self.card.name}/{self.card.version}")
        return settled if settled is not None else guard(pair, await self.inner.verify(pair))
