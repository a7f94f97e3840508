"""Tables as rows of cells: which tables hold data, which column a cell stands in, and what heads it."""

from dataclasses import dataclass, field, replace
from typing import Any

from affidavit.evidence.document import BlockKind
from affidavit.extract.flow import Draft

_STRUCTURE = ("table", "h1", "h2", "h3", "article", "main", "nav", "section", "header", "footer", "aside", "form")
_BLOCKS = ("p", "li", "div", "pre", "blockquote", "dt", "dd", "h4", "h5", "h6")
# A row with more blocks than this is a page laid out with a table, not a record.
_MAX_BLOCKS = 24
# HTML, "Tables": limits on what spans may ask for.
_MAX_COLUMN_SPAN = 1000
_MAX_ROW_SPAN = 65534
_MAX_COLUMNS = 1000


@dataclass(slots=True)
class Cell:
    """One cell of the row being read."""

    column: int
    span: int
    heading: bool


@dataclass(slots=True)
class Table:
    """The state of one table while its rows are read."""

    heads: dict[int, str] = field(default_factory=dict[int, str])
    started: bool = False
    occupied: dict[int, int] = field(default_factory=dict[int, int])
    cells: list[Cell] = field(default_factory=list[Cell])
    column: int = 0
    # The rows of heads that no row of data has followed yet.
    pending: list[Draft] = field(default_factory=list[Draft])

    def take_heads(self, draft: Draft, *, heading: bool) -> None:
        """Note a finished row. A row of heads states nothing, so it is a row (of evidence) no more once data follows:
        in a table whose every cell is marked a head, the rows are the data.
        """
        if heading:
            self.pending.append(draft)
            return
        for head in self.pending:
            if head.place.kind is BlockKind.TABLE_ROW:
                head.place = replace(head.place, kind=BlockKind.OTHER)
        self.pending.clear()

    def open_row(self) -> None:
        self.cells = []
        self.column = 0

    def open_cell(self, element: Any) -> None:
        """Give the next cell its column: the first that no cell above reaches into."""
        while self.occupied.get(self.column, 0) > 0:
            self.column += 1
        span = _span(element.get("colspan"), _MAX_COLUMN_SPAN)
        rows = _span(element.get("rowspan"), _MAX_ROW_SPAN)
        self.cells.append(Cell(self.column, span, element.tag == "th" or element.get("role") == "columnheader"))
        if self.column + span <= _MAX_COLUMNS:
            for column in range(self.column, self.column + span):
                if rows > 1:
                    self.occupied[column] = rows
        self.column += span

    def close_row(self, texts: tuple[tuple[int, str], ...], *, in_head: bool) -> tuple[str, ...]:
        """The heads of the row's cells that hold text. A row of heads is remembered and has none itself.

        `texts` are cell numbers and their texts; empty cells are absent.
        """
        self.occupied = {column: left - 1 for column, left in self.occupied.items() if left > 1}
        filled = [(self.cells[number], text) for number, text in texts if number < len(self.cells)]
        if filled and not self.started and (in_head or (len(filled) > 1 and all(cell.heading for cell, _ in filled))):
            for cell, text in filled:
                for column in range(cell.column, min(cell.column + cell.span, _MAX_COLUMNS)):
                    above = self.heads.get(column)
                    self.heads[column] = f"{above} {text}" if above else text
            return ()
        self.started = self.started or bool(filled)
        if not self.heads:
            return ()
        return tuple(self.heads.get(cell.column, "") for cell, _ in filled)


def holds_data(element: Any) -> bool:
    """Whether a table is one: not a grid that sets out the page, which has structure or tables in its cells."""
    if element.get("role") in ("presentation", "none"):
        return False
    return next(element.iterdescendants(*_STRUCTURE), None) is None


def is_record(row: Any) -> bool:
    """Whether the cells of a row are short enough to be read as one line."""
    return sum(1 for _ in row.iterdescendants(*_BLOCKS)) <= _MAX_BLOCKS


def _span(value: str | None, most: int) -> int:
    try:
        return min(max(int(value or "1"), 1), most)
    except ValueError:
        return 1
