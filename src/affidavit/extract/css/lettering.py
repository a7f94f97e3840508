"""How letters are set: size, line height, white space, how far they are raised, and what is generated among them."""

from typing import Any

from affidavit.extract.css import length, view
from affidavit.extract.css.length import Length
from affidavit.extract.css.readers import Longhands, word_of


def font(tokens: list[Any]) -> Longhands:
    """The size in the ``font`` shorthand, and a line height behind it; a family has to follow."""
    for index, token in enumerate(tokens):
        found = font_size([token])
        if found is not None and (token.type != "number" or token.value == 0):
            rest = tokens[index + 1 :]
            slash = len(rest) > 1 and rest[0].type == "literal" and rest[0].value == "/"
            height = (line_height(rest[1:2]) if slash else None) or [("line-height", False)]
            return [*found, *height] if rest else None
    word = word_of(tokens)
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


def font_size(tokens: list[Any]) -> Longhands:
    if len(tokens) != 1:
        return None
    word = word_of(tokens)
    if word in _FONT_SIZES:
        return [("font-size", Length(pixels=_FONT_SIZES[word]))]
    if word in ("smaller", "larger"):
        return [("font-size", Length(ems=0.83 if word == "smaller" else 1.2))]
    found = length.parse(tokens[0])
    if found is None or found.usual < 0:
        return None
    return [("font-size", Length(found.pixels, found.ems + found.percent, 0.0))]


def line_height(tokens: list[Any]) -> Longhands:
    """Lines without height are all that matters: True for one below a tenth of the letters."""
    if word_of(tokens) == "normal":
        return [("line-height", False)]
    if len(tokens) != 1:
        return None
    value = tokens[0].value if tokens[0].type == "number" else None
    found = length.parse(tokens[0]) if value is None else Length(ems=value)
    return None if found is None else [("line-height", found.usual < 0.1 * view.FONT_SIZE)]


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


def white_space(tokens: list[Any]) -> Longhands:
    words = [token.lower_value if token.type == "ident" else "" for token in tokens]
    modes = [_WHITE_SPACES[word] for word in words if word in _WHITE_SPACES]
    return [("white-space", modes[0])] if modes else None


def vertical_align(tokens: list[Any]) -> Longhands:
    """A keyword, or how far the box is raised; percentages are of the line height, 1.2 em as a rule."""
    word = word_of(tokens)
    if word is not None:
        return [("vertical-align", word)] if word in _ALIGNMENTS else None
    found = length.parse(tokens[0]) if len(tokens) == 1 else None
    return None if found is None else [("vertical-align", Length(found.pixels, found.ems + 1.2 * found.percent))]


_ALIGNMENTS = frozenset({"baseline", "sub", "super", "top", "text-top", "middle", "bottom", "text-bottom"})


def content(tokens: list[Any]) -> Longhands:
    """What ``::before`` or ``::after`` generates: False for no box, ``"words"``, True for a box without any.

    The attributes whose values it shows are given by their names. Icons are no words: they stand in private use areas.
    """
    if word_of(tokens) in ("none", "normal"):
        return [("content", False)]
    functions = [token for token in tokens if token.type == "function"]
    strings = [token.value for token in tokens if token.type == "string"]
    if any(character.isalnum() for value in strings for character in value):
        return [("content", "words")]
    if any(token.lower_name in ("counter", "counters") for token in functions):
        return [("content", "words")]
    shown = [part.value for token in functions if token.lower_name == "attr" for part in token.arguments[:1]]
    return [("content", tuple(shown) or True)]
