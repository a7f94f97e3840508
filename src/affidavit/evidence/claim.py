"""A claim, and what a verifier said of it beside one span."""

import hashlib
from dataclasses import dataclass
from enum import StrEnum

from affidavit.errors import IntegrityError
from affidavit.evidence.frozen import freeze_fields
from affidavit.evidence.span import Span


class Label(StrEnum):
    """What a verifier says. COULD_NOT_CHECK is neither a pass nor a refutation."""

    SUPPORTED = "SUPPORTED"
    PARTIAL = "PARTIAL"
    NOT_SUPPORTED = "NOT_SUPPORTED"
    COULD_NOT_CHECK = "COULD_NOT_CHECK"


class Confidence(StrEnum):
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


class Stance(StrEnum):
    """Where a finding stands to the claim a run was asked to test."""

    FOR = "for"
    AGAINST = "against"


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One checkable statement and the spans it is said to stand on.

    `claim_id` is content-addressed over the text and the span ids, so a reworded claim is another claim.
    """

    text: str
    spans: tuple[Span, ...]
    subquestion: str | None = None
    confidence: Confidence = Confidence.HIGH
    inference: bool = False
    premises: tuple[str, ...] = ()
    stance: Stance | None = None

    def __post_init__(self) -> None:
        freeze_fields(self)

    @property
    def claim_id(self) -> str:
        key = "\n".join((self.text, *(span.span_id for span in self.spans)))
        return "claim_" + hashlib.sha256(key.encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What `verifier` said of one claim text beside one span.

    `unsupported_element` names what the span does not establish (None when SUPPORTED). `quote_used` is copied
    from the span. `reason` is for a person and decides nothing. Raises IntegrityError when SUPPORTED comes with an
    unsupported element, or from a span that contains instructions: such a verdict contradicts itself.
    """

    claim_text: str
    span_id: str
    label: Label
    verifier: str
    reason: str
    unsupported_element: str | None = None
    quote_used: str | None = None
    contains_instructions: bool = False

    def __post_init__(self) -> None:
        if self.label is not Label.SUPPORTED:
            return
        if self.unsupported_element is not None:
            raise IntegrityError(f"{self.span_id}: SUPPORTED, and yet {self.unsupported_element!r} is unsupported")
        if self.contains_instructions:
            raise IntegrityError(f"{self.span_id}: a span that contains instructions supports nothing")
