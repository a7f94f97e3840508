"""The rules of a page's ``style`` elements that hold on our screen, indexed so that an element finds its own.

Conditions (``@media``, ``@supports``, ``@container``), layers, scopes and nested rules are resolved while reading.
A rule without a property of interest is dropped at once; what is left is looked up by the id, class or tag of its
last compound.
"""

import base64
import binascii
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias
from urllib.parse import unquote_to_bytes

import tinycss2

from affidavit.extract.css import media
from affidavit.extract.css.declaration import Block, parse_block
from affidavit.extract.css.node import Node
from affidavit.extract.css.selector import InvalidSelector, Selector, parse

Layer: TypeAlias = tuple[float, ...]

_UNLAYERED = float("inf")
# Rules nested in rules deeper than this are no honest style sheet.
_MAX_DEPTH = 24
_NOT_APPLIED = ("template", "noscript", "iframe", "noembed", "noframes")


@dataclass(frozen=True, slots=True)
class Entry:
    """One selector of a rule, with what decides between it and others.

    `containers` are the names of the containers (empty for any) that an element has to stand in.
    """

    selector: Selector
    block: Block
    layer: Layer
    order: int
    containers: frozenset[str] = frozenset()

    @property
    def rank(self) -> tuple[Layer, tuple[int, int, int], int]:
        return self.layer, self.selector.specificity, self.order

    @property
    def important_rank(self) -> tuple[Layer, tuple[int, int, int], int]:
        """Among important declarations the earlier layer wins."""
        return tuple(-part for part in self.layer), self.selector.specificity, self.order


@dataclass(slots=True)
class Index:
    """Entries by the id, class or tag of their last compound."""

    by_identity: dict[str, list[Entry]] = field(default_factory=dict[str, list[Entry]])
    by_class: dict[str, list[Entry]] = field(default_factory=dict[str, list[Entry]])
    by_tag: dict[str, list[Entry]] = field(default_factory=dict[str, list[Entry]])
    universal: list[Entry] = field(default_factory=list[Entry])

    def __bool__(self) -> bool:
        return bool(self.by_identity or self.by_class or self.by_tag or self.universal)

    def matching(self, node: Node) -> list[Entry]:
        """The entries whose selector the element meets, in no order."""
        found: list[Entry] = []
        if node.identity is not None and self.by_identity:
            found += self.by_identity.get(node.identity, ())
        if self.by_class:
            for name in node.classes:
                found += self.by_class.get(name, ())
        if node.tag in self.by_tag:
            found += self.by_tag[node.tag]
        found += self.universal
        return [entry for entry in found if entry.selector.matches(node)]

    def file(self, entry: Entry) -> None:
        last = entry.selector.compounds[0]
        if last.identity is not None:
            self.by_identity.setdefault(last.identity, []).append(entry)
        elif last.classes:
            self.by_class.setdefault(last.classes[-1], []).append(entry)
        elif last.tag is not None:
            self.by_tag.setdefault(last.tag, []).append(entry)
        else:
            self.universal.append(entry)


@dataclass(slots=True)
class Stylesheet:
    """All rules of a page. `fold`: ids and classes ignore case (no doctype).

    `initial` are the values of registered custom properties, `uninherited` those of them that begin anew at each
    element; `containers` those of the queries being read. `generated` are the rules of ``::before`` and ``::after``;
    `overlays`: one of them places its box freely; `worded`: one of them writes words.
    """

    fold: bool = False
    rules: Index = field(default_factory=Index)
    generated: dict[str, Index] = field(default_factory=lambda: {"before": Index(), "after": Index()})
    overlays: bool = False
    worded: bool = False
    initial: dict[str, tuple[Any, ...]] = field(default_factory=dict[str, tuple[Any, ...]])
    uninherited: dict[str, tuple[Any, ...] | None] = field(default_factory=dict[str, "tuple[Any, ...] | None"])
    containers: frozenset[str] = frozenset()
    last_frames: dict[str, Block] = field(default_factory=dict[str, Block])
    layers: dict[tuple[str, ...], int] = field(default_factory=dict[tuple[str, ...], int])
    order: int = 0

    def __bool__(self) -> bool:
        return bool(self.rules)

    def matching(self, node: Node) -> list[Entry]:
        """The entries whose selector the element meets, in no order."""
        return self.rules.matching(node)

    def add(self, css: str) -> None:
        """Read a sheet behind those already read."""
        rules = tinycss2.parse_stylesheet(css, skip_comments=True, skip_whitespace=True)
        self._read(rules, None, (), 0)

    def _read(
        self, rules: Iterable[Any], parents: tuple[Selector, ...] | None, layer: tuple[str, ...], depth: int
    ) -> None:
        if depth > _MAX_DEPTH:
            return
        for rule in rules:
            if rule.type == "qualified-rule":
                self._rule(rule, parents, layer, depth)
            elif rule.type == "at-rule":
                self._at_rule(rule, parents, layer, depth)

    def _rule(self, rule: Any, parents: tuple[Selector, ...] | None, layer: tuple[str, ...], depth: int) -> None:
        try:
            selectors = parse(rule.prelude, fold=self.fold, parents=parents)
        except InvalidSelector:
            return
        if selectors:
            self._body(rule.content, selectors, layer, depth)

    def _body(
        self, content: Sequence[Any], selectors: tuple[Selector, ...], layer: tuple[str, ...], depth: int
    ) -> None:
        """Declarations and nested rules of the elements that `selectors` choose."""
        nodes = tinycss2.parse_blocks_contents(content, skip_comments=True, skip_whitespace=True)
        block = parse_block(nodes)
        if block:
            self.order += 1
            for selector in selectors:
                self._file(Entry(selector, block, self._rank(layer), self.order, self.containers))
        around = tuple(selector for selector in selectors if not selector.pseudo)
        self._read((node for node in nodes if node.type != "declaration"), around, layer, depth + 1)

    def _file(self, entry: Entry) -> None:
        if not entry.selector.pseudo:
            self.rules.file(entry)
            return
        self.generated[entry.selector.pseudo].file(entry)
        declared = (*entry.block.normal, *entry.block.important)
        self.worded = self.worded or any(name == "content" and not isinstance(value, bool) for name, value in declared)
        self.overlays = self.overlays or any(name == "position" and value == "absolute" for name, value in declared)

    def _at_rule(self, rule: Any, parents: tuple[Selector, ...] | None, layer: tuple[str, ...], depth: int) -> None:
        name = rule.lower_at_keyword
        if name == "layer":
            self._layer_rule(rule, parents, layer, depth)
        elif rule.content is None:
            return
        elif name in ("keyframes", "-webkit-keyframes"):
            self._keyframes(rule)
        elif name == "property":
            self._register(rule)
        elif name == "container":
            self._container(rule, parents, layer, depth)
        elif name in _CONDITIONS:
            if _CONDITIONS[name](rule.prelude):
                self._inside(rule.content, parents, layer, depth)
        elif name == "scope":
            self._scope(rule, layer, depth)

    def _container(self, rule: Any, parents: tuple[Selector, ...] | None, layer: tuple[str, ...], depth: int) -> None:
        """``@container``: its rules hold in an element that is declared a container, which only the style can tell."""
        if media.container_holds(rule.prelude):
            outside = self.containers
            self.containers = outside | {media.container_name(rule.prelude)}
            self._inside(rule.content, parents, layer, depth)
            self.containers = outside

    def _register(self, rule: Any) -> None:
        """``@property``: needs a name, a syntax and whether it is inherited, or is not valid."""
        name = next((token.value for token in rule.prelude if token.type == "ident"), "")
        nodes: list[Any] = tinycss2.parse_blocks_contents(rule.content, skip_comments=True, skip_whitespace=True)
        values = {node.lower_name: node.value for node in nodes if node.type == "declaration"}
        inherits = next((token.value for token in values.get("inherits", ()) if token.type == "ident"), None)
        if not name.startswith("--") or "syntax" not in values or inherits not in ("true", "false"):
            return
        initial = values.get("initial-value")
        if initial is not None:
            self.initial[name] = tuple(initial)
        if inherits == "false":
            self.uninherited[name] = tuple(initial) if initial is not None else None

    def _inside(
        self, content: Sequence[Any], parents: tuple[Selector, ...] | None, layer: tuple[str, ...], depth: int
    ) -> None:
        if parents is not None:
            self._body(content, parents, layer, depth)
            return
        rules = tinycss2.parse_rule_list(content, skip_comments=True, skip_whitespace=True)
        self._read(rules, None, layer, depth + 1)

    def _scope(self, rule: Any, layer: tuple[str, ...], depth: int) -> None:
        """``@scope (root)``: its rules hold below the root. The lower limit is not honoured."""
        block = next((token for token in rule.prelude if token.type == "() block"), None)
        try:
            roots = parse(block.content, fold=self.fold) if block is not None else None
        except InvalidSelector:
            return
        rules = tinycss2.parse_rule_list(rule.content, skip_comments=True, skip_whitespace=True)
        self._read(rules, roots, layer, depth + 1)

    def _layer_rule(self, rule: Any, parents: tuple[Selector, ...] | None, layer: tuple[str, ...], depth: int) -> None:
        names: list[tuple[str, ...]] = [()]
        for token in rule.prelude:
            if token.type == "ident":
                names[-1] = (*names[-1], token.value)
            elif token.type == "literal" and token.value == ",":
                names.append(())
        for name in names:
            self._rank(layer + (name or (f" {len(self.layers)}",)))
        if rule.content is not None:
            self._inside(rule.content, parents, layer + (names[0] or (f" {len(self.layers) - 1}",)), depth)

    def _rank(self, layer: tuple[str, ...]) -> Layer:
        """Position at every level of nesting, then "no layer", which comes last."""
        for size in range(1, len(layer) + 1):
            self.layers.setdefault(layer[:size], len(self.layers))
        return (*(self.layers[layer[:size]] for size in range(1, len(layer) + 1)), _UNLAYERED)

    def _keyframes(self, rule: Any) -> None:
        name = next((token.value for token in rule.prelude if token.type in ("ident", "string")), None)
        frames = tinycss2.parse_rule_list(rule.content, skip_comments=True, skip_whitespace=True)
        for frame in frames:
            if name is not None and frame.type == "qualified-rule" and _is_last_frame(frame.prelude):
                nodes = tinycss2.parse_blocks_contents(frame.content, skip_comments=True, skip_whitespace=True)
                self.last_frames[name] = parse_block(nodes)


_CONDITIONS = {
    "media": media.holds,
    "supports": media.supports,
}


def _is_last_frame(prelude: Sequence[Any]) -> bool:
    return any(
        (token.type == "ident" and token.lower_value == "to") or (token.type == "percentage" and token.value == 100)
        for token in prelude
    )


def collect(tree: Any, *, fold: bool) -> Stylesheet:
    """The sheets that a page carries in itself: ``style`` elements and ``data:`` links whose media hold."""
    sheet = Stylesheet(fold=fold)
    for element in tree.iter("style", "link"):
        if _applies(element):
            css = (element.text or "") if element.tag == "style" else _data_sheet(element)
            if css:
                sheet.add(css)
    return sheet


def _applies(element: Any) -> bool:
    if element.tag == "link" and "stylesheet" not in (element.get("rel") or "").lower().split():
        return False
    kind = (element.get("type") or "text/css").strip().lower()
    if kind != "text/css" or next(element.iterancestors(*_NOT_APPLIED), None) is not None:
        return False
    query = element.get("media")
    return query is None or media.holds(tinycss2.parse_component_value_list(query))


def _data_sheet(element: Any) -> str:
    """The sheet inside a ``data:`` link; empty for one that would have to be loaded."""
    head, comma, body = (element.get("href") or "").strip().partition(",")
    if not comma or not head.lower().startswith("data:text/css"):
        return ""
    raw = unquote_to_bytes(body)
    if head.lower().endswith(";base64"):
        try:
            raw = base64.b64decode(raw)
        except (binascii.Error, ValueError):
            return ""
    return raw.decode("utf-8", "replace")
