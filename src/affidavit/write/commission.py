"""Everything that decides a piece, in one value: what was asked for, of whom, and what may be said.

It goes into the ledger whole before anything else happens, so a piece can be derived again from there alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date

from affidavit.evidence.fact import Fact, FactState, Register
from affidavit.write.boundary import Boundary
from affidavit.write.memory import Memory
from affidavit.write.pack import BUDGET, Assignment, SourceNote, allowed_texts
from affidavit.write.profile import Profile


@dataclass(frozen=True, kw_only=True)
class Commission:
    """`facts` may be used, `rejected` were rejected by a person, and `withheld` are neither: out of date, or in a
    conflict that nobody has decided. `draft` is a person's, to be held to the same boundary; None: a model writes."""

    customer: str
    assignment: Assignment
    profile: Profile
    facts: tuple[Fact, ...] = ()
    rejected: tuple[Fact, ...] = ()
    withheld: tuple[Fact, ...] = ()
    memory: Memory = field(default_factory=Memory)
    sources: tuple[SourceNote, ...] = ()
    prompt: str | None = None
    draft: str | None = None
    today: date
    budget: int = BUDGET

    @classmethod
    def over(
        cls,
        register: Register,
        assignment: Assignment,
        profile: Profile,
        *,
        today: date,
        memory: Memory | None = None,
        sources: Sequence[SourceNote] = (),
        prompt: str | None = None,
        draft: str | None = None,
        budget: int = BUDGET,
    ) -> "Commission":
        """A commission over the customer's register as it is on `today`."""
        undecided = (fact for fact in register.facts if fact.state is FactState.PENDING and fact.conflict_group)
        expired = (fact for fact in register.facts if fact.state is FactState.APPROVED and not fact.usable(today))
        return cls(
            customer=register.customer,
            assignment=assignment,
            profile=profile,
            facts=register.usable(today),
            rejected=register.rejected(),
            withheld=(*undecided, *expired),
            memory=memory or Memory(),
            sources=tuple(sources),
            prompt=prompt,
            draft=draft,
            today=today,
            budget=budget,
        )

    @property
    def excluded(self) -> tuple[Fact, ...]:
        """What the pack says not to use: what a person rejected first."""
        return self.rejected + self.withheld

    def boundary(self) -> Boundary:
        return Boundary(
            allowed=allowed_texts(self.assignment, self.profile, self.facts, self.sources),
            facts=self.facts,
            rejected=self.rejected,
            memory=self.memory,
            max_words=self.assignment.max_words,
            today=self.today,
            name=self.profile.name,
        )
