"""Which blocks of a page are its main content.

`trafilatura` judges, our walk speaks: its text is matched back onto the blocks, and a block is main when most of its
words come out there in order. It drops quotations, captions and rows on some pages, so what stands between main
blocks in the same region of the page is main as well. Where it finds nothing, the page's own structure decides.
Only `Block.main` changes; no word and no offset does.
"""

import bisect
import copy
import itertools
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from affidavit.evidence.document import Block, BlockKind
from affidavit.extract.html import HtmlPage

_WORD = re.compile(r"\w+")
# A block of so many words is found by itself; a shorter one ("Abstract") also stands in menus, and is looked for only
# between the blocks around it.
_LONG = 8
_SHINGLE = 4
# Share of a long block's four-word runs that have to come out; inline code and links are what gets lost.
_COMING_OUT = 0.5
# A judgement on fewer words than this, or on this small a share of a region the page itself calls main, is a failure.
_LEAST_WORDS = 20
_LEAST_SHARE = 0.15
# So many blocks in a row may be missing between two main ones.
_LONGEST_GAP = 40
# Author, date and topics stand between a title and the first paragraph.
_BYLINE = 4


def mark(page: HtmlPage, tree: Any) -> HtmlPage:
    """`page` with `Block.main` set from the judgement on the `tree` it was walked from."""
    judged = judgement(tree)
    words = [_words(page.text[block.start : block.end]) for block in page.blocks]
    chosen = _chosen(page.text, page.blocks, words, _words(judged))
    if chosen is None:
        return page
    blocks = tuple(
        block if block.main == main else replace(block, main=main)
        for block, main in zip(page.blocks, chosen, strict=True)
    )
    return replace(page, blocks=blocks)


def judgement(tree: Any) -> str:
    """The main text as trafilatura has it; empty where it finds none or fails, which it may on odd markup."""
    import trafilatura  # late: 0.3 s of imports that no other command needs

    try:
        found = trafilatura.extract(
            copy.deepcopy(tree), include_comments=False, include_tables=True, favor_recall=True, with_metadata=False
        )
    except (ValueError, TypeError, AttributeError, IndexError, KeyError, AssertionError, RecursionError):
        return ""
    return found or ""


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def _chosen(text: str, blocks: Sequence[Block], words: list[list[str]], judged: list[str]) -> list[bool] | None:
    """Main or not, block by block; None where the page's structure has to decide."""
    if len(judged) < _LEAST_WORDS:
        return None
    chosen = _matched(words, judged)
    found = sum(len(own) for own, main in zip(words, chosen, strict=True) if main)
    structural = sum(len(own) for own, block in zip(words, blocks, strict=True) if block.main)
    if found < _LEAST_WORDS or found < _LEAST_SHARE * structural:
        return None
    _fill(text, blocks, chosen)
    return [main and block.kind is not BlockKind.NAVIGATION for main, block in zip(chosen, blocks, strict=True)]


def _matched(words: list[list[str]], judged: list[str]) -> list[bool]:
    """Whether the words of each block come out in the judged text, in the order of the page."""
    text = f" {' '.join(judged)} "
    shingles = {tuple(judged[index : index + _SHINGLE]) for index in range(len(judged) - _SHINGLE + 1)}
    places = [_place(own, text, shingles) if len(own) >= _LONG else None for own in words]
    anchors = _in_order(places)
    chosen = [place is not None for place in places]
    position = 0
    ends = {index: end for index, (_, end) in anchors}
    starts = [(index, start) for index, (start, _) in anchors]
    upcoming = 0
    for index, own in enumerate(words):
        if index in ends:
            position = ends[index]
        if len(own) >= _LONG or not own:
            continue
        while upcoming < len(starts) and starts[upcoming][0] < index:
            upcoming += 1
        limit = starts[upcoming][1] + 1 if upcoming < len(starts) else len(text)
        found = text.find(f" {' '.join(own)} ", max(position - 1, 0), limit)
        if found >= 0:
            chosen[index] = True
            position = found + len(" ".join(own)) + 1
    return chosen


def _place(own: list[str], text: str, shingles: set[tuple[str, ...]]) -> tuple[int, int] | None:
    """Where a long block stands in the judged text; a negative start where only parts of it do."""
    key = f" {' '.join(own)} "
    found = text.find(key)
    if found >= 0:
        return found, found + len(key) - 1
    runs = [tuple(own[index : index + _SHINGLE]) for index in range(len(own) - _SHINGLE + 1)]
    if sum(run in shingles for run in runs) >= _COMING_OUT * len(runs):
        return -1, -1
    return None


def _in_order(places: list[tuple[int, int] | None]) -> list[tuple[int, tuple[int, int]]]:
    """The longest series of found blocks whose places rise: the others stand somewhere else by accident."""
    found = [(index, place) for index, place in enumerate(places) if place is not None and place[0] >= 0]
    tails: list[int] = []
    tail_items: list[int] = []
    before: list[int] = []
    for item, (_, (start, _)) in enumerate(found):
        slot = bisect.bisect_left(tails, start)
        before.append(tail_items[slot - 1] if slot else -1)
        tails[slot:] = [start] if slot == len(tails) else [start, *tails[slot + 1 :]]
        tail_items[slot:] = [item] if slot == len(tail_items) else [item, *tail_items[slot + 1 :]]
    series: list[tuple[int, tuple[int, int]]] = []
    item = tail_items[-1] if tail_items else -1
    while item >= 0:
        series.append(found[item])
        item = before[item]
    return series[::-1]


def _fill(text: str, blocks: Sequence[Block], chosen: list[bool]) -> None:
    """Add what was dropped between main blocks, the title above the first, and the last sentences below."""
    mains = [index for index, main in enumerate(chosen) if main]
    for last, index in itertools.pairwise(mains):
        if index - last - 1 <= _LONGEST_GAP:
            for between in range(last + 1, index):
                chosen[between] = blocks[between].main
    if not mains:
        return
    for index in range(_title(blocks, mains[0]), mains[0]):
        chosen[index] = blocks[index].main
    for index in range(mains[-1] + 1, len(blocks)):
        if not blocks[index].main or blocks[index].kind is BlockKind.HEADING or not _is_sentence(text, blocks[index]):
            break
        chosen[index] = True


def _is_sentence(text: str, block: Block) -> bool:
    return text[block.start : block.end].rstrip("\"'”’»)").endswith((".", "!", "?", "…", "。"))


def _title(blocks: Sequence[Block], first: int) -> int:
    """The heading that the first main block stands under, with no more than a by-line between; else the block."""
    for index in range(first - 1, max(first - 1 - _BYLINE, -1), -1):
        if not blocks[index].main:
            break
        if blocks[index].kind is BlockKind.HEADING and (blocks[index].level == 1 or index == first - 1):
            return index
    return first
