"""What box a text stands in: its display, what overflows it, its layer, its container."""

from typing import Any

from affidavit.extract.css import length
from affidavit.extract.css.readers import Longhands, word_of


def display(tokens: list[Any]) -> Longhands:
    words = [token.lower_value if token.type == "ident" else "" for token in tokens]
    if len(words) == 1 and words[0] in _DISPLAYS:
        return [("display", _DISPLAYS[words[0]])]
    if 2 <= len(words) <= 3 and all(word in _DISPLAYS or word in ("flow", "list-item") for word in words):
        outer = "inline" if "inline" in words else "block"
        inner = next((word for word in words if word in ("flex", "grid", "table")), None)
        return [("display", inner or ("inline-block" if outer == "inline" and "flow-root" in words else outer))]
    return None


# Value to what it means for text: the layout a child lives in, and whether it stands in the line or on its own.
_DISPLAYS = {
    "none": "none",
    "inline": "inline",
    "block": "block",
    "inline-block": "inline-block",
    "contents": "contents",
    "flex": "flex",
    "inline-flex": "flex",
    "-webkit-box": "flex",
    "-webkit-inline-box": "flex",
    "-webkit-flex": "flex",
    "grid": "flex",
    "inline-grid": "flex",
    "list-item": "block",
    "flow-root": "block",
    "table": "table",
    "inline-table": "table",
    "table-row": "table-row",
    "table-cell": "table-cell",
    "table-row-group": "block",
    "table-header-group": "block",
    "table-footer-group": "block",
    "table-caption": "block",
    "table-column": "none",
    "table-column-group": "none",
    "ruby": "inline",
    "ruby-base": "inline",
    "ruby-text": "inline",
    "run-in": "inline",
    "math": "inline",
}


def overflow(tokens: list[Any]) -> Longhands:
    words = [token.lower_value if token.type == "ident" else "" for token in tokens]
    if not 1 <= len(words) <= 2 or any(word not in OVERFLOWS for word in words):
        return None
    return [("overflow-x", words[0]), ("overflow-y", words[-1])]


OVERFLOWS = frozenset({"visible", "hidden", "clip", "scroll", "auto", "overlay"})


def zoom(tokens: list[Any]) -> Longhands:
    """A factor; none at all is none (CSS Viewport 1)."""
    if word_of(tokens) in ("normal", "reset"):
        return [("zoom", 1.0)]
    found = length.parse_number(tokens[0]) if len(tokens) == 1 else None
    return None if found is None or found < 0 else [("zoom", found or 1.0)]


def contain(tokens: list[Any]) -> Longhands:
    """Whether what overflows is cut off."""
    words = {token.lower_value for token in tokens if token.type == "ident"}
    return [("contain", bool(words & {"strict", "content", "paint"}))] if words else None


def z_index(tokens: list[Any]) -> Longhands:
    if word_of(tokens) == "auto":
        return [("z-index", None)]
    return [("z-index", tokens[0].int_value)] if tokens[0].type == "number" and tokens[0].is_integer else None


def container(tokens: list[Any]) -> list[tuple[str, Any]]:
    """``names / type``."""
    bar = next((index for index, token in enumerate(tokens) if token.type == "literal"), len(tokens))
    kind = word_of(tokens[bar + 1 :]) or "normal"
    names = tuple(token.value for token in tokens[:bar] if token.type == "ident" and token.lower_value != "none")
    return [("container-name", names), ("container-type", kind)]


def container_name(tokens: list[Any]) -> Longhands:
    return container(tokens)[:1]


def container_type(tokens: list[Any]) -> Longhands:
    words = [token.lower_value for token in tokens if token.type == "ident"]
    return [("container-type", next((word for word in words if word.endswith("size")), "normal"))]
