"""The desk at which drafts are checked: sources read once, and as many drafts held against them as there are.

A check reads untrusted pages. Of the network it asks only for the addresses that the user named, or that stand in the
draft where the user said to follow its links: which they are is settled before the first page is read. What its pages
became is kept in the user's cache.
"""

import asyncio
import hashlib
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from affidavit.check import GATES, Checker, CheckSource, Draft, cited_links, read_draft
from affidavit.check_record import Noted, looked_over, open_checker, record_inputs
from affidavit.draft_file import DraftFile
from affidavit.egress.local import Given, as_page, given_pages, is_address
from affidavit.egress.pages import SUFFIXES
from affidavit.errors import BundleMismatch, FailureKind, PageFailure, StorageError, UserError
from affidavit.evidence.check import Check, CheckedSource
from affidavit.evidence.document import Document, Fetched
from affidavit.extract.kept import Outcome
from affidavit.ledger.run import RunLog
from affidavit.ledger.violation import refuse_violations
from affidavit.models.embedded import PairJudge, SentenceEncoder
from affidavit.reach import LIVE, LiveMaker, Reach, live_here
from affidavit.report.bundle_verify import verified_pages
from affidavit.report.check_json import check_json
from affidavit.research.recording import Response
from affidavit.settings import Settings
from affidavit.usual import RATES, check_rates, check_with_alerts, rates_event, signed, usual_rates
from affidavit.verify import Verifier
from affidavit.verify.calibration import calibrated
from affidavit.wiring import Listeners, Reading, open_gateway, open_pages, open_reading, tell_nobody

BUNDLE = ".affidavit"
# Pages given to the workers ahead of the one waited for, for each worker: an archive is never held in memory.
_AHEAD = 4
# Live pages on their way at once. Each may have tens of megabytes.
_FETCHES = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """What drafts are held against. `files` are files, folders, archives, bundles, or addresses.

    `web` are the archives that addresses are read from; with none, or with `LIVE` among them, they are read from the
    live web. Without an address every page of those archives is a source. With `follow_links` the addresses that a
    draft cites are sources of that draft. `allow` are texts of the writer's own. `allow_hosts`, `deny_hosts` and `save`
    are those of `Reach`.
    """

    files: Sequence[str] = ()
    web: Sequence[str] = ()
    allow: Sequence[str] = ()
    follow_links: bool = False
    allow_hosts: Sequence[str] = ()
    deny_hosts: Sequence[str] = ()
    save: Path | None = None

    @property
    def addresses(self) -> list[str]:
        return [file for file in self.files if is_address(file)]

    def reach(self) -> Reach:
        """Raises UserError where nothing is named, and for a live web of which nothing is."""
        if not self.files and not self.web and not self.follow_links:
            raise UserError("no sources to check against: name files, folders or archives with --source or --web")
        named = bool(self.addresses) or self.follow_links
        if LIVE in self.web and not named:
            raise UserError(
                f"--web {LIVE}: a check reads of the live web what --source URL names, or with --follow-links what the "
                "draft cites, and there is neither"
            )
        return Reach.named(
            self.web,
            otherwise_live=named,
            allow_hosts=self.allow_hosts,
            deny_hosts=self.deny_hosts,
            save=self.save,
        )


class Desk:
    """Open over the same sources for any number of drafts; they are read when the first draft has been."""

    def __init__(
        self,
        sources: Sources,
        reading: Reading,
        settings: Settings,
        *,
        allow_derived: bool,
        strict: bool,
        verifier: Verifier | None,
        on_begun: Callable[[RunLog], None],
        listeners: Listeners,
    ) -> None:
        self._sources = sources
        self._pages = reading.pages
        self._settings = settings
        self._allow_derived = allow_derived
        self._strict = strict
        self._verifier = verifier
        self._on_begun = on_begun
        self._ledger = reading.ledger
        self._workers = reading.workers
        self._kept = reading.kept
        self._listeners = listeners
        self._unread: list[CheckedSource] = []
        self._warnings: list[str] = []
        self._checker: Checker | None = None
        self._linked: dict[str, CheckSource | CheckedSource] = {}
        self._responses: dict[str, Response] = {}

    def read(self, draft: DraftFile) -> Draft:
        """The draft that is in the file. Raises UserError for one that cannot be checked, whatever the sources."""
        now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        page = as_page(draft.name, draft.body, draft.media_type, now)
        return read_draft(draft.name, page, lambda one: self._workers.submit(one).result())

    def check(self, draft: DraftFile, read: Draft | None = None) -> Check:
        """Hold `draft` against the sources and record it; `read` is what `read` gave, if it was called. Raises
        AffidavitError; a source that cannot be read is named in the check."""
        read = read or self.read(draft)
        sha256 = hashlib.sha256(draft.body).hexdigest()
        links = cited_links(read) if self._sources.follow_links else ()
        recorded = {
            "sources": list(self._sources.files),
            "gates": list(GATES),
            "encoder": SentenceEncoder.name,
            "judge": PairJudge.name if PairJudge.available() else None,
            "draft": sha256,
            "derived": "allow" if self._allow_derived else "report",
            "strict": self._strict,
            "verifier": None if self._verifier is None else self._verifier.card.name,
            "live": self._pages.live is not None,
            "given": [*self._sources.addresses, *links],
            "web_policy": self._pages.policy.as_json(),
        }
        with self._ledger.begin("check", draft.name, recorded) as log:
            self._on_begun(log)
            checker, unread = self._for(sha256, links, log)
            self._record(draft, checker, unread, log)
            check = checker.check(
                read,
                run_id=log.run_id,
                sha256=sha256,
                unread=unread,
                warnings=self._warnings,
                progress=lambda done, total: self._listeners.on_step("check", f"{done + 1} of {total}"),
            )
            verifier = None if self._verifier is None else Noted(self._verifier, log)
            check = looked_over(check, verifier, strict=self._strict)
            judge = signed(check.verifier.name, check.verifier.version)
            before = usual_rates(self._ledger, "check", judge)
            log.record(RATES, rates_event("check", judge, check_rates(check), before))
            check = check_with_alerts(check, before)
            refuse_violations(self._ledger.events(log.run_id))
            log.record("checked", {**_checked(check), "check": check_json(check)})
            log.finish(check.state.value)
        return check

    def _for(self, sha256: str, links: Sequence[str], log: RunLog) -> tuple[Checker, list[CheckedSource]]:
        """The checker for one draft, and the sources that it does not use.

        To the sources of every draft come the pages that this one links to; from them goes the draft itself, byte for
        byte: nothing bears itself out, and a draft often lies in the folder that its sources do. An allowed text is the
        writer's word whatever it says.
        """
        checker = self._ready(log)
        linked = self._follow(links, log)
        unread = [*self._unread, *(one for one in linked if isinstance(one, CheckedSource))]
        known = {source.document.doc_id for source in checker.sources}
        more = [one for one in linked if isinstance(one, CheckSource) and one.document.doc_id not in known]
        own = [one for one in checker.sources if one.document.sha256 == sha256 and not one.allowed]
        if not own and not more:
            return checker, unread
        detail = "it is the draft itself, which is no source for what it says"
        for source in own:
            failure = PageFailure(FailureKind.BAD_TYPE, source.name, detail)
            unread.append(_unread(Given(source.name, source.path, failure), failure))
        kept = [*(one for one in checker.sources if one not in own), *more]
        return open_checker(kept, allow_derived=self._allow_derived), unread

    def _ready(self, log: RunLog) -> Checker:
        if self._checker is None:
            usable = self._read(self._given(log), self._unread)
            allowed = self._read(given_pages(self._sources.allow, ()), self._unread)
            usable += [CheckSource(one.document, one.path, allowed=True) for one in allowed]
            self._listeners.on_step("index", f"{len(usable)} sources")
            self._checker = open_checker(usable, allow_derived=self._allow_derived)
        return self._checker

    def _follow(self, links: Sequence[str], log: RunLog) -> list[CheckSource | CheckedSource]:
        """The pages at a draft's links, each read for the first draft that has it; no more than a run may fetch."""
        most = self._settings.max_fetches
        if len(links) > most:
            self._listeners.on_warning(
                f"the draft cites {len(links)} addresses and {most} are read; raise AFFIDAVIT_MAX_FETCHES to read more"
            )
        wanted = links[:most]
        for one, outcome in self._outcomes(self._of_web([url for url in wanted if url not in self._linked], log)):
            found = self._source(one, outcome) if isinstance(outcome, Document) else _unread(one, outcome)
            self._linked[one.name] = found
        return [self._linked[url] for url in wanted]

    def _source(self, one: Given, document: Document) -> CheckSource:
        """`one` as a source, its bytes kept: what a check is made from must be there when it is made again."""
        assert isinstance(one.page, Fetched)  # a document is made of nothing else
        if document.sha256 not in self._ledger.blobs:
            self._ledger.blobs.put(one.page.body)
        self._responses[document.doc_id] = Response.of(one.page.requested_url, one.page, document.sha256)
        return CheckSource(document, one.path)

    def _record(self, draft: DraftFile, checker: Checker, unread: Iterable[CheckedSource], log: RunLog) -> None:
        given = {
            "name": draft.name,
            "media_type": draft.media_type,
            "blob": self._ledger.blobs.put(draft.body),
            "read_at": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        }
        sources = ((one, self._responses[one.document.doc_id]) for one in checker.sources)
        record_inputs(log, given, sources, unread, self._warnings)

    def _given(self, log: RunLog) -> Iterator[Given]:
        bundles, files = _parted(self._sources.files)
        if self._pages.live is None:
            # Where only a draft's own links are read from the archives, the archives are no sources themselves.
            only_links = self._sources.follow_links and not self._sources.addresses
            yield from given_pages(files, () if only_links else self._pages.archives)
        else:
            yield from given_pages([file for file in files if not is_address(file)], ())
            yield from self._of_web(self._sources.addresses, log)
        for bundle in bundles:
            yield from self._of_bundle(bundle)

    def _of_web(self, urls: Sequence[str], log: RunLog) -> Iterator[Given]:
        """The pages at `urls`, which the user gave, in their order."""
        if urls:
            for url, page in zip(urls, asyncio.run(self._fetched(urls, log)), strict=True):
                yield Given(url, None, page)

    async def _fetched(self, urls: Sequence[str], log: RunLog) -> list[Fetched | PageFailure]:
        turns = asyncio.Semaphore(_FETCHES)
        async with AsyncExitStack() as stack:
            web, _ = await open_pages(self._pages, self._settings, log, lambda _: None, stack, urls)
            gateway = open_gateway(web, log, self._pages.policy, self._settings)

            async def fetch(url: str) -> Fetched | PageFailure:
                async with turns:
                    self._listeners.on_step("fetch", url)
                    gateway.saw(url, "given by the user")
                    try:
                        return await gateway.fetch(url)
                    except PageFailure as failure:
                        return failure

            return await asyncio.gather(*map(fetch, urls))

    def _of_bundle(self, path: str) -> Iterator[Given]:
        """The pages of an evidence bundle that agrees with itself. One that was altered is no source, and is named."""
        try:
            report, pages = verified_pages(Path(path).expanduser(), extract=self._extract)
        except BundleMismatch as error:
            detail = f"the bundle does not agree with itself and is not used: {str(error).removeprefix(f'{path}: ')}"
            yield Given(path, path, PageFailure(FailureKind.BROKEN, path, detail))
            return
        except StorageError as error:
            yield Given(path, path, PageFailure(FailureKind.BROKEN, path, str(error)))
            return
        if not pages:
            detail = "; ".join(report.could_not_check) or "its answer quotes nothing, so it holds no page"
            yield Given(path, path, PageFailure(FailureKind.NO_TEXT, path, detail))
        elif report.could_not_check:
            self._warnings.append(f"{path} could not be checked in full: {'; '.join(report.could_not_check)}")
        for page in pages:
            yield Given(page.final_url, None, page)

    def _extract(self, page: Fetched) -> Document:
        """`page` as it is kept or read anew. Raises PageFailure."""
        outcome = self._kept.get(page)
        if outcome is None:
            outcome = self._settled(page, self._workers.submit(page))
        if isinstance(outcome, PageFailure):
            raise outcome
        return outcome

    def _read(self, given: Iterable[Given], unread: list[CheckedSource]) -> list[CheckSource]:
        """The sources that could be read, each document and each file once, by whatever path it was given; the others
        are noted in `unread`."""
        usable: dict[str, CheckSource] = {}
        for number, (one, outcome) in enumerate(self._outcomes(given), start=1):
            self._listeners.on_step("read", f"page {number}")
            if isinstance(outcome, Document):
                name = str(Path(one.path).expanduser().resolve()) if one.path else outcome.doc_id
                usable.setdefault(name, self._source(one, outcome))
            elif outcome.kind is not FailureKind.REDIRECT_STUB:
                unread.append(_unread(one, outcome))
        return list(usable.values())

    def _outcomes(self, given: Iterable[Given]) -> Iterator[tuple[Given, Outcome]]:
        """What became of each page, in order."""
        waiting: deque[tuple[Given, Outcome | Future[Document]]] = deque()
        for one in given:
            if isinstance(one.page, PageFailure):
                waiting.append((one, one.page))
            else:
                waiting.append((one, self._kept.get(one.page) or self._workers.submit(one.page)))
            if len(waiting) > _AHEAD * self._settings.workers:
                yield self._taken(*waiting.popleft())
        while waiting:
            yield self._taken(*waiting.popleft())

    def _taken(self, one: Given, found: Outcome | Future[Document]) -> tuple[Given, Outcome]:
        if isinstance(found, Future) and isinstance(one.page, Fetched):
            return one, self._settled(one.page, found)
        assert not isinstance(found, Future)  # only a page that was read is waited for
        return one, found

    def _settled(self, page: Fetched, future: Future[Document]) -> Outcome:
        """What a worker made of `page`, kept for the next time."""
        try:
            outcome: Outcome = future.result()
        except PageFailure as failure:
            outcome = failure
        self._kept.put(page, outcome)
        return outcome


@contextmanager
def open_desk(
    settings: Settings,
    sources: Sources,
    *,
    allow_derived: bool = False,
    strict: bool = False,
    verifier: Verifier | None = None,
    on_begun: Callable[[RunLog], None] = tell_nobody,
    listeners: Listeners | None = None,
    live: LiveMaker = live_here,
) -> Generator[Desk]:
    """A desk over `sources`, closed afterwards. With `allow_derived` a figure that follows from figures of the passage
    leaves its sentence sourced; it is reported as derived either way. With `strict` what is sourced by its words alone
    is unsourced; `verifier` is asked about that and about what the rules leave open. `on_begun` gets the log of each
    check as it begins, for whoever records there what the verifier costs; its card says what the ledger has of it.
    `live` makes the way to the live web where it is read. Raises AffidavitError."""
    told = listeners or Listeners()
    with open_reading(settings, sources.reach(), told, live) as reading:
        yield Desk(
            sources,
            reading,
            settings,
            allow_derived=allow_derived,
            strict=strict,
            verifier=None if verifier is None else calibrated(verifier, reading.ledger),
            on_begun=on_begun,
            listeners=told,
        )


def _parted(sources: Sequence[str]) -> tuple[list[str], list[str]]:
    """The bundles among `sources`, those in its folders too, and what else there is to read."""
    bundles: list[str] = []
    files: list[str] = []
    for source in sources:
        path = Path(source).expanduser()
        if is_address(source) or not (path.is_dir() or path.suffix.lower() == BUNDLE):
            files.append(source)
        elif path.is_dir():
            inside = sorted(str(one) for one in path.rglob(f"*{BUNDLE}") if one.is_file())
            bundles += inside
            if not inside or any(one.suffix.lower() in SUFFIXES for one in path.rglob("*")):
                files.append(source)
        else:
            bundles.append(source)
    return bundles, files


def _unread(given: Given, failure: PageFailure) -> CheckedSource:
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
