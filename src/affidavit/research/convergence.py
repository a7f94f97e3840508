"""Whether a run goes on: asked of a small model that wants nothing, and decided in code (contract R4).

Going on needs an argument, not an intention: a sub-question that is not covered, and an action that is materially
different from what was tried. The model proposes; that the action differs, that a span it counts exists, and that a
sub-question failed twice, is checked here.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from affidavit.ranking.terms import GENERIC, STOP_WORDS, stem, terms

FAILED_ROUNDS = 2
SAME_ACTION = 0.8
"""Share of an action's informative terms that one thing tried has, from which on it is no other action. Not swept."""
ACTION_CHARS = 200
_SAYS_NOTHING = (
    frozenset(
        stem(word)
        for word in (
            "search searching searched again more better other another different term terms keyword keywords query "
            "queries refine refined try retry look find further additional relevant specific information detail "
            "details result results page pages fetch read source sources web use using new http https www com org html"
        ).split()
    )
    | frozenset(stem(word) for word in STOP_WORDS)
    | GENERIC
)


class Coverage(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    subquestion: int
    span_ids: list[str] = Field(default_factory=list[str])
    state: Literal["covered", "thin", "empty"]


class Convergence(BaseModel):
    """The shape of the check's reply."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    coverage: list[Coverage]
    decision: Literal["CONTINUE", "DRAFT", "DRAFT_WITH_GAPS"]
    next_action: str | None = Field(description="one specific action, or null")
    reason: str = Field(description="at most 25 words")


@dataclass(slots=True)
class Rounds:
    """By number of the sub-question: its state at the last check, and the rounds in a row that brought it nothing.

    A round begins with a search. The runtime's own search opens the first one of every sub-question; the next search
    for the same sub-question ends it, and it has failed if no new quotation came in between.
    """

    count: int
    states: dict[int, str] = field(default_factory=dict[int, str])
    failed: dict[int, int] = field(default_factory=dict[int, int])
    actions: list[str] = field(default_factory=list[str])
    _quotations: dict[int, int] = field(default_factory=dict[int, int])

    def searched(self, number: int, quotations: int) -> None:
        """Another search was made for sub-question `number`, when the run had so many `quotations`."""
        before = self._quotations.get(number, 0)
        self.failed[number] = 0 if quotations > before else self.failed.get(number, 0) + 1
        self._quotations[number] = quotations

    def observe(self, said: Convergence, spans: Collection[str]) -> None:
        """Take one check in. A sub-question is covered only by spans that exist."""
        for number in range(1, self.count + 1):
            one = next((item for item in said.coverage if item.subquestion == number), None)
            state = one.state if one is not None else "empty"
            if one is not None and state != "empty" and not set(one.span_ids) & set(spans):
                state = "empty"
            self.states[number] = state

    @property
    def covered(self) -> bool:
        return bool(self.states) and all(state == "covered" for state in self.states.values())

    @property
    def closed(self) -> list[int]:
        """Sub-questions that had two failed rounds."""
        return [number for number, rounds in self.failed.items() if rounds >= FAILED_ROUNDS]

    def told(self) -> str:
        """Coverage in a few words, for a person."""
        covered = sum(state == "covered" for state in self.states.values())
        return f"{covered}/{self.count} covered"


def landing(said: Convergence, rounds: Rounds, tried: Sequence[str], *, spans: bool) -> str | None:
    """Why the run stops here; None where it goes on. Stopping without a single quotation is not the model's to decide:
    the budgets and the stall detector end such a run."""
    if rounds.covered:
        return "every sub-question is covered"
    if len(rounds.closed) == rounds.count or all(
        rounds.states.get(number) == "covered" for number in range(1, rounds.count + 1) if number not in rounds.closed
    ):
        return "what is not covered had two failed rounds"
    if not spans:
        return None
    if said.decision != "CONTINUE":
        return "the convergence check stops here"
    if said.next_action is None or not differs(said.next_action, [*tried, *rounds.actions]):
        return "the convergence check names no action that was not tried"
    return None


def differs(action: str, tried: Iterable[str]) -> bool:
    """Whether `action` is materially different from everything in `tried`: it says something, and no one of them says
    nearly all of it."""
    own = terms(action) - _SAYS_NOTHING
    if not own:
        return False
    return all(len(own & terms(other)) / len(own) < SAME_ACTION for other in tried)
