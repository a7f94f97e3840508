"""From documents to drafted claims: each claim is one sentence of a page, word for word, with its span.

The same sentence on several pages is one claim with several spans. What the run was asked to test decides the
stance of a claim; a question's claims have none.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from affidavit.evidence.claim import Claim, Confidence, Stance
from affidavit.evidence.fold import fold
from affidavit.evidence.span import Span
from affidavit.research.doubt import doubt
from affidavit.research.gather import Gathered
from affidavit.research.meter import Meter
from affidavit.research.plan import Plan, SubQuestion
from affidavit.research.question import Question, read_question
from affidavit.research.relevance import Passage, Relevance, compared, passages, relevance, weigh
from affidavit.research.selection import ANSWER_EVIDENCE, Selection, select
from affidavit.research.similarity import Similarity
from affidavit.research.stance import stance_of
from affidavit.research.tools import Encoder
from affidavit.research.wordings import wordings

MAX_SPANS = 3
"""Spans one claim is printed with: more is decoration."""

SURE_EVIDENCE = 2.8
"""Evidence from which a sentence is printed as of high confidence. Of the sentences published for the dev questions and
the project's own, the share that holds the expected answer is 0.08 at 2.0, 0.14 at 2.2, 0.18 at 2.4, 0.20 at 2.6, 0.28
at 2.8 and 0.52 from 3.0."""


@dataclass(slots=True)
class Draft:
    """`claims` in the order they would be printed; `open` says, by sub-question, why nothing was drafted for it, and
    `doubts` why what was may not answer it."""

    claims: list[Claim] = field(default_factory=list[Claim])
    open: dict[str, str] = field(default_factory=dict[str, str])
    doubts: dict[str, str] = field(default_factory=dict[str, str])


def draft(plan: Plan, gathered: Gathered, encoder: Encoder, meter: Meter) -> Draft:
    result = Draft()
    similarity = Similarity(encoder)
    taken: set[str] = set()
    share = max(1, meter.limits.max_claims // len(plan.subquestions))
    for subquestion in plan.subquestions:
        found: list[Passage] = []
        for document in gathered.documents_for(subquestion):
            found += passages(document)
        asked = wordings(subquestion.text, gathered.documents_for(subquestion))
        question, selection = _choose(asked, found, similarity, share)
        if selection.reason is not None:
            result.open[subquestion.text] = selection.reason
        if plan.ask.claim is None and (doubted := doubt(question, selection.chosen, similarity)) is not None:
            result.doubts[subquestion.text] = doubted
        for item in selection.chosen:
            key = fold(item.passage.text).text
            if key in taken:
                continue
            taken.add(key)
            spans = _spans(key, item, found, meter)
            if spans:
                result.claims.append(_claim(plan, subquestion, item, spans))
    return result


def _choose(
    asked: Sequence[str], found: Sequence[Passage], similarity: Similarity, limit: int
) -> tuple[Question, Selection]:
    """That wording for which the evidence is strongest, with its selection; the first where none has any."""
    weights = weigh(found)
    selections: list[tuple[Question, Selection]] = []
    for text in asked:
        question = read_question(text)
        ranked = compared(question, relevance(question, found, weights), similarity)
        selections.append((question, select(question, ranked, limit)))
    return max(selections, key=lambda one: max((item.evidence for item in one[1].chosen), default=0.0))


def _spans(key: str, item: Relevance, found: Sequence[Passage], meter: Meter) -> tuple[Span, ...]:
    """The sentence's span, and those of the same sentence on other pages."""
    spans: list[Span] = []
    documents: set[str] = set()
    same = [item.passage, *(other for other in found if other.own == item.passage.own)]
    for passage in same:
        if passage.document.doc_id in documents or len(spans) == MAX_SPANS:
            continue
        if passage is not item.passage and passage.text != item.passage.text and fold(passage.text).text != key:
            continue
        if meter.take_span():
            documents.add(passage.document.doc_id)
            spans.append(Span.at(passage.document, passage.start, passage.end))
    return tuple(spans)


def _claim(plan: Plan, subquestion: SubQuestion, item: Relevance, spans: tuple[Span, ...]) -> Claim:
    stance: Stance | None = None
    if plan.ask.claim is not None and plan.ask.falsifier is not None:
        stance = stance_of(item.passage.text, plan.ask.claim, plan.ask.falsifier)
    return Claim(
        text=item.passage.text,
        spans=spans,
        subquestion=subquestion.text,
        confidence=_confidence(item),
        stance=stance,
    )


def _confidence(item: Relevance) -> Confidence:
    """How sure the choice is that the sentence bears on the question; whether it is there is never in doubt."""
    if item.evidence < ANSWER_EVIDENCE:
        return Confidence.LOW
    return Confidence.HIGH if item.evidence >= SURE_EVIDENCE else Confidence.MEDIUM
