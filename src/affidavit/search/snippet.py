"""A few words of a passage around what was asked. For choosing what to read; never evidence (E5)."""

import re
from collections.abc import Sequence

from affidavit.search.terms import Term

LENGTH = 300
_SPACE = re.compile(r"\s+")
# Endings that the index's stemmer takes off most often; what is left is compared as a beginning.
_ENDINGS = re.compile(r"(?:ations?|ings?|ions?|ments?|ed|es|s)$")


def snippet(text: str, terms: Sequence[Term], length: int = LENGTH) -> str:
    """At most `length` characters (and an ellipsis at either cut) where the most of `terms` stand together."""
    line = _SPACE.sub(" ", text).strip()
    if len(line) <= length:
        return line
    places = _places(line, terms)
    start = max((place for place, _ in places), key=lambda at: _held(places, at, length), default=0)
    # A little of what stands before the first word, from a word's start.
    start = max(0, start - length // 5)
    start = line.rfind(" ", 0, start) + 1 if start else 0
    end = min(len(line), start + length)
    if end < len(line):
        end = max(line.rfind(" ", start + length // 2, end), start + length // 2)
    return f"{'…' if start else ''}{line[start:end]}{'…' if end < len(line) else ''}"


def _places(line: str, terms: Sequence[Term]) -> list[tuple[int, str]]:
    """Where the words of `terms` stand, as (offset, word), in order."""
    words = {word for term in terms for word in term.match.strip('"').split()}
    stems = sorted({stem if len(stem := _ENDINGS.sub("", word)) >= 3 else word for word in words}, key=len)
    if not stems:
        return []
    pattern = re.compile(r"(?<!\w)(?:" + "|".join(re.escape(stem) for stem in reversed(stems)) + ")", re.IGNORECASE)
    return [(match.start(), match[0].lower()) for match in pattern.finditer(line)]


def _held(places: list[tuple[int, str]], start: int, length: int) -> tuple[int, int]:
    """How many different words, then how many words, stand in the window from `start`."""
    inside = [word for at, word in places if start <= at < start + length * 4 // 5]
    return len(set(inside)), len(inside)
