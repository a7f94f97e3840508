"""Colours: parsing, blending and contrast, in sRGB with components and alpha from 0 to 1."""

import math
from typing import Any, TypeAlias

import tinycss2
import tinycss2.color5

Color: TypeAlias = tuple[float, float, float, float]

WHITE: Color = (1.0, 1.0, 1.0, 1.0)
BLACK: Color = (0.0, 0.0, 0.0, 1.0)
TRANSPARENT: Color = (0.0, 0.0, 0.0, 0.0)
LINK: Color = (0.0, 0.0, 238 / 255, 1.0)

# CSS Color 4, system colours in a light scheme, as Chromium paints them.
_SYSTEM: dict[str, Color] = {
    "canvas": WHITE,
    "canvastext": BLACK,
    "linktext": LINK,
    "visitedtext": (85 / 255, 26 / 255, 139 / 255, 1.0),
    "buttonface": (240 / 255, 240 / 255, 240 / 255, 1.0),
    "buttontext": BLACK,
    "field": WHITE,
    "fieldtext": BLACK,
    "graytext": (128 / 255, 128 / 255, 128 / 255, 1.0),
    "highlight": (25 / 255, 103 / 255, 210 / 255, 1.0),
    "highlighttext": WHITE,
    "mark": (1.0, 1.0, 0.0, 1.0),
    "marktext": BLACK,
}
_CURRENT = "currentcolor"


def parse(token: Any) -> Color | str | None:
    """The colour of a component value; ``"currentcolor"``; None where it is no colour."""
    if token.type == "ident" and token.lower_value in _SYSTEM:
        return _SYSTEM[token.lower_value]
    if token.type == "function" and token.lower_name in ("lab", "lch", "oklab", "oklch"):
        return _from_lab(token)
    if token.type == "function" and token.lower_name == "color-mix":
        return _mixed(token)
    if token.type not in ("ident", "hash", "function"):
        return None
    try:
        found: Any = tinycss2.color5.parse_color(token)
        if found is None:
            return None
        if isinstance(found, str):
            return _CURRENT
        red, green, blue = (0.0 if value is None else value for value in found.to("srgb").coordinates)
    except (NotImplementedError, ValueError, TypeError):
        return None
    return _clamped(red, green, blue, found.alpha)


def parse_legacy(value: str) -> Color | None:
    """A colour of a presentational attribute (``bgcolor``, ``color``): a name or hex digits, with or without ``#``."""
    value = value.strip()
    token = next(iter(tinycss2.parse_component_value_list(value)), None) if value else None
    found = parse(token) if token is not None else None
    if isinstance(found, tuple):
        return found
    digits = "".join(character if character in "0123456789abcdefABCDEF" else "0" for character in value.lstrip("#"))
    if not digits or (not value.startswith("#") and not any(character.isdigit() for character in value)):
        return None
    size = -(-len(digits) // 3)
    parts = [digits.ljust(3 * size, "0")[index * size : (index + 1) * size][-8:] for index in range(3)]
    scale = 16 ** min(len(parts[0]), 2) - 1
    red, green, blue = (int(part[:2], 16) / scale for part in parts)
    return _clamped(red, green, blue, 1.0)


def over(top: Color, below: Color) -> Color:
    """`top` painted over the opaque `below`."""
    red, green, blue, alpha = top
    if alpha >= 1:
        return top
    return (
        red * alpha + below[0] * (1 - alpha),
        green * alpha + below[1] * (1 - alpha),
        blue * alpha + below[2] * (1 - alpha),
        1.0,
    )


def contrast(one: Color, other: Color) -> float:
    """WCAG 2 contrast ratio of two opaque colours, 1 (the same) to 21."""
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def difference(one: Color, other: Color) -> float:
    """The greatest distance of one component, 0 to 1: blue on red has little contrast and is still seen."""
    return max(abs(one[index] - other[index]) for index in range(3))


def _luminance(color: Color) -> float:
    linear = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in color[:3]]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _clamped(red: float, green: float, blue: float, alpha: float | None) -> Color:
    red, green, blue = (min(max(value, 0.0), 1.0) for value in (red, green, blue))
    return red, green, blue, 1.0 if alpha is None else min(max(alpha, 0.0), 1.0)


def _from_lab(token: Any) -> Color | None:
    """CIE Lab and LCH, Oklab and OKLCH (CSS Color 4, 9 and the sample code of its section 18)."""
    name = token.lower_name
    ok = name.startswith("ok")
    scales = (1.0 if ok else 100.0, 0.4 if ok else (150.0 if name == "lch" else 125.0))
    values: list[float] = []
    for part in token.arguments:
        if part.type == "percentage":
            values.append(part.value / 100 * (scales[0] if not values else scales[1] if len(values) < 3 else 1.0))
        elif part.type in ("number", "dimension"):
            values.append(part.value)
        elif part.type == "ident" and part.lower_value == "none":
            values.append(0.0)
    if len(values) < 3:
        return None
    light, first, second = values[:3]
    if name.endswith("lch"):
        first, second = first * math.cos(math.radians(second)), first * math.sin(math.radians(second))
    linear = _linear_from_oklab(light, first, second) if ok else _linear_from_lab(light, first, second)
    encoded = [12.92 * v if v <= 0.0031308 else 1.055 * v ** (1 / 2.4) - 0.055 for v in (max(v, 0.0) for v in linear)]
    return _clamped(encoded[0], encoded[1], encoded[2], values[3] if len(values) > 3 else 1.0)


def _linear_from_oklab(light: float, a: float, b: float) -> tuple[float, float, float]:
    long = (light + 0.3963377774 * a + 0.2158037573 * b) ** 3
    medium = (light - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (light - 0.0894841775 * a - 1.2914855480 * b) ** 3
    return (
        4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
        -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
        -0.0041960863 * long - 0.7034186147 * medium + 1.7076147010 * short,
    )


def _linear_from_lab(light: float, a: float, b: float) -> tuple[float, float, float]:
    middle = (light + 16) / 116
    x, y, z = (
        value**3 if value**3 > 216 / 24389 else (116 * value - 16) * 27 / 24389
        for value in (middle + a / 500, middle, middle - b / 200)
    )
    x, z = x * 0.3457 / 0.3585, z * (1 - 0.3457 - 0.3585) / 0.3585
    return (  # XYZ (D50) to linear sRGB
        3.1341359569 * x - 1.6172863 * y - 0.4906941 * z,
        -0.9787955 * x + 1.9162544 * y + 0.0334427 * z,
        0.0719554 * x - 0.2289768 * y + 1.4053860 * z,
    )


def _mixed(token: Any) -> Color | None:
    """``color-mix()``, mixed in sRGB whatever space it names: near enough to tell seen from unseen."""
    colors: list[Color] = []
    weights: list[float | None] = []
    for part in token.arguments:
        found = parse(part) if part.type != "ident" or part.lower_value not in ("in", "srgb", "oklab", "lab") else None
        if isinstance(found, tuple):
            colors.append(found)
            weights.append(None)
        elif part.type == "percentage" and colors:
            weights[-1] = part.value / 100
    if len(colors) != 2:
        return None
    first, second = weights
    share = first if first is not None else 1 - second if second is not None else 0.5
    mixed = [one * share + other * (1 - share) for one, other in zip(colors[0], colors[1], strict=True)]
    return _clamped(mixed[0], mixed[1], mixed[2], mixed[3])
