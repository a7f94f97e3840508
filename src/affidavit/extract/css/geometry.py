"""Transforms and clips that leave nothing to see, and those that move a box away."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from affidavit.extract.css import length
from affidavit.extract.css.length import ZERO, Length

# Scaled below this, text of any usual size is under a pixel high.
_FLAT = 0.05
_DEGREES = {"deg": 1.0, "grad": 0.9, "rad": 180 / math.pi, "turn": 360.0}


@dataclass(frozen=True, slots=True)
class Shift:
    """What transforms do to a box: how far it moves, and whether nothing of it is left (`flat`)."""

    x: Length = ZERO
    y: Length = ZERO
    flat: bool = False


def transform_of(tokens: Sequence[Any]) -> Shift | None:
    """The sum of a ``transform`` list; None where it is invalid."""
    x, y, flat = ZERO, ZERO, False
    for token in tokens:
        if token.type != "function":
            return None
        arguments = [part for part in token.arguments if part.type not in ("whitespace", "comment")]
        arguments = [part for part in arguments if part.type != "literal" or part.value != ","]
        reader = _TRANSFORMS.get(token.lower_name)
        if not arguments or reader is None:
            return None
        moved = reader(arguments)
        x, y, flat = x.plus(moved.x), y.plus(moved.y), flat or moved.flat
    return Shift(x, y, flat)


def rotation_flattens(angle: Any) -> bool:
    """Whether a turn about the x or y axis leaves the box edge on."""
    degrees = angle.value * _DEGREES.get(angle.lower_unit, 0.0)
    return abs(math.cos(math.radians(degrees))) < _FLAT


def _length(token: Any) -> Length:
    return length.parse(token) or ZERO


def _number(token: Any) -> float:
    value = length.parse_number(token)
    return 1.0 if value is None else value


def _is_flat(*values: float) -> bool:
    return any(abs(value) < _FLAT for value in values)


def _matrix(arguments: Sequence[Any]) -> Shift:
    values = [_number(token) for token in arguments]
    if len(values) == 6:
        a, b, c, d, x, y = values
    elif len(values) == 16:
        a, b, c, d, x, y = values[0], values[1], values[4], values[5], values[12], values[13]
    else:
        return Shift()
    return Shift(Length(pixels=x), Length(pixels=y), _is_flat(a * d - b * c))


def _about_axis(arguments: Sequence[Any]) -> Shift:
    return Shift(flat=arguments[0].type == "dimension" and rotation_flattens(arguments[0]))


def _no_effect(_arguments: Sequence[Any]) -> Shift:
    return Shift()


_TRANSFORMS: dict[str, Callable[[Sequence[Any]], Shift]] = {
    "translate": lambda arguments: Shift(_length(arguments[0]), _length(arguments[1]) if len(arguments) > 1 else ZERO),
    "translatex": lambda arguments: Shift(x=_length(arguments[0])),
    "translatey": lambda arguments: Shift(y=_length(arguments[0])),
    "translatez": _no_effect,
    "translate3d": lambda arguments: Shift(
        _length(arguments[0]), _length(arguments[1]) if len(arguments) > 1 else ZERO
    ),
    "scale": lambda arguments: Shift(flat=_is_flat(*(_number(token) for token in arguments))),
    "scalex": lambda arguments: Shift(flat=_is_flat(_number(arguments[0]))),
    "scaley": lambda arguments: Shift(flat=_is_flat(_number(arguments[0]))),
    "scalez": _no_effect,
    "scale3d": lambda arguments: Shift(flat=_is_flat(*(_number(token) for token in arguments[:2]))),
    "rotate": _no_effect,
    "rotatez": _no_effect,
    "rotatex": _about_axis,
    "rotatey": _about_axis,
    "rotate3d": _no_effect,
    "skew": _no_effect,
    "skewx": _no_effect,
    "skewy": _no_effect,
    "perspective": _no_effect,
    "matrix": _matrix,
    "matrix3d": _matrix,
}


def is_empty_clip(token: Any) -> bool | None:
    """Whether ``clip: rect(top right bottom left)`` leaves less than two pixels either way."""
    if token.type != "function" or token.lower_name != "rect":
        return False
    edges = [part for part in token.arguments if part.type not in ("whitespace", "comment", "literal")]
    if len(edges) != 4:
        return False
    top, right, bottom, left = (None if edge.type == "ident" else _length(edge).usual for edge in edges)
    if top is not None and bottom is not None and bottom - top < 2:
        return True
    return right is not None and left is not None and right - left < 2


def is_empty_path(token: Any) -> bool:
    """Whether a ``clip-path`` shape encloses nothing."""
    if token.type != "function":
        return False
    parts = [part for part in token.arguments if part.type not in ("whitespace", "comment")]
    shape = token.lower_name
    if shape in ("circle", "ellipse"):
        radii: list[Any] = []
        for part in parts:
            if part.type == "ident" and part.lower_value == "at":
                break
            radii.append(part)
        return any((found := length.parse(radius)) is not None and found.usual < 1 for radius in radii)
    if shape == "inset":
        return _is_empty_inset(parts)
    if shape == "polygon":
        return _polygon_area(parts) < 2
    if shape in ("rect", "xywh"):
        return _is_empty_box(shape, parts)
    return shape == "path" and not any(part.type == "string" and len(part.value.strip()) > 8 for part in parts)


def _is_empty_inset(parts: Sequence[Any]) -> bool:
    edges: list[Length] = []
    for part in parts:
        found = length.parse(part)
        if found is None:
            break
        edges.append(found)
    if not edges:
        return False
    top = edges[0]
    right = edges[1] if len(edges) > 1 else top
    bottom = edges[2] if len(edges) > 2 else top
    left = edges[3] if len(edges) > 3 else right
    pairs = (top.plus(bottom), right.plus(left))
    return any(pair.percent >= 0.99 or pair.usual - pair.percent * 1280 >= 3000 for pair in pairs)


def _polygon_area(parts: Sequence[Any]) -> float:
    """Shoelace formula in a box of 1,000 by 1,000; percentages count of that."""
    values = [found.resolve(16.0, 1000.0) for part in parts if (found := length.parse(part)) is not None]
    points = list(zip(values[0::2], values[1::2], strict=False))
    pairs = zip(points, points[1:] + points[:1], strict=True)
    return abs(sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in pairs)) / 2


def _is_empty_box(shape: str, parts: Sequence[Any]) -> bool:
    values = [length.parse(part) for part in parts[:4]]
    if len(values) < 4:
        return False
    if shape == "xywh":
        return any(value is not None and value.usual < 2 for value in values[2:])
    top, right, bottom, left = values
    if top is not None and bottom is not None and bottom.plus(top, -1).usual < 2:
        return True
    return right is not None and left is not None and right.plus(left, -1).usual < 2
