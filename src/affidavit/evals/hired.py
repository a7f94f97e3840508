"""The models that a person named for a suite, and the run that records what they say.

A suite uses no model unless one is named for it in so many words: settings that name one for writing or judging would
else spend money on every measuring, and its floors would be of whatever stood there.
"""

from collections.abc import Mapping

from affidavit.errors import UserError
from affidavit.evals.pairwise import neutral
from affidavit.models.account import Account
from affidavit.models.call import Call, Ending
from affidavit.models.cast import Cast
from affidavit.models.context import Context
from affidavit.models.prices import load_prices
from affidavit.models.roles import Role
from affidavit.models.spend import Spend
from affidavit.research.tools import Log
from affidavit.settings import Settings, load_settings
from affidavit.staff import record_ending, record_model


class Hired:
    """`roles` are those that were named; with `own_judge` a judge may be the model of the writer. Raises UserError for
    a writer without a reviewer, and for one that reviews or judges itself."""

    def __init__(self, settings: Settings, roles: Mapping[Role, str], *, own_judge: bool = False) -> None:
        self.roles = roles
        self.account = Account()
        self.notes: tuple[str, ...] = ()
        self._settings = settings
        self._spend = Spend(load_prices(settings.models.prices), settings.max_usd)
        self._log: Log | None = None
        writer, reviewer, judge = (roles.get(role) for role in (Role.WRITER, Role.REVIEWER, Role.JUDGE))
        if (writer is None) != (reviewer is None):
            raise UserError(
                "name a writer and a reviewer together: --model writer=PROVIDER:NAME --model reviewer=PROVIDER:NAME"
            )
        if writer is not None and reviewer is not None:
            insist = "AFFIDAVIT_MODELS__VERIFY_OWN=true"
            said = neutral(reviewer, [writer], own=settings.models.verify_own, insist=insist)
            self.notes += (said,) if said else ()
        if judge is not None and writer is not None:
            said = neutral(judge, [writer], own=own_judge)
            self.notes += (said,) if said else ()
        if judge is not None and judge == reviewer:
            self.notes += (f"{judge} also reviewed the pieces of the full variant, which it then judged",)

    @classmethod
    def nobody(cls) -> "Hired":
        """No model."""
        return cls(load_settings(), {})

    def charge(self, log: Log) -> None:
        """From here on, what is said goes to the run that `log` is of."""
        self._log = log

    def record(self, event_type: str, payload: Mapping[str, object]) -> None:
        """Append an event to the run; nothing where there is none."""
        if self._log is not None:
            self._log.record(event_type, payload)

    @property
    def context(self) -> Context:
        """What a model reads in one call."""
        return Context(self._settings.models.context_tokens)

    def cast(self) -> Cast:
        """The models, to be opened in the event loop that asks them. Each call is paid from one purse and recorded."""
        return Cast(self._settings.models, spend=self._spend, on_call=self._told, on_end=self._ended)

    def _told(self, call: Call) -> None:
        record_model(self._of_run())(call)
        self.account.take(call)

    def _ended(self, ending: Ending) -> None:
        record_ending(self._of_run())(ending)

    def _of_run(self) -> Log:
        if self._log is None:
            raise RuntimeError("a model was asked for no run: charge() one first")
        return self._log
