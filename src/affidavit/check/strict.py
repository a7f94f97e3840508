"""Two degrees of sourced: what stands in a sentence of a source, and what has its words together in one passage.

The first is certified by comparing words and what may be left out of a sentence; nothing else can be wrong with it. The
second is right for most sentences that people write, and not for one that was made to mislead: words that stand
together can be put together otherwise. `strictly` keeps the first alone.
"""

from dataclasses import replace

from affidavit.evidence.check import Check, CheckedSentence, Remark, SentenceState

BY_ITS_WORDS = "by_its_words"
"""The finding of a sentence that is sourced in the second degree."""


def by_its_words(sentence: CheckedSentence) -> bool:
    """Whether the sentence is sourced by its words alone."""
    return sentence.state is SentenceState.SOURCED and any(one.code == BY_ITS_WORDS for one in sentence.findings)


def strictly(check: Check) -> Check:
    """`check` with what is sourced by its words alone left unsourced."""
    return replace(check, sentences=tuple(map(_demoted, check.sentences)))


def _demoted(sentence: CheckedSentence) -> CheckedSentence:
    if not by_its_words(sentence):
        return sentence
    findings = tuple(_capped(one) if one.code == BY_ITS_WORDS else one for one in sentence.findings)
    return replace(sentence, state=SentenceState.UNSOURCED, findings=findings, verdict=None)


def _capped(remark: Remark) -> Remark:
    return replace(remark, severity="cap")
