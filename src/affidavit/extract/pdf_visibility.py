"""Which characters of a page a reader sees, found by looking at the drawn page.

There are more ways to hide text than rules against them: white on white, under a box or a picture, clipped, faded
by a mask, switched off as a layer, drawn with an empty font. All share one mark: *take the text away and the page
looks the same*. So the page is drawn with and without its text, and a character is seen where the two pictures
differ inside its box. White text on a dark box differs; so does text over a tint.

Ink must be the character's own. Text objects whose boxes overlap are put into different layers, and each layer is
taken away by itself, the lowest first; an object that was not seen stays away for the rest. Without layers, hidden
text under a visible line would borrow that line's ink.

Three things are told from the text alone: render modes that paint nothing, letters too small to read, and letters
off the page.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from affidavit.extract.pdf_file import Box, Glyph, PdfPage, TextObject

if TYPE_CHECKING:
    import numpy

# Letters under one point, upwards or along the line, are read by nobody.
MIN_EM = 1.0
# The least difference in one colour channel, of 255, that counts as ink. Swept from 8 to 48 on greys over white in
# Helvetica of 5 to 14 points: at 24 all text of #dddddd or darker is seen and none of #eeeeee or lighter.
CONTRAST = 24
# Pixels a point of the first look, and of the second, which only what was not seen at first gets.
SCALES = (1.0, 3.0)
# The share of a box that its ink must fill, with and without ink in the box's inner part. Thin display faces fill
# some 6%; what bleeds in from a neighbour lies at an edge and fills less than 15%.
MIN_SHARE = 0.03
SURE_SHARE = 0.15
INSET = 0.2
# Boxes count as overlapping when they share more than this part of the smaller em: lines set tight touch by less.
TOUCH = 0.08
# Honest pages stack text two or three deep (shadows, outlines). What lies on more is taken as not seen.
MAX_LAYERS = 8
_CELL = 48.0


@dataclass
class _Unit:
    """Text objects that come and go together: one that has characters and the exact copies drawn at its place."""

    objects: list[TextObject]
    glyphs: list[int] = field(default_factory=list[int])
    box: Box = (0.0, 0.0, 0.0, 0.0)


def seen(page: PdfPage) -> list[bool]:
    """For each of `page.glyphs` whether a reader sees it. A space is seen when a neighbour in its object is."""
    glyphs = page.glyphs
    visible = [False] * len(glyphs)
    units = _units(page)
    for layer in _layers(units):
        for scale in SCALES:
            pending = [unit for unit in layer if not all(visible[i] for i in unit.glyphs)]
            if not pending:
                break
            for index in _inked(page, layer, pending, scale):
                visible[index] = True
        page.show([o for unit in layer if not any(visible[i] for i in unit.glyphs) for o in unit.objects], False)
    _carry_spaces(glyphs, visible)
    return visible


def _units(page: PdfPage) -> list[_Unit]:
    """The page's units that could be seen, in drawing order."""
    with_text = {glyph.owner for glyph in page.glyphs}
    by_bounds: dict[tuple[int, ...], _Unit] = {}
    units: dict[int, _Unit] = {}
    for index, item in enumerate(page.text_objects):
        key = tuple(round(edge) for edge in item.bounds)
        if index in with_text:
            units[index] = by_bounds[key] = _Unit([item])
        elif key in by_bounds:  # pdfium drops the characters of a copy, but draws it
            by_bounds[key].objects.append(item)
    for index, glyph in enumerate(page.glyphs):
        item = page.text_objects[glyph.owner]
        if glyph.text.isspace() or not item.drawn or min(item.size, item.width) < MIN_EM:
            continue
        box = ink_box(glyph, item)
        if box[0] < page.width and box[2] > 0 and box[1] < page.height and box[3] > 0:
            unit = units[glyph.owner]
            unit.box = _union(unit.box, box) if unit.glyphs else box
            unit.glyphs.append(index)
    return [unit for unit in units.values() if unit.glyphs]


def ink_box(glyph: Glyph, item: TextObject) -> Box:
    """Where the character's ink can lie: its own box, or its whole advance where pdfium moves a borrowed glyph."""
    if item.embedded:
        return glyph.box
    if item.angle % 180 == 90:
        return (glyph.box[0], glyph.cell[1], glyph.box[2], glyph.cell[3])
    return (glyph.cell[0], glyph.box[1], glyph.cell[2], glyph.box[3])


def _layers(units: list[_Unit]) -> list[list[_Unit]]:
    """The units in layers, lowest first, so that no two of a layer overlap."""
    cells: dict[tuple[int, int], list[tuple[Box, int]]] = defaultdict(list)
    layers: list[list[_Unit]] = []
    for unit in units:
        em = min(item.size for item in unit.objects[:1])
        shrunk = _shrink(unit.box, TOUCH * em)
        places = [
            (column, row)
            for column in range(int(shrunk[0] // _CELL), int(shrunk[2] // _CELL) + 1)
            for row in range(int(shrunk[1] // _CELL), int(shrunk[3] // _CELL) + 1)
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


def _inked(page: PdfPage, layer: list[_Unit], pending: list[_Unit], scale: float) -> list[int]:
    """The glyphs of `pending` whose ink goes away with `layer`, in pictures of `scale` pixels a point."""
    import numpy  # late: 60 ms

    objects = [item for unit in layer for item in unit.objects]
    whole = page.draw(scale)
    page.show(objects, False)
    without = page.draw(scale)
    page.show(objects, True)
    counts = _counts(whole, without)
    rows, columns = counts.shape[0] - 1, counts.shape[1] - 1
    indices = [index for unit in pending for index in unit.glyphs]
    boxes = numpy.array([ink_box(g, page.text_objects[g.owner]) for g in (page.glyphs[i] for i in indices)])
    right, up = columns / page.width, rows / page.height
    left, top = boxes[:, 0] * right, rows - boxes[:, 3] * up
    width, height = (boxes[:, 2] - boxes[:, 0]) * right, (boxes[:, 3] - boxes[:, 1]) * up
    ink, area = _ink(counts, left, top, width, height)
    inner, _ = _ink(
        counts, left + INSET * width, top + INSET * height, (1 - 2 * INSET) * width, (1 - 2 * INSET) * height
    )
    share = ink / area
    found = (share >= SURE_SHARE) | ((share >= MIN_SHARE) & (inner > 0))
    return [index for index, hit in zip(indices, found.tolist(), strict=True) if hit]


def _counts(whole: "numpy.ndarray[Any, Any]", without: "numpy.ndarray[Any, Any]") -> "numpy.ndarray[Any, Any]":
    """Running counts of differing pixels: entry (r, c) counts those above row r and left of column c."""
    import numpy  # late: 60 ms

    differs = numpy.maximum(whole, without) - numpy.minimum(whole, without) >= CONTRAST
    differs[:, :, 3] = False
    pixels = numpy.ascontiguousarray(differs).view(numpy.uint32)[:, :, 0] != 0
    counts = numpy.zeros((pixels.shape[0] + 1, pixels.shape[1] + 1), dtype=numpy.int32)
    numpy.cumsum(pixels, axis=0, out=counts[1:, 1:])
    numpy.cumsum(counts[1:, 1:], axis=1, out=counts[1:, 1:])
    return counts


def _ink(counts: Any, left: Any, top: Any, width: Any, height: Any) -> tuple[Any, Any]:
    """Differing pixels in each box, and the box's area in pixels, cut to the picture; at least one pixel each way."""
    import numpy  # late: 60 ms

    rows, columns = counts.shape[0] - 1, counts.shape[1] - 1
    first_column = numpy.clip(numpy.rint(left).astype(int), 0, columns - 1)
    first_row = numpy.clip(numpy.rint(top).astype(int), 0, rows - 1)
    last_column = numpy.clip(numpy.rint(left + width).astype(int), first_column + 1, columns)
    last_row = numpy.clip(numpy.rint(top + height).astype(int), first_row + 1, rows)
    ink = (
        counts[last_row, last_column]
        - counts[first_row, last_column]
        - counts[last_row, first_column]
        + counts[first_row, first_column]
    )
    return ink, (last_row - first_row) * (last_column - first_column)


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
