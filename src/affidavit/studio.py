"""The studio in which pieces are written: the customer's register and memory, the models of the run, and the ledger.

A writing run has private data (the customer's register and notes) and text from the customer's pages; it has no way to
the web. What it asks is the endpoints of its models, and nothing else: nothing that a page says can carry data out.
"""

import asyncio
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from affidavit.egress.local import as_page, given_pages
from affidavit.errors import IntegrityError, PageFailure, UserError
from affidavit.evidence.document import Document, Fetched
from affidavit.evidence.fact import Register
from affidavit.evidence.piece import Piece
from affidavit.extract.worker import Workers
from affidavit.facts.history import CustomerRegister
from affidavit.facts.store import Registers, customer_name
from affidavit.ledger import Ledger
from affidavit.ledger.run import RunLog
from affidavit.models.account import Account
from affidavit.models.call import Call
from affidavit.models.cast import Cast
from affidavit.models.context import Context
from affidavit.models.embedded import TokenCounter
from affidavit.models.prices import load_prices
from affidavit.models.roles import Role, model_of
from affidavit.models.spend import Spend
from affidavit.piece_record import COST
from affidavit.ranking.terms import terms
from affidavit.report.piece_json import piece_json, read_piece
from affidavit.settings import Settings
from affidavit.staff import record_ending, record_model
from affidavit.wiring import Listeners, open_ledger
from affidavit.write.author import DEFAULT_PROMPT, Author, prompt_sha256
from affidavit.write.checks import VERSION as CHECKS
from affidavit.write.commission import Commission
from affidavit.write.feed import FeedEntry, is_feed, read_feed
from affidavit.write.loop import Desk, write_piece
from affidavit.write.memory import Recalled, recall_document
from affidavit.write.pack import Assignment, SourceNote
from affidavit.write.pieces import PIECE, Imported, Pieces, piece_event
from affidavit.write.profile import Profile
from affidavit.write.record import COMMISSION, commission_json
from affidavit.write.reviewer import PROMPT_SHA256, Reviewer

KIND = "write"
SOURCES = 5
"""Summaries of pages that a pack is offered; they are the first to be cut."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What a person asks for. `prompt` None is the writer prompt of the product, `profile` None one of the name alone.
    With `draft` a person's draft is held to the boundary and no model writes. `register` stands in for the one that is
    kept under the customer's name."""

    customer: str
    assignment: Assignment
    profile: Profile | None = None
    prompt: str | None = None
    draft: str | None = None
    register: Register | None = None


@dataclass(frozen=True, slots=True)
class ImportReport:
    """`failed` are what could not be read, each with why."""

    imported: Imported
    failed: tuple[tuple[str, str], ...]


class Studio:
    """Open over one ledger for as many pieces as there are."""

    def __init__(self, settings: Settings, ledger: Ledger, listeners: Listeners) -> None:
        self._settings = settings
        self._ledger = ledger
        self._listeners = listeners
        self.pieces = Pieces(ledger)

    def write(self, order: Order, *, now: datetime | None = None) -> Piece:
        """The piece for `order`, recorded. Raises UserError for a customer without a register and for models that
        cannot be asked; a model that fails is a state of the piece."""
        return asyncio.run(self.awrite(order, now=now))

    async def awrite(self, order: Order, *, now: datetime | None = None) -> Piece:
        """`write` for a program that has an event loop."""
        commission = self.commission(order, (now or datetime.now(UTC)))
        models = self._settings.models
        check_models(self._settings, commission)
        recorded = {
            "customer": commission.customer,
            "models": models.model_dump(mode="json", exclude={"servers", "prices"}),
            "max_usd": None if self._settings.max_usd is None else str(self._settings.max_usd),
            "prompt_sha256": None
            if commission.draft is not None
            else prompt_sha256(commission.prompt or DEFAULT_PROMPT),
            "reviewer_prompt_sha256": PROMPT_SHA256,
            "checks": CHECKS,
            "tokenizer": TokenCounter.name,
        }
        with self._ledger.begin(KIND, commission.assignment.title, recorded) as log:
            log.record(COMMISSION, commission_json(commission))
            piece = await self._written(commission, log)
            log.record(PIECE, piece_event(piece, piece_json(piece)))
            log.finish(piece.state.value)
        return piece

    async def _written(self, commission: Commission, log: RunLog) -> Piece:
        account, record = Account(), record_model(log)

        def on_call(call: Call) -> None:
            record(call)
            account.take(call)

        settings = self._settings
        spend = Spend(load_prices(settings.models.prices), settings.max_usd)
        async with Cast(settings.models, spend=spend, on_call=on_call, on_end=record_ending(log)) as cast:
            desk = desk_of(commission, settings, cast, log, self._listeners)
            piece = await write_piece(commission, desk)
        log.record(COST, account.as_json())
        return replace(piece, cost=account.as_json() or None)

    def commission(self, order: Order, now: datetime) -> Commission:
        """`order` with everything that the ledger has for it."""
        registers = Registers(self._ledger)
        if order.register is None:
            kept = registers.load(order.customer)
            register, sources = kept.register, _source_notes(registers, kept, order.assignment)
        else:
            register, sources = replace(order.register, customer=customer_name(order.customer)), ()
        return Commission.over(
            register,
            order.assignment,
            order.profile or Profile.model_validate({"name": register.customer}),
            today=now.date(),
            memory=self.pieces.memory(register.customer, but=order.assignment.title),
            sources=sources,
            prompt=order.prompt,
            draft=order.draft,
        )

    def piece(self, run_id: str) -> Piece:
        """The piece of the run whose id is, or begins with, `run_id`. Raises UserError."""
        run = self._ledger.run(run_id)
        if run.kind != KIND:
            raise UserError(f"{run.run_id} is a {run.kind}; `affidavit pieces list` shows the pieces")
        found = [event.payload["piece"] for event in self._ledger.events(run.run_id) if event.type == PIECE]
        if not found:
            raise UserError(
                f"{run.run_id} is {run.state} and has no piece; its record: affidavit runs show {run.run_id}"
            )
        if not isinstance(found[0], dict):
            raise IntegrityError(f"{run.run_id}: its piece is no object")
        return read_piece(found[0])

    def import_pieces(self, customer: str, files: Sequence[Path]) -> ImportReport:
        """Earlier pieces of `customer` from folders, files and feeds into its memory. What cannot be read is named in
        the report. Raises UserError for a path that is not there, or where nothing could be read."""
        found: list[Recalled] = []
        failed: list[tuple[str, str]] = []
        settings = self._settings
        with Workers(settings.workers, settings.page_seconds, settings.page_megabytes) as workers:
            for name, page, title, url in _earlier(files):
                self._listeners.on_step("import", name)
                try:
                    if isinstance(page, PageFailure):
                        raise page
                    document = workers.submit(page).result()
                except PageFailure as failure:
                    failed.append((name, failure.detail))
                    continue
                found.append(recall_document(document, title, url or _address(document)))
        if not found:
            told = (detail if detail.startswith(f"{name}: ") else f"{name}: {detail}" for name, detail in failed[:3])
            why = "; ".join(told) or "there are no files in it"
            raise UserError(f"nothing could be imported: {why}")
        return ImportReport(self.pieces.add(customer_name(customer), found), tuple(failed))


@contextmanager
def open_studio(settings: Settings, listeners: Listeners | None = None) -> Generator[Studio]:
    """A studio over the ledger of `settings`, closed afterwards. Raises StorageError."""
    with open_ledger(settings) as ledger:
        yield Studio(settings, ledger, listeners or Listeners())


def check_models(settings: Settings, commission: Commission) -> None:
    """Refuse a run that has nobody to write or to review, or whose writer would review its own draft. Raises
    UserError."""
    if commission.draft is not None:
        return
    writer, reviewer = model_of(Role.WRITER, settings.models), model_of(Role.REVIEWER, settings.models)
    if writer is None:
        raise UserError(
            "no model is named to write: --model writer=PROVIDER:NAME, or AFFIDAVIT_MODELS__WRITER; without a model, "
            "--draft FILE holds a draft of your own to the same facts"
        )
    if reviewer is None:
        raise UserError(
            "no model is named to review: --model reviewer=PROVIDER:NAME, or AFFIDAVIT_MODELS__REVIEWER; a piece that "
            "a model wrote is handed out only after another has read it"
        )
    if writer == reviewer and not settings.models.verify_own:
        raise UserError(
            f"{writer} would review what it wrote itself: name another model for the reviewer "
            "(--model reviewer=PROVIDER:NAME), or insist with AFFIDAVIT_MODELS__VERIFY_OWN=true; the piece then says so"
        )


def desk_of(commission: Commission, settings: Settings, cast: Cast, log: Any, listeners: Listeners) -> Desk:
    """Who works on `commission`: the models of the settings, as far as they are needed."""
    reviewed = model_of(Role.REVIEWER, settings.models) is not None
    author = None if commission.draft is not None else cast.of(Role.WRITER)
    context = Context(settings.models.context_tokens)
    return Desk(
        log=log,
        counter=TokenCounter(),
        author=None if author is None else Author(author, commission.prompt or DEFAULT_PROMPT, context),
        reviewer=Reviewer(cast.of(Role.REVIEWER), context) if reviewed else None,
        progress=listeners.on_step,
    )


def _source_notes(registers: Registers, kept: CustomerRegister, assignment: Assignment) -> tuple[SourceNote, ...]:
    """The pages of the customer's site that are nearest to the assignment, as far as a model summed them up."""
    asked = terms(f"{assignment.title}\n{assignment.notes}")
    notes = [
        SourceNote(title=one.page.title or one.page.url, url=one.page.url, summary=one.summary)
        for one in registers.pages(kept)
        if one.summary
    ]
    return tuple(sorted(notes, key=lambda note: -len(asked & terms(f"{note.title}\n{note.summary}")))[:SOURCES])


def _earlier(files: Sequence[Path]) -> Iterator[tuple[str, Fetched | PageFailure, str | None, str | None]]:
    """Each piece of `files`: what it is called, its page, and of a feed's entry title and address."""
    for path in files:
        entries = _feed(path)
        if entries is None:
            for given in given_pages([str(path)], ()):
                yield given.name, given.page, None, None
            continue
        time = datetime.fromtimestamp(int(path.stat().st_mtime), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        for number, entry in enumerate(entries, 1):
            page = as_page(f"{path.name}/{number}.html", entry.page.encode(), "text/html; charset=utf-8", time)
            yield f"{path}: {entry.title}", page, entry.title, entry.url


def _feed(path: Path) -> tuple[FeedEntry, ...] | None:
    """The entries of `path`, if it is a feed. Raises UserError."""
    try:
        if not path.is_file() or path.suffix.lower() not in (".xml", ".rss", ".atom", ".feed"):
            return None
        body = path.read_bytes()
    except OSError as error:
        raise UserError(f"{path}: it cannot be read: {error.strerror or error}") from error
    return read_feed(body, str(path)) if is_feed(body) else None


def _address(document: Document) -> str | None:
    """Where an imported page stands; None for a file, whose address is made up."""
    return None if ".invalid/" in document.final_url else document.canonical_url
