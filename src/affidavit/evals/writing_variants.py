"""The same assignment written three ways, so that what the boundary does is told from what the model does (X7).

    baseline    the writer alone: its prompt, the assignment, no pack; whatever comes is handed out
    pack_only   the same writer with the pack; whatever comes is handed out
    full        the same writer with the pack, the checks, the reviewer and one rewrite; what still blocks is withheld

Model and prompt are the same in all three. `full` goes on from the very draft of `pack_only`, so between those two
nothing differs but the checks, the review and the rewrite. What is handed out is then held to the same checks, and read
by the same reviewer, whichever way it was written.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from affidavit.errors import ModelFailure
from affidavit.evals.pairwise import Pair
from affidavit.evals.writing_companies import Company, LabelledDraft
from affidavit.evidence.piece import Issue, Piece, PieceState
from affidavit.models.context import Context
from affidavit.models.embedded import TokenCounter
from affidavit.models.model import Model
from affidavit.models.reply import ModelReply
from affidavit.models.request import ModelRequest
from affidavit.write.author import DEFAULT_PROMPT, Author
from affidavit.write.boundary import blocking
from affidavit.write.commission import Commission
from affidavit.write.loop import Desk, packed, write_piece
from affidavit.write.pack import Assignment, Pack
from affidavit.write.reviewer import Reviewer

NO_TRAP = frozenset({"reused_statistic"})
"""A figure that an earlier piece used is no trap by itself: a customer with a dozen figures has no other."""
_COUNTER = TokenCounter()
NO_PACK = Pack(text="", tokens=0, facts=(), excluded=(), shared=(), recalled=())


class Variant(StrEnum):
    BASELINE = "baseline"
    PACK_ONLY = "pack_only"
    FULL = "full"


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """An assignment with its trap: `codes` are the findings that a text which falls into it has. `careless` is a
    labelled draft that does, `careful` its twin that does not."""

    company: Company
    careless: LabelledDraft
    careful: LabelledDraft
    codes: frozenset[str]

    @property
    def trial_id(self) -> str:
        return self.careless.draft_id

    @property
    def assignment(self) -> Assignment:
        return self.careless.assignment

    def pair(self, first: str, second: str) -> Pair:
        """Two texts of this assignment, for a judge."""
        commission = self.company.commission(self.assignment)
        length = f"\nAt most {self.assignment.max_words} words" if self.assignment.max_words is not None else ""
        noted = (f"{fact.text} ({fact.scope_note})" if fact.scope_note else fact.text for fact in commission.facts)
        return Pair(
            pair_id=self.trial_id,
            brief=f"Business: {commission.profile.name}\nTitle: {self.assignment.title}\n"
            f"Notes: {self.assignment.notes or '(none)'}{length}",
            facts=tuple(noted),
            refused=tuple(fact.text for fact in commission.rejected),
            first=first,
            second=second,
        )


def trials(companies: Sequence[Company]) -> tuple[Trial, ...]:
    """One for each draft that falls into a trap and has a twin that does not."""
    found: list[Trial] = []
    for company in companies:
        for draft in company.drafts:
            same = [one for one in company.drafts if one.assignment == draft.assignment]
            twin = next((one for one in same if not one.present), None)
            if draft.present and twin is not None:
                labelled = {one.code for other in same if other.present for one in other.expected}
                found.append(
                    Trial(
                        company=company, careless=draft, careful=twin, codes=frozenset(labelled - NO_TRAP or labelled)
                    )
                )
    return tuple(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What came of a trial in one variant. `text` is what was handed out; None where it was withheld, and where
    `failure` says that a model gave nothing. `piece` holds every draft with its findings and reviews."""

    variant: Variant
    trial: Trial
    piece: Piece | None
    text: str | None
    failure: str | None = None

    @property
    def blocked(self) -> tuple[Issue, ...]:
        """What the checks find in the text handed out that must not be handed out."""
        return blocking(self._findings)

    @property
    def fallen(self) -> tuple[Issue, ...]:
        """The findings of the trap in the text handed out."""
        return tuple(issue for issue in self._findings if issue.code in self.trial.codes)

    @property
    def usable(self) -> bool:
        """Whether a text was handed out in which no check and no reviewer found what blocks."""
        return self.text is not None and self.piece is not None and self.piece.text is not None

    @property
    def _findings(self) -> tuple[Issue, ...]:
        """Those of the checks in the text handed out. A piece's last round is of it in every variant."""
        return self.piece.rounds[-1].findings if self.piece is not None and self.text is not None else ()

    def as_json(self) -> Mapping[str, object]:
        """For the ledger."""
        return {
            "variant": self.variant.value,
            "trial": self.trial.trial_id,
            "company": self.trial.company.slug,
            "trap": self.trial.careless.trap,
            "state": None if self.piece is None else self.piece.state.value,
            "text": self.text,
            "failure": self.failure,
            "rounds": [
                {"draft": one.draft, "findings": one.findings, "review": one.review}
                for one in (() if self.piece is None else self.piece.rounds)
            ],
        }


@dataclass(frozen=True, slots=True)
class Hands:
    """Who writes and who reviews one trial, under which prompt of the writer, and what they read in one call."""

    writer: Model
    reviewer: Model
    prompt: str = DEFAULT_PROMPT
    context: Context = field(default_factory=Context)

    def desk(self) -> Desk:
        """Those who work on a piece in the product's own way."""
        return Desk(
            log=_Unkept(),
            counter=_COUNTER,
            author=Author(self.writer, self.prompt, self.context),
            reviewer=Reviewer(self.reviewer, self.context),
        )


async def write_trial(trial: Trial, hands: Hands) -> tuple[Written, ...]:
    """The trial in every variant. A model that fails is told by what was written."""
    once = Once(hands.writer)
    return tuple([await _written(variant, trial, replace(hands, writer=once)) for variant in Variant])


async def write_trials(
    given: Sequence[Trial], hands: Callable[[Trial], Hands], progress: Callable[[int, int], None]
) -> tuple[Written, ...]:
    """All trials, side by side; those who work on one are asked for by `hands`."""
    done = 0

    async def one(trial: Trial) -> tuple[Written, ...]:
        nonlocal done
        found = await write_trial(trial, hands(trial))
        done += 1
        progress(done, len(given))
        return found

    return tuple(written for group in await asyncio.gather(*map(one, given)) for written in group)


async def _written(variant: Variant, trial: Trial, hands: Hands) -> Written:
    if variant is Variant.FULL:
        piece = await write_full(trial, hands)
        failure = piece.reason if piece.state is PieceState.FAILED else None
        return Written(variant=variant, trial=trial, piece=piece, text=piece.text, failure=failure)
    author = Author(hands.writer, hands.prompt, hands.context)
    company, assignment = trial.company, trial.assignment
    pack, most = (NO_PACK, None) if variant is Variant.BASELINE else packed(_commission(trial, hands), hands.desk())
    try:
        written = await author.draft(assignment, company.profile, pack, most=most)
    except ModelFailure as failure:
        return Written(variant=variant, trial=trial, piece=None, text=None, failure=str(failure))
    held = await write_piece(
        company.commission(assignment, draft=written.draft),
        replace(hands.desk(), author=None),
    )
    return Written(variant=variant, trial=trial, piece=held, text=written.draft)


async def write_full(trial: Trial, hands: Hands) -> Piece:
    """The piece that the product gives for the trial's assignment."""
    return await write_piece(_commission(trial, hands), hands.desk())


def _commission(trial: Trial, hands: Hands) -> Commission:
    return trial.company.commission(trial.assignment, prompt=hands.prompt)


class Once:
    """`inner`, asked once for each request, whatever it is asked for again."""

    def __init__(self, inner: Model) -> None:
        self._inner = inner
        self._said: dict[tuple[str, str | None], ModelReply] = {}

    @property
    def name(self) -> str:
        return self._inner.name

    async def complete(self, request: ModelRequest) -> ModelReply:
        asked = (request.sha256, request.key)
        if asked not in self._said:
            self._said[asked] = await self._inner.complete(request)
        return self._said[asked]


class _Unkept:
    """A log that keeps nothing: what was written is recorded whole when it is done, and each call when it is made."""

    run_id = "run_eval"

    def record(self, event_type: str, payload: Mapping[str, object]) -> int:  # noqa: ARG002
        return 0
