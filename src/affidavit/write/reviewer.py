"""The reviewer: a model that reads the brief, the pack, the findings and the draft, and says pass or fail (W9).

Its words are bounded by code: six issues, known codes, fifteen words of a draft at most, ``needs_sources`` never more
than a warning, and a pass only where nothing blocks. One that cannot be had is no pass.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from affidavit.errors import ModelFailure, ModelFailureKind
from affidavit.evidence.envelope import sealed, unescape
from affidavit.evidence.piece import Issue, Origin, Review
from affidavit.models.context import READ_AGAIN, Context, read_tokens
from affidavit.models.model import Model
from affidavit.models.prompt import load_prompt
from affidavit.models.reply import ModelReply
from affidavit.models.request import ModelRequest, OutputShape, User, sha256_of
from affidavit.write.found import FEW, MOST, found_lines, most_that_fit
from affidavit.write.marked import marked
from affidavit.write.pack import Assignment
from affidavit.write.profile import Profile

MAX_ISSUES = 6
SENTENCE_WORDS = 15
TRIES = 2
MAX_TOKENS = 2048
"""Of a verdict: six issues are some 500; the rest is for models that think first and count it as output."""
LEAST_TOKENS = 512
"""Of a verdict where there is little room."""
FOUND_TOKENS = 400
"""Kept free for the findings of the checks, where there is little room: eight of them."""
NEEDS_SOURCES = "needs_sources"
_SYSTEM = load_prompt("affidavit.write", "reviewer.system")
_USER = load_prompt("affidavit.write", "reviewer.user")


class ReviewIssue(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    code: Literal["generic_copy", "off_brief", "unsupported_claim", "repeated_idea", "tone", "needs_sources"]
    severity: Literal["block", "warn"]
    sentence: str = Field(description=f"the place in the draft, at most {SENTENCE_WORDS} words of it")
    reason: str = Field(min_length=1)

    @property
    def blocks(self) -> bool:
        return self.severity == "block" and self.code != NEEDS_SOURCES


class ReviewReply(BaseModel):
    """What the model must answer. The issues come before the verdict, so that they are found before it is given."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    issues: list[ReviewIssue] = Field(description=f"at most {MAX_ISSUES}, the gravest first")
    summary: str
    passed: bool


PROMPT_SHA256 = sha256_of([_SYSTEM.text, _USER.text, OutputShape(ReviewReply).schema])
"""Of all that a review depends on beside the model: the words, and the shape of the answer."""


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A review with the model's reply that it was made of; None where there was none."""

    review: Review
    reply: ModelReply | None


class Reviewer:
    """Asks `model`. A model that fails twice, or reads too little in its `context` to be asked, is a review that says
    so; only what cancels a run is raised."""

    def __init__(self, model: Model, context: Context | None = None) -> None:
        self._model = model
        self._context = context or Context()

    @property
    def name(self) -> str:
        return self._model.name

    def longest(self, assignment: Assignment, profile: Profile, pack: str) -> int | None:
        """The tokens of the longest draft that can be read beside a pack of that text; None for any."""
        left = self._context.left(review_request(assignment, profile, pack, (), "", key=""))
        return None if left is None else int((left - FOUND_TOKENS - LEAST_TOKENS) / READ_AGAIN)

    async def review(
        self, assignment: Assignment, profile: Profile, pack: str, findings: Sequence[Issue], draft: str, *, number: int
    ) -> Reviewed:
        """The review of round `number`."""

        def request(lines: int, attempt: int) -> ModelRequest | None:
            asked = review_request(assignment, profile, pack, findings, draft, lines, key=f"review/{number}/{attempt}")
            return self._context.fitted(asked, LEAST_TOKENS)

        lines = most_that_fit(findings, lambda some: request(some, 1) is not None)
        if lines is None:
            alone = review_request(assignment, profile, pack, findings, draft, FEW, key="")
            return Reviewed(Review(passed=False, summary="", failure=str(self._too_long(alone))), None)
        failure = ""
        for attempt in range(1, TRIES + 1):
            asked = request(lines, attempt)
            assert asked is not None
            try:
                reply = await self._model.complete(asked)
            except ModelFailure as error:
                failure = str(error)
                continue
            if not isinstance(reply.value, ReviewReply):
                raise TypeError(f"{self.name} gave no ReviewReply: a Reviewer needs a model that is Structured")
            return Reviewed(review_of(reply.value, draft), reply)
        return Reviewed(Review(passed=False, summary="", failure=failure), None)

    def _too_long(self, request: ModelRequest) -> ModelFailure:
        return ModelFailure(
            ModelFailureKind.CONTEXT_LENGTH,
            self.name,
            f"rules, material and draft take some {read_tokens(request):,} tokens and a verdict {LEAST_TOKENS}, and "
            f"models.context_tokens is {self._context.tokens:,}",
            advice="shorten the notes or the draft or have fewer facts, "
            "or raise models.context_tokens if the model reads more",
        )


def review_request(
    assignment: Assignment,
    profile: Profile,
    pack: str,
    findings: Sequence[Issue],
    draft: str,
    lines: int = MOST,
    *,
    key: str,
) -> ModelRequest:
    """What is asked: the brief, the whole pack, the findings in at most `lines`, the draft, and nothing else."""
    brief = [f"Title: {assignment.title}", f"Notes: {assignment.notes or '(none)'}"]
    brief += [f"Business: {profile.name}"]
    brief += [f"Tone: {profile.tone}"] if profile.tone else []
    brief += [f"Key messages: {'; '.join(profile.key_messages)}"] if profile.key_messages else []
    brief += [f"At most {assignment.max_words} words"] if assignment.max_words is not None else []
    found = found_lines(findings, lines) or "(none)"
    user = _USER.fill(
        brief="\n".join(brief),
        pack=marked("material", pack),
        findings=sealed("findings", found),
        draft=sealed("draft", draft),
    )
    return ModelRequest(
        system=_SYSTEM.fill(),
        messages=(User(user),),
        output=OutputShape(ReviewReply, _contradicts_itself),
        temperature=0.0,
        max_tokens=MAX_TOKENS,
        key=key,
    )


def review_of(reply: ReviewReply, draft: str) -> Review:
    """The verdict in a reply, by the rules that no model may bend. The blocking issues are kept before the others."""
    kept = sorted(reply.issues, key=lambda issue: not issue.blocks)[:MAX_ISSUES]
    issues = tuple(_issue(one, draft) for one in kept)
    return Review(passed=not any(issue.blocks for issue in issues), summary=reply.summary.strip(), issues=issues)


def _issue(said: ReviewIssue, draft: str) -> Issue:
    words = unescape(said.sentence).strip().strip('"“”').split()
    short = " ".join(words[:SENTENCE_WORDS])
    place = _place(short, draft)
    return Issue(
        code=said.code,
        message=said.reason.strip(),
        sentence=short + (" …" if len(words) > SENTENCE_WORDS else ""),
        blocks=said.blocks,
        origin=Origin.REVIEWER,
        start=place[0] if place else None,
        end=place[1] if place else None,
    )


def _place(words: str, draft: str) -> tuple[int, int] | None:
    """Where the draft has these words, once; a model may have put them in words of its own."""
    at = draft.find(words) if words else -1
    return (at, at + len(words)) if at >= 0 and draft.find(words, at + 1) < 0 else None


def _contradicts_itself(value: BaseModel) -> str | None:
    """What is wrong between a reply's verdict and its issues: then nobody knows which of the two was meant."""
    if not isinstance(value, ReviewReply):
        return None
    blocked = any(issue.blocks for issue in value.issues)
    if value.passed and blocked:
        return "passed is true, and an issue blocks: give the issues that hold, and passed as they make it"
    meant = blocked or any(issue.severity == "block" for issue in value.issues)
    if not value.passed and not meant:
        return "passed is false, and no issue blocks: give what fails the draft as block, or passed as true"
    return None
