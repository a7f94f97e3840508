"""The desk of the registers: a customer's site read for facts, and what was found laid beside what persons decided.

The reading has untrusted pages and the way out; it is given no private data. Of a register it gets the public pages
that an earlier crawl remembers and nothing that a person decided or wrote: that is merged by `Registers` when
the web is closed again. So no run holds all three, and nothing that a page says can carry a customer's notes away.
"""

import asyncio
import json
from collections.abc import Generator, Sequence
from contextlib import AsyncExitStack, contextmanager
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime

from affidavit.crawl_record import GATHERED, READ, gathered, pages_read
from affidavit.egress.gateway import Gateway
from affidavit.errors import PageFailure, UserError
from affidavit.evidence.document import Document, Fetched
from affidavit.extract.kept import KeptPages
from affidavit.extract.worker import Workers
from affidavit.facts.history import CustomerRegister
from affidavit.facts.page import CrawlLimits, PageFacts
from affidavit.facts.record import pages_record
from affidavit.facts.run import FactRun, gather_facts
from affidavit.facts.store import Registers, Renewal, customer_name, stream_of
from affidavit.ledger import Ledger
from affidavit.ledger.run import RunLog
from affidavit.ledger.violation import refuse_violations
from affidavit.models.account import Account
from affidavit.models.call import Call
from affidavit.models.cast import Cast
from affidavit.models.context import Context
from affidavit.models.model import Model
from affidavit.models.prices import load_prices
from affidavit.models.roles import Role, model_of
from affidavit.models.spend import Spend
from affidavit.reach import LiveMaker, Reach, live_here
from affidavit.research.recording import Response
from affidavit.settings import Settings
from affidavit.staff import record_ending, record_model
from affidavit.wiring import Listeners, Reading, open_ledger, open_pages, open_reading, record_decision

KIND = "facts"
NOTHING = "nothing_found"
"""The state of a crawl without a fact; one with facts has `gathered`."""
LINK_ON = "link on "
"""How the gateway is told of an address that a page has: these words, and the page's own address."""
RUNS_LOOKED_AT = 50
"""The newest runs among which a crawl looks for those that were cut off."""
COST = "cost"
"""The event with what the models of the run took: recorded, since no replay can derive it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """A customer's site: `url` is where to begin, `also` are more of its pages that a person named."""

    customer: str
    url: str
    also: Sequence[str] = ()
    limits: CrawlLimits = field(default_factory=CrawlLimits)


@dataclass(frozen=True, slots=True, kw_only=True)
class Crawled:
    """What a crawl came to, and what it makes of the register: recorded, or with a dry run only told. `at` is
    when it began; `cost` is by role, empty where no model was asked."""

    run_id: str
    at: str
    run: FactRun
    renewal: Renewal
    recorded: bool
    cost: dict[str, object] = field(default_factory=dict[str, object])


class Registrar:
    """Open over the same pages for as many crawls as there are."""

    def __init__(
        self,
        settings: Settings,
        reading: Reading,
        *,
        listeners: Listeners,
    ) -> None:
        self._settings = settings
        self._pages = reading.pages
        self._ledger = reading.ledger
        self._workers = reading.workers
        self._kept = reading.kept
        self._listeners = listeners
        self.registers = Registers(reading.ledger)

    def crawl(self, site: Site, *, dry_run: bool = False) -> Crawled:
        """Read the site and renew the register of its customer. With `dry_run` the reading is recorded as any run is,
        and the register stays as it is. Raises AffidavitError; a page that cannot be read is a gap of the run."""
        return asyncio.run(self.acrawl(site, dry_run=dry_run))

    async def acrawl(self, site: Site, *, dry_run: bool = False) -> Crawled:
        """`crawl` for a program that has an event loop."""
        before = self.registers.find(customer_name(site.customer))
        customer, models, began = before.customer, self._settings.models, datetime.now(UTC)
        cut_off, known = self._known(before)
        recorded = {
            "customer": customer,
            "given": [site.url, *site.also],
            "limits": asdict(site.limits),
            "now": began.isoformat(),
            "previous": self._blob(known) if cut_off else None if before.crawl is None else before.crawl.pages,
            "web": [{"name": archive.path.name, "sha256": archive.digest} for archive in self._pages.archives],
            "live": self._pages.live is not None,
            "web_policy": self._pages.policy.as_json(),
            "extractor": model_of(Role.EXTRACTOR, models),
            "consolidator": model_of(Role.CONSOLIDATOR, models),
            "context_tokens": models.context_tokens,
            "max_usd": None if self._settings.max_usd is None else str(self._settings.max_usd),
        }
        account = Account()
        with self._ledger.begin(KIND, site.url, recorded) as log:
            run = await self._read(site, customer, known, began, log, account)
            log.record(GATHERED, gathered(run))
            log.record(COST, account.as_json())
            refuse_violations(self._ledger.events(log.run_id))
            log.finish(GATHERED if run.register.facts else NOTHING)
        renewal = self.registers.renewal(customer, run) if dry_run else self.registers.keep(customer, log.run_id, run)
        return Crawled(
            run_id=log.run_id,
            at=began.strftime("%Y-%m-%dT%H:%M:%SZ"),
            run=run,
            renewal=renewal,
            recorded=not dry_run,
            cost=account.as_json(),
        )

    def _known(self, before: CustomerRegister) -> tuple[bool, tuple[PageFacts, ...]]:
        """The pages of the customer's site that need not be read again: those of its register, and those that crawls
        read which were cut off since. Whether there are some of these comes first, and is told."""
        known = {one.page.url: one for one in self.registers.pages(before)}
        since = "" if before.crawl is None else before.crawl.at
        of = stream_of(before.customer)
        found = 0
        for run in reversed(self._ledger.runs(RUNS_LOOKED_AT)):
            theirs = run.kind == KIND and stream_of(customer_name(str(run.settings["customer"]))) == of
            if not (theirs and run.resumable and run.begun_at > since):
                continue
            pages = pages_read(self._ledger.events(run.run_id), self._ledger.blobs.get)
            known |= {one.page.url: one for one in pages}
            found += len(pages)
            if pages:
                count = f"{len(pages)} page{'s' * (len(pages) > 1)}"
                self._listeners.on_warning(f"{run.run_id} was interrupted after {count}; this crawl goes on from there")
        return found > 0, tuple(known.values())

    def _blob(self, pages: Sequence[PageFacts]) -> str:
        return self._ledger.blobs.put(json.dumps(pages_record(pages), sort_keys=True).encode())

    async def _read(
        self,
        site: Site,
        customer: str,
        known: Sequence[PageFacts],
        began: datetime,
        log: RunLog,
        account: Account,
    ) -> FactRun:
        """The site read for facts. Nothing private is here: see the top of this file."""
        record = record_model(log)

        def on_call(call: Call) -> None:
            record(call)
            account.take(call)

        def on_page(page: PageFacts) -> None:
            if page.problem is None:
                log.record(READ, {"url": page.page.url, "pages": self._blob([page])})

        settings = self._settings
        async with AsyncExitStack() as stack:
            given = [site.url, *site.also]
            web, _ = await open_pages(self._pages, settings, log, lambda _: None, stack, given)
            gateway = Gateway(web, lambda decision: record_decision(log, decision), self._pages.policy)
            spend = Spend(load_prices(settings.models.prices), settings.max_usd)
            cast = await stack.enter_async_context(
                Cast(settings.models, spend=spend, on_call=on_call, on_end=record_ending(log))
            )
            noted = _Noted(gateway, self._ledger, log, self._workers, self._kept, known)
            return await gather_facts(
                site.url,
                noted,
                noted.read,
                customer=customer,
                now=lambda: began,
                also=site.also,
                previous=known,
                extractor=_model(cast, Role.EXTRACTOR, settings),
                consolidator=_model(cast, Role.CONSOLIDATOR, settings),
                context=Context(settings.models.context_tokens),
                limits=site.limits,
                on_page=on_page,
                on_progress=self._listeners.on_step,
            )


class _Noted:
    """The gateway, and the reading of its pages, with what came and what became of it recorded. `known` are the pages
    that an earlier crawl read: what is followed from one of them that is not fetched again is recorded as such."""

    def __init__(
        self,
        gateway: Gateway,
        ledger: Ledger,
        log: RunLog,
        workers: Workers,
        kept: KeptPages,
        known: Sequence[PageFacts],
    ) -> None:
        self._gateway = gateway
        self._ledger = ledger
        self._log = log
        self._workers = workers
        self._kept = kept
        self._unread = {one.page.url: one.page.doc_id for one in known}

    def saw(self, url: str, how: str) -> None:
        page = how.removeprefix(LINK_ON)
        if how.startswith(LINK_ON) and page in self._unread:
            said = {"url": page, "doc_id": self._unread.pop(page), "same": self._log.same(page)}
            self._log.record("remembered", said)
        self._gateway.saw(url, how)

    async def fetch(self, url: str) -> Fetched:
        try:
            page = await self._gateway.fetch(url)
        except PageFailure as failure:
            self._failed(url, failure)
            raise
        self._unread.pop(page.final_url, None)
        response = Response.of(url, page, self._ledger.blobs.put(page.body))
        self._log.record("fetched", {**response.as_json(), "bytes": len(page.body)})
        return page

    async def read(self, page: Fetched) -> Document:
        outcome = self._kept.get(page)
        if outcome is None:
            try:
                outcome = await asyncio.wrap_future(self._workers.submit(page))
            except PageFailure as failure:
                outcome = failure
            self._kept.put(page, outcome)
        if isinstance(outcome, PageFailure):
            self._failed(page.requested_url, outcome)
            raise outcome
        said = {
            "asked": page.requested_url,
            "doc_id": outcome.doc_id,
            "url": outcome.final_url,
            "title": outcome.title,
            "retrieved_at": outcome.retrieved_at,
            "sha256": outcome.sha256,
            "extractor": outcome.extractor,
            "text_sha256": outcome.text_sha256,
            "flags": list(outcome.flags),
        }
        self._log.record("document", said)
        return outcome

    def _failed(self, url: str, failure: PageFailure) -> None:
        said = {"asked": url, "url": failure.url, "kind": failure.kind.value, "detail": failure.detail}
        self._log.record("page_failed", said)


@contextmanager
def open_registrar(
    settings: Settings, reach: Reach, listeners: Listeners | None = None, *, live: LiveMaker = live_here
) -> Generator[Registrar]:
    """A registrar over what `reach` names, closed afterwards. `live` makes the way to the live web where it is read.
    Raises AffidavitError."""
    told = listeners or Listeners()
    if not reach.archives and not reach.live:
        raise UserError("no pages to read: name a WARC file, a WACZ file or a folder of pages with --web FILE")
    with open_reading(settings, reach, told, live) as reading:
        yield Registrar(settings, reading, listeners=told)


@contextmanager
def open_registers(settings: Settings) -> Generator[Registers]:
    """The registers in the ledger of `settings`, closed afterwards. Raises StorageError."""
    with open_ledger(settings) as ledger:
        yield Registers(ledger)


def _model(cast: Cast, role: Role, settings: Settings) -> Model | None:
    """The model of `role`, None where the settings name none: then rules do its work."""
    return None if model_of(role, settings.models) is None else cast.of(role)
