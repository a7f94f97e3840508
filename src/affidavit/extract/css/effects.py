"""Filters and masks: what they leave of letters and of what lies behind them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from affidavit.extract.css import color, length
from affidavit.extract.css.color import Color

# A filter function that changes colours, with its amount.
Tint: TypeAlias = tuple[str, float]
_TINTS = ("brightness", "contrast", "invert")


@dataclass(frozen=True, slots=True)
class Filter:
    """The opacity that is left, the radius of a blur in pixels, and the changes of colour in order."""

    opacity: float = 1.0
    blur: float = 0.0
    tints: tuple[Tint, ...] = ()


def filter_of(tokens: Sequence[Any]) -> Filter | None:
    """The ``filter`` list as one; None where it is invalid. Functions that keep light and dark apart do nothing."""
    opacity, blur, tints = 1.0, 0.0, list[Tint]()
    for token in tokens:
        if token.type == "url":
            continue
        if token.type != "function":
            return None
        name = token.lower_name
        first = next((part for part in token.arguments if part.type not in ("whitespace", "comment")), None)
        if name == "blur":
            found = length.parse(first) if first is not None else None
            blur += found.usual if found is not None else 0.0
            continue
        amount = length.parse_number(first) if first is not None else None
        value = max(1.0 if amount is None else amount, 0.0)
        if name == "opacity":
            opacity *= min(value, 1.0)
        elif name in _TINTS:
            tints.append((name, value))
    return Filter(opacity, blur, tuple(tints))


def tinted(letters: Color, tints: Sequence[Tint]) -> Color:
    """A colour after filters (Filter Effects 1, 13); its alpha stays."""
    red, green, blue, alpha = letters
    channels = [red, green, blue]
    for name, amount in tints:
        if name == "brightness":
            channels = [value * amount for value in channels]
        elif name == "contrast":
            channels = [(value - 0.5) * amount + 0.5 for value in channels]
        else:
            share = min(amount, 1.0)
            channels = [value * (1 - share) + (1 - value) * share for value in channels]
        channels = [min(max(value, 0.0), 1.0) for value in channels]
    return channels[0], channels[1], channels[2], alpha


def mask_opacity(tokens: Sequence[Any]) -> float:
    """The most that a mask lets through anywhere: 1 unless every layer is a gradient of known colours."""
    most = 0.0
    images = 0
    for token in tokens:
        if token.type == "url":
            return 1.0
        if token.type == "function":
            if "gradient" not in token.lower_name:
                return 1.0
            images += 1
            stops = [found for part in token.arguments if (found := color.parse(part)) is not None]
            alphas = [stop[3] if isinstance(stop, tuple) else 1.0 for stop in stops]
            most = max([most, *alphas]) if alphas else 1.0
    return most if images else 1.0
