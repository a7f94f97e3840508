"""The properties that can hide or separate text: how each reads a value, and what a shorthand sets.

A reader takes component values free of white space and gives longhands, or None for a value that is not valid.
"""

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from affidavit.extract.css import color, length, view
from affidavit.extract.css.effects import Filter, filter_of, mask_opacity
from affidavit.extract.css.geometry import Shift, is_empty_clip, is_empty_path, rotation_flattens, transform_of
from affidavit.extract.css.length import Length

Longhands: TypeAlias = "Iterable[tuple[str, Any]] | None"


def _word(tokens: list[Any]) -> str | None:
    return tokens[0].lower_value if len(tokens) == 1 and tokens[0].type == "ident" else None


def _keyword(name: str, allowed: frozenset[str]) -> Callable[[list[Any]], Longhands]:
    def reader(tokens: list[Any]) -> Longhands:
        word = _word(tokens)
        return [(name, word)] if word in allowed else None

    return reader


def _size(name: str, *keywords: str) -> Callable[[list[Any]], Longhands]:
    """A length or percentage; any of `keywords` is None (not known without layout, or not set)."""

    def reader(tokens: list[Any]) -> Longhands:
        if len(tokens) != 1:
            return None
        if tokens[0].type == "ident" or (tokens[0].type == "function" and tokens[0].lower_name == "fit-content"):
            return [(name, None)] if tokens[0].type == "function" or tokens[0].lower_value in keywords else None
        found = length.parse(tokens[0])
        return None if found is None else [(name, found)]

    return reader


def _sides(pattern: str, *keywords: str) -> Callable[[list[Any]], Longhands]:
    """``margin``, ``padding``, ``inset``: one to four values for top, right, bottom, left."""

    def reader(tokens: list[Any]) -> Longhands:
        if not 1 <= len(tokens) <= 4:
            return None
        values: list[Length | None] = []
        for token in tokens:
            if token.type == "ident" and token.lower_value in keywords:
                values.append(None)
            elif (found := length.parse(token)) is not None:
                values.append(found)
            else:
                return None
        return list(zip((pattern % side for side in _SIDES), _four(values), strict=True))

    return reader


def _pair(start: str, end: str, *keywords: str) -> Callable[[list[Any]], Longhands]:
    """One or two values for the two ends of an axis."""
    first, last = _size(start, *keywords), _size(end, *keywords)

    def reader(tokens: list[Any]) -> Longhands:
        if not 1 <= len(tokens) <= 2:
            return None
        one, other = first(tokens[:1]), last(tokens[-1:])
        return None if one is None or other is None else [*one, *other]

    return reader


_SIDES = ("top", "right", "bottom", "left")


def _four(values: list[Any]) -> tuple[Any, Any, Any, Any]:
    top = values[0]
    right = values[1] if len(values) > 1 else top
    bottom = values[2] if len(values) > 2 else top
    left = values[3] if len(values) > 3 else right
    return top, right, bottom, left


def _fraction(name: str) -> Callable[[list[Any]], Longhands]:
    def reader(tokens: list[Any]) -> Longhands:
        found = length.parse_number(tokens[0]) if len(tokens) == 1 else None
        return None if found is None else [(name, min(max(found, 0.0), 1.0))]

    return reader


def _color(name: str) -> Callable[[list[Any]], Longhands]:
    def reader(tokens: list[Any]) -> Longhands:
        found = color.parse(tokens[0]) if len(tokens) == 1 else None
        return None if found is None else [(name, found)]

    return reader


def _display(tokens: list[Any]) -> Longhands:
    words = [token.lower_value if token.type == "ident" else "" for token in tokens]
    if len(words) == 1 and words[0] in _DISPLAYS:
        return [("display", _DISPLAYS[words[0]])]
    if 2 <= len(words) <= 3 and all(word in _DISPLAYS or word in ("flow", "list-item") for word in words):
        outer = "inline" if "inline" in words else "block"
        inner = next((word for word in words if word in ("flex", "grid", "table")), None)
        return [("display", inner or ("inline-block" if outer == "inline" and "flow-root" in words else outer))]
    return None


# Value to what it means for text: the layout a child lives in, and whether it stands in the line or on its own.
_DISPLAYS = {
    "none": "none",
    "inline": "inline",
    "block": "block",
    "inline-block": "inline-block",
    "contents": "contents",
    "flex": "flex",
    "inline-flex": "flex",
    "-webkit-box": "flex",
    "-webkit-inline-box": "flex",
    "-webkit-flex": "flex",
    "grid": "flex",
    "inline-grid": "flex",
    "list-item": "block",
    "flow-root": "block",
    "table": "table",
    "inline-table": "table",
    "table-row": "table-row",
    "table-cell": "table-cell",
    "table-row-group": "block",
    "table-header-group": "block",
    "table-footer-group": "block",
    "table-caption": "block",
    "table-column": "none",
    "table-column-group": "none",
    "ruby": "inline",
    "ruby-base": "inline",
    "ruby-text": "inline",
    "run-in": "inline",
    "math": "inline",
}


def _overflow(tokens: list[Any]) -> Longhands:
    words = [token.lower_value if token.type == "ident" else "" for token in tokens]
    if not 1 <= len(words) <= 2 or any(word not in _OVERFLOWS for word in words):
        return None
    return [("overflow-x", words[0]), ("overflow-y", words[-1])]


_OVERFLOWS = frozenset({"visible", "hidden", "clip", "scroll", "auto", "overlay"})


def _font(tokens: list[Any]) -> Longhands:
    """The size in the ``font`` shorthand, and a line height behind it; a family has to follow."""
    for index, token in enumerate(tokens):
        found = _font_size([token])
        if found is not None and (token.type != "number" or token.value == 0):
            rest = tokens[index + 1 :]
            slash = len(rest) > 1 and rest[0].type == "literal" and rest[0].value == "/"
            height = (_line_height(rest[1:2]) if slash else None) or [("line-height", False)]
            return [*found, *height] if rest else None
    word = _word(tokens)
    return [("font-size", Length(pixels=13.333)), ("line-height", False)] if word in _SYSTEM_FONTS else None


_SYSTEM_FONTS = frozenset({"caption", "icon", "menu", "message-box", "small-caption", "status-bar"})
# CSS Fonts 4, 2.5, in pixels for a medium of 16.
_FONT_SIZES = {
    "xx-small": 9.0,
    "x-small": 10.0,
    "small": 13.0,
    "medium": 16.0,
    "large": 18.0,
    "x-large": 24.0,
    "xx-large": 32.0,
    "xxx-large": 48.0,
    "math": 16.0,
}


def _font_size(tokens: list[Any]) -> Longhands:
    if len(tokens) != 1:
        return None
    word = _word(tokens)
    if word in _FONT_SIZES:
        return [("font-size", Length(pixels=_FONT_SIZES[word]))]
    if word in ("smaller", "larger"):
        return [("font-size", Length(ems=0.83 if word == "smaller" else 1.2))]
    found = length.parse(tokens[0])
    if found is None or found.usual < 0:
        return None
    return [("font-size", Length(found.pixels, found.ems + found.percent, 0.0))]


def _background(tokens: list[Any]) -> Longhands:
    """The last layer's colour, all layers' pictures, and whether the background is clipped to the text."""
    layers = _layers(tokens)
    painted: Any = color.TRANSPARENT
    clip = "border-box"
    for layer in layers:
        for token in layer:
            found = color.parse(token)
            if found is not None:
                painted = found
            if token.type == "ident" and token.lower_value == "text":
                clip = "text"
    image = _images([token for layer in layers for token in layer if _is_image(token)])
    return [("background-color", painted), ("background-image", image), ("background-clip", clip)]


def _layers(tokens: list[Any]) -> list[list[Any]]:
    layers: list[list[Any]] = [[]]
    for token in tokens:
        if token.type == "literal" and token.value == ",":
            layers.append([])
        else:
            layers[-1].append(token)
    return layers


def _is_image(token: Any) -> bool:
    return token.type == "url" or (
        token.type == "function"
        and (
            token.lower_name in ("url", "element", "paint", "cross-fade", "image")
            or "gradient" in token.lower_name
            or "image-set" in token.lower_name
        )
    )


def _images(tokens: list[Any]) -> tuple[Any, ...] | str | None:
    """None for no picture, the colours of gradients, ``"unknown"`` for pictures that are not loaded."""
    if not tokens:
        return None
    colors: list[Any] = []
    for token in tokens:
        if token.type != "function" or "gradient" not in token.lower_name:
            return "unknown"
        colors.extend(found for part in token.arguments if (found := color.parse(part)) is not None)
    return tuple(colors) or "unknown"


def _background_image(tokens: list[Any]) -> Longhands:
    return [("background-image", _images([token for token in tokens if _is_image(token)]))]


def _background_clip(tokens: list[Any]) -> Longhands:
    words = [token.lower_value for token in tokens if token.type == "ident"]
    return [("background-clip", "text" if "text" in words else "border-box")] if words else None


def _text_shadow(tokens: list[Any]) -> Longhands:
    if _word(tokens) == "none":
        return [("text-shadow", ())]
    found = tuple(value for token in tokens if isinstance(value := color.parse(token), tuple))
    return [("text-shadow", found)]


def _decoration(tokens: list[Any]) -> Longhands:
    words = [token.lower_value for token in tokens if token.type == "ident"]
    return [("text-decoration", "line-through" in words)]


def _filter(tokens: list[Any]) -> Longhands:
    found = Filter() if _word(tokens) == "none" else filter_of(tokens)
    return None if found is None else [("filter", found)]


def _mask(tokens: list[Any]) -> Longhands:
    return [("mask", mask_opacity(tokens))]


def _zoom(tokens: list[Any]) -> Longhands:
    """A factor; none at all is none (CSS Viewport 1)."""
    if _word(tokens) in ("normal", "reset"):
        return [("zoom", 1.0)]
    found = length.parse_number(tokens[0]) if len(tokens) == 1 else None
    return None if found is None or found < 0 else [("zoom", found or 1.0)]


def _line_height(tokens: list[Any]) -> Longhands:
    """Lines without height are all that matters: True for one below a tenth of the letters."""
    if _word(tokens) == "normal":
        return [("line-height", False)]
    if len(tokens) != 1:
        return None
    value = tokens[0].value if tokens[0].type == "number" else None
    found = length.parse(tokens[0]) if value is None else Length(ems=value)
    return None if found is None else [("line-height", found.usual < 0.1 * view.FONT_SIZE)]


def _contain(tokens: list[Any]) -> Longhands:
    """Whether what overflows is cut off."""
    words = {token.lower_value for token in tokens if token.type == "ident"}
    return [("contain", bool(words & {"strict", "content", "paint"}))] if words else None


def _stroke(tokens: list[Any]) -> Longhands:
    found: list[tuple[str, Any]] = []
    for token in tokens:
        drawn = color.parse(token)
        if drawn is not None:
            found.append(("stroke-color", drawn))
        else:
            found += _stroke_width([token]) or ()
    return found or None


def _stroke_width(tokens: list[Any]) -> Longhands:
    word = _word(tokens)
    width = Length(pixels=_WIDTHS[word]) if word in _WIDTHS else length.parse(tokens[0])
    return [("stroke-width", width)] if width is not None else None


_WIDTHS = {"thin": 1.0, "medium": 3.0, "thick": 5.0}


def _clip(tokens: list[Any]) -> Longhands:
    return [("clip", is_empty_clip(tokens[0]))] if len(tokens) == 1 else None


def _clip_path(tokens: list[Any]) -> Longhands:
    if not any(token.type == "function" for token in tokens):
        return [("clip-path", None)]
    return [("clip-path", any(is_empty_path(token) for token in tokens))]


def _transform(tokens: list[Any]) -> Longhands:
    found = Shift() if _word(tokens) == "none" else transform_of(tokens)
    return None if found is None else [("transform", found)]


def _translate(tokens: list[Any]) -> Longhands:
    if _word(tokens) == "none":
        return [("translate", Shift())]
    parts = [length.parse(token) for token in tokens]
    if any(part is None for part in parts) or len(parts) > 3:
        return None
    return [("translate", Shift(parts[0] or length.ZERO, (parts[1] if len(parts) > 1 else None) or length.ZERO))]


def _scale(tokens: list[Any]) -> Longhands:
    if _word(tokens) == "none":
        return [("scale", Shift())]
    values = [length.parse_number(token) for token in tokens]
    if None in values:
        return None
    return [("scale", Shift(flat=any(value is not None and abs(value) < 0.05 for value in values[:2])))]


def _rotate(tokens: list[Any]) -> Longhands:
    if _word(tokens) == "none":
        return [("rotate", Shift())]
    axis = next((token.lower_value for token in tokens if token.type == "ident"), "z")
    numbers = [token.value for token in tokens if token.type == "number"]
    x, y, z = numbers if len(numbers) == 3 else (float(axis == "x"), float(axis == "y"), float(axis == "z"))
    angle = next((token for token in tokens if token.type == "dimension"), None)
    return [("rotate", Shift(flat=rotation_flattens(x, y, z, angle)))] if angle is not None else None


_WHITE_SPACES = {
    "normal": "normal",
    "nowrap": "nowrap",
    "pre": "pre",
    "pre-wrap": "pre",
    "break-spaces": "pre",
    "pre-line": "pre-line",
    "preserve": "pre",
    "preserve-breaks": "pre-line",
    "collapse": "normal",
}


def _white_space(tokens: list[Any]) -> Longhands:
    words = [token.lower_value if token.type == "ident" else "" for token in tokens]
    modes = [_WHITE_SPACES[word] for word in words if word in _WHITE_SPACES]
    return [("white-space", modes[0])] if modes else None


def _animation(tokens: list[Any]) -> Longhands:
    """Every word and string that may be a name, and whether the last frame stays."""
    words = [token.value for token in tokens if token.type in ("ident", "string")]
    return [("animation-name", tuple(words)), ("animation-fill-mode", bool({"forwards", "both"} & set(words)))]


def _animation_name(tokens: list[Any]) -> Longhands:
    return [("animation-name", tuple(token.value for token in tokens if token.type in ("ident", "string")))]


def _animation_fill(tokens: list[Any]) -> Longhands:
    return [
        ("animation-fill-mode", any(token.type == "ident" and token.value in ("forwards", "both") for token in tokens))
    ]


def _z_index(tokens: list[Any]) -> Longhands:
    if _word(tokens) == "auto":
        return [("z-index", None)]
    return [("z-index", tokens[0].int_value)] if tokens[0].type == "number" and tokens[0].is_integer else None


def _vertical_align(tokens: list[Any]) -> Longhands:
    """A keyword, or how far the box is raised; percentages are of the line height, 1.2 em as a rule."""
    word = _word(tokens)
    if word is not None:
        return [("vertical-align", word)] if word in _ALIGNMENTS else None
    found = length.parse(tokens[0]) if len(tokens) == 1 else None
    return None if found is None else [("vertical-align", Length(found.pixels, found.ems + 1.2 * found.percent))]


_ALIGNMENTS = frozenset({"baseline", "sub", "super", "top", "text-top", "middle", "bottom", "text-bottom"})


def _content(tokens: list[Any]) -> Longhands:
    """What ``::before`` or ``::after`` generates: False for no box, ``"words"``, True for a box without any.

    The attributes whose values it shows are given by their names. Icons are no words: they stand in private use areas.
    """
    if _word(tokens) in ("none", "normal"):
        return [("content", False)]
    functions = [token for token in tokens if token.type == "function"]
    strings = [token.value for token in tokens if token.type == "string"]
    if any(character.isalnum() for value in strings for character in value):
        return [("content", "words")]
    if any(token.lower_name in ("counter", "counters") for token in functions):
        return [("content", "words")]
    shown = [part.value for token in functions if token.lower_name == "attr" for part in token.arguments[:1]]
    return [("content", tuple(shown) or True)]


def _container(tokens: list[Any]) -> list[tuple[str, Any]]:
    """``names / type``."""
    bar = next((index for index, token in enumerate(tokens) if token.type == "literal"), len(tokens))
    kind = _word(tokens[bar + 1 :]) or "normal"
    names = tuple(token.value for token in tokens[:bar] if token.type == "ident" and token.lower_value != "none")
    return [("container-name", names), ("container-type", kind)]


def _container_name(tokens: list[Any]) -> Longhands:
    return _container(tokens)[:1]


def _container_type(tokens: list[Any]) -> Longhands:
    words = [token.lower_value for token in tokens if token.type == "ident"]
    return [("container-type", next((word for word in words if word.endswith("size")), "normal"))]


def _all(tokens: list[Any]) -> Longhands:
    return None if tokens else ()


_POSITIONS = frozenset({"static", "relative", "absolute", "fixed", "sticky"})
_AUTO_SIZES = ("auto", "none", "min-content", "max-content", "fit-content", "stretch", "-webkit-fill-available")

READERS: dict[str, Callable[[list[Any]], Longhands]] = {
    "all": _all,
    "display": _display,
    "visibility": _keyword("visibility", frozenset({"visible", "hidden", "collapse"})),
    "opacity": _fraction("opacity"),
    "mask": _mask,
    "mask-image": _mask,
    "-webkit-mask": _mask,
    "-webkit-mask-image": _mask,
    "zoom": _zoom,
    "line-height": _line_height,
    "contain": _contain,
    "-webkit-text-stroke": _stroke,
    "-webkit-text-stroke-color": _color("stroke-color"),
    "-webkit-text-stroke-width": _stroke_width,
    "filter": _filter,
    "color": _color("color"),
    "-webkit-text-fill-color": _color("fill"),
    "background-color": _color("background-color"),
    "background": _background,
    "background-image": _background_image,
    "background-clip": _background_clip,
    "-webkit-background-clip": _background_clip,
    "text-shadow": _text_shadow,
    "text-decoration": _decoration,
    "text-decoration-line": _decoration,
    "font-size": _font_size,
    "font": _font,
    "position": _keyword("position", _POSITIONS | {"-webkit-sticky"}),
    "float": _keyword("float", frozenset({"none", "left", "right", "inline-start", "inline-end"})),
    "overflow": _overflow,
    "overflow-x": _keyword("overflow-x", _OVERFLOWS),
    "overflow-y": _keyword("overflow-y", _OVERFLOWS),
    "width": _size("width", *_AUTO_SIZES),
    "height": _size("height", *_AUTO_SIZES),
    "inline-size": _size("width", *_AUTO_SIZES),
    "block-size": _size("height", *_AUTO_SIZES),
    "max-width": _size("max-width", *_AUTO_SIZES),
    "max-height": _size("max-height", *_AUTO_SIZES),
    "min-width": _size("min-width", *_AUTO_SIZES),
    "min-height": _size("min-height", *_AUTO_SIZES),
    "max-inline-size": _size("max-width", *_AUTO_SIZES),
    "max-block-size": _size("max-height", *_AUTO_SIZES),
    "min-inline-size": _size("min-width", *_AUTO_SIZES),
    "min-block-size": _size("min-height", *_AUTO_SIZES),
    "overflow-inline": _keyword("overflow-x", _OVERFLOWS),
    "overflow-block": _keyword("overflow-y", _OVERFLOWS),
    "left": _size("left", "auto"),
    "right": _size("right", "auto"),
    "top": _size("top", "auto"),
    "bottom": _size("bottom", "auto"),
    "inset": _sides("%s", "auto"),
    "inset-inline-start": _size("left", "auto"),
    "inset-inline-end": _size("right", "auto"),
    "inset-block-start": _size("top", "auto"),
    "inset-block-end": _size("bottom", "auto"),
    "inset-inline": _pair("left", "right", "auto"),
    "inset-block": _pair("top", "bottom", "auto"),
    "margin": _sides("margin-%s", "auto"),
    "margin-inline": _pair("margin-left", "margin-right", "auto"),
    "margin-block": _pair("margin-top", "margin-bottom", "auto"),
    "margin-inline-end": _size("margin-right", "auto"),
    "margin-block-start": _size("margin-top", "auto"),
    "padding-inline": _pair("padding-left", "padding-right"),
    "padding-block": _pair("padding-top", "padding-bottom"),
    "padding-inline-start": _size("padding-left"),
    "padding-inline-end": _size("padding-right"),
    "padding-block-start": _size("padding-top"),
    "padding-block-end": _size("padding-bottom"),
    "margin-left": _size("margin-left", "auto"),
    "margin-right": _size("margin-right", "auto"),
    "margin-inline-start": _size("margin-left", "auto"),
    "margin-top": _size("margin-top", "auto"),
    "padding": _sides("padding-%s"),
    "padding-left": _size("padding-left"),
    "padding-right": _size("padding-right"),
    "padding-top": _size("padding-top"),
    "padding-bottom": _size("padding-bottom"),
    "text-indent": _size("text-indent"),
    "clip": _clip,
    "clip-path": _clip_path,
    "-webkit-clip-path": _clip_path,
    "transform": _transform,
    "-webkit-transform": _transform,
    "translate": _translate,
    "scale": _scale,
    "rotate": _rotate,
    "white-space": _white_space,
    "white-space-collapse": _white_space,
    "vertical-align": _vertical_align,
    "font-variant-position": _keyword("font-variant-position", frozenset({"normal", "sub", "super"})),
    "content-visibility": _keyword("content-visibility", frozenset({"visible", "auto", "hidden"})),
    "z-index": _z_index,
    "content": _content,
    "container": _container,
    "container-name": _container_name,
    "container-type": _container_type,
    "animation": _animation,
    "animation-name": _animation_name,
    "animation-fill-mode": _animation_fill,
    "unicode-bidi": _keyword(
        "unicode-bidi",
        frozenset({"normal", "embed", "isolate", "bidi-override", "isolate-override", "plaintext"}),
    ),
    "-webkit-text-security": _keyword("text-security", frozenset({"none", "disc", "circle", "square"})),
}
LONGHANDS: dict[str, tuple[str, ...]] = {
    "all": ("all",),
    "background": ("background-color", "background-image", "background-clip"),
    "-webkit-background-clip": ("background-clip",),
    "-webkit-text-fill-color": ("fill",),
    "-webkit-text-stroke": ("stroke-width", "stroke-color"),
    "-webkit-text-stroke-width": ("stroke-width",),
    "-webkit-text-stroke-color": ("stroke-color",),
    "mask-image": ("mask",),
    "-webkit-mask": ("mask",),
    "-webkit-mask-image": ("mask",),
    "-webkit-text-security": ("text-security",),
    "text-decoration-line": ("text-decoration",),
    "font": ("font-size", "line-height"),
    "overflow": ("overflow-x", "overflow-y"),
    "inline-size": ("width",),
    "block-size": ("height",),
    "max-inline-size": ("max-width",),
    "max-block-size": ("max-height",),
    "min-inline-size": ("min-width",),
    "min-block-size": ("min-height",),
    "overflow-inline": ("overflow-x",),
    "overflow-block": ("overflow-y",),
    "inset-inline": ("left", "right"),
    "inset-block": ("top", "bottom"),
    "margin-inline": ("margin-left", "margin-right"),
    "margin-block": ("margin-top", "margin-bottom"),
    "margin-inline-end": ("margin-right",),
    "margin-block-start": ("margin-top",),
    "padding-inline": ("padding-left", "padding-right"),
    "padding-block": ("padding-top", "padding-bottom"),
    "padding-inline-start": ("padding-left",),
    "padding-inline-end": ("padding-right",),
    "padding-block-start": ("padding-top",),
    "padding-block-end": ("padding-bottom",),
    "inset": _SIDES,
    "inset-inline-start": ("left",),
    "inset-inline-end": ("right",),
    "inset-block-start": ("top",),
    "inset-block-end": ("bottom",),
    "margin": tuple(f"margin-{side}" for side in _SIDES),
    "margin-inline-start": ("margin-left",),
    "padding": tuple(f"padding-{side}" for side in _SIDES),
    "-webkit-clip-path": ("clip-path",),
    "-webkit-transform": ("transform",),
    "white-space-collapse": ("white-space",),
    "container": ("container-name", "container-type"),
    "animation": ("animation-name", "animation-fill-mode"),
}
# A style attribute without any of these names no property above.
HINTS = (
    "all", "display", "visibility", "opacity", "filter", "color", "background", "text-", "font", "position", "float",
    "overflow", "width", "height", "size", "left", "right", "top", "bottom", "inset", "margin", "padding", "clip",
    "transform", "translate", "scale", "rotate", "white-space", "z-index", "animation", "unicode-bidi",
    "vertical-align", "contain", "mask", "zoom", "line-height",
)  # fmt: skip
