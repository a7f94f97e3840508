"""What a reader sees of an element: the computed style, as far as it decides whether and how text is shown.

`Styler` runs the cascade (browser defaults, presentational attributes, rules, ``style`` attribute, animations that
stay, important rules) and computes a `Style` from that of the parent. Text is shown when `Style.shows`. There is no
layout: a text is off the screen when its offsets say so, in an empty box when width or height say so, and covered
when a box declared to fill its container paints over it.

A style depends on nothing but the parent's style and the element's declarations, so elements without any share one.
"""

from functools import lru_cache
from typing import Any

from affidavit.extract.css import color as colors
from affidavit.extract.css import custom, view
from affidavit.extract.css.declaration import Block, Deferred, Wide, longhand_names, parse_attribute, read
from affidavit.extract.css.effects import Filter
from affidavit.extract.css.length import ZERO, Length
from affidavit.extract.css.node import Node
from affidavit.extract.css.stylesheet import Entry, Stylesheet
from affidavit.extract.defaults import DISPLAY, presentational
from affidavit.extract.placement import set_box, set_position, set_raised, smallest_extent
from affidavit.extract.style import MAX_BLUR, Style, is_shown


class Styler:
    """Computes styles for the elements of one page."""

    def __init__(self, sheet: Stylesheet) -> None:
        self.sheet = sheet
        self.ruled = bool(sheet)

    def style(self, node: Node, parent: Style) -> Style:
        """The style of an element inside one of style `parent`."""
        element, tag = node.element, node.tag
        inline = element.get("style")
        entries = self._entries(node, parent) if self.ruled else ()
        hints = presentational(node) if element.attrib or tag == "dialog" else ()
        if inline is None and not entries:
            shared = parent.plain.get((tag, hints))
            if shared is None:
                values = self._cascade((), _NOTHING, hints, tag, parent) if hints or tag in _TAG_RULES else None
                shared = _computed(values, element, tag, parent) if values else _plain(tag, parent)
                parent.plain[tag, hints] = shared
            return shared
        block = _attribute_block(inline) if inline else _NOTHING
        values = self._cascade(entries, block, hints, tag, parent)
        if not values:
            return _plain(tag, parent)
        return _computed(values, element, tag, parent)

    def root(self) -> Style:
        """The style around the root element."""
        return Style(custom=dict(self.sheet.initial))

    def _entries(self, node: Node, parent: Style) -> list[Entry]:
        found = self.sheet.matching(node)
        return [entry for entry in found if entry.containers <= parent.containers] if found else found

    def overlay(self, node: Node, style: Style, pseudo: str) -> int | None:
        """The level of the element's ``::before`` or ``::after``, if that covers its containing block; else None."""
        _, drawn = self._generated(node, style, pseudo) if self.sheet.overlays else _NO_BOX
        return drawn.stacked if drawn is not None and drawn.covers and not drawn.off else None

    def writes(self, node: Node, style: Style, pseudo: str) -> bool:
        """Whether the element's ``::before`` or ``::after`` shows words that are not in the page's source."""
        content, drawn = self._generated(node, style, pseudo) if self.sheet.worded else _NO_BOX
        if drawn is None or drawn.is_gone or not drawn.shows:
            return False
        return content == "words" or (isinstance(content, tuple) and any(node.element.get(name) for name in content))

    def _generated(self, node: Node, style: Style, pseudo: str) -> tuple[Any, Style | None]:
        """The content and the style of a generated box; no style where there is none."""
        found = self.sheet.generated[pseudo].matching(node)
        entries = [entry for entry in found if entry.containers <= style.containers]
        values = self._cascade(entries, _NOTHING, (), "", style) if entries else _NO_VALUES
        content = values.get("content")
        if content in (None, False) or isinstance(content, Wide):
            return _NO_BOX
        drawn = _computed(values, node.element, "", style)
        return content, drawn if drawn.display != "none" else None

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
        inherited = parent.custom
        if self.sheet.uninherited:
            inherited = {name: value for name, value in inherited.items() if name not in self.sheet.uninherited}
            inherited |= {name: value for name, value in self.sheet.uninherited.items() if value is not None}
        variables = custom.resolve(own, inherited) if own else inherited
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
_NO_VALUES: dict[str, Any] = {}
_NO_BOX: tuple[Any, Style | None] = (False, None)


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
    "fill": Wide.INITIAL,
    "text-shadow": (),
    "text-security": "none",
}
# Browser defaults beyond `display` (HTML, "Rendering").
_TAG_RULES: dict[str, tuple[tuple[str, Any], ...]] = {
    "mark": (("background-color", (1.0, 1.0, 0.0, 1.0)), ("color", colors.BLACK)),
    "button": (
        ("background-color", (240 / 255, 240 / 255, 240 / 255, 1.0)),
        ("color", colors.BLACK),
        ("padding-left", Length(pixels=6.0)),
        ("padding-right", Length(pixels=6.0)),
    ),
    "mphantom": (("visibility", "hidden"),),
    "pre": (("white-space", "pre"),),
    "listing": (("white-space", "pre"),),
    "xmp": (("white-space", "pre"),),
    "plaintext": (("white-space", "pre"),),
    "del": (("text-decoration", True),),
    "s": (("text-decoration", True),),
    "strike": (("text-decoration", True),),
    "small": (("font-size", Length(ems=0.83)),),
}
_ABSOLUTE = ("absolute", "fixed")


def _plain(tag: str, parent: Style) -> Style:
    style = parent.child(_blockified(DISPLAY.get(tag, "inline"), parent))
    if parent.display not in ("inline", "contents") or not style.is_in_line:
        style.shows = is_shown(style)
    return style


def _blockified(display: str, parent: Style) -> str:
    """The items of a flex or grid container are blocks, whatever they are."""
    if parent.display == "flex" and display in ("inline", "inline-block", "table-cell", "table-row"):
        return "block"
    return display


def _computed(values: dict[str, Any], element: Any, tag: str, parent: Style) -> Style:
    style = parent.child(_display(values, tag, parent))
    style.custom = values.get("--", parent.custom)
    if values.get("container-type") in ("size", "inline-size"):
        style.containers = parent.containers | {"", *values.get("container-name", ())}
    _set_text(style, values, parent)
    if style.display != "none":
        _set_paint(style, values, tag, parent)
        set_position(style, values, parent)
        set_box(style, values, parent, element)
        set_raised(style, values, parent)
    style.shows = is_shown(style)
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
        style.shadows = shadow if isinstance(shadow, tuple) else () if shadow is Wide.INITIAL else parent.shadows
    indent = values.get("text-indent")
    if indent is not None:
        style.indent = indent.resolve(style.size) if isinstance(indent, Length) else 0.0
        if not style.is_in_line:
            style.line_indent = style.indent
    _set_lines(style, values)
    white_space = values.get("white-space")
    if white_space is not None:
        style.white_space = white_space if isinstance(white_space, str) else "normal"
    style.struck = parent.struck or values.get("text-decoration") is True
    style.reordered = parent.reordered or values.get("unicode-bidi") in ("bidi-override", "isolate-override")
    security = values.get("text-security", Wide.INHERIT)
    style.masked = parent.masked if isinstance(security, Wide) else security != "none"


def _set_lines(style: Style, values: dict[str, Any]) -> None:
    """How high lines are, how letters are outlined and enlarged."""
    height, zoom, stroke, width = (values.get(name) for name in ("line-height", "zoom", "stroke-color", "stroke-width"))
    if height is not None and height not in (Wide.INHERIT, Wide.UNSET):
        style.lineless = height is True
    if isinstance(zoom, float):
        style.zoom *= zoom
    if stroke is not None and stroke not in (Wide.INHERIT, Wide.UNSET):
        style.stroke = stroke if isinstance(stroke, tuple) else None
    if isinstance(width, Length):
        style.stroke_width = width.resolve(style.size)
    elif width is Wide.INITIAL:
        style.stroke_width = 0.0


def _set_paint(style: Style, values: dict[str, Any], tag: str, parent: Style) -> None:
    """Opacity, which multiplies, and what lies behind the text. An element without a box has neither."""
    if style.display == "contents":
        return
    for name in ("opacity", "mask"):
        value = values.get(name)
        if isinstance(value, float):
            style.opacity *= value
    effect = values.get("filter")
    if isinstance(effect, Filter):
        style.opacity *= 0.0 if effect.blur >= max(MAX_BLUR, style.size) else effect.opacity
        if effect.tints and tag not in ("html", "body"):  # those would have to pass the canvas on, too
            style.tints, style.outside = (*style.tints, *effect.tints), style.backdrops
    if values.get("content-visibility") == "hidden" and not style.is_in_line:
        style.opacity = 0.0
    own = values.get("background-color")
    image = values.get("background-image")
    if own == "currentcolor":
        own = style.color
    elif own is Wide.INHERIT:
        own = parent.backdrops[0] if parent.backdrops else None
    if not style.is_in_line and smallest_extent(values, style) < style.size:
        return  # the text overflows a box that is too small to be behind it
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
    if not style.is_in_line:
        style.beneath = backdrops
