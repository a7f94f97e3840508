"""A page as a model sees it: its outline, and those of its blocks that bear on what is asked, within a budget.

The whole page never enters a model's context. What is shown is the page's own text, block by block and in page order,
so that a locator can be copied from it; what is left out between two blocks is marked.
"""

from collections.abc import Sequence

from affidavit.evidence.document import Block, BlockKind, Document
from affidavit.evidence.envelope import neutralise, sealed
from affidavit.evidence.quote import LOCATOR_CHARS
from affidavit.research.question import read_question
from affidavit.research.relevance import Passage, passages, relevance, weigh

OUTLINE_SHARE = 0.2
"""Of the budget, what the outline may take: not swept; a third of the PEPs have outlines longer than 800 characters."""
BEST = 8
"""Sentences of a page, for each sub-question, whose beginnings are known as locators. Not swept."""
BEGINNING = 100
"""Characters of such a beginning, or its line: enough to stand on a page once."""
LEFT_OUT = "[…]"
_HEADING_CHARS = 90


def show_page(document: Document, asked: Sequence[str], budget: int) -> str:
    """The view of `document` between tags that it cannot forge, about `budget` characters of it."""
    outline = _outline(document, int(budget * OUTLINE_SHARE))
    chosen = _chosen(document, asked, budget - sum(map(len, outline)))
    parts = ["Outline:", *outline, "", "Parts:"] if outline else ["Parts:"]
    last = -1
    for index, block in enumerate(document.blocks):
        if index not in chosen:
            continue
        if index != last + 1:
            parts.append(LEFT_OUT)
        parts.append(document.text[block.start : block.start + chosen[index]])
        if chosen[index] < block.end - block.start:
            parts.append(LEFT_OUT)
        last = index
    if last != len(document.blocks) - 1:
        parts.append(LEFT_OUT)
    published = {"published": document.published} if document.published else {}
    flags = {"flags": " ".join(document.flags)} if document.flags else {}
    return sealed(
        "untrusted_page",
        "\n".join(parts),
        doc_id=document.doc_id,
        source=document.final_url,
        title=neutralise((document.title or "")[:200]).text,
        retrieved_at=document.retrieved_at,
        **published,
        **flags,
    )


def beginnings(document: Document, asked: Sequence[str]) -> list[str]:
    """Locators of the sentences of `document` that bear most on what is `asked`, each sub-question in turn."""
    found = passages(document)
    ranked = _ranked(found, asked)
    starts = [places[turn].start for turn in range(BEST) for places in ranked if turn < len(places)]
    least, _ = LOCATOR_CHARS
    texts = dict.fromkeys(document.text[start : start + BEGINNING].split("\n")[0] for start in starts)
    return [text for text in texts if len(text) >= least and document.text.count(text) == 1]


def _outline(document: Document, budget: int) -> list[str]:
    lines: list[str] = []
    for block in document.blocks:
        if block.kind is not BlockKind.HEADING or not block.main:
            continue
        text = " ".join(document.text[block.start : block.end].split())[:_HEADING_CHARS]
        line = "  " * ((block.level or 1) - 1) + text
        if len(line) > budget:
            lines.append(LEFT_OUT)
            break
        budget -= len(line)
        lines.append(line)
    return lines


def _chosen(document: Document, asked: Sequence[str], budget: int) -> dict[int, int]:
    """By index in the page's blocks, how many characters of each are shown: those that bear most on what is asked
    first, each sub-question in turn, then the page from its top."""
    chosen: dict[int, int] = {}
    for index in _wanted(document, asked):
        if budget <= 0:
            break
        block = document.blocks[index]
        if index in chosen or not _readable(block):
            continue
        chosen[index] = min(block.end - block.start, budget)
        budget -= chosen[index]
    return chosen


def _wanted(document: Document, asked: Sequence[str]) -> list[int]:
    ranked = [[document.block_index(item.start) for item in places] for places in _ranked(passages(document), asked)]
    in_turn = [
        places[turn] for turn in range(max(map(len, ranked), default=0)) for places in ranked if turn < len(places)
    ]
    return list(dict.fromkeys([*in_turn, *range(len(document.blocks))]))


def _ranked(found: Sequence[Passage], asked: Sequence[str]) -> list[list[Passage]]:
    """`found` by how much each bears on what is asked, the most first, for each sub-question."""
    weights = weigh(found)
    return [[item.passage for item in relevance(read_question(text), found, weights)] for text in asked]


def _readable(block: Block) -> bool:
    return block.kind is not BlockKind.NAVIGATION and (block.main or block.kind is not BlockKind.OTHER)
