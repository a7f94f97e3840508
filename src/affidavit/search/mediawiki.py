"""Wikipedia, and any other MediaWiki: full-text search over page titles and texts, no key.

Every word of a query must stand in the page, so the words that say what it is about are asked for, and fewer of them
where no page has all. There is no filter by date: with `recency_days` the pages whose last edit is that recent
remain. A hit has no date all the same, because an edit does not make an encyclopedia's page new.
"""

from collections.abc import Sequence
from dataclasses import replace
from urllib.parse import quote

from affidavit.egress.api import ApiRequest, ApiResponse
from affidavit.errors import SearchFailureKind
from affidavit.ranking.hit import Hit
from affidavit.search.connection import Connection
from affidavit.search.exchange import Call, Problem, retry_after
from affidavit.search.published import Window, iso_date
from affidavit.search.reading import Answer, peek_json, read_json
from affidavit.search.results import Found, Paging, collect
from affidavit.search.wording import content_words

PAGING = Paging(size=50, pages=3)


class _Page(Answer):
    title: str
    snippet: str = ""
    timestamp: str | None = None


class _Query(Answer):
    search: list[_Page]


class _Searched(Answer):
    query: _Query


class _Site(Answer):
    server: str
    articlepath: str


class _SiteQuery(Answer):
    general: _Site


class _SiteInfo(Answer):
    query: _SiteQuery


class _Error(Answer):
    code: str
    info: str = ""


class _Failed(Answer):
    error: _Error


class MediaWiki:
    """One wiki. `endpoint` is its row of the endpoint table."""

    def __init__(self, connection: Connection, name: str, endpoint: str) -> None:
        self.name = name
        self._connection = connection
        self._endpoint = endpoint
        self._site: _Site | None = None

    async def search(self, query: str, recency_days: int | None = None, limit: int = 10) -> list[Hit]:
        words = content_words(query)
        if not words:
            return []
        call = self._connection.exchange.call(self.name, _explain)
        window = Window.of(recency_days, self._connection.today())
        for asked in _looser(words):
            hits = await self._search(call, asked, limit, window)
            if hits:
                return [replace(hit, published=None) for hit in hits]
        return []

    async def _search(self, call: Call, words: str, limit: int, window: Window | None) -> list[Hit]:
        async def page(number: int, size: int) -> Sequence[Found]:
            return await self._page(call, words, number * size, size)

        return await collect(call, page, provider=self.name, limit=limit, window=window, paging=PAGING)

    async def _page(self, call: Call, words: str, offset: int, size: int) -> Sequence[Found]:
        params = {
            "action": "query",
            "list": "search",
            "srsearch": words,
            "srlimit": str(size),
            "sroffset": str(offset),
            "srprop": "snippet|timestamp",
            "srwhat": "text",
            "srinfo": "",
            "format": "json",
            "formatversion": "2",
        }
        if self._site is None:
            params |= {"meta": "siteinfo", "siprop": "general"}
        response = await call.send(ApiRequest(endpoint=self._endpoint, params=tuple(params.items())))
        found = read_json(call, response, _Searched)
        if self._site is None:
            self._site = read_json(call, response, _SiteInfo).query.general
        today = self._connection.today()
        return [
            Found(
                url=_address(self._site, one.title),
                title=one.title,
                snippet=one.snippet,
                published=iso_date(one.timestamp, today),
            )
            for one in found.query.search
        ]


def _looser(words: Sequence[str]) -> list[str]:
    """All words; any of them, which Wikipedia's search engine understands; the two longest together and each alone,
    for the built-in one, which does not and knows no word forms either."""
    longest = sorted(words, key=len, reverse=True)[:2]
    return list(dict.fromkeys((" ".join(words), " OR ".join(words), " ".join(longest), *longest)))


def _address(site: _Site, title: str) -> str:
    """Where the wiki itself says its pages are: ``https://host/wiki/Title_of_page``."""
    server = f"https:{site.server}" if site.server.startswith("//") else site.server
    path = site.articlepath.replace("$1", quote(title.replace(" ", "_"), safe="/:@!$'()*,;~"))
    return server + path


def _explain(response: ApiResponse) -> Problem | None:
    """MediaWiki reports errors with status 200, or in a header when its databases lag."""
    failed = peek_json(response, _Failed)
    if failed is None:
        return None
    code, info = failed.error.code, failed.error.info[:200]
    after = retry_after(response.header("retry-after"))
    if code == "ratelimited":
        return Problem(SearchFailureKind.RATE_LIMITED, info or code, after)
    if code in ("maxlag", "readonly") or code.startswith("internal_api_error"):
        return Problem(SearchFailureKind.UNAVAILABLE, f"{code}: {info}", after)
    if code in ("readapidenied", "permissiondenied", "blocked", "autoblocked", "mwoauth-invalid-authorization"):
        return Problem(SearchFailureKind.AUTH, f"{code}: {info}")
    return Problem(SearchFailureKind.BAD_REQUEST, f"{code}: {info}")
