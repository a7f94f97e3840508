"""Which facts a text uses: for the record, and for whoever asks later where a fact has been published."""

from collections.abc import Sequence

from affidavit.evidence.fact import Fact
from affidavit.evidence.sentences import sentences
from affidavit.gates.numbers import Mention, compare, mentions
from affidavit.ranking.terms import STOP_WORDS, stem, terms

_STOPPED = frozenset(stem(word) for word in STOP_WORDS)
_SHARED_TERMS = 2
"""Content words that a sentence must share with a fact whose figure it states, beside the figure: a figure alone may be
another fact's."""
_OF_WORDS = 0.6
"""Share of a fact's content words that a sentence must have where the fact has no figure. By judgement, not swept: the
list informs a reader and decides nothing."""


def used_facts(text: str, facts: Sequence[Fact]) -> tuple[str, ...]:
    """The ids of the facts that a sentence of `text` states, in the order of `facts`."""
    spoken = [text[start:end] for start, end in sentences(text)]
    read = [(terms(sentence) - _STOPPED, _figures(sentence)) for sentence in spoken]
    return tuple(fact.fact_id for fact in facts if any(_states(fact, *sentence) for sentence in read))


def _states(fact: Fact, said: frozenset[str], figures: Sequence[Mention]) -> bool:
    wanted = terms(f"{fact.text} {fact.subject}") - _STOPPED
    own = _figures(fact.text)
    if not own:
        return len(wanted & said) >= max(_SHARED_TERMS, _OF_WORDS * len(terms(fact.text) - _STOPPED))
    same = any(compare(one, other).bears_out for one in figures for other in own)
    numbers = terms(" ".join(mention.raw for mention in own))
    return same and len((wanted - numbers) & said) >= _SHARED_TERMS


def _figures(text: str) -> list[Mention]:
    return [mention for mention in mentions(text) if mention.is_figure]
