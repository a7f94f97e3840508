"""The shape of an answer as JSON (J1), stated once: checked by the type checker, shipped as a JSON Schema.

Every list is present when empty, and what could not be known is null, never missing. `schemas/answer.schema.json`
is generated from these classes (by `schema_file`; a test compares), so the schema
that ships, the code that writes and the code that reads cannot drift apart.

Fields beyond J1, each because a reader needs it: `stance` on claims (evidence for and against is kept apart);
`sha256` and `text_sha256` on sources and in `documents` (what was read, exactly); `judgement` on a claim's spans
(who judged, and why); `claim_id` and `spans` on what was dropped; `value`, `unit` and `as_of` on the sides of a
conflict; `truncated` on spans; `failure`. With them an `Answer` can be read back whole.
"""

import json
from importlib import resources
from typing import Any, Literal

from typing_extensions import TypedDict

SCHEMA_VERSION = "1.0"
"""Changes when a field changes its name, its type or its meaning. A reader refuses a version it does not know."""

KINDS = ("answer", "check", "judge", "drift", "piece", "register", "fact")
"""What there is a JSON Schema of."""

LabelName = Literal["SUPPORTED", "PARTIAL", "NOT_SUPPORTED", "COULD_NOT_CHECK"]


class Shape(TypedDict):
    """An object with these fields and no others."""

    __pydantic_config__ = {"extra": "forbid"}  # pyright: ignore


class JudgementJson(Shape):
    """What a verifier said of the claim beside this one span."""

    verifier: str
    """Name and version of the verifier that judged."""
    reason: str
    """For a person; decides nothing."""
    unsupported_element: str | None
    """The part of the claim that the span does not establish; null when SUPPORTED."""
    quote_used: str | None
    """The words of the span that decided."""
    contains_instructions: bool
    """Whether the span tries to steer a tool."""


class SpanJson(Shape):
    """A quotation: an address into a document's text, and the words found there."""

    span_id: str
    """Content address of document, start and end."""
    doc_id: str
    """The document it stands in."""
    url: str
    """Where the document was read."""
    title: str | None
    """The document's title."""
    retrieved_at: str
    """When it was read: ISO-8601, UTC."""
    text: str
    """The words, exactly as they stand in the document's text."""
    start: int
    """Offset of the first character in the document's text, in code points."""
    end: int
    """Offset after the last character."""
    prefix: str
    """The words before (W3C TextQuoteSelector)."""
    suffix: str
    """The words after (W3C TextQuoteSelector)."""
    text_fragment_url: str
    """A link that opens the live page at the quotation."""
    truncated: bool
    """Whether the span ends at a word rather than at a sentence."""


class JudgedSpanJson(SpanJson):
    """A quotation with what the verifier said of it."""

    verdict: LabelName
    """What the verifier says of the claim beside this span alone."""
    judgement: JudgementJson
    """Who judged, and why."""


class _ClaimJson(Shape):
    claim_id: str
    """Content address of the text and the spans: a reworded claim is another claim."""
    text: str
    """The claim, byte for byte as drafted."""
    subquestion: str | None
    """The part of the question it answers."""
    verdict: LabelName
    """The strongest verdict among its spans; of a dropped claim, the one it fell by."""
    inference: bool
    """Whether it follows from other claims rather than from a page alone."""
    confidence: Literal["high", "medium", "low"]
    """As the drafter gave it."""
    premises: list[str]
    """Ids of the claims an inference rests on."""
    stance: Literal["for", "against"] | None
    """Where it stands to the claim the run was asked to test; null when it was asked a question."""


class ClaimJson(_ClaimJson):
    """A claim and the spans it stands on."""

    spans: list[JudgedSpanJson]
    """The quotations, each judged by itself."""


class DroppedJson(_ClaimJson):
    """A drafted claim that was not published, and why."""

    reason: str
    """Why it fell."""
    unsupported_element: str | None
    """The part that no span establishes."""
    spans: list[SpanJson]
    """The quotations it was drafted from."""


class GapJson(Shape):
    """Something the run could not source, and why."""

    kind: Literal[
        "nothing_found", "blocked", "budget_out", "verifier_unavailable", "contradicted", "unresolved", "interrupted"
    ]
    """The kind of gap."""
    subquestion: str | None
    """The part of the question that stays open; null for the whole."""
    detail: str
    """What happened, and what a reader can do."""


class SideJson(SpanJson):
    """One side of a conflict: a quotation and what it measures."""

    value: str | None
    """The figure as quoted."""
    unit: str | None
    """Its unit."""
    as_of: str | None
    """The date it speaks of."""


class ConflictJson(Shape):
    """Two quotations that disagree. Both are kept; nothing is averaged."""

    measure: str
    """What they disagree about."""
    a: SideJson
    b: SideJson


class SourceJson(Shape):
    """One source the run ranked."""

    url: str
    """Its address."""
    doc_id: str | None
    """Its document; null if it was not read."""
    title: str | None
    """Its title."""
    tier: str
    """The tier of the source policy."""
    score: float
    """The sum of the terms."""
    terms: dict[str, float]
    """The parts of the score, by name."""
    published: str | None
    """The date the page states (YYYY, YYYY-MM or YYYY-MM-DD)."""
    sha256: str | None
    """Digest of the bytes as received; null if the answer quotes nothing of it."""
    text_sha256: str | None
    """Digest of its text; null if the answer quotes nothing of it."""


class DocumentJson(Shape):
    """A page that something in the answer points into."""

    doc_id: str
    """Content address of URL, bytes and extractor version."""
    url: str
    """Where it was read, redirects followed."""
    title: str | None
    """Its title."""
    published: str | None
    """The date the page states."""
    language: str | None
    """Its language (BCP 47)."""
    media_type: str
    """The type it was read as."""
    retrieved_at: str
    """When it was read: ISO-8601, UTC."""
    sha256: str
    """Digest of the bytes as received."""
    text_sha256: str
    """Digest of the text the offsets count in."""
    extractor: str
    """Name and version of what made the text from the bytes."""
    flags: list[str]
    """What a careful reader should know of the page."""


class TriedJson(Shape):
    """One query and what it brought."""

    query: str
    """The words searched for."""
    provider: str
    """Where."""
    results: int
    """How many results."""
    novelty: float
    """The share of them not seen before, 0 to 1."""


class VerifierJson(Shape):
    """Which verifier judged, and how good it is known to be."""

    name: str
    version: str
    calibration: dict[str, Any] | None
    """On which labelled set, when, and how it agreed; null when nobody has measured it."""


class SpentJson(Shape):
    """One budget."""

    used: float | None
    """What the run used; null if it was not counted."""
    limit: float | None
    """What it was allowed; null if it had no limit."""


class CostJson(Shape):
    """What the run cost."""

    usd: float | None
    """US dollars, from the providers' own counts; null if the price of some call is not known."""


class AnswerJson(Shape):
    """The published result of a research run."""

    schema_version: Literal["1.0"]
    """The version of this schema."""
    run_id: str
    """The run in the ledger."""
    kind: Literal["answer"]
    """What this JSON is."""
    question: str
    """What was asked."""
    claim: str | None
    """The claim that was tested; null when a question was asked."""
    falsifier: str | None
    """What would show the claim false."""
    state: Literal["published", "published_with_gaps", "needs_human", "nothing_sourced", "failed"]
    """How the run ended; follows from the rest."""
    summary: str
    """At most 150 words, each sentence from a published claim."""
    claims: list[ClaimJson]
    """Published: SUPPORTED by every span it is shown with."""
    partial: list[ClaimJson]
    """Shown apart, with what each lacks."""
    dropped: list[DroppedJson]
    """Drafted and not published."""
    gaps: list[GapJson]
    """What could not be sourced."""
    conflicts: list[ConflictJson]
    """Where sources disagree."""
    sources: list[SourceJson]
    """What was ranked, with the parts of each score."""
    documents: list[DocumentJson]
    """The pages quoted."""
    tried: list[TriedJson]
    """What was searched for."""
    injection_observed: str | None
    """Text of a page that addresses a model; shown, never obeyed."""
    needs_human: str | None
    """Why a person must decide."""
    failure: str | None
    """Why the run failed."""
    verifier: VerifierJson
    budget: dict[str, SpentJson]
    """Each budget by name."""
    cost: CostJson
    warnings: list[str]
    """What a reader should know before relying on this."""


def load_schema(kind: str) -> dict[str, Any]:
    """The shipped JSON Schema of `kind`, one of `KINDS`. Raises KeyError for a kind that has none."""
    if kind not in KINDS:
        raise KeyError(f"no JSON Schema of {kind!r}; there is one of: {', '.join(KINDS)}")
    file = resources.files("affidavit.report") / "schemas" / f"{kind}.schema.json"
    return json.loads(file.read_text(encoding="utf-8"))
