"""What a run keeps of its tokens and dollars while it searches, so that what it finds can be drafted and judged.

As `reserve_calls` keeps calls (contract R1). It is the worst case of the draft from the quotations there are, a little
more than that for those that the next turn may take, and of a verdict on each where a paid model verifies. Of a budget
that is less than twice as much nothing is kept: it buys reading, and the quotations are published as they stand.
"""

from dataclasses import dataclass, replace
from decimal import Decimal

from affidavit.models.request import ModelRequest, User
from affidavit.research.allowance import Allowance
from affidavit.research.crew import Crew
from affidavit.research.investigation import Investigation
from affidavit.verify.model import CALLS_A_PAIR, MODEL, request_for
from affidavit.verify.pair import pair
from affidavit.verify.verifier import Verifier

GROWTH = 4
GROWTH_BYTES = 4_000
"""The quotations that one turn may add, and their bytes: of the usual length, each in its envelope. Not swept."""
_CLAIM = "x" * 400
"""A claim is some 100 characters; the longest that a draft may hold are 800."""


@dataclass(frozen=True, slots=True)
class Reserve:
    """Sets aside before each call of the search; `release` is called where the landing begins."""

    crew: Crew
    verifier: Verifier
    allowance: Allowance

    def keep(self, found: Investigation, draft: ModelRequest) -> None:
        """Set aside what `draft`, asked for now, and the verdicts on it may cost."""
        grown = replace(
            draft,
            messages=(*draft.messages, User(" " * GROWTH_BYTES)),
            max_tokens=max(draft.max_tokens, self.crew.draft_tokens(len(found.quotes) + GROWTH)),
        )
        self.allowance.keep(grown)
        spend = self.crew.spend
        drafting = spend.most(self.crew.researcher.name, grown) or Decimal(0)
        spend.keep(drafting + self._judging(found))

    def release(self) -> None:
        self.allowance.keep()
        self.crew.spend.keep(Decimal(0))

    def _judging(self, found: Investigation) -> Decimal:
        name = self.verifier.card.name
        if not name.startswith(MODEL) or not found.quotes:
            return Decimal(0)
        longest = max(found.quotes.values(), key=lambda quote: len(quote.span.text)).span
        asked = request_for(pair(_CLAIM, longest, found.documents[longest.doc_id]), self.crew.replies.verdict)
        one = self.crew.spend.most(name.removeprefix(MODEL), asked) or Decimal(0)
        return one * CALLS_A_PAIR * min(len(found.quotes) + 1, self.allowance.limits.max_claims)
