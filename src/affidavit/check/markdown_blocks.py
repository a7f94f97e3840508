"""The blocks of a Markdown draft, with the places of their words in the file itself.

`markdown-it` says which lines are what; the places inside a line are found by the words it gives back, since it keeps
none. A line that no block takes (a link definition, front matter) comes as a block of its own, of kind OTHER: nothing
of a draft goes unmentioned.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from affidavit.evidence.document import BlockKind

if TYPE_CHECKING:
    from markdown_it.token import Token

Range = tuple[int, int]

_LINE = re.compile(r"\r\n?|\n")
_FRONT_MATTER = re.compile(r"\A\ufeff?---[ \t]*\r?\n.*?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.DOTALL)
_MARKERS = re.compile(r"(?:\s|>)*(?:(?:[-*+]|\d{1,9}[.)])\s+)?")
_QUOTE_MARKS = re.compile(r"(?:\s|>)*")
_RULE = re.compile(r"[\s>]*(?:[-*_=]\s*){2,}|[\s>|:-]*")
_CODE = ("fence", "code_block")


@dataclass(frozen=True, slots=True)
class Piece:
    """A block: the ranges of the file that hold its words, one a line. `row` are a table row's column heads, None for
    what is no row; a head row has none."""

    kind: BlockKind
    lines: tuple[Range, ...]
    row: tuple[str, ...] | None = None
    raw: bool = False


def markdown_pieces(text: str) -> Iterator[Piece]:
    """Every block of `text`, in order."""
    from markdown_it import MarkdownIt  # late: 50 ms that only Markdown drafts need

    front = _FRONT_MATTER.match(text)
    body = front.end() if front else 0
    if front:
        yield Piece(BlockKind.OTHER, ((0, body),), raw=True)
    cuts = [body, *(match.end() for match in _LINE.finditer(text, body)), len(text)]
    lines = [(start, _without_end(text, start, end)) for start, end in pairwise(cuts)]
    parser = MarkdownIt("commonmark", {"html": True}).enable("table")
    # Marks within a line are read by `inline`, which knows where each character stood.
    parser.core.ruler.enableOnly(["normalize", "block"])
    tokens = parser.parse(text[body:])
    at = 0
    for first, last, piece in _walk(text, lines, tokens):
        yield from _left_over(text, lines[at:first])
        at = max(at, last)
        if piece is not None and piece.lines:
            yield piece
    yield from _left_over(text, lines[at:])


def _without_end(text: str, start: int, end: int) -> int:
    while end > start and text[end - 1] in "\r\n":
        end -= 1
    return end


def _left_over(text: str, lines: Sequence[Range]) -> Iterator[Piece]:
    for start, end in lines:
        if not _RULE.fullmatch(text, start, end):
            yield Piece(BlockKind.OTHER, ((start, end),), raw=True)


def _walk(text: str, lines: Sequence[Range], tokens: "Sequence[Token]") -> Iterator[tuple[int, int, Piece | None]]:
    """The leaves as ``(first line, line after the last, block)``, in order."""
    inside: list[str] = []
    heads: tuple[str, ...] | None = None
    for index, token in enumerate(tokens):
        first, last = token.map or (0, 0)
        if token.type in ("blockquote_open", "list_item_open"):
            inside.append(token.type)
        elif token.type in ("blockquote_close", "list_item_close"):
            inside.pop()
        elif token.type == "table_open":
            heads = None
        elif token.type == "tr_open":
            cells = _cells(tokens, index)
            yield first, last, _row(text, lines[first:last], heads)
            if heads is None:
                heads = cells
                yield last, last + 1, None
        elif token.type in _CODE:
            yield first, last, Piece(BlockKind.CODE, tuple(lines[first:last]), raw=True)
        elif token.type == "html_block":
            yield first, last, Piece(BlockKind.PARAGRAPH, tuple(_visible(text, lines[first:last])))
        elif token.type == "hr":
            yield first, last, None
        elif token.type == "inline" and tokens[index - 1].type in ("paragraph_open", "heading_open"):
            kind = BlockKind.HEADING if tokens[index - 1].type == "heading_open" else _kind(inside)
            yield first, last, Piece(kind, tuple(_places(text, lines[first:last], token.content)))


def _kind(inside: Sequence[str]) -> BlockKind:
    if not inside:
        return BlockKind.PARAGRAPH
    return BlockKind.QUOTATION if "blockquote_open" in inside else BlockKind.LIST_ITEM


def _cells(tokens: "Sequence[Token]", row: int) -> tuple[str, ...]:
    found: list[str] = []
    for token in tokens[row + 1 :]:
        if token.type == "tr_close":
            break
        if token.type == "inline":
            found.append(token.content)
    return tuple(found)


def _row(text: str, lines: Sequence[Range], heads: tuple[str, ...] | None) -> Piece:
    return Piece(BlockKind.TABLE_ROW, tuple(_visible(text, lines)), () if heads is None else heads)


def _visible(text: str, lines: Sequence[Range]) -> Iterator[Range]:
    """The lines without quotation marks at their start and white space at either end."""
    for start, end in lines:
        marks = _QUOTE_MARKS.match(text, start, end)
        begin = marks.end() if marks else start
        stop = begin + len(text[begin:end].rstrip())
        if begin < stop:
            yield begin, stop


def _places(text: str, lines: Sequence[Range], content: str) -> Iterator[Range]:
    """Where each line of `content` stands in its line of the file: what the marks of lists and quotations leave."""
    for (start, end), words in zip(lines, content.split("\n"), strict=False):
        wanted = words.strip()
        if not wanted:
            continue
        stop = start + len(text[start:end].rstrip())
        at = stop - len(wanted)
        if not text.startswith(wanted, max(at, start)):
            at = text.rfind(wanted, start, end)
        if at < 0:
            marks = _MARKERS.match(text, start, end)
            at = marks.end() if marks else start
            wanted = text[at:end].rstrip()
        if wanted:
            yield at, at + len(wanted)
