"""Verify every pair, drop what fails, say what is missing, and build the Answer.

The published claims are a subsequence of the drafted ones, byte for byte: nothing here can change a wording.
"""

import asyncio
from collections.abc import Iterable, Sequence

from affidavit.errors import SearchFailure
from affidavit.evidence.answer import Answer, Conflict, Dropped, Gap, GapKind, Source, VerifiedClaim
from affidavit.evidence.claim import Claim, Label, Stance, Verdict
from affidavit.evidence.document import Document
from affidavit.gates.assertion import speaks_to_a_model
from affidavit.ranking.canonical import canonical_url
from affidavit.ranking.tiers import Tier
from affidavit.research.conflict import find_conflicts
from affidavit.research.draft import Draft
from affidavit.research.gather import Gathered, score_of
from affidavit.research.meter import Meter
from affidavit.research.plan import Plan
from affidavit.research.tools import Tools
from affidavit.verify.pair import pair

SUMMARY_WORDS = 150
INJECTION_CHARS = 200

STANCE_WARNING = (
    "Evidence for and against was told apart by denials and figures alone; no model read it. Read the quotations."
)


async def publish(plan: Plan, gathered: Gathered, draft: Draft, tools: Tools, meter: Meter) -> Answer:
    documents = {document.doc_id: document for document in gathered.documents.values()}
    verified, dropped = await verify_all(draft.claims, documents, tools)
    conflicts = find_conflicts([item.claim for item in verified], documents)
    tools.log.record("verified", {"published": len(verified), "dropped": len(dropped)})
    injected = _injection(gathered.documents.values())
    used = _used(verified, dropped, conflicts)
    warnings = list(tools.notes)
    if plan.ask.claim is not None and verified:
        warnings.append(STANCE_WARNING)
    return Answer(
        run_id=tools.log.run_id,
        question=plan.ask.asked,
        tested_claim=plan.ask.claim,
        falsifier=plan.ask.falsifier,
        summary=_summary(verified),
        claims=tuple(verified),
        partial=(),
        dropped=tuple(dropped),
        gaps=tuple(_gaps(plan, gathered, draft, verified, meter)),
        conflicts=tuple(conflicts),
        sources=tuple(_sources(gathered)),
        tried=tuple(gathered.tried),
        documents=tuple(document for document in documents.values() if document.doc_id in used),
        verifier=tools.verifier.card,
        budget=meter.report(),
        needs_human=_needs_human(plan, gathered, verified),
        injection_observed=injected,
        failure=_failure(gathered),
        warnings=tuple(warnings),
    )


async def verify_all(
    claims: Iterable[Claim], documents: dict[str, Document], tools: Tools
) -> tuple[list[VerifiedClaim], list[Dropped]]:
    """Judge every (claim, span). A claim keeps the spans that are SUPPORTED, and falls without any."""
    published: list[VerifiedClaim] = []
    dropped: list[Dropped] = []
    for claim in claims:
        pairs = [pair(claim.text, span, documents[span.doc_id]) for span in claim.spans]
        verdicts = await asyncio.gather(*(tools.verifier.verify(one) for one in pairs))
        for verdict in verdicts:
            tools.log.record("verdict", _event(verdict))
        kept = [
            (span, verdict)
            for span, verdict in zip(claim.spans, verdicts, strict=True)
            if verdict.label is Label.SUPPORTED
        ]
        if kept:
            bound = Claim(
                text=claim.text,
                spans=tuple(span for span, _ in kept),
                subquestion=claim.subquestion,
                confidence=claim.confidence,
                stance=claim.stance,
            )
            published.append(VerifiedClaim(bound, tuple(verdict for _, verdict in kept)))
        else:
            first = verdicts[0]
            dropped.append(Dropped(claim, first.label, first.reason, first.unsupported_element))
    return published, dropped


def _event(verdict: Verdict) -> dict[str, object]:
    return {
        "claim": verdict.claim_text,
        "span_id": verdict.span_id,
        "label": verdict.label.value,
        "verifier": verdict.verifier,
        "reason": verdict.reason,
    }


def _used(verified: Sequence[VerifiedClaim], dropped: Sequence[Dropped], conflicts: Sequence[Conflict]) -> set[str]:
    spans = [span for item in verified for span in item.claim.spans]
    spans += [span for item in dropped for span in item.claim.spans]
    spans += [side.span for conflict in conflicts for side in (conflict.a, conflict.b)]
    return {span.doc_id for span in spans}


def _summary(verified: Sequence[VerifiedClaim]) -> str:
    """The first claim of each sub-question, whole and in order, as far as the words reach."""
    said: list[str] = []
    seen: set[str | None] = set()
    words = 0
    for item in verified:
        count = len(item.claim.text.split())
        if item.claim.subquestion in seen or words + count > SUMMARY_WORDS:
            continue
        seen.add(item.claim.subquestion)
        said.append(" ".join(item.claim.text.split()))
        words += count
    return " ".join(said)


def _gaps(
    plan: Plan, gathered: Gathered, draft: Draft, verified: Sequence[VerifiedClaim], meter: Meter
) -> Iterable[Gap]:
    answered = {item.claim.subquestion for item in verified}
    for subquestion in plan.subquestions:
        if subquestion.text in answered or gathered.nothing_asked:
            continue
        if gathered.interrupted:
            yield Gap(GapKind.INTERRUPTED, subquestion.text, "it was not looked at to the end; ask again")
        elif subquestion.text in draft.open:
            yield Gap(GapKind.NOTHING_FOUND, subquestion.text, draft.open[subquestion.text])
        elif any(claim.subquestion == subquestion.text for claim in draft.claims):
            yield Gap(GapKind.UNRESOLVED, subquestion.text, "sentences were found, and none passed verification")
    if gathered.interrupted:
        read = f"{meter.searches} searches made and {len(gathered.documents)} pages read"
        yield Gap(GapKind.INTERRUPTED, None, f"the run was stopped with {read}; ask again for the rest")
    unsearched: dict[tuple[str, str], SearchFailure] = {}
    for failure in gathered.unsearched:  # one that fails query after query says it in other figures each time
        unsearched.setdefault((failure.provider, failure.kind), failure)
    for failure in (*unsearched.values(), *gathered.failures.values()):
        yield Gap(GapKind.BLOCKED, None, str(failure))
    for name in sorted(meter.out):
        yield Gap(GapKind.BUDGET_OUT, None, f"the budget of {name} ran out; raise it with --max-{name}")


def _failure(gathered: Gathered) -> str | None:
    """Why the run says nothing of what there is to find, where no search of it was answered."""
    if not gathered.nothing_asked:
        return None
    return (
        "No search was answered, so nothing is known of what there is to find. Where there is no network, give pages "
        "with --web FILE; `affidavit doctor --online` says which providers answer"
    )


def _sources(gathered: Gathered) -> Iterable[Source]:
    for url, one in score_of(gathered.ranked).items():
        document = gathered.documents.get(url)
        yield Source(
            url=document.final_url if document else one.hit.url,
            title=(document.title if document else None) or one.hit.title or None,
            doc_id=document.doc_id if document else None,
            tier=one.tier.value,
            score=one.score,
            terms={
                "tier": one.terms.tier,
                "recency": one.terms.recency,
                "data": one.terms.data,
                "independence": one.terms.independence,
            },
            published=(document.published if document else None) or one.hit.published,
        )


def _injection(documents: Iterable[Document]) -> str | None:
    """The first text among the pages that speaks to a model, cut to what may be quoted."""
    for document in documents:
        if "injection" not in document.flags:
            continue
        for block in document.blocks:
            text = document.text[block.start : block.end]
            if speaks_to_a_model(text) is not None:
                return f"{document.final_url}: {text[:INJECTION_CHARS]}"
    return None


def _needs_human(plan: Plan, gathered: Gathered, verified: Sequence[VerifiedClaim]) -> str | None:
    stances = {item.claim.stance for item in verified}
    if plan.ask.claim is not None and stances >= {Stance.FOR, Stance.AGAINST}:
        return "The pages hold evidence for the claim and against it; which of it weighs more is for a person to say"
    tiers = {canonical_url(one.hit.url): one.tier for one in gathered.ranked}
    read_from = {url for url, document in gathered.documents.items() if document.doc_id in _used(verified, (), ())}
    if len(read_from) == 1 and all(tiers.get(url) is Tier.AGGREGATOR for url in read_from):
        return "The only source is a single post on an aggregator site"
    return None
