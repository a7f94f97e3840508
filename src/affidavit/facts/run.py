"""From a site's address to a register: crawl, read facts off the pages, make one register of them.

Nothing here opens a socket, a file or a clock: what a run needs is passed in, and what it found is given back as a
value, for whoever called to keep. What was found is pending, or approved by the rule; what a person decided about an
earlier register is `renewed`'s to carry over.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from affidavit.evidence.document import Document, Fetched
from affidavit.evidence.fact import Candidate, Register
from affidavit.facts.dropped import Dropped
from affidavit.facts.page import CrawlLimits, PageFacts, PageGap
from affidavit.models.model import Model


class Web(Protocol):
    """The gateway of the run (`egress.gateway.Gateway`)."""

    def saw(self, url: str, how: str) -> None: ...

    async def fetch(self, url: str) -> Fetched: ...


PageReader = Callable[[Fetched], Awaitable[Document]]
"""Makes a Document of a response, in a process that can be killed; raises PageFailure. Whoever records a run records
here what was fetched and what became of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FactRun:
    """What a site gave. `pages` are in the order in which they were followed, those that were still fresh among them.
    `register` is what the candidates of all pages make together, without regard to any register before it. `gaps` are
    the pages that gave nothing, `dropped` what was read and did not become a fact; `warnings` are for a person."""

    site_url: str
    pages: tuple[PageFacts, ...]
    register: Register
    gaps: tuple[PageGap, ...] = ()
    dropped: tuple[Dropped, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        return tuple(candidate for page in self.pages for candidate in page.candidates)


async def gather_facts(
    site_url: str,
    web: Web,
    reader: PageReader,
    *,
    customer: str,
    now: Callable[[], datetime],
    also: Sequence[str] = (),
    previous: Sequence[PageFacts] = (),
    extractor: Model | None = None,
    consolidator: Model | None = None,
    limits: CrawlLimits | None = None,
    on_progress: Callable[[str, str], None] = lambda _step, _detail: None,
) -> FactRun:
    """The facts of the site at `site_url`, which `customer` says are its own.

    `also` are more pages of the site that the person named: they are read first and count towards the limit. `previous`
    is what an earlier run found. Without a model each step is done by rules. `on_progress` gets a phase and a short
    detail for a person. Raises UserError for an address that is none; a site that gives nothing is a run with gaps.
    """
    raise NotImplementedError
