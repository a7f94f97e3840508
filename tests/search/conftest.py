"""Small sites in folders, search APIs on a local server, and the means to search both."""

import asyncio
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

import pytest

from affidavit.egress.api import ApiCall, HttpApi, own_hosts
from affidavit.egress.archive import Archive, open_archive
from affidavit.egress.endpoints import endpoints
from affidavit.egress.keys import Keys
from affidavit.egress.transport import PinnedTransport
from affidavit.errors import PageFailure, SearchFailure
from affidavit.evidence.document import Document, Fetched
from affidavit.extract.extraction import EXTRACTORS, extract
from affidavit.ranking.hit import Hit
from affidavit.search.build import Builder
from affidavit.search.catalogue import MAKERS, catalogue
from affidavit.search.connection import Connection
from affidavit.search.embedded import EmbeddedSearch
from affidavit.search.exchange import Exchange
from affidavit.search.limits import Limits

from .provider_fakes import KEYS, TODAY, Request
from .provider_server import EverywherePublic, ProviderServer, ToServer


class InProcess:
    """Extraction without worker processes, for pages that are no danger. Counts what it is given."""

    def __init__(self) -> None:
        self.count = 0

    def extract_many(self, pages: Iterable[Fetched]) -> Iterator[tuple[Fetched, Document | PageFailure]]:
        for page in pages:
            self.count += 1
            try:
                yield page, extract(page)
            except PageFailure as failure:
                yield page, failure


class Building:
    """A builder and what it said while building."""

    def __init__(self, cache: Path) -> None:
        self.extractor = InProcess()
        self.progress: list[tuple[int, int]] = []
        self.messages: list[str] = []
        self.builder = Builder(cache, lambda: self.extractor, EXTRACTORS, self._on_progress, self.messages.append)

    def _on_progress(self, done: int, total: int, archive: Archive) -> None:
        self.progress.append((done, total))


@pytest.fixture
def site(tmp_path: Path) -> Callable[..., Archive]:
    """Writes a folder of pages, name to text, and opens it."""

    def write(pages: dict[str, str], name: str = "site") -> Archive:
        root = tmp_path / name
        for file, text in pages.items():
            path = root / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return open_archive(root)

    return write


@pytest.fixture
def building(tmp_path: Path) -> Callable[[], Building]:
    """A new builder over the same cache folder, as another run would have."""
    return lambda: Building(tmp_path / "cache")


class Searched:
    """A search whose calls wait for their results."""

    def __init__(self, search: EmbeddedSearch) -> None:
        self.search = search

    def hits(self, query: str, *arguments: int | None):
        return asyncio.run(self.search.search(query, *arguments))

    def urls(self, query: str, *arguments: int | None) -> list[str]:
        return [hit.url.rpartition("/")[2] for hit in self.hits(query, *arguments)]

    def passages(self, query: str, limit: int = 50):
        return asyncio.run(self.search.passages(query, limit))


@pytest.fixture
def searching(building) -> Iterator[Callable[..., Searched]]:
    opened: list[EmbeddedSearch] = []

    def search(*archives: Archive, **options) -> Searched:
        opened.append(EmbeddedSearch.open(archives, building().builder, **options))
        return Searched(opened[-1])

    yield search
    for one in opened:
        one.close()


@pytest.fixture(scope="session")
def provider_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ProviderServer]:
    server = ProviderServer(tmp_path_factory.mktemp("providers"))
    yield server
    server.close()


HOSTS = {
    "wikipedia": "en.wikipedia.org",
    "brave": "api.search.brave.com",
    "tavily": "api.tavily.com",
    "exa": "api.exa.ai",
    "serper": "google.serper.dev",
    "duckduckgo": "api.duckduckgo.com",
    "arxiv": "export.arxiv.org",
    "openalex": "api.openalex.org",
    "crossref": "api.crossref.org",
    "pubmed": "eutils.ncbi.nlm.nih.gov",
}


class Desk:
    """Searches by the real clients over the real transport. Waiting moves a clock of its own and takes no time.

    Its permits are explicit: names lead to the server's TLS port by the dialler, and the loopback address of the
    operator's own instances is opened as an operator opens it.
    """

    def __init__(self, server: ProviderServer, folder: Path) -> None:
        self.server = server
        self.keys: Mapping[str, str] = KEYS
        self.seconds = 20.0
        self.language: str | None = None
        self.region: str | None = None
        self.contact: str | None = None
        self.cap = 8 * 1024 * 1024
        self.waits: list[float] = []
        self.calls: list[ApiCall] = []
        self.told: list[SearchFailure] = []
        self.dialler = ToServer(server.tls_port)
        self._folder = folder

    @property
    def asked(self) -> list[Request]:
        return self.server.asked

    def host(self, provider: str) -> str:
        """As the server sees it."""
        return HOSTS.get(provider) or f"127.0.0.1:{self.server.plain_port}"

    def hits(
        self, provider: str, query: str = "password", recency_days: int | None = None, limit: int = 10
    ) -> list[Hit]:
        return asyncio.run(self._hits(provider, query, recency_days, limit))

    def failure(self, provider: str, query: str = "password") -> SearchFailure:
        with pytest.raises(SearchFailure) as raised:
            self.hits(provider, query)
        return raised.value

    def api(self) -> HttpApi:
        own = f"http://127.0.0.1:{self.server.plain_port}"
        table = endpoints(
            (self.language or "en").partition("-")[0], {"searxng_url": own, "mediawiki_url": f"{own}/w/api.php"}
        ).values()
        return HttpApi(
            table,
            Keys(self.keys),
            transport=PinnedTransport(
                EverywherePublic(),
                allow_private=own_hosts(table),
                ssl_context=self.server.trust,
                dialler=self.dialler,
            ),
            user_agent="affidavit/test",
            contact=self.contact,
            on_call=self.calls.append,
            cap=self.cap,
        )

    def exchange(self, api: HttpApi) -> Exchange:
        return Exchange(
            api,
            Limits(self._folder / "limits.sqlite", lambda: time.time() + sum(self.waits)),
            {name: entry.manners for name, entry in catalogue().items()},
            seconds=self.seconds,
            on_partial=self.told.append,
            sleep=self._wait,
            draw=lambda: 1.0,
        )

    async def _wait(self, seconds: float) -> None:
        self.waits.append(seconds)

    async def _hits(self, provider: str, query: str, recency_days: int | None, limit: int) -> list[Hit]:
        async with self.api() as api:
            connection = Connection(
                exchange=self.exchange(api), language=self.language, region=self.region, today=lambda: TODAY
            )
            return await MAKERS[provider](connection).search(query, recency_days, limit)


@pytest.fixture
def desk(provider_server: ProviderServer, tmp_path: Path) -> Desk:
    provider_server.forget()
    return Desk(provider_server, tmp_path)
