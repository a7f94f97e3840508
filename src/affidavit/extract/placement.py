"""Where a box stands, how large it is, and what of it is cut off, as far as its declarations say without layout."""

from typing import Any

from affidavit.extract.css import view
from affidavit.extract.css.declaration import Wide
from affidavit.extract.css.effects import Filter
from affidavit.extract.css.geometry import Shift
from affidavit.extract.css.length import ZERO, Length
from affidavit.extract.style import FAR_LEFT, FAR_RIGHT, FAR_UP, FAR_UP_FROM_TOP, MIN_BOX, Style

_ABSOLUTE = ("absolute", "fixed")


def _length(values: dict[str, Any], name: str, style: Style, base: float = view.WIDTH) -> float | None:
    value = values.get(name)
    return value.resolve(style.size, base) if isinstance(value, Length) else None


def set_position(style: Style, values: dict[str, Any], parent: Style) -> None:
    """Where the box is moved to, as far as the declarations say."""
    position = values.get("position", "static")
    left, right = _length(values, "left", style), _length(values, "right", style)
    top = _length(values, "top", style, view.HEIGHT)
    bottom = _length(values, "bottom", style, view.HEIGHT)
    width = _length(values, "width", style)
    absolute = position in _ABSOLUTE
    if absolute:
        style.x = parent.x
        if style.escapable or position == "fixed":
            style.clipped = style.escapable = False
        _place(style, position == "fixed", (left, right, top, bottom), width, parent)
        if position == "absolute" and parent.frame is not None and not _has_any(values, _ELSEWHERE):
            style.off = style.off or _is_beyond(style, values, parent.frame)
    elif position in ("relative", "sticky", "-webkit-sticky"):
        style.x += left if left is not None else -(right or 0.0)
        if position == "relative":
            style.y += top if top is not None else -(bottom or 0.0)
    if style.display != "contents":
        style.x += _length(values, "margin-left", style) or 0.0
        style.y += _length(values, "margin-top", style) or 0.0
    for name in ("transform", "translate", "scale", "rotate"):
        shift = values.get(name)
        if isinstance(shift, Shift) and not style.is_in_line:
            style.x += shift.x.resolve(style.size, width if width is not None else 600.0)
            style.y += shift.y.resolve(style.size, 100.0)
            style.off = style.off or shift.flat
    if not style.is_in_line or position != "static":
        style.block_x = style.x
    if position != "static" and not isinstance(position, Wide):
        style.anchor_x, style.anchor_y, style.anchored = style.x, style.y, True
        style.escapable = False
    z_index = values.get("z-index")
    style.positioned = position != "static" and not isinstance(position, Wide)
    style.stacked = z_index if isinstance(z_index, int) and style.positioned else 0
    grouped = style.opacity < parent.opacity or _has_any(values, _GROUPING)
    style.contextual = grouped or position in ("fixed", "sticky") or (style.positioned and isinstance(z_index, int))
    if style.positioned:
        style.frame = _frame(style, values)
    style.layered = style.positioned or grouped
    style.covers = position == "absolute" and style.stacked >= 0 and _covers(style, values, parent)
    if absolute and (values.get("clip") is True):
        style.clipped, style.escapable = True, False


# How far letters of the size around them, and smaller ones, are moved before they read as raised or lowered, in em of
# the text around them: browsers raise by a third and lower by a fifth; letters out of line by less are a matter of
# fonts.
_MOVED = 0.3
_MOVED_SMALL = 0.14


def set_raised(style: Style, values: dict[str, Any], parent: Style) -> None:
    """Whether a part of a line is set above or below it, whatever the declarations: ``sup`` without the element."""
    if style.display not in ("inline", "inline-block"):
        return
    align = values.get("vertical-align")
    variant = values.get("font-variant-position")
    small = style.size <= 0.9 * parent.size
    if "super" in (align, variant):
        style.raised = True
    elif "sub" in (align, variant):
        style.raised = False
    else:
        up = align.resolve(style.size) if isinstance(align, Length) else 0.0
        if align in ("top", "text-top") and small:
            up = parent.size - style.size
        moved = style.y - parent.y - (_length(values, "margin-top", style) or 0.0)  # a margin moves the line, too
        up -= moved if values.get("position") == "relative" or not style.is_in_line else 0.0
        limit = (_MOVED_SMALL if small else _MOVED) * parent.size
        style.raised = None if abs(up) < limit else up > 0


def _place(
    style: Style,
    fixed: bool,
    edges: tuple[float | None, float | None, float | None, float | None],
    width: float | None,
    parent: Style,
) -> None:
    """An absolutely positioned box: from its containing block where an edge is set, else where it stands."""
    left, right, top, bottom = edges
    from_page = fixed or not parent.anchored
    anchor_x, anchor_y = (0.0, 0.0) if fixed else (parent.anchor_x, parent.anchor_y)
    if left is not None:
        style.x = anchor_x + left
        if fixed and style.x >= view.WIDTH:
            style.off = True
    elif right is not None:
        beyond = right >= (view.WIDTH if from_page and anchor_x <= 0 else FAR_RIGHT)
        style.x = FAR_LEFT if beyond else anchor_x - min(right, 0.0)
        if fixed and width is not None and -right >= width:
            style.off = True
    if width is not None and from_page and style.x + width <= 0:
        style.off = True
    if top is not None:
        style.y = anchor_y + top
        if from_page and style.y <= FAR_UP_FROM_TOP:
            style.off = True
        if fixed and style.y >= view.HEIGHT:
            style.off = True
    elif bottom is not None and ((fixed and bottom >= view.HEIGHT) or bottom >= -FAR_UP):
        style.off = True


# Declared on a box, these make a group of what is in it (a stacking context), and may take it from its place.
_GROUPING = ("transform", "translate", "scale", "rotate", "filter", "clip-path")
_ELSEWHERE = ("transform", "translate", "scale", "rotate", "clip-path")


def _has_any(values: dict[str, Any], names: tuple[str, ...]) -> bool:
    """Whether one of the properties does something to the box."""
    return any(values.get(name) not in (None, Shift(), Filter()) for name in names)


def _frame(style: Style, values: dict[str, Any]) -> tuple[float, float] | None:
    """Width and height of a positioned box that cuts off what overflows it; infinite where they are not declared."""
    if style.is_in_line or not all(values.get(name) in ("hidden", "clip") for name in ("overflow-x", "overflow-y")):
        return None
    return _extent(values, style, "width", _ACROSS), _extent(values, style, "height", _DOWN)


def _is_beyond(style: Style, values: dict[str, Any], frame: tuple[float, float]) -> bool:
    """Whether an absolutely placed box lies wholly outside its containing block of the size of `frame`."""
    for extent, start, end, size, margin in (
        (frame[0], "left", "right", "width", "margin-left"),
        (frame[1], "top", "bottom", "height", "margin-top"),
    ):
        if extent == float("inf") or _length(values, margin, style):
            continue
        first, last, own = (_length(values, name, style, extent) for name in (start, end, size))
        near = first if first is not None else extent - last - own if last is not None and own is not None else None
        far = near + own if near is not None and own is not None else extent - last if last is not None else None
        if first is not None and own is None:
            far = None
        if (near is not None and near >= extent) or (far is not None and far <= 0):
            return True
    return False


def _fills(values: dict[str, Any]) -> bool:
    """Whether the box is declared to fill its containing block."""

    def at(name: str, wanted: Length) -> bool:
        value = values.get(name)
        return isinstance(value, Length) and abs(value.usual - wanted.usual) < 1

    across = at("width", Length(percent=1.0)) if values.get("width") is not None else at("right", ZERO)
    down = _is_full(values.get("height")) if values.get("height") is not None else at("bottom", ZERO)
    return at("left", ZERO) and across and at("top", ZERO) and down


def _is_full(value: Any) -> bool:
    return isinstance(value, Length) and value.percent >= 1.0


def _covers(style: Style, values: dict[str, Any], parent: Style) -> bool:
    """Whether an absolutely placed box paints over all of its containing block; one that is not drawn does not."""
    own = values.get("background-color")
    opaque = isinstance(own, tuple) and own[3] >= 0.95 and style.opacity >= 0.95 * parent.opacity
    return opaque and style.visible and not _has_any(values, _ELSEWHERE) and _fills(values)


def set_box(style: Style, values: dict[str, Any], parent: Style, element: Any) -> None:
    """Boxes too small to show their text, clips, and the gaps that padding and margins leave beside inline text."""
    shape = values.get("clip-path") if style.display != "contents" else None
    if shape is True:
        style.clipped, style.escapable = True, False
    if style.is_in_line:
        style.shaped = style.shaped or shape is False
        style.gap = any((_length(values, name, style) or 0.0) >= 2.0 for name in _INLINE_GAPS)
        return
    style.gap = style.display == "inline-block" and any(
        (_length(values, name, style) or 0.0) >= 2.0 for name in _INLINE_GAPS
    )
    hides = _hides(values) or values.get("contain") is True
    style.snug = shape is False or hides or (parent.snug and _is_alone(element))
    if not style.snug:
        return
    style.cut = style.white_space != "normal" or style.line_indent < 0
    style.flattened = style.flattened or (hides and style.lineless and _is_as_high_as_its_lines(values, style))
    if smallest_extent(values, style) < MIN_BOX:
        positioned = values.get("position", "static") != "static"
        style.clipped, style.escapable = True, not positioned and shape is not False


def _hides(values: dict[str, Any]) -> bool:
    return any(values.get(name) not in (None, "visible") for name in ("overflow-x", "overflow-y"))


def _is_as_high_as_its_lines(values: dict[str, Any], style: Style) -> bool:
    sizes = [values.get(name) for name in ("height", "min-height", *_DOWN)]
    return style.display in ("block", "inline-block") and not any(
        isinstance(size, Length) and size.usual >= MIN_BOX for size in sizes
    )


def _is_alone(element: Any) -> bool:
    """Whether nothing stands beside an element that could keep the box around it open."""
    parent = element.getparent()
    if parent is None or (parent.text or "").strip() or (element.tail or "").strip():
        return False
    return len(parent) == 1


_ACROSS = ("padding-left", "padding-right")
_DOWN = ("padding-top", "padding-bottom")
_INLINE_GAPS = ("margin-left", "margin-right", "padding-left", "padding-right")


def smallest_extent(values: dict[str, Any], style: Style) -> float:
    """Width or height of a box with its padding, whichever is less; infinite where neither is declared."""
    return min(_extent(values, style, "width", _ACROSS), _extent(values, style, "height", _DOWN))


def _extent(values: dict[str, Any], style: Style, name: str, padding: tuple[str, str]) -> float:
    """The extent one way, as far as declared; infinite where it is not."""
    sizes = [_definite(values.get(prefix + name), style) for prefix in ("", "max-")]
    known = [size for size in sizes if size is not None]
    if not known:
        return float("inf")
    least = _definite(values.get("min-" + name), style) or 0.0
    return max(min(known), least) + sum(_length(values, side, style) or 0.0 for side in padding)


def _definite(value: Any, style: Style) -> float | None:
    """A length in pixels; a percentage only where it is nothing at all, since its base is not known."""
    if not isinstance(value, Length) or (value.percent and value.percent > 0.001):
        return None
    return value.resolve(style.size, 0.0)
