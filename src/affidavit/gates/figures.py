"""Check the figures of a claim against what its sources say.

Every quantity, year, date and range of the claim must be borne out by a figure of a source, by value, unit and scale
(`numbers.compare` states the rules). What is not is a finding, and each code says what the trouble is:

- `figure_without_source` (block): no source has the figure. For a small count in words that the sources give no other
  value of, and for an ordinal, only cap: it may be counted from what the source lists.
- `figure_other_scale`, `figure_other_unit`, `figure_other_direction` (block): the digits are there, but as millions,
  per cent, "fewer than".
- `figure_bound_added` (cap), `figure_bound_dropped` (warn): "at least" or "about" stands on one side only.
- `figure_derived` (cap): it follows from figures of a source, which the message names. It stays unsourced; with
  `allow_derived` it is a warning.
- `figure_other_subject`: the figure counts something else in the source. A warning, since the resolver can be wrong;
  block where both nouns stand beside their numbers and that very sentence gives the claim's noun another value.
- `name_without_source` (cap): a version, standard or code that no source names.

"Millions of dollars" states a size: another size of the same things is `figure_other_scale` (block), a size that no
source has and none of its figures bears out is `figure_without_source` (cap).
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from affidavit.gates.finding import Finding, Severity
from affidavit.gates.numbers.compare import ORDER, Match, Relation, compare, measure
from affidavit.gates.numbers.derived import Derivation, derive
from affidavit.gates.numbers.magnitude import Magnitude, magnitudes
from affidavit.gates.numbers.mention import Kind, Mention
from affidavit.gates.numbers.reader import mentions
from affidavit.gates.numbers.subject import same_noun, singular
from affidavit.gates.source_figures import Sourced, SourceFigures, read_sources, significant_digits

VERSION = "figures/1"

_UNNAMED = frozenset({"list_marker", "footnote", "page", "url", "idiom"})
# A small count in words may be a count of what a source lists ("two teams, the editors and the designers").
_COUNTABLE = Decimal(12)
# Code points shown of the sentence that a figure is derived from.
_SHOWN = 90
BOUNDS = frozenset({"figure_bound_added", "figure_bound_dropped", "figure_end_of_range"})
"""Findings of a figure that the source has with another bound."""
_NEXT_WORD = re.compile(r"[ \u00a0-]+([^\W\d_]+(?:['’-][^\W\d_]+)*)")
_WORD = re.compile(r"\S+")
_BOUND_WORDS = 4
"""Words before a figure among which its bound is looked for: "no fewer than"."""
_COUNTED_WORDS = 4
"""Words behind a figure among which what it counts is looked for: "5 full working days"."""


def check_figures(
    claim: str,
    texts: Sequence[str] | SourceFigures,
    *,
    locale: str | None = None,
    allow_derived: bool = False,
    as_of: int | None = None,
) -> tuple[Finding, ...]:
    """What is wrong with the figures of `claim` beside `texts`, in order; empty where every one is borne out.

    `locale` is the claim's; `as_of` the year from which a span of years is counted back. Offsets are of `claim`.
    """
    sources = texts if isinstance(texts, SourceFigures) else read_sources(texts, locale=locale)
    ours = mentions(claim, locale)
    found: list[Finding] = []
    spoken = {mention.sentence: claim[slice(*mention.sentence)] for mention in ours}
    for mention in ours:
        said = spoken[mention.sentence]
        finding = _judge(mention, ours, sources, allow_derived, as_of, said)
        if finding is not None:
            found.append(finding)
    found += [finding for one in magnitudes(claim) if (finding := _magnitude(one, sources))]
    return tuple(sorted(found, key=lambda one: one.start))


def _judge(
    mention: Mention,
    ours: Sequence[Mention],
    sources: SourceFigures,
    allow_derived: bool,
    as_of: int | None,
    said: str,
) -> Finding | None:
    if not mention.is_figure:
        return _name(mention, sources)
    millions = _in_millions(mention)
    if millions and any(compare(millions, sourced.mention).bears_out for sourced in sources.near(millions)):
        return None
    matches = [(compare(mention, sourced.mention), sourced) for sourced in sources.near(mention)]
    matches.sort(key=lambda pair: (ORDER.index(pair[0].relation), not _same_subject(mention, pair[0].source)))
    best = matches[0] if matches else None
    if best and best[0].bears_out:
        return _subject(mention, best[0], matches, sources)
    if _by_ends(mention, ours, sources) or _version_of(mention, sources):
        return None
    if best and best[0].relation in (Relation.DROPPED_BOUND, Relation.ADDED_BOUND):
        elsewhere = _subject(mention, best[0], matches, sources)
        if elsewhere and elsewhere.severity is Severity.BLOCK:
            return elsewhere
        return _bound(mention, best[0].relation, _told(mention, said), _in_words(best[1], sources))
    for text, figures in zip(sources.texts, sources.together, strict=True):
        derivation = derive(mention, figures, as_of, said)
        if derivation:
            message = _derived(mention, derivation, text)
            return _finding("figure_derived", message, mention, Severity.WARN if allow_derived else Severity.CAP)
    if best and best[0].relation is Relation.OTHER_DIRECTION:
        message = f"“{_told(mention, said)}”, but the source says “{_in_words(best[1], sources)}”."
        return _finding("figure_other_direction", message, mention)
    return _missing(mention, sources)


def _derived(mention: Mention, derivation: Derivation, text: str) -> str:
    parts = " and ".join(f"“{part.raw}”" for part in derivation.of)
    where = " ".join(text[slice(*derivation.of[0].sentence)].split())
    shown = where if len(where) <= _SHOWN else where[: _SHOWN - 1] + "…"
    return (
        f"“{mention.raw}” stands in no source; it is the {derivation.how} of {parts} (“{shown}”). State those instead."
    )


def _in_millions(mention: Mention) -> Mention | None:
    """The other reading of "8m", which is metres by itself: eight million, where the sources count so many."""
    if mention.unit != "metre" or not re.fullmatch(r"[\d.,]+m", mention.raw) or not isinstance(mention.value, Decimal):
        return None
    million = Decimal(1_000_000)
    step = mention.step * million if mention.step is not None else None
    return replace(mention, unit=None, value=mention.value * million, step=step)


def _missing(mention: Mention, sources: SourceFigures) -> Finding:
    spread = _end_of(mention, sources)
    if spread is not None:
        message = f"“{mention.raw}” is one end of the source's “{spread.raw}”: say the whole range."
        return _finding("figure_end_of_range", message, mention, Severity.CAP)
    scaled = _same_digits(mention, sources)
    if scaled and _of_the_same(mention, scaled[1].mention):
        code, theirs = scaled
        message = (
            f"No source has “{mention.raw}”; the source says “{_in_full(theirs, sources)}”. Say it as the source does."
        )
        return _finding(code, message, mention)
    rivals = _rivals(mention, sources)
    if rivals:
        near = ", ".join(dict.fromkeys(f"“{rival.raw}”" for rival in rivals[:3]))
        what = f" for “{rivals[0].subject}”" if rivals[0].subject else ""
        message = f"No source has “{mention.raw}”; what they have{what} is {near}."
        return _finding(scaled[0] if scaled else "figure_without_source", message, mention)
    message = f"No source has “{mention.raw}”. Cite one that does, or leave the figure out."
    if scaled:
        return _finding(scaled[0], message, mention)
    return _finding("figure_without_source", message, mention, _severity(mention))


def _severity(mention: Mention) -> Severity:
    """Block, but for what a writer may have counted: an ordinal, and a small count in words."""
    if mention.kind is Kind.ORDINAL:
        return Severity.CAP
    small = isinstance(mention.value, Decimal) and mention.value <= _COUNTABLE and not mention.raw[0].isdigit()
    return Severity.CAP if mention.kind is Kind.COUNT and mention.unit is None and small else Severity.BLOCK


def _same_digits(mention: Mention, sources: SourceFigures) -> tuple[str, Sourced] | None:
    """A source figure with the claim's digits in another scale or unit, one of the same things first, and the code of
    that finding."""
    if not isinstance(mention.value, Decimal):
        return None
    digits = significant_digits(mention.value)
    dimension = measure(mention).dimension
    found: list[tuple[str, Sourced]] = []
    for sourced in sources.by_digits.get(digits, ()):
        source = sourced.mention
        value = source.value
        assert isinstance(value, Decimal)
        if measure(source).dimension == dimension:
            if len(digits) < 2 and not _thousandfold(mention.value, value):
                continue
            found.append(("figure_other_scale", sourced))
        elif value == mention.value and (len(digits) > 1 or mention.unit):
            found.append(("figure_other_unit", sourced))
    return min(found, key=lambda one: not _of_the_same(mention, one[1].mention), default=None)


def _of_the_same(mention: Mention, source: Mention) -> bool:
    """Whether a source's figure of the same digits is surely of what the claim speaks of: it counts the same noun, is
    money or a share as well, or the noun that it counts is the claim's unit ("5 days", "5 working days"). Any other
    may be there by chance: "3k roofs" and "three depots"."""
    if mention.subject and source.subject:
        return same_noun(mention.subject, source.subject)
    if mention.unit and source.direct:
        return mention.unit == source.subject
    return mention.kind is source.kind and mention.kind in (Kind.CURRENCY, Kind.PERCENT)


def _in_full(sourced: Sourced, sources: SourceFigures) -> str:
    """A source's figure with its bound and what it counts, in the source's own words: "5 working days"."""
    mention, text = sourced.mention, sources.texts[sourced.text]
    if not mention.direct or mention.subject is None:
        return _in_words(sourced, sources)
    end = mention.end
    for _ in range(_COUNTED_WORDS):
        word = _NEXT_WORD.match(text, end, mention.sentence[1])
        if word is None:
            break
        end = word.end()
        if same_noun(singular(word[1].lower()), mention.subject):
            return f"{_in_words(sourced, sources)}{text[mention.end : end]}"
    return _in_words(sourced, sources)


def _version_of(mention: Mention, sources: SourceFigures) -> bool:
    """Whether a bare decimal is a version that a source names: "3.14" in a table, beside "Python 3.14.0"."""
    if mention.kind is not Kind.COUNT or mention.unit or "." not in mention.raw or not mention.raw[0].isdigit():
        return False
    return any(name == mention.raw or name.startswith(mention.raw + ".") for name in sources.versions)


def _thousandfold(one: Decimal, other: Decimal) -> bool:
    return bool(one and other) and max(abs(one / other), abs(other / one)) >= 1000


def _rivals(mention: Mention, sources: SourceFigures) -> list[Mention]:
    """Source figures of the same subject and dimension, nearest first."""
    dimension, value = measure(mention).dimension, measure(mention).value
    rivals = [one for one in sources.by_subject.get(mention.subject or "", ()) if measure(one).dimension == dimension]
    if isinstance(value, Decimal):
        rivals.sort(
            key=lambda rival: abs(other - value) if isinstance(other := measure(rival).value, Decimal) else value
        )
    return rivals


def _by_ends(mention: Mention, ours: Sequence[Mention], sources: SourceFigures) -> bool:
    """A range whose two ends stand in one sentence of a source, or an end of a source's range whose other end the
    claim's sentence has too: the same figures, joined by other words."""
    if mention.kind is Kind.RANGE and isinstance(mention.value, tuple) and isinstance(mention.value[0], Decimal):
        ends = [_end(mention, Decimal(value)) for value in mention.value]
        held = [
            {(s.text, s.mention.sentence) for s in sources.near(end) if compare(end, s.mention).bears_out}
            for end in ends
        ]
        return bool(held[0] & held[1])
    if not isinstance(mention.value, Decimal):
        return False
    for spread in sources.ranges:
        if not isinstance(spread.value, tuple) or not isinstance(spread.value[0], Decimal):
            continue
        ends = [_end(spread, Decimal(value)) for value in spread.value]
        here = [end for end in ends if compare(mention, end).bears_out]
        there = [end for end in ends if end not in here]
        if (
            here
            and there
            and any(
                other.is_figure and other.sentence == mention.sentence and compare(other, there[0]).bears_out
                for other in ours
                if other is not mention
            )
        ):
            return True
    return False


def _end_of(mention: Mention, sources: SourceFigures) -> Mention | None:
    """The range of a source that has the figure, bounds apart, for one of its ends."""
    if isinstance(mention.value, str):
        for spread in sources.ranges:
            if isinstance(spread.value, tuple) and mention.value in spread.value:
                return spread
        return None
    if not isinstance(mention.value, Decimal):
        return None
    bare = replace(mention, modifier=None)
    for spread in sources.ranges:
        if isinstance(spread.value, tuple) and isinstance(spread.value[0], Decimal):
            ends = (_end(spread, Decimal(value)) for value in spread.value)
            if any(compare(bare, end).bears_out for end in ends):
                return spread
    return None


def _end(spread: Mention, value: Decimal) -> Mention:
    """One end of a range as a figure by itself."""
    calendar_year = spread.unit == "year" and value >= 1000
    percent = spread.unit in ("percent", "percentage_point", "basis_point", "permille")
    kind = Kind.YEAR if calendar_year else Kind.PERCENT if percent else Kind.COUNT
    return replace(spread, kind=kind, value=value, unit=None if calendar_year else spread.unit, modifier=None)


def _bound(mention: Mention, relation: Relation, ours: str, theirs: str) -> Finding:
    if relation is Relation.DROPPED_BOUND:
        message = f"The source says “{theirs}”, and the bound is left out here."
        return _finding("figure_bound_dropped", message, mention, Severity.WARN)
    message = f"“{ours}” is bounded, and the source says “{theirs}”. Say it as the source does."
    return _finding("figure_bound_added", message, mention, Severity.CAP)


def _subject(
    mention: Mention,
    best: Match,
    matches: Sequence[tuple[Match, Sourced]],
    sources: SourceFigures,
) -> Finding | None:
    """A figure that is there, and counts something else."""
    counts = mention.kind in (Kind.COUNT, Kind.RANGE) and mention.unit is None
    shares = mention.kind is Kind.PERCENT and mention.direct
    if mention.subject is None or not (counts or shares):
        return None
    borne = [pair for pair in matches if pair[0].bears_out or pair[0].relation is best.relation]
    if any(_same_subject(mention, match.source) or match.source.subject is None for match, _ in borne):
        return None
    unscoped = [(match, s) for match, s in borne if s.text not in sources.scoped]
    if any(_names(mention.subject, sources.texts[s.text], match.source.sentence) for match, s in unscoped):
        for match, sourced in unscoped:
            if (
                mention.direct
                and match.source.direct
                and _otherwise(mention, match.source, sources.by_text[sourced.text])
            ):
                message = f"“{mention.raw}” counts {match.source.subject} in the source, and not {mention.subject}."
                return _finding("figure_other_subject", message, mention)
        return None
    message = (
        f"“{mention.raw}” counts {mention.subject} here and {best.source.subject} in the source: see that it fits."
    )
    return _finding("figure_other_subject", message, mention, Severity.WARN)


def _otherwise(mention: Mention, source: Mention, figures: Sequence[Mention]) -> bool:
    """Whether the sentence that holds `source` gives the claim's subject another value."""
    return any(
        other.sentence == source.sentence
        and other.direct
        and other.subject == mention.subject
        and not compare(mention, other).bears_out
        for other in figures
        if other.is_figure
    )


def _names(noun: str, text: str, sentence: tuple[int, int]) -> bool:
    stem = re.escape(noun[: max(4, len(noun) - 2)])
    return re.search(rf"\b{stem}", text[sentence[0] : sentence[1]], re.IGNORECASE) is not None


def _same_subject(one: Mention, other: Mention) -> bool:
    if one.subject is None or other.subject is None:
        return False
    return same_noun(one.subject, other.subject)


def _magnitude(ours: Magnitude, sources: SourceFigures) -> Finding | None:
    alike = [one for one in sources.magnitudes if one.things & ours.things or one.things == ours.things]
    if any(one.least == ours.least for one in alike or sources.magnitudes):
        return None
    if alike:
        message = f"The claim says “{ours.raw}”, the source “{alike[0].raw}”."
        return Finding("figure_other_scale", message, ours.start, ours.end, Severity.BLOCK)
    values = (one.mention.value for one in sources.figures)
    if any(isinstance(value, Decimal) and ours.holds(value) for value in values):
        return None
    message = f"No source has “{ours.raw}”. Cite one that does, or leave the size out."
    return Finding("figure_without_source", message, ours.start, ours.end, Severity.CAP)


def _name(mention: Mention, sources: SourceFigures) -> Finding | None:
    if mention.role in _UNNAMED:
        return None
    value = str(mention.value)
    if value in sources.names:
        return None
    if len(value) > 2:
        pattern = re.compile(rf"(?<![\w.]){re.escape(value.lower())}(?!\w|\.\d)")
        if any(value.lower() in text and pattern.search(text) for text in sources.lowered):
            return None
    message = f"No source names “{mention.raw}”. Cite one that does."
    return _finding("name_without_source", message, mention, Severity.CAP)


def _in_words(sourced: Sourced, sources: SourceFigures) -> str:
    """A source's figure with the words that bound it: "more than 2,400"."""
    mention = sourced.mention
    return _told(mention, sources.texts[sourced.text][slice(*mention.sentence)])


def _told(mention: Mention, sentence: str) -> str:
    """A figure with the words of its sentence that bound it."""
    if mention.modifier is None:
        return mention.raw
    before = sentence[: mention.start - mention.sentence[0]]
    for word in list(_WORD.finditer(before))[: -_BOUND_WORDS - 1 : -1]:
        told = before[word.start() :] + mention.raw
        if any(one.modifier is mention.modifier for one in mentions(told)):
            return told
    return f"{mention.modifier.value.replace('_', ' ')} {mention.raw}"


def _finding(code: str, message: str, mention: Mention, severity: Severity = Severity.BLOCK) -> Finding:
    return Finding(code, message, mention.start, mention.end, severity)
