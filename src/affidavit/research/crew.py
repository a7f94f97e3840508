"""The models of a research run. The one that verifies is no member: it belongs to the tools, and sees one pair."""

from dataclasses import dataclass, field

from affidavit.models.context import Context
from affidavit.models.model import Model
from affidavit.models.spend import Spend
from affidavit.settings import ReplyTokens

QUOTATION_TOKENS = 256
"""Of a draft, for each quotation it may be made of: a claim with its ids is some 100, and two claims may share one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Crew:
    """`researcher` plans, calls the tools and drafts; `convergence` says whether to go on. `spend` is their purse, and
    the verifier's if that is a model. `replies` bounds what each may write, `context` what the
    researcher may read."""

    researcher: Model
    convergence: Model
    spend: Spend
    replies: ReplyTokens = field(default_factory=lambda: ReplyTokens.model_validate({}))
    context: Context = field(default_factory=Context)

    def draft_tokens(self, quotations: int) -> int:
        """The most tokens of a reply that may be a draft made of so many `quotations`."""
        return self.context.reply(min(self.replies.draft, self.replies.turn + QUOTATION_TOKENS * quotations))
