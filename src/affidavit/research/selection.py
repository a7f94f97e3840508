"""Which sentences become claims, and whether there is an answer at all.

Nearby sentences are the failure to avoid: a page about the subject always holds sentences with the question's
words in them. So a question counts as answered only if one sentence, read with its title, headings and
neighbours, reaches most of what was asked, names every specific (a version, a section, a year) and shows the kind
of thing wanted. Once there is such a sentence, others that add something may stand beside it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from affidavit.research.question import Question, Wanted
from affidavit.research.relevance import Relevance

ANSWER_REACH = 0.60
COMPANION_REACH = 0.45
COMPANION_SHARE = 0.62
"""Share of the best score below which a sentence is no companion."""
SAME = 0.75
"""Jaccard overlap of terms above which two sentences say the same."""
PER_DOCUMENT = 4
"""Sentences one page may give, so that one dense source is not over-mined."""


@dataclass(frozen=True, slots=True)
class Selection:
    """The chosen sentences, best first; empty with `reason` when the pages hold no answer."""

    chosen: tuple[Relevance, ...]
    reason: str | None


def select(question: Question, ranked: Sequence[Relevance], limit: int) -> Selection:
    """At most `limit` of `ranked` (best first): first what answers by itself, then what adds to it."""
    answers = _answers(question, ranked)
    if not answers:
        return Selection((), _why_not(question, ranked))
    floor = answers[0].score * COMPANION_SHARE
    companions = [item for item in ranked if item.score >= floor and item.reach >= COMPANION_REACH]
    chosen: list[Relevance] = []
    for item in (*answers, *companions):
        if len(chosen) == limit:
            break
        if any(item is other or _same(item, other) for other in chosen):
            continue
        if sum(other.passage.document is item.passage.document for other in chosen) < PER_DOCUMENT:
            chosen.append(item)
    return Selection(tuple(chosen), None)


def _answers(question: Question, ranked: Sequence[Relevance]) -> list[Relevance]:
    """Those of `ranked` each of which alone would make the question answered.

    Where the question sets several specifics against one another ("3.15 and 3.16"), a sentence on one of them is an
    answer in part, and there must be one for each.
    """
    specifics = frozenset(term.stem for term in question.terms if term.specific)
    fit = [item for item in ranked if _fits(question, item)]
    whole = [item for item in fit if specifics <= item.named]
    if whole or not question.compares:
        return whole
    shared = specifics - question.compares
    parts = [item for item in fit if shared <= item.named and question.compares & item.named]
    return parts if question.compares <= frozenset[str]().union(*(item.named for item in parts)) else []


def _fits(question: Question, item: Relevance) -> bool:
    if item.reach < ANSWER_REACH or not item.shows_wanted:
        return False
    if question.focus and not question.focus & item.covers:
        return False
    return question.names - question.compares <= item.passage.page


def _same(a: Relevance, b: Relevance) -> bool:
    union = len(a.passage.own | b.passage.own)
    return len(a.passage.own & b.passage.own) >= SAME * union


def _why_not(question: Question, ranked: Sequence[Relevance]) -> str:
    """The nearest miss, told in words a person can act on."""
    if not ranked:
        return "no page that was read has a sentence with any word of the question"
    absent = [
        term.word for term in question.terms if term.specific and not any(term.stem in item.covers for item in ranked)
    ]
    if absent:
        return f"no sentence that was read bears on {', '.join(sorted(absent))}"
    nearest = max(ranked, key=lambda item: item.reach)
    if nearest.reach >= ANSWER_REACH and question.wanted is not Wanted.ANYTHING:
        return f"sentences on the subject were read, but none shows the {question.wanted.value} that was asked for"
    lacks = [term.word for term in question.terms if term.stem not in nearest.covers]
    return f"the nearest sentence says nothing of {', '.join(lacks)}"
