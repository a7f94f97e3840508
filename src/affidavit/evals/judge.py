"""The suite `judge`: a verifier's answers held against labelled rows, and what follows from them.

Nothing is stored that the answers do not say: every figure is derived from the rows, so a report cannot disagree with
them. A run over which nothing could be checked, or a floor that the data cannot tell, is no pass.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import Protocol, runtime_checkable

from affidavit.evals.agreement import Confusion
from affidavit.evals.floors import Floor
from affidavit.evals.paired import Paired
from affidavit.evals.reliability import Reliability
from affidavit.evals.triples import Triple, Triples
from affidavit.evidence.answer import VerifierCard
from affidavit.evidence.claim import Label, Verdict
from affidavit.verify.guards import Guarded
from affidavit.verify.pair import Pair, text_pair
from affidavit.verify.verifier import Verifier

SUITE = "judge"
SUITE_VERSION = "1"
"""Changes when a figure's meaning changes: figures of two versions are not to be compared."""

LEAST_OF_A_KIND = 8
"""Kinds with fewer rows are told together, as `OTHER_KINDS`: a share of three rows is an anecdote."""
OTHER_KINDS = "(other kinds)"


@runtime_checkable
class ScoringVerifier(Protocol):
    """A verifier that also says how sure it is. Measuring one brings a reliability table."""

    async def scored(self, pair: Pair) -> tuple[Verdict, float | None]:
        """The verdict that `verify` would give, and how likely SUPPORTED is, 0 to 1; None where nothing was scored
        (a guard settled it, or it could not be checked)."""
        ...


@dataclass(frozen=True, slots=True)
class Answered:
    """What a verifier said of one row."""

    row: Triple
    said: Label
    reason: str
    score: float | None

    @property
    def right(self) -> bool:
        """Certified exactly where it is SUPPORTED."""
        return (self.said is Label.SUPPORTED) is (self.row.label is Label.SUPPORTED)


class Outcome(StrEnum):
    """How an eval ended; what a run in the ledger finishes with."""

    MEASURED = "measured"
    """No floor was asked for."""
    PASSED = "passed"
    BELOW_FLOOR = "below_floor"
    COULD_NOT_CHECK = "could_not_check"


@dataclass(frozen=True, kw_only=True)
class Measured:
    """One verifier's answers to all rows, in their order. `seconds` is the time it took, span reading included."""

    verifier: VerifierCard
    answers: tuple[Answered, ...]
    seconds: float

    @cached_property
    def pooled(self) -> Confusion:
        return _confusion(self.answers)

    @cached_property
    def sets(self) -> Mapping[str, Confusion]:
        """By data set, in order of name."""
        return _grouped(self.answers, lambda one: one.row.dataset)

    @cached_property
    def kinds(self) -> Mapping[str, Confusion]:
        """By kind of near miss over all sets, the rows whose source tells one; rare kinds together at the end."""
        known = [one for one in self.answers if one.row.kind is not None]
        found = _grouped(known, lambda one: one.row.kind or "")
        rare = {kind for kind, confusion in found.items() if confusion.rows() < LEAST_OF_A_KIND}
        kept = {kind: confusion for kind, confusion in found.items() if kind not in rare}
        if rare:
            kept[OTHER_KINDS] = _confusion([one for one in known if one.row.kind in rare])
        return kept

    @cached_property
    def near_misses(self) -> Confusion | None:
        """The rows that are not SUPPORTED and whose source tells in what they miss: the half that is hard. None where
        there is none."""
        found = [one for one in self.answers if one.row.kind is not None and one.row.label is not Label.SUPPORTED]
        return _confusion(found) if found else None

    @cached_property
    def twins(self) -> Mapping[str, Confusion]:
        """True twins by how they say what their span says, over all sets: a gate that certifies only copies shows."""
        return _grouped([one for one in self.answers if one.row.twin is not None], lambda one: one.row.twin or "")

    @cached_property
    def reliability(self) -> Reliability | None:
        """None where the verifier gives no scores."""
        scored = [(one.score, one.row.label is Label.SUPPORTED) for one in self.answers if one.score is not None]
        return Reliability.of(scored) if scored else None

    @property
    def falsely_supported(self) -> tuple[Answered, ...]:
        """The rows certified that are not SUPPORTED: read these first."""
        return tuple(
            one for one in self.answers if one.said is Label.SUPPORTED and one.row.label is not Label.SUPPORTED
        )

    @property
    def pairs_per_second(self) -> float | None:
        return len(self.answers) / self.seconds if self.seconds else None


@dataclass(frozen=True, kw_only=True)
class JudgeEval:
    """A finished run of the suite: what was measured, on which data, beside what, and against which floors."""

    run_id: str
    measured_at: str
    """ISO-8601, UTC."""
    data: Triples
    measured: Measured
    against: Measured | None
    floors: tuple[Floor, ...]

    @property
    def outcome(self) -> Outcome:
        pooled = self.measured.pooled
        untold = any(floor.measured is None for floor in self.floors)
        if pooled.could_not_check.hits == pooled.rows():
            return Outcome.COULD_NOT_CHECK
        if any(not floor.met and floor.measured is not None for floor in self.floors):
            return Outcome.BELOW_FLOOR
        if untold:
            return Outcome.COULD_NOT_CHECK
        return Outcome.PASSED if self.floors else Outcome.MEASURED

    @property
    def paired(self) -> Paired | None:
        """The two verifiers on the same rows; None where there is one."""
        if self.against is None:
            return None
        return Paired.of(
            (first.right, second.right)
            for first, second in zip(self.measured.answers, self.against.answers, strict=True)
        )

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a reader should know before relying on the figures."""
        pooled, found = self.measured.pooled, list[str]()
        if pooled.could_not_check.hits == pooled.rows():
            found.append("the verifier could not check a single row: nothing was measured")
        if not pooled.rows(true=Label.SUPPORTED) or pooled.rows(true=Label.SUPPORTED) == pooled.rows():
            found.append("the data hold SUPPORTED rows only, or none: balanced accuracy cannot be told")
        if pooled.rows() < 60:
            found.append(f"{pooled.rows()} rows are few: mind the intervals")
        found += [
            f"the data cannot tell {floor.name}, so that floor is not met"
            for floor in self.floors
            if floor.measured is None
        ]
        return tuple(found)


def _tell_nobody(*_: object) -> None:
    """For whoever does not listen."""


async def measure(
    verifier: Verifier, rows: Sequence[Triple], progress: Callable[[int, int], None] = _tell_nobody
) -> Measured:
    """Ask `verifier` about every row, one after the other, each a pair of its own. It sees claim and span only."""
    answers: list[Answered] = []
    asked, heard = _overheard(verifier)
    begun = time.perf_counter()
    for index, row in enumerate(rows):
        heard.score = None
        given = await asked.verify(text_pair(row.claim, row.span, kind=row.block))
        answers.append(Answered(row, given.label, given.reason, heard.score))
        progress(index + 1, len(rows))
    return Measured(verifier=verifier.card, answers=tuple(answers), seconds=time.perf_counter() - begun)


class _Overheard:
    """`inner`, its last score kept: the guards pass a verdict on, and no score."""

    def __init__(self, inner: Verifier) -> None:
        self._inner = inner
        self.score: float | None = None

    @property
    def card(self) -> VerifierCard:
        return self._inner.card

    async def verify(self, pair: Pair) -> Verdict:
        if not isinstance(self._inner, ScoringVerifier):
            return await self._inner.verify(pair)
        given, self.score = await self._inner.scored(pair)
        return given


def _overheard(verifier: Verifier) -> tuple[Verifier, _Overheard]:
    """What to ask in place of `verifier`, and where its score is to be found afterwards."""
    if isinstance(verifier, Guarded):
        heard = _Overheard(verifier.inner)
        return replace(verifier, inner=heard), heard
    heard = _Overheard(verifier)
    return heard, heard


def _confusion(answers: Sequence[Answered]) -> Confusion:
    return Confusion.of((one.row.label, one.said) for one in answers)


def _grouped(answers: Sequence[Answered], key: Callable[[Answered], str]) -> dict[str, Confusion]:
    groups: dict[str, list[Answered]] = {}
    for one in answers:
        groups.setdefault(key(one), []).append(one)
    return {name: _confusion(groups[name]) for name in sorted(groups)}
