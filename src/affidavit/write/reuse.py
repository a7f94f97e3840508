"""What a draft says again: a figure of its own, or a figure or sentence of an earlier piece.

A sentence is known again when it is the same but for a few words: it shares runs of `RUN` words with the earlier one,
and the two are alike to `ALIKE` of 100.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from rapidfuzz import fuzz

from affidavit.evidence.fold import fold
from affidavit.evidence.piece import Issue
from affidavit.gates.numbers.compare import compare, measure
from affidavit.gates.numbers.mention import Kind, Mention
from affidavit.gates.numbers.reader import mentions
from affidavit.gates.source_figures import read_sources
from affidavit.write.allowed import SAID, Allowed
from affidavit.write.drafted import Placed, ReadDraft
from affidavit.write.frame import Figures, frame, meet, same_things
from affidavit.write.memory import Memory, Recalled

RUN = 5
ALIKE = 88.0
LEAST_WORDS = 6
"""A shorter sentence is anybody's."""
_USES = 8
"""Things that one value is remembered to be said of: a draft of a thousand bare ones takes as long as it is long."""
_WORD = re.compile(r"\w+(?:['’.,]\w+)*")
_NO_STATISTIC = (Kind.YEAR, Kind.DATE, Kind.ORDINAL)


def statistic(mention: Mention) -> bool:
    """Whether a reader would know the figure again: no date, and no small count in words."""
    if not mention.is_figure or mention.kind in _NO_STATISTIC:
        return False
    return any(letter.isdigit() for letter in mention.raw) or (
        not isinstance(mention.value, tuple | str) and mention.value > 12
    )


def repeated_figures(read: ReadDraft, figures: Sequence[Placed], allowed: Allowed) -> Iterator[Issue]:
    """The second and later places at which the draft says one figure of one thing. The title does not count."""
    seen: dict[tuple[str, object], list[Placed]] = defaultdict(list)
    for placed in figures:
        if not statistic(placed.mention) or read.is_title(placed.block):
            continue
        ours = measure(placed.mention)
        same = seen[ours.dimension, ours.value]
        first = next((one for one in same if _again(read, placed, one, allowed)), None)
        if first is None:
            if len(same) < _USES:
                same.append(placed)
            continue
        said = read.said(first.first, first.last)
        message = f"“{placed.mention.raw}” was said before (“{_short(said)}”): refer back to it without the number."
        at = (placed.mention.start, placed.mention.end)
        yield read.issue("repeated_figure", message, at, (placed.first, placed.last))


def _again(read: ReadDraft, placed: Placed, earlier: Placed, allowed: Allowed) -> bool:
    """Whether two figures of one value are said of one thing."""
    mine = {scope.fact.fact_id for scope, _ in allowed.held(placed.mention)}
    its = {scope.fact.fact_id for scope, _ in allowed.held(earlier.mention)}
    if mine & its and len(mine | its) == 1:
        return True
    if placed.mention.subject is not None and earlier.mention.subject is not None:
        return same_things(placed.mention.subject, earlier.mention.subject)
    here, there = read.frame(placed), read.frame(earlier)
    return bool(meet(here.words | here.phrase, there.words | there.phrase))


def reused_statistics(read: ReadDraft, figures: Sequence[Placed], memory: Memory) -> Iterator[Issue]:
    """Figures that an earlier piece says of the same thing, each where the draft first says it."""
    said = [(piece, sentence) for piece in memory.pieces for sentence in piece.statistics]
    earlier = read_sources([sentence for _, sentence in said])
    told: list[Mention] = []
    for placed in figures:
        ours = placed.mention
        if not statistic(ours):
            continue
        near = [one for one in earlier.near(ours) if _of_the_same(read, placed, one.mention, earlier.texts[one.text])]
        if near and not any(compare(ours, one).relation in SAID for one in told):
            told.append(ours)
            piece, sentence = said[min(one.text for one in near)]
            message = f"“{ours.raw}” was used in {_where(piece)}: “{_short(sentence)}”"
            yield read.issue_of(placed, "reused_statistic", message)


def _of_the_same(read: ReadDraft, placed: Placed, other: Mention, sentence: str) -> bool:
    ours = placed.mention
    if not statistic(other):
        return False
    if compare(ours, other).relation not in SAID and compare(other, ours).relation not in SAID:
        return False
    if ours.subject is not None and other.subject is not None:
        return same_things(ours.subject, other.subject)
    mine = read.frame(placed)
    its = frame(sentence, other, 0, len(sentence), Figures.of(mentions(sentence)))
    return bool(meet(mine.words | mine.phrase, its.words | its.phrase))


def reused_sentences(read: ReadDraft, memory: Memory) -> Iterator[Issue]:
    """Sentences of the draft that an earlier piece has, word for word or nearly."""
    places: dict[tuple[str, ...], set[int]] = defaultdict(set)
    earlier: list[tuple[Recalled, str, str]] = []
    for piece in memory.pieces:
        for sentence in piece.sentences:
            words = _words(sentence)
            if len(words) >= LEAST_WORDS:
                for run in _runs(words):
                    places[run].add(len(earlier))
                earlier.append((piece, sentence, " ".join(words)))
    for start, end in read.sentences:
        words = _words(read.text[start:end])
        if len(words) < LEAST_WORDS:
            continue
        ours = " ".join(words)
        known = sorted({index for run in _runs(words) for index in places.get(run, ())})
        index = next((one for one in known if fuzz.ratio(ours, earlier[one][2]) >= ALIKE), None)
        if index is not None:
            piece, sentence, _ = earlier[index]
            message = f"{_where(piece)} has this sentence: “{_short(sentence)}” Say it anew, or leave it out."
            yield read.issue("reused_sentence", message, (start, end), (start, end))


def _runs(words: Sequence[str]) -> Iterator[tuple[str, ...]]:
    return (tuple(words[at : at + RUN]) for at in range(max(1, len(words) - RUN + 1)))


def _words(text: str) -> list[str]:
    return [match.group().lower() for match in _WORD.finditer(fold(text).text)]


def _where(piece: Recalled) -> str:
    return f"“{piece.title}” ({piece.url})" if piece.url else f"“{piece.title}”"


def _short(text: str, most: int = 100) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1] + "…"
