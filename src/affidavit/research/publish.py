"""Verify every pair, drop what fails, say what is missing, and build the Answer.

The published claims are a subsequence of the drafted ones, byte for byte: nothing here can change a wording.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from affidavit.errors import SearchFailure
from affidavit.evidence.answer import Answer, Conflict, Dropped, Gap, GapKind, Source, VerifiedClaim
from affidavit.evidence.claim import Claim, Stance
from affidavit.evidence.document import Document
from affidavit.gates.assertion import speaks_to_a_model
from affidavit.ranking.canonical import canonical_url
from affidavit.ranking.tiers import Tier
from affidavit.research.conflict import find_conflicts
from affidavit.research.draft import Draft
from affidavit.research.gather import Gathered, score_of
from affidavit.research.handed_in import DraftedClaim
from affidavit.research.meter import Meter
from affidavit.research.plan import Plan
from affidavit.research.prune import prune
from affidavit.research.summary import in_own_words
from affidavit.research.tools import Tools

INJECTION_CHARS = 200

STANCE_WARNING = (
    "Evidence for and against was told apart by denials and figures alone; no model read it. Read the quotations."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """What an answer is made of beside its plan and its pages. `open` says, by sub-question, why nothing was drafted
    for it, `doubts` why what is published may not answer it; `injection` and `needs_human` are what the draft itself
    told; `failure` is why there was no run at all."""

    published: Sequence[VerifiedClaim]
    dropped: Sequence[Dropped]
    summary: str
    partial: Sequence[VerifiedClaim] = ()
    open: Mapping[str, str] = field(default_factory=dict[str, str])
    doubts: Mapping[str, str] = field(default_factory=dict[str, str])
    gaps: Sequence[Gap] = ()
    injection: str | None = None
    needs_human: str | None = None
    failure: str | None = None
    cost_usd: float | None = 0.0
    warnings: Sequence[str] = ()
    conflicts: Sequence[Conflict] | None = None
    """Those that a verifier confirmed; None where none was asked, and the proposals stand as they are."""


async def publish(plan: Plan, gathered: Gathered, draft: Draft, tools: Tools, meter: Meter) -> Answer:
    """The answer made of `draft`: every claim verified, and dropped where it is not supported."""
    documents = {document.doc_id: document for document in gathered.documents.values()}
    verified, dropped = await verify_all(draft.claims, documents, tools)
    tools.log.record("verified", {"published": len(verified), "dropped": len(dropped)})
    findings = Findings(
        published=verified, dropped=dropped, summary=in_own_words(verified), open=draft.open, doubts=draft.doubts
    )
    return conclude(plan, gathered, findings, tools, meter)


def conclude(plan: Plan, gathered: Gathered, findings: Findings, tools: Tools, meter: Meter) -> Answer:
    """The answer that `findings` come to, with its sources, conflicts and gaps."""
    documents = {document.doc_id: document for document in gathered.documents.values()}
    verified = findings.published
    conflicts = findings.conflicts
    if conflicts is None:
        conflicts = find_conflicts([item.claim for item in verified], documents)
    used = _used([*verified, *findings.partial], findings.dropped, conflicts)
    warnings = [*tools.notes, *findings.warnings]
    if plan.ask.claim is not None and verified:
        warnings.append(STANCE_WARNING)
    return Answer(
        run_id=tools.log.run_id,
        question=plan.ask.asked,
        tested_claim=plan.ask.claim,
        falsifier=plan.ask.falsifier,
        summary=findings.summary,
        claims=tuple(verified),
        partial=tuple(findings.partial),
        dropped=tuple(findings.dropped),
        gaps=tuple(_gaps(plan, gathered, findings, meter)),
        conflicts=tuple(conflicts),
        sources=tuple(_sources(gathered)),
        tried=tuple(gathered.tried),
        documents=tuple(document for document in documents.values() if document.doc_id in used),
        verifier=tools.verifier.card,
        budget=meter.report(),
        cost_usd=findings.cost_usd,
        needs_human=findings.needs_human or _needs_human(plan, gathered, verified),
        injection_observed=_injection(gathered.documents.values()) or findings.injection,
        failure=findings.failure or _failure(gathered),
        warnings=tuple(warnings),
    )


async def verify_all(
    claims: Sequence[Claim], documents: dict[str, Document], tools: Tools
) -> tuple[list[VerifiedClaim], list[Dropped]]:
    """Judge every (claim, span). A claim keeps the spans that are SUPPORTED, and falls without any."""
    drafted = [DraftedClaim(number, claim) for number, claim in enumerate(claims, 1)]
    found = await prune(drafted, documents, tools, partial="drop", told=False)
    return found.published, found.dropped


def _used(verified: Sequence[VerifiedClaim], dropped: Sequence[Dropped], conflicts: Sequence[Conflict]) -> set[str]:
    spans = [span for item in verified for span in item.claim.spans]
    spans += [span for item in dropped for span in item.claim.spans]
    spans += [side.span for conflict in conflicts for side in (conflict.a, conflict.b)]
    return {span.doc_id for span in spans}


def _gaps(plan: Plan, gathered: Gathered, findings: Findings, meter: Meter) -> Iterable[Gap]:
    answered = {item.claim.subquestion for item in findings.published}
    drafted = {item.claim.subquestion for item in (*findings.partial, *findings.dropped)}
    for subquestion in plan.subquestions:
        if gathered.nothing_asked:
            continue
        if subquestion.text in answered:
            if subquestion.text in findings.doubts:
                yield Gap(GapKind.UNRESOLVED, subquestion.text, findings.doubts[subquestion.text])
        elif gathered.interrupted:
            yield Gap(GapKind.INTERRUPTED, subquestion.text, "it was not looked at to the end; ask again")
        elif subquestion.text in findings.open:
            yield Gap(GapKind.NOTHING_FOUND, subquestion.text, findings.open[subquestion.text])
        elif subquestion.text in drafted:
            yield Gap(GapKind.UNRESOLVED, subquestion.text, "sentences were found, and none passed verification")
    if gathered.interrupted:
        read = f"{meter.searches} searches made and {len(gathered.documents)} pages read"
        yield Gap(GapKind.INTERRUPTED, None, f"the run was stopped with {read}; ask again for the rest")
    unsearched: dict[tuple[str, str], SearchFailure] = {}
    for failure in gathered.unsearched:  # one that fails query after query says it in other figures each time
        unsearched.setdefault((failure.provider, failure.kind), failure)
    for failure in (*unsearched.values(), *gathered.failures.values()):
        yield Gap(GapKind.BLOCKED, None, str(failure))
    yield from findings.gaps
    for name in sorted(meter.out):
        said, option = name.replace("_", " "), name.replace("_", "-")
        yield Gap(GapKind.BUDGET_OUT, None, f"the budget of {said} ran out; raise it with --max-{option}")


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
