"""The world of an earlier run, for the same research code to be run in again.

`RecordedSearch` and `RecordedWeb` give what the record holds. Where it holds nothing more, a replay ends with
`NotRecorded`, and a run that is resumed goes on with the real thing. `ReplayedLog` writes nothing and keeps what would
have been written; `ResumedLog` writes only what is not recorded yet. So a replay and a resumption are the run itself,
never a second account of it.
"""

import asyncio
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from affidavit.errors import FailureKind, NotRecorded, PageFailure, SearchFailure
from affidavit.evidence.document import Fetched
from affidavit.ranking.hit import Hit
from affidavit.research.recording import Recording, key_of
from affidavit.research.tools import Log, Search, Web

_OUTCOMES = ("document", "page_failed")
_CUT = "[redacted:"


class RecordedLog(Log, Protocol):
    """A log that knows where in the record the run is."""

    @property
    def seconds(self) -> float:
        """How long the run had run, as the record has it, at what was recorded last."""
        ...

    def live(self) -> None:
        """From here on, what happens is new."""
        ...

    async def all_read(self) -> None:
        """Wait until every page of the record has its outcome again."""
        ...


class _Outcomes:
    """Counts down the pages of the record whose outcome has not been said again."""

    def __init__(self, recording: Recording) -> None:
        self._left = sum(event.type in _OUTCOMES for event in recording.events)
        self._done = asyncio.Event()

    def said(self, event_type: str) -> None:
        self._left -= event_type in _OUTCOMES
        if self._left <= 0:
            self._done.set()

    async def all(self) -> None:
        if self._left > 0:
            await self._done.wait()


class ReplayedLog:
    """Keeps what a replay says, in order, as it would stand in the ledger; nothing is written."""

    def __init__(self, run_id: str, recording: Recording, cleaned: Callable[[object], object]) -> None:
        self.run_id = run_id
        self.said: list[tuple[str, object]] = []
        self._cleaned = cleaned
        self._used = _seconds_used(recording)
        self._outcomes = _Outcomes(recording)
        self._judged = False

    @property
    def seconds(self) -> float:
        """What the run had used when it published: the one reading that stands in an answer."""
        return self._used if self._judged else 0.0

    def record(self, event_type: str, payload: Mapping[str, object]) -> int:
        self.said.append((event_type, self._cleaned(payload)))
        self._judged = self._judged or event_type == "verified"
        self._outcomes.said(event_type)
        return len(self.said)

    def live(self) -> None:
        raise NotRecorded("a replay has nothing but its record")

    async def all_read(self) -> None:
        await self._outcomes.all()


class ResumedLog:
    """Writes to `log` what `recording` does not hold yet. What it holds is passed over, as often as it is held."""

    def __init__(
        self,
        log: Log,
        recording: Recording,
        cleaned: Callable[[object], object],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._log = log
        self._cleaned = cleaned
        self._clock = clock
        self._held = recording.at()
        self._outcomes = _Outcomes(recording)
        self._reading = 0.0
        self._left_at = max((max(times) for times in self._held.values() if times), default=0.0)
        self._live_since: float | None = None

    @property
    def run_id(self) -> str:
        return self._log.run_id

    @property
    def seconds(self) -> float:
        if self._live_since is None:
            return self._reading
        return self._left_at + self._clock() - self._live_since

    def record(self, event_type: str, payload: Mapping[str, object]) -> int:
        held = self._held.get(key_of(event_type, self._cleaned(payload)))
        self._outcomes.said(event_type)
        if held:
            self._reading = max(self._reading, held.popleft())
            return 0
        self.live()
        return self._log.record(event_type, payload)

    def live(self) -> None:
        if self._live_since is None:
            self._live_since = self._clock()

    async def all_read(self) -> None:
        await self._outcomes.all()


class RecordedSearch:
    """A provider by its name. `missed` gets the failures that cost a search a part of its results."""

    def __init__(
        self,
        name: str,
        recording: Recording,
        log: RecordedLog,
        cleaned: Callable[[object], object],
        missed: Callable[[SearchFailure], None],
        inner: Search | None = None,
    ) -> None:
        self._name = name
        self._recording = recording
        self._log = log
        self._cleaned = cleaned
        self._missed = missed
        self._inner = inner

    @property
    def name(self) -> str:
        return self._name

    async def search(self, query: str, recency_days: int | None = None, limit: int = 10) -> list[Hit]:
        found = self._recording.search(self._name, str(self._cleaned(query)))
        if found is None:
            if self._recording.interrupted:
                raise asyncio.CancelledError  # as it was when the run was stopped here
            if self._inner is None:
                raise NotRecorded(f"no search of {self._name} for {query!r} is in the ledger")
            self._log.live()
            return await self._inner.search(query, recency_days, limit)
        for part in found.parts:
            self._missed(part)
        if found.failure is not None:
            raise found.failure
        return list(found.hits)


class RecordedWeb:
    """The pages of the record, their bodies from `blob`, which raises StorageError or BlobMismatch."""

    def __init__(
        self,
        recording: Recording,
        log: RecordedLog,
        cleaned: Callable[[object], object],
        blob: Callable[[str], bytes],
        inner: Web | None = None,
    ) -> None:
        self._recording = recording
        self._log = log
        self._cleaned = cleaned
        self._blob = blob
        self._inner = inner

    def saw(self, url: str, how: str) -> None:
        if self._inner is not None:
            self._inner.saw(url, how)

    async def fetch(self, url: str) -> Fetched:
        asked = str(self._cleaned(url))
        found = self._recording.page(asked)
        if isinstance(found, PageFailure):
            raise found
        if found is not None:
            if found.url != asked:
                self.saw(found.url, f"redirect from {url}")
            return found.fetched(self._blob(found.blob))
        if self._recording.interrupted:
            await self._log.all_read()
            raise asyncio.CancelledError  # as it was when the run was stopped here
        if self._inner is None:
            raise NotRecorded(f"nothing of {url} is in the ledger")
        if _CUT in url:
            detail = (
                "a secret was cut from its address when the search was recorded, so it cannot be asked for any more"
            )
            raise PageFailure(FailureKind.BLOCKED_BY_POLICY, url, detail)
        self._log.live()
        return await self._inner.fetch(url)


class Recorded:
    """The world of `recording`, as one run is given it. `blob` gives stored bytes by their key."""

    def __init__(
        self,
        recording: Recording,
        log: RecordedLog,
        cleaned: Callable[[object], object],
        blob: Callable[[str], bytes],
    ) -> None:
        self.log = log
        self._recording = recording
        self._cleaned = cleaned
        self._blob = blob

    def search(self, name: str, missed: Callable[[SearchFailure], None], inner: Search | None = None) -> Search:
        """The provider called `name`; `inner` is asked for what is not recorded."""
        return RecordedSearch(name, self._recording, self.log, self._cleaned, missed, inner)

    def web(self, inner: Web | None = None) -> Web:
        """The pages; `inner` is asked for those that are not recorded."""
        return RecordedWeb(self._recording, self.log, self._cleaned, self._blob, inner)


def no_deadline(_: float) -> AbstractAsyncContextManager[object]:
    """How long a replay waits for a page that is read again: what was too slow is in the record."""
    return asyncio.timeout(None)


def late_from(recording: Recording) -> int | None:
    """From which take on a replay has no time left: as recorded, or never."""
    return recording.late_from or _NEVER


_NEVER = 1 << 62


def _seconds_used(recording: Recording) -> float:
    published: Mapping[str, object] = recording.published or {}
    value: object = published
    for name in ("answer", "budget", "seconds", "used"):
        value = value.get(name) if isinstance(value, Mapping) else None
    return float(value) if isinstance(value, int | float) else 0.0
