"""The models of one run, hired for it: who researches, who says when to stop, who verifies, and what all of it costs.

Nobody judges what it wrote, unless the settings say so in so many words.
"""

from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass

from affidavit.errors import UserError
from affidavit.models.call import Call, CallState, OnCall, RecallKey
from affidavit.models.cast import Cast
from affidavit.models.prices import load_prices
from affidavit.models.reply import ModelReply
from affidavit.models.roles import Role
from affidavit.models.spend import Spend
from affidavit.research.crew import Crew
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


@asynccontextmanager
async def staffed(
    settings: Settings,
    log: Log,
    open_verifier: VerifierMaker,
    *,
    recalled: Mapping[RecallKey, list[ModelReply]] | None = None,
    spend: Spend | None = None,
) -> AsyncGenerator[Staff]:
    """The staff of a run, its connections kept open until it ends. `recalled` and `spend` are those of a run that is
    resumed. Raises UserError or MissingExtra where a model cannot be asked, and for a verifier that would judge itself.
    """
    purse = spend or Spend(load_prices(settings.models.prices), settings.max_usd)
    async with Cast(settings.models, spend=purse, on_call=record_model(log), recalled=recalled) as cast:
        researcher = cast.of(Role.RESEARCHER)
        verifier = open_verifier(verifier_of(settings), settings, cast)
        if verifier.card.name == signature(researcher.name)[0] and not settings.models.verify_own:
            raise UserError(
                f"{researcher.name} would research and judge its own claims: name another model for the verifier "
                "(--model verifier=PROVIDER:NAME), leave it out for the embedded one, or insist with "
                "AFFIDAVIT_MODELS__VERIFY_OWN=true; the answer then says so"
            )
        yield Staff(Crew(researcher=researcher, convergence=cast.of(Role.CONVERGENCE), spend=purse), verifier)


def verifier_of(settings: Settings) -> str:
    """The name of the verifier of a run with a model: the model of that role, or the embedded one."""
    return "model:verifier" if settings.models.verifier is not None else "embedded"
