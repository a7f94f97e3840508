"""Tables on either side: a source's row that fills a column otherwise than the claim, a draft's row read cell by cell.

In a table the neighbours of a fact are its rivals: "2017-12-01 | Editorial | Removed the term" stands between rows that
say "Substantive", and nearly every word of a claim about the wrong row stands in the right one.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from affidavit.check.bind import Binder, Bound
from affidavit.check.claim import Claim
from affidavit.check.draft import Draft, Unit
from affidavit.check.passages import Line, content, holds
from affidavit.evidence.check import Remark, SentenceState
from affidavit.gates.numbers.compare import measure
from affidavit.ranking.vocabulary import similar

SHORT = 8
"""A cell of more terms is a text, and shares words with other rows by chance."""
LEAST = 0.5
"""The share of the claim that must stand in the row for its other cells to speak against it."""


def filled_otherwise(claim: Claim, binder: Binder, bound: Bound) -> Iterator[Remark]:
    """A finding where the claim has, for a cell of the row it is bound to, what that column has in another row."""
    line = binder.passages.lines[bound.first]
    index = bound.first if line.row is None else line.row
    row = binder.passages.lines[index]
    if bound.last != bound.first + 1 or not row.cells or bound.share < LEAST:
        return
    own = row.own | row.place
    missing = frozenset(term for term in claim.terms if not term.startswith("=") and not holds(term, own))
    others = [one for one in _siblings(binder, index) if len(one.cells) == len(row.cells)]
    for column, cell in enumerate(row.cells):
        if not cell or len(cell) > SHORT or cell & claim.terms == cell:
            continue
        for other in others:
            taken = (other.cells[column] - cell) & missing
            if taken and len(other.cells[column]) <= SHORT:
                text = binder.passages.text(index, index + 1)
                said = " | ".join(text.split("\t"))
                message = f"The source's row reads “{said}”; the claim has another row's words."
                yield Remark("cell_of_another_row", message, 0, len(claim.text), "block")
                return


def _siblings(binder: Binder, index: int) -> Iterator[Line]:
    """The other rows of the table of line `index`."""
    lines = binder.passages.lines
    run = lines[index].run
    for step in (-1, 1):
        at = index + step
        while 0 <= at < len(lines) and lines[at].run == run:
            if lines[at].cells:
                yield lines[at]
            at += step


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of a draft's row: what the row is about (`label`), the column's head, and what the cell says. ``[first,
    last)`` is the cell in the unit's text."""

    label: str
    head: str
    text: str
    first: int
    last: int


def row_cells(draft: Draft, unit: Unit) -> list[Cell]:
    """A row's cells but the first; empty for a row without heads, which nothing but its place explains."""
    text = draft.text[unit.first : unit.last]
    mark = "|" if "|" in text else "\t"
    cells: list[tuple[int, int]] = []
    at = 0
    for piece in text.split(mark):
        words = piece.strip()
        if words:
            start = at + len(piece) - len(piece.lstrip())
            cells.append((start, start + len(words)))
        at += len(piece) + 1
    if len(cells) < 2 or len(unit.heads) != len(cells):
        return []
    label = text[slice(*cells[0])]
    return [
        Cell(label, head, text[first:last], first, last)
        for (first, last), head in zip(cells[1:], unit.heads[1:], strict=True)
    ]


@dataclass(frozen=True, slots=True)
class JudgedCell:
    """`line` is the line that has it, or that fills it otherwise; -1 for none."""

    state: SentenceState
    line: int
    remark: Remark | None


def judge_cell(cell: Cell, binder: Binder) -> JudgedCell:
    """Sourced where one line has the cell and, itself or in its place, the row's label; rejected where none has and a
    line about that label and column has another value of the kind."""
    claim = Claim(_ASIDE.sub(" ", cell.text), (), frozenset())
    head = frozenset(term for term in content(cell.head) if not any(c.isdigit() for c in term))
    label = _Label.of(cell.label)
    having, others = [], []
    for index, line in enumerate(binder.passages.lines):
        own = line.own
        if not label.in_any(own, line.place):
            continue
        if _has(claim, binder, index, own):
            having.append((label.in_any(own), len(head & (own | line.place)), index))
        elif head and any(holds(term, own) for term in head) and _another(claim, binder, index):
            others.append((label.in_any(own), len(head & own), index))
    if having:
        return JudgedCell(SentenceState.SOURCED, max(having)[2], None)
    if others:
        index = max(others)[2]
        said = " ".join(binder.passages.text(index, index + 1).split())[:160]
        message = f"For “{cell.label}” no source has “{cell.text}”; one reads “{said}”."
        return JudgedCell(
            SentenceState.REJECTED, index, Remark("cell_otherwise", message, cell.first, cell.last, "block")
        )
    message = f"No passage about “{cell.label}” has “{cell.text}”."
    return JudgedCell(SentenceState.UNSOURCED, -1, Remark("cell_not_there", message, cell.first, cell.last, "cap"))


_ASIDE = re.compile(r"\([^()]*\)")


@dataclass(frozen=True, slots=True)
class _Label:
    """What a row is about: for each term of it the words that say it."""

    wanted: tuple[tuple[str, frozenset[str]], ...]

    @classmethod
    def of(cls, text: str) -> "_Label":
        return cls(tuple((term, similar(term) | {term}) for term in content(text) if not term.startswith("=")))

    def in_any(self, *sets: frozenset[str]) -> bool:
        """Whether every term stands in one of the sets; a version also as one of its releases (3.14 as 3.14.0)."""
        return bool(self.wanted) and all(
            any(not said.isdisjoint(terms) or _released(term, terms) for terms in sets) for term, said in self.wanted
        )


def _released(term: str, terms: frozenset[str]) -> bool:
    return term[0].isdigit() and any(one.startswith(term + ".") for one in terms)


def _has(claim: Claim, binder: Binder, index: int, own: frozenset[str]) -> bool:
    solid = frozenset(term for term in claim.terms if not term.startswith("="))
    if not solid and not claim.figures:
        return False
    return all(holds(term, own) for term in solid) and all(index in binder.bearing(one) for one in claim.figures)


def _another(claim: Claim, binder: Binder, index: int) -> bool:
    """Whether a line has a value of the cell's kind: a figure of its dimension, or a name where the cell is a name."""
    figures = [one for one in binder.mentions_of(index) if one.is_figure]
    if claim.figures:
        kinds = {measure(one).dimension for one in claim.figures}
        return any(measure(one).dimension in kinds for one in figures)
    text = binder.passages.text(index, index + 1)
    return len(claim.names) > 1 and _NAMED.search(text) is not None


# Two words with capitals. From the first capital of a run of letters: begun at each, a long one would take its square.
_NAMED = re.compile(r"(?<![^\W\d_])[a-z]*+[^\W\d_a-z][^\W\d_]++ [^\W\d_a-z][^\W\d_]")
