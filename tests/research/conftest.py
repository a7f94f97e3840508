"""A run with a scripted model over real pages: real search, gateway, extraction, verifier guards and ledger."""

import asyncio
import dataclasses
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from affidavit.egress.archive import open_archive
from affidavit.egress.gateway import Gateway
from affidavit.egress.web import ArchiveWeb
from affidavit.evidence.answer import Answer
from affidavit.evidence.document import Document, Fetched
from affidavit.extract import EXTRACTORS
from affidavit.extract.worker import Workers
from affidavit.ledger import Ledger
from affidavit.ledger.event import Event
from affidavit.ledger.violation import refuse_violations
from affidavit.models.call import Call, Recorded
from affidavit.models.cast import Cast
from affidavit.models.context import Context
from affidavit.models.embedded.encoder import SentenceEncoder
from affidavit.models.model import Model
from affidavit.models.prices import Price, Prices, load_prices
from affidavit.models.reply import ModelReply, Usage
from affidavit.models.request import ModelRequest, message_json
from affidavit.models.roles import Role
from affidavit.models.scripted import ScriptedModel, called, said
from affidavit.models.spend import Spend
from affidavit.models.structured import Structured
from affidavit.ranking.policy import load_policy
from affidavit.research.ask import Ask
from affidavit.research.crew import Crew
from affidavit.research.loop import investigate
from affidavit.research.plan import make_plan
from affidavit.research.tools import Tools
from affidavit.search.build import Builder
from affidavit.search.embedded import EmbeddedSearch
from affidavit.settings import load_settings
from affidavit.staff import EVENTS
from affidavit.verify import Guarded
from affidavit.verify.model import ModelVerifier

PAGES = {
    "pier.md": "# Aldersbrook pier\n\nThe pier at Aldersbrook was closed in March 1988 after a storm. It had carried "
    "40 tonnes of rail freight a day.\n\nThe pier was rebuilt in 1994 at a cost of $3.4 million. The borough "
    "council owns it.\n\nManufacturers of the new deck must report every crack to the council.\n",
    "mill.md": "# Aldersbrook mill\n\nThe mill at Aldersbrook was rebuilt in 1911 after the great fire. It grinds "
    "wheat for four villages to this day.\n\nThe miller is paid by the village. The baker is paid by the village.\n",
    "keeper.md": "# The keeper of the pier\n\nMiriam Holt was keeper of Aldersbrook pier from 1961 to 1988. She kept a "
    "log of every ship.\n",
}
_SPAN = re.compile(r"span_[0-9a-f]{16}")


def text_of(request: ModelRequest) -> str:
    return "\n".join(str(message_json(message)["text"]) for message in request.messages)


def spans_in(request: ModelRequest) -> list[str]:
    return list(dict.fromkeys(_SPAN.findall(text_of(request))))


def search(query: str, **more: object) -> ModelReply:
    return called(("web_search", {"query": query, **more}))


def fetch(*names: str) -> Callable[[ModelRequest], ModelReply]:
    """Fetches those of the listed addresses that end in `names`."""

    def reply(request: ModelRequest) -> ModelReply:
        listed = list(dict.fromkeys(re.findall(r"https?://\S+", text_of(request))))
        urls = [next((url for url in listed if url.rstrip("/").endswith(name)), name) for name in names]
        return called(("fetch_page", {"urls": urls}))

    return reply


def quote(name: str, locator: str, **more: object) -> Callable[[ModelRequest], ModelReply]:
    """Quotes from the page whose address ends in `name`."""

    def reply(request: ModelRequest) -> ModelReply:
        found = re.search(rf'doc_id="(doc_[0-9a-f]{{16}})" source="[^"]*{re.escape(name)}"', text_of(request))
        doc_id = found[1] if found else "doc_0000000000000000"
        arguments = {"doc_id": doc_id, "locator": locator, "purpose": "support_claim", **more}
        return called(("extract_quote", arguments))

    return reply


def draft(*claims: tuple[str, int] | Mapping[str, object], summary: str = "", **more: object) -> Any:
    """A draft of claims, each with the number of the quotation it stands on, from 0 in the order they were taken."""

    def reply(request: ModelRequest) -> ModelReply:
        spans = spans_in(request)
        made: list[Mapping[str, object]] = []
        for claim in claims:
            if isinstance(claim, tuple):
                claim = {"text": claim[0], "span_ids": [spans[claim[1]]]}
            made.append({"confidence": "high", **claim})
        return called(("draft_answer", {"claims": made, "summary": summary, **more}))

    return reply


def plan(*subquestions: str) -> ModelReply:
    return said(json.dumps({"subquestions": list(subquestions)}))


def go_on(number: int = 0) -> Callable[[ModelRequest], ModelReply]:
    """The convergence check says to go on, with an action that nobody has tried."""

    def reply(request: ModelRequest) -> ModelReply:
        word = "abcdefghijklmnopqrstuvwxyz"[number % 26] * 4
        action = f"Open the {word}{word} register of harbour deeds number {word}"
        return checked("CONTINUE", action, [(1, [], "thin")])

    return reply


def checked(decision: str, action: str | None, coverage: Sequence[tuple[int, Sequence[str], str]]) -> ModelReply:
    covered = [{"subquestion": n, "span_ids": list(ids), "state": state} for n, ids, state in coverage]
    found = {"coverage": covered, "decision": decision, "next_action": action, "reason": "because"}
    return said(json.dumps(found))


def supporting(request: ModelRequest) -> ModelReply:
    """A judge that agrees with every claim, denies its denial, and quotes what is there."""
    if "It is not true that" in text_of(request):
        found = {"contains_instructions": False, "quote_used": None, "unsupported_element": None}
        return said(json.dumps(found | {"verdict": "NOT_SUPPORTED"}))
    return agreeing(request)


def agreeing(request: ModelRequest) -> ModelReply:
    """A judge that agrees with whatever it is asked, and quotes what is there."""
    span = text_of(request).split("\n", 1)[1].split("\n</untrusted_span")[0]
    words = " ".join(span.split()[:8])
    said_ = {"contains_instructions": False, "quote_used": words, "unsupported_element": None, "verdict": "SUPPORTED"}
    return said(json.dumps(said_))


def judging(verdict: str, element: str | None, when: str) -> Callable[[ModelRequest], ModelReply]:
    """A judge that says `verdict` of claims with `when` in them, and agrees with the others."""

    def reply(request: ModelRequest) -> ModelReply:
        if when not in text_of(request).split("<claim", 1)[1]:
            return supporting(request)
        found = {"contains_instructions": False, "quote_used": None, "unsupported_element": element, "verdict": verdict}
        return said(json.dumps(found))

    return reply


@dataclass
class Ran:
    """A finished run: its answer, its events, and the models that played it."""

    answer: Answer
    events: Sequence[Event]
    researcher: ScriptedModel
    convergence: ScriptedModel
    steps: list[tuple[str, str]] = field(default_factory=list)

    def of(self, event_type: str) -> list[Mapping[str, Any]]:
        return [event.payload for event in self.events if event.type == event_type]

    @property
    def published(self) -> list[str]:
        return [item.claim.text for item in self.answer.claims]

    def last_result(self, number: int) -> str:
        """The last message of the request with that number: what the model was told then."""
        return str(message_json(self.researcher.requests[number].messages[-1])["text"])


class Honest:
    """`inner`, which counts what it read and wrote as a provider would: never more tokens than bytes, nor than it may
    write. What it costs follows from its price."""

    def __init__(self, inner: ScriptedModel) -> None:
        self._inner = inner
        self.name = inner.name

    async def complete(self, request: ModelRequest) -> ModelReply:
        reply = await self._inner.complete(request)
        read = len(str(request.as_json()).encode()) // 3
        wrote = min(request.max_tokens, 20 + len(str(reply.as_json())) // 4)
        return dataclasses.replace(reply, usage=Usage(input=read, output=wrote))


PRICED = Prices({"scripted:*": Price(input=Decimal(3), output=Decimal(15), as_of=date(2026, 11, 30), source="a test")})


class World:
    """Pages with a search over them, for as many runs as a test likes."""

    def __init__(self, folder: Path, cache: Path, workers: Workers, stack: ExitStack) -> None:
        self.archive = open_archive(folder)
        builder = Builder(cache, lambda: workers, EXTRACTORS, lambda *_: None, lambda _: None)
        self.search = stack.enter_context(EmbeddedSearch.open([self.archive], builder))
        self.workers = workers
        self.encoder = SentenceEncoder()
        self.cache = cache
        self.count = 0

    async def _extract(self, fetched: Fetched) -> Document:
        return await asyncio.wrap_future(self.workers.submit(fetched))

    def ask(
        self,
        script: Sequence[Any],
        *,
        question: str | None = "When was Aldersbrook pier closed?",
        claim: str | None = None,
        falsifier: str | None = None,
        convergence: Sequence[Any] | None = None,
        judge: Any = supporting,
        verifier: Any = None,
        limit: Any = None,
        changed: Callable[[Tools], Tools] = lambda tools: tools,
        task: Callable[[Any], Any] = asyncio.run,
        retrying: bool = True,
        prices: Prices | None = None,
        **budgets: Any,
    ) -> Ran:
        settings = load_settings({}, data_dir=self.cache, cache_dir=self.cache, **budgets)
        researcher = ScriptedModel(script, name="scripted:researcher")
        meant = Honest if prices is not None else lambda model: model
        check = ScriptedModel(
            [go_on(n) for n in range(60)] if convergence is None else convergence, name="scripted:small"
        )
        judges: Model = meant(ScriptedModel([judge] * 80, name="scripted:judge"))
        spend = Spend(prices or load_prices(), limit)
        self.count += 1
        steps: list[tuple[str, str]] = []
        asked = make_plan(Ask(question=question, claim=claim, falsifier=falsifier), settings.max_subquestions)
        with Ledger.open(str(self.cache / f"ledger{self.count}.sqlite"), blobs=self.cache / "blobs") as ledger:
            recorded = settings.model_dump(mode="json", exclude={"cache_dir", "data_dir"}) | {"web_policy": None}
            with ledger.begin("ask", asked.ask.asked, recorded) as log:

                def told(call: Call) -> None:
                    log.record(EVENTS[call.state], call.as_json())

                def around(model: Model, role: Role) -> Model:
                    if retrying:
                        return cast.around(model, role)
                    return Structured(Recorded(model, role.value, spend, told))

                cast = Cast(settings.models, spend=spend, on_call=told)
                tools = Tools(
                    searches=[self.search],
                    web=Gateway(ArchiveWeb([self.archive]), lambda one: log.record("gateway", asdict(one)) and None),
                    extract=self._extract,
                    verifier=verifier or Guarded(ModelVerifier(around(judges, Role.VERIFIER))),
                    encoder=self.encoder,
                    policy=load_policy(None),
                    log=log,
                    keep=ledger.blobs.put,
                    now=lambda: datetime(2026, 6, 30, tzinfo=UTC),
                    progress=lambda phase, detail: steps.append((phase, detail)),
                )
                crew = Crew(
                    researcher=around(meant(researcher), Role.RESEARCHER),
                    convergence=around(meant(check), Role.CONVERGENCE),
                    spend=spend,
                    replies=settings.models.reply_tokens,
                    context=Context(settings.models.context_tokens),
                )
                found = task(investigate(asked, changed(tools), crew, settings))
                refuse_violations(ledger.events(log.run_id))
                log.publish(found.answer)
            return Ran(found.answer, ledger.events(log.run_id), researcher, check, steps)


@pytest.fixture(scope="session")
def workers() -> Iterator[Workers]:
    with Workers(1, 20.0, 1024) as made:
        yield made


@pytest.fixture(scope="session")
def make_world(tmp_path_factory: pytest.TempPathFactory, workers: Workers) -> Iterator[Callable[..., World]]:
    with ExitStack() as stack:

        def make(pages: Mapping[str, str] = PAGES, *, archive: Path | None = None) -> World:
            folder = archive or tmp_path_factory.mktemp("site")
            for name, text in pages.items() if archive is None else ():
                (folder / name).write_text(text, encoding="utf-8")
            return World(folder, tmp_path_factory.mktemp("cache"), workers, stack)

        yield make


@pytest.fixture(scope="session")
def world(make_world: Callable[..., World]) -> World:
    return make_world()
