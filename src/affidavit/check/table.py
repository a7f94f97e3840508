"""Tables on either side: a source's row that fills a column otherwise than the claim, a draft's row read cell by cell.

In a table the neighbours of a fact are its rivals: "2017-12-01 | Editorial | Removed the term" stands between rows that
say "Substantive", and nearly every word of a claim about the wrong row stands in the right one.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from affidavit.check.bind import Binder, Bound
from affidavit.check.claim import Claim
from affidavit.check.draft import Draft, Unit
from affidavit.check.passages import Line, holds
from affidavit.evidence.check import Remark

SHORT = 8
"""A cell of more terms is a text, and shares words with other rows by chance."""
LEAST = 0.5
"""The share of the claim that must stand in the row for its other cells to speak against it."""


def filled_otherwise(claim: Claim, binder: Binder, bound: Bound) -> Iterator[Remark]:
    """A finding where the claim has, for a cell of the row it is bound to, what that column has in another row."""
    row = binder.passages.lines[bound.first]
    if bound.last != bound.first + 1 or not row.cells or bound.share < LEAST:
        return
    own = row.own | row.place
    missing = frozenset(term for term in claim.terms if not term.startswith("=") and not holds(term, own))
    others = [one for one in _siblings(binder, bound.first) if len(one.cells) == len(row.cells)]
    for column, cell in enumerate(row.cells):
        if not cell or len(cell) > SHORT or cell & claim.terms == cell:
            continue
        for other in others:
            taken = (other.cells[column] - cell) & missing
            if taken and len(other.cells[column]) <= SHORT:
                text = binder.passages.text(bound.first, bound.last)
                message = (
                    f"The source's row reads “{' | '.join(text.split(chr(9)))}”; the claim has another row's words."
                )
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
class Part:
    """One cell of a draft's row as a claim of its own: "3.16 Release manager: Bo Roe". ``[first, last)`` is the cell
    in the unit's text."""

    claim: Claim
    first: int
    last: int


def row_parts(draft: Draft, unit: Unit, context: frozenset[str]) -> list[Part]:
    """A row's cells, each with the row's first cell and its column head; empty for a row without heads."""
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
    if len(cells) < 3 or len(unit.heads) != len(cells):
        return []
    label = text[slice(*cells[0])]
    return [
        Part(Claim(f"{label} {head}: {text[first:last]}", (), context), first, last)
        for (first, last), head in zip(cells[1:], unit.heads[1:], strict=True)
    ]
