"""What the writer gives back: a piece that asserts nothing outside the register, or none and the reasons.

A `Piece` cannot exist as accepted with a blocking finding, nor with its text shown while it is withheld.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from affidavit.errors import IntegrityError
from affidavit.evidence.frozen import freeze_fields


class PieceState(StrEnum):
    ACCEPTED = "accepted"
    ACCEPTED_WITH_WARNINGS = "accepted_with_warnings"
    NEEDS_ATTENTION = "needs_attention"
    FAILED = "failed"


PUBLISHED = frozenset({PieceState.ACCEPTED, PieceState.ACCEPTED_WITH_WARNINGS})
"""The states in which a piece is handed out."""


MAX_ROUNDS = 2
"""One draft and one rewrite: what a second rewrite did not fix, a third would not."""


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

    @property
    def clean(self) -> bool:
        """Whether it may be handed out: nothing blocks, and whoever was asked to review it did."""
        return not any(issue.blocks for issue in self.issues) and (self.review is None or self.review.failure is None)


@dataclass(frozen=True, slots=True, kw_only=True)
class PackNote:
    """What the writer was given, in short: the sha256 of its text, how many tokens it came to and by which tokenizer,
    the ids of the facts and of the earlier pieces in it, and what was cut from it to keep its budget, in order."""

    sha256: str
    tokens: int
    budget: int
    tokenizer: str
    facts: tuple[str, ...] = ()
    recalled: tuple[str, ...] = ()
    cuts: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """`rounds` is every draft in order, at most two. `text` is the last one where it is handed out, else None.
    `reason` says why there is no verdict, where a model failed. `used` are the ids of the facts whose figures or words
    the text uses. `reviewer` and `writer` are models; None where nobody reviewed it, and where a person wrote it.
    `prompt_sha256` is of the writer's prompt template. `cost` is what the models took, by role."""

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
    prompt_sha256: str | None = None
    pack: PackNote | None = None
    warnings: tuple[str, ...] = ()
    cost: Mapping[str, Any] | None = None

    def __post_init__(self) -> None:
        freeze_fields(self)
        if len(self.rounds) > MAX_ROUNDS:
            raise IntegrityError(f"piece {self.run_id} has {len(self.rounds)} rounds; {MAX_ROUNDS} are the most")
        if (self.state in PUBLISHED) != (self.text is not None):
            raise IntegrityError(f"piece {self.run_id} is {self.state} and {'has' if self.text else 'has no'} text")
        if self.text is None:
            return
        last = self.rounds[-1] if self.rounds else None
        if last is None or last.draft != self.text or not last.clean:
            raise IntegrityError(f"piece {self.run_id} would hand out a draft that did not pass")

    def blocking(self) -> tuple[Issue, ...]:
        """What blocked the last draft; the first three are the reasons that a withheld piece gives."""
        return tuple(issue for issue in self.rounds[-1].issues if issue.blocks) if self.rounds else ()
