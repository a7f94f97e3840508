"""The models of one run, one for each role, with everything around them that a run needs.

    Structured → Ended → queue → Retrying → Recorded → HostedModel

From the outside in: replies that can be used; each call that got none told; not too many calls at once; three tries
within a deadline; each try paid from one purse and recorded; and the provider. A role asks through all of it, and
nothing asks around it.
"""

import asyncio
import itertools
from collections.abc import Mapping
from types import TracebackType

from affidavit.egress.client import user_agent
from affidavit.egress.keys import Keys
from affidavit.errors import ModelFailure, UserError
from affidavit.models.call import Ended, OnCall, OnEnd, RecallKey, Recorded, tell_nobody
from affidavit.models.hosted import HostedModel
from affidavit.models.model import Model
from affidavit.models.prices import load_prices
from affidavit.models.providers import model_keys, model_name, providers
from affidavit.models.reply import ModelReply
from affidavit.models.request import ModelRequest
from affidavit.models.retrying import Retrying
from affidavit.models.roles import FALLS_BACK_ON, Role, model_of
from affidavit.models.spend import Spend
from affidavit.models.structured import Structured
from affidavit.settings import Models


class Cast:
    """Who plays which role. Used as a context manager, it keeps its connections between calls; it works without.

    `spend` is the run's money, without a limit by default. `on_call` is told of each try before and after; what it
    raises stops the call. `on_end` is told of each call that gave no reply. `recalled` are the finished calls of the
    run that is resumed (see `Call.recall_key`), `ended` how others ended, and `tries` how many it had made. `keys` come
    from the environment by default. Raises UserError for settings that cannot be meant.
    """

    def __init__(
        self,
        settings: Models,
        *,
        spend: Spend | None = None,
        on_call: OnCall = tell_nobody,
        recalled: Mapping[RecallKey, list[ModelReply]] | None = None,
        on_end: OnEnd = tell_nobody,
        ended: Mapping[RecallKey, list[ModelFailure | None]] | None = None,
        tries: int = 0,
        keys: Keys | None = None,
    ) -> None:
        self._settings = settings
        self._providers = providers(settings.servers)
        self._keys = keys or model_keys(self._providers)
        self.spend = spend or Spend(load_prices(settings.prices))
        self._on_call = on_call
        self._recalled = recalled or {}
        self._on_end = on_end
        self._ended = ended
        self._numbers = itertools.count(tries + 1)
        self._turns = asyncio.Semaphore(settings.at_once)
        self._hosted: dict[str, HostedModel] = {}
        self._holding = False

    def of(self, role: Role) -> Model:
        """The model of `role`. Raises UserError where the settings name none, or its key is not set; MissingExtra."""
        named = model_of(role, self._settings)
        if named is None:
            stand_in = FALLS_BACK_ON.get(role)
            instead = f", or AFFIDAVIT_MODELS__{stand_in.upper()}" if stand_in else ""
            raise UserError(
                f"no model is named for the role {role.value}: set AFFIDAVIT_MODELS__{role.upper()}{instead} to "
                "provider:name, as in openai:gpt-6-luna (`affidavit doctor` lists roles and providers)"
            )
        return self.named(named, role)

    def named(self, model: str, role: Role) -> Model:
        """The model that is written ``provider:name``, in `role`. Raises as `of` does."""
        parsed = model_name(model, self._providers, f"models.{role.value}")
        name = str(parsed)
        if name not in self._hosted:
            seconds = self._settings.seconds
            hosted = HostedModel(parsed, self._keys, user_agent=user_agent(None), seconds=seconds)
            if self._holding:
                hosted.hold()
            self._hosted[name] = hosted
        return self.around(self._hosted[name], role)

    def around(self, model: Model, role: Role) -> Model:
        """`model` with everything around it. For a model of your own, a ScriptedModel among them."""
        recorded = Recorded(
            model,
            role.value,
            self.spend,
            self._on_call,
            recalled=self._recalled,
            numbers=self._numbers,
        )
        queued = _Queued(Retrying(recorded, self._settings.seconds), self._turns)
        return Structured(Ended(queued, self._on_end, ended=self._ended))

    def secrets(self) -> tuple[str, ...]:
        """The keys, for whoever must keep them out of what is written."""
        return self._keys.secrets()

    async def __aenter__(self) -> "Cast":
        self._holding = True
        for hosted in self._hosted.values():
            hosted.hold()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._holding = False
        for hosted in self._hosted.values():
            await hosted.aclose()


class _Queued:
    """`inner`, in turn. The wait for a turn is nobody's deadline."""

    def __init__(self, inner: Model, turns: asyncio.Semaphore) -> None:
        self._inner = inner
        self._turns = turns

    @property
    def name(self) -> str:
        return self._inner.name

    async def complete(self, request: ModelRequest) -> ModelReply:
        async with self._turns:
            return await self._inner.complete(request)
