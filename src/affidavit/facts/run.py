"""From a site's address to a register: crawl, read facts off the pages, make one register of them.

Nothing here opens a socket, a file or a clock: what a run needs is passed in, and what it found is given back as a
value, for whoever called to keep. What was found is pending, or approved by the rule; what a person decided about an
earlier register is `renewed`'s to carry over.
"""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from affidavit.evidence.fact import Candidate, Register
from affidavit.facts.approval import decided
from affidavit.facts.consolidate import Consolidated, consolidate
from affidavit.facts.consolidator import consolidate_with
from affidavit.facts.crawl import Came, Crawl, PageReader, Web
from affidavit.facts.dropped import Dropped
from affidavit.facts.extractor import PAGE_CHARS, Extractor
from affidavit.facts.guards import guarded
from affidavit.facts.page import CrawlLimits, GapKind, PageFacts, PageGap, address
from affidavit.facts.rules import SIGNATURE, read_candidates
from affidavit.facts.whose import Business
from affidavit.models.context import Context
from affidavit.models.model import Model
from affidavit.ranking.canonical import host

SHOWN = 3
"""Pages that are named of those that were not read again."""

__all__ = ["FactRun", "PageReader", "Web", "gather_facts"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FactRun:
    """What a site gave. `pages` are in the order in which they were followed, those that were still fresh among them.
    `carried` are pages of earlier crawls that this one did not come to or could not read: what they stated stands, as
    nothing says that they state it no more. `register` is what the candidates of all of these make together, without
    regard to any register before it; it is empty where no page was read. `gaps` are the pages that gave nothing,
    `dropped` what was read and did not become a fact; `warnings` are for a person. `gone` are addresses at which the
    site says that nothing is any more."""

    site_url: str
    pages: tuple[PageFacts, ...]
    register: Register
    gaps: tuple[PageGap, ...] = ()
    dropped: tuple[Dropped, ...] = ()
    warnings: tuple[str, ...] = ()
    carried: tuple[PageFacts, ...] = ()
    gone: tuple[str, ...] = ()

    @property
    def settled(self) -> frozenset[str]:
        """The addresses (see `page.address`) of the pages that were read or are gone: what they stated and do not state
        again is stated no more."""
        read = {address(url) for facts in self.pages for url in (facts.page.url, facts.page.asked)}
        return frozenset(read | {address(url) for url in self.gone})

    @property
    def regarded(self) -> frozenset[str]:
        """The addresses of the pages with regard to which the register was made."""
        return self.settled | {address(facts.page.url) for facts in self.carried}

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
    context: Context | None = None,
    limits: CrawlLimits | None = None,
    on_page: Callable[[PageFacts], None] = lambda _page: None,
    on_progress: Callable[[str, str], None] = lambda _step, _detail: None,
) -> FactRun:
    """The facts of the site at `site_url`, which `customer` says are its own.

    `also` are more pages of the site that the person named: they are read first and count towards the limit. `previous`
    is what an earlier run found. Without a model each step is done by rules; `context` is what a model reads in one
    call. `on_page` gets each page as soon as facts were read off it: after a run that was cut off no such page need be
    read again. `on_progress` gets a phase and a short detail for a person.

    Raises UserError for an address that is none; a site that gives nothing is a run with gaps.
    """
    began = now()
    business = Business.of(customer, host(site_url))
    asked = None if extractor is None else Extractor(extractor, customer, context)
    crawl = Crawl(
        start=site_url,
        web=web,
        reader=reader,
        limits=limits or CrawlLimits(),
        now=began,
        also=also,
        previous=previous,
        signature=SIGNATURE if asked is None else asked.signature,
        progress=on_progress,
    )

    read = await _read_all(crawl, business, asked, on_page, on_progress)
    known = {address(facts.page.url): facts for facts in previous}
    pages = tuple(_with_before(facts, known.get(address(facts.page.url))) for facts, _ in read)
    run = FactRun(site_url=site_url, pages=pages, register=Register(customer), gone=tuple(crawl.gone))
    settled = run.settled
    carried = tuple(facts for facts in previous if address(facts.page.url) not in settled)
    candidates = tuple(one for facts in (*pages, *carried) for one in facts.candidates) if pages else ()
    on_progress("consolidate", f"{len(candidates)} candidates")
    made, problem = await _consolidated(candidates, consolidator, customer, context)
    left = [
        PageGap(url=facts.page.url, kind=GapKind.NOT_EXTRACTED, detail=detail)
        for facts in pages
        for detail in _not_extracted(facts)
    ]
    return replace(
        run,
        register=Register(customer, decided(made.facts, began.strftime("%Y-%m-%dT%H:%M:%SZ"))),
        gaps=(*crawl.gaps, *left),
        dropped=(*(one for _, some in read for one in some), *made.dropped),
        warnings=(
            *crawl.warnings,
            *([problem] if problem is not None else []),
            *(_stands(carried, site_url) if pages else ()),
            *_unnamed(pages, business, customer),
        ),
        carried=carried,
    )


def _with_before(facts: PageFacts, before: PageFacts | None) -> PageFacts:
    """`facts`, with what an earlier crawl read off the page where it was not read through this time."""
    if facts.problem is None or before is None:
        return facts
    held = {one.candidate_id for one in facts.candidates}
    return replace(
        facts, candidates=(*facts.candidates, *(one for one in before.candidates if one.candidate_id not in held))
    )


def _stands(carried: Sequence[PageFacts], site_url: str) -> Iterator[str]:
    """What a person is told of the pages of earlier crawls that were not read in this one."""
    told = [facts.page.url for facts in carried if facts.candidates]
    here = [url for url in told if host(url) == host(site_url)]
    others = sorted({host(url) for url in told} - {host(site_url)})
    if here:
        more = ", …" if len(here) > SHOWN else ""
        pages = "1 page that was read before was" if len(here) == 1 else f"{len(here)} pages that were read before were"
        they = "it" if len(here) == 1 else "they"
        yield f"{pages} not read again, and what {they} stated stands: {', '.join(here[:SHOWN])}{more}"
    if others:
        yield (
            f"what was read of {', '.join(others)} before stays in this register, and {host(site_url)} is read beside "
            "it; another --customer begins a register of its own"
        )


def _unnamed(pages: Sequence[PageFacts], business: Business, customer: str) -> Iterator[str]:
    """What a person is told where the site seems to call itself otherwise than `customer`."""
    said = (text for facts in pages for text in (facts.page.title or "", *(one.text for one in facts.candidates)))
    if pages and not any(map(business.is_named, said)):
        yield (
            f"no page calls the business {customer}: what the site says of itself by another name counts as somebody "
            "else's; give as --customer the name that it calls itself by"
        )


def _not_extracted(facts: PageFacts) -> Iterator[str]:
    if facts.problem is not None:
        yield facts.problem
    if facts.unread:
        yield f"its last {facts.unread:,} characters were not read: a model is shown the first {PAGE_CHARS:,} of a page"


async def _read_all(
    crawl: Crawl,
    business: Business,
    asked: Extractor | None,
    on_page: Callable[[PageFacts], None],
    on_progress: Callable[[str, str], None],
) -> list[tuple[PageFacts, list[Dropped]]]:
    """What each page of the crawl gives, in its order: a page is read while the next ones are fetched. Where one fails
    the others are stopped, too."""

    async def facts_of(came: Came) -> tuple[PageFacts, list[Dropped]]:
        facts, dropped = await _facts_of(came, business, asked)
        if came.before is None:
            on_page(facts)
        return facts, dropped

    reading: list[asyncio.Task[tuple[PageFacts, list[Dropped]]]] = []
    try:
        async for one in crawl.pages():
            reading.append(asyncio.create_task(facts_of(one)))
        on_progress("extract", f"{len(reading)} pages")
        return await asyncio.gather(*reading)
    except BaseException:
        for task in reading:
            task.cancel()
        await asyncio.gather(*reading, return_exceptions=True)
        raise


async def _facts_of(came: Came, business: Business, asked: Extractor | None) -> tuple[PageFacts, list[Dropped]]:
    """What one page gives: what it gave before where that still holds, else what is read off it now."""
    if came.before is not None:
        return replace(came.before, page=came.page), []
    if came.document is None:
        raise ValueError(f"{came.page.url} has neither a document nor facts from before")
    if asked is not None:
        return await asked.read(came.document, came.page)
    kept, dropped = guarded(read_candidates(came.document, came.page, business))
    return PageFacts(page=came.page, extractor=SIGNATURE, candidates=tuple(kept)), dropped


async def _consolidated(
    candidates: Sequence[Candidate], model: Model | None, customer: str, context: Context | None
) -> tuple[Consolidated, str | None]:
    """The register of the candidates, and why it was made by rules although a model was named."""
    if model is None or not candidates:
        return consolidate(candidates), None
    made = await consolidate_with(model, candidates, customer, context)
    if isinstance(made, Consolidated):
        return made, None
    return consolidate(candidates), f"{model.name} made no register ({made}); the rules made it"
