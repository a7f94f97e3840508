"""What the writer gives back: a piece that asserts nothing outside the register, or none and the reasons.

A `Piece` cannot exist as accepted with a blocking finding, nor with its text shown while it is withheld.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from affidavit.errors import IntegrityError


class PieceState(StrEnum):
    ACCEPTED = "accepted"
    ACCEPTED_WITH_WARNINGS = "accepted_with_warnings"
    NEEDS_ATTENTION = "needs_attention"
    FAILED = "failed"


PUBLISHED = frozenset({PieceState.ACCEPTED, PieceState.ACCEPTED_WITH_WARNINGS})
"""The states in which a piece is handed out."""


class Origin(StrEnum):
    """Who found it: code, or the model that reviews."""

    CHECK = "check"
    REVIEWER = "reviewer"


@dataclass(frozen=True, slots=True, kw_only=True)
class Issue:
    """One thing wrong with a draft. `code` is stable; `sentence` is where, in the draft's words; ``[start, end)`` are
    its offsets in the draft where code found it. `blocks` says that the draft is not handed out while it stands."""

    code: str
    message: str
    sentence: str
    blocks: bool
    origin: Origin
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """The reviewer's verdict. `failure` says why there is none: a reviewer that could not be had is not one that passed
    the draft."""

    passed: bool
    summary: str
    issues: tuple[Issue, ...] = ()
    failure: str | None = None

    def __post_init__(self) -> None:
        if self.passed and (self.failure is not None or any(issue.blocks for issue in self.issues)):
            raise IntegrityError("a review that failed, or that found what blocks, is no pass")


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """One draft with what was found in it. `review` is None where nobody was asked to review."""

    draft: str
    findings: tuple[Issue, ...]
    review: Review | None

    @property
    def issues(self) -> tuple[Issue, ...]:
        return self.findings + (self.review.issues if self.review is not None else ())


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """`rounds` is every draft in order, at most two. `text` is the last one where it is handed out, else None.
    `used` are the ids of the facts whose figures or words the text uses. `budget` and `cost` are as in an Answer."""

    run_id: str
    customer: str
    title: str
    notes: str
    state: PieceState
    rounds: tuple[Round, ...]
    text: str | None
    reason: str | None = None
    used: tuple[str, ...] = ()
    reviewer: str | None = None
    writer: str | None = None
    warnings: tuple[str, ...] = ()
    cost: Mapping[str, Any] | None = None

    def __post_init__(self) -> None:
        if (self.state in PUBLISHED) != (self.text is not None):
            raise IntegrityError(f"piece {self.run_id} is {self.state} and {'has' if self.text else 'has no'} text")
        if self.text is None:
            return
        last = self.rounds[-1] if self.rounds else None
        if last is None or last.draft != self.text or any(issue.blocks for issue in last.issues):
            raise IntegrityError(f"piece {self.run_id} would hand out a draft that did not pass")

    def blocking(self) -> tuple[Issue, ...]:
        """What blocked the last draft; the first three are the reasons that a withheld piece gives."""
        return tuple(issue for issue in self.rounds[-1].issues if issue.blocks) if self.rounds else ()
