"""Drafts of invented companies with known faults, and how many of them the checks of the writer find.

Six companies, each with a profile, a register of facts and what it published before. Each draft carries the findings
that belong in it, by code and place; half of the drafts have none, and differ from their twins in little else. A second
set, `honest`, is drafts with nothing wrong in them and as many number-like words as a writer may use.

A finding is right where one of its code is expected at a place that it overlaps, each expected one counted once.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from affidavit.errors import UserError
from affidavit.evidence.fact import Category, Fact, FactState
from affidavit.evidence.frozen import freeze_fields
from affidavit.evidence.piece import Issue
from affidavit.write.checks import BLOCKING, check_draft
from affidavit.write.memory import Memory, Recalled
from affidavit.write.pack import Assignment, allowed_texts
from affidavit.write.profile import Profile, profile_of

WRITTEN_ON = date(2026, 10, 1)
"""The day on which the drafts of the set are written: their years in business are reckoned to it."""


@dataclass(frozen=True, slots=True)
class Expected:
    """A finding that belongs in a draft, at ``[start, end)`` of it."""

    code: str
    start: int
    end: int
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledDraft:
    """`trap` names what a careless writer would do with the assignment, `present` whether this draft does it."""

    draft_id: str
    trap: str
    present: bool
    assignment: Assignment
    text: str
    expected: tuple[Expected, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Company:
    slug: str
    profile: Profile
    facts: tuple[Fact, ...]
    memory: Memory
    drafts: tuple[LabelledDraft, ...]

    def usable(self) -> tuple[Fact, ...]:
        return tuple(fact for fact in self.facts if fact.usable(WRITTEN_ON))

    def rejected(self) -> tuple[Fact, ...]:
        return tuple(fact for fact in self.facts if fact.state is FactState.REJECTED)

    def check(self, draft: LabelledDraft) -> tuple[Issue, ...]:
        return check_draft(
            draft.text,
            facts=self.usable(),
            rejected=self.rejected(),
            allowed=allowed_texts(draft.assignment, self.profile, self.usable()),
            memory=self.memory,
            max_words=draft.assignment.max_words,
            today=WRITTEN_ON,
        )


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
        tuple(_outcome(company, draft, company.check(draft)) for company in companies for draft in company.drafts)
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


def shipped_companies(kind: str = "traps") -> tuple[Company, ...]:
    """The set that comes with the package: `traps`, or `honest`. Raises UserError where this copy has none."""
    folder = files("affidavit.evals") / "data" / "writing" / kind
    if not folder.is_dir():
        raise UserError(f"this copy of affidavit ships no drafts called {kind!r}; read your own with read_companies")
    return tuple(_companies(folder))


def read_companies(folder: Path) -> tuple[Company, ...]:
    """The companies in the folders of `folder`. Raises UserError naming the file and what is wrong in it."""
    if not folder.is_dir():
        raise UserError(f"{folder}: no such folder; each company is a folder in it")
    return tuple(_companies(folder))


def _companies(folder: Traversable) -> Iterator[Company]:
    for one in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if one.is_dir():
            yield _company(one)


def _company(folder: Traversable) -> Company:
    return Company(
        slug=folder.name,
        profile=profile_of(_object(folder / "profile.json"), f"{folder.name}/profile.json"),
        facts=tuple(_fact(row, folder.name) for row in _rows(folder / "register.json")),
        memory=Memory(tuple(_recalled(row) for row in _rows(folder / "memory.json"))),
        drafts=tuple(_draft(row, folder) for row in _rows(folder / "drafts.json")),
    )


def _rows(file: Traversable) -> list[dict[str, Any]]:
    value = _json(file)
    if not isinstance(value, list):
        raise UserError(f"{file.name}: holds a {type(value).__name__}, where a list belongs")
    return value


def _object(file: Traversable) -> dict[str, Any]:
    value = _json(file)
    if not isinstance(value, dict):
        raise UserError(f"{file.name}: holds a {type(value).__name__}, where an object belongs")
    return value


def _json(file: Traversable) -> Any:
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UserError(f"{file.name}: cannot be read as JSON: {error}") from error


def _fact(row: Mapping[str, Any], company: str) -> Fact:
    try:
        return Fact(
            fact_id=row["id"],
            text=row["text"],
            category=Category(row["category"]),
            subject=row["subject"],
            value=row["value"],
            scope_note=row["scope_note"],
            owner=row["owner"],
            state=FactState(row["state"]),
            decided_by=None if row["state"] == FactState.PENDING else "the owner",
            added_by="the owner",
        )
    except (KeyError, ValueError) as error:
        raise UserError(f"{company}/register.json: {row.get('id', row)}: {error}") from error


def _recalled(row: Mapping[str, Any]) -> Recalled:
    return Recalled(
        title=row["title"],
        summary=row["summary"],
        statistics=tuple(row["statistics"]),
        sentences=tuple(row["sentences"]),
        url=row["url"],
    )


def _draft(row: Mapping[str, Any], folder: Traversable) -> LabelledDraft:
    text = (folder / f"{row['id']}.md").read_text(encoding="utf-8")
    expected = tuple(Expected(one["code"], one["start"], one["end"], one["words"]) for one in row["findings"])
    for one in expected:
        if text[one.start : one.end] != one.words:
            raise UserError(f"{folder.name}/{row['id']}.md: {one.words!r} does not stand at {one.start}: label it anew")
    return LabelledDraft(
        draft_id=row["id"],
        trap=row["trap"],
        present=row["present"],
        assignment=Assignment(title=row["title"], notes=row["notes"] or "", max_words=row["max_words"]),
        text=text,
        expected=expected,
    )
