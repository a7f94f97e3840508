"""Raised and lowered elements and MathML, where they begin and end in the flow of the text."""

from affidavit.extract.css.node import Node
from affidavit.extract.flow import Flow, Place
from affidavit.extract.raised import subscript, superscript

_SCRIPTS = {"sup": True, "sub": False}
# Children of MathML elements that stand above (True) or below (False) the line, by position.
_MATH_SCRIPTS = {
    "msup": {1: True},
    "msub": {1: False},
    "msubsup": {1: False, 2: True},
    "mover": {1: True},
    "munder": {1: False},
    "munderover": {1: False, 2: True},
    "mroot": {1: True},
}
_PARENTS = frozenset({*_MATH_SCRIPTS, "mfrac"})
_ROOTS = frozenset({"msqrt", "mroot"})


def begin(node: Node, flow: Flow, place: Place) -> int | None:
    """Write what an element's place in a formula asks for; where its text begins, if it is raised or lowered."""
    parent = node.parent.tag if node.parent is not None else ""
    if node.tag not in _SCRIPTS and parent not in _PARENTS and node.tag not in _ROOTS:
        return None
    start = len(flow.buffer) if _raises(node) is not None else None
    if parent == "mfrac" and node.previous is not None:
        flow.raw("/", place)
    if node.tag in _ROOTS:
        flow.raw("√", place)
    return start


def end(node: Node, start: int, flow: Flow) -> None:
    """Rewrite the text since `start` as raised or lowered. Text over several lines or cells stays as it is."""
    raised = _raises(node)
    items = flow.buffer[start:]
    pieces = [item for item in items if isinstance(item, str)]
    content = "".join(pieces)
    if raised is None or not pieces or len(pieces) < len(items) or "\n" in content:
        return
    write = superscript if raised[0] else subscript
    flow.buffer[start:] = [write(content, flow.last_character(start), math=raised[1])]


def _raises(node: Node) -> tuple[bool, bool] | None:
    """Whether an element is set above (True) or below the line, and whether in a formula; None for neither."""
    if node.tag in _SCRIPTS:
        return _SCRIPTS[node.tag], False
    parent = node.parent
    if parent is None or parent.tag not in _MATH_SCRIPTS:
        return None
    raised = _MATH_SCRIPTS[parent.tag].get(node.place()[0] - 1)
    return None if raised is None else (raised, True)
