"""Lines grouped into the blocks a reader sees: headings, paragraphs, list items, table rows, captions.

A new block begins where the type changes, where the distance grows, where a line is indented, or where a line ended
early although the next word had room. The kinds are told by type and wording only; when in doubt a block is a
paragraph, for what is called a heading cannot be quoted as evidence.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median

from affidavit.evidence.document import BlockKind
from affidavit.extract.list_markers import is_list_marker, starts_with_bullet, starts_with_number
from affidavit.extract.pdf_layout import USUAL_LEADING, Column, Table
from affidavit.extract.pdf_lines import Line, is_cjk

# Sizes within this share are one size.
SAME_SIZE = 0.12
# A block ends where the distance to the next line passes this many usual distances, and in any case this many em.
LOOSE = 1.3
FAR = 2.4
INDENT = 0.8
EARLY_END = 0.4
HEADING_SIZE = 1.15
HEADING_CHARACTERS = 200
HEADING_WORDS = 14
CAPTION_LINES = 8
# Lines are entries of their own when this part of them begins anew and they fill less than this of their measure.
BEGIN_ANEW = 0.8
FILLED = 0.85

_ENDS_SENTENCE = re.compile(r"[.!?…。！？:;]['\"”’»)\]]*[¹²³⁰-⁹]*$")
_CAPTION = re.compile(
    # The words for figures and tables before their number (CLDR has none; the words of the six largest PDF languages).
    r"(?:figure|fig|table|chart|map|plate|photo|box|exhibit|abbildung|abb|tabelle|tab|figura|tabla|tableau|图|表|図)"
    r"\.?\s*(?:\d+|[IVX]+)(?:[.-]\d+)*\s*(?:[.:–—|。：]|$|\s(?=(?-i:[A-Z])))",
    re.IGNORECASE,
)


@dataclass
class Draft:
    """A block in the making. `cells` are a table row's, and then `lines` is empty."""

    kind: BlockKind
    page: int
    lines: list[Line] = field(default_factory=list[Line])
    cells: tuple[tuple[Line, ...], ...] = ()
    heads: tuple[str, ...] = ()
    main: bool = True
    level: int | None = None

    @property
    def size(self) -> float:
        return self.lines[0].size if self.lines else 0.0


@dataclass(frozen=True, slots=True)
class Body:
    """The type that most characters of a document are set in: size in points, and whether it is a typewriter's."""

    size: float
    mono: bool

    @classmethod
    def of(cls, lines: Iterable[Line]) -> "Body":
        sizes: Counter[tuple[float, bool]] = Counter()
        for line in lines:
            sizes[line.size, line.mono] += len(line.text)
        return cls(*max(sizes.items(), key=lambda item: (item[1], item[0]))[0]) if sizes else cls(0.0, mono=False)


def drafts(parts: Sequence[Column | Table], page: int, body: "Body") -> list[Draft]:
    """The blocks of one page and direction, in reading order."""
    result: list[Draft] = []
    for part in parts:
        if isinstance(part, Table):
            result.extend(_table_rows(part, page))
        else:
            result.extend(_typed(group, page, body) for group in _groups(part.lines))
    return result


def _groups(lines: Sequence[Line]) -> list[list[Line]]:
    """The lines of a column, grouped into blocks."""
    if not lines:
        return []
    left, right = min(line.u0 for line in lines), max(line.u1 for line in lines)
    steps = [a.v - b.v for a, b in pairwise(lines) if 0 < a.v - b.v <= 2 * a.size]
    usual = median(steps) if steps else USUAL_LEADING * lines[0].size
    if len(steps) < 3:
        usual = min(usual, USUAL_LEADING * lines[0].size)
    groups = [[lines[0]]]
    for before, line in pairwise(lines):
        if _begins_block(groups[-1], before, line, (left, right), usual):
            groups.append([])
        groups[-1].append(line)
    return [part for group in groups for part in _entries(group)]


def _entries(group: list[Line]) -> list[list[Line]]:
    """`group`, or its entries where it is no running text: ragged lines that all begin anew (key facts, addresses)."""
    fresh = [not line.text[0].islower() and not is_cjk(line.text[0]) for line in group]
    measure = max(line.u1 for line in group) - min(line.u0 for line in group)
    filled = sum(line.width for line in group) >= FILLED * measure * len(group)
    if len(group) < 3 or group[0].mono or filled or sum(fresh) < BEGIN_ANEW * len(group):
        return [group]
    parts: list[list[Line]] = []
    for line, begins in zip(group, fresh, strict=True):
        if begins or not parts:
            parts.append([])
        parts[-1].append(line)
    return parts


def _begins_block(group: list[Line], before: Line, line: Line, measure: tuple[float, float], usual: float) -> bool:
    """Whether `line` begins a block of its own after `before`, the last line of `group`."""
    step = before.v - line.v
    if abs(line.size - before.size) > SAME_SIZE * before.size or line.style != before.style:
        return True
    if step < 0.3 * line.size:  # beside, not below: set apart by the gap between them
        return True
    if step > FAR * line.size or step > LOOSE * usual + 0.1 * line.size:
        return True
    if line.mono and before.mono and line.u0 > measure[0] + 1:
        return False  # the indents of a listing
    ended = bool(_ENDS_SENTENCE.search(before.text)) and not line.mono
    first = group[0]
    if starts_with_bullet(line.text) or (
        starts_with_number(line.text) and (ended or is_item(first)) and line.u0 <= first.u0 + INDENT * line.size
    ):
        return True
    if is_item(first) and line.u0 <= first.u0 + 0.2 * line.size and len(group) > 1 and group[1].u0 > first.u0 + 1:
        return True  # back from a hanging indent
    left, right = measure
    centred = abs((line.u0 + line.u1) - (before.u0 + before.u1)) < line.size
    indented = before.u0 - left < 0.3 * line.size and line.u0 - before.u0 > INDENT * line.size
    if indented and not centred and not is_item(first):
        return True
    return _ended_early(before, line, right - left, right, ended)


def _ended_early(before: Line, line: Line, width: float, right: float, ended: bool) -> bool:
    """Whether `before` stopped although the first word of `line` had room after it."""
    if is_cjk(line.text[0]):
        return ended and right - before.u1 > 2 * line.size
    room = right - before.u1
    word = len(line.text.split()[0]) / len(line.text) * line.width
    if room <= word + line.size:
        return False
    return (ended and room > 0.15 * width) or (room > EARLY_END * width and not line.text[0].islower())


def is_item(line: Line) -> bool:
    """Whether the line opens a list item."""
    return starts_with_bullet(line.text) or starts_with_number(line.text)


def _typed(lines: list[Line], page: int, body: Body) -> Draft:
    """The block of `lines`, with its kind."""
    text = " ".join(line.text for line in lines)
    kind = BlockKind.PARAGRAPH
    if lines[0].mono and not body.mono:
        kind = BlockKind.CODE
    elif _CAPTION.match(text) and len(lines) <= CAPTION_LINES:
        kind = BlockKind.CAPTION
    elif _is_heading(lines, text, body.size):
        kind = BlockKind.HEADING
    elif is_item(lines[0]):
        kind = BlockKind.LIST_ITEM
    elif is_list_marker(text) or not any(c.isalnum() for c in text):
        kind = BlockKind.OTHER
    return Draft(kind, page, lines)


def _is_heading(lines: list[Line], text: str, body: float) -> bool:
    """Larger than the text, or bold, or in capitals; short; and no sentence."""
    letters = [c for c in text if c.isalpha()]
    if not letters or len(text) > HEADING_CHARACTERS or len(lines) > 4:
        return False
    words = len(text.split())
    if _ENDS_SENTENCE.search(text) and words > 6:
        return False
    if lines[0].size >= HEADING_SIZE * body:
        return True
    if words > HEADING_WORDS or len(lines) > 2 or text[-1] in ".,;" or lines[0].size < (1 - SAME_SIZE) * body:
        return False
    capitals = (
        len(letters) >= 4
        and all(c.isupper() for c in letters if c.lower() != c.upper())
        and text.upper() != text.lower()
    )
    return all(line.bold for line in lines) or capitals


def _table_rows(table: Table, page: int) -> list[Draft]:
    """The rows of `table`. The first names the columns when it is bold, or alone without figures in a table of them."""
    rows = table.rows
    first = [line for cell in rows[0] for line in cell]
    later = [line for row in rows[1:] for cell in row for line in cell]
    bold = all(line.bold for line in first) and not all(line.bold for line in later)
    wordy = not any(_has_digit(line) for line in first) and any(
        all(any(_has_digit(line) for line in row[column]) for row in rows[1:]) for column in range(len(rows[0]))
    )
    heads = tuple(" ".join(line.text for line in cell) for cell in rows[0]) if (bold or wordy) and all(rows[0]) else ()
    top = Draft(BlockKind.OTHER if heads else BlockKind.TABLE_ROW, page, cells=rows[0])
    return [top, *(Draft(BlockKind.TABLE_ROW, page, cells=row, heads=heads) for row in rows[1:])]


def _has_digit(line: Line) -> bool:
    return any(c.isdigit() for c in line.text)


def set_levels(blocks: Iterable[Draft]) -> None:
    """Give headings their level, 1 to 6: the larger the type the higher, bold text of the body's size last."""
    headings = [block for block in blocks if block.kind is BlockKind.HEADING]
    sizes = sorted({round(block.size) for block in headings}, reverse=True)
    for block in headings:
        block.level = min(6, 1 + sizes.index(round(block.size)))


def join_over_breaks(blocks: list[Draft]) -> list[Draft]:
    """Paragraphs that go on in the next column or on the next page made whole; each keeps the page it begins on.

    A paragraph goes on when it ends without a sentence's end and the next one of its size begins in lower case (or
    in a script that has none). Notes, captions and furniture in between are passed over, and follow the whole.
    """
    result: list[Draft] = []
    open_block: Draft | None = None
    for block in blocks:
        if open_block is not None and _goes_on(open_block, block):
            open_block.lines.extend(block.lines)
            continue
        result.append(block)
        if block.kind in (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM):
            if open_block is None or not _is_note(block, open_block):
                open_block = block
        elif block.kind in (BlockKind.HEADING, BlockKind.TABLE_ROW):
            open_block = None
    return result


def _goes_on(before: Draft, block: Draft) -> bool:
    if block.kind is not BlockKind.PARAGRAPH or abs(block.size - before.size) > SAME_SIZE * before.size:
        return False
    last, first = before.lines[-1], block.lines[0]
    if last.style != first.style or _ENDS_SENTENCE.search(last.text) or block.page - before.page > 1:
        return False
    below = block.page == before.page and first.v < last.v
    if below and first.u0 < last.u1 and last.u0 < first.u1:
        return False  # one under the other: the gap between them is the author's
    return first.text[0].islower() or (is_cjk(first.text[0]) and is_cjk(last.text[-1]))


def _is_note(block: Draft, before: Draft) -> bool:
    """Whether `block` is set smaller than the paragraph before it, as footnotes are."""
    return block.size < (1 - SAME_SIZE) * before.size
