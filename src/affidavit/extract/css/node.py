"""An element as selectors see it: its place among ancestors and siblings, its name, id and classes."""

from collections.abc import Iterator
from typing import Any


class Node:
    """One element. `parent` and `previous` are its nearest element relations; text and comments are skipped.

    `fold` is whether ids and classes ignore case, as they do in a document without a doctype.
    """

    __slots__ = ("_places", "classes", "element", "fold", "identity", "parent", "previous", "tag")

    def __init__(self, element: Any, parent: "Node | None", previous: "Node | None", *, fold: bool = False) -> None:
        self.element = element
        self.parent = parent
        self.previous = previous
        self.fold = fold
        self.tag: str = element.tag.lower() if not element.tag.islower() else element.tag
        names, identity = element.get("class"), element.get("id")
        if fold:
            names, identity = names and names.lower(), identity and identity.lower()
        self.classes: tuple[str, ...] | list[str] = names.split() if names else ()
        self.identity: str | None = identity
        self._places: dict[Any, tuple[int, int, int, int]] | None = None

    def place(self) -> tuple[int, int, int, int]:
        """Position and number among all element siblings, then among those of the same name. Positions start at 1."""
        return (1, 1, 1, 1) if self.parent is None else self.parent.places()[self.element]

    def places(self) -> dict[Any, tuple[int, int, int, int]]:
        """The places of the children, counted once for all of them."""
        if self._places is None:
            children = [child for child in self.element if isinstance(child.tag, str)]
            totals: dict[str, int] = {}
            ranks: list[int] = []
            for child in children:
                totals[child.tag] = totals.get(child.tag, 0) + 1
                ranks.append(totals[child.tag])
            self._places = {
                child: (index, len(children), rank, totals[child.tag])
                for index, (child, rank) in enumerate(zip(children, ranks, strict=True), 1)
            }
        return self._places

    def children(self) -> Iterator["Node"]:
        """The element children, as nodes of their own."""
        previous = None
        for child in self.element:
            if isinstance(child.tag, str):
                previous = Node(child, self, previous, fold=self.fold)
                yield previous

    def descendants(self) -> Iterator["Node"]:
        """All element descendants in document order."""
        stack = [self.children()]
        while stack:
            node = next(stack[-1], None)
            if node is None:
                stack.pop()
            else:
                yield node
                stack.append(node.children())

    def following(self) -> Iterator["Node"]:
        """The element siblings after this one."""
        previous = self
        for sibling in self.element.itersiblings():
            if isinstance(sibling.tag, str):
                previous = Node(sibling, self.parent, previous, fold=self.fold)
                yield previous
