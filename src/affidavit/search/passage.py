"""A page cut into passages: neighbouring blocks under one heading, long enough to be about something.

A passage never crosses a heading, a break of the text or a part of the page that is not main content, so its text
reads on in the document exactly as it stands there, and ``document.text[start:end]`` is it.
"""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from affidavit.evidence.document import Block, BlockKind, Document
from affidavit.evidence.sentences import sentences

VERSION = "passage/1"

# Characters. Swept 600, 1,000, 1,600 (`LONGEST` half as long again; 300 on an earlier extractor, where it was worst) as
# in `embedded`: gold quotations in the first 10 passages 0.50, 0.58, 0.60, gold pages among the first 5 by the page
# search 0.82, 0.81, 0.77. Longer ones hold more and say less precisely where.
TARGET = 1000
LONGEST = 1500


@dataclass(frozen=True, slots=True)
class Passage:
    """``[start, end)`` of the document's text, and the headings it stands under, outermost first."""

    start: int
    end: int
    headings: tuple[str, ...]


def main_blocks(document: Document) -> tuple[Block, ...]:
    """What the page is about. A page with nothing marked as main is taken whole, less its navigation."""
    shown = [block for block in document.blocks if block.kind is not BlockKind.NAVIGATION]
    return tuple([block for block in shown if block.main] or shown)


def passages(document: Document, target: int = TARGET, longest: int = LONGEST) -> Iterator[Passage]:
    """The passages of the main content in order, without headings. Every other main character is in exactly one."""
    stack: list[tuple[int, str]] = []
    run: list[Block] = []
    for block in main_blocks(document):
        if block.kind is BlockKind.HEADING:
            yield from _close(document, run, stack, longest)
            level = block.level or 6
            while stack and stack[-1][0] >= level:
                stack.pop()
            stack.append((level, document.text[block.start : block.end]))
            continue
        if run and (_parted(document, run[-1], block) or block.end - run[0].start > target):
            yield from _close(document, run, stack, longest)
        run.append(block)
    yield from _close(document, run, stack, longest)


def _close(document: Document, run: list[Block], stack: list[tuple[int, str]], longest: int) -> Iterator[Passage]:
    if not run:
        return
    headings = tuple(text for _, text in stack)
    start, end = run[0].start, run[-1].end
    run.clear()
    for cut_start, cut_end in _cut(document, start, end, longest):
        yield Passage(cut_start, cut_end, headings)


def _parted(document: Document, before: Block, after: Block) -> bool:
    between = document.text[before.end : after.start]
    return bool(between.strip()) or any(before.end <= place <= after.start for place in document.breaks)


def _cut(document: Document, start: int, end: int, longest: int) -> Iterator[tuple[int, int]]:
    """A run no longer than `longest` as it is; a longer one after a sentence, a line or a word: the best in reach."""
    if end - start <= longest:
        yield start, end
        return
    text = document.text
    ends = [start + stop for _, stop in sentences(text[start:end], document.language)]
    while end - start > longest:
        place = bisect_right(ends, start + longest) - 1
        stop = ends[place] if place >= 0 and ends[place] > start else 0
        if not stop:
            gap = max(
                text.rfind("\n", start + 1, start + longest), text.rfind(" ", start + longest // 2, start + longest)
            )
            stop = gap if gap > start else start + longest
        yield start, stop
        start = stop + len(text[stop:end]) - len(text[stop:end].lstrip())
    if start < end:
        yield start, end
