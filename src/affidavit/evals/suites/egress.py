"""`egress`: what a run may ask of the web, put to the gateway over real sockets, and whether anything else went out.

A row is one address that a model asks for, or one search, with all that decides about it: what the run has seen, the
policy, what names resolve to, what servers reply. It expects `fetched` or `answered`, or the reason of a refusal.
`reached` lists all that may arrive at a server (host and path, without scheme); whatever else arrives has strayed.
"""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from typing import Any

from pydantic import BaseModel, ConfigDict, model_validator

from affidavit.egress.api import ApiRequest, HttpApi, own_hosts
from affidavit.egress.client import user_agent
from affidavit.egress.endpoints import endpoints, key_variables
from affidavit.egress.gateway import Decision, Gateway
from affidavit.egress.keys import Keys
from affidavit.egress.live import LiveWeb
from affidavit.egress.policy import Policy
from affidavit.egress.politeness import Politeness
from affidavit.egress.received import Limits
from affidavit.egress.transport import PinnedTransport
from affidavit.errors import AffidavitError, PageFailure, UserError
from affidavit.evals.agreement import Share
from affidavit.evals.loopback import PUBLIC, ROBOTS, Asked, Detour, Loopback, Names, Reply
from affidavit.evals.records import Records
from affidavit.evals.rows import Row, read_row
from affidavit.evals.suite import Case, CaseState, Figure, Measured, Progress, counted
from affidavit.ledger.event import BEGUN, Event
from affidavit.ledger.violation import violations

FETCHED, ANSWERED = "fetched", "answered"
"""The outcomes of what is let through; all others are refusals, or failures of a reply that is not to be read."""
SECONDS = 10.0
"""A search may take."""
_SENT = frozenset({"host", "user-agent", "accept", "accept-encoding"})
_KEY = "key-of-a-provider-000000"


class Search(BaseModel):
    """What is asked of a search API; with `key`, by somebody who has one for it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    endpoint: str
    params: tuple[tuple[str, str], ...] = ()
    body: dict[str, Any] | None = None
    own: dict[str, str] = {}


class EgressRow(Row):
    """`seen` are the run's search results (default: `url` itself), `links` the addresses on pages that it has read,
    `first` pages that it fetches before. `names` are the answers of the resolver, `dials` the addresses that may be
    connected to."""

    url: str = ""
    search: Search | None = None
    seen: tuple[str, ...] | None = None
    links: dict[str, tuple[str, ...]] = {}
    first: tuple[str, ...] = ()
    policy: dict[str, Any] = {}
    canaries: tuple[str, ...] = ()
    names: dict[str, tuple[str, ...] | tuple[tuple[str, ...], ...] | None] = {}
    replies: dict[str, Reply] = {}
    limits: Limits = Limits()
    expect: str
    reached: tuple[str, ...] = ()
    dials: tuple[str, ...] = (PUBLIC,)

    @model_validator(mode="after")
    def _asks(self) -> "EgressRow":
        if bool(self.url) == (self.search is not None):
            raise ValueError("give a url or a search")
        return self

    @property
    def let_through(self) -> bool:
        return self.expect in (FETCHED, ANSWERED)


class EgressSuite:
    name = "egress"
    about = "addresses and searches put to the gateway: what must be refused is, and nothing else goes out"
    version = "1"
    data = "egress.jsonl"

    def measure(self, records: Records, progress: Progress) -> Measured:
        rows = [read_row(EgressRow, placed) for placed in records.rows]
        outcomes = asyncio.run(_asked(rows, progress))
        cases: list[Case] = []
        refused: list[Case] = []
        let_through: list[Case] = []
        strayed = 0
        for row, (outcome, stray) in zip(rows, outcomes, strict=True):
            good = outcome == row.expect
            told = [] if good else [f"wanted {row.expect}, got {outcome}"]
            told += [f"went out: {one}" for one in stray]
            cases.append(_case(row, not told, "; ".join(told)))
            strayed += bool(stray)
            kept = (outcome in (FETCHED, ANSWERED)) == row.let_through
            (let_through if row.let_through else refused).append(_case(row, kept, ""))
        return Measured(
            tuple(cases),
            (
                counted("refused", "of what must be refused or not read, that was", refused),
                counted("let_through", "of what may be asked for and read, that was", let_through),
                counted("as_expected", "of all, with the outcome and reason expected, and nothing else", cases),
                Figure(
                    name="strayed",
                    about="of all, those of which something went out that should not",
                    share=Share(strayed, len(cases)),
                    more_is_better=False,
                ),
            ),
        )


def _case(row: EgressRow, good: bool, detail: str) -> Case:
    state = CaseState.RIGHT if good else CaseState.WRONG
    return Case(row.id, row.kind, CaseState.COULD_NOT_CHECK if row.debatable else state, detail)


def _tell_nobody(*_: object) -> None:
    """The outcome tells that a fetch crashed."""


Outcome = tuple[str, Sequence[str]]
"""What came of a row, and what went out that should not have."""


async def _asked(rows: Sequence[EgressRow], progress: Progress) -> list[Outcome]:
    found: list[Outcome] = []
    async with Loopback() as server:
        for row in rows:
            server.play(row.replies)
            detour = Detour(server.port)
            asked = _searched if row.search is not None else _fetched
            outcome, broken = await asked(row, detour)
            found.append((outcome, [*_strayed(row, server.asked), *_astray(row, detour), *broken]))
            progress(len(found), len(rows))
    return found


async def _fetched(row: EgressRow, detour: Detour) -> Outcome:
    """The fetch of `url`, by a run that has seen what it has; its decisions are held against what no run may do."""
    policy = Policy.from_json(row.policy)
    decisions: list[Decision] = []
    transport = PinnedTransport(Names(row.names), allow_private=policy.allow_private, dialler=detour)
    agent, quick = user_agent(None), Politeness(at_once=20, interval=0)
    async with LiveWeb(transport, agent=agent, limits=row.limits, types=policy.types, politeness=quick) as web:
        gateway = Gateway(web, decisions.append, policy, canaries=row.canaries, on_fault=_tell_nobody)
        results = [*row.links, *row.first, *((row.url,) if row.seen is None else row.seen)]
        for url in results:
            gateway.saw(url, "search result")
        for page, links in row.links.items():
            await gateway.fetch(page)
            for link in links:
                gateway.saw(link, f"link on {page}")
        for url in row.first:
            with suppress(PageFailure):
                await gateway.fetch(url)
        try:
            await gateway.fetch(row.url)
            outcome = FETCHED
        except PageFailure as failure:
            last = decisions[-1]
            outcome = failure.kind.value if last.allowed else last.reason
    return outcome, _forbidden(policy, results, decisions)


def _forbidden(policy: Policy, results: Sequence[str], decisions: Sequence[Decision]) -> list[str]:
    """What the judge of every run finds in the record of this one."""
    settings = {"web_policy": policy.as_json()}
    hits = {"provider": "rows", "query": "", "hits": [{"url": url} for url in results]}
    told: list[tuple[str, Mapping[str, object]]] = [
        (BEGUN, {"kind": "eval", "question": None, "settings": settings, "product": ""}),
        ("search", hits),
        *(("gateway", asdict(one)) for one in decisions),
    ]
    events: list[Event] = []
    for kind, payload in told:
        before = events[-1] if events else None
        events.append(
            Event.following(before, run_id="run_1", event_type=kind, at="2026-01-01T00:00:00Z", payload=payload)
        )
    return [f"{one.rule}: {one.detail}" for one in violations(events)]


async def _searched(row: EgressRow, detour: Detour) -> Outcome:
    """The search, by somebody who has every key. The API's name is all that its caller chooses."""
    assert row.search is not None
    try:
        table = endpoints("en", row.search.own)
    except UserError:
        return "no_address", ()
    keys = Keys(dict.fromkeys(key_variables().values(), _KEY))
    transport = PinnedTransport(Names(row.names), allow_private=own_hosts(table.values()), dialler=detour)
    request = ApiRequest(endpoint=row.search.endpoint, params=row.search.params, body=row.search.body)
    agent = user_agent(None)
    async with HttpApi(table.values(), keys, transport=transport, user_agent=agent, on_call=_tell_nobody) as api:
        try:
            await api.send(request, SECONDS)
        except PageFailure as failure:
            return failure.kind.value, ()
        except UserError:
            return "no_endpoint", ()
        except AffidavitError:
            return "method", ()
    return ANSWERED, ()


def _strayed(row: EgressRow, asked: Sequence[Asked]) -> list[str]:
    """The requests that arrived and should not have, or that carried what no request may. The robots.txt of a site is
    asked for where a page of it is."""
    sites = {place[: place.index("/")] for place in row.reached}
    found: list[str] = []
    for one in asked:
        site, path = one.place[: one.place.index("/")], one.place[one.place.index("/") :]
        if one.place not in row.reached and not (path == ROBOTS and site in sites):
            found.append(f"{one.method} {one.place[:200]}")
        elif row.search is None and (one.method != "GET" or not _SENT.issuperset(one.headers)):
            found.append(f"{one.method} {one.place[:200]} with {', '.join(sorted(one.headers.keys() - _SENT))}")
    return found


def _astray(row: EgressRow, detour: Detour) -> list[str]:
    return [f"a connection to {address}" for address in detour.dialled if address not in row.dials]
