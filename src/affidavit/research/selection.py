"""Which sentences become claims, and whether there is an answer at all.

Nearby sentences are the failure to avoid: a page about the subject always holds sentences with the question's
words in them. So a question counts as answered only if one sentence, read with its title, headings and
neighbours, is evidence enough (its words and its meaning together), names every specific (a version, a section, a
year), shows the kind of thing wanted and adds something to what was asked. Once there is such a sentence, others
nearly as good may stand beside it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from affidavit.ranking.terms import STOP_WORDS, stem
from affidavit.research.question import Question, Wanted
from affidavit.research.relevance import Relevance

ANSWER_EVIDENCE = 2.26
ANSWER_REACH = 0.4
"""What an answer needs, at least. Words and meaning make up for each other in `evidence`, but without any reach the
meaning alone lets in whatever is on the subject.
Swept on the dev questions (35 answerable: gold pages, gold sentences) and the project's own (61 answerable, 73 not:
answered rightly, refused rightly), a stand-in for the search before them:
evidence 2.1: 31, 26; 48, 67 | 2.15, 2.2, 2.25: 30, 25; 48, 70 | 2.26: 30, 25; 47, 70 | 2.28: 30, 25; 46, 70 | 2.3: 30,
25; 43, 71. With the product's own search, 2.15 answers one dev question that has no answer, with evidence 2.255.
Before there were vectors: 29, 21; 47, 59. Of 20 unanswerable questions written afterwards, 18 are refused.
reach (before the wordings): 0, 0.35, 0.4, 0.45: 23, 24, 24, 24 gold sentences and nothing else changes; 0.5: 47
answered; 0.6: 27 gold pages.
The dev questions that cannot be answered (5) and the dev questions put to other sites (34) are refused throughout."""
COMPANION_EVIDENCE = 1.8
"""Swept {1.5, 1.8, 2.0, 2.15}: gold pages 29, 29, 29, 28, own questions answered 48, 48, 47, 47, claims 5.1, 5.1, 4.9,
4.6 a question."""
COMPANION_BEHIND = 0.25
"""How far a sentence may score behind the best answer and still stand beside it.
Swept {0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5}: gold pages 27, 27, 29, 29, 29, 29, 30, gold sentences 19, 22, 24, 24, 24,
24, 24, claims 3.5, 4.4, 5.1, 6.0, 6.8, 7.3, 8.1 a question. What 0.3 adds to 0.25 was read: 2 of 15 sentences bear on
their question."""
MIN_SIMILARITY = 0.3
"""A cosine below which a sentence is about something else, whatever words it shares. Swept {0, 0.3, 0.35, 0.4, 0.45,
0.5}: gold pages 29, 29, 29, 28, 27, 25."""
SAME = 0.75
"""Jaccard overlap of terms above which two sentences say the same. Vectors in its place lose what they should tell
apart, sentences of one section that differ in a figure: leaving out cosines above 0.8, 0.85, 0.9, 0.95 gives 19, 21,
21, 23 gold sentences where this gives 24, and marginal relevance (0.1 to 0.5 of the cosine taken off) changes none."""
PER_DOCUMENT = 4
"""Sentences one page may give, so that one dense source is not over-mined. Swept {2, 3, 4, 6}: gold sentences 19, 22,
24, 24 of 35, claims 4.2, 4.7, 5.1, 5.4 a question."""

_SAYS_NOTHING = frozenset(stem(word) for word in STOP_WORDS)


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
    floor = max(item.score for item in answers) - COMPANION_BEHIND
    companions = [
        item
        for item in ranked
        if item.evidence >= COMPANION_EVIDENCE and _bears_on(question, item) and _is_of_it(question, item)
    ]
    chosen: list[Relevance] = []
    for item in (*answers, *companions):
        if len(chosen) == limit:
            break
        if item.score < floor or any(item is other or _same(item, other) for other in chosen):
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
    if item.evidence < ANSWER_EVIDENCE or item.reach < ANSWER_REACH:
        return False
    if question.focus and not question.focus & item.named:
        return False  # a neighbour that says what is counted has the count itself
    if question.sought and not question.sought & item.covers:
        return False
    return _bears_on(question, item)


def _is_of_it(question: Question, item: Relevance) -> bool:
    """Whether the sentence or its place names at least half of the numbers that tell the subject from its like:
    beside the status of PEP 2026, that of PEP 602 is another answer to another question."""
    numbered = [term.stem for term in question.terms if term.specific and any(c.isdigit() for c in term.word)]
    return 2 * sum(stem in item.covers for stem in numbered) >= len(numbered)


def _bears_on(question: Question, item: Relevance) -> bool:
    """What every published sentence needs: to be on the subject, on a page with every name in the question, to show
    the wanted kind of thing, and to say more than the question does."""
    if item.similarity < MIN_SIMILARITY or not item.shows_wanted:
        return False
    if not question.names - question.compares <= item.passage.page:
        return False
    return not item.passage.own - _SAYS_NOTHING <= {term.stem for term in question.terms}


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
    nearest = max(ranked, key=lambda item: (item.evidence, item.reach))
    lacks = [term.word for term in question.terms if term.stem not in nearest.covers]
    if nearest.evidence >= ANSWER_EVIDENCE and question.wanted is not Wanted.ANYTHING:
        return f"sentences on the subject were read, but none shows the {question.wanted.value} that was asked for"
    if lacks:
        return f"the nearest sentence says nothing of {', '.join(lacks)}"
    return "sentences with the words of the question were read, but none says enough to be an answer"
