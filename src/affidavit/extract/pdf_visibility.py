"""Which characters of a page a reader sees, found by looking at the drawn page.

There are more ways to hide text than rules against them: white on white, under a box or a picture, clipped, faded
by a mask, switched off as a layer, drawn with an empty font. All share one mark: *take the text away and the page
looks the same*. So the page is drawn with and without its text, and a character is seen where the two pictures
differ inside its box. White text on a dark box differs; so does text over a tint. A third picture, of the text alone,
says how much ink there would be to see: where most of it is covered, the rest is not read.

Ink must be the character's own. Text objects whose boxes overlap are put into different layers, and each layer is
taken away by itself, the lowest first; an object that was not seen stays away for the rest. Without layers, hidden
text under a visible line would borrow that line's ink.

Three things are told from the text alone: render modes that paint nothing, letters too small to read, and letters
off the page.
"""

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeAlias

from affidavit.extract.pdf_file import Box, Glyph, PdfPage, TextObject

if TYPE_CHECKING:
    import numpy

    Pixels: TypeAlias = numpy.ndarray[Any, Any]

# Letters under one point, upwards or along the line, are read by nobody.
MIN_EM = 1.0
# Nor is one letter as large as a wall; and what no number places (overflowed matrices) lies nowhere.
MAX_EM = 5_000.0
# The least difference in one colour channel, of 255, that a reader notices, and the least that is drawn at all.
# CONTRAST was swept over 8, 16, 24 and 32 with MIN_SHOWN over 0.4, 0.6 and 0.8, on greys over white in Helvetica of 4
# to 14 points and on the cases of the tests. At 24 and 0.6 whatever is #dddddd or darker comes out whole, nothing
# lighter than #eeeeee does, and no case is wrong; at 16 half-read words come out, at 0.4 white type over black letters,
# at 0.8 shadows and letters under a grid are lost.
CONTRAST = 24
FAINT = 6
# Pixels a point of the first look, and of the second, which only what was not seen at first gets.
SCALES = (1.0, 3.0)
# The share of a box that its ink must fill, with and without ink in the box's inner part. Thin display faces fill
# some 6%; what bleeds in from a neighbour lies at an edge and fills less than 15%.
MIN_SHARE = 0.03
SURE_SHARE = 0.15
INSET = 0.2
# Dots and hyphens under so many pixels lie between two rows as often as on one.
THIN = 2.0
# The part of a character's own ink that must show, however faintly: under a box with a chink, letters are not read.
MIN_SHOWN = 0.6
# A unit with this many gaps, and less than this share of it seen, is riddled: white type over black letters.
RIDDLED_GAPS = 4
LEGIBLE_SHARE = 0.8
# A colour that type is hardly ever set in, for the paper under characters drawn alone.
_PAPER = 0xFFE619B3
# Boxes count as overlapping when they share more than this part of the smaller em: lines set tight touch by less.
TOUCH = 0.08
# Honest pages stack text two or three deep (shadows, outlines). What lies on more is taken as not seen.
MAX_LAYERS = 8
# Overlaps are looked for in so many cells along the page's longer side.
_CELLS = 64


@dataclass
class _Unit:
    """Text objects that come and go together: one that has characters and the exact copies drawn at its place."""

    objects: list[TextObject]
    glyphs: list[int] = field(default_factory=list[int])
    box: Box = (0.0, 0.0, 0.0, 0.0)


class _Pictures:
    """The drawn page with and without some of its text. Pictures that several layers need are drawn once."""

    def __init__(self, page: PdfPage) -> None:
        self.page = page
        self._whole: dict[float, Pixels] = {}
        self._paper: dict[float, Pixels] = {}

    def differences(self, objects: list[TextObject], scale: float) -> "tuple[Pixels, Pixels]":
        """What `objects` change on the page, and what they change on bare paper."""
        if scale not in self._whole:
            self._whole[scale] = self.page.draw(scale)
        if scale not in self._paper:
            self._paper[scale] = self.page.draw_alone([], scale, _PAPER)
        self.page.show(objects, False)
        without = self.page.draw(scale)
        self.page.show(objects, True)
        alone = self.page.draw_alone(objects, scale, _PAPER)
        return _difference(self._whole[scale], without), _difference(alone, self._paper[scale])

    def remove(self, objects: list[TextObject]) -> None:
        """Take `objects` off the page for good."""
        if objects:
            self.page.show(objects, False)
            self._whole.clear()


def seen(page: PdfPage) -> list[bool]:
    """For each of `page.glyphs` whether a reader sees it. A space is seen when a neighbour in its object is."""
    glyphs = page.glyphs
    visible = [False] * len(glyphs)
    units = _units(page)
    pictures = _Pictures(page)
    for layer in _layers(units, max(page.width, page.height)):
        pending = layer
        for scale in SCALES:
            for unit, shown in zip(pending, _shown(pictures, layer, pending, scale), strict=True):
                for index, hit in zip(unit.glyphs, shown, strict=True):
                    visible[index] = hit
            pending = [unit for unit in pending if not all(visible[i] for i in unit.glyphs)]
            if not pending:
                break
        pictures.remove([item for unit in layer if not any(visible[i] for i in unit.glyphs) for item in unit.objects])
    _carry_spaces(glyphs, visible)
    return visible


def _units(page: PdfPage) -> list[_Unit]:
    """The page's units that could be seen, in drawing order."""
    with_text = {glyph.owner for glyph in page.glyphs}
    by_middle: dict[tuple[int, int], _Unit] = {}
    units: dict[int, _Unit] = {}
    for index, item in enumerate(page.text_objects):
        middle = _middle(item.bounds)
        if index in with_text:
            units[index] = by_middle[middle] = _Unit([item])
            continue
        # pdfium drops the characters of a copy, but draws it
        near = ((middle[0] + x, middle[1] + y) for x in (0, -1, 1) for y in (0, -1, 1))
        copied = (by_middle[place] for place in near if place in by_middle)
        unit = next((unit for unit in copied if _is_about(item, unit.objects[0])), None)
        if unit is not None:
            unit.objects.append(item)
    for index, glyph in enumerate(page.glyphs):
        item = page.text_objects[glyph.owner]
        if glyph.text.isspace() or not item.drawn or not MIN_EM <= min(item.size, item.width) <= item.size <= MAX_EM:
            continue
        box = ink_box(glyph, item)
        if box[2] > 0 and box[0] < page.width and box[3] > 0 and box[1] < page.height and _is_placed(glyph):
            box = (max(box[0], 0.0), max(box[1], 0.0), min(box[2], page.width), min(box[3], page.height))
            unit = units[glyph.owner]
            unit.box = _union(unit.box, box) if unit.glyphs else box
            unit.glyphs.append(index)
    return [unit for unit in units.values() if unit.glyphs]


def _middle(bounds: Box) -> tuple[int, int]:
    """The middle of a box, to the point. An outline makes the box of the same letters larger, on all sides alike."""
    left, bottom, right, top = (edge if math.isfinite(edge) else 0.0 for edge in bounds)
    return round((left + right) / 2), round((bottom + top) / 2)


def _is_about(item: TextObject, other: TextObject) -> bool:
    """Whether two objects' boxes differ by no more than an outline."""
    slack = 0.5 * max(item.size, other.size)
    pairs = zip(item.bounds, other.bounds, strict=True)
    return all(abs(a - b) <= slack for a, b in pairs if math.isfinite(a) and math.isfinite(b))


def _is_placed(glyph: Glyph) -> bool:
    return all(math.isfinite(number) for number in (glyph.x, glyph.y, *glyph.box, *glyph.cell))


def ink_box(glyph: Glyph, item: TextObject) -> Box:
    """Where the character's ink can lie: its own box, or its whole advance where pdfium moves a borrowed glyph."""
    if item.embedded:
        return glyph.box
    if item.angle % 180 == 90:
        return (glyph.box[0], glyph.cell[1], glyph.box[2], glyph.cell[3])
    return (glyph.cell[0], glyph.box[1], glyph.cell[2], glyph.box[3])


def _layers(units: list[_Unit], side: float) -> list[list[_Unit]]:
    """The units in layers, lowest first, so that no two of a layer overlap. `side` is the page's longer one."""
    cell = side / _CELLS
    cells: dict[tuple[int, int], list[tuple[Box, int]]] = defaultdict(list)
    layers: list[list[_Unit]] = []
    for unit in units:
        em = min(item.size for item in unit.objects[:1])
        shrunk = _shrink(unit.box, TOUCH * em)
        places = [
            (column, row)
            for column in range(int(shrunk[0] // cell), int(shrunk[2] // cell) + 1)
            for row in range(int(shrunk[1] // cell), int(shrunk[3] // cell) + 1)
        ]
        taken = {layer for place in places for box, layer in cells[place] if _overlap(box, shrunk)}
        layer = next(level for level in range(MAX_LAYERS + 1) if level not in taken)
        if layer == MAX_LAYERS:
            continue
        for place in places:
            cells[place].append((shrunk, layer))
        if layer == len(layers):
            layers.append([])
        layers[layer].append(unit)
    return layers


def _shown(pictures: "_Pictures", layer: list[_Unit], pending: list[_Unit], scale: float) -> list[list[bool]]:
    """For each of `pending` which of its glyphs are seen, in pictures of `scale` pixels a point.

    Type has one colour, so a unit is judged as one where it is faint: if most of what is drawn of it is noticed, the
    thin strokes that fall below the threshold are read with the rest, and if most is not, the few that pass are not
    read either. Without this, grey figures would lose their commas.
    """
    import numpy  # late: 60 ms

    page = pictures.page
    change, alone = pictures.differences([item for unit in layer for item in unit.objects], scale)
    glyphs = [page.glyphs[index] for unit in pending for index in unit.glyphs]
    boxes = _pixels(page, numpy.array([ink_box(g, page.text_objects[g.owner]) for g in glyphs]), change.shape)
    drawn = _ink(_counts(alone, CONTRAST), boxes)
    noticed = _lies_in(_counts(change, CONTRAST), boxes)
    traces = _counts(change, FAINT)
    there = _lies_in(traces, boxes) & (_ink(traces, boxes) >= MIN_SHOWN * drawn)
    clear, faint = there & noticed, there & ~noticed
    result: list[list[bool]] = []
    start = 0
    for unit in pending:
        part = slice(start, start + len(unit.glyphs))
        start = part.stop
        as_one = there[part] & bool(clear[part].sum() >= faint[part].sum())
        result.append(as_one.tolist() if _is_legible(as_one.tolist()) else [False] * len(unit.glyphs))
    return result


def _is_legible(shown: list[bool]) -> bool:
    """Whether the seen characters of a unit can be read: a box hides a stretch, but riddled words say nothing."""
    gaps = sum(not now and (before is None or before) for before, now in pairwise([None, *shown]))
    return gaps < RIDDLED_GAPS or sum(shown) >= LEGIBLE_SHARE * len(shown)


def _difference(a: "Pixels", b: "Pixels") -> "Pixels":
    """The absolute difference of two pictures, channel by channel, without the unused channel."""
    import numpy  # late: 60 ms

    difference = numpy.maximum(a, b) - numpy.minimum(a, b)
    difference[:, :, 3] = 0
    return difference


def _counts(difference: "Pixels", least: int) -> "Pixels":
    """Running counts of pixels that differ by `least`: entry (r, c) counts those above row r and left of column c."""
    import numpy  # late: 60 ms

    pixels = (difference >= least).view(numpy.uint32)[:, :, 0] != 0
    counts = numpy.zeros((pixels.shape[0] + 1, pixels.shape[1] + 1), dtype=numpy.int32)
    numpy.cumsum(pixels, axis=0, out=counts[1:, 1:])
    numpy.cumsum(counts[1:, 1:], axis=1, out=counts[1:, 1:])
    return counts


def _pixels(page: PdfPage, boxes: "Pixels", shape: tuple[int, ...]) -> "Pixels":
    """`boxes` (left, bottom, right, top in points, one a row) as left, top, right, bottom in pixels, not rounded."""
    import numpy  # late: 60 ms

    across, down = shape[1] / page.width, shape[0] / page.height
    return numpy.stack(
        (boxes[:, 0] * across, shape[0] - boxes[:, 3] * down, boxes[:, 2] * across, shape[0] - boxes[:, 1] * down),
        axis=1,
    )


def _lies_in(counts: "Pixels", boxes: "Pixels") -> "Pixels":
    """For each box whether enough ink lies in it, and not only along its edges."""
    import numpy  # late: 60 ms

    inset = (boxes[:, 2:] - boxes[:, :2]) * INSET
    inner = _ink(counts, numpy.concatenate((boxes[:, :2] + inset, boxes[:, 2:] - inset), axis=1))
    rounded = _whole(counts, boxes)
    area = (rounded[:, 2] - rounded[:, 0]) * (rounded[:, 3] - rounded[:, 1])
    share = _ink(counts, boxes) / area
    return (share >= SURE_SHARE) | ((share >= MIN_SHARE) & (inner > 0))


def _whole(counts: "Pixels", boxes: "Pixels") -> "Pixels":
    """`boxes` in whole pixels, cut to the picture; thin ones take every pixel that they touch."""
    import numpy  # late: 60 ms

    limit = numpy.array([counts.shape[1] - 1, counts.shape[0] - 1])
    thin = boxes[:, 2:] - boxes[:, :2] < THIN
    near = numpy.where(thin, numpy.floor(boxes[:, :2]), numpy.rint(boxes[:, :2])).astype(int)
    far = numpy.where(thin, numpy.ceil(boxes[:, 2:]), numpy.rint(boxes[:, 2:])).astype(int)
    near = numpy.clip(near, 0, limit - 1)
    far = numpy.clip(far, near + 1, limit)
    return numpy.concatenate((near, far), axis=1)


def _ink(counts: "Pixels", boxes: "Pixels") -> "Pixels":
    """The counted pixels in each box."""
    left, top, right, bottom = _whole(counts, boxes).T
    return counts[bottom, right] - counts[top, right] - counts[bottom, left] + counts[top, left]


def _carry_spaces(glyphs: Sequence[Glyph], visible: list[bool]) -> None:
    """Show the spaces beside seen characters of the same object."""
    for step in (1, -1):
        owner, shown = -1, False
        for index in range(len(glyphs))[::step]:
            glyph = glyphs[index]
            if glyph.owner != owner:
                owner, shown = glyph.owner, False
            if not glyph.text.isspace():
                shown = visible[index]
            elif shown:
                visible[index] = True


def _union(a: Box, b: Box) -> Box:
    return min(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3])


def _shrink(box: Box, by: float) -> Box:
    """`box` less `by` on each side, but never turned inside out."""
    dx, dy = min(by, (box[2] - box[0]) / 2), min(by, (box[3] - box[1]) / 2)
    return box[0] + dx, box[1] + dy, box[2] - dx, box[3] - dy


def _overlap(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
