"""Custom properties and ``var()``: resolved once per element that declares some, without recursion over names.

A chain of any length resolves in one pass; a value that grows past `MAX_TOKENS` or refers to itself is invalid, as
in browsers, so doubling variables cost nothing.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import tinycss2.ast

Values: TypeAlias = Mapping[str, tuple[Any, ...]]

# Browsers give up at some tens of thousands of tokens; a value that hides a text has a handful.
MAX_TOKENS = 2048
_MAX_DEPTH = 32


def resolve(declared: Values, inherited: Values) -> dict[str, tuple[Any, ...]]:
    """The custom properties of an element: `inherited` and its own, free of ``var()``. Invalid ones are absent."""
    resolved = dict(inherited)
    for name in declared:
        resolved.pop(name, None)
    done: set[str] = set()
    for name in declared:
        stack = [name]
        open_names = {name}
        while stack:
            current = stack[-1]
            waiting = next(
                (other for other in _mentioned(declared[current]) if other in declared and other not in done), None
            )
            if waiting is not None and waiting not in open_names:
                stack.append(waiting)
                open_names.add(waiting)
                continue
            if waiting is None and current not in done:
                value = substitute(declared[current], resolved)
                if value is not None:
                    resolved[current] = tuple(value)
            done.add(current)
            open_names.discard(current)
            stack.pop()
    return resolved


def substitute(tokens: Sequence[Any], values: Values) -> list[Any] | None:
    """`tokens` with each ``var()`` replaced; None where one has neither value nor fallback, or it grows too large."""
    try:
        found = _substituted(tokens, values, 0)
    except _TooLarge:
        return None
    return found if found is None or len(found) <= MAX_TOKENS else None


class _TooLarge(Exception):
    """The value outgrew its limit."""


def _mentioned(tokens: Sequence[Any]) -> Iterator[str]:
    stack = list(tokens)
    while stack:
        token = stack.pop()
        if token.type == "function":
            if token.lower_name == "var":
                name = next((part.value for part in token.arguments if part.type == "ident"), None)
                if name is not None:
                    yield name
            stack.extend(token.arguments)
        elif token.type in ("() block", "[] block", "{} block"):
            stack.extend(token.content)


def _substituted(tokens: Sequence[Any], values: Values, depth: int) -> list[Any] | None:
    if depth > _MAX_DEPTH:
        raise _TooLarge
    found: list[Any] = []
    for token in tokens:
        if token.type == "function" and token.lower_name == "var":
            value = _value(token.arguments, values, depth)
            if value is None:
                return None
            found.extend(value)
        elif token.type == "function":
            arguments = _substituted(token.arguments, values, depth + 1)
            if arguments is None:
                return None
            found.append(tinycss2.ast.FunctionBlock(token.source_line, token.source_column, token.name, arguments))
        else:
            found.append(token)
        if len(found) > MAX_TOKENS:
            raise _TooLarge
    return found


def _value(arguments: Sequence[Any], values: Values, depth: int) -> Sequence[Any] | None:
    solid = [part for part in arguments if part.type not in ("whitespace", "comment")]
    if not solid or solid[0].type != "ident":
        return None
    known = values.get(solid[0].value)
    if known is not None:
        return known
    if len(solid) < 2 or solid[1].type != "literal" or solid[1].value != ",":
        return None
    return _substituted(solid[2:], values, depth + 1)
