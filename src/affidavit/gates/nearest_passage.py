"""The real passage that a quotation no source has resembles most, and how the two differ, word by word."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from affidavit.evidence.fold import fold
from affidavit.gates.quotation_readings import Match, levelled, without_ellipses
from affidavit.gates.source_texts import CANDIDATES, WORD, PreparedSource, PreparedSources, level

# A passage that resembles less is another sentence and would mislead. benchmarks/near_misses.py: 764 quotations with
# one edit (seeds 11 to 13) score 86 to 99, 5% of them below 92.
NEAREST_SCORE = 62.0
# Words looked at on either side of a resembling passage for its true ends.
_MARGIN = 6


@dataclass(frozen=True, slots=True)
class Passage:
    """``[start, end)`` in code points of the text of source number `source`, and those characters."""

    source: int
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Nearest:
    """The real passage most like a quotation that no source has.

    `difference` is in order: ``("=", words)`` in both, ``("-", words)`` only quoted, ``("+", words)`` only in the
    source. `score` is rapidfuzz's, 0 to 100. A suggestion, never a pass.
    """

    passage: Passage
    score: float
    difference: tuple[tuple[str, str], ...]

    def shown(self) -> str:
        """The difference as one line: ``the [-minor-] {+major+} obstacle``."""
        form = {"=": "{}", "-": "[-{}-]", "+": "{{+{}+}}"}
        return " ".join(form[sign].format(words) for sign, words in self.difference)


def passage_of(prepared: PreparedSources, match: Match) -> Passage:
    """The source's own characters at a match."""
    source = prepared.sources[match.source]
    start, end = source.folded.to_source(match.start, match.end)
    return Passage(match.source, start, end, source.source.text[start:end])


def nearest_to(words: str, prepared: PreparedSources) -> Nearest | None:
    wanted = [word.lower() for word in WORD.findall(levelled(without_ellipses(words)))]
    likely = _likely(wanted, prepared)
    best: tuple[float, int, int, int] | None = None
    for _, index, slot in likely:
        score, start, end = prepared.sources[index].resembling(wanted, slot)
        if score >= NEAREST_SCORE and (best is None or score > best[0]):
            best = (score, index, start, end)
    if best is None:
        return None
    score, index, start, end = best
    start, end = _fitted(prepared.sources[index], wanted, start, end)
    return as_nearest(words, prepared, Match(index, start, end, (), None), score)


def _likely(wanted: Sequence[str], prepared: PreparedSources) -> list[tuple[int, int, int]]:
    """``(votes, source, slot)`` of the passages that hold most of the words, best first. A source that has fewer of the
    words than the least of those has votes is not looked through."""
    known = sorted(((source.known(wanted), index) for index, source in enumerate(prepared.sources)), reverse=True)
    found: list[tuple[int, int, int]] = []
    for most, index in known:
        if not most or (len(found) == CANDIDATES and most < found[-1][0]):
            break
        found += [(votes, index, slot) for votes, slot in prepared.sources[index].likely(wanted)]
        found = sorted(found, key=lambda one: (-one[0], one[1]))[:CANDIDATES]
    return found


def _fitted(source: PreparedSource, wanted: Sequence[str], start: int, end: int) -> tuple[int, int]:
    """The passage at ``[start, end)`` of the fold, grown or cut to where its words answer the first and last quoted."""
    first, last = source.word_at(start), source.word_at(end)
    low, high = max(0, first - _MARGIN), min(len(source.words), last + _MARGIN + 1)
    around = [source.text[a:b].lower() for a, b in source.words[low:high]]
    blocks = SequenceMatcher(None, wanted, around, autojunk=False).get_matching_blocks()
    if len(blocks) < 2:
        return start, end
    begin = max(0, blocks[0].b - blocks[0].a)
    tail = blocks[-2]
    stop = min(len(around), tail.b + tail.size + len(wanted) - tail.a - tail.size)
    return source.words[low + begin][0], source.words[low + max(stop, begin + 1) - 1][1]


def as_nearest(words: str, prepared: PreparedSources, match: Match, score: float = 100.0) -> Nearest:
    passage = passage_of(prepared, match)
    return Nearest(passage, score, difference(words, passage.text))


def difference(quoted: str, original: str) -> tuple[tuple[str, str], ...]:
    """The words of both in order, marked ``=``, ``-`` (only in the first) and ``+`` (only in the second)."""
    ours, theirs = quoted.split(), original.split()
    keys = [[level(fold(word).text).strip('.,;:!?"').lower() for word in words] for words in (ours, theirs)]
    marked: list[tuple[str, str]] = []
    for kind, a, b, c, d in SequenceMatcher(None, keys[0], keys[1], autojunk=False).get_opcodes():
        if kind == "equal":
            marked.append(("=", " ".join(theirs[c:d])))
        else:
            marked += [(sign, " ".join(words)) for sign, words in (("-", ours[a:b]), ("+", theirs[c:d])) if words]
    return tuple(marked)
