"""An element while it is being read, and what covers it."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from affidavit.extract.css.node import Node
from affidavit.extract.flow import Draft, Place
from affidavit.extract.table import Table
from affidavit.extract.visibility import Style


@dataclass(slots=True)
class Cover:
    """An opaque box over its container, by the drafts: its own are from `start` to before `end`."""

    level: int
    start: int
    end: int

    def hides(self, draft: Draft, index: int, depth: int) -> bool:
        """Whether a block is painted before this cover of the container at `depth` (CSS 2, appendix E)."""
        if self.start <= index < self.end:
            return False
        level: int | None = None
        for layer in draft.place.layers:
            if layer.depth > depth:
                level = layer.level
                if layer.closed:
                    break
        return level is None or level < self.level or (level == self.level and index < self.start)


@dataclass(slots=True)
class Frame:
    """An element that is being read."""

    element: Any
    node: Node
    style: Style
    children: Iterator[Any]
    place: Place
    last: Node | None = None
    table: Table | None = None
    in_row: bool = False
    opens_row: bool = False
    ends_row: bool = False
    href: str | None = None
    outer_anchor: list[str] | None = None
    script_start: int | None = None
    raised: bool | None = None
    in_script: bool = False
    draft_start: int = 0
    covers: "list[Cover]" = field(default_factory=list["Cover"])
    overlay: "Cover | None" = None
    slots: frozenset[str] | None = None
    paragraph: "Frame | None" = None
