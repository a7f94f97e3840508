"""Characters placed one by one, put back into lines.

A PDF holds letters at places; words, spaces and lines are what a reader makes of them. Here letters on one baseline
become rows, a row is cut where the gap is too wide to be a word space, and the spaces that nobody drew are set.

Everything is measured in the *writing frame* of a direction: `u` runs along the line, `v` across it, from the foot of
a letter to its head. Text turned on its side and Japanese set in columns differ from plain text in their frame only.
"""

import math
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from affidavit.extract.pdf_file import Box, Glyph, TextObject
from affidavit.extract.raised import subscript, superscript

# Distances in em. An unset space: fonts' own word spaces are 0.2 to 0.33 em, kerning stays under 0.1.
SPACE_GAP = 0.17
CJK_SPACE_GAP = 0.6
# A wider gap ends the line: gutters of narrow columns begin at about 1 em; a justified line stretches a drawn space.
CUT_GAP = 0.8
CUT_GAP_AT_SPACE = 1.5
# A row holds what lies on one baseline within this.
BASELINE = 0.2
# Letters of unlike sizes, as in small capitals, must agree better, and not be too unlike: drop capitals are.
SAME_BASELINE = 0.03
UNLIKE = 0.5
# Raised or lowered: of a size within these shares of the line's, and so far off its baseline.
SMALL = 0.85
SMALLEST = 0.4
RAISED = (0.2, 0.75)
LOWERED = (-0.4, -0.08)
BESIDE = 0.35
# The same letter drawn again within this is one letter: outlines and shadows.
COPY = 0.12
_RIGHT_ANGLE_SLACK = 2
_SHELF = 16.0


class Spot(NamedTuple):
    """A character in a writing frame. `low` and `high` are its line's, not its ink's."""

    text: str
    u0: float
    u1: float
    v: float
    low: float
    high: float
    size: float
    bold: bool
    mono: bool


@dataclass(frozen=True, slots=True)
class Line:
    """A run of text on one baseline, cut at gaps too wide for a word space. Lengths are in points of its frame."""

    text: str
    u0: float
    u1: float
    v: float
    low: float
    high: float
    size: float
    bold: bool
    mono: bool

    @property
    def width(self) -> float:
        return self.u1 - self.u0

    @property
    def style(self) -> tuple[bool, bool]:
        """What tells a heading or a listing from the text around it at the same size."""
        return self.bold, self.mono


def lines_by_direction(glyphs: Sequence[Glyph], objects: Sequence[TextObject]) -> dict[int, list[Line]]:
    """The lines of `glyphs`, by writing direction in degrees; the direction with most characters first."""
    frames: dict[int, list[Spot]] = defaultdict(list)
    directions = _directions(glyphs, objects)
    for angle, spot in _spots(_without_copies(glyphs), objects, directions):
        frames[angle].append(spot)
    order = sorted(frames, key=lambda angle: (-len(frames[angle]), angle))
    return {angle: _lines(frames[angle]) for angle in order}


def _without_copies(glyphs: Sequence[Glyph]) -> list[Glyph]:
    """`glyphs` less those drawn again by another object at the same place."""
    kept: list[Glyph] = []
    places: dict[tuple[str, int, int], list[Glyph]] = {}
    for glyph in glyphs:
        if glyph.text.isspace():
            kept.append(glyph)
            continue
        reach = COPY * glyph.size
        columns = range(int((glyph.x - reach) // _SHELF), int((glyph.x + reach) // _SHELF) + 1)
        rows = range(int((glyph.y - reach) // _SHELF), int((glyph.y + reach) // _SHELF) + 1)
        near = [places[key] for x in columns for y in rows if (key := (glyph.text, x, y)) in places]
        if not any(_is_copy(glyph, other, reach) for others in near for other in others):
            kept.append(glyph)
            places.setdefault((glyph.text, int(glyph.x // _SHELF), int(glyph.y // _SHELF)), []).append(glyph)
    return kept


def _is_copy(glyph: Glyph, other: Glyph, reach: float) -> bool:
    return (
        abs(other.x - glyph.x) <= reach
        and abs(other.y - glyph.y) <= reach
        and abs(other.size - glyph.size) <= reach
        and other.owner != glyph.owner
    )


def _directions(glyphs: Sequence[Glyph], objects: Sequence[TextObject]) -> list[int]:
    """The writing direction of each object, 0 to 359: its own angle, or a quarter less where letters run downwards."""
    origins: dict[int, list[tuple[float, float]]] = defaultdict(list)
    for glyph in glyphs:
        origins[glyph.owner].append((glyph.x, glyph.y))
    directions: list[int] = []
    for index, item in enumerate(objects):
        angle = item.angle
        if abs((angle + 45) % 90 - 45) <= _RIGHT_ANGLE_SLACK:
            angle = round(angle / 90) * 90 % 360
        points = [_rotate(x, y, angle) for x, y in origins.get(index, ())]
        steps = [(bu - au, bv - av) for (au, av), (bu, bv) in pairwise(points)]
        if (
            steps
            and median(v for _, v in steps) < -0.5 * item.size
            and median(abs(u) for u, _ in steps) < 0.3 * item.size
        ):
            angle = (angle - 90) % 360
        directions.append(angle)
    return directions


def _spots(
    glyphs: Sequence[Glyph], objects: Sequence[TextObject], directions: Sequence[int]
) -> Iterable[tuple[int, Spot]]:
    for index, glyph in enumerate(glyphs):
        item, angle = objects[glyph.owner], directions[glyph.owner]
        u, v = _rotate(glyph.x, glyph.y, angle)
        if angle % 90 == 0:
            u0, low, u1, high = _turn_box(glyph.cell, angle)
            if angle != round(item.angle / 90) * 90 % 360:  # set in columns: the line's foot is the column's middle
                v, low, high = (low + high) / 2, (low + high) / 2 - glyph.size / 2, (low + high) / 2 + glyph.size / 2
        else:
            low, high = v - 0.25 * glyph.size, v + 0.75 * glyph.size
            u0, u1 = u, u + 0.5 * item.width
            if index + 1 < len(glyphs) and glyphs[index + 1].owner == glyph.owner:
                u1 = max(u, min(u + item.width, _rotate(glyphs[index + 1].x, glyphs[index + 1].y, angle)[0]))
        yield angle, Spot(glyph.text, u0, max(u0, u1), v, low, high, glyph.size, item.bold, item.mono)


def _rotate(x: float, y: float, angle: int) -> tuple[float, float]:
    """The point in the frame of text that runs at `angle` degrees."""
    if angle == 0:
        return x, y
    if angle == 90:
        return y, -x
    if angle == 180:
        return -x, -y
    if angle == 270:
        return -y, x
    sine, cosine = math.sin(math.radians(angle)), math.cos(math.radians(angle))
    return x * cosine + y * sine, y * cosine - x * sine


def _turn_box(box: Box, angle: int) -> Box:
    au, av = _rotate(box[0], box[1], angle)
    bu, bv = _rotate(box[2], box[3], angle)
    return min(au, bu), min(av, bv), max(au, bu), max(av, bv)


def _lines(spots: list[Spot]) -> list[Line]:
    """The lines of one frame, from the head of the page to its foot, left to right."""
    rows = _attach_small(_rows(spots))
    lines = [_line(piece) for row in rows for piece in _cut(row)]
    return sorted((line for line in lines if line.text), key=lambda line: (-line.v, line.u0))


def _rows(spots: list[Spot]) -> list[list[Spot]]:
    """Characters by baseline and size, each row sorted along the line; blank rows are dropped."""
    rows: list[list[Spot]] = []
    open_rows: list[list[Spot]] = []
    for spot in sorted(spots, key=lambda s: -s.v):
        open_rows = [row for row in open_rows if row[0].v - spot.v <= BASELINE * max(row[0].size, spot.size)]
        for row in open_rows:
            small, large = sorted((row[0].size, spot.size))
            apart = row[0].v - spot.v
            if apart <= BASELINE * small and (
                small > SMALL * large or (small > UNLIKE * large and apart <= SAME_BASELINE * large)
            ):
                row.append(spot)
                break
        else:
            rows.append([spot])
            open_rows.append(rows[-1])
    rows = [row for row in rows if any(not spot.text.isspace() for spot in row)]
    return [sorted(row, key=lambda s: s.u0) for row in rows]


def _attach_small(rows: list[list[Spot]]) -> list[list[Spot]]:
    """Put raised and lowered small characters into the line they stand beside; written as in `raised`.

    Joined plainly, a footnote mark would turn 1963 into 19631.
    """
    kept: list[list[Spot]] = []
    shelves: dict[int, list[list[Spot]]] = defaultdict(list)  # rows by the heights at which small ones can hang on
    for row in sorted(rows, key=lambda r: -r[0].size):
        own: list[Spot] = []
        for run in _runs(row):
            host = _host(run, shelves.get(int(run[0].v // _SHELF), []))
            if host is None:
                own.extend(run)
            else:
                host.append(_as_script(run, host))
                host.sort(key=lambda s: s.u0)
        if own:
            kept.append(own)
            v, size = own[0].v, own[0].size
            for shelf in range(int((v + LOWERED[0] * size) // _SHELF), int((v + RAISED[1] * size) // _SHELF) + 1):
                shelves[shelf].append(own)
    return kept


def _runs(row: list[Spot]) -> list[list[Spot]]:
    """`row` cut wherever nothing is drawn for `CUT_GAP`."""
    runs = [[row[0]]]
    for before, spot in pairwise(row):
        if spot.u0 - before.u1 > CUT_GAP * spot.size:
            runs.append([])
        runs[-1].append(spot)
    return runs


def _host(run: list[Spot], rows: list[list[Spot]]) -> list[Spot] | None:
    """The row of larger type that `run` is raised from or lowered under, or None."""
    u0, u1, v, size = run[0].u0, run[-1].u1, run[0].v, run[0].size
    for row in rows:
        offset = (v - row[0].v) / row[0].size
        fits = SMALLEST * row[0].size <= size <= SMALL * row[0].size
        if not fits or not (RAISED[0] <= offset <= RAISED[1] or LOWERED[0] <= offset <= LOWERED[1]):
            continue
        reach = BESIDE * row[0].size
        if any(s.u0 - reach <= u1 and u0 <= s.u1 + reach for s in row if not s.text.isspace()):
            return row
    return None


def _as_script(run: list[Spot], host: list[Spot]) -> Spot:
    """`run` as one character of `host`'s line, written as raised and lowered characters are everywhere."""
    u0, base, content = run[0].u0, host[0], _line(run).text
    before = max((spot for spot in host if spot.u0 < u0), key=lambda s: s.u0, default=None)
    if before is None:
        text = content + " "
    else:
        text = (superscript if run[0].v > base.v else subscript)(content, before.text[-1])
    return run[0]._replace(text=text or content, u1=run[-1].u1, v=base.v, low=base.low, high=base.high)


def _cut(row: list[Spot]) -> list[list[Spot]]:
    """`row` cut at the gaps that are no word spaces."""
    spread = _spread(row)
    pieces: list[list[Spot]] = [[]]
    last: Spot | None = None
    spaces = 0
    for spot in row:
        if spot.text.isspace():
            spaces += 1
        else:
            limit = CUT_GAP if spaces == 0 else CUT_GAP_AT_SPACE
            if last is not None and spot.u0 - last.u1 > limit * spot.size + 2 * spread:
                pieces.append([])
            last, spaces = spot, 0
        pieces[-1].append(spot)
    return [piece for piece in pieces if any(not spot.text.isspace() for spot in piece)]


def _spread(row: list[Spot]) -> float:
    """The extra distance between letters of spaced-out type, in points; 0 for normal type. Leader dots do not count."""
    gaps = [b.u0 - a.u1 for a, b in pairwise(row) if a.text[-1].isalnum() and b.text[0].isalnum()]
    if len(gaps) < 4:
        return 0.0
    middle = median(gaps)
    return middle if middle > 0.1 * row[0].size else 0.0


def _line(piece: list[Spot]) -> Line:
    """`piece` as text, with the spaces a reader sees between its words."""
    spread = _spread(piece)
    parts: list[str] = []
    last: Spot | None = None
    for spot in piece:
        if last is not None and not last.text.isspace() and not spot.text.isspace():
            wide = CJK_SPACE_GAP if is_cjk(last.text[-1]) and is_cjk(spot.text[0]) else SPACE_GAP
            if spot.u0 - last.u1 > wide * min(last.size, spot.size) + spread:
                parts.append(" ")
        parts.append(spot.text)
        last = spot
    inked = [spot for spot in piece if not spot.text.isspace()]
    sizes = Counter(round(spot.size * 4) for spot in inked)
    return Line(
        text=_logical(" ".join("".join(parts).split())),
        u0=inked[0].u0,
        u1=max(spot.u1 for spot in inked),
        v=inked[0].v,
        low=min(spot.low for spot in inked),
        high=max(spot.high for spot in inked),
        size=max(sizes.items(), key=lambda item: (item[1], item[0]))[0] / 4,
        bold=2 * sum(spot.bold for spot in inked) > len(inked),
        mono=2 * sum(spot.mono for spot in inked) > len(inked),
    )


def is_cjk(character: str) -> bool:
    """Whether the character is set without word spaces: Chinese and Japanese letters and their punctuation."""
    code = ord(character)
    return (
        0x2E80 <= code < 0xA4D0
        or 0xF900 <= code < 0xFB00
        or 0xFE30 <= code < 0xFE50
        or 0xFF00 <= code < 0xFFF0
        or (0x20000 <= code < 0x40000)
    )


def _logical(text: str) -> str:
    """A line read from left to right, as it is spoken: right-to-left words turned about, numbers in them not."""
    classes = [unicodedata.bidirectional(c) for c in text]
    rtl = sum(c in ("R", "AL") for c in classes)
    if not rtl:
        return text
    backwards = rtl >= sum(c == "L" for c in classes)
    turned = text[::-1] if backwards else text
    inner = ("L", "EN", "AN") if backwards else ("R", "AL")
    result: list[str] = []
    index = 0
    while index < len(turned):
        end = index
        if unicodedata.bidirectional(turned[index]) in inner:
            end = _run_end(turned, index, inner)
            result.append(turned[index:end][::-1])
        else:
            result.append(turned[index])
            end += 1
        index = end
    return "".join(result)


def _run_end(text: str, start: int, inner: tuple[str, ...]) -> int:
    """The end of the run of `inner` characters from `start`, neutral ones inside it included."""
    end = start + 1
    for index in range(start + 1, len(text)):
        kind = unicodedata.bidirectional(text[index])
        if kind in inner:
            end = index + 1
        elif kind in ("L", "R", "AL", "EN", "AN"):
            break
    return end
