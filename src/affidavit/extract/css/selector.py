"""Selectors: parsed from component values, matched from right to left without recursion over the tree.

Matching keeps two places to come back to, the last ancestor and the last sibling chosen freely. That is enough:
when a search among ancestors runs out, every choice made before it would run out too (its candidates are a subset),
and likewise for siblings under one parent. So ``* * * … *`` costs one walk to the root, not one for every choice.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import tinycss2.nth

from affidavit.extract.css.node import Node
from affidavit.extract.css.pseudo import ELEMENTS, SIMPLE, STATES

Specificity: TypeAlias = tuple[int, int, int]
Test: TypeAlias = Callable[[Node, Any], bool]

# Selectors nested in selectors (":is(:is(…))") deeper than this make the rule invalid.
_MAX_DEPTH = 16
_GENERATED = ("before", "after")
_LEGACY_PSEUDO_ELEMENTS = frozenset({"before", "after", "first-line", "first-letter"})
# HTML, "Selectors": attributes whose values match without regard to case.
_CASELESS_NAMES = (
    "accept accept-charset align alink axis bgcolor charset checked clear codetype color compact declare "
    "defer dir direction disabled enctype face frame hreflang http-equiv lang language link media method "
    "multiple nohref noresize noshade nowrap readonly rel rev rules scope scrolling selected shape target "
    "text type valign valuetype vlink"
)
_CASELESS = frozenset(_CASELESS_NAMES.split())


class InvalidSelector(ValueError):
    """The selector list is not valid, so its rule does not exist."""


@dataclass(frozen=True, slots=True)
class Compound:
    """Simple selectors that one element has to meet together."""

    tag: str | None
    identity: str | None
    classes: tuple[str, ...]
    tests: tuple[Test, ...]

    def meets(self, node: Node, scope: Node | None) -> bool:
        if self.tag is not None and self.tag != node.tag:
            return False
        if self.identity is not None and self.identity != node.identity:
            return False
        for name in self.classes:
            if name not in node.classes:
                return False
        return all(test(node, scope) for test in self.tests)


@dataclass(frozen=True, slots=True)
class Selector:
    """Compounds from right to left; ``combinators[i]`` stands between ``compounds[i + 1]`` and ``compounds[i]``.

    With a `pseudo` (``before`` or ``after``) it is about the box that the element it matches generates.
    """

    compounds: tuple[Compound, ...]
    combinators: tuple[str, ...]
    specificity: Specificity
    pseudo: str = ""

    def matches(self, node: Node, scope: Node | None = None) -> bool:
        compounds = self.compounds
        if not compounds[0].meets(node, scope):
            return False
        index, last, current = 0, len(compounds) - 1, node
        free_ancestor: tuple[int, Node] | None = None
        free_sibling: tuple[int, Node] | None = None
        while index < last:
            combinator = self.combinators[index]
            upward = combinator in " >"
            found = current.parent if upward else current.previous
            if combinator in " ~":
                target = compounds[index + 1]
                while found is not None and not target.meets(found, scope):
                    found = found.parent if upward else found.previous
            elif found is not None and not compounds[index + 1].meets(found, scope):
                found = None
            if found is not None:
                if combinator == " ":
                    free_ancestor, free_sibling = (index, found), None
                elif combinator == "~":
                    free_sibling = (index, found)
                index, current = index + 1, found
            elif combinator == " ":
                return False
            elif combinator != "~" and free_sibling is not None:
                index, current = free_sibling
            elif free_ancestor is not None:
                (index, current), free_sibling = free_ancestor, None
            else:
                return False
        return True


def parse(
    tokens: Sequence[Any], *, fold: bool = False, parents: tuple[Selector, ...] | None = None
) -> tuple[Selector, ...]:
    """The selectors of a list. Those of pseudo-elements but ``::before`` and ``::after`` are left out.

    `parents` are the selectors of the rule around a nested one (``&``). Raises InvalidSelector.
    """
    return tuple(
        selector
        for part in _split(tokens)
        if (selector := _Parser(part, fold, parents, 0).selector(nested=parents is not None)) is not None
    )


def _split(tokens: Sequence[Any]) -> list[list[Any]]:
    parts: list[list[Any]] = [[]]
    for token in tokens:
        if token.type == "literal" and token.value == ",":
            parts.append([])
        elif token.type != "comment":
            parts[-1].append(token)
    return parts


def _nested(
    tokens: Sequence[Any], parser: "_Parser", *, forgiving: bool = False, relative: bool = False
) -> tuple[Selector, ...]:
    found: list[Selector] = []
    for part in _split(tokens):
        inner = _Parser(part, parser.fold, parser.parents, parser.depth + 1)
        try:
            selector = inner.selector(relative=relative)
        except InvalidSelector:
            if not forgiving:
                raise
            continue
        if selector is not None and not selector.pseudo:
            found.append(selector)
    return tuple(found)


class _Parser:
    """One complex selector."""

    def __init__(self, tokens: list[Any], fold: bool, parents: tuple[Selector, ...] | None, depth: int) -> None:
        if depth > _MAX_DEPTH:
            raise InvalidSelector("selectors nested too deeply")
        self.tokens = tokens
        self.fold = fold
        self.parents = parents
        self.depth = depth
        self.position = 0
        self.specificity = [0, 0, 0]
        self.pseudo_element = ""
        self.mentions_parent = False

    def selector(self, *, relative: bool = False, nested: bool = False) -> Selector | None:
        """`relative` selectors hang on the scope element (``:has``); `nested` ones on the rule around them."""
        compounds: list[Compound] = []
        combinators: list[str] = []
        combinator = self._combinator()
        leading = combinator if combinator not in (None, " ") else None
        if leading is not None and not (relative or nested):
            raise InvalidSelector("a selector cannot begin with a combinator")
        while self.position < len(self.tokens):
            if self.pseudo_element:
                raise InvalidSelector("nothing follows a pseudo-element")
            compounds.append(self._compound())
            combinator = self._combinator()
            if combinator is None:
                break
            if self.position >= len(self.tokens):
                if combinator != " ":
                    raise InvalidSelector("a selector cannot end with a combinator")
                break
            combinators.append(combinator)
        if not compounds:
            raise InvalidSelector("empty selector")
        if self.pseudo_element and self.pseudo_element not in _GENERATED:
            return None
        if relative:
            compounds.insert(0, Compound(None, None, (), (_is_scope,)))
            combinators.insert(0, leading or " ")
        elif nested and (leading is not None or not self.mentions_parent):
            compounds.insert(0, Compound(None, None, (), (self._parent_test(),)))
            combinators.insert(0, leading or " ")
        first, second, third = self.specificity
        specificity = (first, second, third + bool(self.pseudo_element))
        return Selector(tuple(reversed(compounds)), tuple(reversed(combinators)), specificity, self.pseudo_element)

    def _combinator(self) -> str | None:
        """Skip a combinator; None where the selector goes on (or ends) without one."""
        found: str | None = None
        while self.position < len(self.tokens):
            token = self.tokens[self.position]
            if token.type == "whitespace":
                found = found or " "
            elif token.type == "literal" and token.value in (">", "+", "~"):
                if found not in (None, " "):
                    raise InvalidSelector("two combinators")
                found = token.value
            else:
                break
            self.position += 1
        return found

    def _compound(self) -> Compound:
        tag: str | None = None
        identity: str | None = None
        classes: list[str] = []
        tests: list[Test] = []
        start = self.position
        while self.position < len(self.tokens):
            token = self.tokens[self.position]
            if token.type == "ident" or (token.type == "literal" and token.value in ("*", "|")):
                if self.position != start and not self._after_bar():
                    raise InvalidSelector("a type selector comes first")
                tag = self._tag(token, tag)
            elif token.type == "hash":
                name = token.value.lower() if self.fold else token.value
                if identity is not None and identity != name:
                    tests.append(_never)
                identity = name
                self.specificity[0] += 1
            elif token.type == "[] block":
                tests.append(_attribute(token.content))
                self.specificity[1] += 1
            elif token.type == "literal" and token.value in (".", ":", "&"):
                self._prefixed(token.value, classes, tests)
            else:
                break
            self.position += 1
        if self.position == start:
            raise InvalidSelector("not a selector")
        return Compound(tag, identity, tuple(classes), tuple(tests))

    def _after_bar(self) -> bool:
        previous = self.tokens[self.position - 1]
        token = self.tokens[self.position]
        return (previous.type == "literal" and previous.value == "|") or (
            token.type == "literal" and token.value == "|"
        )

    def _tag(self, token: Any, before: str | None) -> str | None:
        if token.type == "ident":
            self.specificity[2] += before is None
            return token.lower_value
        if token.value == "|" and before is not None:
            self.specificity[2] -= 1
        return None

    def _prefixed(self, mark: str, classes: list[str], tests: list[Test]) -> None:
        if mark == "&":
            self.mentions_parent = True
            tests.append(self._parent_test())
            return
        self.position += 1
        token = self.tokens[self.position] if self.position < len(self.tokens) else None
        if mark == "." and token is not None and token.type == "ident":
            classes.append(token.value.lower() if self.fold else token.value)
            self.specificity[1] += 1
        elif mark == ":" and token is not None and token.type == "literal" and token.value == ":":
            self.position += 1
            self._pseudo_element()
        elif mark == ":" and token is not None and token.type == "ident":
            self._pseudo_class(token.lower_value, tests)
        elif mark == ":" and token is not None and token.type == "function":
            self._pseudo_function(token.lower_name, token.arguments, tests)
        else:
            raise InvalidSelector(f"nothing follows {mark!r}")

    def _pseudo_element(self) -> None:
        token = self.tokens[self.position] if self.position < len(self.tokens) else None
        if token is None or token.type not in ("ident", "function"):
            raise InvalidSelector("a pseudo-element needs a name")
        name = token.lower_value if token.type == "ident" else token.lower_name
        if name not in ELEMENTS and not name.startswith("-webkit-"):
            raise InvalidSelector(f"unknown pseudo-element {name!r}")
        self.pseudo_element = name

    def _pseudo_class(self, name: str, tests: list[Test]) -> None:
        if name in _LEGACY_PSEUDO_ELEMENTS:
            self.pseudo_element = name
            return
        self.specificity[1] += 1
        if name == "scope":
            tests.append(lambda node, scope: node.parent is None if scope is None else node.element is scope.element)
        elif name in STATES:
            tests.append(_never)
        elif name in SIMPLE:
            test = SIMPLE[name]
            tests.append(lambda node, _scope: test(node))
        else:
            raise InvalidSelector(f"unknown pseudo-class {name!r}")

    def _pseudo_function(self, name: str, arguments: Sequence[Any], tests: list[Test]) -> None:
        if name in ("is", "where", "matches", "-webkit-any", "any", "not", "has"):
            options = _nested(arguments, self, forgiving=name in ("is", "where"), relative=name == "has")
            if name != "where":
                self._add_greatest(options)
            tests.append(_relation(name, options))
            return
        self.specificity[1] += 1
        if name.startswith("nth-"):
            tests.append(self._nth(name, arguments))
        elif name == "lang":
            wanted = tuple(token.value.lower() for token in arguments if token.type in ("ident", "string"))
            tests.append(lambda node, _scope: _in_language(node, wanted))
        elif name in ("dir", "host", "host-context", "state", "active-view-transition-type"):
            tests.append(_never)
        else:
            raise InvalidSelector(f"unknown pseudo-class {name!r}")

    def _nth(self, name: str, arguments: Sequence[Any]) -> Test:
        tokens = list(arguments)
        of = next((index for index, token in enumerate(tokens) if token.type == "ident" and token.value == "of"), None)
        options: tuple[Selector, ...] = ()
        if of is not None:
            options = _nested(tokens[of + 1 :], self)
            self._add_greatest(options)
            tokens = tokens[:of]
        formula = tinycss2.nth.parse_nth(tokens)
        slot = {"nth-child": 0, "nth-last-child": 1, "nth-of-type": 2, "nth-last-of-type": 3}.get(name)
        if formula is None or slot is None:
            raise InvalidSelector(f"bad :{name}()")
        step, offset = formula

        def test(node: Node, scope: Node | None) -> bool:
            if options and not any(option.matches(node, scope) for option in options):
                return False
            position = _position_among(node, options, slot) if options else _position(node, slot)
            return position == offset if step == 0 else (position - offset) % step == 0 <= (position - offset) / step

        return test

    def _add_greatest(self, options: tuple[Selector, ...]) -> None:
        greatest = max((option.specificity for option in options), default=(0, 0, 0))
        for index, value in enumerate(greatest):
            self.specificity[index] += value

    def _parent_test(self) -> Test:
        parents = self.parents
        if parents is None:
            return lambda node, _scope: node.parent is None
        self._add_greatest(parents)
        return lambda node, _scope: any(parent.matches(node) for parent in parents)


def _is_scope(node: Node, scope: Node | None) -> bool:
    return scope is not None and node.element is scope.element


def _never(_node: Node, _scope: Node | None) -> bool:
    return False


def _relation(name: str, options: tuple[Selector, ...]) -> Test:
    if name == "not":
        return lambda node, scope: not any(option.matches(node, scope) for option in options)
    if name != "has":
        return lambda node, scope: any(option.matches(node, scope) for option in options)

    def has(node: Node, _scope: Node | None) -> bool:
        for option in options:
            below = option.combinators[-1] in " >"
            if below and any(option.matches(candidate, node) for candidate in node.descendants()):
                return True
            if not below:
                for sibling in node.following():
                    if option.matches(sibling, node):
                        return True
                    if any(option.matches(candidate, node) for candidate in sibling.descendants()):
                        return True
        return False

    return has


def _position(node: Node, slot: int) -> int:
    index, count, rank, total = node.place()
    return (index, count - index + 1, rank, total - rank + 1)[slot]


def _position_among(node: Node, options: tuple[Selector, ...], slot: int) -> int:
    """The place among the siblings that meet one of `options`: ``:nth-child(2 of .x)``."""
    position = 1
    if slot == 1:
        return position + sum(any(option.matches(other) for option in options) for other in node.following())
    other = node.previous
    while other is not None:
        position += any(option.matches(other) for option in options)
        other = other.previous
    return position


def _in_language(node: Node, wanted: tuple[str, ...]) -> bool:
    current: Node | None = node
    while current is not None:
        language = current.element.get("lang")
        if language is not None:
            language = language.lower()
            return any(language == tag or language.startswith(tag + "-") for tag in wanted)
        current = current.parent
    return False


def _attribute(content: Sequence[Any]) -> Test:
    tokens = [token for token in content if token.type not in ("whitespace", "comment")]
    while len(tokens) > 1 and tokens[0].type == "literal" and tokens[0].value in ("*", "|"):
        tokens = tokens[1:]
    if not tokens or tokens[0].type != "ident":
        raise InvalidSelector("an attribute selector needs a name")
    name = tokens[0].lower_value
    if len(tokens) == 1:
        return lambda node, _scope: node.element.get(name) is not None
    operator = tokens[1].value if tokens[1].type == "literal" else ""
    if operator in ("~", "|", "^", "$", "*") and len(tokens) > 3 and tokens[2].value == "=":
        operator, rest = operator + "=", tokens[3:]
    else:
        rest = tokens[2:]
    if operator not in _OPERATORS or not rest or rest[0].type not in ("ident", "string"):
        raise InvalidSelector("bad attribute selector")
    flag = rest[1].lower_value if len(rest) == 2 and rest[1].type == "ident" else ""
    if len(rest) > 2 or (len(rest) == 2 and flag not in ("i", "s")):
        raise InvalidSelector("bad attribute selector")
    caseless = flag == "i" or (flag != "s" and name in _CASELESS)
    wanted = rest[0].value.lower() if caseless else rest[0].value
    compare = _OPERATORS[operator]

    def test(node: Node, _scope: Node | None) -> bool:
        value = node.element.get(name)
        return value is not None and compare(value.lower() if caseless else value, wanted)

    return test


_OPERATORS: dict[str, Callable[[str, str], bool]] = {
    "=": lambda value, wanted: value == wanted,
    "~=": lambda value, wanted: wanted in value.split(),
    "|=": lambda value, wanted: value == wanted or value.startswith(wanted + "-"),
    "^=": lambda value, wanted: wanted != "" and value.startswith(wanted),
    "$=": lambda value, wanted: wanted != "" and value.endswith(wanted),
    "*=": lambda value, wanted: wanted != "" and wanted in value,
}
