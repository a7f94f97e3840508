"""What kind of block an element makes of what is inside it, in which part of the page, and in which layer."""

from affidavit.evidence.document import BlockKind
from affidavit.extract import navigation
from affidavit.extract.css.node import Node
from affidavit.extract.flow import Layer, Place
from affidavit.extract.visibility import Style

_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_KINDS = {
    "li": BlockKind.LIST_ITEM,
    "blockquote": BlockKind.QUOTATION,
    "figcaption": BlockKind.CAPTION,
    "caption": BlockKind.CAPTION,
    "pre": BlockKind.CODE,
    "listing": BlockKind.CODE,
    "xmp": BlockKind.CODE,
    "plaintext": BlockKind.CODE,
    "button": BlockKind.OTHER,
    "label": BlockKind.OTHER,
    "legend": BlockKind.OTHER,
}
# The kind of what is outside wins over what is further in: a list inside a quotation is quoted.
STRENGTH = {
    BlockKind.PARAGRAPH: 0,
    BlockKind.OTHER: 1,
    BlockKind.LIST_ITEM: 2,
    BlockKind.QUOTATION: 3,
    BlockKind.CAPTION: 4,
    BlockKind.TABLE_ROW: 5,
    BlockKind.CODE: 6,
    BlockKind.HEADING: 7,
}
# Elements that change nothing about the place of what is inside.
_TRANSPARENT = frozenset(
    {"span", "a", "b", "i", "em", "strong", "code", "small", "sup", "sub", "tbody", "cite", "font"}
)


def placed(node: Node, style: Style, place: Place, *, depth: int, has_main: bool) -> Place:
    """The place of what is inside `node`, which stands at `place`, `depth` elements deep. `has_main` is the page's."""
    element, tag = node.element, node.tag
    role = element.get("role")
    if tag in _TRANSPARENT and role is None and not style.layered:
        return place
    level = _HEADINGS.get(tag)
    if role == "heading":
        level = level or _level(element.get("aria-level"))
    kind = BlockKind.HEADING if level is not None else _KINDS.get(tag, place.kind)
    if STRENGTH[kind] < STRENGTH[place.kind]:
        kind = place.kind
    if kind is BlockKind.HEADING:
        level = level if level is not None else place.level
    region = navigation.region(tag, role, element, inside_main=place.main and has_main)
    main, nav, menu = place.main, place.navigation, place.menu
    if region is navigation.Region.MAIN:
        main = True
    elif region is navigation.Region.ASIDE:
        main, menu = False, True
    elif region is navigation.Region.NAVIGATION:
        main, nav = False, True
    layers = place.layers
    if style.layered:
        layers = (*layers, Layer(depth, style.stacked, style.contextual))
    if (kind, level, main, nav, menu, layers) == (
        place.kind, place.level, place.main, place.navigation, place.menu, place.layers
    ):  # fmt: skip
        return place
    return Place(kind, level, nav, main, menu, layers)


def _level(value: str | None) -> int:
    return int(value) if value is not None and value.isdigit() and 1 <= int(value) <= 6 else 2
