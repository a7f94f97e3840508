"""A quotation where it stands on its page: the blocks around it, with its own words marked.

Made from the stored Document alone, so it shows what was read, whatever the live page says today. The marked
words, with the white space between blocks, are exactly the span; a context that marked anything else would show a
reader another quotation than the one that was verified.
"""

from dataclasses import dataclass

from affidavit.evidence.document import Block, BlockKind, Document
from affidavit.evidence.span import Span

# A screenful on either side: enough to see who speaks and of what, short enough to be read.
BLOCKS_BEFORE = 4
BLOCKS_AFTER = 4
CHARS_BEFORE = 1_200
CHARS_AFTER = 1_200
# A block longer than this is cut around the quotation (a whole page in one <pre>, a 5,000-word paragraph).
BLOCK_CHARS = 1_500


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of a block's text, quoted (`marked`) or not."""

    text: str
    marked: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """One block as shown. `cut_before` and `cut_after` say that the block's text goes on beyond what is shown.

    `broken_before` says that the page shows something between this block and the one before, and the text does not.
    """

    kind: BlockKind
    level: int | None
    page: int | None
    heads: tuple[str, ...]
    main: bool
    pieces: tuple[Piece, ...]
    cut_before: bool = False
    cut_after: bool = False
    broken_before: bool = False


@dataclass(frozen=True, slots=True)
class PageContext:
    """`headings` lead to the quotation, outermost first; `before` and `after` count the characters not shown."""

    headings: tuple[str, ...]
    passages: tuple[Passage, ...]
    before: int
    after: int


def page_context(document: Document, span: Span) -> PageContext:
    """The blocks around `span`. Raises SpanMismatch when the document does not hold it."""
    span.check(document)
    blocks = _covering(document)
    touched = [index for index, block in enumerate(blocks) if block.start < span.end and block.end > span.start]
    if not touched:
        blocks, touched = [Block(0, len(document.text), BlockKind.OTHER)], [0]
    first, last = touched[0], touched[-1]
    low, high = first, last
    while low > 0 and first - low < BLOCKS_BEFORE and span.start - blocks[low - 1].start <= CHARS_BEFORE:
        low -= 1
    while high + 1 < len(blocks) and high - last < BLOCKS_AFTER and blocks[high + 1].end - span.end <= CHARS_AFTER:
        high += 1
    while high > last and blocks[high].kind is BlockKind.HEADING:
        high -= 1  # a heading whose section is not shown says nothing
    shown = blocks[low : high + 1]
    passages = tuple(
        _passage(document, block, span, previous) for previous, block in zip((None, *shown), shown, strict=False)
    )
    return PageContext(document.headings_at(span.start), passages, shown[0].start, len(document.text) - shown[-1].end)


def _covering(document: Document) -> list[Block]:
    """The document's blocks, and a block of kind OTHER for any text that stands in none."""
    blocks: list[Block] = []
    at = 0
    for block in (*document.blocks, Block(len(document.text), len(document.text), BlockKind.OTHER)):
        if document.text[at : block.start].strip():
            blocks.append(Block(at, block.start, BlockKind.OTHER))
        if block.end > block.start:
            blocks.append(block)
        at = max(at, block.end)
    return blocks


def _passage(document: Document, block: Block, span: Span, previous: Block | None) -> Passage:
    quoted_from, quoted_to = max(block.start, span.start), min(block.end, span.end)
    if quoted_from >= quoted_to:
        quoted_from = quoted_to = block.end if block.end <= span.start else block.start
    start, end = block.start, block.end
    if end - start > BLOCK_CHARS:
        start = max(start, quoted_from - BLOCK_CHARS // 2)
        end = min(end, quoted_to + BLOCK_CHARS // 2)
    pieces = (
        Piece(document.text[start:quoted_from], False),
        Piece(document.text[quoted_from:quoted_to], True),
        Piece(document.text[quoted_to:end], False),
    )
    return Passage(
        kind=block.kind,
        level=block.level,
        page=block.page,
        heads=block.heads,
        main=block.main,
        pieces=tuple(piece for piece in pieces if piece.text),
        cut_before=start > block.start,
        cut_after=end < block.end,
        broken_before=previous is not None and any(previous.end <= at <= block.start for at in document.breaks),
    )
