"""What a business may say of itself: facts that its own website states, each with the words it rests on.

A `Candidate` is what was read off one page. A `Fact` is an entry of the register made of candidates, one value a
subject, and says in its state whether it may be used. Only an approved fact that has not expired is part of what a
writer may assert; two values for one subject are two facts in one conflict group, and no machine approves either.
"""

from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum

from affidavit.errors import IntegrityError


class Category(StrEnum):
    """What a fact is about, in the order in which a register lists them."""

    PRESENCE = "presence"
    SERVICES = "services"
    NUMBERS = "numbers"
    PEOPLE = "people"
    HISTORY = "history"
    CLAIMS = "claims"
    CLIENTS = "clients"
    OTHER = "other"


class FactState(StrEnum):
    PENDING = "pending"
    APPROVED = "approved"
    REJECTED = "rejected"


@dataclass(frozen=True, slots=True, kw_only=True)
class FactSource:
    """Where a fact stands: ``[start, end)`` of the text of document `doc_id`, `quote` exactly those characters."""

    url: str
    doc_id: str
    start: int
    end: int
    quote: str
    retrieved_at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One statement of one page. `value` is as written and holds a digit or a spelled-out number, or is None;
    `confidence` is 0 to 1. `owner` names whose figure it is where that is not the business itself: a client's stays the
    client's."""

    candidate_id: str
    text: str
    category: Category
    subject: str
    value: str | None
    source: FactSource
    confidence: float
    owner: str | None = None

    def __post_init__(self) -> None:
        _check_confidence(self.candidate_id, self.confidence)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One entry of the register.

    `scope_note` says what the value counts, and what it does not. `decided_by` is a person's name, or ``rule`` where a
    threshold decided; None while nobody has. `added_by` is the person who wrote the fact down where no page states it;
    such a fact has no sources. `expires` is the last day on which it may be used.
    """

    fact_id: str
    text: str
    category: Category
    subject: str
    value: str | None = None
    scope_note: str | None = None
    conflict_group: str | None = None
    confidence: float = 1.0
    candidates: tuple[str, ...] = ()
    sources: tuple[FactSource, ...] = ()
    owner: str | None = None
    state: FactState = FactState.PENDING
    decided_by: str | None = None
    decided_at: str | None = None
    added_by: str | None = None
    expires: date | None = None

    def __post_init__(self) -> None:
        _check_confidence(self.fact_id, self.confidence)
        if not self.sources and self.added_by is None:
            raise IntegrityError(f"fact {self.fact_id} ({self.text!r}) has no source, and nobody added it")
        if (self.state is FactState.PENDING) != (self.decided_by is None):
            raise IntegrityError(f"fact {self.fact_id} is {self.state} and decided by {self.decided_by}")

    def usable(self, today: date) -> bool:
        """Whether a piece written on `today` may assert it."""
        return self.state is FactState.APPROVED and (self.expires is None or today <= self.expires)


@dataclass(frozen=True, slots=True)
class Register:
    """The facts of one customer, in the order of their categories, then by confidence."""

    customer: str
    facts: tuple[Fact, ...] = field(default=())

    def __post_init__(self) -> None:
        if len({fact.fact_id for fact in self.facts}) != len(self.facts):
            raise IntegrityError(f"the register of {self.customer} has one id twice")

    def usable(self, today: date) -> tuple[Fact, ...]:
        return tuple(fact for fact in self.facts if fact.usable(today))

    def rejected(self) -> tuple[Fact, ...]:
        return tuple(fact for fact in self.facts if fact.state is FactState.REJECTED)

    def conflicts(self) -> dict[str, tuple[Fact, ...]]:
        """The facts of each conflict group, by its name."""
        groups: dict[str, list[Fact]] = {}
        for fact in self.facts:
            if fact.conflict_group is not None:
                groups.setdefault(fact.conflict_group, []).append(fact)
        return {name: tuple(facts) for name, facts in groups.items()}


def _check_confidence(name: str, confidence: float) -> None:
    if not 0.0 <= confidence <= 1.0:
        raise IntegrityError(f"confidence of {name} is {confidence}, outside 0 to 1")
