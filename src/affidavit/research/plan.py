"""From what was asked to what is searched for: sub-questions, each with its four queries."""

from dataclasses import dataclass

from affidavit.evidence.claim import Stance
from affidavit.ranking.decompose import decompose
from affidavit.ranking.queries import Query, four_queries
from affidavit.ranking.researchable import require_researchable
from affidavit.ranking.terms import STOP_WORDS, stem, terms
from affidavit.research.ask import Ask

_SMALL = frozenset(stem(word) for word in STOP_WORDS)


@dataclass(frozen=True, slots=True)
class SubQuestion:
    """`stance` is set in a test of a claim: the claim is looked for, and so is what would refute it."""

    text: str
    queries: tuple[Query, ...]
    stance: Stance | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    ask: Ask
    subquestions: tuple[SubQuestion, ...]

    def nearest(self, text: str) -> int:
        """The number, from 1, of the sub-question that shares most words with `text`; the first where none does."""
        own = terms(text) - _SMALL
        shared = [len(own & terms(one.text)) for one in self.subquestions]
        return shared.index(max(shared)) + 1


def make_plan(ask: Ask, max_subquestions: int) -> Plan:
    """Raises NotResearchable where no result could change the answer."""
    if ask.claim is not None and ask.falsifier is not None:
        require_researchable(ask.claim, ask.falsifier)
        return Plan(
            ask,
            (
                SubQuestion(ask.claim, four_queries(ask.claim), Stance.FOR),
                SubQuestion(ask.falsifier, four_queries(ask.falsifier), Stance.AGAINST),
            ),
        )
    require_researchable(ask.asked)
    parts = decompose(ask.asked, max_subquestions)
    return Plan(ask, tuple(SubQuestion(part, four_queries(part)) for part in parts))
