"""The text of an SVG drawing: labels that are painted, without titles, definitions and unpainted text."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import tinycss2

from affidavit.extract.css import color
from affidavit.extract.css.declaration import read
from affidavit.extract.css.node import Node
from affidavit.extract.visibility import Style, Styler

_NOT_DRAWN_NAMES = (
    "title desc metadata defs symbol clippath mask pattern marker lineargradient radialgradient filter "
    "script style animate animatetransform set switch"
)
_NOT_DRAWN = frozenset(_NOT_DRAWN_NAMES.split())
_PRESENTATION = ("display", "visibility", "opacity", "font-size", "color")
_FAR = 900.0


class Drawing:
    """Reads one ``svg`` element."""

    def __init__(self, styler: Styler, fold: bool) -> None:
        self.styler = styler
        self.fold = fold

    def labels(self, element: Any, node: Node, style: Style) -> Iterator[str]:
        """The painted texts, in document order; the lines of one text are joined by spaces."""
        if any(_is_nothing(element.get(name)) for name in ("width", "height")):
            return
        stack = [(iter(element), node, style, _fill(element, style))]
        while stack:
            children, parent, parent_style, fill = stack[-1]
            child = next(children, None)
            if child is None:
                stack.pop()
                continue
            if not isinstance(child.tag, str) or child.tag.lower() in _NOT_DRAWN:
                continue
            inner = Node(child, parent, None, fold=self.fold)
            computed = self._style(inner, parent_style)
            if computed.is_gone:
                continue
            own = _fill(child, computed) if _paints(child) else fill
            if inner.tag in ("text", "foreignobject"):
                label = " ".join(self._words(child, inner, computed, own))
                if label.strip() and not _is_far(child):
                    yield label
            else:
                stack.append((iter(child), inner, computed, own))

    def _style(self, node: Node, parent: Style) -> Style:
        style = self.styler.style(node, parent)
        hints: dict[str, Any] = {}
        for name in _PRESENTATION:
            value = node.element.get(name)
            if value is not None:
                tokens = [t for t in tinycss2.parse_component_value_list(value) if t.type != "whitespace"]
                hints.update(read(name, tokens) if tokens else ())
        if not hints:
            return style
        opacity = hints.get("opacity", 1.0)
        size = hints.get("font-size")
        return replace(
            style,
            display="none" if hints.get("display") == "none" else style.display,
            visible=hints.get("visibility", "visible" if style.visible else "hidden") == "visible",
            opacity=style.opacity * (opacity if isinstance(opacity, float) else 1.0),
            size=size.resolve(parent.size) if size is not None and hasattr(size, "resolve") else style.size,
            shows=style.shows and hints.get("visibility", "visible") == "visible",
            plain={},
        )

    def _words(self, element: Any, node: Node, style: Style, fill: bool) -> Iterator[str]:
        """The texts inside, as long as they are painted."""
        pending: list[tuple[Any, Style, bool, Node, bool]] = [(element, style, fill, node, False)]
        while pending:
            current, its_style, its_fill, its_node, is_tail = pending.pop()
            if is_tail:
                if its_fill and its_style.shows and (current.tail or "").strip():
                    yield " ".join(current.tail.split())
                continue
            if its_fill and its_style.shows and its_style.size >= 2 and (current.text or "").strip():
                yield " ".join(current.text.split())
            for child in reversed(current):
                pending.append((child, its_style, its_fill, its_node, True))
                if isinstance(child.tag, str) and child.tag.lower() not in _NOT_DRAWN:
                    inner = Node(child, its_node, None, fold=self.fold)
                    computed = self._style(inner, its_style)
                    if not computed.is_gone:
                        painted = _fill(child, computed) if _paints(child) else its_fill
                        pending.append((child, computed, painted, inner, False))


def _paints(element: Any) -> bool:
    return any(element.get(name) is not None for name in ("fill", "fill-opacity", "stroke")) or "fill" in (
        element.get("style") or ""
    )


def _fill(element: Any, style: Style) -> bool:
    """Whether letters are filled or stroked with a colour that stands out from what lies behind."""
    declared = {name: element.get(name) for name in ("fill", "fill-opacity", "stroke")}
    for node in tinycss2.parse_blocks_contents(element.get("style") or "", skip_comments=True, skip_whitespace=True):
        if node.type == "declaration" and node.lower_name in declared:
            declared[node.lower_name] = tinycss2.serialize(node.value).strip()
    if (declared["stroke"] or "none").strip().lower() not in ("none", "transparent"):
        return True
    if (declared["fill-opacity"] or "1").strip() in ("0", "0%", "0.0", ".0"):
        return False
    fill = (declared["fill"] or "black").strip()
    if fill.lower() == "none":
        return False
    token = next(iter(tinycss2.parse_component_value_list(fill)), None)
    found = color.parse(token) if token is not None else None
    letters = style.color if found == "currentcolor" else found
    if not isinstance(letters, tuple) or style.backdrops is None:
        return True
    return letters[3] > 0.05 and any(
        color.contrast(color.over(letters, behind), behind) >= 1.1 for behind in style.backdrops
    )


def _is_nothing(value: str | None) -> bool:
    return value is not None and value.strip().rstrip("px%") in ("0", "0.0", "1")


def _is_far(element: Any) -> bool:
    for name in ("x", "y"):
        try:
            if float((element.get(name) or "0").split()[0].rstrip("px")) < -_FAR:
                return True
        except (ValueError, IndexError):
            continue
    return False
