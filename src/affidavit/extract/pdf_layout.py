"""The order in which a reader takes a page's lines: down each column, and along the rows of a table.

A stretch of the page is cut where a gutter runs through all of it. Where a headline, a wide figure caption or an
abstract lies across the columns, it parts the page into bands, and each band is cut by itself. Columns of prose are
read one after the other; short cells that share their baselines are a table, read row by row.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median

from affidavit.extract.list_markers import is_list_marker, is_section_number
from affidavit.extract.pdf_lines import Line, is_cjk

# Two lines are in one row of a table when their baselines differ by less than this many em.
SAME_ROW = 0.4
# A column of prose: its lines go on in lower case, or fill their measure.
PROSE_LOWER = 0.4
PROSE_FILL = 0.85
RAGGED_FILL = 0.65
PROSE_CHARACTERS = 15
FILLED_CHARACTERS = 25
# A table shares at least this part of its rows between columns.
PAIRED = 0.6
# Where this part of the shared rows is in the middle of a sentence in one column, that column is an article.
RUNS_ON = 0.5
# Left edges within this many points are one edge.
EDGE = 2.0
# A list marker may stand this many em before its text; a number in a table stands further off.
MARKER_GAP = 3.5
USUAL_LEADING = 1.4
# Gutters are looked for at so many left edges, those with most lines first.
MOST_EDGES = 24
DROP_CAP = 1.8
# Type this many times the usual size that lies over other lines is a watermark.
WATERMARK = 2.0
MOST_DROP_CAPS = 50
_WORD_LETTERS = "AIOÀÉYE"
_MAX_DEPTH = 16


@dataclass(frozen=True, slots=True)
class Column:
    """Lines read from the first to the last."""

    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells, a cell being the lines that it holds; an empty cell has none."""

    rows: tuple[tuple[tuple[Line, ...], ...], ...]


def reading_order(lines: Sequence[Line]) -> list[Column | Table]:
    """The lines of one page and direction, in the order they are read."""
    printed_over = _watermarks(lines)
    text = [line for line in lines if id(line) not in printed_over]
    marks = [Column((line,)) for line in lines if id(line) in printed_over]
    return [*_order(_with_drop_caps(_with_markers(text)), 0), *marks]


def _watermarks(lines: Sequence[Line]) -> set[int]:
    """The ids of large lines that lie over, or under, several others."""
    if not lines:
        return set()
    usual = median(line.size for line in lines)
    return {
        id(large)
        for large in lines
        if large.size >= WATERMARK * usual
        and sum(
            other.u0 < large.u1 and large.u0 < other.u1 and large.v <= other.v <= large.v + 0.7 * large.size
            for other in lines
            if other is not large and other.size < large.size / WATERMARK
        )
        > 1
    }


def _order(lines: list[Line], depth: int) -> list[Column | Table]:
    if len(lines) < 2 or depth > _MAX_DEPTH:
        return [Column(tuple(lines))] if lines else []
    columns = _columns(lines)
    if len(columns) > 1:
        if _is_table(columns):
            return _table(columns)
        return [part for column in columns for part in _order(column, depth + 1)]
    bands = _bands(lines)
    if len(bands) > 1:
        return [part for band in bands for part in _order(band, depth + 1)]
    return [Column(tuple(line for row in _rows(lines) for line in _with_number(row)))]


def _columns(lines: list[Line]) -> list[list[Line]]:
    """`lines` parted by the gutters that run through all of them, from left to right."""
    columns: list[list[Line]] = []
    edge = float("-inf")
    for line in sorted(lines, key=lambda line: line.u0):
        if line.u0 > edge:
            columns.append([])
        columns[-1].append(line)
        edge = max(edge, line.u1)
    return columns


def _bands(lines: list[Line]) -> list[list[Line]]:
    """`lines` parted from head to foot by those that lie across the best gutter; one band where there is none."""
    best: list[list[Line]] = [lines]
    most = 1
    starts = Counter(round(line.u0 / EDGE) * EDGE for line in lines)
    edges = sorted(edge for edge, count in starts.most_common(MOST_EDGES) if count > 1)
    for edge in edges:
        left = sum(line.u1 < edge - EDGE for line in lines)
        right = sum(line.u0 >= edge - EDGE for line in lines)
        if min(left, right) <= most:
            continue
        bands = _part_at(lines, edge)
        shared = sum(
            min(sum(line.u1 < edge - EDGE for line in band), sum(line.u0 >= edge - EDGE for line in band))
            for band in bands
        )
        if shared > most:
            best, most = bands, shared
    return best


def _part_at(lines: list[Line], edge: float) -> list[list[Line]]:
    """`lines` from head to foot, parted wherever one that lies across `edge` meets one that does not.

    The short last line of a paragraph that lies across goes with it.
    """
    bands: list[list[Line]] = []
    crossed: bool | None = None
    for row in _rows(lines):
        crosses = any(line.u0 < edge - EDGE <= line.u1 for line in row) or bool(
            crossed and len(row) == 1 and _ends_paragraph(row[0], bands[-1])
        )
        if crosses != crossed:
            bands.append([])
            crossed = crosses
        bands[-1].extend(row)
    return bands


def _ends_paragraph(line: Line, above: list[Line]) -> bool:
    """Whether `line` is set under `above` as the last line of its paragraph: same edge and type, usual distance."""
    last = above[-1]
    usual = above[-2].v - last.v if len(above) > 1 else USUAL_LEADING * last.size
    return (
        abs(line.u0 - last.u0) < EDGE
        and abs(line.size - last.size) < 0.1 * last.size
        and last.v - line.v <= min(max(usual, last.size), 2 * last.size) + EDGE
    )


def _is_table(columns: list[list[Line]]) -> bool:
    """Whether the columns are read across: their lines share baselines, and prose runs on in no column.

    One column of a table may hold sentences, but those begin where the row does; beside a box of key facts, the
    lines of an article are in the middle of theirs.
    """
    if sum(_is_prose(column) for column in columns) > 1:
        return False
    column_of = {id(line): index for index, column in enumerate(columns) for line in column}
    rows = _rows([line for column in columns for line in column])
    paired = [row for row in rows if len({column_of[id(line)] for line in row}) > 1]
    shorter = sorted(len(_rows(column)) for column in columns)[-2]
    if len(paired) < max(2, PAIRED * shorter):
        return False
    inside = [line for row in paired for line in row if line.text[0].islower()]
    return not any(
        sum(column_of[id(line)] == index for line in inside) >= RUNS_ON * len(paired) and _fill(column) >= PROSE_FILL
        for index, column in enumerate(columns)
    )


def _is_prose(column: list[Line]) -> bool:
    """Whether the lines of `column` run on as sentences do."""
    if len(column) < 2:
        return False
    later = sorted(column, key=lambda line: -line.v)[1:]
    characters, fill = sum(len(line.text) for line in column) / len(column), _fill(column)
    goes_on = sum(line.text[0].islower() for line in later) >= PROSE_LOWER * len(later)
    if goes_on and characters >= PROSE_CHARACTERS and fill >= RAGGED_FILL:
        return True
    wanted = FILLED_CHARACTERS / 2 if is_cjk(column[0].text[0]) else FILLED_CHARACTERS
    return len(column) > 2 and fill >= PROSE_FILL and characters >= wanted


def _fill(column: list[Line]) -> float:
    """The part of its measure that a column's lines fill; the last one does not count."""
    measure = max(line.u1 for line in column) - min(line.u0 for line in column)
    widths = [line.width for line in sorted(column, key=lambda line: -line.v)[:-1]] or [measure]
    return sum(widths) / (len(widths) * max(measure, 1.0))


def _rows(lines: list[Line]) -> list[list[Line]]:
    """`lines` by shared baseline, from head to foot, each row from left to right."""
    rows: list[list[Line]] = []
    for line in sorted(lines, key=lambda line: -line.v):
        if rows and rows[-1][0].v - line.v < SAME_ROW * min(rows[-1][0].size, line.size):
            rows[-1].append(line)
        else:
            rows.append([line])
    return [sorted(row, key=lambda line: line.u0) for row in rows]


def _table(columns: list[list[Line]]) -> list[Column | Table]:
    """The columns as a table, and what stands over and under it in its first column; two rows or more share columns."""
    column_of = {id(line): index for index, column in enumerate(columns) for line in column}
    rows = _rows([line for column in columns for line in column])
    titles: list[Column | Table] = []
    while len(rows[0]) == 1:  # a title over the table
        titles.append(Column(tuple(rows.pop(0))))
    below: list[Line] = []
    while len(rows[-1]) == 1 and column_of[id(rows[-1][0])] == 0:  # text under it
        below.insert(0, rows.pop()[0])
    steps = [a[0].v - b[0].v for a, b in pairwise(rows)]
    usual = median(steps)
    cells: list[list[list[Line]]] = []
    for index, row in enumerate(rows):
        # A lone cell set as tight as the lines of a cell is, and with no label before it, goes on from the row above.
        goes_on = bool(cells) and len(row) == 1 and column_of[id(row[0])] > 0 and steps[index - 1] <= usual
        if not goes_on:
            cells.append([[] for _ in columns])
        for line in row:
            cells[-1][column_of[id(line)]].append(line)
    table = Table(tuple(tuple(tuple(cell) for cell in row) for row in cells))
    return [*titles, table, *([Column(tuple(below))] if below else [])]


def _with_number(row: list[Line]) -> list[Line]:
    """`row`, with a section's number set in front of its heading."""
    number, *rest = row
    if rest and is_section_number(number.text) and rest[0].u0 - number.u1 <= MARKER_GAP * number.size:
        return [replace(rest[0], text=f"{number.text} {rest[0].text}", u0=number.u0), *rest[1:]]
    return row


def _with_markers(lines: list[Line]) -> list[Line]:
    """Each list marker set in front of the text that it stands before."""
    result: list[Line] = []
    for row in _rows(lines):
        marker: Line | None = None
        for line in row:
            if marker is not None:
                if line.u0 - marker.u1 <= MARKER_GAP * line.size:
                    line = replace(line, text=f"{marker.text} {line.text}", u0=marker.u0)
                else:
                    result.append(marker)
                marker = None
            if is_list_marker(line.text):
                marker = line
            else:
                result.append(line)
        if marker is not None:
            result.append(marker)
    return result


def _with_drop_caps(lines: list[Line]) -> list[Line]:
    """Each great initial set in front of the first of the lines that it stands beside."""
    words = Counter(word for line in lines for word in line.text.casefold().split())
    usual = median(line.size for line in lines) if lines else 0.0
    caps = [line for line in lines if len(line.text) == 1 and line.text.isalpha() and line.size >= DROP_CAP * usual]
    for cap in caps[:MOST_DROP_CAPS]:
        beside = [
            line
            for line in lines
            if line is not cap
            and cap.size >= DROP_CAP * line.size
            and cap.v - 0.3 * line.size <= line.v < cap.high
            and 0 <= line.u0 - cap.u1 + 0.3 * line.size <= 1.5 * line.size
        ]
        if not beside:
            continue
        first = max(beside, key=lambda line: line.v)
        # "A bridge" or "Abridge": a letter that is a word by itself stands apart if what follows is a word elsewhere.
        apart = cap.text in _WORD_LETTERS and words[first.text.split()[0].casefold()] > 1
        joined = replace(first, text=cap.text + (" " if apart else "") + first.text)
        lines = [joined if line is first else line for line in lines if line is not cap]
    return lines
