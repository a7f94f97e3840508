"""The page's text as it is laid out: white space collapsed, lines broken, blocks set apart.

`Flow` takes text, line breaks and block boundaries in page order and gives drafts of blocks. White space collapses as
in a browser: runs become one space, none at the edges of a line, none added where the page has none. Nothing joins
across a boundary. A cut marks where something visible was left out.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from affidavit.evidence.document import BlockKind
from affidavit.extract.characters import clean, is_wide

_SPACES = re.compile(r"[ \t\n\r\f]+")
_TO_COLLAPSE = re.compile(r"[\t\n\r\f]|  ")
_LINE_SPACES = re.compile(r"[ \t\f]+")
_BREAK_IN_SOURCE = re.compile(r"(.)[ \t\f]*\n[ \t\n\f]*(?=(.))")
_PLAIN_SPACES = " \t\n\r\f"


class Mark(Enum):
    """What is no text in a line: a visible part left out, the edge of a cell."""

    CUT = "cut"
    CELL = "cell"


@dataclass(frozen=True, slots=True)
class Layer:
    """An element painted above what is not layered, in the order of `level`; `depth` is that in the tree.

    `closed`: what is inside is ordered among itself, and as a whole has this level.
    """

    depth: int
    level: int
    closed: bool


@dataclass(frozen=True, slots=True)
class Place:
    """Where a text stands, as far as it decides the kind of its block."""

    kind: BlockKind = BlockKind.PARAGRAPH
    level: int | None = None
    navigation: bool = False
    main: bool = True
    menu: bool = False
    layers: tuple[Layer, ...] = ()


@dataclass(slots=True)
class Draft:
    """A block before the page's text is put together. `cuts` are offsets into `text`; `cells` its cells, if a row."""

    text: str
    place: Place
    cuts: tuple[int, ...] = ()
    cells: tuple[int, ...] = ()
    heads: tuple[str, ...] = ()
    linked: int = 0
    links: int = 0


class Flow:
    """Collects text into drafts. `flags` name what was taken out of the characters."""

    def __init__(self) -> None:
        self.drafts: list[Draft] = []
        self.flags: set[str] = set()
        self.buffer: list[str | Mark] = []
        self.anchor: list[str] | None = None
        self._place: Place | None = None
        self._pending = False
        self._fresh = True
        self._apart: Callable[[str], bool] | None = None
        self._linked = 0
        self._links = 0

    def text(self, data: str, white_space: str, place: Place) -> None:
        """Text with the computed white-space mode of its element."""
        if white_space == "pre":
            self._put_preserved(data.replace("\r\n", "\n").replace("\r", "\n"), place)
        elif white_space == "pre-line" and "\n" in data:
            for index, line in enumerate(data.split("\n")):
                if index:
                    self.line_break()
                self._put_collapsed(_LINE_SPACES.sub(" ", line), place)
        else:
            if "\n" in data and not data.isascii():
                data = _BREAK_IN_SOURCE.sub(_joined_if_wide, data)
            self._put_collapsed(_SPACES.sub(" ", data) if _TO_COLLAPSE.search(data) else data, place)

    def _put_collapsed(self, data: str, place: Place) -> None:
        if not data:
            return
        if data[0] == " ":
            self._pending = self._pending or not self._fresh
            data = data[1:]
            if not data:
                return
        trailing = data[-1] == " "
        self._put(data[:-1] if trailing else data, place)
        self._pending = trailing

    def _put_preserved(self, data: str, place: Place) -> None:
        if data and (self.buffer or data.strip()):
            self._put(data, place)
        elif data:
            self._put(data.lstrip("\n"), place)

    def _put(self, data: str, place: Place) -> None:
        if not data:
            return
        if self._place is None:
            self._place = place
        if self._apart is not None:
            before = self.last_character(len(self.buffer))
            self._pending = self._pending or bool(before and self._apart(before) and self._apart(data[0]))
            self._apart = None
        if self._pending:
            data = " " + data
            self._pending = False
        self.buffer.append(data)
        self._fresh = False
        if self.anchor is not None:
            self.anchor.append(data)
            self._linked += len(data)

    def raw(self, data: str, place: Place) -> None:
        """Text that must not collapse with what stands before it."""
        self._put(data, place)

    def gap(self) -> None:
        """Something without text stands here: words on both sides do not touch."""
        self._pending = not self._fresh

    def apart(self, kind: Callable[[str], bool] = str.isalnum) -> None:
        """What follows is no part of the word or figure before: a space goes between two characters of `kind`."""
        self._apart = kind

    def line_break(self) -> None:
        """A new line of the same block."""
        if self.buffer and not self._fresh:
            self.buffer.append("\n")
        self._pending = False
        self._fresh = True

    @property
    def is_fresh(self) -> bool:
        return self._fresh

    def cut(self, place: Place) -> None:
        """A visible text is left out here."""
        if self._place is None:
            self._place = place
        if not self.buffer or self.buffer[-1] is not Mark.CUT:
            self.buffer.append(Mark.CUT)
        self.gap()

    def cell(self) -> None:
        """The next cell of a row begins."""
        self.buffer.append(Mark.CELL)
        self._pending = False
        self._fresh = True

    def count_link(self) -> None:
        self._links += 1

    def last_character(self, position: int) -> str:
        """The character before buffer position `position`; empty where a line or cell begins."""
        before = self.buffer[position - 1] if position else ""
        return before[-1] if isinstance(before, str) and before else ""

    def flush(self) -> Draft | None:
        """End the block. None where it holds no text; a cut then belongs to the edge between the blocks."""
        buffer, place = self.buffer, self._place
        linked, links = self._linked, self._links
        self.buffer, self._place, self._pending, self._fresh = [], None, False, True
        self._linked = self._links = 0
        if not buffer or place is None:
            return None
        draft = self._draft(buffer, place)
        if draft is None:
            return None
        draft.linked, draft.links = linked, links
        self.drafts.append(draft)
        return draft

    def _draft(self, buffer: list[str | Mark], place: Place) -> Draft | None:
        cells: list[str] = []
        numbers: list[int] = []
        cuts: list[int] = []
        length = 0
        number = -1 if Mark.CELL in buffer else 0
        for run in _cells(buffer):
            text, inner = self._cell(run, code=place.kind is BlockKind.CODE)
            start = length + (1 if cells else 0)
            cuts += [start + cut if text else length for cut in inner]
            if text:
                length = start + len(text)
                cells.append(text)
                numbers.append(max(number, 0))
            number += 1
        if not cells:
            if cuts:
                self.drafts.append(Draft("", place, (0,)))
            return None
        return Draft("\t".join(cells), place, tuple(cuts), tuple(numbers))

    def _cell(self, run: list[str | Mark], *, code: bool) -> tuple[str, list[int]]:
        """The cleaned text of a cell and the offsets of its cuts."""
        parts: list[list[str]] = [[]]
        for item in run:
            if isinstance(item, str):
                parts[-1].append(item)
            else:
                parts.append([])
        text, cuts = "", []
        for index, part in enumerate(parts):
            if index:
                cuts.append(len(text))
            piece, flags = clean("".join(part))
            self.flags |= flags
            text += piece if text else piece.lstrip(_PLAIN_SPACES) if not code else piece.strip("\n")
        stripped = text.rstrip()
        return stripped if stripped.strip() else "", [min(cut, len(stripped)) for cut in cuts]


def _cells(buffer: list[str | Mark]) -> list[list[str | Mark]]:
    runs: list[list[str | Mark]] = [[]]
    for item in buffer:
        if item is Mark.CELL:
            runs.append([])
        else:
            runs[-1].append(item)
    return runs


def _joined_if_wide(match: re.Match[str]) -> str:
    """A line break in the source between two East Asian wide characters is no space (CSS Text 3, 4.1.3)."""
    if is_wide(match.group(1)) and is_wide(match.group(2)):
        return match.group(1)
    return match.group(0)
