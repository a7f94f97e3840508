"""The shape of a register and of one fact as JSON (J4), stated once, like that of an answer in `schema`.

Fields beyond J4, each because a reader needs it: `revision` (what a decision is made on), `usable` (what a writer may
assert today), `contested` (the site no longer bears out what a person decided), `history` (who changed what, and when).
"""

from typing import Any, Literal

from affidavit.report.piece_schema import UseJson
from affidavit.report.schema import Shape

FACTS_SCHEMA_VERSION = "1.0"
"""Changes when a field changes its name, its type or its meaning."""

CategoryName = Literal["presence", "services", "numbers", "people", "history", "claims", "clients", "other"]
FactStateName = Literal["pending", "approved", "rejected"]


class FactSourceJson(Shape):
    """Where a fact stands: a range of a document's text, and the words found there."""

    url: str
    """Where the page was read."""
    doc_id: str
    """The document."""
    start: int
    """Offset of the first character in the document's text, in code points."""
    end: int
    """Offset after the last character."""
    quote: str
    """The words, exactly as they stand there."""
    retrieved_at: str
    """When the page was read (ISO-8601, UTC)."""


class FactJson(Shape):
    """One entry of a register."""

    fact_id: str
    """Stable; any beginning of it that no other fact has names it in a command."""
    revision: int
    """The revision of the register at which it last changed."""
    text: str
    """The statement."""
    category: CategoryName
    """What it is about."""
    subject: str
    """What it says something of, as a singular noun where it counts something."""
    value: str | None
    """The figure, as written; null for a statement without one."""
    scope_note: str | None
    """What the value counts and what it does not."""
    conflict_group: str | None
    """Facts of one group give different values for one subject; none of them is approved but by a person's choice."""
    confidence: float
    """0 to 1."""
    candidates: list[str]
    """The statements of single pages that it was made of."""
    sources: list[FactSourceJson]
    """Where it stands; empty for a fact that a person added."""
    owner: str | None
    """Whose figure it is, where that is not the customer."""
    state: FactStateName
    """Whether it may be used; see also expires."""
    decided_by: str | None
    """A person's name, or rule where a threshold decided; null while nobody has."""
    decided_at: str | None
    """When (ISO-8601, UTC)."""
    added_by: str | None
    """The person who wrote it down where no page states it."""
    expires: str | None
    """The last day on which it may be used; null: it does not expire."""
    usable: bool
    """Whether a piece written today may assert it."""
    contested: str | None
    """Why the site no longer bears out what a person decided; null where it does."""


class FactConflictJson(Shape):
    """Statements that do not agree."""

    conflict_group: str
    """Its name, for `affidavit facts resolve`."""
    facts: list[str]
    """The ids of its facts."""


class PageGapJson(Shape):
    """A page that gave no facts."""

    url: str
    """Its address."""
    kind: str
    """failed, off_site, no_text, other_language, same_text, not_extracted or over_limit."""
    detail: str
    """Why, for a person."""
    failure: str | None
    """How it failed, where fetching or reading did."""


class DroppedFactJson(Shape):
    """What was read and did not become a fact."""

    stage: Literal["candidates", "register"]
    """Where it was dropped."""
    why: str
    """Stable and machine-readable."""
    text: str
    """What would have been the fact."""
    url: str | None
    """The page."""
    ids: list[str]
    """The candidates it stood on."""
    detail: str
    """For a person."""


class CrawlJson(Shape):
    """The reading of the customer's site."""

    run_id: str
    """The run in the ledger."""
    site_url: str
    """Where it began."""
    at: str
    """When it was recorded (ISO-8601, UTC)."""
    pages: int
    """How many pages were read, those that were known and still fresh included."""
    gaps: list[PageGapJson]
    """The pages that gave nothing."""
    dropped: list[DroppedFactJson] | None
    """What did not become a fact; null where this is an earlier crawl (the run's record has it)."""
    cost: dict[str, UseJson] | None
    """What the models of the run took, by role; null where this is an earlier crawl."""


class FactChangeJson(Shape):
    """One fact before and after."""

    fact_id: str
    """The fact."""
    why: str
    """For a person."""
    before: FactJson | None
    """Null for one that is new."""
    after: FactJson | None
    """Null for one that is gone."""


class ChangesJson(Shape):
    """What a command did to the register, or with a dry run would do."""

    recorded: bool
    """Whether the register is now as `after` has it."""
    added: list[FactChangeJson]
    """Facts that are new."""
    changed: list[FactChangeJson]
    """Facts that differ."""
    removed: list[FactChangeJson]
    """Facts that are gone. No fact that a person decided on is ever among them."""
    contested: list[FactChangeJson]
    """Facts that a person decided and that the site no longer states, or now contradicts. They stay as they are."""
    kept: int
    """How many facts are left as they were."""


class RegisterJson(Shape):
    """What a customer may say of itself."""

    schema_version: Literal["1.0"]
    """The version of this schema."""
    kind: Literal["register"]
    """What this JSON is."""
    customer: str
    """The customer's name."""
    revision: int
    """Counts the register's events; `--seen` takes it, so that nobody decides on what has changed meanwhile."""
    facts: list[FactJson]
    """The facts, by category, then by confidence; what a filter asked for where one was given."""
    conflicts: list[FactConflictJson]
    """The conflicts that a person has to decide."""
    crawl: CrawlJson | None
    """The last reading of the site; null where there was none."""
    changes: ChangesJson | None
    """What the command changed; null for one that only shows."""
    warnings: list[str]
    """What a reader should know before relying on this."""


class FieldChangeJson(Shape):
    """One field of a fact before and after."""

    field: str
    """Its name."""
    before: Any
    """Its value before, null where the fact was new."""
    after: Any
    """Its value after."""


class MomentJson(Shape):
    """One change in the life of a fact."""

    revision: int
    """The event of the register."""
    at: str
    """When (ISO-8601, UTC)."""
    type: str
    """What happened: facts.found, facts.decided, facts.edited, facts.added, facts.resolved and so on."""
    by: str | None
    """Who; null for a crawl."""
    changes: list[FieldChangeJson]
    """What it changed; empty for the event that took the fact away."""


class FactDetailJson(Shape):
    """One fact with everything that is known of it."""

    schema_version: Literal["1.0"]
    """The version of this schema."""
    kind: Literal["fact"]
    """What this JSON is."""
    customer: str
    """Whose register it stands in."""
    revision: int
    """The register's revision."""
    fact: FactJson
    rivals: list[FactJson]
    """The other statements of its conflict."""
    history: list[MomentJson]
    """Everything that happened to it, in order."""
