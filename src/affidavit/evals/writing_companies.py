"""Invented companies with drafts of known faults: what the writing suite and its benchmark are measured on.

Each has a profile, a register of facts, what it published before, and drafts that carry the findings which belong in
them, by code and place. Nearly every draft with a fault has a twin beside it, under the same title, that has none.
"""

from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from affidavit.errors import UserError
from affidavit.evals.records import Placed, Records, read_records, read_shipped_records
from affidavit.evals.rows import Row, read_row
from affidavit.evidence.fact import Category, Fact, FactState
from affidavit.evidence.piece import Issue
from affidavit.write.commission import Commission
from affidavit.write.memory import Memory, Recalled
from affidavit.write.pack import Assignment
from affidavit.write.profile import Profile, profile_of

DATA = "writing"
WRITTEN_ON = date(2026, 10, 1)
"""The day on which the drafts of the set are written: their years in business are reckoned to it."""
_OWNER = "the owner"
"""Who decided about an invented company's facts."""


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

    def commission(self, assignment: Assignment, *, draft: str | None = None, prompt: str | None = None) -> Commission:
        """What a writer would be asked, on the day of the set; with `draft`, that draft held to the same facts."""
        return Commission(
            customer=self.profile.name,
            assignment=assignment,
            profile=self.profile,
            facts=tuple(fact for fact in self.facts if fact.usable(WRITTEN_ON)),
            rejected=tuple(fact for fact in self.facts if fact.state is FactState.REJECTED),
            memory=self.memory,
            prompt=prompt,
            draft=draft,
            today=WRITTEN_ON,
        )

    def check(self, assignment: Assignment, text: str) -> tuple[Issue, ...]:
        """What the checks find in `text`."""
        return self.commission(assignment).boundary().check(text)


def shipped_companies(kind: str = "traps") -> tuple[Company, ...]:
    """The set that comes with the package: `traps`, or `honest`. Raises UserError where this copy has none."""
    rows = [row for row in read_shipped_records(DATA).rows if row.where.startswith(f"{kind}/")]
    if not rows:
        raise UserError(f"this copy of affidavit ships no drafts called {kind!r}; read your own with read_companies")
    return tuple(map(_company, rows))


def read_companies(folder: Path) -> tuple[Company, ...]:
    """The companies in the folders of `folder`. Raises UserError naming what is wrong, and where."""
    if not folder.is_dir():
        raise UserError(f"{folder}: no such folder; each company is a folder in it")
    return companies_of(read_records([folder]))


def companies_of(records: Records) -> tuple[Company, ...]:
    """One company a record. Raises UserError naming what is wrong, and where."""
    return tuple(map(_company, records.rows))


class _Shape(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class _FactRow(_Shape):
    id: str
    text: str
    category: Category
    subject: str
    value: str | None = None
    scope_note: str | None = None
    owner: str | None = None
    state: FactState

    def fact(self) -> Fact:
        decided = None if self.state is FactState.PENDING else _OWNER
        given = self.model_dump(exclude={"id"})
        return Fact(fact_id=self.id, **given, decided_by=decided, added_by=_OWNER)


class _EarlierRow(_Shape):
    title: str
    summary: str
    statistics: tuple[str, ...] = ()
    sentences: tuple[str, ...] = ()
    url: str | None = None


class _FindingRow(_Shape):
    code: str
    start: int
    end: int
    words: str


class _DraftRow(_Shape):
    id: str
    trap: str
    present: bool
    title: str
    notes: str | None = None
    max_words: int | None = None
    findings: tuple[_FindingRow, ...]

    def labelled(self, text: str) -> LabelledDraft:
        return LabelledDraft(
            draft_id=self.id,
            trap=self.trap,
            present=self.present,
            assignment=Assignment(title=self.title, notes=self.notes or "", max_words=self.max_words),
            text=text,
            expected=tuple(Expected(one.code, one.start, one.end, one.words) for one in self.findings),
        )


class CompanyRow(Row):
    """A company as its folder says it: ``profile.json``, ``register.json``, ``memory.json``, ``drafts.json``, and a
    Markdown file for each draft."""

    profile: dict[str, Any]
    facts: tuple[_FactRow, ...] = Field(alias="register")
    memory: tuple[_EarlierRow, ...] = ()
    drafts: tuple[_DraftRow, ...]
    texts: dict[str, str]

    @field_validator("profile")
    @classmethod
    def _named(cls, value: dict[str, Any]) -> dict[str, Any]:
        profile_of(value, "profile")
        return value

    @model_validator(mode="after")
    def _labels_stand(self) -> Self:
        for draft in self.drafts:
            text = self.texts.get(draft.id)
            if text is None:
                raise ValueError(f"{draft.id}.md is missing: each draft of drafts.json has its text there")
            for one in draft.findings:
                if text[one.start : one.end] != one.words:
                    raise ValueError(f"{draft.id}.md: {one.words!r} does not stand at {one.start}: label it anew")
        return self


def _company(placed: Placed) -> Company:
    row = read_row(CompanyRow, placed)
    return Company(
        slug=row.id,
        profile=profile_of(row.profile, placed.where),
        facts=tuple(one.fact() for one in row.facts),
        memory=Memory(tuple(Recalled(**one.model_dump()) for one in row.memory)),
        drafts=tuple(one.labelled(row.texts[one.id]) for one in row.drafts),
    )
