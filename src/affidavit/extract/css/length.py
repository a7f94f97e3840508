"""Lengths, percentages and the arithmetic of ``calc()``, as linear forms resolved once font and box are known."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from affidavit.extract.css import view

# CSS Values 4, 6: absolute units in pixels; units relative to the font in em; units relative to the view in pixels.
_PIXELS = {"px": 1.0, "cm": 96 / 2.54, "mm": 96 / 25.4, "q": 96 / 101.6, "in": 96.0, "pc": 16.0, "pt": 96 / 72}
_EMS = {"em": 1.0, "ex": 0.5, "ch": 0.5, "cap": 0.7, "ic": 1.0, "lh": 1.2}
_ROOT_EMS = {"rem": 1.0, "rex": 0.5, "rch": 0.5, "rcap": 0.7, "ric": 1.0, "rlh": 1.2}
_VIEW = {"w": view.WIDTH, "i": view.WIDTH, "h": view.HEIGHT, "b": view.HEIGHT, "min": view.HEIGHT, "max": view.WIDTH}
# Deeper arithmetic is no honest style: the declaration counts as invalid.
_MAX_DEPTH = 32


@dataclass(frozen=True, slots=True)
class Length:
    """``pixels + ems * font size + percent * base``; percent is 1.0 for 100 %."""

    pixels: float = 0.0
    ems: float = 0.0
    percent: float = 0.0

    def resolve(self, font_size: float, base: float = view.WIDTH) -> float:
        """In pixels. A length that overflowed counts as 0: nothing can be told from it."""
        value = self.pixels + self.ems * font_size + self.percent * base
        return value if -1e12 < value < 1e12 else 0.0

    def plus(self, other: "Length", factor: float = 1.0) -> "Length":
        return Length(
            self.pixels + factor * other.pixels,
            self.ems + factor * other.ems,
            self.percent + factor * other.percent,
        )

    def times(self, factor: float) -> "Length":
        return Length(self.pixels * factor, self.ems * factor, self.percent * factor)

    @property
    def usual(self) -> float:
        """Resolved for the usual font and the whole width: what ``min()`` and ``max()`` choose by."""
        return self.resolve(view.FONT_SIZE)


ZERO = Length()


def parse(token: Any) -> Length | None:
    """The length or percentage of a component value; a bare 0 is a length, other bare numbers are none."""
    value = _value(token, 0)
    if isinstance(value, Length):
        return value
    return ZERO if value == 0 and token.type == "number" else None


def parse_number(token: Any) -> float | None:
    """A number or a percentage as a fraction, also by arithmetic."""
    if token.type == "percentage":
        return token.value / 100
    value = _value(token, 0)
    if isinstance(value, Length):
        return value.percent if value.percent and not value.pixels and not value.ems else None
    return value


def _value(token: Any, depth: int) -> Length | float | None:
    if token.type == "number":
        return float(token.value)
    if token.type == "percentage":
        return Length(percent=token.value / 100)
    if token.type == "dimension":
        return _dimension(token.value, token.lower_unit)
    if depth > _MAX_DEPTH or token.type not in ("function", "() block"):
        return None
    if token.type == "() block" or token.lower_name == "calc":
        return _sum(token.content if token.type == "() block" else token.arguments, depth + 1)
    chosen: Callable[[Sequence[Length | float]], Length | float] | None = _CHOICES.get(token.lower_name)
    if chosen is None:
        return None
    values = [_sum(argument, depth + 1) for argument in _split(token.arguments)]
    known = [value for value in values if value is not None]
    return chosen(known) if known and len(known) == len(values) else None


def _dimension(value: float, unit: str) -> Length | None:
    if unit in _PIXELS:
        return Length(pixels=value * _PIXELS[unit])
    if unit in _EMS:
        return Length(ems=value * _EMS[unit])
    if unit in _ROOT_EMS:
        return Length(pixels=value * _ROOT_EMS[unit] * view.FONT_SIZE)
    if "v" in unit[:2] and unit.lstrip("sld")[1:] in _VIEW:
        return Length(pixels=value / 100 * _VIEW[unit.lstrip("sld")[1:]])
    if unit.startswith("cq") and unit[2:] in _VIEW:
        return Length(pixels=value / 100 * _VIEW[unit[2:]])
    return None


def _usual(value: Length | float) -> float:
    return value.usual if isinstance(value, Length) else value


def _clamp(values: Sequence[Length | float]) -> Length | float:
    if len(values) != 3:
        return values[0]
    return max(values[0], min(values[1], values[2], key=_usual), key=_usual)


_CHOICES: dict[str, Callable[[Sequence[Length | float]], Length | float]] = {
    "min": lambda values: min(values, key=_usual),
    "max": lambda values: max(values, key=_usual),
    "clamp": _clamp,
}


def _split(tokens: Sequence[Any]) -> list[list[Any]]:
    parts: list[list[Any]] = [[]]
    for token in tokens:
        if token.type == "literal" and token.value == ",":
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def _sum(tokens: Sequence[Any], depth: int) -> Length | float | None:
    """Terms joined by ``+`` and ``-``; a term is factors joined by ``*`` and ``/``."""
    total: Length | float | None = None
    term: Length | float | None = None
    sign, operator = 1.0, "*"
    for token in tokens:
        if token.type in ("whitespace", "comment"):
            continue
        if token.type == "literal" and token.value in "+-" and term is not None:
            total = _added(total, term, sign)
            term, sign, operator = None, (1.0 if token.value == "+" else -1.0), "*"
        elif token.type == "literal" and token.value in ("*", "/"):
            operator = token.value
        else:
            factor = _value(token, depth)
            if factor is None:
                return None
            term = factor if term is None else _scaled(term, factor, operator)
            if term is None:
                return None
    return None if term is None else _added(total, term, sign)


def _added(total: Length | float | None, term: Length | float, sign: float) -> Length | float | None:
    if total is None:
        return term.times(sign) if isinstance(term, Length) else term * sign
    if isinstance(total, Length) and isinstance(term, Length):
        return total.plus(term, sign)
    if isinstance(total, Length) or isinstance(term, Length):
        return None
    return total + sign * term


def _scaled(term: Length | float, factor: Length | float, operator: str) -> Length | float | None:
    if operator == "/":
        if isinstance(factor, Length) or factor == 0:
            return None
        return term.times(1 / factor) if isinstance(term, Length) else term / factor
    if isinstance(term, Length):
        return None if isinstance(factor, Length) else term.times(factor)
    return factor.times(term) if isinstance(factor, Length) else term * factor
