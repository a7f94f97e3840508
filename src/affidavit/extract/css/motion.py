"""How a box is cut, moved and animated."""

from typing import Any

from affidavit.extract.css import length
from affidavit.extract.css.geometry import Shift, is_empty_clip, is_empty_path, rotation_flattens, transform_of
from affidavit.extract.css.readers import Longhands, word_of


def clip(tokens: list[Any]) -> Longhands:
    return [("clip", is_empty_clip(tokens[0]))] if len(tokens) == 1 else None


def clip_path(tokens: list[Any]) -> Longhands:
    if not any(token.type == "function" for token in tokens):
        return [("clip-path", None)]
    return [("clip-path", any(is_empty_path(token) for token in tokens))]


def transforms(tokens: list[Any]) -> Longhands:
    found = Shift() if word_of(tokens) == "none" else transform_of(tokens)
    return None if found is None else [("transform", found)]


def translate(tokens: list[Any]) -> Longhands:
    if word_of(tokens) == "none":
        return [("translate", Shift())]
    parts = [length.parse(token) for token in tokens]
    if any(part is None for part in parts) or len(parts) > 3:
        return None
    return [("translate", Shift(parts[0] or length.ZERO, (parts[1] if len(parts) > 1 else None) or length.ZERO))]


def scale(tokens: list[Any]) -> Longhands:
    if word_of(tokens) == "none":
        return [("scale", Shift())]
    values = [length.parse_number(token) for token in tokens]
    if None in values:
        return None
    return [("scale", Shift(flat=any(value is not None and abs(value) < 0.05 for value in values[:2])))]


def rotate(tokens: list[Any]) -> Longhands:
    if word_of(tokens) == "none":
        return [("rotate", Shift())]
    axis = next((token.lower_value for token in tokens if token.type == "ident"), "z")
    numbers = [token.value for token in tokens if token.type == "number"]
    x, y, z = numbers if len(numbers) == 3 else (float(axis == "x"), float(axis == "y"), float(axis == "z"))
    angle = next((token for token in tokens if token.type == "dimension"), None)
    return [("rotate", Shift(flat=rotation_flattens(x, y, z, angle)))] if angle is not None else None


def animation(tokens: list[Any]) -> Longhands:
    """Every word and string that may be a name, and whether the last frame stays."""
    words = [token.value for token in tokens if token.type in ("ident", "string")]
    return [("animation-name", tuple(words)), ("animation-fill-mode", bool({"forwards", "both"} & set(words)))]


def animation_name(tokens: list[Any]) -> Longhands:
    return [("animation-name", tuple(token.value for token in tokens if token.type in ("ident", "string")))]


def animation_fill(tokens: list[Any]) -> Longhands:
    return [
        ("animation-fill-mode", any(token.type == "ident" and token.value in ("forwards", "both") for token in tokens))
    ]
