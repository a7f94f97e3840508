"""Whether quoted words stand in a source, and in the source that the sentence names.

Exact after E3's folding, nothing fuzzier. The marks of a quotation inside the quotation are levelled. What
else an editor may do to a quotation without altering it is listed here, and every use of it is shown in
`QuotationResult.changes`:

* the case of the first letter of the quotation (``[T]he`` or silently), when the rest of its word is lower case;
* one full stop, comma, colon or semicolon inside the closing mark that the source does not have there;
* an ellipsis, bare or bracketed: what is left and right of it stands in that order in one source;
* a [bracketed] change: likewise, and what it stands for is short and within one paragraph; ``[sic]`` and the like.

Words left out or replaced that deny the rest (a "not" under an ellipsis) alter the quotation. A passage that merely
resembles it is shown beside it, word by word, and never counts.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum
from itertools import pairwise

from affidavit.evidence.fold import fold
from affidavit.gates.attribution import Attribution, attribution_of
from affidavit.gates.finding import Finding, Severity
from affidavit.gates.quotations import Quotation, quotations
from affidavit.gates.source_texts import WORD, PreparedSource, PreparedSources, SourceText, level, name_words

__all__ = ["VERSION", "Change", "Nearest", "Passage", "QuotationResult", "QuotationStatus", "check_quotation"]

VERSION = "quotations/1"

# A passage that resembles less is another sentence and would mislead.
NEAREST_SCORE = 62.0
# From here on the quotation is called altered rather than not found.
ALTERED_SCORE = 75.0
# The most of a source that one [bracketed] change may stand for, in characters.
_BRACKET_REACH = 120
# So many words or fewer left out with a denial among them alter the quotation; a longer cut is a warning.
_DENYING_CUT = 4
_SPEAKER_REACH = 4000
# Words looked at on either side of a resembling passage for its true ends.
_MARGIN = 6

_ELLIPSIS = re.compile(
    r"\s*(?:\[\s*(?:\.\s?\.\s?\.\s?\.?|…)\s*\]|\(\s*(?:\.\s?\.\s?\.|…)\s*\)|…|\.\s?\.\s?\.(?:\s?\.)?)\s*"
)
_BRACKET = re.compile(r"\[([^\[\]\n]{1,120})\]")
_NOTE = re.compile(
    r"\s*\[(?:sic!?|emphasis[^\]]*|italics[^\]]*|translation[^\]]*|translated[^\]]*|our translation)\]", re.I
)
_DENIAL = re.compile(
    r"\b(?:not|no|never|none|neither|nor|without|cannot|can't|won't|\w+n't|unless|except|hardly|nicht|kein\w*|nie"
    r"|pas|jamais|sans|nunca|sin|não|non|niet|geen)\b",
    re.IGNORECASE,
)
_FINAL = ".,;:"
_SENTENCE_END = re.compile(r"[.!?。]\s")


class QuotationStatus(StrEnum):
    """FOUND is the only pass. ALTERED and NOT_FOUND differ in whether something near enough is there to show."""

    FOUND = "found"
    ALTERED = "altered"
    NOT_FOUND = "not_found"
    MISATTRIBUTED = "misattributed"
    TOO_SHORT = "too_short"


@dataclass(frozen=True, slots=True)
class Passage:
    """``[start, end)`` in code points of the text of source number `source`, and those characters."""

    source: int
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Change:
    """Something the quotation does otherwise than its source: case, punctuation, marks, ellipsis, bracket, note."""

    kind: str
    quoted: str
    original: str


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


@dataclass(frozen=True, slots=True)
class QuotationResult:
    """`passage` is where the quotation stands (its outer ends, where it leaves words out); None unless it does.

    `attributed_to` is who the passage's own source says said it, where that speaks against the draft.
    """

    quotation: Quotation
    status: QuotationStatus
    passage: Passage | None
    changes: tuple[Change, ...]
    nearest: Nearest | None
    attributed_to: str | None
    findings: tuple[Finding, ...]

    @property
    def found(self) -> bool:
        return self.status is QuotationStatus.FOUND


@dataclass(frozen=True, slots=True)
class _Match:
    source: int
    start: int
    end: int
    changes: tuple[Change, ...]
    hidden: str | None


def check_quotation(
    quotation: Quotation, sources: PreparedSources | Sequence[SourceText], text: str = ""
) -> QuotationResult:
    """Hold one quotation against the sources. Prepare them once for many quotations.

    `text` is the draft that holds it; with it, a "not" that stands before the quoted words in the source and not in
    the draft is noticed. Findings are at the quotation's place in the draft.
    """
    prepared = sources if isinstance(sources, PreparedSources) else PreparedSources.of(sources)
    if quotation.scare:
        return QuotationResult(quotation, QuotationStatus.TOO_SHORT, None, (), None, None, ())
    matches = list(_matches(quotation.words, prepared))
    whole = [match for match in matches if match.hidden is None]
    if not whole:
        return _absent(quotation, prepared, matches)
    claimed, other = _attributed(quotation.attribution, whole, prepared)
    if claimed is None:
        return _misattributed(quotation, prepared, whole[0], other)
    findings = tuple(_cautions(quotation, prepared, claimed, whole, text))
    passage = _passage(prepared, claimed)
    return QuotationResult(quotation, QuotationStatus.FOUND, passage, claimed.changes, None, None, findings)


def check_quotations(
    text: str,
    sources: PreparedSources,
    blocks: Sequence[tuple[int, int]] = (),
    code: Sequence[tuple[int, int]] = (),
) -> tuple[QuotationResult, ...]:
    """Every quotation of a draft but those inside another: they are part of what that one quotes."""
    found = quotations(text, blocks, code)
    return tuple(check_quotation(quotation, sources, text) for quotation in found if quotation.depth == 0)


def _matches(words: str, prepared: PreparedSources) -> Iterator[_Match]:
    """At most a few places in each source where the quotation stands, the plainest reading first."""
    for attempt in _attempts(words):
        found = False
        for index, source in enumerate(prepared.sources):
            for match in attempt.places(index, source):
                found = True
                yield match
        if found:
            return


@dataclass(frozen=True, slots=True)
class _Attempt:
    """One reading of the quotation: folded pieces, and between them what may lie there."""

    pieces: tuple[str, ...]
    joints: tuple[Change, ...]
    changes: tuple[Change, ...]

    def places(self, index: int, source: PreparedSource) -> Iterator[_Match]:
        for count, (start, end) in enumerate(source.find(self.pieces[0])):
            rest = self._rest(source, end)
            if rest is not None:
                last, joints, hidden = rest
                yield _Match(index, start, last, (*joints, *self.changes), hidden)
            if count > 40:
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
    if _DENIAL.search(cut) is None or _DENIAL.search(quoted) is not None:
        return False
    return len(cut.split()) <= _DENYING_CUT and _SENTENCE_END.search(cut + " ") is None


def _attempts(words: str) -> Iterator[_Attempt]:
    """Readings from the most literal to the least."""
    words = words.strip()
    noted = _NOTE.sub("", words)
    notes = tuple(Change("note", match.group().strip(), "") for match in _NOTE.finditer(words))
    for text, changes in ((words, ()), (noted, notes)) if notes else ((words, ()),):
        for pieces, joints in _readings(text):
            for edited, extra in _edges(pieces):
                if sum(len(piece) for piece in edited) >= 3 and all(edited):
                    yield _Attempt(edited, joints, (*changes, *extra))


def _readings(text: str) -> Iterator[tuple[tuple[str, ...], tuple[Change, ...]]]:
    """Whole, as one piece; then cut at paragraphs and ellipses; then at brackets too."""
    yield (_levelled(text),), ()
    parts, joints = _cut(text, re.compile(r"\n\s*\n"), "paragraph")
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
        piece = _levelled(part)
        if any(character.isalnum() for character in piece):
            if kept:
                between.append(waiting or joints[index - 1])
            kept.append(piece)
            waiting = None
        if index < len(joints) and (waiting is None or waiting.kind == "paragraph"):
            waiting = joints[index]
    if kept:
        yield tuple(kept), tuple(between)


def _levelled(text: str) -> str:
    return level(fold(text).text.strip())


def _edges(pieces: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], tuple[Change, ...]]]:
    """As quoted; with the first letter in its other case; each with and without its final point."""
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


def _attributed(
    attribution: Attribution | None, matches: Sequence[_Match], prepared: PreparedSources
) -> tuple[_Match | None, str | None]:
    """The match that fits who is named, or None and who the source names instead."""
    if attribution is None:
        return matches[0], None
    wanted = frozenset(name_words(attribution.name))
    bound = prepared.named(attribution.name)
    here = [match for match in matches if match.source in bound]
    if here:
        return here[0], None
    undecided: list[_Match] = []
    other: str | None = None
    for match in matches:
        source = prepared.sources[match.source]
        speaker = _speaker(source, match)
        said_so = speaker is not None and bool(wanted & frozenset(name_words(speaker)))
        if said_so or wanted <= _sentence_words(source, match):
            return match, None
        if speaker is None and not bound and not _other_of_series(attribution.name, source):
            undecided.append(match)
        other = other or speaker
    if undecided:
        return undecided[0], None
    if not attribution.named and not bound:
        return matches[0], None
    return None, other


def _speaker(source: PreparedSource, match: _Match) -> str | None:
    """Who the source itself gives the words to: the label of the turn they stand in, or the name beside its marks."""
    text = source.source.text
    start, end = source.folded.to_source(match.start, match.end)
    near = attribution_of(text, start, end, ((start, end),)) if _in_marks(text, start) else None
    if near is not None and near.named:
        return near.name
    labels = [label for label in source.speakers if label[0] <= start]
    return labels[-1][1] if labels and start - labels[-1][0] <= _SPEAKER_REACH else None


def _in_marks(text: str, start: int) -> bool:
    before = text[max(0, start - 3) : start].rstrip()
    return before.endswith(('"', "“", "„", "«", "‘", "「", "'"))


def _sentence_words(source: PreparedSource, match: _Match) -> frozenset[str]:
    """The words around the place, to the ends of its sentence, at most 300 characters each way; not its own."""
    text = source.text
    before = text[max(0, match.start - 300) : match.start]
    after = text[match.end : match.end + 300]
    ends = list(_SENTENCE_END.finditer(before))
    stop = _SENTENCE_END.search(after)
    return frozenset(
        name_words(before[ends[-1].end() if ends else 0 :] + " " + (after[: stop.end()] if stop else after))
    )


def _other_of_series(name: str, source: PreparedSource) -> bool:
    """Whether `name` and a name of the source are two numbers of one series ("PEP 8" and "PEP 7")."""
    wanted = name_words(name)
    for word, number in pairwise(wanted):
        if not number.isdigit() or word.isdigit():
            continue
        for own in source.names:
            numbers = {after for before, after in pairwise(own) if before == word and after.isdigit()}
            if numbers and number not in numbers:
                return True
    return False


def _passage(prepared: PreparedSources, match: _Match) -> Passage:
    source = prepared.sources[match.source]
    start, end = source.folded.to_source(match.start, match.end)
    return Passage(match.source, start, end, source.source.text[start:end])


def _cautions(
    quotation: Quotation, prepared: PreparedSources, match: _Match, matches: Sequence[_Match], text: str
) -> Iterator[Finding]:
    """What a reader should see about a quotation that stands in its source."""
    place = (quotation.start, quotation.end)
    if not quotation.closed:
        yield Finding("quotation_unclosed", "the closing quotation mark is missing", *place, Severity.WARN)
    for change in match.changes:
        if change.kind in ("ellipsis", "bracket") and _DENIAL.search(change.original):
            message = f'"{change.quoted}" stands for words that deny something: "{change.original[:160]}"'
            yield Finding("quotation_cut_denies", message, *place, Severity.WARN)
    clipped = [_denied_before(prepared.sources[one.source], one) for one in matches]
    if text and all(clipped) and _DENIAL.search(text[max(0, quotation.start - 60) : quotation.start]) is None:
        message = f'the source has "{clipped[0]}" right before the quoted words'
        yield Finding("quotation_clipped", message, *place, Severity.WARN)


def _denied_before(source: PreparedSource, match: _Match) -> str | None:
    before = source.text[max(0, match.start - 24) : match.start]
    found = re.search(r"\b(\w+(?:'\w+)?)\s+(?:be |been |a |an |the |to )?$", before)
    return found.group(1) if found and _DENIAL.fullmatch(found.group(1)) else None


def _misattributed(
    quotation: Quotation, prepared: PreparedSources, match: _Match, speaker: str | None
) -> QuotationResult:
    passage = _passage(prepared, match)
    source = prepared.sources[match.source].source
    name = quotation.attribution.name if quotation.attribution else ""
    whose = f'{speaker} in "{source.name}"' if speaker else f'"{source.name}"'
    message = f"given to {name}, and stands only with {whose}: name that one, or quote what {name} says"
    finding = Finding("quotation_misattributed", message, quotation.start, quotation.end, Severity.BLOCK)
    status = QuotationStatus.MISATTRIBUTED
    return QuotationResult(quotation, status, passage, match.changes, None, speaker or source.name, (finding,))


def _absent(quotation: Quotation, prepared: PreparedSources, hidden: Sequence[_Match]) -> QuotationResult:
    """No source has it. What comes nearest is shown, with what a cut hides before anything else."""
    nearest = _as_nearest(quotation, prepared, hidden[0]) if hidden else _nearest(quotation, prepared)
    altered = nearest is not None and (bool(hidden) or nearest.score >= ALTERED_SCORE)
    status = QuotationStatus.ALTERED if altered else QuotationStatus.NOT_FOUND
    shown = f"; the nearest passage reads: {nearest.shown()}" if nearest else ""
    severity = Severity.BLOCK if quotation.closed else Severity.WARN
    if altered:
        cut = f', for the words cut out deny it ("{hidden[0].hidden}")' if hidden else ""
        code, message = "quotation_altered", f"no source says it in these words{cut}{shown}"
    else:
        code, message = "quotation_not_found", f"no source has these words{shown}"
    if not quotation.closed:
        code, message = "quotation_unclosed", f"the closing quotation mark is missing, and {message}"
    finding = Finding(code, message, quotation.start, quotation.end, severity)
    return QuotationResult(quotation, status, None, (), nearest, None, (finding,))


def _nearest(quotation: Quotation, prepared: PreparedSources) -> Nearest | None:
    wanted = [word.lower() for word in WORD.findall(_levelled(_ELLIPSIS.sub(" ", quotation.words)))]
    best: tuple[float, int, int, int] | None = None
    for index, source in enumerate(prepared.sources):
        for score, start, end in source.resembling(wanted):
            if score >= NEAREST_SCORE and (best is None or score > best[0]):
                best = (score, index, start, end)
    if best is None:
        return None
    score, index, start, end = best
    start, end = _fitted(prepared.sources[index], wanted, start, end)
    return _as_nearest(quotation, prepared, _Match(index, start, end, (), None), score)


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


def _as_nearest(quotation: Quotation, prepared: PreparedSources, match: _Match, score: float = 100.0) -> Nearest:
    passage = _passage(prepared, match)
    return Nearest(passage, score, difference(quotation.words, passage.text))


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
