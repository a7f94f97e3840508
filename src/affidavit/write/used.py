"""Which facts a text uses: for the record, and for whoever asks later where a fact has been published."""

from collections.abc import Sequence

from affidavit.evidence.fact import Fact
from affidavit.evidence.sentences import sentences
from affidavit.gates.numbers import mentions
from affidavit.ranking.terms import STOP_WORDS, stem, terms
from affidavit.write.checks import used_facts as facts_of_figures

_STOPPED = frozenset(stem(word) for word in STOP_WORDS)
_OF_WORDS = 0.6
"""Share of a fact's content words that a sentence must have where the fact has no figure. By judgement, not swept: the
list informs a reader and decides nothing."""


def used_facts(text: str, facts: Sequence[Fact]) -> tuple[str, ...]:
    """The ids of the facts that `text` states, by their figures, or by their words where they have none; in the order
    of `facts`."""
    stated = frozenset(facts_of_figures(text, facts))
    spoken = [terms(text[start:end]) - _STOPPED for start, end in sentences(text)]
    return tuple(fact.fact_id for fact in facts if fact.fact_id in stated or _in_words(fact, spoken))


def _in_words(fact: Fact, spoken: Sequence[frozenset[str]]) -> bool:
    if any(mention.is_figure for mention in mentions(fact.text)):
        return False
    wanted = terms(fact.text) - _STOPPED
    return any(len(wanted & said) >= max(2, _OF_WORDS * len(wanted)) for said in spoken)
