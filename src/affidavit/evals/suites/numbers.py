"""`numbers`: does the extractor find in a text the numbers that a reader finds, and no others?

A row holds a text and its numbers in order. One is found where exactly one mention overlaps it and has its kind, its
value and its unit; a row may list several answers that are as good. An identifier is right when it is told as one or
not at all, and wrong when it is told as a quantity.
"""

from decimal import Decimal
from typing import Any

from pydantic import BaseModel, ConfigDict

from affidavit.evals.agreement import Share
from affidavit.evals.records import Records
from affidavit.evals.rows import Row, read_row
from affidavit.evals.suite import Case, CaseState, Figure, Measured, Progress
from affidavit.gates.numbers import Kind, Mention, mentions

RELATIVE = Decimal("0.0001")
"""Two values are one within this share of the larger: a label may be written rounded."""


class Labelled(BaseModel):
    """A number that a reader finds at ``[start, end)``. The `…_any` are answers as good as the first. `modifier` is how
    the words around it bound it, by the names of `gates.numbers.Modifier`; a label without one does not tell."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    start: int
    end: int
    kind: str
    value: Any = None
    unit: str | None = None
    subject: str | None = None
    modifier: str | None = None
    kind_any: tuple[str, ...] = ()
    value_any: tuple[Any, ...] = ()
    unit_any: tuple[str | None, ...] = ()
    subject_any: tuple[str | None, ...] = ()
    debatable: bool = False


class NumbersRow(Row):
    text: str
    numbers: tuple[Labelled, ...]


class NumbersSuite:
    name = "numbers"
    about = "the numbers of a text: value, unit, kind, and what is counted"
    version = "1"
    data = "numbers.jsonl"

    def measure(self, records: Records, progress: Progress) -> Measured:
        tally = _Tally()
        for index, placed in enumerate(records.rows):
            tally.take(read_row(NumbersRow, placed))
            progress(index + 1, len(records.rows))
        return Measured(tuple(tally.cases), tuple(tally.figures()))


class _Tally:
    def __init__(self) -> None:
        self.cases: list[Case] = []
        self.found = self.labelled = self.told = self.subjects = self.counts = 0
        self.bounds = self.bounded = 0

    def take(self, row: NumbersRow) -> None:
        told = mentions(row.text)
        quantities = [one for one in told if one.kind is not Kind.IDENTIFIER]
        errors: list[str] = []
        claimed: set[int] = set()
        for label in row.numbers:
            hits = [one for one in told if one.start < label.end and label.start < one.end]
            claimed.update(one.start for one in hits)
            judged = not (row.debatable or label.debatable)
            if label.kind == Kind.IDENTIFIER:
                wrong = [one for one in hits if one.kind is not Kind.IDENTIFIER]
                errors += [f"{one.raw!r} is no quantity" for one in wrong if judged]
                self.told += len(wrong) * judged
                continue
            right = len(hits) == 1 and _right(hits[0], label)
            self._count(right, hits, label, judged)
            if not right and judged:
                errors.append(f"{row.text[label.start : label.end]!r} was read as {[_told(one) for one in hits]}")
        extra = [one for one in quantities if one.start not in claimed]
        if not row.debatable:
            self.told += len(extra)
            errors += [f"{one.raw!r} is no number here" for one in extra]
        state = CaseState.WRONG if errors else CaseState.RIGHT
        if row.debatable:
            state = CaseState.COULD_NOT_CHECK
        self.cases.append(Case(row.id, row.kind, state, "; ".join(errors)))

    def _count(self, right: bool, hits: list[Mention], label: Labelled, judged: bool) -> None:
        if not judged:
            return
        self.labelled += 1
        self.told += len([one for one in hits if one.kind is not Kind.IDENTIFIER])
        self.found += right
        if right and label.kind == Kind.COUNT:
            self.counts += 1
            self.subjects += hits[0].subject in (label.subject_any or (label.subject,))
        if right and label.modifier is not None:
            self.bounded += 1
            self.bounds += hits[0].modifier == label.modifier

    def figures(self) -> list[Figure]:
        return [
            Figure(
                name="precision", about="of the quantities told, those that are there", share=self._share(self.told)
            ),
            Figure(name="recall", about="of the numbers there, those told right", share=self._share(self.labelled)),
            Figure(
                name="subjects",
                about="of the counts told right, those with what is counted",
                share=Share(self.subjects, self.counts),
            ),
            Figure(
                name="bounds",
                about='of the numbers told right that words bound ("at most"), those with that bound',
                share=Share(self.bounds, self.bounded),
            ),
        ]

    def _share(self, of: int) -> Share:
        return Share(self.found, of)


def _right(told: Mention, label: Labelled) -> bool:
    return (
        told.kind in (label.kind_any or (label.kind,))
        and any(_equal(told.value, value) for value in label.value_any or (label.value,))
        and told.unit in (label.unit_any or (label.unit,))
    )


def _equal(told: Any, labelled: Any) -> bool:
    if isinstance(told, tuple) or isinstance(labelled, list | tuple):
        both = isinstance(told, tuple) and isinstance(labelled, list | tuple) and len(told) == len(labelled)
        return both and all(map(_equal, told, labelled))
    if isinstance(told, str) or isinstance(labelled, str):
        return told == labelled
    one, other = Decimal(told), Decimal(str(labelled))
    return abs(one - other) <= RELATIVE * max(abs(one), abs(other))


def _told(one: Mention) -> str:
    return f"{one.kind} {one.value}{f' {one.unit}' if one.unit else ''}"
