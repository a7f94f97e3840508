"""What a reader sees of an element: the computed style, as far as it decides whether and how text is shown.

`Styler` runs the cascade (browser defaults, presentational attributes, rules, ``style`` attribute, animations that
stay, important rules) and computes a `Style` from that of the parent. Text is shown when `Style.shows`. There is no
layout: a text is off the screen when its offsets say so, in an empty box when width or height say so, and covered
when a box declared to fill its container paints over it.

A style depends on nothing but the parent's style and the element's declarations, so elements without any share one.
"""

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from affidavit.extract.css import color as colors
from affidavit.extract.css import custom, view
from affidavit.extract.css.color import Color
from affidavit.extract.css.declaration import Block, Deferred, Wide, longhand_names, parse_attribute, read
from affidavit.extract.css.geometry import Shift
from affidavit.extract.css.length import ZERO, Length
from affidavit.extract.css.node import Node
from affidavit.extract.css.stylesheet import Entry, Stylesheet
from affidavit.extract.defaults import DISPLAY, presentational

# The thresholds below separate what cannot be read from what is merely faint. On the development pages and on 1,439
# real ones no text lies between the hidden cases and these limits; they were not swept further.
MIN_OPACITY = 0.05
MIN_FONT_SIZE = 2.0
# Text is unseen when both hold: #eee on white has 1.16, and one step of grey has 1.01 (difference 0.004).
MIN_CONTRAST = 1.1
MIN_DIFFERENCE = 0.12
# Boxes thinner than this show nothing of a line.
MIN_BOX = 2.0
# Without layout a box's own width is unknown. Shifts beyond these take a line of usual length out of the page; a page
# can be scrolled right and down, but nobody looks 3,000 pixels to the right.
FAR_LEFT = -900.0
FAR_RIGHT = 3000.0
FAR_UP = -2000.0
# From the top of the page a paragraph's height is enough.
FAR_UP_FROM_TOP = -200.0


@dataclass(slots=True)
class Style:
    """The computed style of an element. Treated as frozen once computed; colours in sRGB, lengths in pixels.

    `backdrops` are the colours that may lie behind text (several behind a gradient), None where a picture does.
    `x`, `y` are offsets from where the element would stand; `anchor_x`, `anchor_y` those of the containing block.
    `escapable`: an absolutely positioned descendant is not clipped by the empty box.
    """

    display: str = "inline"
    visible: bool = True
    size: float = view.FONT_SIZE
    color: Color = colors.BLACK
    fill: Color | None = None
    backdrops: tuple[Color, ...] | None = (colors.WHITE,)
    opacity: float = 1.0
    shadowed: bool = False
    painted: bool = False
    indent: float = 0.0
    white_space: str = "normal"
    x: float = 0.0
    y: float = 0.0
    anchor_x: float = 0.0
    anchor_y: float = 0.0
    anchored: bool = False
    width: float | None = None
    cut: bool = False
    clipped: bool = False
    escapable: bool = False
    off: bool = False
    struck: bool = False
    reordered: bool = False
    masked: bool = False
    out_of_flow: bool = False
    gap: bool = False
    covers: bool = False
    stacked: int = 0
    custom: dict[str, tuple[Any, ...]] = field(default_factory=dict[str, tuple[Any, ...]])
    shows: bool = True
    plain: dict[str, "Style"] = field(default_factory=dict[str, "Style"])

    @property
    def is_gone(self) -> bool:
        """Nothing below can be seen, whatever it declares."""
        return self.display == "none" or self.opacity < MIN_OPACITY or (self.clipped and not self.escapable)

    def child(self, display: str) -> "Style":
        """A child without declarations: what is inherited, and what its box is inside of."""
        return Style(
            display=display,
            visible=self.visible,
            size=self.size,
            color=self.color,
            fill=self.fill,
            backdrops=self.backdrops,
            opacity=self.opacity,
            shadowed=self.shadowed,
            painted=self.painted,
            indent=self.indent,
            white_space=self.white_space,
            x=self.x,
            y=self.y,
            anchor_x=self.anchor_x,
            anchor_y=self.anchor_y,
            anchored=self.anchored,
            cut=self.cut if display in ("inline", "contents") else False,
            clipped=self.clipped,
            escapable=self.escapable,
            off=self.off,
            struck=self.struck,
            reordered=self.reordered,
            masked=self.masked,
            custom=self.custom,
            shows=self.shows,
        )


class Styler:
    """Computes styles for the elements of one page."""

    def __init__(self, sheet: Stylesheet) -> None:
        self.sheet = sheet
        self.ruled = bool(sheet)

    def style(self, node: Node, parent: Style) -> Style:
        """The style of an element inside one of style `parent`."""
        element, tag = node.element, node.tag
        inline = element.get("style")
        entries = self.sheet.matching(node) if self.ruled else ()
        hints = presentational(node) if element.attrib or tag == "dialog" else ()
        if inline is None and not entries and not hints and tag not in _STYLED_TAGS:
            shared = parent.plain.get(tag)
            if shared is None:
                shared = parent.plain[tag] = _plain(tag, parent)
            return shared
        block = _attribute_block(inline) if inline else _NOTHING
        values = self._cascade(entries, block, hints, tag, parent)
        if not values:
            return _plain(tag, parent)
        return _computed(values, tag, parent)

    def _cascade(
        self,
        entries: list[Entry] | tuple[Entry, ...],
        inline: Block,
        hints: tuple[tuple[str, Any], ...],
        tag: str,
        parent: Style,
    ) -> dict[str, Any]:
        """Longhand to value, with ``var()`` resolved; the custom properties under ``--``."""
        layers: list[tuple[tuple[str, Any], ...]] = [_TAG_RULES.get(tag, ()), hints]
        if entries:
            layers += [entry.block.normal for entry in sorted(entries, key=_rank)]
        layers.append(inline.normal)
        important = [entry.block.important for entry in sorted(entries, key=_important_rank)] if entries else []
        important.append(inline.important)
        values: dict[str, Any] = {}
        own: dict[str, tuple[Any, ...]] = {}
        for declarations in (*layers, *important):
            for name, value in declarations:
                if name.startswith("--"):
                    own[name] = value
        variables = custom.resolve(own, parent.custom) if own else parent.custom
        for declarations in layers:
            _apply(declarations, values, variables)
        if values.get("animation-fill-mode") is True:
            for name in values.get("animation-name", ()):
                if name in self.sheet.last_frames:
                    _apply(self.sheet.last_frames[name].normal, values, variables)
        for declarations in important:
            _apply(declarations, values, variables)
        if own:
            values["--"] = variables
        return values


_NOTHING = Block((), ())


@lru_cache(maxsize=4096)
def _attribute_block(css: str) -> Block:
    return parse_attribute(css)


def _rank(entry: Entry) -> Any:
    return entry.rank


def _important_rank(entry: Entry) -> Any:
    return entry.important_rank


def _apply(declarations: tuple[tuple[str, Any], ...], values: dict[str, Any], variables: custom.Values) -> None:
    for name, value in declarations:
        if isinstance(value, Deferred):
            tokens = custom.substitute(value.tokens, variables)
            solid = [token for token in tokens or () if token.type not in ("whitespace", "comment")]
            found = read(name, solid) if solid else []
            values.update(found or [(longhand, Wide.UNSET) for longhand in longhand_names(name)])
        elif name == "all":
            values.clear()
            if value is Wide.INITIAL:
                values.update(_INITIAL)
        elif not name.startswith("--"):
            values[name] = value


_INITIAL: dict[str, Any] = {
    "display": "inline",
    "visibility": "visible",
    "color": colors.BLACK,
    "font-size": Length(pixels=view.FONT_SIZE),
    "white-space": "normal",
    "text-indent": ZERO,
    "fill": Wide.UNSET,
}
# Browser defaults beyond `display` (HTML, "Rendering").
_TAG_RULES: dict[str, tuple[tuple[str, Any], ...]] = {
    "mark": (("background-color", (1.0, 1.0, 0.0, 1.0)), ("color", colors.BLACK)),
    "button": (("background-color", (240 / 255, 240 / 255, 240 / 255, 1.0)), ("color", colors.BLACK)),
    "pre": (("white-space", "pre"),),
    "listing": (("white-space", "pre"),),
    "xmp": (("white-space", "pre"),),
    "plaintext": (("white-space", "pre"),),
    "del": (("text-decoration", True),),
    "s": (("text-decoration", True),),
    "strike": (("text-decoration", True),),
    "small": (("font-size", Length(ems=0.83)),),
}
_STYLED_TAGS = frozenset(_TAG_RULES)
_ABSOLUTE = ("absolute", "fixed")
_BLOCKLIKE = frozenset({"block", "flex", "table", "table-row", "table-cell"})


def _plain(tag: str, parent: Style) -> Style:
    style = parent.child(_blockified(DISPLAY.get(tag, "inline"), parent))
    if parent.display not in ("inline", "contents") or style.display not in ("inline", "contents"):
        style.shows = _is_shown(style)
    return style


def _blockified(display: str, parent: Style) -> str:
    """The items of a flex or grid container are blocks, whatever they are."""
    if parent.display == "flex" and display in ("inline", "inline-block", "table-cell", "table-row"):
        return "block"
    return display


def _computed(values: dict[str, Any], tag: str, parent: Style) -> Style:
    style = parent.child(_display(values, tag, parent))
    style.custom = values.get("--", parent.custom)
    _set_text(style, values, parent)
    if style.display != "none":
        _set_paint(style, values, parent)
        _set_position(style, values, parent)
        _set_box(style, values)
    style.shows = _is_shown(style)
    return style


def _display(values: dict[str, Any], tag: str, parent: Style) -> str:
    display = values.get("display")
    if display is Wide.INHERIT:
        display = parent.display
    elif display is None or isinstance(display, Wide):
        display = DISPLAY.get(tag, "inline") if display is None else "inline"
    floats = values.get("float", "none") not in ("none", Wide.INITIAL, Wide.UNSET)
    if display in ("inline", "inline-block") and (floats or values.get("position") in _ABSOLUTE):
        return "block"
    return _blockified(display, parent)


def _set_text(style: Style, values: dict[str, Any], parent: Style) -> None:
    """The inherited properties, and decoration, which spreads to what is inside."""
    visibility = values.get("visibility")
    if visibility is not None and visibility not in (Wide.INHERIT, Wide.UNSET):
        style.visible = visibility in ("visible", Wide.INITIAL)
    size = values.get("font-size")
    if isinstance(size, Length):
        style.size = size.resolve(parent.size)
    elif size is Wide.INITIAL:
        style.size = view.FONT_SIZE
    found = values.get("color")
    if isinstance(found, tuple):
        style.color = found
    elif found is Wide.INITIAL:
        style.color = colors.BLACK
    fill = values.get("fill")
    if fill is not None:
        style.fill = fill if isinstance(fill, tuple) else parent.fill if fill in (Wide.INHERIT, Wide.UNSET) else None
    shadow = values.get("text-shadow")
    if shadow is not None:
        style.shadowed = shadow if isinstance(shadow, bool) else parent.shadowed and shadow is not Wide.INITIAL
    indent = values.get("text-indent")
    if indent is not None:
        style.indent = indent.resolve(style.size) if isinstance(indent, Length) else 0.0
    white_space = values.get("white-space")
    if white_space is not None:
        style.white_space = white_space if isinstance(white_space, str) else "normal"
    style.struck = parent.struck or values.get("text-decoration") is True
    style.reordered = parent.reordered or values.get("unicode-bidi") in ("bidi-override", "isolate-override")
    security = values.get("text-security", Wide.INHERIT)
    style.masked = parent.masked if isinstance(security, Wide) else security != "none"


def _set_paint(style: Style, values: dict[str, Any], parent: Style) -> None:
    """Opacity, which multiplies, and what lies behind the text."""
    for name in ("opacity", "filter"):
        value = values.get(name)
        if isinstance(value, float):
            style.opacity *= value
    if values.get("content-visibility") == "hidden":
        style.opacity = 0.0
    own = values.get("background-color")
    image = values.get("background-image")
    if own == "currentcolor":
        own = style.color
    elif own is Wide.INHERIT:
        own = parent.backdrops[0] if parent.backdrops else None
    paints = isinstance(own, tuple) and own[3] > 0
    if values.get("background-clip") == "text":
        style.painted = style.painted or image is not None or paints
        return
    backdrops = style.backdrops
    if isinstance(own, tuple) and paints:
        if own[3] >= 1:
            backdrops = (own,)
        elif backdrops is not None:
            backdrops = tuple(colors.over(own, below) for below in backdrops)
    if image == "unknown":
        backdrops = None
    elif isinstance(image, tuple):
        stops = [style.color if stop == "currentcolor" else stop for stop in image]
        if backdrops is not None:
            backdrops = tuple({colors.over(stop, below) for stop in stops for below in backdrops})[:16]
        elif all(stop[3] >= 1 for stop in stops):
            backdrops = tuple(stops)[:16]
    style.backdrops = backdrops


def _length(values: dict[str, Any], name: str, style: Style, base: float = view.WIDTH) -> float | None:
    value = values.get(name)
    return value.resolve(style.size, base) if isinstance(value, Length) else None


def _set_position(style: Style, values: dict[str, Any], parent: Style) -> None:
    """Where the box is moved to, as far as the declarations say."""
    position = values.get("position", "static")
    left, right = _length(values, "left", style), _length(values, "right", style)
    top = _length(values, "top", style, view.HEIGHT)
    bottom = _length(values, "bottom", style, view.HEIGHT)
    width = _length(values, "width", style)
    absolute = position in _ABSOLUTE
    if absolute:
        style.out_of_flow = True
        if style.escapable or position == "fixed":
            style.clipped = style.escapable = False
        _place(style, position == "fixed", (left, right, top, bottom), width, parent)
    elif position in ("relative", "sticky", "-webkit-sticky"):
        style.x += left if left is not None else -(right or 0.0)
        if position == "relative":
            style.y += top if top is not None else -(bottom or 0.0)
    elif style.display != "contents":
        style.x += _length(values, "margin-left", style) or 0.0
        style.y += _length(values, "margin-top", style) or 0.0
    for name in ("transform", "translate", "scale", "rotate"):
        shift = values.get(name)
        if isinstance(shift, Shift) and style.display not in ("inline", "contents"):
            style.x += shift.x.resolve(style.size, width if width is not None else 600.0)
            style.y += shift.y.resolve(style.size, 100.0)
            style.off = style.off or shift.flat
    if position not in ("static",) and not isinstance(position, Wide):
        style.anchor_x, style.anchor_y, style.anchored = style.x, style.y, True
        style.escapable = False
    z_index = values.get("z-index")
    style.stacked = (z_index if isinstance(z_index, int) else 0) if position != "static" else 0
    style.covers = absolute and style.stacked >= 0 and position == "absolute" and _fills(values) and _is_opaque(values)
    if absolute and (values.get("clip") is True):
        style.clipped, style.escapable = True, False


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


def _fills(values: dict[str, Any]) -> bool:
    """Whether the box is declared to fill its containing block."""

    def at(name: str, wanted: Length) -> bool:
        value = values.get(name)
        return isinstance(value, Length) and abs(value.usual - wanted.usual) < 1

    across = at("left", ZERO) and (at("right", ZERO) or at("width", Length(percent=1.0)))
    down = at("top", ZERO) and (at("bottom", ZERO) or _is_full(values.get("height")))
    return across and down


def _is_full(value: Any) -> bool:
    return isinstance(value, Length) and value.percent >= 1.0


def _is_opaque(values: dict[str, Any]) -> bool:
    own = values.get("background-color")
    return isinstance(own, tuple) and own[3] >= 0.95 and values.get("opacity", 1.0) == 1.0


def _set_box(style: Style, values: dict[str, Any]) -> None:
    """Boxes too small to show their text, clips, and the gaps that padding and margins leave beside inline text."""
    if values.get("clip-path") is True:
        style.clipped, style.escapable = True, False
    if style.display in ("inline", "contents"):
        style.gap = any((_length(values, name, style) or 0.0) >= 2.0 for name in _INLINE_GAPS)
        return
    style.gap = style.display == "inline-block" and any(
        (_length(values, name, style) or 0.0) >= 2.0 for name in _INLINE_GAPS
    )
    hides = [values.get(name) not in (None, "visible") for name in ("overflow-x", "overflow-y")]
    if not any(hides):
        return
    style.cut = style.white_space != "normal" or style.indent < 0
    across = _extent(values, style, "width", ("padding-left", "padding-right"))
    down = _extent(values, style, "height", ("padding-top", "padding-bottom"))
    if across < MIN_BOX or down < MIN_BOX:
        positioned = values.get("position", "static") != "static"
        style.clipped, style.escapable = True, not positioned


_INLINE_GAPS = ("margin-left", "margin-right", "padding-left", "padding-right")


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


def _is_shown(style: Style) -> bool:
    """Whether text directly inside is seen."""
    if not style.visible or style.off or style.masked or style.clipped:
        return False
    if style.opacity < MIN_OPACITY or style.size < MIN_FONT_SIZE:
        return False
    if not FAR_LEFT < style.x < FAR_RIGHT or style.y <= FAR_UP or style.x + style.indent <= FAR_LEFT:
        return False
    if style.cut and style.indent >= 600:
        return False
    return style.painted or style.shadowed or _stands_out(style)


def _stands_out(style: Style) -> bool:
    """Whether the letters differ from what lies behind them."""
    letters = style.fill or style.color
    if letters[3] * style.opacity < MIN_OPACITY:
        return False
    if style.backdrops is None:
        return True
    if letters[3] >= 1 and style.backdrops == (colors.WHITE,) and letters[:3] == (0.0, 0.0, 0.0):
        return True
    for backdrop in style.backdrops:
        drawn = colors.over(letters, backdrop)
        if colors.difference(drawn, backdrop) >= MIN_DIFFERENCE or colors.contrast(drawn, backdrop) >= MIN_CONTRAST:
            return True
    return False
