"""What text is painted with and on: backgrounds, shadows, strokes, filters, masks."""

from typing import Any

from affidavit.extract.css import color, length
from affidavit.extract.css.effects import Filter, filter_of, mask_opacity
from affidavit.extract.css.length import Length
from affidavit.extract.css.readers import Longhands, word_of


def background(tokens: list[Any]) -> Longhands:
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


def background_image(tokens: list[Any]) -> Longhands:
    return [("background-image", _images([token for token in tokens if _is_image(token)]))]


def background_clip(tokens: list[Any]) -> Longhands:
    words = [token.lower_value for token in tokens if token.type == "ident"]
    return [("background-clip", "text" if "text" in words else "border-box")] if words else None


def text_shadow(tokens: list[Any]) -> Longhands:
    if word_of(tokens) == "none":
        return [("text-shadow", ())]
    found = tuple(value for token in tokens if isinstance(value := color.parse(token), tuple))
    return [("text-shadow", found)]


def decoration(tokens: list[Any]) -> Longhands:
    words = [token.lower_value for token in tokens if token.type == "ident"]
    return [("text-decoration", "line-through" in words)]


def filters(tokens: list[Any]) -> Longhands:
    found = Filter() if word_of(tokens) == "none" else filter_of(tokens)
    return None if found is None else [("filter", found)]


def mask(tokens: list[Any]) -> Longhands:
    return [("mask", mask_opacity(tokens))]


def stroke(tokens: list[Any]) -> Longhands:
    found: list[tuple[str, Any]] = []
    for token in tokens:
        drawn = color.parse(token)
        if drawn is not None:
            found.append(("stroke-color", drawn))
        else:
            found += stroke_width([token]) or ()
    return found or None


def stroke_width(tokens: list[Any]) -> Longhands:
    word = word_of(tokens)
    width = Length(pixels=_WIDTHS[word]) if word in _WIDTHS else length.parse(tokens[0])
    return [("stroke-width", width)] if width is not None else None


_WIDTHS = {"thin": 1.0, "medium": 3.0, "thick": 5.0}
