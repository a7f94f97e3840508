"""Drafts of blocks put together into one text with offsets."""

from collections.abc import Iterable

from affidavit.evidence.document import Block, BlockKind
from affidavit.extract.flow import Draft

BETWEEN_BLOCKS = "\n\n"


def assemble(drafts: Iterable[Draft]) -> tuple[str, tuple[Block, ...], tuple[int, ...]]:
    """Text, blocks and breaks of a page. Blocks are in order, apart by two newlines, and cover all other text."""
    parts: list[str] = []
    blocks: list[Block] = []
    breaks: list[int] = []
    length = 0
    for draft in drafts:
        if not draft.text:
            breaks.append(length)
            continue
        if parts:
            parts.append(BETWEEN_BLOCKS)
            length += len(BETWEEN_BLOCKS)
        parts.append(draft.text)
        blocks.append(_block(draft, length))
        breaks.extend(length + cut for cut in draft.cuts)
        length += len(draft.text)
    return "".join(parts), tuple(blocks), tuple(sorted({cut for cut in breaks if 0 < cut < length}))


def _block(draft: Draft, start: int) -> Block:
    place = draft.place
    kind = BlockKind.NAVIGATION if place.navigation else place.kind
    return Block(
        start,
        start + len(draft.text),
        kind,
        main=place.main and not place.navigation,
        level=place.level if kind is BlockKind.HEADING else None,
        heads=draft.heads if kind is BlockKind.TABLE_ROW else (),
    )
