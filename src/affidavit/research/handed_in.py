"""A model's draft, read by code: claims bound to spans of this run, and what of it cannot be bound dropped.

Nothing is reworded. A claim that names no span of this run has no evidence and is dropped here, whatever it says.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from affidavit.errors import InvalidArgument
from affidavit.evidence.answer import Dropped
from affidavit.evidence.claim import Claim, Confidence, Label, Stance
from affidavit.evidence.quote import Quote
from affidavit.research.draft import MAX_SPANS
from affidavit.research.plan import Plan
from affidavit.research.stance import stance_of
from affidavit.research.tool_arguments import DraftAnswer, DraftClaim

UNCHECKED = "The researcher asks for a person, in words that nothing has checked"


@dataclass(frozen=True, slots=True)
class DraftedClaim:
    """`number` is the claim's place in the draft, from 1, by which premises are named."""

    number: int
    claim: Claim
    premises: tuple[int, ...] = ()


@dataclass(slots=True)
class HandedIn:
    """`claims` in the order of the draft; `unbound` are dropped before anybody judges them."""

    claims: list[DraftedClaim] = field(default_factory=list[DraftedClaim])
    unbound: list[Dropped] = field(default_factory=list[Dropped])
    summary: str = ""
    injection: str | None = None
    needs_human: str | None = None


def check_bound(given: DraftAnswer, spans: Collection[str]) -> None:
    """Raises InvalidArgument for a draft of which no claim stands on any of `spans`: it is handed back and not taken,
    since it says that its writer took something else for quotations. A draft without claims is an answer."""
    if given.claims and not any(name in spans for item in given.claims for name in item.span_ids):
        named = ", ".join(dict.fromkeys(name[:40] for item in given.claims for name in item.span_ids))
        raise InvalidArgument(
            f"NO_EVIDENCE: none of these is a quotation of this run: {named[:200]}. A span_id begins with span_ and "
            "comes from extract_quote; search results and previews have none. Fetch a page and quote from it first; "
            "or call draft_answer with an empty list of claims if nothing can be found."
        )


def read_draft(
    given: DraftAnswer,
    plan: Plan,
    quotes: Mapping[str, Quote],
    most: int,
    *,
    used_before: Collection[str] | None = None,
) -> HandedIn:
    """At most `most` claims of `given`. In a second round, `used_before` are the spans of the first: a claim that
    stands only on those is a rewording."""
    human: str | None = None
    if given.needs_human:
        reason = " ".join((given.needs_human_reason or "").split())
        human = f"{UNCHECKED}: {reason}" if reason else "The researcher asks for a person, and gives no reason"
    found = HandedIn(summary=given.summary, injection=given.injection_observed, needs_human=human)
    seen: set[str] = set()
    for number, item in enumerate(given.claims, 1):
        ids = [name for name in dict.fromkeys(item.span_ids) if name in quotes]
        spans = tuple(quotes[name].span for name in ids)
        claim = Claim(
            text=" ".join(item.text.split()),
            spans=spans[:MAX_SPANS],
            subquestion=_subquestion(item, plan),
            confidence=Confidence(item.confidence),
            inference=item.inference,
            stance=_stance(item.text, plan),
        )
        why = _unfit(claim, item, len(found.claims) >= most, used_before)
        if claim.claim_id in seen:
            why = "it is in the draft twice"
        if why is not None:
            found.unbound.append(Dropped(claim, Label.NOT_SUPPORTED, why, claim.text))
            continue
        seen.add(claim.claim_id)
        found.claims.append(DraftedClaim(number, claim, tuple(dict.fromkeys(item.premises))))
    return found


def _unfit(claim: Claim, item: DraftClaim, full: bool, used_before: Collection[str] | None) -> str | None:
    if not any(map(str.isalnum, claim.text)):
        return "it has no words"
    if not claim.spans:
        named = ", ".join(name[:40] for name in item.span_ids[:3])
        return f"it names no quotation of this run: {named}"
    if full:
        return "the draft has more claims than the budget of claims"
    if used_before is not None and {span.span_id for span in claim.spans} <= set(used_before):
        return "it stands only on quotations that did not establish the claim before it: a rewording is not taken"
    return None


def _subquestion(item: DraftClaim, plan: Plan) -> str:
    """The sub-question the claim says it answers; the one it shares most words with where it says none that exists."""
    asked = plan.subquestions
    if item.subquestion is not None and 1 <= item.subquestion <= len(asked):
        return asked[item.subquestion - 1].text
    return asked[plan.nearest(item.text) - 1].text


def _stance(text: str, plan: Plan) -> Stance | None:
    if plan.ask.claim is None or plan.ask.falsifier is None:
        return None
    return stance_of(text, plan.ask.claim, plan.ask.falsifier)


def drafted_json(claims: Sequence[DraftedClaim]) -> list[dict[str, object]]:
    """The claims as the ledger keeps them."""
    return [
        {
            "text": one.claim.text,
            "spans": [[span.doc_id, span.start, span.end] for span in one.claim.spans],
            "subquestion": one.claim.subquestion,
            "inference": one.claim.inference,
            "premises": list(one.premises),
        }
        for one in claims
    ]
