"""The checks of a draft that need no model (contract W8): they cost nothing and cannot be talked out of a finding.

Two codes block: `figure_without_source`, a figure that neither an approved fact nor the assignment states, and
`rejected_figure`, one that the customer rejected. A draft with either is not handed out. Everything else is evidence
for whoever reviews:

- `subject_mismatch`: the figure is there and counts something else (`scope` says how that is told).
- `figure_bound`: the figure is there, and "over", "up to" or the other end of its range was added or left out.
- `years_of_experience`: years reckoned from a founding year, and rightly.
- `count_without_source`: a small count in words, an ordinal, or "thousands of", that no text states.
- `repeated_figure`, `reused_statistic`, `reused_sentence`: said before, here or in an earlier piece.
- `contact_without_source`: an e-mail or web address or a telephone number that no text has (`contacts`).
- `name_without_source`: a standard ("ISO 9001") that no text names.
- `quotation_not_found`, `quotation_altered`, `quotation_misattributed`: words in quotation marks that no text has so.
- `over_length`: more words than were asked for.

Offsets are of the draft as given.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import date

from affidavit.evidence.document import BlockKind
from affidavit.evidence.fact import Fact
from affidavit.evidence.piece import Issue
from affidavit.gates.quotation_check import check_quotations
from affidavit.gates.source_texts import PreparedSources, SourceText
from affidavit.write import contacts
from affidavit.write.allowed import Allowed
from affidavit.write.drafted import ReadDraft, read_draft
from affidavit.write.figure_checks import figure_issues
from affidavit.write.guises import with_guises
from affidavit.write.memory import Memory
from affidavit.write.reuse import repeated_figures, reused_sentences, reused_statistics
from affidavit.write.single_terms import single_terms
from affidavit.write.unseen import unseen_issues

VERSION = "writing-checks/2"

BLOCKING = frozenset({"figure_without_source", "rejected_figure"})
ADVISORY = frozenset(
    {
        "subject_mismatch",
        "figure_bound",
        "years_of_experience",
        "count_without_source",
        "repeated_figure",
        "reused_statistic",
        "reused_sentence",
        "name_without_source",
        contacts.CODE,
        "quotation_not_found",
        "quotation_altered",
        "quotation_misattributed",
        "over_length",
    }
)
_QUOTED_WORDS = 4
"""Fewer words in quotation marks are a term or a manner of speaking, and nobody's statement."""
_WORD = re.compile(r"\S*\w\S*")


def check_draft(
    draft: str,
    *,
    facts: Sequence[Fact],
    rejected: Sequence[Fact],
    allowed: Sequence[str],
    memory: Memory,
    max_words: int | None,
    today: date,
    name: str | None = None,
) -> tuple[Issue, ...]:
    """What the Markdown `draft` says that it may not, in the order of the draft.

    `facts` are those that may be used on `today`; `rejected` those that a person rejected; `allowed` every text whose
    figures may be used (`pack.allowed_texts`); `memory` the customer's earlier pieces; `name`
    what the business is called that the draft is written for.
    """
    read = read_draft(draft)
    bounds = Allowed.of(facts, rejected, allowed, name)
    issues = [
        *with_guises(list(figure_issues(read, bounds, today)), read, bounds, today),
        *unseen_issues(draft, read, bounds, today),
        *single_terms(read, bounds),
        *repeated_figures(read, read.figures, bounds),
        *reused_statistics(read, read.figures, memory),
        *reused_sentences(read, memory),
        *contacts.contact_issues(draft, bounds),
        *_quotations(read, bounds),
        *_length(read, max_words),
    ]
    return tuple(sorted(issues, key=lambda one: (one.start or 0, not one.blocks, one.code)))


def _quotations(read: ReadDraft, bounds: Allowed) -> Iterator[Issue]:
    sources = [
        *(SourceText(fact.subject, source.quote, url=source.url) for fact in bounds.facts for source in fact.sources),
        *(SourceText(fact.subject, fact.text) for fact in bounds.facts),
        *(SourceText(text[:80], text) for text in bounds.texts),
    ]
    blocks = [(one.start, one.end) for one in read.draft.blocks if one.kind is BlockKind.QUOTATION]
    for result in check_quotations(read.text, PreparedSources.of(sources), blocks, read.draft.code):
        quoted = result.quotation
        if len(quoted.words.split()) < _QUOTED_WORDS or not read.told_at(quoted.start):
            continue
        if quoted.kind == "block" and quoted.attribution is None:
            continue  # a sentence of the writer's own, set apart
        for finding in result.findings:
            if finding.code in ADVISORY:
                at = (finding.start, finding.end)
                yield read.issue(finding.code, finding.message, at, at)


def _length(read: ReadDraft, max_words: int | None) -> Iterator[Issue]:
    if max_words is None:
        return
    told = [match for match in _WORD.finditer(read.text) if read.told_at(match.start())]
    if len(told) <= max_words:
        return
    at = (told[max_words].start(), told[-1].end())
    over = len(told) - max_words
    message = f"{len(told)} words, {over} more than the {max_words} that were asked for: cut from the weakest part."
    yield read.issue("over_length", message, at, read.sentence_at(at[0]))
