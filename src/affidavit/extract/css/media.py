"""Whether a media query, ``@supports`` condition or container query holds for the one view we have."""

from collections.abc import Sequence
from typing import Any

from affidavit.extract.css import length, view
from affidavit.extract.css.declaration import mentions_var, read
from affidavit.extract.css.known import KNOWN_PROPERTIES
from affidavit.extract.css.properties import READERS
from affidavit.extract.css.selector import InvalidSelector, parse

_RESOLUTION = 1.0
# Discrete features and the values that are true of a desktop browser with default settings (Media Queries 5).
_DISCRETE: dict[str, frozenset[str]] = {
    "orientation": frozenset({"landscape"}),
    "prefers-color-scheme": frozenset({"light"}),
    "prefers-reduced-motion": frozenset({"no-preference"}),
    "prefers-reduced-transparency": frozenset({"no-preference"}),
    "prefers-reduced-data": frozenset({"no-preference"}),
    "prefers-contrast": frozenset({"no-preference"}),
    "forced-colors": frozenset({"none"}),
    "inverted-colors": frozenset({"none"}),
    "hover": frozenset({"hover"}),
    "any-hover": frozenset({"hover"}),
    "pointer": frozenset({"fine"}),
    "any-pointer": frozenset({"fine"}),
    "scripting": frozenset({"enabled"}),
    "update": frozenset({"fast"}),
    "overflow-block": frozenset({"scroll"}),
    "overflow-inline": frozenset({"scroll"}),
    "display-mode": frozenset({"browser"}),
    "scan": frozenset({"progressive"}),
    "color-gamut": frozenset({"srgb"}),
    "dynamic-range": frozenset({"standard"}),
}
_NUMERIC: dict[str, float] = {
    "width": view.WIDTH,
    "device-width": view.WIDTH,
    "inline-size": view.WIDTH,
    "height": view.HEIGHT,
    "device-height": view.HEIGHT,
    "block-size": view.HEIGHT,
    "aspect-ratio": view.WIDTH / view.HEIGHT,
    "device-aspect-ratio": view.WIDTH / view.HEIGHT,
    "resolution": _RESOLUTION,
    "-webkit-device-pixel-ratio": _RESOLUTION,
    "color": 8.0,
    "color-index": 0.0,
    "monochrome": 0.0,
    "grid": 0.0,
}
_OFF = frozenset({"none", "no-preference"})
_TYPES = {"all": True, "screen": True}
_MAX_DEPTH = 16


def holds(tokens: Sequence[Any]) -> bool:
    """Whether a media query list holds; an empty one does. What is not understood does not hold, negated or not."""
    queries = _split(_solid(tokens))
    return queries == [[]] or any(_query(query) is True for query in queries)


def container_holds(tokens: Sequence[Any]) -> bool:
    """A container query, asked as if the container were as large as the view. Unknown is no."""
    solid = _solid(tokens)
    while solid and solid[0].type == "ident" and solid[0].lower_value != "not":
        solid = solid[1:]
    return _condition(solid, 0) is True


def container_name(tokens: Sequence[Any]) -> str:
    """The name of the container a query asks; empty where any will do."""
    first = next(iter(_solid(tokens)), None)
    return first.value if first is not None and first.type == "ident" and first.lower_value != "not" else ""


def supports(tokens: Sequence[Any]) -> bool:
    """An ``@supports`` condition, answered as Chromium would. What is not known does not hold, negated or not."""
    return _condition(_solid(tokens), 0, supported=True) is True


def _solid(tokens: Sequence[Any]) -> list[Any]:
    return [token for token in tokens if token.type not in ("whitespace", "comment")]


def _split(tokens: Sequence[Any]) -> list[list[Any]]:
    parts: list[list[Any]] = [[]]
    for token in tokens:
        if token.type == "literal" and token.value == ",":
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def _query(tokens: list[Any]) -> bool | None:
    """``[not | only] type [and condition]``, or a condition alone."""
    if not tokens:
        return None
    words = [token.lower_value if token.type == "ident" else "" for token in tokens]
    negated = words[0] == "not" and len(words) > 1 and words[1] != ""
    rest = tokens[1:] if negated or words[0] == "only" else tokens
    if not rest or rest[0].type != "ident" or rest[0].lower_value == "not":
        return _condition(tokens, 0)
    matched: bool | None = _TYPES.get(rest[0].lower_value, False)
    if len(rest) > 1:
        if rest[1].type != "ident" or rest[1].lower_value != "and":
            return None
        condition = _condition(rest[2:], 0)
        matched = None if condition is None else matched and condition
    return matched if matched is None or not negated else not matched


def _condition(tokens: list[Any], depth: int, *, supported: bool = False) -> bool | None:
    """Features and nested conditions joined by ``and``, ``or`` and ``not``; None is "unknown"."""
    if not tokens or depth > _MAX_DEPTH:
        return None
    result: bool | None = None
    joiner, negate, first = "", False, True
    for token in tokens:
        if token.type == "ident":
            if token.lower_value == "not":
                negate = True
            elif token.lower_value in ("and", "or"):
                joiner = token.lower_value
            else:
                return None
            continue
        value = _operand(token, depth, supported)
        if negate:
            value, negate = (None if value is None else not value), False
        if first:
            result, first = value, False
        elif joiner == "and":
            result = False if result is False or value is False else None if None in (result, value) else True
        else:
            result = True if result is True or value is True else None if None in (result, value) else False
    return result


def _operand(token: Any, depth: int, supported: bool) -> bool | None:
    if token.type == "function":
        return _selector_supported(token.arguments) if supported and token.lower_name == "selector" else None
    if token.type != "() block":
        return None
    inner = _solid(token.content)
    if not inner:
        return None
    nested = inner[0].type == "() block" or (inner[0].type == "ident" and inner[0].lower_value == "not")
    if nested or inner[0].type == "function":
        return _condition(inner, depth + 1, supported=supported)
    if supported:
        return _declaration_supported(inner)
    return _feature(inner)


def _declaration_supported(tokens: list[Any]) -> bool | None:
    """``(property: value)``. A value is judged where we read the property; a function we do not read is not known."""
    if tokens[0].type != "ident" or len(tokens) < 2 or tokens[1].type != "literal" or tokens[1].value != ":":
        return None
    name, value = tokens[0].lower_value, tokens[2:]
    if name.startswith("--"):
        return True
    if name not in KNOWN_PROPERTIES or not value:
        return False
    if name in READERS and not mentions_var(value) and not read(name, value):
        return None if any(token.type in ("function", "() block") for token in value) else False
    words = [token.lower_value for token in value if token.type == "ident"]
    return not any(word.startswith(("-moz-", "-ms-", "-o-")) for word in words)


def _selector_supported(tokens: Sequence[Any]) -> bool:
    try:
        parse(tokens)
    except InvalidSelector:
        return False
    return True


def _feature(tokens: list[Any]) -> bool | None:
    names = [token.lower_value for token in tokens if token.type == "ident"]
    literals = "".join(token.value for token in tokens if token.type == "literal")
    if ":" in literals and tokens[0].type == "ident":
        return _plain(names[0], tokens[2:])
    if any(mark in literals for mark in "<>="):
        return _range(tokens)
    if len(tokens) != 1 or not names:
        return None
    if names[0] in _NUMERIC:
        return _NUMERIC[names[0]] != 0
    return bool(_DISCRETE[names[0]] - _OFF) if names[0] in _DISCRETE else None


def _plain(name: str, value: list[Any]) -> bool | None:
    if name in _DISCRETE:
        return value[0].type == "ident" and value[0].lower_value in _DISCRETE[name] if value else None
    vendor = "-webkit-" if name.startswith("-webkit-m") else ""
    bare = name.removeprefix(vendor)
    side = bare[:4] if bare.startswith(("min-", "max-")) else ""
    number = _number(value)
    actual = _NUMERIC.get(vendor + bare.removeprefix(side))
    if number is None or actual is None:
        return None
    if side == "min-":
        return actual >= number
    return actual <= number if side == "max-" else abs(actual - number) < 1e-6


def _number(tokens: list[Any]) -> float | None:
    """A length in pixels, a resolution in dots per pixel, a ratio or a bare number."""
    if len(tokens) == 3 and tokens[1].type == "literal" and tokens[1].value == "/":
        top, bottom = _number(tokens[:1]), _number(tokens[2:])
        return top / bottom if top is not None and bottom else None
    if len(tokens) != 1:
        return None
    token = tokens[0]
    if token.type == "dimension" and token.lower_unit in ("dppx", "x", "dpi", "dpcm"):
        return token.value / {"dpi": 96.0, "dpcm": 96 / 2.54}.get(token.lower_unit, 1.0)
    if token.type == "number":
        return float(token.value)
    found = length.parse(token)
    return None if found is None else found.usual


def _range(tokens: list[Any]) -> bool | None:
    """``width >= 600px``, ``600px < width`` and ``400px <= width <= 700px``."""
    sides: list[list[Any]] = [[]]
    operators: list[str] = []
    for token in tokens:
        if token.type == "literal" and token.value in ("<", ">", "=", "<=", ">="):
            if operators and not sides[-1]:
                operators[-1] += token.value
            else:
                operators.append(token.value)
                sides.append([])
        else:
            sides[-1].append(token)
    values = [
        _NUMERIC.get(side[0].lower_value) if len(side) == 1 and side[0].type == "ident" else _number(side)
        for side in sides
    ]
    result = True
    for left, operator, right in zip(values, operators, values[1:], strict=False):
        if left is None or right is None:
            return None
        result = result and {
            "<": left < right,
            "<=": left <= right,
            ">": left > right,
            ">=": left >= right,
            "=": abs(left - right) < 1e-6,
        }.get(operator, False)
    return result
