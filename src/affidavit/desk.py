"""The desk at which drafts are checked: sources read once, and as many drafts held against them as there are.

A check reads untrusted pages and asks the network for nothing. What its pages became is kept in the user's cache.
"""

import hashlib
from collections import deque
from collections.abc import Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from affidavit.check import GATES, MAX_DRAFT, Checker, CheckSource, Draft, read_draft, too_large
from affidavit.egress.archive import Archive
from affidavit.egress.local import Given, as_page, given_pages, is_address
from affidavit.egress.pages import SUFFIXES
from affidavit.errors import BundleMismatch, FailureKind, PageFailure, StorageError, UserError
from affidavit.evidence.check import Check, CheckedSource
from affidavit.evidence.document import Document, Fetched
from affidavit.extract import EXTRACTORS
from affidavit.extract.kept import KeptPages, Outcome
from affidavit.extract.worker import Workers
from affidavit.ledger import Ledger
from affidavit.ledger.run import RunLog
from affidavit.models.embedded import PairJudge, SentenceEncoder
from affidavit.report.bundle_verify import verified_pages
from affidavit.settings import Settings
from affidavit.wiring import Listeners, open_archives, open_ledger

BUNDLE = ".affidavit"
# Pages given to the workers ahead of the one waited for, for each worker: an archive is never held in memory.
_AHEAD = 4


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
            with path.open("rb") as file:
                # One byte more than is read tells what is too long, of a pipe or a device too, which have no size.
                body = file.read(MAX_DRAFT + 1)
                size = max(path.stat().st_size, len(body))
            if size > MAX_DRAFT:
                raise UserError(too_large(str(path), size))
        except OSError as error:
            raise UserError(f"{path}: the draft cannot be read: {error.strerror or error}") from error
        return cls(name=str(path), body=body, media_type=SUFFIXES.get(path.suffix.lower(), "text/plain"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """What drafts are held against. `files` are files, folders, archives, bundles, or addresses that the archives in
    `web` hold; without an address every page of `web` is a source. `allow` are texts of the writer's own."""

    files: Sequence[str] = ()
    web: Sequence[str] = ()
    allow: Sequence[str] = ()


class Desk:
    """Open over the same sources for any number of drafts; they are read when the first draft has been."""

    def __init__(
        self,
        sources: Sources,
        archives: Sequence[Archive],
        *,
        allow_derived: bool,
        ledger: Ledger,
        workers: Workers,
        kept: KeptPages,
        ahead: int,
        listeners: Listeners,
    ) -> None:
        self._sources = sources
        self._archives = archives
        self._allow_derived = allow_derived
        self._ledger = ledger
        self._workers = workers
        self._kept = kept
        self._ahead = ahead
        self._listeners = listeners
        self._unread: list[CheckedSource] = []
        self._warnings: list[str] = []
        self._checker: Checker | None = None

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
        recorded = {
            "sources": list(self._sources.files),
            "gates": list(GATES),
            "encoder": SentenceEncoder.name,
            "judge": PairJudge.name if PairJudge.available() else None,
            "draft": sha256,
            "derived": "allow" if self._allow_derived else "report",
        }
        with self._ledger.begin("check", draft.name, recorded) as log:
            checker, own = self._without(sha256)
            self._record_sources(checker, log)
            check = checker.check(
                read,
                run_id=log.run_id,
                sha256=sha256,
                unread=(*self._unread, *own),
                warnings=self._warnings,
                progress=lambda done, total: self._listeners.on_step("check", f"{done + 1} of {total}"),
            )
            log.record("checked", _checked(check))
            log.finish(check.state.value)
        return check

    def _without(self, sha256: str) -> tuple[Checker, list[CheckedSource]]:
        """The checker without sources that are the draft itself, byte for byte, and those: nothing bears itself out.
        A draft often lies in the folder that its sources do."""
        checker = self._ready()
        own = [source for source in checker.sources if source.document.sha256 == sha256]
        if not own:
            return checker, []
        others = [source for source in checker.sources if source not in own]
        detail = "it is the draft itself, which is no source for what it says"
        named = [
            _unread(
                Given(source.name, source.path, (failure := PageFailure(FailureKind.BAD_TYPE, source.name, detail))),
                failure,
            )
            for source in own
        ]
        return self._over(others), named

    def _over(self, sources: Sequence[CheckSource]) -> Checker:
        scorer = PairJudge() if PairJudge.available() else None
        return Checker(sources, SentenceEncoder(), scorer=scorer, allow_derived=self._allow_derived)

    def _ready(self) -> Checker:
        if self._checker is None:
            usable = self._read(self._given())
            allowed = self._read(given_pages(self._sources.allow, ()))
            usable += [CheckSource(one.document, one.path, allowed=True) for one in allowed]
            self._listeners.on_step("index", f"{len(usable)} sources")
            self._checker = self._over(usable)
        return self._checker

    def _record_sources(self, checker: Checker, log: RunLog) -> None:
        for source in checker.sources:
            document = source.document
            log.record("document", {"doc_id": document.doc_id, "url": document.final_url, "sha256": document.sha256})
        for one in self._unread:
            log.record("source.failed", {"name": one.name, "failure": one.failure})

    def _given(self) -> Iterator[Given]:
        bundles, files = _parted(self._sources.files)
        yield from given_pages(files, self._archives)
        for bundle in bundles:
            yield from self._of_bundle(bundle)

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

    def _read(self, given: Iterable[Given]) -> list[CheckSource]:
        """The sources that could be read, each document and each file once, by whatever path it was given; the others
        are noted as unread."""
        usable: dict[str, CheckSource] = {}
        for number, (one, outcome) in enumerate(self._outcomes(given), start=1):
            self._listeners.on_step("read", f"page {number}")
            if isinstance(outcome, Document):
                name = str(Path(one.path).expanduser().resolve()) if one.path else outcome.doc_id
                usable.setdefault(name, CheckSource(outcome, one.path))
            elif outcome.kind is not FailureKind.REDIRECT_STUB:
                self._unread.append(_unread(one, outcome))
        return list(usable.values())

    def _outcomes(self, given: Iterable[Given]) -> Iterator[tuple[Given, Outcome]]:
        """What became of each page, in order."""
        waiting: deque[tuple[Given, Outcome | Future[Document]]] = deque()
        for one in given:
            if isinstance(one.page, PageFailure):
                waiting.append((one, one.page))
            else:
                waiting.append((one, self._kept.get(one.page) or self._workers.submit(one.page)))
            if len(waiting) > self._ahead:
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
    settings: Settings, sources: Sources, *, allow_derived: bool = False, listeners: Listeners | None = None
) -> Generator[Desk]:
    """A desk over `sources`, closed afterwards. With `allow_derived` a figure that follows from figures of the passage
    leaves its sentence sourced; it is reported as derived either way. Raises AffidavitError."""
    told = listeners or Listeners()
    if not sources.files and not sources.web:
        raise UserError("no sources to check against: name files, folders or archives with --source or --web")
    archives = open_archives(sources.web) if sources.web else []
    kept = KeptPages(settings.cache_dir / "pages", EXTRACTORS, told.on_warning)
    with (
        open_ledger(settings) as ledger,
        Workers(settings.workers, settings.page_seconds, settings.page_megabytes) as workers,
    ):
        yield Desk(
            sources,
            archives,
            allow_derived=allow_derived,
            ledger=ledger,
            workers=workers,
            kept=kept,
            ahead=_AHEAD * settings.workers,
            listeners=told,
        )
    kept.prune()


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
