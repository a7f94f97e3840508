"""Transforms and clips that leave nothing to see, and those that move a box away."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

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


Matrix: TypeAlias = tuple[tuple[float, ...], ...]


def transform_of(tokens: Sequence[Any]) -> Shift | None:
    """What a ``transform`` list does as a whole; None where it is invalid.

    Shifts are summed as they stand, since they may be percentages of a box that is not known; whether anything is left
    to see comes from the product of all matrices, projected onto the page.
    """
    x, y, product = ZERO, ZERO, _IDENTITY
    for token in tokens:
        if token.type != "function":
            return None
        arguments = [part for part in token.arguments if part.type not in ("whitespace", "comment")]
        arguments = [part for part in arguments if part.type != "literal" or part.value != ","]
        reader = _TRANSFORMS.get(token.lower_name)
        if not arguments or reader is None:
            return None
        moved, matrix = reader(arguments)
        x, y, product = x.plus(moved.x), y.plus(moved.y), _times(product, matrix)
    return Shift(x, y, _vanishes(product))


def rotation_flattens(x: float, y: float, z: float, angle: Any) -> bool:
    """Whether a turn about an axis leaves the box edge on."""
    return _vanishes(_rotation(x, y, z, _radians(angle)))


def _times(one: Matrix, other: Matrix) -> Matrix:
    columns = tuple(zip(*other, strict=True))
    return tuple(tuple(sum(a * b for a, b in zip(row, column, strict=True)) for column in columns) for row in one)


def _vanishes(matrix: Matrix) -> bool:
    """Whether the middle of the box lies behind the eye, or one of its directions shrinks to nothing."""
    x, y, w = matrix[0][3], matrix[1][3], matrix[3][3]
    if not 1e-9 < w < 1e12:
        return True
    a, b, c, d = (
        (matrix[row][column] - (x, y)[row] * matrix[3][column] / w) / w for row in (0, 1) for column in (0, 1)
    )
    square, area = a * a + b * b + c * c + d * d, abs(a * d - b * c)
    if not square < 1e24:
        return False
    smallest = math.sqrt(max(square - math.sqrt(max(square * square - 4 * area * area, 0.0)), 0.0) / 2)
    return smallest < _FLAT


def _radians(token: Any) -> float:
    return math.radians(token.value * _DEGREES.get(token.lower_unit, 0.0)) if token.type == "dimension" else 0.0


def _length(token: Any) -> Length:
    return length.parse(token) or ZERO


def _number(token: Any) -> float:
    value = length.parse_number(token)
    return 1.0 if value is None else value


def _rows(*values: float) -> Matrix:
    return tuple(tuple(values[row * 4 : row * 4 + 4]) for row in range(4))


_IDENTITY = _rows(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)


def _moved(x: float, y: float, z: float) -> Matrix:
    return _rows(1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z, 0, 0, 0, 1)


def _scaled(x: float, y: float, z: float) -> Matrix:
    return _rows(x, 0, 0, 0, 0, y, 0, 0, 0, 0, z, 0, 0, 0, 0, 1)


def _rotation(x: float, y: float, z: float, angle: float) -> Matrix:
    """CSS Transforms 2, 12: the turn by `angle` about the axis (x, y, z)."""
    size = math.sqrt(x * x + y * y + z * z)
    if not 0 < size < 1e12:
        return _IDENTITY
    x, y, z = x / size, y / size, z / size
    c, s = math.cos(angle), math.sin(angle)
    t = 1 - c
    return _rows(
        t * x * x + c, t * x * y - s * z, t * x * z + s * y, 0,
        t * x * y + s * z, t * y * y + c, t * y * z - s * x, 0,
        t * x * z - s * y, t * y * z + s * x, t * z * z + c, 0,
        0, 0, 0, 1,
    )  # fmt: skip


Step: TypeAlias = tuple[Shift, Matrix]


def _translation(x: Any = None, y: Any = None, z: Any = None) -> Step:
    """A shift across the page counts as a sum of lengths, one towards the reader in the matrix."""
    shift = Shift(_length(x) if x is not None else ZERO, _length(y) if y is not None else ZERO)
    return shift, _moved(0, 0, _length(z).usual if z is not None else 0)


def _scale(arguments: Sequence[Any]) -> Step:
    values = [_number(token) for token in arguments]
    return Shift(), _scaled(values[0], values[1] if len(values) > 1 else values[0], 1)


def _rotate3d(arguments: Sequence[Any]) -> Step:
    if len(arguments) != 4:
        return Shift(), _IDENTITY
    x, y, z = (_number(token) for token in arguments[:3])
    return Shift(), _rotation(x, y, z, _radians(arguments[3]))


def _perspective(arguments: Sequence[Any]) -> Step:
    if arguments[0].type == "ident":
        return Shift(), _IDENTITY
    distance = max(_length(arguments[0]).usual, 1.0)
    return Shift(), _rows(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, -1 / distance, 1)


def _matrix(arguments: Sequence[Any]) -> Step:
    values = [_number(token) for token in arguments]
    if len(values) == 6:
        a, b, c, d, x, y = values
        return Shift(Length(pixels=x), Length(pixels=y)), _rows(a, c, 0, 0, b, d, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)
    if len(values) == 16:
        columns = [tuple(values[start : start + 4]) for start in (0, 4, 8, 12)]
        x, y = values[12], values[13]
        columns[3] = (0.0, 0.0, values[14], values[15])
        return Shift(Length(pixels=x), Length(pixels=y)), tuple(zip(*columns, strict=True))
    return Shift(), _IDENTITY


def _no_effect(_arguments: Sequence[Any]) -> Step:
    return Shift(), _IDENTITY


_TRANSFORMS: dict[str, Callable[[Sequence[Any]], Step]] = {
    "translate": lambda arguments: _translation(*arguments[:2]),
    "translatex": lambda arguments: _translation(arguments[0]),
    "translatey": lambda arguments: _translation(None, arguments[0]),
    "translatez": lambda arguments: _translation(None, None, arguments[0]),
    "translate3d": lambda arguments: _translation(*arguments[:3]),
    "scale": _scale,
    "scalex": lambda arguments: (Shift(), _scaled(_number(arguments[0]), 1, 1)),
    "scaley": lambda arguments: (Shift(), _scaled(1, _number(arguments[0]), 1)),
    "scalez": lambda arguments: (Shift(), _scaled(1, 1, _number(arguments[0]))),
    "scale3d": _scale,
    "rotate": lambda arguments: (Shift(), _rotation(0, 0, 1, _radians(arguments[0]))),
    "rotatez": lambda arguments: (Shift(), _rotation(0, 0, 1, _radians(arguments[0]))),
    "rotatex": lambda arguments: (Shift(), _rotation(1, 0, 0, _radians(arguments[0]))),
    "rotatey": lambda arguments: (Shift(), _rotation(0, 1, 0, _radians(arguments[0]))),
    "rotate3d": _rotate3d,
    "skew": _no_effect,
    "skewx": _no_effect,
    "skewy": _no_effect,
    "perspective": _perspective,
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
