"""How a run asks its models: each call counted against the run's tokens before it is made, and booked after it."""

from collections.abc import Callable

from affidavit.errors import ModelFailure, ModelFailureKind
from affidavit.models.model import Model
from affidavit.models.reply import ModelReply
from affidavit.models.request import ModelRequest
from affidavit.research.allowance import Allowance


class Asker:
    """`answered` is whether any call was; `failures` are those that were not, in order; `cut_off` counts the
    replies that ended at their bound."""

    def __init__(self, allowance: Allowance, on_failure: Callable[[ModelFailure], None]) -> None:
        self.answered = False
        self.failures: list[ModelFailure] = []
        self.cut_off = 0
        self._allowance = allowance
        self._on_failure = on_failure

    async def ask(self, model: Model, request: ModelRequest, *, part: bool = False) -> ModelReply | ModelFailure:
        """The reply, or why there is none: of kind SPEND_LIMIT where the run has not the tokens left for it, TIME_LIMIT
        where it took longer than it may. That ends the run's time, unless only `part` of it was given."""
        if not self._allowance.affords(request):
            self._allowance.out.add("tokens")
            detail = "the run has not the tokens left for another call"
            return self._failed(
                ModelFailure(ModelFailureKind.SPEND_LIMIT, model.name, detail, advice="raise --max-tokens")
            )
        try:
            reply = await model.complete(request)
        except ModelFailure as failure:
            if failure.kind is ModelFailureKind.SPEND_LIMIT:
                self._allowance.out.add("usd")
            elif failure.kind is ModelFailureKind.TIME_LIMIT and not part:
                self._allowance.end()
            return self._failed(failure)
        self.answered = True
        self.cut_off += reply.cut_off
        self._allowance.book(request, reply)
        return reply

    def _failed(self, failure: ModelFailure) -> ModelFailure:
        self.failures.append(failure)
        self._on_failure(failure)
        return failure
