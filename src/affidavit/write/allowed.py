"""What a draft may say in figures: those of the facts that may be used and of the texts that came with the assignment.

A scope note licenses the figures that it states, since a person approved it with its fact; not those that it denies
("not 70 countries, as an older page says"). A rejected fact takes its figures away from every text but an approved fact
that says the same.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from affidavit.evidence.fact import Fact
from affidavit.gates.numbers.compare import BEARS_OUT, Relation, compare, measure
from affidavit.gates.numbers.mention import Kind, Mention
from affidavit.gates.numbers.reader import mentions
from affidavit.gates.source_figures import SourceFigures, read_sources
from affidavit.write.frame import Figures
from affidavit.write.ourselves import Ourselves, ourselves
from affidavit.write.scope import Scope, Scopes

SAID = BEARS_OUT | {Relation.DROPPED_BOUND, Relation.ADDED_BOUND}
"""A figure and the same figure with another bound."""

_DENIED = re.compile(
    r"\b(?:not|never|no longer|rather than|instead of|other than|excluding)\b(?:[^,;()—\n]|(?<=\d),(?=\d))*"
    r"|\bdo(?:n['’]t| not)\b[^;.\n]*",
    re.IGNORECASE,
)
_NAME_WORDS = 6
"""A text of the whitelist of at most so many words, and no figure, may be what the customer is called."""
_FOUNDED = re.compile(
    r"\b(?:founded|established|started|began|begun|since|opened|launched|incorporated|formed|set up|created|born"
    r"|trading|in business|began trading)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Allowed:
    """`facts` may be used; `rejected` may not; `texts` are the rest of the whitelist; `us` is whom the draft is
    written for."""

    facts: tuple[Fact, ...]
    rejected: tuple[Fact, ...]
    texts: tuple[str, ...]
    us: Ourselves

    @classmethod
    def of(
        cls, facts: Sequence[Fact], rejected: Sequence[Fact], texts: Sequence[str], name: str | None = None
    ) -> "Allowed":
        of_facts = {text for fact in facts for text in (fact.text, fact.scope_note)}
        kept = tuple(dict.fromkeys(text for text in texts if text.strip() and text not in of_facts))
        return cls(tuple(facts), tuple(rejected), kept, ourselves(name))

    @cached_property
    def sources(self) -> SourceFigures:
        """Every text that licenses a figure: texts of facts, in their order, then subjects, values and notes, then the
        rest."""
        return read_sources([*self._of_facts, *self.texts])

    @cached_property
    def _of_facts(self) -> tuple[str, ...]:
        return (
            *(fact.text for fact in self.facts),
            *(fact.subject for fact in self.facts),
            *(fact.value for fact in self.facts if fact.value and fact.value.lower() not in fact.text.lower()),
            *(_licensed(fact.scope_note) for fact in self.facts if fact.scope_note),
        )

    @cached_property
    def scopes(self) -> Scopes:
        refused = tuple(scope for scope, _ in self.refused)
        return Scopes(tuple(Scope(fact, fact.text) for fact in self.facts), self._own_names, refused, self.us)

    @cached_property
    def _own_names(self) -> frozenset[str]:
        """The words of what may be the customer's name."""
        short = (text for text in self.texts if len(text.split()) <= _NAME_WORDS and text[:1].isupper())
        return frozenset(word.strip(".,").lower() for text in short for word in text.split())

    def says(self, words: str) -> bool:
        """Whether a text that licenses figures has those words, whatever their case."""
        return any(words.lower() in text for text in self.sources.lowered)

    def held(self, mention: Mention) -> tuple[tuple[Scope, Mention], ...]:
        """The facts that say the figure, each with its own; those of which it is only a rounding or a bound where none
        has its value."""
        found = [(scope, other) for scope, other in _holding(mention, self.scopes.scopes)]
        same = [(scope, other) for scope, other in found if measure(other).value == measure(mention).value]
        return tuple(same or found)

    @cached_property
    def refused(self) -> tuple[tuple[Scope, tuple[Mention, ...]], ...]:
        """The rejected facts, each with the figures that are rejected: those of its value, where it has one."""
        return tuple((scope := Scope(fact, fact.text), _values(fact, scope)) for fact in self.rejected)

    def in_texts(self, mention: Mention) -> Iterator[tuple[str, Figures, Mention]]:
        """The texts that are no facts' and say the figure, each with its figures and that one."""
        for sourced in self.sources.near(mention):
            if sourced.text >= len(self._of_facts) and compare(mention, sourced.mention).relation in SAID:
                yield self.sources.texts[sourced.text], self._figures[sourced.text], sourced.mention

    @cached_property
    def _figures(self) -> tuple[Figures, ...]:
        return tuple(map(Figures.of, self.sources.by_text))

    @cached_property
    def founded(self) -> tuple[tuple[int, str], ...]:
        """Years in which something began, with the sentences that say so."""
        found: dict[int, str] = {}
        for text, read in zip(self.sources.texts, self.sources.by_text, strict=True):
            for one in read:
                said = text[slice(*one.sentence)]
                year = _year(one)
                if year is not None and _FOUNDED.search(said):
                    found.setdefault(year, " ".join(said.split()))
        return tuple(found.items())


def _licensed(note: str) -> str:
    return _DENIED.sub(lambda match: " " * len(match.group()), note)


def _holding(mention: Mention, scopes: Sequence[Scope]) -> Iterator[tuple[Scope, Mention]]:
    for scope in scopes:
        for other in scope.mentions:
            if other.is_figure and compare(mention, other).relation in SAID:
                yield scope, other


def _values(fact: Fact, scope: Scope) -> tuple[Mention, ...]:
    figures = tuple(one for one in scope.mentions if one.is_figure)
    wanted = [one for one in mentions(fact.value or "") if one.is_figure]
    kept = tuple(one for one in figures if any(compare(value, one).relation in SAID for value in wanted))
    return kept or figures


def _year(mention: Mention) -> int | None:
    if mention.kind is Kind.YEAR and mention.unit is None and not isinstance(mention.value, tuple):
        return int(mention.value)
    if mention.kind is Kind.DATE and isinstance(mention.value, str) and mention.value[:4].isdigit():
        return int(mention.value[:4])
    return None
