"""Nouns that several approved figures count, each something else of the name: where true figures make false claims.

A company has offices in 45 countries and has placed people in 91: "offices in 91 countries" is made of nothing but
approved words.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from affidavit.evidence.fact import Fact
from affidavit.gates.numbers import Kind, Mention, mentions
from affidavit.ranking.terms import stem, words

_COUNTING = frozenset({Kind.COUNT, Kind.PERCENT, Kind.CURRENCY, Kind.RANGE})


@dataclass(frozen=True, slots=True)
class SharedNoun:
    """`facts` are those with a figure for `noun`, each with its figure as written."""

    noun: str
    facts: tuple[tuple[str, Fact], ...]


def shared_nouns(facts: Sequence[Fact]) -> tuple[SharedNoun, ...]:
    """The nouns of `facts` that more than one value counts, in the order in which they first occur."""
    found: dict[str, tuple[str, list[tuple[Mention, Fact]]]] = {}
    for fact in facts:
        for noun, mention in _counted(fact):
            found.setdefault(stem(noun), (noun, []))[1].append((mention, fact))
    return tuple(
        SharedNoun(noun, _one_a_fact(counted))
        for noun, counted in found.values()
        if len({(mention.value, mention.unit) for mention, _ in counted}) > 1
        and len({fact.fact_id for _, fact in counted}) > 1
    )


def _counted(fact: Fact) -> Iterator[tuple[str, Mention]]:
    """What each figure of the fact's own text counts. The scope note is not asked: it tells figures apart, and what
    has to be told apart is asked here."""
    for mention in mentions(fact.text):
        if mention.kind in _COUNTING and mention.subject:
            yield mention.subject.lower(), mention
    if fact.value is not None and (last := words(fact.subject)[-1:]):
        yield from ((last[0].lower(), mention) for mention in mentions(fact.value) if mention.kind in _COUNTING)


def _one_a_fact(counted: Sequence[tuple[Mention, Fact]]) -> tuple[tuple[str, Fact], ...]:
    once = {(mention.value, mention.unit, fact.fact_id): (mention.raw, fact) for mention, fact in reversed(counted)}
    return tuple(reversed(once.values()))
