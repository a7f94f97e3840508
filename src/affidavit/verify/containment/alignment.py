"""Where the words of a claim's sentence stand, in order, in one sentence of the span."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from affidavit.gates.polarity.reading import Sentence
from affidavit.verify.containment.wording import key, spells_sign, word_set

# A match of a word that carries meaning outweighs any number of small words about it.
_CONTENT = 100
_SMALL = 1
# A phrase that opens a sentence without a comma, "In 1988 the pier was closed", has so many words at most.
_OPENING = 6
LONGEST = 250
"""Words of a sentence. A longer one is none, and its table would cost more than it tells."""


@dataclass(frozen=True, slots=True)
class Alignment:
    """``places[i]`` is the word of `span` at which word ``order[i]`` of `claim` stands, or -1.

    `order` is the claim's own order, or that of a claim whose first or last phrase was moved to the other end.
    """

    claim: Sentence
    span: Sentence
    order: tuple[int, ...]
    places: tuple[int, ...]

    @property
    def added(self) -> tuple[int, ...]:
        """The claim's words that the span's sentence has not, small words apart that say nothing more."""
        extra = [index for index, place in zip(self.order, self.places, strict=True) if place < 0]
        return tuple(sorted(index for index in extra if not _says_nothing(self.claim, index)))

    @property
    def gaps(self) -> tuple[tuple[int, int], ...]:
        """The runs ``[first, last)`` of the span's words that the claim leaves out, in order."""
        kept = {place for place in self.places if place >= 0}
        found: list[tuple[int, int]] = []
        for index in range(len(self.span.words)):
            if index in kept:
                continue
            if found and found[-1][1] == index:
                found[-1] = (found[-1][0], index + 1)
            else:
                found.append((index, index + 1))
        return tuple(found)


def align_words(claim: Sentence, span: Sentence) -> Alignment | None:
    """The best alignment of `claim` with `span`, or None where some word of the claim has no place there in order."""
    if not claim.words or max(len(claim.words), len(span.words)) > LONGEST:
        return None
    theirs = {key(word) for word in span.words}
    if any(key(word) not in theirs and not _says_nothing(claim, index) for index, word in enumerate(claim.words)):
        return None
    for order in _orders(claim):
        found = Alignment(claim, span, order, tuple(match_words(claim, order, span)))
        if not found.added:
            return found
    return None


def _says_nothing(claim: Sentence, index: int) -> bool:
    """Whether the claim may have the word where the span has it not."""
    return claim.words[index].text in word_set("added") or spells_sign(claim.words, index)


def _orders(claim: Sentence) -> Iterator[tuple[int, ...]]:
    """The claim's words as they stand, then with a phrase at one end moved to the other."""
    whole = tuple(range(len(claim.words)))
    yield whole
    for cut in whole[1:]:
        gap = claim.text[claim.words[cut - 1].end : claim.words[cut].start]
        opening = cut <= _OPENING and claim.words[0].text in word_set("prepositions")
        turning = claim.words[cut].text in word_set("prepositions") | word_set("subordinating")
        if opening or turning or "," in gap:
            yield (*whole[cut:], *whole[:cut])


def match_words(claim: Sentence, order: Sequence[int], span: Sentence) -> list[int]:
    """Longest common subsequence, words that carry meaning first; of equals, the one whose words stand closest."""
    ours = [key(claim.words[index]) for index in order]
    worth = [_CONTENT if claim.words[index].content else _SMALL for index in order]
    theirs = [key(word) for word in span.words]
    table = [[0] * (len(theirs) + 1) for _ in range(len(ours) + 1)]
    for i in range(len(ours) - 1, -1, -1):
        row, below = table[i], table[i + 1]
        for j in range(len(theirs) - 1, -1, -1):
            taken = below[j + 1] + worth[i] if ours[i] == theirs[j] else 0
            row[j] = max(row[j + 1], below[j], taken)
    places = [-1] * len(ours)
    i = j = 0
    while i < len(ours) and j < len(theirs):
        if ours[i] == theirs[j] and table[i][j] == table[i + 1][j + 1] + worth[i]:
            places[i] = j
            i, j = i + 1, j + 1
        elif table[i][j] == table[i][j + 1]:
            j += 1
        else:
            i += 1
    return places
