"""One site, breadth first: which pages are read, in which order, and what became of those that were not (contract W1).

Pages are asked for in rounds of a few, each round in the order of its links' worth, and what a round brought is taken
in that order too: the same site gives the same crawl, whichever page is quickest.
"""

import asyncio
import re
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Protocol
from urllib.parse import urlsplit

from affidavit.errors import FailureKind, PageFailure, UserError
from affidavit.evidence.document import BlockKind, Document, Fetched, Link
from affidavit.evidence.language import guess_language, primary_subtag
from affidavit.facts.page import CrawledPage, CrawlLimits, GapKind, PageFacts, PageGap
from affidavit.facts.page_type import RANK, page_type, turn
from affidavit.ranking.canonical import canonical_url, host


class Web(Protocol):
    """The gateway of the run (`egress.gateway.Gateway`)."""

    def saw(self, url: str, how: str) -> None: ...

    async def fetch(self, url: str) -> Fetched: ...


PageReader = Callable[[Fetched], Awaitable[Document]]
"""Makes a Document of a response, in a process that can be killed; raises PageFailure. Whoever records a run records
here what was fetched and what became of it."""

TRIES = 3
"""Pages asked for, for each page that a crawl may read: a site of dead links ends too."""
LINKS_KEPT = 400
"""Links remembered of one page."""
_GONE = (404, 410)
# Words that tell a page's language better than what its template declares.
_ENOUGH_WORDS = 60
_NO_PAGE = re.compile(
    r"\.(?:jpe?g|png|gif|svg|webp|ico|css|js|json|xml|rss|atom|zip|gz|tar|mp[34]|mov|avi|woff2?|ttf|eot|exe|dmg|docx?"
    r"|xlsx?|pptx?|csv|ics)$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Came:
    """A page that a crawl came to. `document` is None where it is still fresh and `before` stands for it; `before` is
    also what an earlier run made of the very same text."""

    page: CrawledPage
    document: Document | None
    before: PageFacts | None


@dataclass(frozen=True, slots=True)
class _Ahead:
    """An address to be read: `order` is its turn, the worth of its kind, and its place."""

    url: str
    depth: int
    order: tuple[int, int, int]


@dataclass(slots=True)
class Crawl:
    """One crawl of the site of `start`. Read `pages` once; `gaps` and `warnings` are whole after it."""

    start: str
    web: Web
    reader: PageReader
    limits: CrawlLimits
    now: datetime
    also: Sequence[str] = ()
    previous: Sequence[PageFacts] = ()
    signature: str = ""
    """Who reads facts off pages: what another one made of a page is made again."""
    progress: Callable[[str, str], None] = lambda _step, _detail: None
    gaps: list[PageGap] = field(default_factory=list[PageGap])
    gone: list[str] = field(default_factory=list[str])
    """Addresses at which no page of its own is any more: the site says so, or what is there is word for word another
    page of the crawl."""
    warnings: list[str] = field(default_factory=list[str])
    _ahead: list[_Ahead] = field(default_factory=list[_Ahead])
    _known: set[str] = field(default_factory=set[str])
    _deeper: dict[str, str] = field(default_factory=dict[str, str])
    _texts: dict[str, str] = field(default_factory=dict[str, str])
    _language: str | None = None

    async def pages(self) -> AsyncGenerator[Came]:
        """Every page that was read or is still fresh. Raises UserError for an address that is none."""
        home = host(self.start)
        if not home or not self.start.startswith(("http://", "https://")):
            raise UserError(f"{self.start[:200]!r} is no site: write its address in full, as in https://example.org/")
        for number, url in enumerate((self.start, *self.also)):
            if host(url) != home:
                raise UserError(f"{url} is not on {home}: a crawl reads one site; crawl the other one by itself")
            self._add(url, 0, (-1, 0, number), "given by the user")
        remembered = {
            canonical_url(one): facts for facts in self.previous for one in (facts.page.asked, facts.page.url)
        }
        read = tried = 0
        while self._ahead and read < self.limits.pages and tried < TRIES * self.limits.pages:
            self._ahead.sort(key=lambda one: one.order)
            # A round is of one turn: what its pages link to may come before the next turn.
            turns = sum(one.order[0] == self._ahead[0].order[0] for one in self._ahead)
            count = min(self.limits.at_once, self.limits.pages - read, turns)
            batch, self._ahead = self._ahead[:count], self._ahead[count:]
            tried += len(batch)
            outcomes = await asyncio.gather(*(self._one(one, remembered.get(canonical_url(one.url))) for one in batch))
            for outcome in outcomes:
                came = self._taken(outcome, home)
                if came is None:
                    continue
                self._follow(came.page, home)
                if came.page.words:
                    read += 1
                    yield came
        self._finish(read)

    def _add(self, url: str, depth: int, order: tuple[int, int, int], how: str) -> None:
        key = _key(url)
        if key in self._known or _is_file(url):
            return
        self._known.add(key)
        self.web.saw(url, how)
        self._ahead.append(_Ahead(url, depth, order))

    async def _one(self, ahead: _Ahead, before: PageFacts | None) -> "Came | PageGap":
        """The page at one address: from before where it is fresh, else fetched and read."""
        if before is not None and self._fresh(before):
            return Came(replace(before.page, depth=ahead.depth), None, before)
        self.progress("read", ahead.url)
        fetched = None
        try:
            fetched = await self.web.fetch(ahead.url)
            if host(fetched.final_url) != host(self.start):
                return _off_site(ahead.url, fetched.final_url)
            document = await self.reader(fetched)
        except PageFailure as failure:
            if fetched is not None and fetched.status in _GONE:
                self.gone += [ahead.url, fetched.final_url]
            if failure.url != ahead.url and _other_host(failure.url, self.start):
                return _off_site(ahead.url, failure.url)
            return PageGap(url=ahead.url, kind=GapKind.FAILED, detail=failure.detail, failure=failure.kind.value)
        page = self._described(ahead, document)
        if before is None or before.page.content_hash != page.content_hash or before.extractor != self.signature:
            return Came(page, document, None)
        # The same text: its offsets hold, and what was made of it stays bound to the document it was made of.
        page = replace(page, doc_id=before.page.doc_id, retrieved_at=before.page.retrieved_at)
        return Came(page, document, before if before.problem is None else None)

    def _fresh(self, before: PageFacts) -> bool:
        if before.extractor != self.signature or before.problem is not None:
            return False
        age = self.now - datetime.fromisoformat(before.page.seen_at)
        return timedelta(0) <= age < timedelta(days=self.limits.fresh_days)

    def _described(self, ahead: _Ahead, document: Document) -> CrawledPage:
        words = main_words(document)
        own = document.language or guess_language(document.text)
        language = guess_language(document.text) if words >= _ENOUGH_WORDS else own
        return CrawledPage(
            url=document.final_url,
            asked=ahead.url,
            doc_id=document.doc_id,
            title=document.title,
            page_type=page_type(document.final_url, document.title, ahead.depth, start=self.start),
            depth=ahead.depth,
            words=words,
            content_hash=document.text_sha256,
            retrieved_at=document.retrieved_at,
            seen_at=self.now.strftime("%Y-%m-%dT%H:%M:%SZ"),
            language=primary_subtag(language) if language else None,
            links=_own_links(document, host(self.start)),
        )

    def _taken(self, outcome: "Came | PageGap", home: str) -> Came | None:
        """`outcome` if it is a page to read facts off; else it is a gap, and said so."""
        if isinstance(outcome, PageGap):
            self.gaps.append(outcome)
            return None
        page = outcome.page
        self._known.add(_key(page.url))
        if not page.words:
            self.gaps.append(
                PageGap(url=page.url, kind=GapKind.NO_TEXT, detail="it has no words beside menus; nothing to read")
            )
            return outcome
        if (twin := self._texts.get(page.content_hash)) is not None:
            detail = f"its text is that of {twin}; one of the two was read"
            self.gaps.append(PageGap(url=page.url, kind=GapKind.SAME_TEXT, detail=detail))
            self.gone.append(page.url)
            return None
        self._texts[page.content_hash] = page.url
        self._language = self._language or page.language
        if page.language != self._language:
            detail = (
                f"it is in {page.language or 'no known language'} and {home} in {self._language}; crawl it by itself"
            )
            self.gaps.append(PageGap(url=page.url, kind=GapKind.OTHER_LANGUAGE, detail=detail))
            return None
        return outcome

    def _follow(self, page: CrawledPage, home: str) -> None:
        depth = page.depth + 1
        for place, link in enumerate(page.links):
            if _other_host(link.url, f"https://{home}/"):
                continue
            if depth > self.limits.depth:
                self._deeper.setdefault(_key(link.url), link.url)
                continue
            kind = page_type(link.url, link.text, depth, start=self.start)
            words = f"{link.url.rstrip('/').rsplit('/', 1)[-1]} {link.text}"
            self._add(link.url, depth, (turn(kind, depth, words), RANK[kind], place), f"link on {page.url}")

    def _finish(self, read: int) -> None:
        if self._ahead:
            shown = ", ".join(one.url for one in self._ahead[:3])
            detail = f"{len(self._ahead)} more pages were found ({shown}, …); --pages reads more of them"
            self.gaps.append(PageGap(url=self._ahead[0].url, kind=GapKind.OVER_LIMIT, detail=detail))
        deeper = [url for key, url in self._deeper.items() if key not in self._known and not _is_file(url)]
        if deeper:
            detail = f"{len(deeper)} pages lie {self.limits.depth + 1} links from the start; --depth reads further"
            self.gaps.append(PageGap(url=deeper[0], kind=GapKind.OVER_LIMIT, detail=detail))
        if not read:
            first = next(iter(self.gaps), None)
            why = f": {first.detail}" if first is not None else ""
            self.warnings.append(f"no page of {host(self.start)} could be read{why}")
        others = sum(gap.kind is GapKind.OTHER_LANGUAGE for gap in self.gaps)
        if others:
            self.warnings.append(f"{others} pages are in another language than {self._language} and were left out")


def _key(url: str) -> str:
    """What makes two addresses of a site one: a slash too many, as templates leave it, leads to the same page."""
    scheme, colon, rest = canonical_url(url).partition("://")
    return f"{scheme}{colon}{re.sub(r'/{2,}', '/', rest)}"


def _is_file(url: str) -> bool:
    return _NO_PAGE.search(urlsplit(url).path) is not None


def main_words(document: Document) -> int:
    """Words of the main text: menus are not counted."""
    return sum(
        len(document.text[block.start : block.end].split())
        for block in document.blocks
        if block.main and block.kind is not BlockKind.NAVIGATION
    )


def _own_links(document: Document, home: str) -> tuple[Link, ...]:
    """The links to pages of the same site, each once, less their fragments."""
    found: dict[str, Link] = {}
    for link in document.links:
        url = link.url.partition("#")[0]
        if url.startswith(("http://", "https://")) and not _other_host(url, f"https://{home}/"):
            found.setdefault(url, Link(url, link.text[:200]))
    return tuple(found.values())[:LINKS_KEPT]


def _other_host(url: str, than: str) -> bool:
    """Whether `url` is on another host. What is no address is on none."""
    try:
        return host(url) != host(than)
    except UserError:
        return True


def _off_site(asked: str, final: str) -> PageGap:
    detail = f"it redirects to {final[:200]}, another site; crawl that address if it is the customer's"
    return PageGap(url=asked, kind=GapKind.OFF_SITE, detail=detail, failure=FailureKind.REDIRECT_STUB.value)
