"""The ways in which one quotation may be read against a source, from the most literal to the least.

`quotation_check` says what an editor may do to a quotation; here each of those becomes folded pieces to be found in
order, and what may lie between them. Every liberty taken is a `Change`.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from affidavit.evidence.fold import fold
from affidavit.gates.source_texts import PreparedSource, level

# The most of a source that one [bracketed] change may stand for, in characters.
_BRACKET_REACH = 120
# So many words or fewer left out with a denial among them alter the quotation; a longer cut is a warning.
_DENYING_CUT = 4
# Places of the first piece tried in one source.
_PLACES = 40

_ELLIPSIS = re.compile(
    r"\s*(?:\[\s*(?:\.\s?\.\s?\.\s?\.?|…)\s*\]|\(\s*(?:\.\s?\.\s?\.|…)\s*\)|…|\.\s?\.\s?\.(?:\s?\.)?)\s*"
)
_BRACKET = re.compile(r"\[([^\[\]\n]{1,120})\]")
_NOTE = re.compile(
    r"\s*\[(?:sic!?|emphasis[^\]]*|italics[^\]]*|translation[^\]]*|translated[^\]]*|our translation)\]", re.I
)
DENIAL = re.compile(
    r"\b(?:not|no|never|none|neither|nor|without|cannot|can't|won't|\w+n't|unless|except|hardly|nicht|kein\w*|nie"
    r"|pas|jamais|sans|nunca|sin|não|non|niet|geen)\b",
    re.IGNORECASE,
)
SENTENCE_END = re.compile(r"[.!?。]\s")
_PARAGRAPHS = re.compile(r"\n\s*\n")
_FINAL = ".,;:"


@dataclass(frozen=True, slots=True)
class Change:
    """Something the quotation does otherwise than its source: case, punctuation, marks, ellipsis, bracket, note."""

    kind: str
    quoted: str
    original: str


@dataclass(frozen=True, slots=True)
class Match:
    """``[start, end)`` of the fold of source number `source`. `hidden` are words cut out that deny the rest."""

    source: int
    start: int
    end: int
    changes: tuple[Change, ...]
    hidden: str | None


@dataclass(frozen=True, slots=True)
class Reading:
    """One reading of the quotation: folded pieces, and between them what may lie there."""

    pieces: tuple[str, ...]
    joints: tuple[Change, ...]
    changes: tuple[Change, ...]

    def places(self, index: int, source: PreparedSource) -> Iterator[Match]:
        for count, (start, end) in enumerate(source.find(self.pieces[0])):
            rest = self._rest(source, end)
            if rest is not None:
                last, joints, hidden = rest
                yield Match(index, start, last, (*joints, *self.changes), hidden)
            if count > _PLACES:
                return

    def _rest(self, source: PreparedSource, end: int) -> tuple[int, tuple[Change, ...], str | None] | None:
        changes: list[Change] = []
        hidden: str | None = None
        for piece, joint in zip(self.pieces[1:], self.joints, strict=True):
            reach = end + _BRACKET_REACH + len(piece) if joint.kind == "bracket" else None
            place = next(source.find(piece, end, reach), None)
            if place is None:
                return None
            cut = source.text[end : place[0]].strip()
            if joint.kind == "paragraph":
                if cut.strip("\"' "):
                    return None
            else:
                changes.append(Change(joint.kind, joint.quoted, cut))
                if _denies(cut, joint.quoted):
                    hidden = cut
            end = place[1]
        return end, tuple(changes), hidden


def _denies(cut: str, quoted: str) -> bool:
    """Whether what was cut or replaced takes back what is left: a denial in a short cut within one sentence."""
    if DENIAL.search(cut) is None or DENIAL.search(quoted) is not None:
        return False
    return len(cut.split()) <= _DENYING_CUT and SENTENCE_END.search(cut + " ") is None


def readings_of(words: str) -> Iterator[Reading]:
    """Readings from the most literal to the least."""
    words = words.strip()
    noted = _NOTE.sub("", words)
    notes = tuple(Change("note", match.group().strip(), "") for match in _NOTE.finditer(words))
    for text, changes in ((words, ()), (noted, notes)) if notes else ((words, ()),):
        for pieces, joints in _pieces(text):
            for edited, extra in _edges(pieces):
                if sum(len(piece) for piece in edited) >= 3 and all(edited):
                    yield Reading(edited, joints, (*changes, *extra))


def _pieces(text: str) -> Iterator[tuple[tuple[str, ...], tuple[Change, ...]]]:
    """Whole, as one piece; then cut at paragraphs and ellipses; then at brackets too."""
    yield (levelled(text),), ()
    parts, joints = _cut(text, _PARAGRAPHS, "paragraph")
    parts, joints = _cut_further(parts, joints, _ELLIPSIS, "ellipsis")
    if joints:
        yield from _worth(parts, joints)
    if _BRACKET.search(text):
        parts = [_opened(part) for part in parts]
        yield from _worth(parts, joints)
        yield from _worth(*_cut_further(parts, joints, _BRACKET, "bracket"))


def _opened(part: str) -> str:
    """``[T]he`` reads "The": a bracket around the first letters of a word changes those alone."""
    return re.sub(r"\[(\w{1,2})\](?=\w)|(?<=\w)\[(\w{1,3})\]", lambda match: match.group(1) or match.group(2), part)


def _cut(text: str, pattern: re.Pattern[str], kind: str) -> tuple[list[str], list[Change]]:
    parts: list[str] = []
    joints: list[Change] = []
    at = 0
    for match in pattern.finditer(text):
        parts.append(text[at : match.start()])
        joints.append(Change(kind, match.group().strip(), ""))
        at = match.end()
    return [*parts, text[at:]], joints


def _cut_further(
    parts: list[str], joints: list[Change], pattern: re.Pattern[str], kind: str
) -> tuple[list[str], list[Change]]:
    pieces: list[str] = []
    between: list[Change] = []
    for index, part in enumerate(parts):
        inner, cuts = _cut(part, pattern, kind)
        pieces += inner
        between += cuts
        if index < len(joints):
            between.append(joints[index])
    return pieces, between


def _worth(parts: Sequence[str], joints: Sequence[Change]) -> Iterator[tuple[tuple[str, ...], tuple[Change, ...]]]:
    """The pieces that hold words, with the joints between those."""
    kept: list[str] = []
    between: list[Change] = []
    waiting: Change | None = None
    for index, part in enumerate(parts):
        piece = levelled(part)
        if any(character.isalnum() for character in piece):
            if kept:
                between.append(waiting or joints[index - 1])
            kept.append(piece)
            waiting = None
        if index < len(joints) and (waiting is None or waiting.kind == "paragraph"):
            waiting = joints[index]
    if kept:
        yield tuple(kept), tuple(between)


def levelled(text: str) -> str:
    """The fold of a text with its quotation marks levelled, as sources are compared."""
    return level(fold(text).text.strip())


def _edges(pieces: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], tuple[Change, ...]]]:
    """As quoted; with the first letter in its other case; each with and without its final point. Nothing of what is
    blank once folded: an invisible character, a lone "[sic]"."""
    if not all(pieces):
        return
    for head, case in _heads(pieces[0]):
        yield (head, *pieces[1:]), case
    last = pieces[-1]
    bare = last[:-1].rstrip() if last[-1] in _FINAL else last.rstrip('"')
    if bare and bare != last and bare[-1] not in _FINAL:
        point = Change("punctuation", last[len(bare) :].strip(), "")
        trimmed = (*pieces[:-1], bare)
        for head, case in _heads(trimmed[0]):
            yield (head, *trimmed[1:]), (*case, point)


def _heads(piece: str) -> Iterator[tuple[str, tuple[Change, ...]]]:
    yield piece, ()
    word = re.match(r"(\"?)([^\W\d_])(\w*)", piece)
    if word and word.group(3) == word.group(3).lower() and word.group(2).swapcase() != word.group(2):
        other = word.group(2).swapcase()
        if len(other) == 1:
            yield word.group(1) + other + piece[word.end(2) :], (Change("case", word.group(2), other),)


def without_ellipses(words: str) -> str:
    return _ELLIPSIS.sub(" ", words)
