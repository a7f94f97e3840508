"""What a crawl leaves in the ledger so that it can be done again from there alone, and that crawl done again.

Each page as it came, what each model replied, the pages that were known before and the time that the crawl went by. The
same code then finds the same facts, or the difference is of this version or this extractor.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast

from affidavit.errors import NotRecorded
from affidavit.evidence.document import Document, Fetched
from affidavit.facts.page import CrawlLimits, PageFacts
from affidavit.facts.record import fact_record, pages_of
from affidavit.facts.run import FactRun, gather_facts
from affidavit.ledger import Event
from affidavit.models.context import Context
from affidavit.models.model import Model
from affidavit.models.structured import Structured
from affidavit.research.recalled import Calls, RecalledModel, read_calls
from affidavit.research.recorded import RecordedWeb, ReplayedLog
from affidavit.research.recording import Recording, read_recording

GATHERED = "gathered"
"""The event with what a crawl came to."""


READ = "page_read"
"""The event of a page off which facts were read: what a crawl that is cut off has done so far."""


def pages_read(events: Sequence[Event], blob: Callable[[str], bytes]) -> tuple[PageFacts, ...]:
    """The pages that a crawl read, with their candidates, as far as it came."""
    found = [blob(str(event.payload["pages"])) for event in events if event.type == READ]
    return tuple(page for one in found for page in pages_of(json.loads(one)))


def gathered(run: FactRun) -> dict[str, object]:
    """What the run's record says of what it found."""
    return {
        "site_url": run.site_url,
        "pages": [
            {
                "url": page.page.url,
                "doc_id": page.page.doc_id,
                "page_type": page.page.page_type,
                "words": page.page.words,
                "content_hash": page.page.content_hash,
                "extractor": page.extractor,
                "summary": page.summary,
                "problem": page.problem,
                "candidates": page.candidates,
            }
            for page in run.pages
        ],
        "facts": [fact_record(fact) for fact in run.register.facts],
        "gaps": run.gaps,
        "dropped": run.dropped,
        "warnings": run.warnings,
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlRecord:
    """What a crawl that came to its end recorded."""

    recording: Recording
    settings: Mapping[str, Any]
    gathered: Mapping[str, Any]
    calls: Calls

    @property
    def blobs(self) -> dict[str, str]:
        """The blobs that doing it again takes, and what each is."""
        needed = {one.blob: f"the page {one.url}" for one in self.recording.responses.values()}
        previous = self.settings["previous"]
        return needed if previous is None else needed | {str(previous): "the pages that were known before"}

    def again(
        self,
        run_id: str,
        *,
        blob: Callable[[str], bytes],
        cleaned: Callable[[object], object],
        extract: Callable[[Fetched], Awaitable[Document]],
    ) -> FactRun:
        """The run that follows from the record. Raises NotRecorded where it asks for what is not there."""
        log = ReplayedLog(run_id, self.recording, cleaned)
        previous = self.settings["previous"]
        url, *also = cast("list[str]", self.settings["given"])
        return asyncio.run(
            gather_facts(
                url,
                RecordedWeb(self.recording, log, cleaned, blob),
                extract,
                customer=str(self.settings["customer"]),
                now=lambda: datetime.fromisoformat(str(self.settings["now"])),
                also=also,
                previous=() if previous is None else pages_of(json.loads(blob(str(previous)))),
                extractor=self._model("extractor"),
                consolidator=self._model("consolidator"),
                context=Context(self.settings.get("context_tokens")),
                limits=CrawlLimits(**self.settings["limits"]),
            )
        )

    def _model(self, role: str) -> Model | None:
        name = self.settings[role]
        return None if name is None else Structured(RecalledModel(str(name), self.calls))


def read_crawl_record(events: Sequence[Event]) -> CrawlRecord:
    """The record of a crawl. Raises NotRecorded naming what is not there."""
    found = [event.payload for event in events if event.type == GATHERED]
    if not found:
        raise NotRecorded(f"what the crawl came to (no {GATHERED} event)")
    recording = read_recording(events)
    return CrawlRecord(recording=recording, settings=recording.settings, gathered=found[0], calls=read_calls(events))
