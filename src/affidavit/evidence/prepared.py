"""A document made ready to be quoted from: folded once, its sentence ends known.

Quoting is then two substring searches and a few bisections, under a millisecond on a megabyte of text.
"""

from bisect import bisect_right
from dataclasses import dataclass

from affidavit.evidence.characters import SPACES, is_ideograph
from affidavit.evidence.document import Block, BlockKind, Document
from affidavit.evidence.fold import Folded, fold
from affidavit.evidence.grapheme import boundary_before
from affidavit.evidence.sentences import document_sentences
from affidavit.evidence.span import Span

# More places than this are not told one by one; the message says "more than".
MAX_OCCURRENCES = 200

# A span runs on from a block of one of these kinds into the next of the same group; any other block ends it.
_RUNNING_TEXT = frozenset({BlockKind.PARAGRAPH, BlockKind.LIST_ITEM, BlockKind.QUOTATION})
_TABLE = frozenset({BlockKind.TABLE_ROW})

_SPACE = frozenset(SPACES)


@dataclass(frozen=True)
class PreparedDocument:
    """`ends` are the sentence ends of the text, ascending, in code points. Make one with `prepare`."""

    document: Document
    folded: Folded
    ends: tuple[int, ...]

    def occurrences(self, locator: str) -> list[tuple[int, int]]:
        """Where the locator stands, as source ranges that begin and end with a visible character.

        Overlapping places count, at most ``MAX_OCCURRENCES + 1`` of them. White space at the locator's edges is part
        of what is sought; only where the locator is found nowhere is it sought without.
        """
        sought = fold(locator).text
        core = sought.strip(" ")
        found = self._find(sought, len(sought) - len(sought.lstrip(" ")), len(core)) if core else []
        return found or (self._find(core, 0, len(core)) if core != sought and core else [])

    def _find(self, sought: str, lead: int, length: int) -> list[tuple[int, int]]:
        found: list[tuple[int, int]] = []
        at = self.folded.text.find(sought)
        while at >= 0 and len(found) <= MAX_OCCURRENCES:
            found.append(self.folded.to_source(at + lead, at + lead + length))
            at = self.folded.text.find(sought, at + 1)
        return found

    def joins(self, start: int, end: int) -> str | None:
        """What ``[start, end)`` would join that the page keeps apart, or None when it may be quoted.

        A heading may begin a span that goes on into its own text; nothing may run into a heading.
        """
        if self.document.break_within(start, end) is not None:
            return "a place where the page shows something that is not in the text"
        if any(
            start < block.start < end
            for block in self.document.blocks_between(start, end)
            if block.kind is BlockKind.HEADING
        ):
            return "a heading"
        return None

    def span(self, start: int, end: int, max_chars: int) -> Span:
        """The span that begins with the locator at ``[start, end)``.

        It ends at the last sentence end within `max_chars` that leaves the locator whole, else, truncated, at the last
        word end, else between two characters. Needs ``end - start <= max_chars``.
        """
        limit = self._stop(end, start + max_chars)
        # Leader dots have no end of their own: a sentence before them is whole at any of them.
        if self.document.text[limit - 4 : limit] == "....":
            return Span.at(self.document, start, limit)
        index = bisect_right(self.ends, limit) - 1
        if index >= 0 and self.ends[index] >= end:
            return Span.at(self.document, start, self.ends[index])
        return Span.at(self.document, start, self._word_end(end, limit), truncated=True)

    def _stop(self, end: int, limit: int) -> int:
        """How far a span may run whose locator ends at `end`: through running text, to a break, to `limit`."""
        blocks = self.document.blocks
        index = self.document.block_index(end - 1)
        if index < len(blocks) and blocks[index].start < end:
            while blocks[index].end < limit and index + 1 < len(blocks) and _runs_on(blocks[index], blocks[index + 1]):
                index += 1
            limit = min(limit, blocks[index].end)
        else:
            limit = min(limit, blocks[index].start if index < len(blocks) else len(self.document.text))
        cut = self.document.break_within(end - 1, limit)
        return limit if cut is None else cut

    def _word_end(self, least: int, limit: int) -> int:
        text = self.document.text
        for at in range(limit, least - 1, -1):
            before, after = text[at - 1], text[at : at + 1]
            if before in _SPACE or not (after in _SPACE or not after or _between_ideographs(before, after)):
                continue
            whole = boundary_before(text, at)
            if whole >= least:
                return whole
        return max(least, boundary_before(text, limit))


def prepare(document: Document) -> PreparedDocument:
    """Fold the document and find its sentence ends. Linear; do it once for each document."""
    return PreparedDocument(document, fold(document.text), tuple(s.end for s in document_sentences(document)))


def _runs_on(block: Block, following: Block) -> bool:
    if block.main is not following.main:
        return False
    return any(block.kind in group and following.kind in group for group in (_RUNNING_TEXT, _TABLE))


def _between_ideographs(before: str, after: str) -> bool:
    return is_ideograph(before) and is_ideograph(after)
