"""What a research run gives back. An `Answer` that holds an unverified claim cannot be made.

There is one constructor. It re-reads every span from its document, refuses one that is longer than a quotation may be
(a page would be its own evidence, and nobody reads it beside the claim), and refuses a published claim that has no
SUPPORTED verdict on each of the spans it is printed with, stands on navigation or on a heading alone, or leans on a
claim that is not published; and, where no model judged, a summary that is not made of the claims. The state is derived
from what the answer holds, so it cannot disagree with it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from affidavit.errors import IntegrityError
from affidavit.evidence.claim import Claim, Label, Verdict
from affidavit.evidence.document import BlockKind, Document
from affidavit.evidence.fold import fold, folded_in
from affidavit.evidence.frozen import freeze_fields
from affidavit.evidence.quote import SPAN_CHARS
from affidavit.evidence.span import Span

WORD_FOR_WORD = "verbatim"
"""The name of the verifier that compares characters, in ``Verdict.verifier`` before the slash."""


class State(StrEnum):
    PUBLISHED = "published"
    PUBLISHED_WITH_GAPS = "published_with_gaps"
    NEEDS_HUMAN = "needs_human"
    NOTHING_SOURCED = "nothing_sourced"
    FAILED = "failed"


class GapKind(StrEnum):
    NOTHING_FOUND = "nothing_found"
    BLOCKED = "blocked"
    BUDGET_OUT = "budget_out"
    VERIFIER_UNAVAILABLE = "verifier_unavailable"
    CONTRADICTED = "contradicted"
    UNRESOLVED = "unresolved"
    INTERRUPTED = "interrupted"


@dataclass(frozen=True, slots=True)
class Gap:
    """Something the run could not source, and why."""

    kind: GapKind
    subquestion: str | None
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One side of a conflict: a quotation with what it measures. `value`, `unit`, `as_of` are null when unsaid."""

    span: Span
    value: str | None = None
    unit: str | None = None
    as_of: str | None = None


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two quotations that disagree about `measure`. Both are kept; nothing is averaged."""

    measure: str
    a: Side
    b: Side


@dataclass(frozen=True, slots=True)
class VerifiedClaim:
    """A claim with the verdicts on its spans, one for each span, in the order of the spans.

    Raises IntegrityError when a verdict is about another span or wording, quotes what its span does not say, or says
    of a claim that it stands there word for word when it does not.
    """

    claim: Claim
    verdicts: tuple[Verdict, ...]

    def __post_init__(self) -> None:
        freeze_fields(self)
        if [verdict.span_id for verdict in self.verdicts] != [span.span_id for span in self.claim.spans]:
            raise IntegrityError(f"{self.claim.claim_id}: verdicts are not, one for one, about the claim's spans")
        if any(verdict.claim_text != self.claim.text for verdict in self.verdicts):
            raise IntegrityError(f"{self.claim.claim_id}: a verdict is about another wording of the claim")
        for verdict, span in zip(self.verdicts, self.claim.spans, strict=True):
            if verdict.quote_used is not None and not folded_in(verdict.quote_used, span.text):
                raise IntegrityError(f"{span.span_id} does not say {verdict.quote_used[:80]!r}, which a verdict quotes")
            supported = verdict.label is Label.SUPPORTED and _word_for_word(verdict)
            if supported and not folded_in(self.claim.text, span.text):
                raise IntegrityError(
                    f"{self.claim.claim_id} does not stand in {span.span_id}, as {verdict.verifier} says"
                )


@dataclass(frozen=True, slots=True)
class Dropped:
    """A drafted claim that was not published, and why."""

    claim: Claim
    label: Label
    reason: str
    unsupported_element: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One source the run ranked. `terms` are the score's four parts by name; `doc_id` is None if it was not read."""

    url: str
    title: str | None
    doc_id: str | None
    tier: str
    score: float
    terms: Mapping[str, float]
    published: str | None

    def __post_init__(self) -> None:
        freeze_fields(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """One query and what it brought. `novelty` is the share of results not seen before (0 to 1)."""

    query: str
    provider: str
    results: int
    novelty: float


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifierCard:
    """Which verifier judged, and how good it is known to be. `calibration` is None when nobody has measured it."""

    name: str
    version: str
    calibration: Mapping[str, object] | None

    def __post_init__(self) -> None:
        freeze_fields(self)


@dataclass(frozen=True, kw_only=True)
class Answer:
    """The published result of a research run.

    `claims` are published; `partial` are shown apart with what they lack; `dropped` are not shown as answers.
    `documents` are those the spans point into, each once. `budget` maps a budget's name to ``{"used", "limit"}``;
    `cost_usd` is None where the price of some call is not known.
    Raises IntegrityError or SpanMismatch rather than exist with a claim that is not verified. Lists and mappings given
    are copied into what cannot change, so that what was checked is what is held.
    """

    run_id: str
    question: str
    tested_claim: str | None
    falsifier: str | None
    summary: str
    claims: tuple[VerifiedClaim, ...]
    partial: tuple[VerifiedClaim, ...]
    dropped: tuple[Dropped, ...]
    gaps: tuple[Gap, ...]
    conflicts: tuple[Conflict, ...]
    sources: tuple[Source, ...]
    tried: tuple[Tried, ...]
    documents: tuple[Document, ...]
    verifier: VerifierCard
    budget: Mapping[str, Mapping[str, float | None]]
    cost_usd: float | None = 0.0
    needs_human: str | None = None
    injection_observed: str | None = None
    failure: str | None = None
    warnings: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        freeze_fields(self)
        documents = {document.doc_id: document for document in self.documents}
        if len(documents) != len(self.documents):
            raise IntegrityError(f"run {self.run_id}: a document is held twice")
        for span in self.spans():
            if span.doc_id not in documents:
                raise IntegrityError(f"{span.span_id} points into {span.doc_id}, which the answer does not hold")
            span.check(documents[span.doc_id])
            if len(span.text) > SPAN_CHARS[1]:
                raise IntegrityError(
                    f"{span.span_id} has {len(span.text)} characters, and a quotation has {SPAN_CHARS[1]} at most"
                )
        self._check_labels()
        self._check_premises()
        self._check_wording()
        for verified in self.claims:
            for span in verified.claim.spans:
                _check_place(verified.claim, span, documents[span.doc_id])

    def _check_labels(self) -> None:
        """Published is SUPPORTED by every span shown; partial is PARTIAL by every span shown."""
        for shown, label in ((self.claims, Label.SUPPORTED), (self.partial, Label.PARTIAL)):
            for verified in shown:
                if not verified.claim.spans or any(verdict.label is not label for verdict in verified.verdicts):
                    raise IntegrityError(
                        f"{verified.claim.claim_id} is not {label.value} by every span it is printed with"
                    )

    def _check_premises(self) -> None:
        """An inference stands on two published claims at least, never, however far round, on itself."""
        published = {verified.claim.claim_id: verified.claim for verified in self.claims}
        if len(published) != len(self.claims):
            raise IntegrityError(f"run {self.run_id}: a claim is published twice")
        grounded = {claim_id for claim_id, claim in published.items() if not claim.inference}
        waiting = [claim for claim in published.values() if claim.inference]
        while waiting:
            ready = [
                claim for claim in waiting if len(set(claim.premises)) >= 2 and grounded.issuperset(claim.premises)
            ]
            if not ready:
                raise IntegrityError(f"{waiting[0].claim_id}: an inference needs two published premises of its own")
            grounded.update(claim.claim_id for claim in ready)
            waiting = [claim for claim in waiting if claim.claim_id not in grounded]

    def _check_wording(self) -> None:
        """Claims say something, and where no model judged, the summary says nothing but the claims."""
        for verified in (*self.claims, *self.partial):
            if not fold(verified.claim.text).text.strip():
                raise IntegrityError(f"{verified.claim.claim_id}: a claim without words states nothing")
        if not all(_word_for_word(verdict) for verified in self.claims for verdict in verified.verdicts):
            return
        rest = _after(self.summary, [verified.claim.text for verified in self.claims])
        if rest:
            raise IntegrityError(f"run {self.run_id}: the summary says {rest[:80]!r}, and no published claim does")

    def spans(self) -> tuple[Span, ...]:
        """Every span the answer shows, in order, each once."""
        found = [span for verified in (*self.claims, *self.partial) for span in verified.claim.spans]
        found += [span for dropped in self.dropped for span in dropped.claim.spans]
        found += [side.span for conflict in self.conflicts for side in (conflict.a, conflict.b)]
        return tuple(dict.fromkeys(found))

    def document(self, doc_id: str) -> Document:
        """The document of that id. Raises KeyError."""
        return next(document for document in self.documents if document.doc_id == doc_id)

    @property
    def state(self) -> State:
        if self.failure is not None:
            return State.FAILED
        if self.needs_human is not None:
            return State.NEEDS_HUMAN
        if not self.claims:
            return State.NOTHING_SOURCED
        return State.PUBLISHED_WITH_GAPS if self.gaps else State.PUBLISHED


def _word_for_word(verdict: Verdict) -> bool:
    return verdict.verifier.partition("/")[0] == WORD_FOR_WORD


def _check_place(claim: Claim, span: Span, document: Document) -> None:
    """Navigation leads elsewhere and a heading names what follows: neither states anything."""
    kinds = {block.kind for block in document.blocks_between(span.start, span.end)}
    if BlockKind.NAVIGATION in kinds:
        raise IntegrityError(f"{claim.claim_id}: {span.span_id} is navigation, which is no evidence")
    if kinds == {BlockKind.HEADING}:
        raise IntegrityError(f"{claim.claim_id}: {span.span_id} is a heading, which is no evidence")


def _after(summary: str, claims: Sequence[str]) -> str:
    """What is left of `summary`, folded, after as many whole claims as it can be read as; "" when it is all claims."""
    text = fold(summary).text.strip()
    said = {fold(claim).text.strip() for claim in claims}
    reached, waiting = {0}, [0]
    while waiting:
        start = waiting.pop()
        ends = {start + len(claim) for claim in said if text.startswith(claim, start)}
        ends = {end + 1 for end in ends if text[end : end + 1] == " "} | ends & {len(text)}
        waiting += ends - reached
        reached |= ends
    return text[max(reached) :]
