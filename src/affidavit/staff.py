"""The models of one run, hired for it: who researches, who says when to stop, who verifies, and what all of it costs.

Nobody judges what it wrote, unless the settings say so in so many words.
"""

from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass

from affidavit.errors import UserError
from affidavit.models.account import Account
from affidavit.models.call import Call, CallState, Ending, OnCall, OnEnd
from affidavit.models.cast import Cast
from affidavit.models.context import Context
from affidavit.models.model import Model
from affidavit.models.prices import load_prices
from affidavit.models.roles import Role
from affidavit.models.spend import Spend
from affidavit.models.structured import Structured
from affidavit.research.crew import Crew
from affidavit.research.recalled import CANCELLED, GAVE_UP, Calls, RecalledModel
from affidavit.research.tools import Log
from affidavit.settings import Settings
from affidavit.verify.model import signature
from affidavit.verify.verifier import Verifier

EVENTS: Mapping[CallState, str] = {
    CallState.STARTED: "model.asked",
    CallState.FINISHED: "model.replied",
    CallState.FAILED: "model.failed",
    CallState.UNCERTAIN: "model.uncertain",
}
"""The event of each state of a call. What began and has none of the other three was cut off: it is uncertain too."""

VerifierMaker = Callable[[str, Settings, Cast], Verifier]


@dataclass(frozen=True, slots=True)
class Staff:
    crew: Crew
    verifier: Verifier


def has_researcher(settings: Settings) -> bool:
    """Whether the settings name a model that researches; else a run is keyless."""
    return settings.models.researcher is not None


def record_model(log: Log) -> OnCall:
    """Every try of every call goes to `log`, the request whole before it, the reply whole after it."""

    def told(call: Call) -> None:
        log.record(EVENTS[call.state], call.as_json())

    return told


def record_ending(log: Log) -> OnEnd:
    """Every call that got no reply goes to `log`: how it ended, all its tries together."""

    def told(ending: Ending) -> None:
        log.record(CANCELLED if ending.failure is None else GAVE_UP, ending.as_json())

    return told


class Payroll:
    """The calls of a verifier that is no run's own, such as that of an eval or of a desk for many drafts: each recorded
    in the run that was named last, and counted. A call is made for no run but one that records it."""

    def __init__(self) -> None:
        self.account = Account()
        self._log: Log | None = None

    def charge(self, log: Log) -> None:
        """From here on, calls are those of the run that `log` is of."""
        self._log = log

    def cast(self, settings: Settings) -> Cast:
        """Models whose calls go through here."""
        return Cast(settings.models, on_call=self._told, on_end=lambda ending: record_ending(self._of_run())(ending))

    def _told(self, call: Call) -> None:
        record_model(self._of_run())(call)
        self.account.take(call)

    def _of_run(self) -> Log:
        if self._log is None:
            raise RuntimeError("a model was asked for no run: charge() one first")
        return self._log


@asynccontextmanager
async def staffed(
    settings: Settings,
    log: Log,
    open_verifier: VerifierMaker,
    *,
    calls: Calls | None = None,
    spend: Spend | None = None,
) -> AsyncGenerator[Staff]:
    """The staff of a run, its connections kept open until it ends. `calls` and `spend` are those of a run that is
    resumed. Raises UserError or MissingExtra where a model cannot be asked, and for a verifier that would judge itself.
    """
    purse = spend or Spend(load_prices(settings.models.prices), settings.max_usd)
    before = calls or Calls()
    async with Cast(
        settings.models,
        spend=purse,
        on_call=record_model(log),
        on_end=record_ending(log),
        recalled=before.replies,
        ended=before.endings,
        tries=before.tries,
    ) as cast:
        researcher = cast.of(Role.RESEARCHER)
        verifier = open_verifier(verifier_of(settings), settings, cast)
        if verifier.card.name == signature(researcher.name)[0] and not settings.models.verify_own:
            raise UserError(
                f"{researcher.name} would research and judge its own claims: name another model for the verifier "
                "(--model verifier=PROVIDER:NAME), leave it out for the embedded one, or insist with "
                "AFFIDAVIT_MODELS__VERIFY_OWN=true; the answer then says so"
            )
        yield Staff(crew_of(settings, cast, purse), verifier)


def recalled_staff(settings: Settings, calls: Calls, open_verifier: VerifierMaker) -> Staff:
    """The staff of a run that is replayed: it says what `calls` hold, and asks nobody."""
    cast = _RecalledCast(settings, calls)
    purse = Spend(load_prices(), spent=calls.spent, unpriced=calls.unpriced)
    return Staff(crew_of(settings, cast, purse), open_verifier(verifier_of(settings), settings, cast))


def crew_of(settings: Settings, cast: Cast, purse: Spend) -> Crew:
    """Who researches in a run of these settings. Raises as `Cast.of` does."""
    return Crew(
        researcher=cast.of(Role.RESEARCHER),
        convergence=cast.of(Role.CONVERGENCE),
        spend=purse,
        replies=settings.models.reply_tokens,
        context=Context(settings.models.context_tokens),
    )


class _RecalledCast(Cast):
    def __init__(self, settings: Settings, calls: Calls) -> None:
        super().__init__(settings.models)
        self._calls = calls

    def named(self, model: str, role: Role) -> Model:  # noqa: ARG002 - a call is known without its role
        return Structured(RecalledModel(model, self._calls))


def verifier_of(settings: Settings) -> str:
    """The name of the verifier of a run with a model: the model of that role, or the embedded one."""
    return "model:verifier" if settings.models.verifier is not None else "embedded"
