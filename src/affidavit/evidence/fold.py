"""Fold away what a reader cannot see, and keep the way back.

Two texts match when their folds are equal. Folding joins runs of white space, drops invisible characters, takes
curly quotation marks for straight ones, dashes of any width for one, ligatures for their letters, and composes
accents (NFC). It changes nothing else: digits, signs, decimal points, per cent, comparators, currency, letters of
every script and their case come through, so a match is a match of what the page says. Both sides are folded alike.

A `Folded` keeps the map to the code points of the source in both directions, as the list of places where the two
differ in length; between them the map is a constant shift, so a mapping costs one bisection.
"""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass

from affidavit.evidence.characters import (
    DASHES,
    DOUBLE_QUOTES,
    INVISIBLES,
    LIGATURES,
    SINGLE_QUOTES,
    SPACES,
    SPELT_OUT,
    character_class,
    expand,
)

_ONE_TO_ONE = str.maketrans(
    dict.fromkeys(SPACES, " ")
    | dict.fromkeys(SINGLE_QUOTES, "'")
    | dict.fromkeys(DOUBLE_QUOTES, '"')
    | dict.fromkeys(DASHES, "-")
)
_INVISIBLE_CLASS = character_class(INVISIBLES)
_TO_RESPELL = re.compile(
    f"[ {_INVISIBLE_CLASS}]{{2,}}|[{_INVISIBLE_CLASS}]|[{character_class(expand(LIGATURES))}]",
)
# Hangul vowel and final jamo compose with what stands before them although they are no combining marks.
_HANGUL_TRAILING = "\u1161-\u1175\u11a8-\u11c2"


@dataclass(frozen=True, slots=True)
class _Edits:
    """One rewriting of a text: `new[i]` of the result replaced `old[i]` of the input. Sorted, not overlapping."""

    new_starts: list[int]
    new_ends: list[int]
    old_starts: list[int]
    old_ends: list[int]

    def back(self, start: int, end: int) -> tuple[int, int]:
        """The input range that became ``[start, end)``; a cut inside a replacement takes in the whole replaced part."""
        return (
            _before(start, self.new_starts, self.new_ends, self.old_starts, self.old_ends),
            _after(end, self.new_starts, self.new_ends, self.old_ends),
        )

    def forth(self, start: int, end: int) -> tuple[int, int]:
        """What ``[start, end)`` of the input became, widened likewise."""
        return (
            _before(start, self.old_starts, self.old_ends, self.new_starts, self.new_ends),
            _after(end, self.old_starts, self.old_ends, self.new_ends),
        )


def _before(offset: int, starts: list[int], ends: list[int], to_starts: list[int], to_ends: list[int]) -> int:
    index = bisect_right(starts, offset) - 1
    if index < 0:
        return offset
    return to_starts[index] if offset < ends[index] else to_ends[index] + offset - ends[index]


def _after(offset: int, starts: list[int], ends: list[int], to_ends: list[int]) -> int:
    # An end is the end of the character before it, so what was dropped at that very place stays outside.
    index = bisect_right(starts, offset - 1) - 1
    if index < 0:
        return offset
    return to_ends[index] if offset <= ends[index] else to_ends[index] + offset - ends[index]


@dataclass(frozen=True, slots=True)
class Folded:
    """A folded text. `text` is the fold; offsets of it and of the source are code points."""

    text: str
    _passes: tuple[_Edits, ...]

    def to_source(self, start: int, end: int) -> tuple[int, int]:
        """The least range of the source whose fold holds ``text[start:end]``. Needs ``start < end``."""
        for edits in reversed(self._passes):
            start, end = edits.back(start, end)
        return start, end

    def from_source(self, start: int, end: int) -> tuple[int, int]:
        """Where ``[start, end)`` of the source stands in `text`. Needs ``start < end``."""
        for edits in self._passes:
            start, end = edits.forth(start, end)
        return start, max(start, end)


def fold(text: str) -> Folded:
    """Fold `text`. Idempotent: the fold of a fold is itself. Linear in the length of the text."""
    respelt, edits = _rewrite(text.translate(_ONE_TO_ONE), _TO_RESPELL, _respell)
    if unicodedata.is_normalized("NFC", respelt):
        return Folded(respelt, (edits,))
    composed, compositions = _rewrite(respelt, _composable(respelt), _compose)
    return Folded(composed, (edits, compositions))


def folded_in(needle: str, haystack: str) -> bool:
    """Whether `needle` stands in `haystack` as far as a reader can see. Empty needles stand nowhere."""
    sought = fold(needle).text.strip(" ")
    return bool(sought) and sought in fold(haystack).text


def _rewrite(text: str, pattern: re.Pattern[str], replace: Callable[[str], str]) -> tuple[str, _Edits]:
    edits = _Edits([], [], [], [])
    pieces: list[str] = []
    done = length = 0
    for match in pattern.finditer(text):
        start, end = match.span()
        replaced = match.group()
        replacement = replace(replaced)
        if replacement == replaced:
            continue
        pieces += (text[done:start], replacement)
        length += start - done
        edits.new_starts.append(length)
        length += len(replacement)
        edits.new_ends.append(length)
        edits.old_starts.append(start)
        edits.old_ends.append(end)
        done = end
    if not pieces:
        return text, edits
    pieces.append(text[done:])
    return "".join(pieces), edits


def _respell(part: str) -> str:
    if " " in part:
        return " "
    return SPELT_OUT.get(part, "")


def _compose(part: str) -> str:
    return unicodedata.normalize("NFC", part)


def _composable(text: str) -> re.Pattern[str]:
    """What normalisation may change in `text`: a character with its marks, or one that is not NFC by itself."""
    marks: list[str] = []
    singles: list[str] = []
    for character in set(text):
        if unicodedata.category(character)[0] == "M":
            marks.append(character)
        elif not unicodedata.is_normalized("NFC", character):
            singles.append(character)
    trailing = character_class(marks) + _HANGUL_TRAILING
    pattern = f"[^{trailing}]?[{trailing}]+"
    return re.compile(f"{pattern}|[{character_class(singles)}]" if singles else pattern)
