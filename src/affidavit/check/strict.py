"""Two degrees of sourced: what stands in a sentence of a source, and what has its words together in one passage.

The first is certified by comparing words and what may be left out of a sentence; nothing else can be wrong with it. The
second is right for most sentences that people write, and not for one that was made to mislead: words that stand
together can be put together otherwise. `strictly` keeps the first alone.
"""

from dataclasses import replace

from affidavit.evidence.check import BY_ITS_WORDS, Check, CheckedSentence, Remark, SentenceState


def strictly(check: Check) -> Check:
    """`check` with what is sourced by its words alone left unsourced."""
    return replace(check, sentences=tuple(map(_demoted, check.sentences)))


def _demoted(sentence: CheckedSentence) -> CheckedSentence:
    if not sentence.by_its_words:
        return sentence
    findings = tuple(_capped(one) if one.code == BY_ITS_WORDS else one for one in sentence.findings)
    return replace(sentence, state=SentenceState.UNSOURCED, findings=findings, verdict=None)


def _capped(remark: Remark) -> Remark:
    return replace(remark, severity="cap")
