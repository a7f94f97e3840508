"""A draft as it is checked: what a reader sees of it, cut into units, each with its place in the writer's own text.

`Draft.source` is the file of a Markdown or plain text draft, character for character, and offsets count in it. HTML
and DOCX are no text that a person edits: there the source is the visible text as extracted (`of_file` is False).
"""

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from affidavit.check.inline import Plain, read_inline
from affidavit.check.markdown_blocks import Piece, markdown_pieces
from affidavit.evidence.check import SentenceKind
from affidavit.evidence.document import Block, BlockKind, Document

Range = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Unit:
    """A sentence, table row, heading or other part. ``[first, last)`` is its place in `Draft.text`, ``[start, end)`` in
    `Draft.source`. `heads` are a table row's column heads; `block` numbers the block it stands in."""

    first: int
    last: int
    start: int
    end: int
    kind: SentenceKind
    block: int
    heads: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DraftBlock:
    """``[start, end)`` of `Draft.text`."""

    start: int
    end: int
    kind: BlockKind
    heads: tuple[str, ...] = ()
    head_row: bool = False


@dataclass(frozen=True, kw_only=True)
class Draft:
    """`text` is what a reader sees; character i of it stands at ``[starts[i], ends[i])`` of `source`. Without `starts`
    the two are the same text. `code` are ranges of `text` set as code within a sentence. `linked` are the addresses
    that an extracted draft links to."""

    name: str
    source: str
    text: str
    blocks: tuple[DraftBlock, ...]
    of_file: bool
    language: str | None = None
    starts: Sequence[int] = ()
    ends: Sequence[int] = ()
    code: tuple[Range, ...] = ()
    linked: tuple[str, ...] = ()

    def place(self, first: int, last: int) -> Range:
        """Where ``[first, last)`` of `text` stands in `source`."""
        if not self.starts:
            return first, last
        return self.starts[first], self.ends[last - 1]

    def line(self, offset: int) -> Range:
        """Line and column of an offset of `source`, both from 1, the column in code points."""
        row = bisect_right(self._line_starts, offset)
        return row, offset - self._line_starts[row - 1] + 1

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(match.end() for match in _LINE_END.finditer(self.source))]


_LINE_END = re.compile(r"\r\n?|\n")
_PARAGRAPH = re.compile(r"(?:\r\n?|\n)(?:[^\S\r\n]*(?:\r\n?|\n))+|\f")
_ITEM = re.compile(r"[^\S\r\n]*(?:[-*+•–]|\d{1,3}[.)])[^\S\r\n]+(?=\S)")
_ITEM_LINE = re.compile(rf"^{_ITEM.pattern}", re.MULTILINE)


def markdown_draft(name: str, source: str) -> Draft:
    """The draft of a Markdown file's text."""
    plain = Plain()
    blocks: list[DraftBlock] = []
    for piece in markdown_pieces(source):
        if blocks:
            plain.stand_in("\n\n", piece.lines[0][0], piece.lines[0][0])
        begin = len(plain.starts)
        _read(source, piece, plain)
        blocks.append(
            DraftBlock(begin, len(plain.starts), piece.kind, piece.row or (), piece.row is not None and not piece.row)
        )
    text = plain.text
    kept = tuple(block for block in blocks if text[block.start : block.end].strip())
    return Draft(
        name=name,
        source=source,
        text=text,
        blocks=kept,
        of_file=True,
        starts=plain.starts,
        ends=plain.ends,
        code=tuple(plain.code),
    )


def _read(source: str, piece: Piece, plain: Plain) -> None:
    """The words of one block, its lines joined by line feeds."""
    words: list[str] = []
    at = array("q")
    for start, end in piece.lines:
        if words:
            words.append("\n")
            at.append(start)
        words.append(source[start:end])
        at.extend(range(start, end))
    if piece.raw:
        plain.add("".join(words), at)
    else:
        read_inline("".join(words), at, plain)


def plain_draft(name: str, source: str) -> Draft:
    """The draft of a plain text: paragraphs parted by blank lines, list items without their marks."""
    blocks: list[DraftBlock] = []
    for start, end in _between(_PARAGRAPH, source, 0, len(source)):
        starts = [match.start() for match in _ITEM_LINE.finditer(source, start, end)]
        if not starts or source[start : starts[0]].strip():
            blocks.append(DraftBlock(start, end, BlockKind.PARAGRAPH))
            continue
        for first, last in zip(starts, [*starts[1:], end], strict=True):
            mark = _ITEM.match(source, first, last)
            blocks.append(DraftBlock(mark.end() if mark else first, last, BlockKind.LIST_ITEM))
    return Draft(name=name, source=source, text=source, blocks=tuple(_trimmed(source, blocks)), of_file=True)


def document_draft(name: str, document: Document) -> Draft:
    """The draft of an extracted page: HTML, DOCX, PDF."""
    follows = (*document.blocks[1:], None)
    blocks = tuple(
        DraftBlock(one.start, one.end, one.kind, one.heads, _heads(document, one, after))
        for one, after in zip(document.blocks, follows, strict=True)
    )
    return Draft(
        name=name,
        source=document.text,
        text=document.text,
        blocks=blocks,
        of_file=False,
        language=document.language,
        linked=tuple(link.url for link in document.links),
    )


def _heads(document: Document, row: Block, after: Block | None) -> bool:
    """Whether a table row is the heads of the row after it. An extractor calls such a row OTHER once data follows; a
    row that has heads itself is data, whatever words it repeats."""
    if row.kind not in (BlockKind.TABLE_ROW, BlockKind.OTHER) or row.heads or after is None:
        return False
    text = document.text[row.start : row.end]
    heads = [head for head in after.heads if head]
    return bool(heads) and all(head in text for head in heads)


def _between(gap: re.Pattern[str], text: str, start: int, end: int) -> Iterator[Range]:
    at = start
    for match in gap.finditer(text, start, end):
        yield at, match.start()
        at = match.end()
    yield at, end


def _trimmed(text: str, blocks: Iterable[DraftBlock]) -> Iterator[DraftBlock]:
    for block in blocks:
        words = text[block.start : block.end]
        start = block.start + len(words) - len(words.lstrip())
        end = block.end - (len(words) - len(words.rstrip()))
        if start < end:
            yield DraftBlock(start, end, block.kind, block.heads)
