"""How many known faults the checks of the writer find in labelled drafts, and what they say that does not belong.

A finding is right where one of its code is expected at a place that it overlaps, each expected one counted once.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from affidavit.errors import UserError
from affidavit.evals.writing_companies import Company, Expected, LabelledDraft
from affidavit.evidence.frozen import freeze_fields
from affidavit.evidence.piece import Issue
from affidavit.write.checks import BLOCKING


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the checks said of one draft: `right` pairs, `missed` labels, `extra` findings."""

    company: str
    draft: LabelledDraft
    right: tuple[tuple[Expected, Issue], ...]
    missed: tuple[Expected, ...]
    extra: tuple[Issue, ...]


@dataclass(frozen=True)
class Measured:
    outcomes: tuple[Outcome, ...]

    def __post_init__(self) -> None:
        freeze_fields(self)
        if not self.outcomes:
            raise UserError("no drafts to measure on; a measure over nothing is no pass")

    def counts(self, codes: frozenset[str]) -> tuple[int, int, int]:
        """Right, missed and extra findings of `codes`."""
        return (
            sum(expected.code in codes for one in self.outcomes for expected, _ in one.right),
            sum(expected.code in codes for one in self.outcomes for expected in one.missed),
            sum(issue.code in codes for one in self.outcomes for issue in one.extra),
        )

    def precision(self, codes: frozenset[str] = BLOCKING) -> float | None:
        """The share of findings that belong; None where there is no finding."""
        right, _, extra = self.counts(codes)
        return right / (right + extra) if right + extra else None

    def recall(self, codes: frozenset[str] = BLOCKING) -> float | None:
        right, missed, _ = self.counts(codes)
        return right / (right + missed) if right + missed else None

    @property
    def codes(self) -> tuple[str, ...]:
        """Every code that was expected or found, blocking ones first."""
        named: Counter[str] = Counter()
        for one in self.outcomes:
            named.update(expected.code for expected, _ in one.right)
            named.update(expected.code for expected in one.missed)
            named.update(issue.code for issue in one.extra)
        return tuple(sorted(named, key=lambda code: (code not in BLOCKING, code)))

    def wrongly_blocked(self) -> tuple[Outcome, ...]:
        """Drafts that are blocked for something that does not belong."""
        return tuple(one for one in self.outcomes if any(issue.blocks for issue in one.extra))


def measure_writing(companies: Sequence[Company]) -> Measured:
    """Run the checks over every draft."""
    return Measured(
        tuple(
            _outcome(company, draft, company.check(draft.assignment, draft.text))
            for company in companies
            for draft in company.drafts
        )
    )


def _outcome(company: Company, draft: LabelledDraft, found: Sequence[Issue]) -> Outcome:
    left = list(found)
    right: list[tuple[Expected, Issue]] = []
    missed: list[Expected] = []
    for expected in draft.expected:
        match = next((one for one in left if one.code == expected.code and _meet(one, expected)), None)
        if match is None:
            missed.append(expected)
        else:
            left.remove(match)
            right.append((expected, match))
    return Outcome(company.slug, draft, tuple(right), tuple(missed), tuple(left))


def _meet(issue: Issue, expected: Expected) -> bool:
    if issue.start is None or issue.end is None:
        return False
    return issue.start < expected.end and expected.start < issue.end
