"""What the rule approves without a person (contract W4): what is sure enough, and what nothing stands against."""

from collections.abc import Iterable
from dataclasses import replace

from affidavit.evidence.fact import Fact, FactState

APPROVE_AT = 0.80
"""The seed's threshold, as published. `consolidate.KEEP_AT` is another: between the two a fact is kept for a person."""
RULE = "rule"


def approved_by_rule(fact: Fact) -> bool:
    """Whether the rule approves `fact`. Conflicts never are."""
    return fact.confidence >= APPROVE_AT and fact.conflict_group is None


def decided(facts: Iterable[Fact], at: str) -> tuple[Fact, ...]:
    """`facts` with the rule's decision on those that nobody has decided; `at` is now (ISO-8601, UTC)."""
    return tuple(
        replace(fact, state=FactState.APPROVED, decided_by=RULE, decided_at=at)
        if fact.state is FactState.PENDING and approved_by_rule(fact)
        else fact
        for fact in facts
    )
