"""How much of a question one sentence of one page answers: by its words, and by how near its meaning is.

A sentence rarely repeats its subject: the page's title, the headings above it and its neighbours carry the rest.
So a question's term counts in full where the sentence has it, less where only its surroundings have it. Weights of
terms come from the very pages that were read (a term in every sentence says little), so nothing about any corpus
has to be known beforehand. The best by words are then compared with the question as vectors, which know that a
passphrase is a password and do not know 3.16 from 3.17. Neither replaces the other.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from threading import Lock

from affidavit.evidence.document import Block, BlockKind, Document
from affidavit.evidence.quote import SPAN_CHARS
from affidavit.evidence.sentences import document_sentences
from affidavit.gates.assertion import assess
from affidavit.ranking.terms import terms
from affidavit.research.question import Question, Term
from affidavit.research.similarity import Similarity

ABOVE = 0.6
"""Worth of a term that only the headings, title or address have. Swept {0.4, 0.5, 0.6, 0.8} with NEAR on the dev
questions: 0.5 and 0.6 level, 0.8 lets whole pages through for their title."""
NEAR = 0.3
"""Worth of a term that only a neighbouring sentence of the same block has. Swept {0, 0.15, 0.3, 0.5}: 0.3."""
WANTED_BONUS = 0.12
"""Added where the sentence shows the wanted kind (a date, a figure, a name). Swept {0, 0.06, 0.12, 0.2}: 0.12."""
DAMPING = 0.6
SHORT_PENALTY = 0.05
SHORT = 6
"""Fewer distinct terms than this is a label more often than a statement."""

COMPARED = 120
"""Sentences, best by words, that are compared as vectors, 2 to 4 ms each. Swept {40, 80, 120, 160, 200}: no measure
changes, only the claims a question has (0.2 fewer with 40)."""
NEARNESS = 1.0
"""Worth of a cosine of 1 in `score`. Swept {0.5, 0.75, 1, 1.25, 1.5, 2} on the dev questions: gold sentences 23, 23,
24, 24, 24, 21 of 35, gold pages 29, 29, 29, 28, 28, 26, claims 5.9, 5.4, 5.1, 4.9, 4.6, 4.3 a question."""
SIMILARITY = 1.5
LENGTH = 0.55
"""Weights in `evidence` of the cosine and of the logarithm of the number of terms; that of `reach` is 1. They are those
of a logistic regression, rounded, that tells 85 answerable questions' right sentences from the best sentences of 113
questions that the pages do not answer (dev, own, and dev questions put to other sites). Ten-fold: area under the curve
0.945 by reach alone, 0.977 by the cosine alone, 0.977 by both, 0.983 with the length; it weighs the terms of the
sentence, of its headings and of its neighbours alike (1, 0.98, 0.91). A cosine of the sentence without its title and
heading adds nothing (weight 0.04 against 1.31), nor do all headings, the sentence before, the terms' own synonyms by
vector, or the rarest missing term (0.983, 0.981, 0.976, 0.977). (1.2, 0.5), (2, 0.6), (1.5, 0.3) and (1.5, 0.8) are
within one question of (1.5, 0.55)."""
LONGEST = SPAN_CHARS[1]
"""A sentence of more characters is none that a person wrote, and no span may be longer: without this a page without a
full stop would be printed whole."""
KEPT = 12_000
"""Passages kept from run to run, some 40 MB of them: those of a hundred long pages."""
LEAST_TERMS = 2
"""A question of fewer terms counts as one of so many: with one term hardly a sentence could be evidence enough. Swept
{1, 1.5, 2, 2.5, 3, 4}: own questions refused rightly 70, 70, 70, 69, 69, 68 of 73, gold the same."""


@dataclass(frozen=True, slots=True)
class Passage:
    """One sentence that could be evidence, with the terms of its surroundings: of the title and headings above it,
    of its neighbours, and of its whole page. `place` is its title and nearest heading, for a reader."""

    document: Document
    start: int
    end: int
    block: Block
    own: frozenset[str]
    above: frozenset[str]
    near: frozenset[str]
    page: frozenset[str]
    place: str = ""

    @property
    def text(self) -> str:
        return self.document.text[self.start : self.end]

    @property
    def in_place(self) -> str:
        """The sentence as it is compared: alone it often does not say what it is about."""
        text = " ".join(self.text.split())
        return f"{self.place}: {text}" if self.place else text


@dataclass(frozen=True, slots=True)
class Relevance:
    """`score` orders passages. `reach` is the weighted share (0 to 1) of the question's terms that the sentence has
    together with its surroundings; `named` are the terms of the sentence, its title and headings, `covers` those and
    its neighbours'. `similarity` is the cosine of the sentence in its place to the question, `evidence` what reach,
    similarity and the question's length together say for its being an answer; both are 0 until compared."""

    passage: Passage
    score: float
    reach: float
    named: frozenset[str]
    covers: frozenset[str]
    shows_wanted: bool
    similarity: float = 0.0
    evidence: float = 0.0


class ReadPages:
    """The passages of the pages that were read last, at most so many passages. Safe from several threads."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: dict[Document, tuple[Passage, ...]] = {}
        self._lock = Lock()

    def passages(self, document: Document) -> tuple[Passage, ...]:
        """Those of `document`, in page order, read where they are not kept."""
        with self._lock:
            found = self._kept.pop(document, None)
        if found is None:
            found = tuple(_passages(document))
        with self._lock:
            self._kept[document] = found  # what was asked for last goes last
            total = sum(map(len, self._kept.values()))
            while total > self._most:
                total -= len(self._kept.pop(next(iter(self._kept))))
        return found


_READ = ReadPages(KEPT)


def passages(document: Document) -> tuple[Passage, ...]:
    """Every sentence of `document` that may be evidence, in page order. They are kept for the next question: to find
    them is the dearest step of one over pages that others were asked of."""
    return _READ.passages(document)


def _passages(document: Document) -> list[Passage]:
    title = terms(document.title or "") | _address_terms(document.final_url)
    page = title | terms(document.text)
    found: list[Passage] = []
    headings: list[tuple[int, Block]] = []
    run: list[tuple[int, int, Block]] = []

    def close() -> None:
        own = [terms(document.text[start:end]) for start, end, _ in run]
        above = title.union(*(terms(_text(document, block)) for _, block in headings))
        place = _place(document, headings)
        for index, (start, end, block) in enumerate(run):
            if end - start > LONGEST or not assess(document.text[start:end], block.kind).is_evidence:
                continue
            beside = own[max(0, index - 1) : index] + own[index + 1 : index + 2]
            heads = frozenset[str]().union(*(terms(head) for head in block.heads))
            found.append(
                Passage(
                    document,
                    start,
                    end,
                    block,
                    own[index],
                    above | heads if heads else above,
                    frozenset[str]().union(*beside),
                    page,
                    place,
                )
            )
        run.clear()

    for sentence in document_sentences(document):
        block = sentence.block
        if block is None:
            continue
        if block.kind is BlockKind.HEADING:
            close()
            level = block.level or 6
            while headings and headings[-1][0] >= level:
                headings.pop()
            headings.append((level, block))
        elif block.kind is not BlockKind.NAVIGATION and block.main:
            if run and run[-1][2] is not block and not _same_run(run[-1][2], block):
                close()
            run.append((sentence.start, sentence.end, block))
    close()
    return found


def _text(document: Document, block: Block) -> str:
    return " ".join(document.text[block.start : block.end].split())


def _place(document: Document, headings: Sequence[tuple[int, Block]]) -> str:
    """The page's title and the heading right above, where it is another: ``Harbours › Opening hours``."""
    nearest = [_text(document, block) for _, block in headings[-1:]]
    title = " ".join((document.title or "").split())
    return " › ".join(part for part in dict.fromkeys([title, *nearest]) if part)


def _same_run(before: Block, after: Block) -> bool:
    """Whether neighbours reach over from one block to the next: a list leans on the line above it."""
    listed = {BlockKind.LIST_ITEM, BlockKind.TABLE_ROW}
    return after.kind in listed and before.kind in (*listed, BlockKind.PARAGRAPH)


def _address_terms(url: str) -> frozenset[str]:
    """The words of a URL's host and path; zero-padded numbers also without their zeros (``pep-0563`` is PEP 563)."""
    pieces = re.split(r"[/_\-.?=&%+]+", url.partition("://")[2])
    numbers = {str(int(piece)) for piece in pieces if piece.isdecimal() and piece.isascii()}
    whole = {piece.lower() for piece in url.partition("://")[2].split("/") if any(c.isdigit() for c in piece)}
    return terms(" ".join(pieces)) | numbers | frozenset(whole)


def weigh(passages: Sequence[Passage]) -> dict[str, float]:
    """Inverse sentence frequency of every term among `passages`; a term never seen weighs most (key "")."""
    count = Counter(term for passage in passages for term in passage.own)
    total = len(passages)
    weights = {term: math.log(1 + (total + 0.5) / (n + 0.5)) for term, n in count.items()}
    weights[""] = math.log(1 + (total + 0.5) / 0.5)
    return weights


def relevance(question: Question, passages: Iterable[Passage], weights: dict[str, float]) -> list[Relevance]:
    """Each passage's relevance to `question` by words, best first; ties keep page order."""
    weight = {term.stem: _weight(term, weights) for term in question.terms}
    total = sum(weight.values())
    if not total:
        return []
    found: list[Relevance] = []
    for passage in passages:
        has = frozenset(term.stem for term in question.terms if term.within(passage.own))
        if not has:
            continue
        above = frozenset(term.stem for term in question.terms if term.within(passage.above)) - has
        near = frozenset(term.stem for term in question.terms if term.within(passage.near)) - has - above
        own = sum(weight[stem] for stem in has) / total
        over = sum(weight[stem] for stem in above) / total
        beside = sum(weight[stem] for stem in near) / total
        shows = question.shows_wanted(passage.text)
        score = own + (ABOVE * over + NEAR * beside) / 2
        if shows and question.wanted != "anything":
            score += WANTED_BONUS
        if len(passage.own) < SHORT:
            score -= SHORT_PENALTY
        found.append(Relevance(passage, score, own + over + beside, has | above, has | above | near, shows))
    found.sort(key=lambda item: -item.score)
    return found


def compared(question: Question, ranked: Sequence[Relevance], similarity: Similarity) -> list[Relevance]:
    """`ranked` (best first by words) with the best `COMPARED` weighed by meaning too and put in that order; the rest
    follow as they were."""
    head = ranked[:COMPARED]
    length = LENGTH * math.log(max(LEAST_TERMS, len(question.terms)))
    weighed = [
        replace(
            item,
            score=item.score + NEARNESS * cosine,
            similarity=cosine,
            evidence=item.reach + SIMILARITY * cosine + length,
        )
        for item, cosine in zip(
            head, similarity.to(question.text, [item.passage.in_place for item in head]), strict=True
        )
    ]
    weighed.sort(key=lambda item: -item.score)
    return [*weighed, *ranked[COMPARED:]]


def _weight(term: Term, weights: dict[str, float]) -> float:
    rarest = weights[""]
    weight = weights.get(term.stem)
    if weight is None:
        weight = max((weights.get(part, rarest) for part in term.parts), default=rarest)
    return weight**DAMPING * term.emphasis
