"""The summary of an answer: sentences that published claims say, and nothing else (contracts R5, R7).

A sentence of the model's summary stays if one published claim says it: word for word, or in the judgement of the run's
own verifier, which sees the sentence beside that claim as it sees a claim beside a span. The others are cut, and with
them what leans on them. Where nothing stays, or it is in another language than the question, the claims speak.
"""

import asyncio
from collections.abc import Sequence

from affidavit.evidence.answer import WORD_FOR_WORD, VerifiedClaim
from affidavit.evidence.claim import Label
from affidavit.evidence.fold import fold
from affidavit.evidence.language import guess_language
from affidavit.evidence.sentences import sentences
from affidavit.ranking.terms import STOP_WORDS, stem, terms
from affidavit.research.anaphora import leans_back
from affidavit.verify.pair import text_pair
from affidavit.verify.verifier import Verifier

SUMMARY_WORDS = 150
CANDIDATES = 2
"""Claims, by words shared, that a sentence is held against; each costs a call where a model verifies. Not swept."""
SHARED = 0.6
"""Share of a sentence's terms that a claim must have before a verifier is asked: a summary says again what its writer
wrote a moment ago, so one in other words says something else, whoever agrees to it. Not swept."""
LANGUAGE_WORDS = 8
"""Words from which on a guess of the language is believed: fewer have too few function words."""
_SMALL = frozenset(stem(word) for word in STOP_WORDS)


async def traced(
    drafted: str, published: Sequence[VerifiedClaim], verifier: Verifier, question: str
) -> tuple[str, list[str]]:
    """The summary, and the sentences of `drafted` that were cut."""
    said = [drafted[start:end] for start, end in sentences(drafted)]
    if not published:
        return "", said
    own = in_own_words(published)
    if verifier.card.name == WORD_FOR_WORD or _another_language(drafted, question):
        return own, said
    found = await asyncio.gather(*(_says(sentence, published, verifier) for sentence in said))
    language = guess_language(drafted)
    kept: list[tuple[int, str]] = []
    cut: list[str] = []
    fell, words = False, 0
    for sentence, place in zip(said, found, strict=True):
        count = len(sentence.split())
        fell = place is None or (fell and leans_back(sentence, language)) or words + count > SUMMARY_WORDS
        if fell or place is None:
            cut.append(sentence)
            continue
        words += count
        kept.append((place, " ".join(sentence.split())))
    return (_grouped(kept, published, language) if kept else own), cut


def in_own_words(published: Sequence[VerifiedClaim]) -> str:
    """The first claim of each sub-question, whole and in order, as far as the words reach."""
    told: list[str] = []
    seen: set[str | None] = set()
    words = 0
    for item in published:
        count = len(item.claim.text.split())
        if item.claim.subquestion in seen or words + count > SUMMARY_WORDS:
            continue
        seen.add(item.claim.subquestion)
        told.append(" ".join(item.claim.text.split()))
        words += count
    return " ".join(told)


async def _says(sentence: str, published: Sequence[VerifiedClaim], verifier: Verifier) -> int | None:
    """The place of the published claim that says `sentence`."""
    folded = fold(sentence).text.strip()
    for place, item in enumerate(published):
        if fold(item.claim.text).text.strip() == folded:
            return place
    own = terms(sentence) - _SMALL
    shared = [len(own & terms(item.claim.text)) / len(own) if own else 0.0 for item in published]
    likely = (place for place, share in enumerate(shared) if share >= SHARED)
    for place in sorted(likely, key=lambda place: -shared[place])[:CANDIDATES]:
        said = await verifier.verify(text_pair(sentence, published[place].claim.text))
        if said.label is Label.SUPPORTED:
            return place
    return None


def _grouped(kept: Sequence[tuple[int, str]], published: Sequence[VerifiedClaim], language: str) -> str:
    """The sentences, those of one sub-question together, in the order in which the claims name the sub-questions. One
    that leans on the sentence before it stays behind that one."""
    order = list(dict.fromkeys(item.claim.subquestion for item in published))
    groups: dict[str | None, list[str]] = {name: [] for name in order}
    group: str | None = order[0]
    for place, sentence in kept:
        if not leans_back(sentence, language):
            group = published[place].claim.subquestion
        groups[group].append(sentence)
    return " ".join(sentence for name in order for sentence in groups[name])


def _another_language(text: str, question: str) -> bool:
    if len(text.split()) < LANGUAGE_WORDS or len(question.split()) < LANGUAGE_WORDS // 2:
        return False
    return guess_language(text) != guess_language(question)
