"""How a browser lays out elements by default, and what presentational attributes add (HTML, "Rendering")."""

from typing import Any

from affidavit.extract.css import color
from affidavit.extract.css.length import Length
from affidavit.extract.css.node import Node

_BLOCK = (
    "address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer "
    "form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing main menu nav ol optgroup p plaintext pre "
    "search section summary ul xmp tbody thead tfoot caption option foreignobject"
)
# Never drawn, whatever a sheet says: their content is no part of the page's text.
_NEVER_NAMES = (
    "area base basefont col colgroup datalist frame head link meta noembed noframes noscript param rp "
    "script source style template title track iframe audio video canvas textarea select input "
    "progress meter rt rtc annotation annotation-xml embed applet object"
)
NEVER = frozenset(_NEVER_NAMES.split())

DISPLAY: dict[str, str] = (
    dict.fromkeys(_BLOCK.split(), "block")
    | dict.fromkeys(NEVER, "none")
    | {"table": "table", "tr": "table-row", "td": "table-cell", "th": "table-cell"}
    | {"button": "inline-block", "marquee": "inline-block", "slot": "contents"}
)

# HTML, "Tree construction": start tags that end an open paragraph, elements it cannot be seen through, and formatting
# elements, which are opened again behind it.
_ENDS_NAMES = (
    "address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure footer form "
    "h1 h2 h3 h4 h5 h6 header hgroup hr li listing main menu nav ol p plaintext pre search section summary table ul xmp"
)
ENDS_PARAGRAPH = frozenset(_ENDS_NAMES.split())
KEEPS_PARAGRAPH = frozenset(
    {"applet", "button", "caption", "html", "marquee", "object", "table", "td", "template", "th"}
)
_REOPENED_NAMES = "a b big code em font i nobr s small strike strong tt u"
REOPENED = frozenset(_REOPENED_NAMES.split())

# Class names that the best-known style libraries define as "not shown" or "for screen readers only". They count only
# on a page that links a sheet we do not load, and only where no responsive partner class shows the element again.
# Sources: Bootstrap 3-5, Tailwind CSS, WordPress core, U.S. Web Design System, GOV.UK Frontend, Drupal, Bulma.
_HIDING_CLASSES_NAMES = (
    "hidden d-none sr-only visually-hidden screen-reader-text usa-sr-only govuk-visually-hidden "
    "element-invisible element-hidden is-hidden is-sr-only display-none"
)
HIDING_CLASSES = frozenset(_HIDING_CLASSES_NAMES.split())
_SHOWING_PREFIXES = (
    "sm:",
    "md:",
    "lg:",
    "xl:",
    "d-sm-",
    "d-md-",
    "d-lg-",
    "d-xl-",
    "tablet:",
    "desktop:",
    "mobile-lg:",
)
_FONT_SIZES = {"1": 10.0, "2": 13.0, "3": 16.0, "4": 18.0, "5": 24.0, "6": 32.0, "7": 48.0}
_NONE = (("display", "none"),)
_LINK_COLOR = (("color", color.LINK),)


def presentational(node: Node) -> tuple[tuple[str, Any], ...]:
    """The declarations that attributes stand for; they yield to any rule of the page."""
    element, tag = node.element, node.tag
    names = element.keys()
    declared: tuple[tuple[str, Any], ...] = ()
    if tag == "a" and "href" in names:
        declared = _LINK_COLOR
    elif tag == "dialog" and "open" not in names:
        declared = _NONE
    for name in names:
        if name in _ATTRIBUTES:
            declared += _ATTRIBUTES[name](tag, element.get(name))
    return declared


def is_hidden_by_name(node: Node) -> bool:
    """Whether a well-known class name hides the element in a sheet that was not loaded."""
    names = node.classes
    if not names or HIDING_CLASSES.isdisjoint(names):
        return False
    return not any(name.startswith(_SHOWING_PREFIXES) and not name.endswith(("none", "hidden")) for name in names)


def _background(tag: str, value: str) -> tuple[tuple[str, Any], ...]:
    found = color.parse_legacy(value) if tag in ("body", "table", "tr", "td", "th", "thead", "tbody", "tfoot") else None
    return (("background-color", found),) if found is not None else ()


def _picture(tag: str, _value: str) -> tuple[tuple[str, Any], ...]:
    return (("background-image", "unknown"),) if tag in ("body", "table", "tr", "td", "th") else ()


def _font_color(tag: str, value: str) -> tuple[tuple[str, Any], ...]:
    found = color.parse_legacy(value) if tag in ("font", "basefont") else None
    return (("color", found),) if found is not None else ()


def _body_text(tag: str, value: str) -> tuple[tuple[str, Any], ...]:
    found = color.parse_legacy(value) if tag == "body" else None
    return (("color", found),) if found is not None else ()


def _font_size(tag: str, value: str) -> tuple[tuple[str, Any], ...]:
    size = _FONT_SIZES.get(value.strip()) if tag == "font" else None
    return (("font-size", Length(pixels=size)),) if size is not None else ()


def _not_shown(_tag: str, _value: str) -> tuple[tuple[str, Any], ...]:
    return _NONE


_ATTRIBUTES = {
    "hidden": _not_shown,
    "popover": _not_shown,
    "bgcolor": _background,
    "background": _picture,
    "color": _font_color,
    "text": _body_text,
    "size": _font_size,
}
