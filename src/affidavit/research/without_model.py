"""The draft of a run whose model handed none in, or none that stood: sentences of its quotations, or of the pages it
read, word for word.

So a run never ends empty-handed for want of a reply, or of the right words. Nothing here writes anything.
"""

from collections.abc import Sequence

from affidavit.evidence.claim import Claim, Confidence
from affidavit.evidence.quote import Purpose, Quote
from affidavit.evidence.sentences import sentences
from affidavit.evidence.span import Span
from affidavit.gates.assertion import assess
from affidavit.ranking.terms import STOP_WORDS, stem, terms
from affidavit.research.allowance import Allowance
from affidavit.research.draft import draft
from affidavit.research.handed_in import DraftedClaim, HandedIn
from affidavit.research.investigation import Investigation
from affidavit.research.plan import Plan
from affidavit.research.tools import Encoder

WARNING = (
    "No draft of the researcher could be used: the sentences published were chosen without a model, word for word from "
    "what it had quoted or read."
)
FELL = (
    "No claim of the researcher passed verification: the sentences published were chosen without a model, word for "
    "word from what it had quoted."
)
_SMALL = frozenset(stem(word) for word in STOP_WORDS)


def draft_without_model(found: Investigation, encoder: Encoder, allowance: Allowance) -> HandedIn:
    """Claims out of the quotations where there are any, else out of the pages that were read."""
    claims = [claim for quote in found.quotes.values() if (claim := _sentence(quote, found.plan)) is not None]
    return _handed_in(claims or draft(found.plan, found.gathered, encoder, allowance).claims, allowance)


def answers_quoted(found: Investigation, encoder: Encoder, allowance: Allowance) -> HandedIn:
    """Those sentences of the quotations that a run without a model would have chosen; none where nothing answers. That
    they share words with the question is not enough: of ten questions without an answer five then got some."""
    quoted = [quote.span for quote in found.quotes.values()]
    claims = draft(found.plan, found.gathered, encoder, allowance).claims
    return _handed_in([claim for claim in claims if any(_within(claim.spans[0], span) for span in quoted)], allowance)


def _within(span: Span, other: Span) -> bool:
    return span.doc_id == other.doc_id and other.start <= span.start and span.end <= other.end


def _handed_in(claims: Sequence[Claim], allowance: Allowance) -> HandedIn:
    unique = {claim.claim_id: claim for claim in claims[: allowance.limits.max_claims]}
    return HandedIn(claims=[DraftedClaim(number, claim) for number, claim in enumerate(unique.values(), 1)])


def _sentence(quote: Quote, plan: Plan) -> Claim | None:
    """The sentence of `quote` that shares most words with a sub-question; None where none shares any."""
    if quote.purpose not in (Purpose.SUPPORT_CLAIM, Purpose.CHECK_CONTRADICTION) or quote.block_kind is None:
        return None
    best: tuple[int, str, str] | None = None
    for start, end in sentences(quote.span.text):
        text = quote.span.text[start:end]
        if not assess(text, quote.block_kind).is_evidence:
            continue
        own = terms(text) - _SMALL
        for one in plan.subquestions:
            shared = len(own & terms(one.text))
            if shared and (best is None or shared > best[0]):
                best = (shared, text, one.text)
    if best is None:
        return None
    return Claim(text=best[1], spans=(quote.span,), subquestion=best[2], confidence=Confidence.LOW)
