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
_PARENTS = frozenset({*_MATH_SCRIPTS, "mfrac", "mmultiscripts"})
_SPACED = frozenset({"mtable", "mtr", "mtd", "mspace"})
_ROOTS = frozenset({"msqrt", "mroot"})


def begin(node: Node, raised: bool | None, flow: Flow, place: Place) -> int | None:
    """Write what an element's place in a formula asks for; where its text begins, if it is raised or lowered.

    `raised` is what its style says, for elements that do not say it themselves.
    """
    parent = node.parent.tag if node.parent is not None else ""
    if node.tag == "mfrac":
        flow.apart()
    elif node.tag in _SPACED and not node.element.get("width", "").startswith("-"):
        flow.gap()
    is_script = raised is not None or node.tag in _SCRIPTS or parent in _PARENTS
    if not is_script and node.tag not in _ROOTS:
        return None
    start = len(flow.buffer) if _raises(node, raised) is not None else None
    if parent == "mfrac" and node.previous is not None:
        flow.raw(_bar(node), place)
    if node.tag in _ROOTS:
        flow.raw("√", place)
    return start


def _bar(node: Node) -> str:
    """A fraction without a bar is two numbers, one above the other."""
    width = node.parent.element.get("linethickness", "") if node.parent is not None else ""
    return " " if width and not width.strip("0.%abcdefghijklmnopqrstuvwxyz") else "/"


def end(node: Node, raised: bool | None, start: int | None, flow: Flow) -> None:
    """Rewrite the text since `start` as raised or lowered. Text over several lines or cells stays as it is."""
    if node.tag == "mfrac":
        flow.apart()
    script = _raises(node, raised) if start is not None else None
    if start is None or script is None:
        return
    flow.apart(str.isdecimal)
    items = flow.buffer[start:]
    pieces = [item for item in items if isinstance(item, str)]
    content = "".join(pieces)
    if not pieces or len(pieces) < len(items) or "\n" in content:
        return
    write = superscript if script[0] else subscript
    flow.buffer[start:] = [write(content, flow.last_character(start), math=script[1])]


def _raises(node: Node, raised: bool | None) -> tuple[bool, bool] | None:
    """Whether an element is set above (True) or below the line, and whether in a formula; None for neither."""
    if node.tag in _SCRIPTS:
        return _SCRIPTS[node.tag], False
    parent = node.parent
    if parent is not None and parent.tag == "mmultiscripts" and node.tag not in ("mprescripts", "none"):
        return _of_many(node)
    found = (
        _MATH_SCRIPTS[parent.tag].get(node.place()[0] - 1)
        if parent is not None and parent.tag in _MATH_SCRIPTS
        else None
    )
    if found is not None:
        return found, True
    return None if raised is None else (raised, False)


def _of_many(node: Node) -> tuple[bool, bool] | None:
    """Scripts behind the base come in pairs, below and above; so do those in front of it, after ``mprescripts``."""
    count, other = 0, node.previous
    while other is not None and other.tag != "mprescripts":
        count, other = count + 1, other.previous
    if other is not None:
        count += 1
    return None if count == 0 else (count % 2 == 0, True)
