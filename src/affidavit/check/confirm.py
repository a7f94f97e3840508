"""A second look at what the rules left open, by a verifier that can read other words.

The rules leave a claim unsourced where its nearest passage does not say it in these words. Whether it says so in other
words a verifier with a model may tell, and it is asked that alone: never about a claim that a gate rejected, or that
lacks a figure, a name or a denial which code can see is not there. It is asked too about what is sourced by its words
alone. What it says can source a claim, or leave it unsourced; it rejects none.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import replace

from affidavit.evidence.answer import VerifierCard
from affidavit.evidence.check import BY_ITS_WORDS, Check, CheckedSentence, Remark, SentenceState
from affidavit.evidence.claim import Label, Verdict
from affidavit.evidence.document import Document
from affidavit.verify.pair import pair
from affidavit.verify.verifier import Verifier

OPEN = frozenset({"not_established", "not_the_same"})
"""Findings that say only that the words are others."""
_LABELS_KEPT = frozenset({Label.SUPPORTED, Label.COULD_NOT_CHECK})
AT_ONCE = 8
"""Pairs that are judged at the same time."""


async def confirm(check: Check, verifier: Verifier) -> Check:
    """`check` with what `verifier`, which stands between its guards, says of each open claim. Its card says both."""
    documents: Mapping[str, Document] = {document.doc_id: document for document in check.documents}
    places = asyncio.Semaphore(AT_ONCE)

    async def look(sentence: CheckedSentence) -> CheckedSentence:
        if not _is_open(sentence) or sentence.span is None:
            return sentence
        async with places:
            verdict = await verifier.verify(pair(sentence.words, sentence.span, documents[sentence.span.doc_id]))
        return _after(sentence, verdict)

    sentences = await asyncio.gather(*(look(sentence) for sentence in check.sentences))
    return replace(check, sentences=tuple(sentences), verifier=_both(check.verifier, verifier.card))


def _is_open(sentence: CheckedSentence) -> bool:
    """Whether nothing but other words keeps the claim from being sourced, or only its words made it so."""
    if sentence.by_its_words:
        return True
    caps = {one.code for one in sentence.findings if one.severity == "cap"}
    return sentence.state is SentenceState.UNSOURCED and bool(caps) and caps <= OPEN


def _after(sentence: CheckedSentence, verdict: Verdict) -> CheckedSentence:
    if verdict.label is Label.SUPPORTED:
        kept = tuple(one for one in sentence.findings if one.code not in (*OPEN, BY_ITS_WORDS))
        return replace(sentence, state=SentenceState.SOURCED, findings=kept, verdict=verdict)
    if sentence.by_its_words and verdict.label in _LABELS_KEPT:
        return sentence
    said = f"{verdict.verifier} says {verdict.label.value.replace('_', ' ')}: {verdict.reason}"
    remark = Remark("verifier", said, sentence.start, sentence.end, "cap")
    findings = (*sentence.findings, remark)
    return replace(sentence, state=SentenceState.UNSOURCED, findings=findings, verdict=verdict)


def _both(rules: VerifierCard, asked: VerifierCard) -> VerifierCard:
    """The rules with a verifier behind them are a verifier of their own, whose figures nobody has measured together."""
    calibration = {
        f"{rules.name} {rules.version}": dict(rules.calibration or {}) or None,
        f"{asked.name} {asked.version}": dict(asked.calibration or {}) or None,
    }
    return VerifierCard(
        name=f"{rules.name}+{asked.name}", version=f"{rules.version}+{asked.version}", calibration=calibration
    )
