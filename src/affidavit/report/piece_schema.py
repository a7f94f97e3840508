"""The shape of a piece as JSON (J3), stated once, like that of an answer in `schema`.

Fields beyond the writer's own, each because a reader needs it: `reasons` (what a withheld piece says first), `pack`
(what the writer was given, by hash and ids), `prompt_sha256`. The drafts of a withheld piece stand in `rounds`, where
whoever mends it finds them; `text` is null, so that nothing publishes one by mistake.
"""

from typing import Literal

from affidavit.report.schema import Shape

PIECE_SCHEMA_VERSION = "1.0"
"""Changes when a field changes its name, its type or its meaning."""


class IssueJson(Shape):
    """One thing wrong with a draft."""

    code: str
    """Stable and machine-readable."""
    message: str
    """What is wrong, so that a writer can mend it."""
    sentence: str
    """Where, in the draft's words."""
    severity: Literal["block", "warn"]
    """block: the draft is not handed out while it stands. warn: advice."""
    origin: Literal["check", "reviewer"]
    """Who found it: code, or the model that reviews."""
    start: int | None
    """Offset of the first character in the draft, in code points; null where nobody knows the place."""
    end: int | None
    """Offset after the last character."""


class ReviewJson(Shape):
    """The reviewer's verdict on one draft."""

    passed: bool
    """Whether nothing blocks, in the reviewer's eyes."""
    summary: str
    """What decided it."""
    issues: list[IssueJson]
    """At most six."""
    failure: str | None
    """Why there is no verdict; null if there is one."""


class RoundJson(Shape):
    """One draft with what was found in it."""

    number: int
    """1 for the draft, 2 for the rewrite."""
    draft: str
    """The draft, whole."""
    findings: list[IssueJson]
    """What the checks found, in the order of the draft."""
    review: ReviewJson | None
    """Null where nobody was asked to review."""


class CutJson(Shape):
    """An item that was left out of the pack to keep its budget."""

    part: str
    """What it was: source, published sentence, used statistic, earlier piece, voice sample."""
    text: str
    """Its words."""


class PackJson(Shape):
    """What the writer was given, in short."""

    sha256: str
    """Digest of its text; the text itself is in the ledger."""
    tokens: int
    """How many tokens it came to."""
    budget: int
    """How many were meant."""
    tokenizer: str
    """What counted them."""
    facts: list[str]
    """The ids of the approved facts in it."""
    recalled: list[str]
    """The ids of the earlier pieces in it."""
    cuts: list[CutJson]
    """What was cut, in that order."""


class UseJson(Shape):
    """What one role used."""

    calls: int
    """Calls made."""
    failed: int
    """Calls that gave no reply."""
    uncertain: int
    """Calls whose end is not known; they may have been charged."""
    unpriced: int
    """Calls of unknown cost."""
    uncounted: int
    """Calls without counts of the provider."""
    input_tokens: int
    output_tokens: int
    cached_tokens: int
    usd: str | None
    """US dollars as decimal text; null where no call's cost is known."""
    seconds: float
    models: list[str]
    """What the providers say answered."""


class PieceJson(Shape):
    """What the writer gives back."""

    schema_version: Literal["1.0"]
    """The version of this schema."""
    run_id: str
    """The run in the ledger."""
    kind: Literal["piece"]
    """What this JSON is."""
    state: Literal["accepted", "accepted_with_warnings", "needs_attention", "failed"]
    """How the run ended; a piece is handed out in the first two only."""
    customer: str
    """Whose register was used."""
    title: str
    """The title asked for."""
    notes: str
    """The notes given."""
    text: str | None
    """The piece, as Markdown; null where none is handed out."""
    reasons: list[IssueJson]
    """Why it is withheld: copies of the first three of what blocks. All of it, each once, stands in the last of
    `rounds`, in `findings` and in `review.issues`."""
    reason: str | None
    """Why there is no verdict: a model failed."""
    rounds: list[RoundJson]
    """Every draft in order, at most two."""
    used: list[str]
    """The ids of the facts that the text uses."""
    writer: str | None
    """The model that wrote; null where a person did."""
    reviewer: str | None
    """The model that reviewed; null where nobody did."""
    prompt_sha256: str | None
    """Digest of the writer's prompt template; null where a person wrote."""
    pack: PackJson | None
    """What the writer was given."""
    warnings: list[str]
    """What a reader should know before relying on this."""
    cost: dict[str, UseJson] | None
    """What the models used, by role; null where it was not counted."""
