"""The figures of a draft against what it may say: which have no source, which were rejected, which count another thing.

A figure is looked for by value, unit and scale (`gates.numbers.compare` states the rules) in the texts that license
figures, and then in the rejected facts. Only two findings block: `figure_without_source` and `rejected_figure`. That
follows which figure is where: a figure that a fact and a rejected fact both hold is the fact's, unless the sentence
says it as the rejected one does and not as the other.

A derived figure is never passed: a sum has no source, whoever did the adding. Years since a founding are the exception
that is told and not blocked, as `years_of_experience`.
"""

import re
from collections.abc import Iterator
from datetime import date
from decimal import Decimal

from affidavit.evidence.fact import Fact
from affidavit.evidence.piece import Issue
from affidavit.gates.figures import BOUNDS, check_figures
from affidavit.gates.finding import Finding, Severity
from affidavit.gates.numbers.compare import compare
from affidavit.gates.numbers.mention import Kind, Mention
from affidavit.gates.numbers.subject import same_noun
from affidavit.write.allowed import SAID, Allowed
from affidavit.write.drafted import Placed, ReadDraft
from affidavit.write.frame import Frame, frame, meet, same_things
from affidavit.write.scope import Mismatch, Scope, Scopes
from affidavit.write.tenure import EXPERIENCE, claimed_of_the_business, experience_in, reckoned, tenure
from affidavit.write.weight import Weight, size_told, structural_nouns, weight
from affidavit.write.worded_claims import worded_claims

_THERE = frozenset({None, "figure_other_subject"})
"""Findings of the gate that leave the figure with a source; what it counts is judged here."""
_NOT_OF_EXPERIENCE = "“{}” of experience is stated nowhere: that many years are said of something else."
_OF_SMALL_COUNTS = frozenset({"denied", "noun", "named", "owner"})
"""Mismatches of a small count in words: that "two" stands elsewhere too is no sign that it is from there."""
_PART_OF_THE_WHOLE = re.compile(r"[ \u00a0]+(?:of|other|more|further|new|additional|such|or)\b", re.IGNORECASE)
_NAMED = frozenset({"standard"})
"""Roles of identifiers that a business claims to have ("ISO 9001"); other names are everybody's."""


def figure_issues(read: ReadDraft, allowed: Allowed, today: date) -> Iterator[Issue]:
    """What is wrong with the figures, sizes and standards of the draft, in no order."""
    findings = {(one.start, one.end): one for one in check_figures(read.as_read, allowed.sources, as_of=today.year)}
    for placed in read.figures:
        ours = read.frame(placed)
        finding = findings.pop((placed.mention.start, placed.mention.end), None)
        refused = _refused(placed, ours, allowed, read)
        if refused is not None:
            message = f"“{placed.mention.raw}” is in a fact that was rejected: “{refused.text}” Take it out."
            yield read.issue_of(placed, "rejected_figure", message, blocks=True)
        elif finding is None or finding.code in _THERE | BOUNDS:
            if finding is not None and finding.code in BOUNDS:
                yield read.issue_of(placed, "figure_bound", finding.message)
            if _reckoned_elsewhere(read, placed, allowed, today):
                yield read.issue_of(placed, "years_of_experience", _NOT_OF_EXPERIENCE.format(placed.mention.raw))
            mismatch = _mismatch(placed, ours, allowed, read)
            if mismatch is not None:
                yield read.issue_of(placed, "subject_mismatch", mismatch.message)
        else:
            yield from _without_source(read, placed, allowed, finding, today)
    yield from worded_claims(read, allowed, findings, today)
    yield from _names(read, findings)


def _without_source(
    read: ReadDraft, placed: Placed, allowed: Allowed, finding: Finding, today: date
) -> Iterator[Issue]:
    mention = placed.mention
    years = tenure(mention, read.text[placed.first : placed.last], allowed.founded, today.year)
    if years is not None and years.follows:
        yield read.issue_of(placed, "years_of_experience", reckoned(mention, years))
        return
    weighs = weight(read.text, mention, placed.first, allowed.us)
    since = years if years is not None and years.year is not None else None
    of_the_business = since is not None and claimed_of_the_business(mention, read.text, placed.first, placed.last)
    if of_the_business or weighs is Weight.FIGURE:
        message = finding.message if since is None else reckoned(mention, since)
        yield read.issue_of(placed, "figure_without_source", message, blocks=True)
    elif weighs is Weight.COUNT and not _of_so_many(read, placed, allowed):
        if _contradicts(read, placed, allowed):
            yield read.issue_of(placed, "figure_without_source", finding.message, blocks=True)
            return
        rivalled = finding.severity is Severity.BLOCK  # the texts have another number of these
        counted = f"No source has “{mention.raw}”: see that it is counted right, or leave the number out."
        message = finding.message if rivalled else counted
        yield read.issue_of(placed, "count_without_source", message)


def _of_so_many(read: ReadDraft, placed: Placed, allowed: Allowed) -> bool:
    """Whether an ordinal is of things of which a text has as many: "our fifth office" of six."""
    mention = placed.mention
    if mention.kind is not Kind.ORDINAL or not isinstance(mention.value, Decimal):
        return False
    noun = size_told(read.text, mention.end, placed.last, one=True) or mention.subject
    return any(
        other.kind is Kind.COUNT and isinstance(other.value, Decimal) and other.value >= mention.value
        for other in (one.mention for one in allowed.sources.figures)
        if other.direct and other.unit is None and other.subject and same_noun(noun or "", other.subject)
    )


def _contradicts(read: ReadDraft, placed: Placed, allowed: Allowed) -> bool:
    """Whether a small count in words counts what a fact counts too, in another number: "nine depots" where the register
    has four. A part of the whole ("two of the depots", "two more"), people, and occasions are counted in passing."""
    mention = placed.mention
    noun = mention.subject
    if not mention.direct or noun is None or mention.unit is not None or mention.kind is not Kind.COUNT:
        return False
    if same_things(noun, "person") or noun in structural_nouns() or noun == "time":
        return False
    if mention.value == 1 or _PART_OF_THE_WHOLE.match(read.text, mention.end):
        return False
    rivals = [
        other
        for scope in allowed.scopes.scopes
        for other in scope.mentions
        if other.direct and other.unit is None and other.kind is Kind.COUNT and other.subject == noun
    ]
    if not rivals:
        return False
    beside = (one.mention for one in read.beside(placed))
    return not any(compare(one, other).relation in SAID for one in beside for other in rivals)


def _reckoned_elsewhere(read: ReadDraft, placed: Placed, allowed: Allowed, today: date) -> bool:
    """Whether years of experience are claimed in a number of years that the texts state of something else."""
    said = experience_in(read.text, placed.first, placed.last)
    if said is None or tenure(placed.mention, said, allowed.founded, today.year) is None:
        return False
    return not any(
        EXPERIENCE.search(allowed.sources.texts[one.text], *one.mention.sentence)
        for one in allowed.sources.near(placed.mention)
        if compare(placed.mention, one.mention).relation in SAID
    )


def _refused(placed: Placed, ours: Frame, allowed: Allowed, read: ReadDraft) -> Fact | None:
    """The rejected fact whose figure this is.

    Where nothing else has the figure, it is the rejected fact's if it counts the same things. Where a text has it too,
    it must be said as the rejected fact says it; where an approved fact has it, not as that one does.
    """
    weighs = weight(read.text, placed.mention, placed.first, allowed.us)
    if weighs is Weight.NONE or (weighs is Weight.COUNT and ours.noun is None):
        return None
    about = read.about(placed)
    held = allowed.held(placed.mention)
    elsewhere = bool(held) or any(True for _ in allowed.in_texts(placed.mention))
    for scope, values in allowed.refused:
        value = next((one for one in values if _same(placed.mention, one)), None)
        theirs = scope.of(value) if value is not None else None
        if value is None or theirs is None or not same_things(ours.noun, theirs.noun):
            continue
        if weighs is Weight.COUNT and theirs.noun is None:
            continue
        if elsewhere and not _as_in(ours, scope, value, theirs, about):
            continue
        if held and allowed.scopes.mismatch(ours, held, about) is None:
            continue
        return scope.fact
    return None


def _same(ours: Mention, other: Mention) -> bool:
    return compare(ours, other).relation in SAID or compare(other, ours).relation in SAID


def _as_in(ours: Frame, scope: Scope, value: Mention, theirs: Frame, about: str) -> bool:
    """Whether the figure is said in some of the rejected fact's words, and in no other sense."""
    if not meet(ours.words | ours.phrase, theirs.words | theirs.phrase | scope.told):
        return False
    return Scopes((scope,)).mismatch(ours, ((scope, value),), about) is None


def _mismatch(placed: Placed, ours: Frame, allowed: Allowed, read: ReadDraft) -> Mismatch | None:
    held = allowed.held(placed.mention)
    if not held or _as_in_text(ours, allowed):
        return None
    weighs = weight(read.text, placed.mention, placed.first, allowed.us)
    if weighs is Weight.NONE:
        return None
    found = allowed.scopes.mismatch(ours, held, read.about(placed))
    passing = weighs is Weight.COUNT and placed.mention.unit is None
    return None if passing and found is not None and found.reason not in _OF_SMALL_COUNTS else found


def _as_in_text(ours: Frame, allowed: Allowed) -> bool:
    """Whether a text that is no fact says the figure of the same things."""
    for text, found, mention in allowed.in_texts(ours.mention):
        theirs = frame(text, mention, *mention.sentence, found)
        if same_things(ours.noun, theirs.noun) and (not theirs.words or meet(ours.words, theirs.words)):
            return True
    return False


def _names(read: ReadDraft, findings: dict[tuple[int, int], Finding]) -> Iterator[Issue]:
    for placed in read.names:
        finding = findings.get((placed.mention.start, placed.mention.end))
        if finding is not None and placed.mention.role in _NAMED:
            yield read.issue_of(placed, "name_without_source", finding.message)
