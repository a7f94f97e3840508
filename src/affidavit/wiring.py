"""Builds everything a job needs from the settings, once, and closes it again. There are no globals elsewhere.

A run made here reads untrusted pages and may reach the web through the gateway; it has no private data. No run
gets all three.
"""

import asyncio
import hashlib
import json
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from affidavit.egress.archive import Archive, open_archive
from affidavit.egress.gateway import Decision, Gateway
from affidavit.egress.web import ArchiveWeb
from affidavit.errors import UserError
from affidavit.evidence.answer import Answer
from affidavit.evidence.document import Document, Fetched
from affidavit.extract import EXTRACTORS
from affidavit.extract.worker import Workers
from affidavit.ledger import Ledger
from affidavit.ledger.run import RunLog
from affidavit.ranking.policy import Policy, load_policy
from affidavit.report.bundle import write_bundle
from affidavit.report.bundle_report import BundleReport
from affidavit.report.bundle_verify import verify_bundle
from affidavit.research.ask import Ask
from affidavit.research.plan import make_plan
from affidavit.research.run import Research, research
from affidavit.research.tools import Tools
from affidavit.search.build import Builder
from affidavit.search.embedded import EmbeddedSearch
from affidavit.settings import Settings
from affidavit.verify import VerbatimVerifier


@dataclass(frozen=True, slots=True)
class Asked:
    """One ask with the pages it may read and where its bundle goes."""

    ask: Ask
    web: tuple[str, ...]
    bundle: Path | None = None
    signing_key: bytes | None = None


def nothing(*_: object) -> None:
    """Tells nobody."""


def ask_web(
    asked: Asked,
    settings: Settings,
    *,
    on_step: Callable[[str, str], None] = nothing,
    on_index: Callable[[int, int, str], None] = nothing,
    on_warning: Callable[[str], None] = nothing,
    now: Callable[[], datetime] = lambda: datetime.now(UTC),
) -> Answer:
    """Run one ask from opening the archives to recording the answer. Raises AffidavitError."""
    plan = make_plan(asked.ask, settings.max_subquestions)
    archives = open_archives(asked.web)
    policy = load_policy(settings.policy)
    with (
        open_ledger(settings) as ledger,
        Workers(settings.workers, settings.page_seconds, settings.page_megabytes) as workers,
        EmbeddedSearch.open(archives, _builder(settings, workers, on_index, on_warning)) as search,
        ledger.begin("ask", asked.ask.asked, _recorded(settings, archives, policy)) as log,
    ):
        tools = Tools(
            searches=(search,),
            web=Gateway(ArchiveWeb(archives), lambda decision: _record_decision(log, decision)),
            extract=lambda fetched: _extract(workers, fetched),
            verifier=VerbatimVerifier(),
            policy=policy,
            log=log,
            keep=ledger.blobs.put,
            now=now,
            progress=on_step,
        )
        found = asyncio.run(research(plan, tools, settings))
        log.publish(found.answer)
        if asked.bundle is not None:
            _write_bundle(asked.bundle, found, ledger, asked.signing_key)
        return found.answer


def open_archives(paths: Sequence[str]) -> list[Archive]:
    """The archives at `paths`. Raises UserError where there is none to read, ArchiveError for one that is not one."""
    if not paths:
        raise UserError("no pages to read: name a WARC file, a WACZ file or a folder of pages with --web FILE")
    return [open_archive(Path(path).expanduser()) for path in paths]


def ledger_url(settings: Settings) -> str:
    """Where the ledger is: the configured database, or a SQLite file in the data folder."""
    return settings.ledger or str(settings.data_dir / "ledger.sqlite")


@contextmanager
def open_ledger(settings: Settings) -> Generator[Ledger]:
    """The ledger, closed afterwards. Raises StorageError."""
    with Ledger.open(ledger_url(settings), blobs=settings.data_dir / "blobs") as ledger:
        yield ledger


def _builder(
    settings: Settings,
    workers: Workers,
    on_index: Callable[[int, int, str], None],
    on_warning: Callable[[str], None],
) -> Builder:
    return Builder(
        settings.cache_dir / "search",
        lambda: workers,
        EXTRACTORS,
        lambda done, total, archive: on_index(done, total, archive.path.name),
        on_warning,
    )


async def _extract(workers: Workers, fetched: Fetched) -> Document:
    return await asyncio.wrap_future(workers.submit(fetched))


def _record_decision(log: RunLog, decision: Decision) -> None:
    log.record("gateway", asdict(decision))


def _recorded(settings: Settings, archives: Sequence[Archive], policy: Policy) -> dict[str, object]:
    """What of the settings decides a run's outcome; paths of this machine are not recorded."""
    budgets = settings.model_dump(mode="json", exclude={"cache_dir", "data_dir", "ledger", "policy"})
    web = [{"name": archive.path.name, "sha256": archive.digest} for archive in archives]
    return {**budgets, "web": web, "policy_sha256": _digest(policy)}


def _digest(policy: Policy) -> str:
    """sha256 of the policy in force, as canonical JSON."""
    values = {name: getattr(policy, name) for name in policy.__dataclass_fields__}
    plain = {name: dict(value) if isinstance(value, Mapping) else value for name, value in values.items()}
    return hashlib.sha256(json.dumps(plain, sort_keys=True).encode()).hexdigest()


def _write_bundle(path: Path, found: Research, ledger: Ledger, signing_key: bytes | None) -> None:
    events = ledger.events(found.answer.run_id)
    write_bundle(path, found.answer, found.pages, events, signing_key=signing_key)


def check_bundle(path: Path, public_key: bytes | None, settings: Settings) -> BundleReport:
    """Check an evidence bundle, its pages read again in workers. Raises BundleMismatch where it was altered."""
    with Workers(1, settings.page_seconds, settings.page_megabytes) as workers:
        return verify_bundle(path, public_key, extract=lambda page: workers.submit(page).result())
