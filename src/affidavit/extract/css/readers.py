"""Readers of one kind of value: a keyword, a length, one for each side, a fraction, a colour.

A reader takes component values free of white space and gives longhands, or None for a value that is not valid.
"""

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from affidavit.extract.css import color, length
from affidavit.extract.css.length import Length

Longhands: TypeAlias = "Iterable[tuple[str, Any]] | None"


def word_of(tokens: list[Any]) -> str | None:
    return tokens[0].lower_value if len(tokens) == 1 and tokens[0].type == "ident" else None


def keyword(name: str, allowed: frozenset[str]) -> Callable[[list[Any]], Longhands]:
    def reader(tokens: list[Any]) -> Longhands:
        word = word_of(tokens)
        return [(name, word)] if word in allowed else None

    return reader


def size(name: str, *keywords: str) -> Callable[[list[Any]], Longhands]:
    """A length or percentage; any of `keywords` is None (not known without layout, or not set)."""

    def reader(tokens: list[Any]) -> Longhands:
        if len(tokens) != 1:
            return None
        if tokens[0].type == "ident" or (tokens[0].type == "function" and tokens[0].lower_name == "fit-content"):
            return [(name, None)] if tokens[0].type == "function" or tokens[0].lower_value in keywords else None
        found = length.parse(tokens[0])
        return None if found is None else [(name, found)]

    return reader


def sides(pattern: str, *keywords: str) -> Callable[[list[Any]], Longhands]:
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
        return list(zip((pattern % side for side in SIDES), _four(values), strict=True))

    return reader


def pair(start: str, end: str, *keywords: str) -> Callable[[list[Any]], Longhands]:
    """One or two values for the two ends of an axis."""
    first, last = size(start, *keywords), size(end, *keywords)

    def reader(tokens: list[Any]) -> Longhands:
        if not 1 <= len(tokens) <= 2:
            return None
        one, other = first(tokens[:1]), last(tokens[-1:])
        return None if one is None or other is None else [*one, *other]

    return reader


SIDES = ("top", "right", "bottom", "left")


def _four(values: list[Any]) -> tuple[Any, Any, Any, Any]:
    top = values[0]
    right = values[1] if len(values) > 1 else top
    bottom = values[2] if len(values) > 2 else top
    left = values[3] if len(values) > 3 else right
    return top, right, bottom, left


def fraction(name: str) -> Callable[[list[Any]], Longhands]:
    def reader(tokens: list[Any]) -> Longhands:
        found = length.parse_number(tokens[0]) if len(tokens) == 1 else None
        return None if found is None else [(name, min(max(found, 0.0), 1.0))]

    return reader


def color_named(name: str) -> Callable[[list[Any]], Longhands]:
    def reader(tokens: list[Any]) -> Longhands:
        found = color.parse(tokens[0]) if len(tokens) == 1 else None
        return None if found is None else [(name, found)]

    return reader
