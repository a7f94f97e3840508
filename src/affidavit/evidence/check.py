"""What a check of a draft gives back: every sentence of it with what the sources say to it.

A sentence that asserts nothing has no state. One that does has exactly one: sourced (a source says it), unsourced (it
may be true; none of them says it), rejected (a quotation no source has, a figure no source has, a contradiction), or
could_not_check. A `Check` re-reads every span it shows, and cannot exist with a sourced sentence that has none.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from affidavit.errors import IntegrityError
from affidavit.evidence.answer import VerifierCard
from affidavit.evidence.claim import Verdict
from affidavit.evidence.document import Document
from affidavit.evidence.span import Span


class SentenceKind(StrEnum):
    """What a part of a draft is. Only a CLAIM is held against the sources."""

    CLAIM = "claim"
    HEADING = "heading"
    QUESTION = "question"
    CODE = "code"
    OTHER = "other"


class SentenceState(StrEnum):
    SOURCED = "sourced"
    UNSOURCED = "unsourced"
    REJECTED = "rejected"
    COULD_NOT_CHECK = "could_not_check"


BY_ITS_WORDS = "by_its_words"
"""The finding of a sentence that is sourced by its words alone."""

SeverityName = Literal["block", "cap", "warn"]
StatusName = Literal["found", "altered", "not_found", "misattributed", "too_short"]


@dataclass(frozen=True, slots=True)
class Remark:
    """What was found about a place of the draft: ``[start, end)`` in code points of its text.

    `severity` is block (never ships), cap (not sourced, whatever else is found) or warn. `code` is stable.
    """

    code: str
    message: str
    start: int
    end: int
    severity: SeverityName


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedSentence:
    """``[start, end)`` of the draft's text, `text` exactly those characters. `span` is the passage it was held against,
    the nearest there is; None where no source comes near. `state` is None for what is no claim. `seen` are the words as
    a reader sees them, without markup; empty where they are `text` itself."""

    index: int
    text: str
    start: int
    end: int
    kind: SentenceKind
    state: SentenceState | None
    findings: tuple[Remark, ...] = ()
    span: Span | None = None
    verdict: Verdict | None = None
    seen: str = ""

    @property
    def words(self) -> str:
        """What the sentence says, in one line and without markup."""
        return " ".join((self.seen or self.text).split())

    @property
    def by_its_words(self) -> bool:
        """Whether the sentence is sourced in the second degree: its words stand together in one passage, and no
        sentence of a source says it."""
        return self.state is SentenceState.SOURCED and any(one.code == BY_ITS_WORDS for one in self.findings)


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedQuotation:
    """One quotation of the draft. `status` is found, altered, not_found, misattributed or too_short; `span` is where it
    stands, or else the passage that resembles it most; `difference` shows how that one reads, word by word."""

    text: str
    start: int
    end: int
    sentence: int | None
    status: StatusName
    attributed_to: str | None
    span: Span | None
    difference: str | None
    changes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedFigure:
    """One figure of a claim, as written and as read. `findings` are the codes of what is wrong with it."""

    text: str
    start: int
    end: int
    sentence: int
    kind: str
    value: str
    unit: str | None
    findings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedSource:
    """A source as it was given. `doc_id` is None and `failure` says why, where it could not be read. `retrieved_at` is
    when the page was read from its address; of a local file, when it was last changed."""

    name: str
    url: str | None
    path: str | None
    doc_id: str | None
    title: str | None
    sha256: str | None
    failure: str | None = None
    allowed: bool = False
    retrieved_at: str | None = None


@dataclass(frozen=True, kw_only=True)
class Check:
    """A draft held against its sources.

    `draft_text` is what the offsets count in: the file of a Markdown or text draft, character for character, else the
    visible text (`of_file` is False). `documents` are those that spans point into, each once.
    """

    run_id: str
    draft: str
    draft_text: str
    draft_sha256: str
    of_file: bool
    sentences: tuple[CheckedSentence, ...]
    quotations: tuple[CheckedQuotation, ...]
    figures: tuple[CheckedFigure, ...]
    sources: tuple[CheckedSource, ...]
    documents: tuple[Document, ...]
    verifier: VerifierCard
    warnings: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        documents = {document.doc_id: document for document in self.documents}
        for sentence in self.sentences:
            if self.draft_text[sentence.start : sentence.end] != sentence.text:
                raise IntegrityError(f"{self.draft}: sentence {sentence.index} is not at {sentence.start} of the draft")
            if (sentence.kind is SentenceKind.CLAIM) is (sentence.state is None):
                raise IntegrityError(f"{self.draft}: sentence {sentence.index} has a state and claims nothing, or not")
            if sentence.state is SentenceState.SOURCED and sentence.span is None:
                raise IntegrityError(f"{self.draft}: sentence {sentence.index} is sourced by no passage")
            blocked = any(remark.severity == "block" for remark in sentence.findings)
            if blocked and sentence.state is not SentenceState.REJECTED:
                raise IntegrityError(f"{self.draft}: a finding blocks sentence {sentence.index}: {sentence.state}")
        for span in self.spans():
            if span.doc_id not in documents:
                raise IntegrityError(f"{span.span_id} points into {span.doc_id}, which the check does not hold")
            span.check(documents[span.doc_id])

    def spans(self) -> tuple[Span, ...]:
        """Every span the check shows, each once."""
        found = [sentence.span for sentence in self.sentences] + [one.span for one in self.quotations]
        return tuple(dict.fromkeys(span for span in found if span is not None))

    def document(self, doc_id: str) -> Document:
        """The document of that id. Raises KeyError."""
        for document in self.documents:
            if document.doc_id == doc_id:
                return document
        raise KeyError(doc_id)

    def source(self, doc_id: str) -> CheckedSource:
        """The source whose document that is. Raises KeyError."""
        for source in self.sources:
            if source.doc_id == doc_id:
                return source
        raise KeyError(doc_id)

    @property
    def claims(self) -> tuple[CheckedSentence, ...]:
        return tuple(sentence for sentence in self.sentences if sentence.kind is SentenceKind.CLAIM)

    @property
    def counts(self) -> Mapping[str, int]:
        """How many sentences have each state, and how many claim nothing."""
        found = {state.value: 0 for state in SentenceState} | {"not_claims": 0}
        for sentence in self.sentences:
            found[sentence.state.value if sentence.state else "not_claims"] += 1
        return found

    @property
    def state(self) -> SentenceState:
        """The gravest state of a claim. A draft with nothing to check was not checked: it is no pass."""
        states = {sentence.state for sentence in self.claims}
        order = (SentenceState.REJECTED, SentenceState.COULD_NOT_CHECK, SentenceState.UNSOURCED, SentenceState.SOURCED)
        return next((state for state in order if state in states), SentenceState.COULD_NOT_CHECK)
