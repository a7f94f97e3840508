"""The shape of a check as JSON (J2), stated once, like that of an answer in `schema`.

Fields beyond J2, each because a reader needs it: `draft` (what was checked, and what the offsets count in); `url` and
`path` of a source both present, one of them null; `judgement` beside `verdict` (who judged, and why); `failure` on
sources that could not be read.
"""

from typing import Literal

from affidavit.report.schema import JudgementJson, LabelName, Shape, VerifierJson

CHECK_SCHEMA_VERSION = "1.0"
"""Changes when a field changes its name, its type or its meaning."""

StateName = Literal["sourced", "unsourced", "rejected", "could_not_check"]


class DraftJson(Shape):
    """The draft that was checked."""

    name: str
    """Its path as given; "-" for standard input."""
    sha256: str
    """Digest of its bytes."""
    offsets: Literal["file", "text"]
    """What start and end count in: the code points of the file, or of the visible text read from it (HTML, DOCX)."""
    characters: int
    """How many code points that is."""


class FindingJson(Shape):
    """What was found wrong at a place of the draft."""

    code: str
    """Stable and machine-readable."""
    message: str
    """The words, the trouble and what would mend it."""
    start: int
    """Offset of the first character in the draft, in code points."""
    end: int
    """Offset after the last character."""
    severity: Literal["block", "cap", "warn"]
    """block: never ships. cap: not sourced. warn: advice."""


class PassageJson(Shape):
    """A passage of a source."""

    url: str | None
    """Its address; null for a local file."""
    path: str | None
    """Its path as given; null for a page of the web."""
    doc_id: str
    """The document."""
    title: str | None
    """The document's title."""
    text: str
    """The words, exactly as they stand in the document's text."""
    start: int
    """Offset of the first character in the document's text, in code points."""
    end: int
    """Offset after the last character."""


class SentenceJson(Shape):
    """A sentence, table row or other part of the draft."""

    index: int
    """Its number, from 0."""
    text: str
    """Exactly the draft's characters from start to end."""
    start: int
    """Offset of the first character in the draft, in code points."""
    end: int
    """Offset after the last character."""
    kind: Literal["claim", "heading", "question", "code", "other"]
    """Only a claim is held against the sources."""
    state: StateName | None
    """What the sources say to it; null for what claims nothing."""
    findings: list[FindingJson]
    """What is wrong, in the order of the checks."""
    source: PassageJson | None
    """The passage it was held against; null where no source comes near."""
    verdict: LabelName | None
    """What the judge says of the sentence beside that passage."""
    judgement: JudgementJson | None
    """Who judged, and why."""


class QuotationJson(Shape):
    """A quotation of the draft."""

    text: str
    """The quoted words."""
    start: int
    """Offset of the first quoted character in the draft."""
    end: int
    """Offset after the last."""
    sentence: int | None
    """The index of the sentence that holds it."""
    status: Literal["found", "altered", "not_found", "misattributed", "too_short"]
    """found is the only pass; too_short is not checked."""
    attributed_to: str | None
    """Who the draft says said it."""
    source: PassageJson | None
    """Where it stands, or else the passage most like it."""
    difference: str | None
    """That passage with what differs: [-quoted-] {+source+}."""
    changes: list[str]
    """What an editor changed by the rules: ellipses, [brackets], a first letter."""


class FigureJson(Shape):
    """A figure of a claim."""

    text: str
    """As written."""
    start: int
    """Offset of the first character in the draft."""
    end: int
    """Offset after the last."""
    sentence: int
    """The index of the sentence that holds it."""
    kind: str
    """percent, currency, count, year, date, range, ratio or ordinal."""
    value: str
    """As read, multipliers applied; a date as ISO text."""
    unit: str | None
    """The unit; null for a bare count."""
    findings: list[str]
    """Codes of what is wrong with it; empty where a source bears it out."""


class GivenJson(Shape):
    """A source as it was given."""

    name: str
    """What a person calls it: its path or address."""
    url: str | None
    """Its address; null for a local file."""
    path: str | None
    """Its path; null for a page of the web."""
    doc_id: str | None
    """Its document; null if it could not be read."""
    title: str | None
    """Its title."""
    sha256: str | None
    """Digest of its bytes."""
    failure: str | None
    """Why it could not be read; null if it could."""
    allowed: bool
    """Whether it was given as the writer's own word (--allow)."""
    retrieved_at: str | None
    """When it was read from its address; of a local file, when it was last changed. Null if it could not be read."""


class CountsJson(Shape):
    """How many sentences there are of each state."""

    sourced: int
    unsourced: int
    rejected: int
    could_not_check: int
    not_claims: int
    """Headings, questions, code and other parts that claim nothing."""


class CheckJson(Shape):
    """A draft held against its sources."""

    schema_version: Literal["1.0"]
    """The version of this schema."""
    run_id: str
    """The run in the ledger."""
    kind: Literal["check"]
    """What this JSON is."""
    state: StateName
    """The gravest state of a claim; could_not_check where nothing could be checked."""
    draft: DraftJson
    sentences: list[SentenceJson]
    """Every part of the draft, in order."""
    quotations: list[QuotationJson]
    """Every quotation that stands in no other."""
    figures: list[FigureJson]
    """Every figure of a claim."""
    sources: list[GivenJson]
    """Every source given, those that could not be read included."""
    counts: CountsJson
    verifier: VerifierJson
    warnings: list[str]
    """What a reader should know before relying on this."""
