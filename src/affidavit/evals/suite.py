"""What a suite is: labelled rows put to one part of the product, each answered right, wrong or not at all.

A suite stores its cases; its figures are counts over them. A suite that checked nothing has measured nothing, and that
is no pass.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Protocol

from affidavit.evals.agreement import Share
from affidavit.evals.floors import Floor
from affidavit.evals.judge import Outcome
from affidavit.evals.records import DataFile, Records
from affidavit.evidence.frozen import freeze_fields
from affidavit.ledger.canonical import digest


class CaseState(StrEnum):
    RIGHT = "right"
    WRONG = "wrong"
    COULD_NOT_CHECK = "could_not_check"


@dataclass(frozen=True, slots=True)
class Case:
    """One row put to the product. `kind` is what the row tries; `detail` says of a wrong one what was wanted and what
    came, in one line."""

    case_id: str
    kind: str
    state: CaseState
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A share over the cases. `name` is stable; `about` says what is counted, of what. `more_is_better` says on which
    side of its floor it should be."""

    name: str
    about: str
    share: Share
    more_is_better: bool = True

    def held_against(self, bound: float) -> Floor:
        """The floor at `bound`; not met where there was nothing to count."""
        value = self.share.value
        met = value is not None and (value >= bound if self.more_is_better else value <= bound)
        return Floor(self.name, bound, value, met)


@dataclass(frozen=True, slots=True)
class Measured:
    """A case a row, in the order of the rows, and what was counted over them. `notes` are for a reader of the figures;
    they are told with the run's own and are no part of what is compared."""

    cases: tuple[Case, ...]
    figures: tuple[Figure, ...]
    notes: tuple[str, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        freeze_fields(self)


Progress = Callable[[int, int], None]
"""Told the rows done, and of how many."""


class Suite(Protocol):
    """`name` is what a person types, `about` one line, `data` the file that ships; `version` changes with the meaning
    of a figure."""

    name: str
    about: str
    version: str
    data: str

    def measure(self, records: Records, progress: Progress) -> Measured:
        """Put every record to the product. Raises UserError naming file, line and field of one that is no row."""
        ...


@dataclass(frozen=True, kw_only=True)
class SuiteEval:
    """A finished run of a suite. `seconds` is the time that measuring took; `measured_at` is ISO-8601, UTC."""

    run_id: str
    suite: str
    version: str
    measured_at: str
    files: tuple[DataFile, ...]
    data_digest: str
    measured: Measured
    floors: tuple[Floor, ...]
    seconds: float
    notes: tuple[str, ...] = ()

    @cached_property
    def states(self) -> dict[CaseState, int]:
        """How many cases of each state."""
        return {state: sum(case.state is state for case in self.measured.cases) for state in CaseState}

    @property
    def outcome(self) -> Outcome:
        if self.states[CaseState.COULD_NOT_CHECK] == len(self.measured.cases):
            return Outcome.COULD_NOT_CHECK
        if any(not floor.met and floor.measured is not None for floor in self.floors):
            return Outcome.BELOW_FLOOR
        if any(floor.measured is None for floor in self.floors):
            return Outcome.COULD_NOT_CHECK
        return Outcome.PASSED if self.floors else Outcome.MEASURED

    @property
    def wrong(self) -> tuple[Case, ...]:
        return tuple(case for case in self.measured.cases if case.state is not CaseState.RIGHT)


def data_digest(records: Records) -> str:
    """Of everything that decides a figure: the same rows under another file name have the same digest."""
    return digest([row.record for row in records.rows])


def counted(name: str, about: str, cases: Sequence[Case], *kinds: str, more_is_better: bool = True) -> Figure:
    """The share of right cases among those of `kinds` (all, where none is named); of wrong ones where fewer are better.
    What could not be checked is among neither."""
    of = [case for case in cases if (not kinds or case.kind in kinds) and case.state is not CaseState.COULD_NOT_CHECK]
    wanted = CaseState.RIGHT if more_is_better else CaseState.WRONG
    hits = sum(case.state is wanted for case in of)
    return Figure(name=name, about=about, share=Share(hits, len(of)), more_is_better=more_is_better)
