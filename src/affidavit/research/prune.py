"""What is left of a draft after the verifier: dropped, never reworded (contracts R6, R7).

Every (claim, span) is judged by itself, all at once. A claim keeps the spans that alone support it; without one it is
partial or falls. What leans on something that fell falls too: a sentence that needs the one before it, an inference
that needs its premises.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from affidavit.evidence.answer import Dropped, VerifiedClaim
from affidavit.evidence.claim import Claim, Label, Verdict
from affidavit.evidence.document import BlockKind, Document
from affidavit.evidence.language import guess_language
from affidavit.evidence.span import Span
from affidavit.gates.model_speech import speaks_to_a_model
from affidavit.research.anaphora import leans_back
from affidavit.research.handed_in import DraftedClaim
from affidavit.research.steering import dictated, echoes, unnamed
from affidavit.research.tools import Tools
from affidavit.verify.guards import stands_in, verdict
from affidavit.verify.pair import pair
from affidavit.verify.verifier import Verifier

DICTATED = "it says what a page of this run tells a model to say"
"""The reason of a verdict on a claim that echoes an injection; a person is asked then."""
_STRONGEST_FIRST = (Label.SUPPORTED, Label.PARTIAL, Label.COULD_NOT_CHECK, Label.NOT_SUPPORTED)


@dataclass(slots=True)
class Pruned:
    """`published` and `partial` in the order of the draft. `steering` are spans that speak to a model, and
    `dictated` counts claims that say what a page told a model to say. `judged` counts the claims by the strongest
    verdict that each had, before anything fell for another's sake."""

    published: list[VerifiedClaim] = field(default_factory=list[VerifiedClaim])
    partial: list[VerifiedClaim] = field(default_factory=list[VerifiedClaim])
    dropped: list[Dropped] = field(default_factory=list[Dropped])
    steering: list[Span] = field(default_factory=list[Span])
    dictated: int = 0
    judged: dict[Label, int] = field(default_factory=dict[Label, int])

    @property
    def fell(self) -> bool:
        """Whether claims were drafted and not one is left, all for want of support and none at a page's bidding."""
        left = self.published or self.partial or self.steering or self.dictated
        return not left and any(one.label is Label.NOT_SUPPORTED for one in self.dropped)

    def add(self, later: "Pruned") -> None:
        """What a second round came to, after what the first did; what it says again is not published twice."""
        known = {item.claim.claim_id for item in self.published}
        self.published += [item for item in later.published if item.claim.claim_id not in known]
        self.partial += [item for item in later.partial if item.claim.claim_id not in known]
        self.dropped += later.dropped
        self.steering += later.steering
        self.dictated += later.dictated
        for label, count in later.judged.items():
            self.judged[label] = self.judged.get(label, 0) + count


async def judge_all(
    claims: Sequence[Claim], documents: Mapping[str, Document], verifier: Verifier
) -> list[list[Verdict]]:
    """The verdicts on every span of every claim, all asked at once."""
    told = dictated(documents.values())
    pairs = [(claim, span) for claim in claims for span in claim.spans]
    said = await asyncio.gather(*(_judge(claim, span, documents[span.doc_id], told, verifier) for claim, span in pairs))
    rest = iter(said)
    return [[next(rest) for _ in claim.spans] for claim in claims]


async def _judge(
    claim: Claim, span: Span, document: Document, told: Sequence[frozenset[str]], verifier: Verifier
) -> Verdict:
    """The verifier is not asked about what may not be printed: a span that touches a menu or is all heading, a claim
    that a page dictated; and it is not believed of a claim that names what the page does not."""
    one = pair(claim.text, span, document)
    signed = f"{verifier.card.name}/{verifier.card.version}"
    kinds = {block.kind for block in document.blocks_between(span.start, span.end)}
    if BlockKind.NAVIGATION in kinds or kinds == {BlockKind.HEADING}:
        reason = "the span is navigation or a heading, which states nothing"
        return verdict(one, signed, Label.NOT_SUPPORTED, reason, element=claim.text)
    word_for_word = stands_in(one)
    if not word_for_word and speaks_to_a_model(span.text) is None and echoes(claim.text, told):
        return verdict(one, signed, Label.NOT_SUPPORTED, DICTATED, element=claim.text)
    given = await verifier.verify(one)
    name = unnamed(claim.text, document) if given.label is Label.SUPPORTED and not word_for_word else None
    if name is None:
        return given
    element = claim.text[name.start : name.end]
    return verdict(one, given.verifier, Label.PARTIAL, f"the page does not name {element}", element=element)


async def prune(
    drafted: Sequence[DraftedClaim], documents: Mapping[str, Document], tools: Tools, *, partial: str, told: bool = True
) -> Pruned:
    """What of `drafted` is published. `partial` is the policy for PARTIAL: ``drop`` drops, anything else keeps apart.
    `told` is whether the claims were written to be read one after the other, so that one can lean on the last."""
    verdicts = await judge_all([one.claim for one in drafted], documents, tools.verifier)
    found = Pruned()
    language = guess_language(" ".join(one.claim.text for one in drafted))
    final: dict[int, str] = {}
    before: DraftedClaim | None = None
    fell = False
    for one, said in zip(drafted, verdicts, strict=True):
        for verdict_ in said:
            tools.log.record("verdict", verdict_json(verdict_))
        found.steering += [span for span, v in zip(one.claim.spans, said, strict=True) if v.contains_instructions]
        found.dictated += any(v.reason == DICTATED for v in said)
        strongest = min((v.label for v in said), key=_STRONGEST_FIRST.index)
        found.judged[strongest] = found.judged.get(strongest, 0) + 1
        follows = told and before is not None and before.claim.subquestion == one.claim.subquestion
        leans = follows and fell and leans_back(one.claim.text, language)
        fell = not _place(one, said, strongest, found, final, leans=leans, partial=partial)
        before = one
    return found


def _place(
    one: DraftedClaim,
    said: Sequence[Verdict],
    strongest: Label,
    found: Pruned,
    final: dict[int, str],
    *,
    leans: bool,
    partial: str,
) -> bool:
    """Put a claim where it belongs, and say whether it is published. `final` has the ids of published claims."""
    claim = one.claim
    if leans:
        found.dropped.append(Dropped(claim, strongest, "it leans on the sentence before it, which was dropped"))
        return False
    if strongest not in (Label.SUPPORTED, Label.PARTIAL) or (strongest is Label.PARTIAL and partial == "drop"):
        worst = next(v for v in said if v.label is strongest)
        found.dropped.append(Dropped(claim, strongest, worst.reason, worst.unsupported_element))
        return False
    premises: tuple[str, ...] = ()
    if claim.inference:
        premises = tuple(final[number] for number in one.premises if number in final and number != one.number)
        if len(one.premises) < 2 or len(premises) < len(one.premises):
            reason = "it is an inference, and not all of at least two premises of it are published"
            found.dropped.append(Dropped(claim, strongest, reason))
            return False
    kept = [(span, v) for span, v in zip(claim.spans, said, strict=True) if v.label is strongest]
    bound = replace(claim, spans=tuple(span for span, _ in kept), premises=premises)
    verified = VerifiedClaim(bound, tuple(v for _, v in kept))
    if strongest is Label.PARTIAL:
        found.partial.append(verified)
        return False
    if bound.claim_id in final.values():
        found.dropped.append(Dropped(claim, strongest, "it says what another claim says, of the same quotations"))
        return True
    found.published.append(verified)
    final[one.number] = bound.claim_id
    return True


def verdict_json(said: Verdict) -> dict[str, object]:
    """A verdict as the ledger keeps it."""
    return {
        "claim": said.claim_text,
        "span_id": said.span_id,
        "label": said.label.value,
        "verifier": said.verifier,
        "reason": said.reason,
    }
