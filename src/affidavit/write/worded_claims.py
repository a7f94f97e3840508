"""Claims of number without a figure: sizes ("hundreds of clients"), ranks ("voted number one"), long times ("over a
decade of experience", "for generations").

They have no value to compare, but that a business is "the second-largest in the county" must come from somewhere. Two
block: a size that the texts give in another scale, and a decade or century of experience that neither a text nor a
founding year bears out, which is a number of years in all but its spelling.
"""

import re
from collections.abc import Iterator
from datetime import date
from decimal import Decimal

from affidavit.evidence.piece import Issue
from affidavit.gates.finding import Finding
from affidavit.gates.numbers.mention import Kind, Mention
from affidavit.write.allowed import Allowed
from affidavit.write.drafted import Placed, ReadDraft
from affidavit.write.frame import Figures, Frame, frame, meet, same_things, sized
from affidavit.write.tenure import EXPERIENCE, claimed_of_the_business, long_times, reckoned, spans, tenure
from affidavit.write.weight import structural_nouns

_SAME_MATTER = 2
"""Words that two sizes of one noun must share, for one to be the other wrongly told."""
_REACH = 1000
"""A writer says "hundreds" up to a few thousand, and "millions" up to a billion."""
_EVERYDAY = frozenset({Decimal(12), Decimal(20)})
"""Sizes that are said of anything: dozens of one thing in a fact and of another here are no figure of the fact's."""
_ORDINAL = r"(?:second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|\d{1,3}(?:st|nd|rd|th))"
_RANK = re.compile(
    rf"(?P<rank>\b{_ORDINAL}[- ](?:largest|biggest|best|oldest|fastest|busiest|leading|highest|most\b)"
    r"|\branks?(?:ed|ing)?[ \u00a0](?:second|third|fourth|fifth)\b"
    r"|(?:#[ ]?|\bno\.?[ ]?|\bnumber[- ])(?:\d{1,2}|one|two|three)\b(?![\d.]))"
    r"(?:[ \u00a0](?P<noun>[a-z]+))?",
    re.IGNORECASE,
)


def worded_claims(
    read: ReadDraft, allowed: Allowed, findings: dict[tuple[int, int], Finding], today: date
) -> Iterator[Issue]:
    """What is wrong with them, in no order; `findings` are the gate's, by place."""
    yield from _sizes(read, allowed, findings)
    yield from _times(read, allowed, today)
    yield from _ranks(read, allowed)


def _sizes(read: ReadDraft, allowed: Allowed, findings: dict[tuple[int, int], Finding]) -> Iterator[Issue]:
    refused = [(one, scope.fact) for scope, _ in allowed.refused for one in scope.mentions if one.unit == "size"]
    for size in sized(read.text):
        index = read.block_at(size.start)
        if index is None or not read.told_at(size.start):
            continue
        placed = Placed(size, *read.sentence_at(size.start), index)
        finding = findings.get((size.start, size.end))
        ours = read.frame(placed)
        fact = next((fact for one, fact in refused if one.value == size.value and _counts(ours, one)), None)
        if finding is None:
            yield from _unfit(read, placed, ours, allowed)
        elif fact is not None:
            message = f"“{size.raw}” is in a fact that was rejected: “{fact.text}” Take it out."
            yield read.issue_of(placed, "rejected_figure", message, blocks=True)
        elif finding.code == "figure_other_scale" and _scaled(ours, allowed):
            yield read.issue_of(placed, "figure_without_source", finding.message, blocks=True)
        else:
            yield read.issue_of(placed, "count_without_source", finding.message)


def _unfit(read: ReadDraft, placed: Placed, ours: Frame, allowed: Allowed) -> Iterator[Issue]:
    """What is wrong with a size that the texts have, of whatever they say it."""
    size = placed.mention
    mismatch = allowed.scopes.mismatch(ours, allowed.held(size), read.about(placed))
    if mismatch is not None and size.value not in _EVERYDAY:
        yield read.issue_of(placed, "subject_mismatch", mismatch.message)
    elif mismatch is not None or not _borne(ours, allowed):
        message = f"No source has “{size.raw}” of these. Cite one that does, or leave the size out."
        yield read.issue_of(placed, "count_without_source", message)


def _counts(ours: Frame, other: Mention) -> bool:
    return same_things(ours.noun, other.subject)


def _scaled(ours: Frame, allowed: Allowed) -> bool:
    """Whether a text says another size of the same things, in some of the same words: millions of dollars are spent on
    much else."""
    for text in (*(fact.text for fact in allowed.facts), *allowed.texts):
        for size in sized(text):
            theirs = frame(text, size, *size.sentence, Figures())
            if same_things(ours.noun, theirs.noun) and len(meet(ours.words, theirs.words)) >= _SAME_MATTER:
                return True
    return False


def _borne(ours: Frame, allowed: Allowed) -> bool:
    """Whether a size or a figure of the texts counts the same things in such numbers. A year counts none."""
    least = ours.mention.value
    assert isinstance(least, Decimal)
    if any(one.least == least for one in allowed.sources.magnitudes):
        return True
    for sourced in allowed.sources.figures:
        other = sourced.mention
        if other.kind in (Kind.YEAR, Kind.DATE) or not isinstance(other.value, Decimal):
            continue
        if least <= other.value < least * _REACH and same_things(ours.noun, other.subject or other.unit):
            return True
    return False


def _times(read: ReadDraft, allowed: Allowed, today: date) -> Iterator[Issue]:
    for mention in spans(read.text, read.sentences):
        first, last = mention.sentence
        if not read.told_at(mention.start) or allowed.says(mention.raw):
            continue
        years = tenure(mention, read.text[first:last], allowed.founded, today.year)
        ours = allowed.us.speaks(read.text[first : mention.start]) or EXPERIENCE.search(read.text, first, last)
        if years is None or not ours or not claimed_of_the_business(mention, read.text, first, last):
            continue
        placed = Placed(mention, first, last, read.block_at(first) or 0)
        code = "years_of_experience" if years.follows else "figure_without_source"
        yield read.issue_of(placed, code, reckoned(mention, years), blocks=not years.follows)
    for first, last in read.sentences:
        for at in long_times(read.text, first, last):
            raw = read.text[slice(*at)]
            if read.told_at(at[0]) and not allowed.says(raw):
                message = f"No source has “{raw}”: say since when, if a fact has it."
                yield read.issue("years_of_experience", message, at, (first, last))


def _ranks(read: ReadDraft, allowed: Allowed) -> Iterator[Issue]:
    """Ranks that the business is given, and that no text gives."""
    for first, last in read.sentences:
        for match in _RANK.finditer(read.text, first, last):
            at = match.span("rank")
            of_the_text = match["noun"] is not None and match["noun"].lower() in structural_nouns()
            if of_the_text or not allowed.us.speaks(read.text[first : at[0]]):
                continue
            if read.told_at(at[0]) and not allowed.says(match["rank"]):
                message = f"No source gives the rank “{match['rank']}”: leave it out, or have a fact for it."
                yield read.issue("count_without_source", message, at, (first, last))
