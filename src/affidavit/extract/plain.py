"""Plain text: paragraphs parted by blank lines, and list items where every entry shows its bullet.

Hard-wrapped lines stay: a newline inside a block is where the file broke the line, and quoting folds white space.
"""

import re

from affidavit.evidence.document import Block, BlockKind
from affidavit.extract.characters import clean
from affidavit.extract.page import Page

VERSION = "plain/1"

_ESCAPES = re.compile(r"\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\[[0-?]*[ -/]*[@-~]|\x1b[@-Z\\^_]")
_PARAGRAPHS = re.compile(r"\n(?:[ \t]*\n)+|\f")
_ITEM = re.compile(r"^[ \t]*(?:[-*+•–]|\d{1,3}[.)])[ \t]+(?=\S)")


def read_plain(text: str) -> Page:
    """The page of a decoded text. Terminal escapes draw nothing and are left out, flagged ``control``."""
    flags: set[str] = set()
    bare, escapes = _ESCAPES.subn("", text)
    if escapes:
        flags.add("control")
    cleaned, seen = clean(bare.replace("\f", "\n\n"))
    pieces: list[str] = []
    blocks: list[Block] = []
    offset = 0
    for paragraph in _PARAGRAPHS.split(cleaned.expandtabs()):
        for entry, kind in _entries(paragraph):
            blocks.append(Block(offset, offset + len(entry), kind))
            pieces.append(entry)
            offset += len(entry) + 2
    return Page(text="\n\n".join(pieces), blocks=tuple(blocks), flags=tuple(sorted(flags | seen)))


def _entries(paragraph: str) -> list[tuple[str, BlockKind]]:
    """One paragraph, or its list items if it starts with one and has several."""
    lines = [line.rstrip() for line in paragraph.split("\n") if line.strip()]
    if not lines:
        return []
    starts = [number for number, line in enumerate(lines) if _ITEM.match(line)]
    if not starts or starts[0] != 0 or len(starts) == 1:
        return [("\n".join(lines).strip(), BlockKind.PARAGRAPH)]
    bounds = zip(starts, [*starts[1:], len(lines)], strict=True)
    return [("\n".join(lines[start:end]).strip(), BlockKind.LIST_ITEM) for start, end in bounds]
