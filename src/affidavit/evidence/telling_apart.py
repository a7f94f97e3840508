"""Which words tell one place of a repeated passage from the others."""

from itertools import pairwise

from affidavit.evidence.characters import is_ideograph
from affidavit.evidence.fold import Folded
from affidavit.evidence.grapheme import boundary_before

# How far words are looked for, in characters. A locator with more than 240 cannot be used.
_REACH = 400
_BEFORE = 60


def words_after(folded: Folded, source: str, places: list[tuple[int, int]]) -> tuple[str | None, ...]:
    """For each place, the fewest whole words after it that no other place has; None where no words can.

    Compared folded, returned as the source has them, so that passage and words together are found exactly once.
    """
    ends = [folded.from_source(start, end)[1] for start, end in places]
    ahead = [folded.text[end : end + _REACH] for end in ends]
    shared = [0] * len(places)
    order = sorted(range(len(places)), key=lambda index: ahead[index])
    # The longest common beginning with any other place is that with a neighbour in sorted order.
    for one, other in pairwise(order):
        common = _common(ahead[one], ahead[other])
        shared[one] = max(shared[one], common)
        shared[other] = max(shared[other], common)
    result: list[str | None] = []
    for (_, place_end), end, words, common in zip(places, ends, ahead, shared, strict=True):
        if common >= len(words):
            result.append(None)
        else:
            length = _word_end(words, common + 1)
            result.append(source[place_end : folded.to_source(end, end + length)[1]])
    return tuple(result)


def words_before(source: str, start: int) -> str:
    """The last few words before `start`, on one line; empty at the beginning of the text."""
    first = max(0, start - _BEFORE)
    before = source[boundary_before(source, first) : start]
    if first > 0:
        before = before.partition(" ")[2] or before
    return " ".join(before.split())


def _common(one: str, other: str) -> int:
    length = min(len(one), len(other))
    return next((index for index in range(length) if one[index] != other[index]), length)


def _word_end(words: str, length: int) -> int:
    """The end of the word that holds the character before `length`, or of the next one when that is a space."""
    if words[length - 1] == " " and length < len(words):
        length += 1
    while length < len(words) and words[length] != " " and not is_ideograph(words[length - 1]):
        length += 1
    return length
