"""Every sentence of the sources, found by its words: an index, since a draft has hundreds of sentences and the sources
have thousands.

A sentence rarely says what it is about; its headings and its neighbours do. So each line knows the words of its place,
and a claim's word counts in full where the line has it and for less where only its place has.
"""

import math
import re
from bisect import insort
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import groupby

from affidavit.check.clauses import LONGEST, short_enough
from affidavit.check.languages import rules_know
from affidavit.check.sources import CheckSource
from affidavit.evidence.document import Block, BlockKind, Document
from affidavit.evidence.sentences import document_sentences
from affidavit.gates.assertion import assess
from affidavit.ranking.terms import STOP_WORDS, parts, stem, words
from affidavit.ranking.vocabulary import light, similar

NEAR = 0.5
"""Worth of a term that only the place of a line has (title, headings, column heads, neighbours)."""
MAX_LINES = 3
"""Sentences of one passage at most."""
DAMPING = 0.6
ABOUT = 0.15
"""Worth of what the draft speaks of, where a line has all of it."""
SAME_SOURCE = 0.05
NO_STATEMENT = 0.7
"""Worth of a line that states nothing: a heading, a question."""
MANY = 400
"""A figure that more lines have than this points nowhere."""

LIGHT = 0.35
"""Worth of a word of manner (`words.toml`, light) beside another as rare. {.2: 115; .35, .5: 114; 1: 113}."""
OTHER_WORD = 0.85
"""Worth of another word for the same (`words.toml`, synonyms). {0: 112 with two grave errors; .7: 113 with one; .85,
1: 114}."""

_CELL = re.compile("\t")
_BAR = re.compile(r"\|")
_RULED = re.compile(r"\|(?:\s*:?-{2,}:?\s*\|)+")
_ROW_END = re.compile(r"\n|(?<=\|)[^\S\n]+(?=\|)")
_BARRED = re.compile(r"^[^\S\n]*\|.*\|[^\S\n]*$", re.MULTILINE)
_INITIALS = re.compile(r"\b(?:[A-Z]\.){2,}|\b[A-Z]{2,6}\b")
_CAPITALISED = re.compile(r"\b[A-Z][\w’'-]*(?:(?:\s+(?:of|for|and|the|on))?\s+[A-Z][\w’'-]*)+")


@dataclass(frozen=True)
class Line:
    """A sentence, table row or cell of source number `source`, its own terms and those of its place.

    A cell counts its row's first cell among its own; `row` is the line of that row. `cells` are a row's, term by term.
    `said` is the text of the sentence or of the whole row.
    """

    source: int
    start: int
    end: int
    kind: BlockKind
    own: frozenset[str]
    place: frozenset[str]
    run: int
    said: str
    row: int | None = None
    cells: tuple[frozenset[str], ...] = ()

    @cached_property
    def evidence(self) -> bool:
        """Whether it states anything. Asked of few lines, and dear."""
        return assess(self.said, self.kind).is_evidence


@dataclass(frozen=True, slots=True)
class _Stretch:
    """``[start, end)`` of a document, in `block`; a table row's `cells` as ranges, and their `heads`."""

    start: int
    end: int
    block: Block
    cells: tuple[tuple[int, int], ...] = ()
    heads: tuple[str, ...] = ()


def content(text: str) -> frozenset[str]:
    """The terms of `text` that carry a meaning of their own; initials stand for what they shorten, both ways."""
    return shortened(text).union(*map(_carried, words(text)))


@lru_cache(maxsize=200_000)
def _carried(word: str) -> frozenset[str]:
    if word.lower().replace("’", "'") in STOP_WORDS:
        return frozenset()
    return frozenset((stem(word), *(part for part in parts(word) if part not in STOP_WORDS)))


def shortened(text: str) -> frozenset[str]:
    """``us`` of "U.S." and "US" of "United States": marked, so that it is no other word."""
    found = {"=" + match.group().replace(".", "").lower() for match in _INITIALS.finditer(text)}
    for match in _CAPITALISED.finditer(text):
        initials = [word[0].lower() for word in match.group().split() if word[0].isupper()]
        found.update(
            "=" + "".join(initials[first:last])
            for first in range(len(initials))
            for last in range(first + 2, min(len(initials), first + 6) + 1)
        )
    return frozenset(found)


class Passages:
    """The index over the sources."""

    def __init__(self, sources: Sequence[CheckSource]) -> None:
        self.sources = tuple(sources)
        self.lines: list[Line] = []
        self._ruled: dict[int, bool] = {}
        for number, source in enumerate(sources):
            self._add(number, source.document)
        self._places: dict[str, list[int]] = defaultdict(list)
        for index, line in enumerate(self.lines):
            for term in line.own:
                self._places[term].append(index)
        total = len(self.lines)
        self._weights = {
            term: math.log(1 + (total + 0.5) / (len(places) + 0.5)) ** DAMPING for term, places in self._places.items()
        }
        self._rarest = math.log(1 + (total + 0.5) / 0.5) ** DAMPING

    def _add(self, number: int, document: Document) -> None:
        title = content(document.title or "") | _address(document)
        headings: list[tuple[int, frozenset[str]]] = []
        run: list[_Stretch] = []
        runs = len(self.lines)

        def close() -> None:
            nonlocal runs
            above = title.union(*(terms for _, terms in headings))
            self._lay(number, document, run, above, runs)
            runs += 1
            run.clear()

        for stretch in _stretches(document):
            block = stretch.block
            if block.kind is BlockKind.HEADING:
                close()
                level = block.level or 6
                while headings and headings[-1][0] >= level:
                    headings.pop()
                headings.append((level, content(document.text[block.start : block.end])))
                run.append(stretch)
                close()
            elif block.kind is not BlockKind.NAVIGATION:
                if run and run[-1].block is not block and not _goes_on(run[-1].block, block):
                    close()
                run.append(stretch)
        close()

    def _lay(
        self, number: int, document: Document, run: "Sequence[_Stretch]", above: frozenset[str], runs: int
    ) -> None:
        """Add the lines of one run of text."""
        text = document.text
        own = [content(text[one.start : one.end]) for one in run]
        for index, one in enumerate(run):
            kind = BlockKind.TABLE_ROW if one.cells else one.block.kind
            beside = [] if one.cells else own[max(0, index - 1) : index] + own[index + 1 : index + 2]
            wide = len(one.cells) > 2
            heads = [content(head) for head in one.heads]
            place = above.union(*beside, *([] if wide else heads))
            said = text[one.start : one.end]
            cells = tuple(content(text[start:end]) for start, end in one.cells)
            row = len(self.lines)
            self.lines.append(Line(number, one.start, one.end, kind, own[index], place, runs, said, None, cells))
            if not wide:
                continue
            for column, (start, end) in enumerate(one.cells[1:], start=1):
                head = heads[column] if len(heads) == len(cells) else frozenset[str]()
                here = cells[column] | cells[0]
                self.lines.append(Line(number, start, end, kind, here, above | head, runs, said, row))

    def ruled(self, source: int) -> bool:
        """Whether the gates know the language of source number `source`."""
        if source not in self._ruled:
            self._ruled[source] = rules_know(self.sources[source].document)
        return self._ruled[source]

    def weight(self, term: str) -> float:
        """How much `term` tells: the rarer the more, a word of manner less."""
        weight = self._weights.get(term, self._rarest)
        return weight * LIGHT if term in light() else weight

    def held(self, terms: frozenset[str], own: frozenset[str]) -> float:
        """The weight of those of `terms` that `own` has, in the same word or another for it."""
        return sum(self.weight(term) * holds(term, own) for term in terms)

    def text(self, first: int, last: int) -> str:
        """The words of lines ``[first, last)``, from the first character to the last, as they stand."""
        one, other = self.lines[first], self.lines[last - 1]
        return self.sources[one.source].document.text[one.start : other.end]

    def lines_with(self, terms: Iterable[str]) -> Counter[int]:
        """For each line that has one of `terms`, or another word for it, the weight of those it has."""
        found: Counter[int] = Counter()
        for term in terms:
            weight = self.weight(term)
            here: dict[int, float] = {}
            for other in similar(term):
                here |= dict.fromkeys(self._places.get(other, ()), weight * OTHER_WORD)
            here |= dict.fromkeys(self._places.get(term, ()), weight)
            found.update(here)  # pyright: ignore[reportArgumentType, reportCallIssue]
        return found

    @property
    def figure_weight(self) -> float:
        """What a figure of a claim counts beside its words: as much as a word that hardly any line has."""
        return 0.8 * self._rarest

    def best(
        self,
        terms: frozenset[str],
        about: frozenset[str],
        prefer: int | None,
        count: int,
        borne: Iterable[frozenset[int]] = (),
    ) -> list[tuple[int, int]]:
        """Lines ``[first, last)`` of the `count` passages that hold most of `terms`, best first.

        `about` are terms of what the draft speaks of here and `prefer` the source it spoke from last: they decide
        between passages that hold as much. `borne` are, for each figure of the claim, the lines that have it.
        """
        figures = [lines for lines in borne if len(lines) < MANY]
        total = (sum(map(self.weight, terms)) + self.figure_weight * len(figures)) or 1.0
        extra = about - terms
        around = sum(map(self.weight, extra)) or 1.0
        scored: list[tuple[float, int]] = []
        held = self.lines_with(terms)
        for lines in figures:
            held.update(dict.fromkeys(lines, self.figure_weight))  # pyright: ignore[reportArgumentType]
        for index, weight in held.items():
            line = self.lines[index]
            near = sum(self.weight(term) for term in terms & line.place - line.own)
            scored.append(((weight + NEAR * near) / total + (SAME_SOURCE if line.source == prefer else 0.0), index))
        scored.sort(key=lambda pair: (-pair[0], pair[1]))
        best = self._weighed(scored, {term: self.weight(term) / around for term in extra}, count)
        return list(dict.fromkeys(self._grown(index, terms, total) for index in best))

    def _weighed(self, scored: Sequence[tuple[float, int]], about: Mapping[str, float], count: int) -> list[int]:
        """The `count` best of the lines `scored`, best first, with what they have of `about`, and those that state
        nothing for less. Only so many are looked at as can be among the best."""
        best: list[tuple[float, int]] = []
        for base, index in scored:
            if len(best) >= count and best[count - 1][0] < -base - ABOUT:
                break
            line = self.lines[index]
            speaks = sum(weight for term, weight in about.items() if term in line.own or term in line.place)
            score = base + ABOUT * speaks
            if len(best) < count or -score <= best[count - 1][0]:
                insort(best, (-score if line.evidence else -score * NO_STATEMENT, index))
        return [index for _, index in best[:count]]

    def _grown(self, index: int, terms: frozenset[str], total: float) -> tuple[int, int]:
        """The line with those neighbours of its run that add enough of the claim's terms. A row stands alone."""
        first, last = index, index + 1
        if self.lines[index].kind is BlockKind.TABLE_ROW:
            return first, last
        left = frozenset(term for term in terms if not holds(term, self.lines[index].own))
        while last - first < MAX_LINES:
            grown = max(
                (
                    (self.held(left, self.lines[one].own), one)
                    for one in (first - 1, last)
                    if 0 <= one < len(self.lines) and self.lines[one].run == self.lines[index].run
                ),
                default=(0.0, -1),
            )
            if grown[0] < GAIN * total:
                break
            left = frozenset(term for term in left if not holds(term, self.lines[grown[1]].own))
            first, last = min(first, grown[1]), max(last, grown[1] + 1)
        return first, last


def holds(term: str, own: frozenset[str]) -> float:
    """1 where `own` has the term, less where it has another word for it, else 0."""
    if term in own:
        return 1.0
    return OTHER_WORD if similar(term) & own else 0.0


def _stretches(document: Document) -> Iterator[_Stretch]:
    """The sentences of a document, rows with their cells. Lines of bars that a page shows as text are rows too; what is
    longer than any sentence is cut."""
    for one in _sentences(document):
        if one.end - one.start <= LONGEST:
            yield one
        else:
            for start, end in short_enough(document.text, one.start, one.end):
                yield _Stretch(start, end, one.block)


def _sentences(document: Document) -> Iterator[_Stretch]:
    for block, found in groupby(document_sentences(document), key=lambda sentence: sentence.block):
        if block is None:
            continue
        text = document.text[block.start : block.end]
        if block.kind is BlockKind.TABLE_ROW:
            for one in found:
                cells = tuple(_cells(_CELL, document.text, one.start, one.end))
                yield _Stretch(one.start, one.end, block, cells if len(cells) > 1 else (), block.heads)
        elif block.kind is not BlockKind.CODE and (len(_BARRED.findall(text)) > 1 or _RULED.search(text)):
            yield from _barred(document, block)
        else:
            yield from (_Stretch(one.start, one.end, block) for one in found)


def _barred(document: Document, block: Block) -> Iterator[_Stretch]:
    heads: tuple[str, ...] = ()
    at = block.start
    for gap in [*_ROW_END.finditer(document.text, block.start, block.end), None]:
        start, end = at, gap.start() if gap else block.end
        at = gap.end() if gap else end
        line = document.text[start:end]
        cells = tuple(_cells(_BAR, document.text, start, end))
        if not cells or not any(character.isalnum() for character in line):
            continue
        yield _Stretch(start, end, block, cells if line.lstrip().startswith("|") else (), heads)
        if not heads:
            heads = tuple(document.text[first:last] for first, last in cells)


def _cells(bar: re.Pattern[str], text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The cells that hold something, as ranges of `text`."""
    at = start
    for cut in [*(match.span() for match in bar.finditer(text, start, end)), (end, end)]:
        cell = text[at : cut[0]]
        if cell.strip():
            yield at + len(cell) - len(cell.lstrip()), cut[0] - (len(cell) - len(cell.rstrip()))
        at = cut[1]


GAIN = 0.15
"""How much of a claim's weight a neighbouring sentence must add to be taken into the passage. {.1: a grave error;
.15: 114; .2: 115}."""


def _address(document: Document) -> frozenset[str]:
    """The words of path; zero-padded numbers also without their zeros (``pep-0563`` is PEP 563)."""
    pieces = re.split(r"[/_\-.?=&%+]+", document.final_url.partition("://")[2].partition("/")[2])
    numbers = {str(int(piece)) for piece in pieces if piece.isdecimal() and piece.isascii()}
    return content(" ".join(pieces)) | numbers


def _goes_on(before: Block, block: Block) -> bool:
    """Whether one block leans on the one before it: a list on its lead-in, a row on the row above."""
    listed = {BlockKind.LIST_ITEM, BlockKind.TABLE_ROW}
    return block.kind in listed and before.kind in (*listed, BlockKind.PARAGRAPH)
