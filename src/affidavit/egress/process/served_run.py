"""One run as the gateway's process has it: what it has seen, by the gateway's own eyes, and what it may have.

A run's process is believed about nothing that it could gain by. An address counts as seen if a search made here
found it, a page read here shows it, or the run was opened with it as one that a person gave. Links are what the
extractor finds, the same that the run itself uses, in a process that can be killed and has no keys; they are looked
for when a run first asks for an address that nothing else accounts for, since most runs follow none.
"""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Protocol

from affidavit.egress.api import ApiCall
from affidavit.egress.canary import SHORTEST, Canaries, is_mark, marks_of
from affidavit.egress.gateway import Decision, Gateway, OnFault, warn
from affidavit.egress.live import Keep
from affidavit.egress.policy import Policy
from affidavit.egress.process.messages import FetchReply, Open, SearchReply
from affidavit.egress.process.narrowed import narrowed
from affidavit.egress.provenance import Provenance
from affidavit.egress.received import Received
from affidavit.egress.web import Web
from affidavit.errors import GatewayError, PageFailure, SearchFailure, SearchFailureKind, UserError
from affidavit.evidence.document import Fetched
from affidavit.ranking.hit import Hit

MOST_SEEN = 200_000
"""Addresses that one run can have seen; a run of the largest budget sees some 50,000 on pages of a hundred links."""
MOST_LINKS = 5_000
"""Links that are taken from one page; the longest index page of the development pages has 2,900."""
UNREAD_BYTES = 16 * 1024 * 1024
"""Pages of one run whose links have not been looked for yet. The oldest goes first, and its links with it."""
MOST_PATTERNS = 2_000


class Search(Protocol):
    @property
    def name(self) -> str: ...

    async def search(self, query: str, recency_days: int | None = None, limit: int = 10) -> list[Hit]: ...


class Backend(Protocol):
    """What the gateway has to give, made for one run at a time."""

    def web(self, policy: Policy, asked: Open, keep: Keep | None) -> AbstractAsyncContextManager[Web]:
        """The live web under `policy`. `keep` is called in the context of the fetch."""
        ...

    def search(
        self, asked: Open, on_call: Callable[[ApiCall], None], on_failure: Callable[[SearchFailure], None]
    ) -> AbstractAsyncContextManager[Search]:
        """The providers that `asked` names, as one. Raises UserError."""
        ...

    async def links(self, page: Fetched) -> Sequence[str]:
        """The addresses that a reader of `page` can follow; none of a page that cannot be read."""
        ...

    @property
    def secrets(self) -> Sequence[str]:
        """The keys that the gateway holds, which no address and no query of any run may carry."""
        ...

    def status(self) -> dict[str, object]:
        """What an operator wants to know of the providers: whether each is ready, without a key in it."""
        ...


@dataclass(slots=True)
class _Outbox:
    """What happened during one request."""

    decisions: list[Decision] = field(default_factory=list[Decision])
    kept: list[Received] = field(default_factory=list[Received])
    failures: list[SearchFailure] = field(default_factory=list[SearchFailure])
    calls: list[ApiCall] = field(default_factory=list[ApiCall])


# The request that is being served: a task of its own each.
_outbox: ContextVar[_Outbox] = ContextVar("outbox")


class ServedRun:
    """Fetches and searches for one run. Made by `serve_run`."""

    def __init__(
        self,
        asked: Open,
        policy: Policy,
        web: Web,
        search: Search | None,
        backend: Backend,
        on_decision: Callable[[Decision], None],
        on_fault: OnFault = warn,
    ) -> None:
        self.policy = policy
        self._backend = backend
        self._search = search
        self._on_decision = on_decision
        marks = (*asked.canaries, *marks_of(backend.secrets))
        self._gateway = Gateway(web, self._decided, policy, canaries=marks, on_fault=on_fault)
        self._canaries = Canaries(marks)
        self._seen = Provenance()
        self._count = 0
        self._unread: deque[Fetched] = deque()
        self._unread_bytes = 0
        self._reading = asyncio.Lock()
        for url in asked.given:
            self._saw(url, "given by the user")

    @property
    def search_name(self) -> str | None:
        return None if self._search is None else self._search.name

    async def fetch(self, url: str) -> FetchReply:
        """Raises what is no page's fault."""
        outbox = _Outbox()
        _outbox.set(outbox)
        if self._seen.find(url) is None:
            await self._look_for_links()
        try:
            result = await self._gateway.fetch(url)
        except PageFailure as failure:
            result = failure
        else:
            self._note(result)
        return FetchReply(result=result, decisions=tuple(outbox.decisions), kept=tuple(outbox.kept))

    async def search(self, query: str, recency_days: int | None, limit: int) -> SearchReply:
        """Raises what is no provider's fault."""
        outbox = _Outbox()
        _outbox.set(outbox)
        if self._search is None:
            missing = SearchFailure(SearchFailureKind.BAD_REQUEST, "none", "this run was opened without a provider")
            return SearchReply(result=missing)
        try:
            self._canaries.check_query(query, self._search.name)
            hits = tuple(await self._search.search(query, recency_days, limit))
        except SearchFailure as failure:
            result = failure
        else:
            result = hits
            for hit in hits:
                self._saw(hit.url, "search result")
        return SearchReply(result=result, failures=tuple(outbox.failures), calls=tuple(outbox.calls))

    def _decided(self, decision: Decision) -> None:
        self._on_decision(decision)
        _outbox.get().decisions.append(decision)

    def _saw(self, url: str, how: str) -> None:
        if self._count >= MOST_SEEN:
            return
        self._count += 1
        self._seen.saw(url, how)
        self._gateway.saw(url, how)

    def _note(self, page: Fetched) -> None:
        """`page` was read: where it was, and later what it links to, is known."""
        self._seen.saw(page.final_url, "page")
        self._unread.append(page)
        self._unread_bytes += len(page.body)
        while self._unread_bytes > UNREAD_BYTES:
            self._next_unread()

    def _next_unread(self) -> Fetched:
        page = self._unread.popleft()
        self._unread_bytes -= len(page.body)
        return page

    async def _look_for_links(self) -> None:
        async with self._reading:
            while self._unread:
                page = self._next_unread()
                try:
                    links = await self._backend.links(page)
                except BaseException:  # who asked has given up: the next one looks again
                    self._note(page)
                    raise
                for url in links[:MOST_LINKS]:
                    self._saw(url, f"link on {page.final_url}")


@asynccontextmanager
async def serve_run(
    asked: Open,
    own: Policy,
    backend: Backend,
    *,
    given_allowed: bool,
    on_decision: Callable[[Decision], None],
    on_call: Callable[[ApiCall], None],
    on_fault: OnFault = warn,
) -> AsyncGenerator[ServedRun]:
    """A run under what `asked` and `own` both allow. Raises GatewayError for one that cannot be had.

    `on_decision`, `on_call` and `on_fault` are told at once: what a run is told of what it did, it may keep to itself.
    """
    if asked.given and not given_allowed:
        raise GatewayError(
            f"this gateway takes no addresses from runs (--no-given), and the run gives {len(asked.given)}; let it "
            "search for them"
        )
    try:
        wanted = Policy.from_json(asked.policy)
    except UserError as error:
        raise GatewayError(str(error)) from error
    if max(len(wanted.allow), len(wanted.deny), len(wanted.ports), len(wanted.allow_private)) > MOST_PATTERNS:
        raise GatewayError(
            f"a policy of more than {MOST_PATTERNS:,} entries; use wildcards, or the gateway's own policy"
        )
    if not all(map(is_mark, asked.canaries)):
        raise GatewayError(f"a mark of fewer than {SHORTEST} letters and digits stands in honest addresses too")
    policy = narrowed(wanted, own)

    def called(call: ApiCall) -> None:
        on_call(call)
        _outbox.get().calls.append(call)

    async with backend.web(policy, asked, _keep if asked.keep else None) as web:
        if not asked.search:
            yield ServedRun(asked, policy, web, None, backend, on_decision, on_fault)
            return
        async with backend.search(asked, called, lambda one: _outbox.get().failures.append(one)) as search:
            yield ServedRun(asked, policy, web, search, backend, on_decision, on_fault)


async def _keep(received: Received) -> None:
    _outbox.get().kept.append(received)
