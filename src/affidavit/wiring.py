"""Builds everything a job needs from the settings, once, and closes it again. There are no globals elsewhere.

A run made here reads untrusted pages and may reach the web through the gateway; it has no private data. No run
gets all three.
"""

import asyncio
import hashlib
import json
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from affidavit.check import GATES, MAX_DRAFT, Checker, CheckSource, read_draft, too_large
from affidavit.egress.archive import Archive, open_archive
from affidavit.egress.gateway import Decision, Gateway
from affidavit.egress.local import Given, as_page, given_pages
from affidavit.egress.pages import SUFFIXES
from affidavit.egress.web import ArchiveWeb
from affidavit.errors import FailureKind, PageFailure, UserError
from affidavit.evals import OverlapVerifier, PairJudgeVerifier
from affidavit.evidence.answer import Answer
from affidavit.evidence.check import Check, CheckedSource
from affidavit.evidence.document import Document, Fetched
from affidavit.extract import EXTRACTORS
from affidavit.extract.worker import Workers
from affidavit.ledger import Ledger
from affidavit.ledger.run import RunLog
from affidavit.models.embedded import SentenceEncoder
from affidavit.ranking.policy import Policy, load_policy
from affidavit.report.bundle import write_bundle
from affidavit.report.bundle_report import BundleReport
from affidavit.report.bundle_verify import verify_bundle
from affidavit.research.plan import Plan
from affidavit.research.run import research
from affidavit.research.tools import Tools
from affidavit.search.build import Builder
from affidavit.search.embedded import EmbeddedSearch
from affidavit.settings import Settings
from affidavit.verify import Guarded, VerbatimVerifier, Verifier


def tell_nobody(*_: object) -> None:
    """A listener for whoever does not listen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Listeners:
    """Who is told what: a step and its detail; pages indexed, of how many, of which archive; a warning."""

    on_step: Callable[[str, str], None] = tell_nobody
    on_index: Callable[[int, int, str], None] = tell_nobody
    on_warning: Callable[[str], None] = tell_nobody


class House:
    """Everything that asking needs, open over the same pages for as many questions as there are."""

    def __init__(
        self,
        settings: Settings,
        archives: Sequence[Archive],
        *,
        ledger: Ledger,
        workers: Workers,
        search: EmbeddedSearch,
        policy: Policy,
        listeners: Listeners,
    ) -> None:
        self._settings = settings
        self._archives = archives
        self._policy = policy
        self._ledger = ledger
        self._workers = workers
        self._search = search
        self._encoder = SentenceEncoder()
        self._listeners = listeners

    def ask(
        self,
        plan: Plan,
        *,
        bundle: Path | None = None,
        signing_key: bytes | None = None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> Answer:
        """Run `plan` and record it; write its bundle if asked. Raises AffidavitError."""
        recorded = _recorded(self._settings, self._archives, self._policy)
        with self._ledger.begin("ask", plan.ask.asked, recorded) as log:
            tools = Tools(
                searches=(self._search,),
                web=Gateway(ArchiveWeb(self._archives), lambda decision: _record_decision(log, decision)),
                extract=lambda fetched: _extract(self._workers, fetched),
                verifier=VerbatimVerifier(),
                encoder=self._encoder,
                policy=self._policy,
                log=log,
                keep=self._ledger.blobs.put,
                now=now,
                progress=self._listeners.on_step,
                notes=unread(self._search),
            )
            found = asyncio.run(research(plan, tools, self._settings))
            log.publish(found.answer)
        if bundle is not None:
            events = self._ledger.events(found.answer.run_id)
            write_bundle(bundle, found.answer, found.pages, events, signing_key=signing_key)
        return found.answer


@contextmanager
def open_house(settings: Settings, web: Sequence[str], listeners: Listeners | None = None) -> Generator[House]:
    """A house over the archives at `web`, closed afterwards. Builds their indexes, which may take minutes."""
    told = listeners or Listeners()
    policy = load_policy(settings.policy)
    archives = open_archives(web)
    with (
        open_ledger(settings) as ledger,
        Workers(settings.workers, settings.page_seconds, settings.page_megabytes) as workers,
        EmbeddedSearch.open(archives, _builder(settings, workers, told)) as search,
    ):
        yield House(settings, archives, ledger=ledger, workers=workers, search=search, policy=policy, listeners=told)


def open_archives(paths: Sequence[str]) -> list[Archive]:
    """The archives at `paths`. Raises UserError where there is none to read, ArchiveError for one that is not one."""
    if not paths:
        raise UserError("no pages to read: name a WARC file, a WACZ file or a folder of pages with --web FILE")
    if any(not path.strip() for path in paths):
        raise UserError("one of the names after --web is empty; is a variable unset?")
    return [open_archive(Path(path).expanduser()) for path in paths]


def ledger_url(settings: Settings) -> str:
    """Where the ledger is: the configured database, or a SQLite file in the data folder."""
    return settings.ledger or str(settings.data_dir / "ledger.sqlite")


@contextmanager
def open_ledger(settings: Settings) -> Generator[Ledger]:
    """The ledger, closed afterwards. Raises StorageError."""
    with Ledger.open(ledger_url(settings), blobs=settings.data_dir / "blobs") as ledger:
        yield ledger


VERIFIERS: Mapping[str, str] = {
    "verbatim": "word for word, or could not check",
    "pair-judge": "the model of affidavit-judge alone, without a gate (a baseline)",
    "overlap": "the share of the claim's words in the span (a baseline)",
}
"""The verifiers that have a name, and what they are."""
DEFAULT_VERIFIER = "verbatim"


def open_verifier(name: str, settings: Settings) -> Verifier:  # noqa: ARG001 - the paid ones read their keys there
    """The verifier called `name`, one of `VERIFIERS`. Raises UserError for another, MissingExtra for one whose
    distribution is not installed."""
    match name:
        case "verbatim":
            return Guarded(VerbatimVerifier())
        case "pair-judge":
            return PairJudgeVerifier()
        case "overlap":
            return OverlapVerifier()
        case _:
            raise UserError(f"no verifier is called {name!r}; there are: {', '.join(VERIFIERS)}")


def unread(search: EmbeddedSearch) -> tuple[str, ...]:
    """Which pages no question can be answered from, in at most one line. A redirect is no page that is missing."""
    pages = [page for page in search.unreadable() if page.kind != FailureKind.REDIRECT_STUB.value]
    if not pages:
        return ()
    listed = ", ".join(f"{page.url} ({page.kind.replace('_', ' ')})" for page in pages[:3])
    more = f" and {len(pages) - 3} more" if len(pages) > 3 else ""
    return (f"Pages that could not be read and are not searched: {listed}{more}.",)


def _builder(settings: Settings, workers: Workers, told: Listeners) -> Builder:
    return Builder(
        settings.cache_dir / "search",
        lambda: workers,
        EXTRACTORS,
        lambda done, total, archive: told.on_index(done, total, archive.path.name),
        told.on_warning,
    )


async def _extract(workers: Workers, fetched: Fetched) -> Document:
    return await asyncio.wrap_future(workers.submit(fetched))


def _record_decision(log: RunLog, decision: Decision) -> None:
    log.record("gateway", asdict(decision))


def _recorded(settings: Settings, archives: Sequence[Archive], policy: Policy) -> dict[str, object]:
    """What of the settings decides a run's outcome; paths of this machine are not recorded."""
    budgets = settings.model_dump(mode="json", exclude={"cache_dir", "data_dir", "ledger", "policy"})
    web = [{"name": archive.path.name, "sha256": archive.digest} for archive in archives]
    return {**budgets, "web": web, "policy_sha256": _digest(policy), "encoder": SentenceEncoder.name}


def _digest(policy: Policy) -> str:
    """sha256 of the policy in force, as canonical JSON."""
    values = {name: getattr(policy, name) for name in policy.__dataclass_fields__}
    plain = {name: dict(value) if isinstance(value, Mapping) else value for name, value in values.items()}
    return hashlib.sha256(json.dumps(plain, sort_keys=True).encode()).hexdigest()


def check_bundle(path: Path, public_key: bytes | None, settings: Settings) -> BundleReport:
    """Check an evidence bundle, its pages read again in workers. Raises BundleMismatch where it was altered."""
    with Workers(1, settings.page_seconds, settings.page_megabytes) as workers:
        return verify_bundle(path, public_key, extract=lambda page: workers.submit(page).result())


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftFile:
    """A draft as it was given: its name ("-" for standard input), its bytes, and the media type its name speaks of."""

    name: str
    body: bytes
    media_type: str

    @classmethod
    def at(cls, path: Path) -> "DraftFile":
        """The file at `path`. Raises UserError."""
        try:
            size = path.stat().st_size
            if size > MAX_DRAFT:
                raise UserError(too_large(str(path), size))
            body = path.read_bytes()
        except OSError as error:
            raise UserError(f"{path}: the draft cannot be read: {error.strerror or error}") from error
        return cls(name=str(path), body=body, media_type=SUFFIXES.get(path.suffix.lower(), "text/plain"))


def check_draft(
    draft: DraftFile,
    sources: Sequence[str],
    settings: Settings,
    *,
    web: Sequence[str] = (),
    allow: Sequence[str] = (),
    listeners: Listeners | None = None,
) -> Check:
    """Hold `draft` against `sources` and record it. Raises AffidavitError; a source that cannot be read is named in
    the check."""
    told = listeners or Listeners()
    if not sources and not web:
        raise UserError("no sources to check against: name files, folders or archives with --source or --web")
    archives = open_archives(web) if web else []
    with (
        open_ledger(settings) as ledger,
        Workers(settings.workers, settings.page_seconds, settings.page_megabytes) as workers,
    ):
        now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        page = as_page(draft.name, draft.body, draft.media_type, now)
        read = read_draft(draft.name, page, lambda one: workers.submit(one).result())
        sha256 = hashlib.sha256(draft.body).hexdigest()
        recorded = {"sources": list(sources), "gates": list(GATES), "encoder": SentenceEncoder.name, "draft": sha256}
        with ledger.begin("check", draft.name, recorded) as log:
            told.on_step("read", f"{len(sources) + len(archives)} sources")
            usable, failed = _read_sources(given_pages(sources, archives), workers, told)
            allowed, unread = _read_sources(given_pages(allow, ()), workers, told)
            usable += [CheckSource(one.document, one.path, allowed=True) for one in allowed]
            for one in usable:
                document = one.document
                log.record(
                    "document", {"doc_id": document.doc_id, "url": document.final_url, "sha256": document.sha256}
                )
            for one in (*failed, *unread):
                log.record("source.failed", {"name": one.name, "failure": one.failure})
            check = Checker(usable, SentenceEncoder()).check(
                read,
                run_id=log.run_id,
                sha256=sha256,
                unread=(*failed, *unread),
                progress=lambda done, total: told.on_step("check", f"{done + 1} of {total}"),
            )
            log.record("checked", _checked(check))
            log.finish(check.state.value)
    return check


def _read_sources(
    given: Iterable[Given], workers: Workers, told: Listeners
) -> tuple[list[CheckSource], list[CheckedSource]]:
    """The sources that could be read, each document once, and those that could not."""
    usable: dict[str, CheckSource] = {}
    failed: list[CheckedSource] = []
    pending: list[tuple[Given, Future[Document]]] = []
    for one in given:
        if isinstance(one.page, PageFailure):
            failed.append(_failed(one, one.page))
        else:
            pending.append((one, workers.submit(one.page)))
    for index, (one, future) in enumerate(pending):
        told.on_step("read", f"{index + 1} of {len(pending)}")
        try:
            document = future.result()
        except PageFailure as failure:
            if failure.kind is not FailureKind.REDIRECT_STUB:
                failed.append(_failed(one, failure))
            continue
        usable.setdefault(document.doc_id, CheckSource(document, one.path))
    return list(usable.values()), failed


def _failed(given: Given, failure: PageFailure) -> CheckedSource:
    return CheckedSource(
        name=given.name,
        url=None if given.path else given.name,
        path=given.path,
        doc_id=None,
        title=None,
        sha256=None,
        failure=failure.detail,
    )


def _checked(check: Check) -> dict[str, object]:
    """What the ledger says of a check: each sentence's place, state and what it was held against."""
    return {
        "state": check.state.value,
        "counts": dict(check.counts),
        "sentences": [
            {
                "start": sentence.start,
                "end": sentence.end,
                "kind": sentence.kind.value,
                "state": sentence.state.value if sentence.state else None,
                "findings": [remark.code for remark in sentence.findings],
                "span": [sentence.span.doc_id, sentence.span.start, sentence.span.end] if sentence.span else None,
            }
            for sentence in check.sentences
        ],
    }
