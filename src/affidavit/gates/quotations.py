"""Where a text quotes: the words between quotation marks of any language's kind, and block quotations.

A mark means little by itself: “ opens in English and closes in German, ' is an apostrophe more often than a mark, and
" is also an inch. So marks are read in order against a stack of what is open, by their neighbours and by what the rest
of the paragraph offers to close them. Where that stays in doubt a single mark is taken for an apostrophe (nothing is
quoted), and a double mark that nothing closes gives a quotation that is not `closed`, which runs to the end of its
paragraph: whether such words are verbatim can still be asked, but nobody can say where they end.
"""

import re
import tomllib
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files
from itertools import pairwise

from affidavit.evidence.characters import is_ideograph
from affidavit.gates.attribution import Attribution, attribution_of, signature

__all__ = ["LEAST_CHARACTERS", "Attribution", "Quotation", "quotations"]

# Contract C4: shorter ones are words held at arm's length, not quotations.
LEAST_CHARACTERS = 10

Range = tuple[int, int]

_MARK = re.compile(r"\"{3,}|'{3,}|``|''|(?<![\w,]),,(?=\w)|[\"“”„‟״«»‹›‘’‚‛'「」『』｢｣﹁﹂﹃﹄〝〞〟]")
_PARAGRAPH = re.compile(r"(?:\r\n?|\n)(?:[^\S\r\n]*(?:>[^\S\r\n]*)*(?:\r\n?|\n))+|\u2029")
_LINE_MARKER = re.compile(r"^[^\S\r\n]*>[>\t ]*", re.MULTILINE)
_SINGLE = frozenset("‘’‚‛'")
_SPACED = frozenset("«»‹›")
# May stand directly before an opening mark: what opens or joins, never what ends a word.
_BEFORE_OPENING = frozenset("([{<-–—/=:;,.!?…*_~>|¿¡\u3000：，。；！？（、") | frozenset("\"“„‟‘‚‛«»‹›「『'")
_FEET_AND_INCHES = re.compile(r"\d\s?['’′]\s?\d{1,2}$")
# A remainder of a block of at most so many words names who spoke; a longer one is quoted itself.
_CREDIT_WORDS = 9
# Marks looked at ahead of one, and quotations within quotations: text made of nothing but marks stays linear.
_AHEAD = 40
_DEEPEST = 12


@dataclass(frozen=True, slots=True)
class Quotation:
    """Quoted words at ``[start, end)`` of the text (code points, marks and white space around them left out).

    `words` are those words without what a layout repeats: the opening mark at each paragraph, the ``>`` at each line;
    paragraphs are kept apart by a blank line. `kind` is the opening mark, or ``block``. `depth` counts the closed
    quotations around it: at 1 or more it is part of what somebody quoted. `attribution` is who the sentence says
    said it, if it names one. `closed` is False where the closing mark is missing.
    """

    start: int
    end: int
    words: str
    kind: str
    depth: int = 0
    attribution: Attribution | None = None
    closed: bool = True

    @property
    def scare(self) -> bool:
        """Whether it is too short to be held against a source (contract C4)."""
        return len(self.words.strip()) < LEAST_CHARACTERS


def quotations(text: str, blocks: Sequence[Range] = (), code: Sequence[Range] = ()) -> tuple[Quotation, ...]:
    """Every quotation of `text` by its start, an outer one before what it holds.

    `blocks` are the ranges of block quotations and `code` those of code, which quotes nobody: what they are depends
    on the format, so whoever parsed it says. Linear in the length of the text but for pathological runs of marks.
    """
    spans = [*_marked(text, code), *_blocks(text, blocks, code)]
    spans.sort(key=lambda span: (span.start, -span.end))
    found: list[Quotation] = []
    open_ends: list[int] = []
    for span in spans:
        while open_ends and open_ends[-1] <= span.start:
            open_ends.pop()
        found.append(replace(span, depth=len(open_ends)))
        if span.closed:
            open_ends.append(span.end)
    return tuple(_attributed(text, found))


def _attributed(text: str, found: Sequence[Quotation]) -> Iterator[Quotation]:
    outer: list[Range] = []
    for quotation in found:
        if quotation.depth == 0 and outer and quotation.start < outer[-1][1]:
            outer[-1] = (outer[-1][0], max(outer[-1][1], quotation.end))
        elif quotation.depth == 0:
            outer.append((quotation.start, quotation.end))
    for quotation in found:
        if quotation.depth or quotation.attribution is not None:
            yield quotation
        else:
            block = quotation.kind == "block"
            yield replace(quotation, attribution=attribution_of(text, quotation.start, quotation.end, outer, block))


@dataclass(slots=True)
class _Open:
    mark: str
    at: int
    pieces: list[Range]
    begin: int

    def quotation(self, text: str, end: int, closed: bool) -> Quotation | None:
        pieces = [_trimmed(text, *piece) for piece in (*self.pieces, (self.begin, end))]
        pieces = [(first, last) for first, last in pieces if first < last]
        if not pieces:
            return None
        words = "\n\n".join(_LINE_MARKER.sub("", text[first:last]) for first, last in pieces)
        if not words.strip():
            return None
        return Quotation(pieces[0][0], pieces[-1][1], words, self.mark, closed=closed)


@lru_cache(maxsize=1)
def _closers() -> dict[str, tuple[str, ...]]:
    table = tomllib.loads(files("affidavit.gates").joinpath("quotations.toml").read_text(encoding="utf-8"))
    return {opening: tuple(re.findall("''|.", closing)) for opening, closing in table["closers"].items()}


@lru_cache(maxsize=1)
def _elisions() -> frozenset[str]:
    table = tomllib.loads(files("affidavit.gates").joinpath("quotations.toml").read_text(encoding="utf-8"))
    return frozenset(table["elisions"]["words"].split())


def _marked(text: str, code: Sequence[Range]) -> list[Quotation]:
    """What stands between marks, paragraph by paragraph."""
    found: list[Quotation] = []
    stack: list[_Open] = []
    skipped = sorted(code)
    for start, end in _paragraphs(text):
        reader = _Reader(text, start, end, [mark for mark in _marks(text, start, end) if not _inside(mark, skipped)])
        stack = _continued(reader, stack, found)
        stack = reader.read(stack, found)
        for one in stack[1:]:
            _leave_open(text, one, end, found)
        stack = stack[:1]
        if stack and stack[0].mark in _SINGLE:
            stack = []
        if stack:
            stack[0].pieces.append((stack[0].begin, end))
            stack[0].begin = end
    _finish(text, stack, found)
    return found


def _paragraphs(text: str) -> Iterator[Range]:
    cuts = [0, *(at for gap in _PARAGRAPH.finditer(text) for at in gap.span()), len(text)]
    for index, (start, end) in enumerate(pairwise(cuts)):
        if index % 2 == 0 and text[start:end].strip():
            yield start, end


def _marks(text: str, start: int, end: int) -> list[Range]:
    """Three strokes and more are code, and no mark."""
    found = (match.span() for match in _MARK.finditer(text, start, end))
    return [(at, after) for at, after in found if after - at < 3]


def _inside(mark: Range, ranges: Sequence[Range]) -> bool:
    """Whether the mark lies in one of the ranges: sorted, and none within another."""
    index = bisect_right(ranges, mark[0], key=lambda one: one[0]) - 1
    return index >= 0 and mark[0] < ranges[index][1]


def _continued(reader: "_Reader", stack: list[_Open], found: list[Quotation]) -> list[_Open]:
    """What is still open goes on into this paragraph if the paragraph begins with its mark again."""
    if not stack:
        return []
    outer = stack[0]
    first = reader.marks[0] if reader.marks else None
    lead = _LINE_MARKER.sub("", reader.text[reader.start : first[0]]).strip() if first else "no mark"
    mark = reader.text[first[0] : first[1]] if first else ""
    if first is not None and not lead and (mark == outer.mark or mark in _closers()[outer.mark]):
        outer.begin = first[1]
        del reader.marks[0]
        return [outer]
    _finish(reader.text, stack, found)
    return []


def _finish(text: str, stack: list[_Open], found: list[Quotation]) -> None:
    """Where no paragraph closes it, every paragraph that began with the mark is a quotation without an end."""
    for one in stack:
        for start, end in one.pieces:
            _leave_open(text, _Open(one.mark, one.at, [], start), end, found)


def _leave_open(text: str, one: _Open, end: int, found: list[Quotation]) -> None:
    quotation = one.quotation(text, end, closed=False)
    if quotation is not None and one.mark not in _SINGLE:
        found.append(quotation)


@dataclass(slots=True)
class _Reader:
    """The marks of one paragraph, read from left to right."""

    text: str
    start: int
    end: int
    marks: list[Range]

    def read(self, stack: list[_Open], found: list[Quotation]) -> list[_Open]:
        for index, (at, after) in enumerate(self.marks):
            mark = self.text[at:after]
            if self._is_apostrophe(mark, at, after):
                continue
            closes = self._closes(stack, index)
            if closes is not None:
                for lost in stack[closes + 1 :]:
                    _leave_open(self.text, lost, at, found)
                quotation = stack[closes].quotation(self.text, at, closed=True)
                del stack[closes:]
                if quotation is not None:
                    found.append(quotation)
            elif self._opens(index):
                self._give_up(stack, mark, index, found)
                if len(stack) == _DEEPEST:
                    _leave_open(self.text, stack.pop(0), at, found)
                stack.append(_Open(mark, at, [], after))
        return stack

    def _give_up(self, stack: list[_Open], mark: str, index: int, found: list[Quotation]) -> None:
        """The same kind opened twice: the first was never closed, unless enough closing marks follow for both."""
        for depth, one in enumerate(stack):
            if one.mark != mark or mark in "「『«":
                continue
            left = sum(
                self.text[at:after] == _closers()[mark][0] for at, after in self.marks[index + 1 : index + 1 + _AHEAD]
            )
            if left < 2 or mark == _closers()[mark][0]:
                for lost in stack[depth:]:
                    _leave_open(self.text, lost, self.marks[index][0], found)
                del stack[depth:]
                return

    def _later(self, index: int) -> range:
        return range(index + 1, min(index + 1 + _AHEAD, len(self.marks)))

    def _neighbours(self, index: int) -> tuple[str, str]:
        at, after = self.marks[index]
        before = self.text[at - 1] if at > self.start else ""
        return before, self.text[after] if after < self.end else ""

    def _is_apostrophe(self, mark: str, at: int, after: int) -> bool:
        """Inside a word, or before a year or a word that has lost its beginning."""
        if mark not in ("'", "’", "‘", "״", '"'):
            return False
        before, behind = self.text[at - 1 : at], self.text[after : after + 1]
        if before.isalnum() and behind.isalnum():
            return mark != '"' or not (_unspaced(before) or _unspaced(behind))
        if mark in ("״", '"'):
            return False
        if before.isdigit() and mark == "'" and re.match(r"\s?\d{1,2}\s?(?:\"|''|”|″)", self.text[after : after + 6]):
            return True
        if behind.isdigit() and re.match(r"\d\ds?\b", self.text[after : after + 4]):
            return True
        word = re.match(r"[^\W\d_]+", self.text[after : after + 8])
        return not before.isalnum() and word is not None and word.group().lower() in _elisions()

    def _opens(self, index: int) -> bool:
        at, after = self.marks[index]
        mark = self.text[at:after]
        if mark not in _closers():
            return False
        before, behind = self._neighbours(index)
        if mark in "„‟‚‛“‘「『｢﹁﹃〝`` ,," and mark not in "‘‚" and behind:
            return mark != "``" or self._comes(index, "''", "``")
        if before.isalnum() and not _unspaced(before):
            return False
        if mark in _SPACED:
            return True
        if not behind or behind.isspace():
            return mark == '"' and (not before or before.isspace()) and self._comes(index, '"', "\0")
        if mark in _SINGLE and not any(self._could_close(later, mark) for later in self._later(index)):
            return False
        return not before or before.isspace() or before in _BEFORE_OPENING or _unspaced(before)

    def _comes(self, index: int, wanted: str, first: str) -> bool:
        for at, after in self.marks[index + 1 : index + 1 + _AHEAD]:
            mark = self.text[at:after]
            if mark in (wanted, first):
                return mark == wanted
        return False

    def _could_close(self, index: int, opening: str) -> bool:
        at, after = self.marks[index]
        mark = self.text[at:after]
        before, behind = self._neighbours(index)
        if mark not in _closers()[opening] or self._is_apostrophe(mark, at, after):
            return False
        return bool(before) and (not before.isspace() or mark in _SPACED) and not (behind.isalnum() and mark in _SINGLE)

    def _closes(self, stack: list[_Open], index: int) -> int | None:
        """The depth of what this mark closes, or None where it closes nothing."""
        at, after = self.marks[index]
        mark = self.text[at:after]
        before, behind = self._neighbours(index)
        for depth in range(len(stack) - 1, -1, -1):
            one = stack[depth]
            closers = _closers()[one.mark]
            if mark not in closers:
                continue
            if mark in _SINGLE and (not self._could_close(index, one.mark) or self._possessive(index, one.mark)):
                return None
            opens_too = mark in _closers() and mark in ('"', "”", "»", "›", "''", "“", "‘", "«", "‹")
            if opens_too and mark == one.mark and before.isspace() and behind and not behind.isspace():
                return depth if mark in _SPACED and not self._opens(index) else None
            if mark != closers[0] and mark in ('"', "''") and before.isspace():
                return None
            if mark in ('"', "''") and self._inches(index, before, at):
                return None
            return depth
        return None

    def _inches(self, index: int, before: str, at: int) -> bool:
        """A mark after a figure is an inch if the next mark of its kind can only close."""
        if not before.isdigit():
            return False
        if _FEET_AND_INCHES.search(self.text, max(self.start, at - 8), at):
            return True
        mark = self.text[slice(*self.marks[index])]
        for later in self._later(index):
            if self.text[slice(*self.marks[later])] == mark:
                ahead, behind = self._neighbours(later)
                return not ahead.isspace() and not ahead.isdigit() and not behind.isalnum()
        return False

    def _possessive(self, index: int, opening: str) -> bool:
        """``the boys' house`` inside single marks: a later mark, before any that opens, must close instead."""
        at, after = self.marks[index]
        if self.text[at - 1 : at] not in ("s", "S", "x", "z") or not re.match(r"\s[a-z]", self.text[after : after + 2]):
            return False
        for later in self._later(index):
            if self._could_close(later, opening):
                return True
            before, behind = self._neighbours(later)
            if (not before or before.isspace()) and behind and not behind.isspace():
                return False
        return False


def _unspaced(character: str) -> bool:
    """A letter of a script that sets no space before a mark: kana, ideographs, Hangul, Thai and its neighbours."""
    return is_ideograph(character) or "\u0e00" <= character <= "\u0eff" or "\uac00" <= character <= "\ud7af"


def _trimmed(text: str, start: int, end: int) -> Range:
    while start < end and (text[start].isspace() or text[start] == "\u200b"):
        start += 1
    while end > start and (text[end - 1].isspace() or text[end - 1] == "\u200b"):
        end -= 1
    return start, end


def _blocks(text: str, blocks: Sequence[Range], code: Sequence[Range]) -> Iterator[Quotation]:
    """Block quotations. One that begins with a mark and only adds who spoke is quoted by its marks alone."""
    for block in blocks:
        start, end = _trimmed(text, *block)
        marker = _LINE_MARKER.match(text, start, end)
        start = marker.end() if marker else start
        if start >= end:
            continue
        inside = [one for one in _marked(text[start:end], [(a - start, b - start) for a, b in code]) if one.closed]
        credit, stop = signature(text, start, end)
        if inside and inside[0].start <= 2:
            rest = text[start:stop]
            for one in reversed(inside):
                rest = rest[: one.start] + rest[one.end :]
            if len(re.findall(r"\w+", rest)) <= _CREDIT_WORDS:
                continue
        words = _LINE_MARKER.sub("", text[start:stop])
        if words.strip():
            first, last = _trimmed(text, start, stop)
            yield Quotation(first, last, words.strip(), "block", attribution=credit)
