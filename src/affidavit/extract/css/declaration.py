"""Declarations: from component values to the longhands that decide whether a text is seen.

A property that cannot hide or separate text is not read at all, so most of a style sheet costs nothing. A value that
is not valid makes its declaration vanish, as in a browser: ``display: nonee`` hides nothing.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

import tinycss2

from affidavit.extract.css.properties import HINTS, LONGHANDS, READERS


class Wide(Enum):
    """The CSS-wide keywords; ``revert`` and ``revert-layer`` are read as ``unset``."""

    INHERIT = "inherit"
    INITIAL = "initial"
    UNSET = "unset"


@dataclass(frozen=True, slots=True)
class Deferred:
    """A value with ``var()`` in it: parsed once the custom properties of an element are known."""

    tokens: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Block:
    """The declarations of one rule or ``style`` attribute, split by importance, in order."""

    normal: tuple[tuple[str, Any], ...]
    important: tuple[tuple[str, Any], ...]

    def __bool__(self) -> bool:
        return bool(self.normal or self.important)


_WIDE = {keyword.value: keyword for keyword in Wide} | {"revert": Wide.UNSET, "revert-layer": Wide.UNSET}


def parse_block(nodes: Iterable[Any]) -> Block:
    """The declarations among the contents of a rule."""
    normal: list[tuple[str, Any]] = []
    important: list[tuple[str, Any]] = []
    for node in nodes:
        if node.type == "declaration":
            (important if node.important else normal).extend(longhands(node.name, node.lower_name, node.value))
    return Block(tuple(normal), tuple(important))


def longhands(name: str, lower_name: str, value: Sequence[Any]) -> Iterator[tuple[str, Any]]:
    """The longhands of one declaration; none where the property is of no interest or the value invalid."""
    if name.startswith("--"):
        yield name, tuple(value)
    elif lower_name in READERS:
        tokens = [token for token in value if token.type not in ("whitespace", "comment")]
        if not tokens:
            return
        if mentions_var(tokens):
            yield lower_name, Deferred(tuple(value))
        else:
            yield from read(lower_name, tokens)


def read(name: str, tokens: list[Any]) -> list[tuple[str, Any]]:
    """The longhands of a property with a value free of ``var()``, white space and comments."""
    word = tokens[0].lower_value if len(tokens) == 1 and tokens[0].type == "ident" else None
    if word in _WIDE:
        return [(longhand, _WIDE[word]) for longhand in LONGHANDS.get(name, (name,))]
    return list(READERS[name](tokens) or ())


def longhand_names(name: str) -> tuple[str, ...]:
    """What a shorthand sets; a longhand sets itself."""
    return LONGHANDS.get(name, (name,))


def mentions_var(tokens: Iterable[Any]) -> bool:
    """Whether a ``var()`` stands anywhere in the value."""
    stack = list(tokens)
    while stack:
        token = stack.pop()
        if token.type == "function":
            if token.lower_name == "var":
                return True
            stack.extend(token.arguments)
        elif token.type in ("() block", "[] block", "{} block"):
            stack.extend(token.content)
    return False


def is_of_interest(css: str) -> bool:
    """Whether a ``style`` attribute can matter at all. Escapes and custom properties always may."""
    return "\\" in css or "--" in css or any(part in css for part in HINTS)


def parse_attribute(css: str) -> Block:
    """The declarations of a ``style`` attribute."""
    if not is_of_interest(css.lower()):
        return Block((), ())
    return parse_block(tinycss2.parse_blocks_contents(css, skip_comments=True, skip_whitespace=True))
