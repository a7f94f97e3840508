"""A draft as the checks read it: what a reader will see, its figures, and where each stands in the writer's own text.

List marks, code, link addresses and comments are no part of a reader's text, so no figure is read from them here
(`unseen` reads what they state beside it); of front matter only what a page shows (its title, its description) is.
Offsets of `ReadDraft.draft.text` are turned into offsets of the Markdown by `Draft.place`, so a finding points at what
the writer must edit.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

from affidavit.check.draft import Draft, DraftBlock, markdown_draft
from affidavit.evidence.document import BlockKind
from affidavit.evidence.piece import Issue, Origin
from affidavit.evidence.sentences import sentences
from affidavit.gates.numbers.convention import language_of
from affidavit.gates.numbers.lexicon import words
from affidavit.gates.numbers.mention import Mention
from affidavit.gates.numbers.reader import mentions
from affidavit.ranking.vocabulary import everyday
from affidavit.write.frame import Figures, Frame, frame
from affidavit.write.set_phrases import set_phrases

# Keys of front matter whose values a page shows.
SHOWN_KEYS = re.compile(
    r"[ \t]*(?:title|subtitle|description|summary|excerpt|tagline|lead|intro)[ \t]*:", re.IGNORECASE
)
_CAPITAL = re.compile(r"\b[A-Z][a-z]+\b")
_ABOUT = 4
"""Sentences before a figure's own, at most, that say what it is about."""


_FOLLOWED = 2000
"""Characters that a sentence has at most: a reader follows none that is longer, and what is asked of each figure's
sentence would take the square of its length."""
_WORD = 100
"""Characters that a word has at most, for a part of such a sentence to begin at one."""
_BESIDE = 400
_AT_MOST = 600
"""Characters of a sentence that a finding shows, at most: a list of a thousand figures may be one sentence."""


def within(at: int, ranges: Sequence[tuple[int, int]]) -> bool:
    """Whether offset `at` is in one of `ranges`, which are in order and apart."""
    row = bisect_right(ranges, at, key=lambda one: one[0]) - 1
    return row >= 0 and at < ranges[row][1]


@cache
def _number_words() -> frozenset[str]:
    known = words("en")
    return frozenset((*known.add, *known.times, *known.scale))


@dataclass(frozen=True, slots=True)
class Placed:
    """A figure of the draft, offsets in `Draft.text`; ``[first, last)`` is the sentence, heading or row of it."""

    mention: Mention
    first: int
    last: int
    block: int


@dataclass(frozen=True)
class ReadDraft:
    draft: Draft

    @property
    def text(self) -> str:
        return self.draft.text

    @cached_property
    def as_read(self) -> str:
        """The text as its numbers are read, character for character: everyday words of a heading in title case have no
        capital, or "Serving 91 Countries" would hold a name like "Fortune 500"."""
        text = list(self.text)
        for block in self.draft.blocks:
            if block.kind in (BlockKind.HEADING, BlockKind.TABLE_ROW):
                for match in _CAPITAL.finditer(self.text, block.start, block.end):
                    if everyday(match.group()) or match.group().lower() in _number_words():
                        text[match.start()] = match.group()[0].lower()
        return "".join(text)

    @cached_property
    def figures(self) -> tuple[Placed, ...]:
        """What a reader is told in figures, in order; names of things are left out, and so is what only sounds like a
        figure ("24/7", "square one")."""
        idle = set_phrases(self.text)
        return tuple(
            placed for placed in self._mentions if placed.mention.is_figure and not within(placed.mention.start, idle)
        )

    def beside(self, placed: Placed) -> tuple[Placed, ...]:
        """The other figures of its sentence that stand within `_BESIDE` characters of a figure."""
        begin = bisect_left(self._figure_starts, max(placed.first, placed.mention.start - _BESIDE))
        stop = bisect_left(self._figure_starts, min(placed.last, placed.mention.end + _BESIDE))
        return tuple(one for one in self.figures[begin:stop] if one.mention.start != placed.mention.start)

    @cached_property
    def _figure_starts(self) -> list[int]:
        return [placed.mention.start for placed in self.figures]

    def frame(self, placed: Placed) -> Frame:
        """The frame of a figure of the draft."""
        found = self._frames.get(placed)
        if found is None:
            found = frame(self.text, placed.mention, placed.first, placed.last, self._others)
            self._frames[placed] = found
        return found

    @cached_property
    def _frames(self) -> dict[Placed, Frame]:
        """Those that were asked for: several checks ask for one figure's."""
        return {}

    @cached_property
    def _others(self) -> Figures:
        return Figures.of(placed.mention for placed in self.figures)

    @cached_property
    def names(self) -> tuple[Placed, ...]:
        """The identifiers and versions of the draft."""
        return tuple(placed for placed in self._mentions if not placed.mention.is_figure)

    @cached_property
    def _mentions(self) -> tuple[Placed, ...]:
        found: list[Placed] = []
        for mention in mentions(self.as_read):
            index = self.block_at(mention.start)
            if index is None or not self._told(self.draft.blocks[index], mention.start):
                continue
            block = self.draft.blocks[index]
            first, last = max(mention.sentence[0], block.start), min(mention.sentence[1], block.end)
            first, last = self._part(first, last, mention.start)
            if block.kind is BlockKind.OTHER:
                first = max(self.text.rfind("\n", 0, mention.start) + 1, block.start)
                last = self.text.find("\n", mention.end) % (block.end + 1)
            found.append(Placed(mention, first, max(last, mention.end), index))
        return tuple(found)

    def told_at(self, at: int) -> bool:
        """Whether offset `at` of the text is told to a reader."""
        index = self.block_at(at)
        return index is not None and self._told(self.draft.blocks[index], at)

    def _told(self, block: DraftBlock, at: int) -> bool:
        if block.kind is BlockKind.CODE or within(at, self.draft.code):
            return False
        if block.kind is not BlockKind.OTHER:
            return True
        line = self.text.rfind("\n", block.start, at) + 1
        return SHOWN_KEYS.match(self.text, max(line, block.start)) is not None

    def block_at(self, at: int) -> int | None:
        index = bisect_right(self._starts, at) - 1
        return index if index >= 0 and at < self.draft.blocks[index].end else None

    @cached_property
    def _starts(self) -> list[int]:
        return [block.start for block in self.draft.blocks]

    @cached_property
    def sentences(self) -> tuple[tuple[int, int], ...]:
        """Every sentence of running text, list and quotation, ranges of the text in order."""
        return tuple(self._sentences())

    def _sentences(self) -> Iterator[tuple[int, int]]:
        language = language_of(self.text, None)
        running = (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM, BlockKind.QUOTATION)
        for block in self.draft.blocks:
            if block.kind in running:
                for start, end in sentences(self.text[block.start : block.end], language):
                    at, stop = block.start + start, block.start + end
                    while at < stop:
                        part = self._part(block.start + start, stop, at)
                        yield part
                        at = part[1]

    def _part(self, first: int, last: int, at: int) -> tuple[int, int]:
        """The part of the sentence ``[first, last)`` that holds `at`: the whole, unless it is longer than `_FOLLOWED`.
        Parts begin at words."""
        if last - first <= _FOLLOWED:
            return first, last
        row = (at - first) // _FOLLOWED
        begin, stop = self._word_at(first, last, row), self._word_at(first, last, row + 1)
        return (begin, stop) if at < stop else (stop, self._word_at(first, last, row + 2))

    def _word_at(self, first: int, last: int, row: int) -> int:
        """Where part `row` of a sentence begins."""
        at = first + row * _FOLLOWED
        if row == 0 or at >= last:
            return first if row == 0 else last
        return max(self.text.rfind(" ", at - _WORD, at) + 1, 0) or at

    @cached_property
    def _sentence_starts(self) -> list[int]:
        return [start for start, _ in self.sentences]

    @cached_property
    def _heads(self) -> list[int]:
        """The numbers of the blocks that are headings."""
        return [index for index, block in enumerate(self.draft.blocks) if block.kind is BlockKind.HEADING]

    def sentence_at(self, at: int) -> tuple[int, int]:
        """The sentence that holds offset `at`; outside running text, its block."""
        row = bisect_right(self._sentence_starts, at) - 1
        if row >= 0 and at < self.sentences[row][1]:
            return self.sentences[row]
        index = self.block_at(at)
        return (at, at + 1) if index is None else (self.draft.blocks[index].start, self.draft.blocks[index].end)

    def is_title(self, block: int) -> bool:
        """Whether a block is the piece's own title: a heading that opens it."""
        return block == 0 and self.draft.blocks[0].kind is BlockKind.HEADING

    def about(self, placed: Placed) -> str:
        """What the reader has in mind at a figure: the title, the headings over it, and up to `_ABOUT` sentences before
        its own within its section."""
        over = bisect_left(self._heads, placed.block)
        heads = [self.draft.blocks[self._heads[index]] for index in sorted({0, over - 1})] if over else []
        begin = heads[-1].end if heads else 0
        own = bisect_left(self._sentence_starts, placed.first)
        before = [one for one in self.sentences[max(0, own - _ABOUT) : own] if begin <= one[0]]
        parts = [self.text[block.start : block.end] for block in heads]
        return "\n".join([*parts, *(self.text[start:end] for start, end in before)])

    def said(self, first: int, last: int) -> str:
        """``[first, last)`` in one line."""
        return " ".join(self.text[first:last].split())

    def issue(
        self, code: str, message: str, at: tuple[int, int], sentence: tuple[int, int], *, blocks: bool = False
    ) -> Issue:
        """A finding of code at ``at`` of the text, which is told in the draft's own offsets. Of a sentence of more than
        `_AT_MOST` characters the part around it is told."""
        start, end = self.draft.place(*at)
        return Issue(
            code=code,
            message=message,
            sentence=self._around(at, sentence),
            blocks=blocks,
            origin=Origin.CHECK,
            start=start,
            end=end,
        )

    def _around(self, at: tuple[int, int], sentence: tuple[int, int]) -> str:
        first, last = sentence
        if last - first <= _AT_MOST:
            return self.said(first, last)
        begin, stop = (
            max(first, at[0] - _AT_MOST // 2),
            min(last, max(at[0] + _AT_MOST // 2, min(at[1], at[0] + _AT_MOST))),
        )
        before, after = "…" if begin > first else "", "…" if stop < last else ""
        return f"{before}{self.said(begin, stop)}{after}"

    def issue_of(self, placed: Placed, code: str, message: str, *, blocks: bool = False) -> Issue:
        """A finding of a figure, as `issue`."""
        at = (placed.mention.start, placed.mention.end)
        return self.issue(code, message, at, (placed.first, placed.last), blocks=blocks)


def read_draft(draft: str) -> ReadDraft:
    """The Markdown of a draft, read."""
    return ReadDraft(markdown_draft("draft", draft))
