"""A fetched page and the text that can be quoted from it.

`Fetched` is what came over the wire (or out of an archive). `Document` is what a reader sees of it: plain
text laid out in blocks, in page order. Everything quoted later is an address into `Document.text`, so the
text is fixed here once: NFC, one newline inside a paragraph only where the page breaks the line, two between
blocks, and nothing that the page does not show.
"""

import hashlib
from bisect import bisect_right
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from affidavit.errors import IntegrityError
from affidavit.evidence.frozen import freeze_fields


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetched:
    """One response as received. `retrieved_at` is ISO-8601 in UTC ending in ``Z``; header names are lower case."""

    requested_url: str
    final_url: str
    retrieved_at: str
    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes

    def __post_init__(self) -> None:
        freeze_fields(self)

    def header(self, name: str) -> str | None:
        """The first header of that (lower-case) name, or None."""
        return next((value for key, value in self.headers if key == name), None)


class BlockKind(StrEnum):
    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST_ITEM = "list_item"
    TABLE_ROW = "table_row"
    QUOTATION = "quotation"
    CAPTION = "caption"
    CODE = "code"
    NAVIGATION = "navigation"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Block:
    """A run of the text, ``[start, end)`` in code points.

    `main` is whether the block belongs to the page's main content. `level` is a heading's level (1 to 6).
    `page` is the 1-based page of a paginated source. `heads` are a table row's column heads: they are shown
    beside the row, and they are not part of its text.
    """

    start: int
    end: int
    kind: BlockKind
    main: bool = True
    level: int | None = None
    page: int | None = None
    heads: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        freeze_fields(self)


@dataclass(frozen=True, slots=True)
class Link:
    """A link of the page: absolute URL and its visible text."""

    url: str
    text: str


@dataclass(frozen=True, kw_only=True)
class Document:
    """The quotable text of one fetched page.

    `canonical_url` is the URL in canonical form (`ranking.canonical`), of the page's declared canonical where
    it has a believable one. `published` is an ISO date the page states (``YYYY-MM-DD``, ``YYYY-MM`` or ``YYYY``).
    `breaks` are offsets of `text` that no span may cross: a visible part was left out there. `flags` name what a
    careful reader should know (``zero_width``, ``bidi``, ``tag_characters``, ``variation_selectors``, ``mixed_script``,
    ``compatibility``, ``control``, ``injection``).

    Raises IntegrityError for blocks or breaks that are out of order or out of the text: every look-up bisects them.
    """

    requested_url: str
    final_url: str
    canonical_url: str
    retrieved_at: str
    status: int
    headers: tuple[tuple[str, str], ...]
    media_type: str
    sha256: str
    extractor: str
    title: str | None
    published: str | None
    language: str | None
    text: str
    blocks: tuple[Block, ...]
    breaks: tuple[int, ...] = ()
    links: tuple[Link, ...] = ()
    flags: tuple[str, ...] = ()
    author: str | None = None
    site_name: str | None = None

    def __post_init__(self) -> None:
        freeze_fields(self)
        at = 0
        for block in self.blocks:
            if not at <= block.start < block.end <= len(self.text):
                raise IntegrityError(
                    f"{self.final_url}: block {block.start}:{block.end} does not follow {at} within {len(self.text)}"
                )
            at = block.end
        if list(self.breaks) != sorted(self.breaks) or any(not 0 <= at <= len(self.text) for at in self.breaks):
            raise IntegrityError(f"{self.final_url}: breaks {self.breaks} are not ascending offsets of the text")

    @cached_property
    def doc_id(self) -> str:
        """``doc_`` and 16 hex digits of sha256 over canonical URL, raw sha256 and extractor version."""
        key = "\n".join((self.canonical_url, self.sha256, self.extractor))
        return "doc_" + hashlib.sha256(key.encode()).hexdigest()[:16]

    @cached_property
    def text_sha256(self) -> str:
        """Digest of the text: extracting the same bytes again must give the same."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    def block_index(self, offset: int) -> int:
        """The index of the first block that ends after `offset`; the number of blocks when there is none."""
        return bisect_right(self.blocks, offset, key=lambda block: block.end)

    def block_at(self, offset: int) -> Block | None:
        """The block that holds `offset`, or None between blocks."""
        index = self.block_index(offset)
        if index < len(self.blocks) and self.blocks[index].start <= offset:
            return self.blocks[index]
        return None

    def blocks_between(self, start: int, end: int) -> tuple[Block, ...]:
        """The blocks that share a character with ``[start, end)``, in order."""
        first = self.block_index(start)
        last = first
        while last < len(self.blocks) and self.blocks[last].start < end:
            last += 1
        return self.blocks[first:last]

    def break_within(self, start: int, end: int) -> int | None:
        """The first break that ``[start, end)`` would cross, or None."""
        index = bisect_right(self.breaks, start)
        return self.breaks[index] if index < len(self.breaks) and self.breaks[index] < end else None

    def headings_at(self, offset: int) -> tuple[str, ...]:
        """The headings above `offset`, outermost first."""
        stack: list[tuple[int, str]] = []
        for block in self.blocks:
            if block.start > offset:
                break
            if block.kind is BlockKind.HEADING:
                level = block.level or 6
                while stack and stack[-1][0] >= level:
                    stack.pop()
                stack.append((level, self.text[block.start : block.end]))
        return tuple(text for _, text in stack)
