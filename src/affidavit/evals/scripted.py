"""Whole runs of the research loop over stored pages, played by a script or by models, and what they came to.

Search, gateway, extraction, tools, budgets, verifier and ledger are the product's own; a script stands where a paid
model would. What it says goes the way of a provider's reply: arguments are text until they are read as JSON.
"""

import asyncio
import itertools
import json
import re
import tempfile
from collections.abc import AsyncGenerator, Callable, Generator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from importlib.resources import as_file
from pathlib import Path
from typing import Any

from affidavit.evals.hired import Hired
from affidavit.evals.read_once import PATIENT
from affidavit.evals.records import shipped_file
from affidavit.evidence.answer import Answer
from affidavit.evidence.envelope import unescape
from affidavit.house import House, StaffMaker, open_house
from affidavit.ledger import Ledger
from affidavit.models.cast import Cast
from affidavit.models.model import Model
from affidavit.models.prices import load_prices
from affidavit.models.reply import Finish, ModelReply, Usage
from affidavit.models.request import ModelRequest, ToolCall, message_json
from affidavit.models.roles import Role
from affidavit.models.scripted import said
from affidavit.models.spend import Spend
from affidavit.models.tidy import read_arguments
from affidavit.reach import Reach
from affidavit.research.ask import Ask
from affidavit.research.plan import make_plan
from affidavit.research.recalled import Calls
from affidavit.research.tools import Log
from affidavit.settings import Models, Settings, load_settings
from affidavit.staff import Staff, VerifierMaker, crew_of, record_ending, record_model, verifier_of
from affidavit.wiring import open_ledger

PAGES = "pages.warc.gz"
NAME = "scripted:researcher"
AT_ONCE = 4
"""Runs under way at a time: half of a run's time it waits for a disk, or for the process that reads pages."""
_PAGE = re.compile(r'doc_id="(doc_[0-9a-f]{16})" source="([^"]*)"')
_SPAN = re.compile(r"span_[0-9a-f]{16}")
_QUOTED = re.compile(r'<untrusted_span [^>]*?id="(span_[0-9a-f]{16})"[^>]*>\n(.*?)\n</untrusted_span', re.DOTALL)
_URL = re.compile(r"https?://[^\s<>\"]+")


@dataclass(frozen=True, slots=True)
class Shown:
    """What a request shows its model: the addresses listed, the pages read, the quotations taken, each in order."""

    text: str

    @classmethod
    def of(cls, request: ModelRequest) -> "Shown":
        return cls("\n".join(str(message_json(message)["text"]) for message in request.messages))

    @property
    def listed(self) -> list[str]:
        return list(dict.fromkeys(_URL.findall(self.text)))

    @property
    def pages(self) -> dict[str, str]:
        """``doc_id`` by address."""
        return {source: doc_id for doc_id, source in _PAGE.findall(self.text)}

    @property
    def spans(self) -> list[str]:
        return list(dict.fromkeys(_SPAN.findall(self.text)))

    @property
    def quoted(self) -> dict[str, str]:
        """Text by ``span_id``, of the quotations that are shown whole."""
        return {span: unescape(text) for span, text in _QUOTED.findall(self.text)}


def planned(question: str) -> ModelReply:
    """The plan that leaves a question as it is."""
    return said(json.dumps({"subquestions": [question]}))


def calling(*calls: tuple[str, object], text: str = "", finish: Finish = Finish.TOOL_CALL) -> ModelReply:
    """A reply with `text` and calls of tools. Arguments that are text stand as they were written, right or wrong."""
    made: list[ToolCall] = []
    for number, (name, given) in enumerate(calls, 1):
        arguments, problem, _ = read_arguments(given if isinstance(given, str) else json.dumps(given))
        made.append(ToolCall(call_id=f"call_{number}", name=name, arguments=arguments, problem=problem))
    usage = Usage(input=10, output=5)
    return ModelReply(text=text, calls=tuple(made), usage=usage, finish=finish, model=NAME, latency=0.0)


class GoesOn:
    """A convergence check that always finds something new to do: what ends a run is the runtime."""

    name = f"{NAME}-check"

    def __init__(self) -> None:
        self._numbers = itertools.count()

    async def complete(self, request: ModelRequest) -> ModelReply:  # noqa: ARG002 - it looks at nothing
        word = "".join("abcdefghij"[int(digit)] * 3 for digit in str(next(self._numbers)))
        action = f"Open the {word} register of the {word}{word} archive"
        found = {"coverage": [], "decision": "CONTINUE", "next_action": action, "reason": "so says the script"}
        return said(json.dumps(found))


@dataclass(slots=True)
class _Part:
    """Who plays the run in hand (None: whoever was hired), and which run that is."""

    researcher: Model | None
    run_id: str = ""


_part: ContextVar[_Part] = ContextVar("part")


@asynccontextmanager
async def _played(
    settings: Settings,
    log: Log,
    open_verifier: VerifierMaker,
    *,
    calls: Calls | None = None,  # noqa: ARG001 - no run of a suite is resumed
    spend: Spend | None = None,
) -> AsyncGenerator[Staff]:
    """The run's script and everything around it that is around a model; the verifier is the embedded one."""
    part = _part.get()
    part.run_id = log.run_id
    purse = spend or Spend(load_prices(), settings.max_usd)
    cast = _Scripted(settings.models, spend=purse, on_call=record_model(log), on_end=record_ending(log))
    yield Staff(crew_of(settings, cast, purse), open_verifier(verifier_of(settings), settings, cast))


class _Scripted(Cast):
    """The run's script in the place of its researcher."""

    def named(self, model: str, role: Role) -> Model:  # noqa: ARG002 - there is one script
        script = _part.get().researcher
        return self.around(script if role is Role.RESEARCHER and script is not None else GoesOn(), role)


def _of(hired: Hired) -> StaffMaker:
    """Runs of the models that were named, paid from one purse and recorded in the suite's own run."""

    @asynccontextmanager
    async def staff(
        settings: Settings,
        log: Log,
        open_verifier: VerifierMaker,
        *,
        calls: Calls | None = None,  # noqa: ARG001 - no run of a suite is resumed
        spend: Spend | None = None,  # noqa: ARG001
    ) -> AsyncGenerator[Staff]:
        _part.get().run_id = log.run_id
        async with hired.cast() as cast:
            verifier = open_verifier(verifier_of(settings), settings, cast)
            yield Staff(crew_of(settings, cast, cast.spend), verifier)

    return staff


@dataclass(frozen=True, slots=True)
class Ran:
    """A run that came to its end, or the error that ended it. `events` are type and payload, in order."""

    answer: Answer | None
    events: Sequence[tuple[str, Mapping[str, Any]]]
    failed: str = ""

    def of(self, event_type: str) -> list[Mapping[str, Any]]:
        return [payload for kind, payload in self.events if kind == event_type]


class Stage:
    """A house over stored pages whose runs are kept nowhere: they are parts of a suite, not runs of the user's."""

    def __init__(self, house: House, ledger: Ledger, max_subquestions: int) -> None:
        self._house = house
        self._ledger = ledger
        self._most = max_subquestions

    def play(self, parts: Sequence[tuple[str, Model | None]], on_done: Callable[[], None]) -> list[Ran]:
        """What came of each question, asked of the script beside it (None: of whoever was hired), `AT_ONCE` at a time;
        `on_done` is told of each."""
        return asyncio.run(self._play(parts, on_done))

    async def _play(self, parts: Sequence[tuple[str, Model | None]], on_done: Callable[[], None]) -> list[Ran]:
        turns = asyncio.Semaphore(AT_ONCE)

        async def one(question: str, researcher: Model | None) -> Ran:
            async with turns:
                ran = await self._ask(question, _Part(researcher))
            on_done()
            return ran

        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(one(question, researcher)) for question, researcher in parts]
        return [task.result() for task in tasks]

    async def _ask(self, question: str, part: _Part) -> Ran:
        """An error that nobody foresaw is one of the run and ends no suite: it is what is looked for."""
        _part.set(part)
        answer, failed = None, ""
        try:
            answer = await self._house.aask(make_plan(Ask(question=question), self._most))
        except Exception as error:  # noqa: BLE001
            failed = f"{type(error).__name__}: {error}"
        events = [(event.type, event.payload) for event in self._ledger.events(part.run_id)] if part.run_id else []
        return Ran(answer, events, failed)


@contextmanager
def stage(
    web: Sequence[Path] = (), budgets: Mapping[str, Any] | None = None, hired: Hired | None = None
) -> Generator[Stage]:
    """A stage over the archives `web`, or the pages that ship, for scripts, or for the models of `hired`. Raises
    UserError for budgets that are none."""
    named = {Role.RESEARCHER: NAME} if hired is None else hired.roles
    models = Models.model_validate({role.value: name for role, name in named.items()})
    staff = _played if hired is None else _of(hired)
    with tempfile.TemporaryDirectory(prefix="affidavit-eval-") as folder, as_file(shipped_file(PAGES)) as shipped:
        given: dict[str, Any] = {**PATIENT, **(budgets or {})}
        settings = load_settings(data_dir=Path(folder), **given).model_copy(
            update={"ledger": None, "gateway": None, "models": models, "workers": 1}
        )
        reach = Reach.named([str(path) for path in web or (shipped,)])
        with open_house(settings, reach, staff=staff) as house, open_ledger(settings) as ledger:
            yield Stage(house, ledger, settings.max_subquestions)
