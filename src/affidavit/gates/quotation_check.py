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
from enum import StrEnum
from itertools import pairwise

from affidavit.gates.attribution import Attribution, attribution_of
from affidavit.gates.finding import Finding, Severity
from affidavit.gates.nearest_passage import Nearest, Passage, as_nearest, nearest_to, passage_of
from affidavit.gates.quotation_readings import DENIAL, SENTENCE_END, Change, Match, readings_of
from affidavit.gates.quotations import Quotation, quotations
from affidavit.gates.source_texts import PreparedSource, PreparedSources, SourceText, cores, name_words

__all__ = [
    "VERSION",
    "Change",
    "Nearest",
    "Passage",
    "QuotationResult",
    "QuotationStatus",
    "check_quotation",
    "check_quotations",
]

VERSION = "quotations/1"

# From here on the quotation is called altered rather than not found; both block. One edit leaves 86 to 99 (see
# `nearest_passage`).
ALTERED_SCORE = 75.0
# How far before a passage the label of its speaker may stand, in characters.
_SPEAKER_REACH = 4000


class QuotationStatus(StrEnum):
    """FOUND is the only pass. ALTERED and NOT_FOUND differ in whether something near enough is there to show."""

    FOUND = "found"
    ALTERED = "altered"
    NOT_FOUND = "not_found"
    MISATTRIBUTED = "misattributed"
    TOO_SHORT = "too_short"


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
    matches = list(_matches(quotation, prepared))
    whole = [match for match in matches if match.hidden is None]
    if not whole:
        return _absent(quotation, prepared, matches)
    claimed, other = _attributed(quotation.attribution, whole, prepared)
    if claimed is None:
        return _misattributed(quotation, prepared, whole[0], other)
    findings = tuple(_cautions(quotation, prepared, claimed, whole, text))
    passage = passage_of(prepared, claimed)
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


def _matches(quotation: Quotation, prepared: PreparedSources) -> Iterator[Match]:
    """Where it stands, the plainest reading first. Who is named may be found only by a less plain one, so with an
    attribution every reading is tried."""
    for reading in readings_of(quotation.words):
        found = False
        for index, source in enumerate(prepared.sources):
            for match in reading.places(index, source):
                found = True
                yield match
        if found and quotation.attribution is None:
            return


def _attributed(
    attribution: Attribution | None, matches: Sequence[Match], prepared: PreparedSources
) -> tuple[Match | None, str | None]:
    """The match that fits who is named, or None and who the source names instead."""
    if attribution is None or not (attribution.named or _is_name(attribution.name, prepared)):
        return matches[0], None
    wanted = [frozenset(name_words(core)) for core in cores(attribution.name)]
    bound = prepared.named(attribution.name)
    here = [match for match in matches if match.source in bound]
    if here:
        return here[0], None
    undecided: list[Match] = []
    other: str | None = None
    for match in matches:
        source = prepared.sources[match.source]
        speaker = _speaker(source, match)
        said_so = speaker is not None and bool(frozenset.union(*wanted) & frozenset(name_words(speaker)))
        around = _sentence_words(source, match)
        if said_so or any(words <= around for words in wanted):
            return match, None
        if speaker is None and not bound and not _other_of_series(attribution.name, source):
            undecided.append(match)
        other = other or speaker
    if undecided:
        return undecided[0], None
    return None, other


def _is_name(word: str, prepared: PreparedSources) -> bool:
    """Whether a word that only begins its sentence is a name: a source writes it with a capital inside a sentence."""
    if not word[:1].isupper() or " " in word:
        return False
    inside = re.compile(rf"[a-z,;] {re.escape(word)}\b")
    return any(inside.search(source.text) for source in prepared.sources)


def _speaker(source: PreparedSource, match: Match) -> str | None:
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


def _sentence_words(source: PreparedSource, match: Match) -> frozenset[str]:
    """The words around the place, to the ends of its sentence, at most 300 characters each way; not its own."""
    text = source.text
    before = text[max(0, match.start - 300) : match.start]
    after = text[match.end : match.end + 300]
    ends = list(SENTENCE_END.finditer(before))
    stop = SENTENCE_END.search(after)
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


def _cautions(
    quotation: Quotation, prepared: PreparedSources, match: Match, matches: Sequence[Match], text: str
) -> Iterator[Finding]:
    """What a reader should see about a quotation that stands in its source."""
    place = (quotation.start, quotation.end)
    if not quotation.closed:
        yield Finding("quotation_unclosed", "the closing quotation mark is missing", *place, Severity.WARN)
    for change in match.changes:
        if change.kind in ("ellipsis", "bracket") and DENIAL.search(change.original):
            message = f'"{change.quoted}" stands for words that deny something: "{change.original[:160]}"'
            yield Finding("quotation_cut_denies", message, *place, Severity.WARN)
    clipped = [_denied_before(prepared.sources[one.source], one) for one in matches]
    if text and all(clipped) and DENIAL.search(text[max(0, quotation.start - 60) : quotation.start]) is None:
        message = f'the source has "{clipped[0]}" right before the quoted words'
        yield Finding("quotation_clipped", message, *place, Severity.WARN)


def _denied_before(source: PreparedSource, match: Match) -> str | None:
    before = source.text[max(0, match.start - 24) : match.start]
    found = re.search(r"\b(\w+(?:'\w+)?)\s+(?:be |been |a |an |the |to )?$", before)
    return found.group(1) if found and DENIAL.fullmatch(found.group(1)) else None


def _misattributed(
    quotation: Quotation, prepared: PreparedSources, match: Match, speaker: str | None
) -> QuotationResult:
    passage = passage_of(prepared, match)
    source = prepared.sources[match.source].source
    name = quotation.attribution.name if quotation.attribution else ""
    whose = f'{speaker} in "{source.name}"' if speaker else f'"{source.name}"'
    message = f"given to {name}, and stands only with {whose}: name that one, or quote what {name} says"
    finding = Finding("quotation_misattributed", message, quotation.start, quotation.end, Severity.BLOCK)
    status = QuotationStatus.MISATTRIBUTED
    return QuotationResult(quotation, status, passage, match.changes, None, speaker or source.name, (finding,))


def _absent(quotation: Quotation, prepared: PreparedSources, hidden: Sequence[Match]) -> QuotationResult:
    """No source has it. What comes nearest is shown, with what a cut hides before anything else."""
    nearest = as_nearest(quotation.words, prepared, hidden[0]) if hidden else nearest_to(quotation.words, prepared)
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
