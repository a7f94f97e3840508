"""What every reader of a format gives back, before the parts that all documents share are added."""

from dataclasses import dataclass

from affidavit.evidence.document import Block, Link


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """The visible text of a body in blocks. Fields as in `Document`; blocks ascend and do not overlap.

    `title`, `author`, `language` and `published` are what the format itself states, None when it states nothing.
    """

    text: str
    blocks: tuple[Block, ...]
    breaks: tuple[int, ...] = ()
    links: tuple[Link, ...] = ()
    flags: tuple[str, ...] = ()
    title: str | None = None
    author: str | None = None
    language: str | None = None
    published: str | None = None
