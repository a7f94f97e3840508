"""A draft cut into units: sentences that assert something, and the parts that assert nothing.

Headings, questions, code, calls to act and scraps are no claims (contract C1); they are listed, never judged. A
quotation is not cut where it ends a sentence inside: what somebody is quoted with stays with who is said to have
said it.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence

from affidavit.check.clauses import LONGEST, short_enough
from affidavit.check.draft import Draft, DraftBlock, Unit
from affidavit.check.vocabulary import imperatives
from affidavit.evidence.check import SentenceKind
from affidavit.evidence.document import BlockKind
from affidavit.evidence.language import guess_language
from affidavit.evidence.sentences import sentences
from affidavit.gates.assertion import assess
from affidavit.gates.quotations import Quotation

VERSION = "atomise/1"

_KINDS = {
    "heading": SentenceKind.HEADING,
    "question": SentenceKind.QUESTION,
    "code": SentenceKind.CODE,
    "navigation": SentenceKind.OTHER,
    "instruction": SentenceKind.OTHER,
    "fragment": SentenceKind.OTHER,
}
_FIRST_WORD = re.compile(r"\W*(?:(?:please|now|then|so|just|always|and|or)\s+)?([A-Za-z]+)", re.IGNORECASE)
_READER = re.compile(r"\b(?:you|your|yours|yourself|us|today|now)\b|\S@\S|https?://", re.IGNORECASE)
_SAYS_MORE = re.compile(r"\d|\b(?:must|shall|should|because|since)\b|:\s|[“\"«„]", re.IGNORECASE)


def atomise(draft: Draft, quoted: Sequence[Quotation]) -> tuple[Unit, ...]:
    """The units of `draft` in order. `quoted` are the quotations of its text."""
    language = draft.language or guess_language(draft.text)
    spans = sorted((one.start, one.end) for one in quoted if one.closed and one.depth == 0 and one.kind != "block")
    units: list[Unit] = []
    begin = 0
    for number, block in enumerate(draft.blocks):
        while begin < len(spans) and spans[begin][1] <= block.start:
            begin += 1
        stop = bisect_left(spans, (block.end, 0), begin)
        units += _of_block(draft, number, block, language, spans[begin:stop])
    return tuple(units)


def _of_block(
    draft: Draft, number: int, block: DraftBlock, language: str, quoted: Sequence[tuple[int, int]]
) -> Iterator[Unit]:
    text = draft.text[block.start : block.end]
    whole = _whole(block)
    if whole is not None or block.kind is BlockKind.TABLE_ROW:
        ranges: Iterable[tuple[int, int]] = [(0, len(text.rstrip()))]
    else:
        joined = _joined(sentences(text, language), [(a - block.start, b - block.start) for a, b in quoted])
        ranges = (piece for first, last in joined for piece in short_enough(text, first, last))
    for first, last in ranges:
        words = text[first:last]
        first, last = first + len(words) - len(words.lstrip()), last - len(words) + len(words.rstrip())
        if first >= last:
            continue
        start, end = draft.place(block.start + first, block.start + last)
        kind = whole or kind_of(text[first:last], block.kind)
        yield Unit(block.start + first, block.start + last, start, end, kind, number, block.heads)


def _whole(block: DraftBlock) -> SentenceKind | None:
    """The kind of a block that is one unit whatever it says."""
    if block.kind is BlockKind.HEADING or block.head_row:
        return SentenceKind.HEADING
    if block.kind is BlockKind.CODE:
        return SentenceKind.CODE
    return SentenceKind.OTHER if block.kind in (BlockKind.OTHER, BlockKind.NAVIGATION) else None


def _joined(found: Sequence[tuple[int, int]], quoted: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The sentences, those joined that a quotation holds together, unless they are too long for one. Both in order."""
    at = 0
    begin, end = found[0] if found else (0, 0)
    for start, stop in found[1:]:
        while at < len(quoted) and quoted[at][1] <= start:
            at += 1
        held = at < len(quoted) and quoted[at][0] < end
        if held and stop - begin <= LONGEST:
            end = stop
        else:
            yield begin, end
            begin, end = start, stop
    if end:
        yield begin, end


def kind_of(text: str, kind: BlockKind) -> SentenceKind:
    """What a sentence of a draft is. A scrap with a quotation in it, or with a figure and what it is of,
    asserts something all the same."""
    found = assess(text, kind)
    if found.is_evidence:
        return SentenceKind.OTHER if calls_to_act(text) else SentenceKind.CLAIM
    named = re.search(r"[^\W\d_]", text) or len(re.findall(r"\d[\d.:/-]*", text)) > 1
    if found.reason == "fragment" and re.search(r"\d|[“\"«„]", text) and named:
        return SentenceKind.CLAIM
    return _KINDS.get(found.reason or "", SentenceKind.OTHER)


def calls_to_act(text: str) -> bool:
    """Whether the sentence asks its reader for something and states nothing besides: "Cite the version you used."."""
    first = _FIRST_WORD.match(text)
    if first is None or first.group(1).lower() not in imperatives():
        return False
    return _READER.search(text) is not None and _SAYS_MORE.search(text) is None
