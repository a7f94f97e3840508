"""What a writer may assert, whoever the writer is, and the check that holds a draft to it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Self

from affidavit.errors import UserError
from affidavit.evidence.fact import Fact, Register
from affidavit.evidence.piece import Issue
from affidavit.write.checks import check_draft
from affidavit.write.memory import Memory
from affidavit.write.prose_in_code import prose_in_code


@dataclass(frozen=True, kw_only=True)
class Boundary:
    """`allowed` are the texts whose figures a draft may use, `facts` and `rejected` entries of a register, `memory`
    what was published before. `today` decides how long ago a year is. `name` is what the business is called that is
    written for: what is said of it by name is said as by "we"."""

    allowed: tuple[str, ...] = ()
    facts: tuple[Fact, ...] = ()
    rejected: tuple[Fact, ...] = ()
    memory: Memory = field(default_factory=Memory)
    max_words: int | None = None
    today: date = field(default_factory=date.today)
    name: str | None = None

    @classmethod
    def of_texts(cls, *texts: str, max_words: int | None = None, today: date | None = None) -> Self:
        """A boundary of texts: a policy, a price list, the notes of a meeting. Raises UserError for none at all, since
        a boundary around nothing would let every draft without a figure pass as checked, and TypeError for what is no
        text."""
        _are(texts, str, "of_texts takes texts, each by itself (of_texts(*texts))")
        if not any(text.strip() for text in texts):
            raise UserError("a boundary needs at least one text that says something")
        return cls(allowed=tuple(texts), max_words=max_words, today=today or date.today())

    @classmethod
    def of_rows(cls, rows: Iterable[Mapping[str, object]], *, today: date | None = None) -> Self:
        """A boundary of a table: each row is one text, its cells beside their column heads. Figures that follow from
        the table (sums, shares) are not in it: give them as a row of their own. Raises as `of_texts` does."""
        rows = tuple(rows)
        _are(rows, Mapping, "of_rows takes rows, each a mapping of column heads to cells")
        texts = ("; ".join(f"{head}: {cell}" for head, cell in row.items() if cell is not None) for row in rows)
        return cls.of_texts(*texts, today=today)

    @classmethod
    def of_register(
        cls, register: Register, *texts: str, memory: Memory | None = None, today: date | None = None
    ) -> Self:
        """A boundary of a customer's facts, as they may be used on `today`, and of `texts` beside them."""
        now = today or date.today()
        facts = register.usable(now)
        return cls(
            allowed=(register.customer, *(fact.text for fact in facts), *(text for text in texts if text)),
            facts=facts,
            rejected=register.rejected(),
            memory=memory or Memory(),
            today=now,
            name=register.customer,
        )

    def check(self, draft: str) -> tuple[Issue, ...]:
        """What is wrong with `draft`, by the deterministic checks, in the order of the draft."""
        found = check_draft(
            draft,
            facts=self.facts,
            rejected=self.rejected,
            allowed=self.allowed,
            memory=self.memory,
            max_words=self.max_words,
            today=self.today,
            name=self.name,
        )
        return tuple(sorted((*found, *prose_in_code(draft)), key=lambda issue: issue.start or 0))


def _are(given: Sequence[object], kind: type, takes: str) -> None:
    """Raises TypeError for the first of `given` that is none of `kind`."""
    for number, one in enumerate(given, 1):
        if not isinstance(one, kind):
            raise TypeError(f"{takes}: number {number} is {one!r:.60} ({type(one).__name__})")


def blocking(issues: Sequence[Issue]) -> tuple[Issue, ...]:
    return tuple(issue for issue in issues if issue.blocks)
