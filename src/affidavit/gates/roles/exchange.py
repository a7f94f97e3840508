"""Two names that have changed places around the very same words: "Rose crossed to Dempsey", "Dempsey crossed to Rose".

It needs no verb to be told: whatever stands between the names stands there in both texts.
"""

from collections.abc import Iterator
from itertools import pairwise

from affidavit.gates.polarity.reading import Sentence
from affidavit.gates.roles.table import SYMMETRIC, verb

# Words between two names, at most and all told.
_MOST = 12
# Say nothing of order: a list, two sides of one thing.
_LISTING = frozenset("and or nor the a an with versus vs like than".split())

Run = tuple[int, int]
Middle = tuple[str, ...]


def exchanged(claim: Sentence, span: tuple[Sentence, ...]) -> Iterator[tuple[Run, Run, Sentence, Run]]:
    """The runs of the claim's two names, the span's sentence that has them the other way round, and their run in it."""
    theirs: dict[tuple[str, Middle, str], tuple[Sentence, Run]] = {}
    for sentence in span:
        for first, second in _couples(sentence):
            key = (_shown(sentence, first), _between(sentence, first, second), _shown(sentence, second))
            theirs.setdefault(key, (sentence, (first[0], second[1])))
    for first, second in _couples(claim):
        left, middle, right = _shown(claim, first), _between(claim, first, second), _shown(claim, second)
        if left == right or not _directed(claim, first, second) or (left, middle, right) in theirs:
            continue
        other = theirs.get((right, middle, left))
        if other is not None:
            yield first, second, *other


def _couples(sentence: Sentence) -> Iterator[tuple[Run, Run]]:
    names = list(_names(sentence))
    for index, first in enumerate(names):
        for second in names[index + 1 :]:
            if second[0] - first[1] > _MOST:
                break
            yield first, second


def _names(sentence: Sentence) -> Iterator[Run]:
    """Runs of capitalised content words."""
    words = sentence.words
    places = [index for index in sentence.content if words[index].capital]
    start: int | None = None
    for index, following in pairwise([*places, -1]):
        start = index if start is None else start
        glued = following == index + 1 and not sentence.text[words[index].end : words[following].start].strip()
        if not glued:
            yield start, index + 1
            start = None


def _shown(sentence: Sentence, run: Run) -> str:
    return " ".join(word.text for word in sentence.words[run[0] : run[1]])


def _between(sentence: Sentence, first: Run, second: Run) -> Middle:
    return tuple(word.text for word in sentence.words[first[1] : second[0]] if word.text not in ("the", "a", "an"))


def _directed(sentence: Sentence, first: Run, second: Run) -> bool:
    """Whether what stands between two names makes their order matter: not other names of a list alone."""
    between = [word.text for word in sentence.words[first[1] : second[0]] if not word.capital]
    return any(word not in _LISTING for word in between) and not any(verb(word) in SYMMETRIC for word in between)
