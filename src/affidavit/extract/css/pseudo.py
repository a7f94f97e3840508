"""Pseudo-classes: those a page at rest can answer, and those that need a visitor to do something."""

from collections.abc import Callable

from affidavit.extract.css.node import Node

# Never true of a page that was only opened (Selectors 4; HTML, "Pseudo-classes").
_STATES_NAMES = (
    "active focus focus-within focus-visible hover target target-within visited local-link current past "
    "future playing paused seeking buffering stalled muted volume-locked fullscreen picture-in-picture "
    "modal popover-open autofill -webkit-autofill user-valid user-invalid blank host host-context"
)
STATES = frozenset(_STATES_NAMES.split())

# Pseudo-elements that Chromium knows (CSS Pseudo-Elements 4 and later modules), besides any ``::-webkit-…``. Another
# one makes its whole rule invalid.
_ELEMENT_NAMES = (
    "before after first-line first-letter marker selection backdrop placeholder file-selector-button cue slotted part "
    "highlight target-text spelling-error grammar-error search-text details-content scroll-marker scroll-marker-group "
    "scroll-button column checkmark picker picker-icon view-transition view-transition-group "
    "view-transition-image-pair view-transition-old view-transition-new"
)
ELEMENTS = frozenset(_ELEMENT_NAMES.split())

_FORM_CONTROLS = frozenset({"button", "fieldset", "input", "optgroup", "option", "select", "textarea"})


def _disabled(node: Node) -> bool:
    return node.tag in _FORM_CONTROLS and node.element.get("disabled") is not None


def _checked(node: Node) -> bool:
    return node.element.get("checked" if node.tag == "input" else "selected") is not None


def _is_link(node: Node) -> bool:
    return node.tag in ("a", "area") and node.element.get("href") is not None


def _editable(node: Node) -> bool:
    return node.tag in ("input", "textarea") and node.element.get("readonly") is None


# Name to test.
SIMPLE: dict[str, Callable[[Node], bool]] = {
    "root": lambda node: node.parent is None,
    "first-child": lambda node: node.place()[0] == 1,
    "last-child": lambda node: node.place()[0] == node.place()[1],
    "only-child": lambda node: node.place()[1] == 1,
    "first-of-type": lambda node: node.place()[2] == 1,
    "last-of-type": lambda node: node.place()[2] == node.place()[3],
    "only-of-type": lambda node: node.place()[3] == 1,
    "empty": lambda node: not node.element.text and not any(isinstance(child.tag, str) for child in node.element),
    "link": _is_link,
    "any-link": _is_link,
    "-webkit-any-link": _is_link,
    "checked": _checked,
    "default": _checked,
    "disabled": _disabled,
    "enabled": lambda node: node.tag in _FORM_CONTROLS and not _disabled(node),
    "required": lambda node: node.element.get("required") is not None,
    "optional": lambda node: node.tag in ("input", "select", "textarea") and node.element.get("required") is None,
    "read-only": lambda node: not _editable(node),
    "read-write": _editable,
    "placeholder-shown": lambda node: node.element.get("placeholder") is not None and not node.element.get("value"),
    "indeterminate": lambda node: node.tag == "progress" and node.element.get("value") is None,
    "valid": lambda _node: True,
    "invalid": lambda _node: False,
    "in-range": lambda _node: True,
    "out-of-range": lambda _node: False,
    "defined": lambda node: "-" not in node.tag,
    "open": lambda node: node.tag in ("details", "dialog") and node.element.get("open") is not None,
}
