"""arXiv: preprints, by their Atom feed. No key; one request in three seconds, one at a time.

Errors come as a feed with one entry called "Error" (manual, 3.4), or as the bare words "Rate exceeded.".
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from lxml import etree  # pyright: ignore[reportAttributeAccessIssue]  # compiled, without stubs

from affidavit.egress.api import ApiRequest, ApiResponse
from affidavit.errors import SearchFailureKind
from affidavit.ranking.hit import Hit
from affidavit.search.connection import Connection
from affidavit.search.exchange import Call, Problem, retry_after
from affidavit.search.published import Window, iso_date
from affidavit.search.results import Found, Paging, collect
from affidavit.search.wording import content_words

PAGING = Paging(size=100, pages=2)
_ATOM = "{http://www.w3.org/2005/Atom}"


class Arxiv:
    name = "arxiv"

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def search(self, query: str, recency_days: int | None = None, limit: int = 10) -> list[Hit]:
        words = content_words(query)
        if not words:
            return []
        call = self._connection.exchange.call(self.name, _explain)
        window = Window.of(recency_days, self._connection.today())
        hits = await self._search(call, " AND ".join(map(_term, words)), limit, window)
        if not hits and len(words) > 1:
            hits = await self._search(call, " OR ".join(map(_term, words)), limit, window)
        return hits

    async def _search(self, call: Call, terms: str, limit: int, window: Window | None) -> list[Hit]:
        if window:
            first, last = (day.strftime("%Y%m%d") for day in (window.first, window.last))
            terms = f"({terms}) AND submittedDate:[{first}0000 TO {last}2359]"

        async def page(number: int, size: int) -> Sequence[Found]:
            params = {
                "search_query": terms,
                "start": str(number * size),
                "max_results": str(size),
                "sortBy": "relevance",
                "sortOrder": "descending",
            }
            accept = "application/atom+xml"
            response = await call.send(ApiRequest(endpoint="arxiv", params=tuple(params.items()), accept=accept))
            today = self._connection.today()
            return [
                Found(
                    url=_abstract_page(entry.id),
                    title=entry.title,
                    snippet=entry.summary,
                    published=iso_date(entry.published, today),
                )
                for entry in _entries(call, response)
            ]

        return await collect(call, page, provider=self.name, limit=limit, window=window, paging=PAGING)


@dataclass(frozen=True, slots=True)
class _Entry:
    id: str
    title: str
    summary: str
    published: str


def _term(word: str) -> str:
    """A word of several parts is a phrase, or its hyphen would be "not"."""
    return f"all:{word}" if word.isalnum() else f'all:"{word}"'


def _abstract_page(identity: str) -> str:
    """Ids are addresses, ``http://arxiv.org/abs/1706.03762v7``, given with http."""
    return identity.replace("http://arxiv.org/", "https://arxiv.org/", 1)


def _entries(call: Call, response: ApiResponse) -> list[_Entry]:
    """The feed's entries. Raises SearchFailure for what is no Atom feed."""
    feed = _parse(response.body)
    if feed is None or feed.tag != f"{_ATOM}feed":
        raise call.bad_response("sent something that is no Atom feed")
    return [
        _Entry(*(entry.findtext(f"{_ATOM}{name}") or "" for name in ("id", "title", "summary", "published")))
        for entry in feed.iterfind(f"{_ATOM}entry")
    ]


def _parse(body: bytes) -> Any:
    """The root element, or None for what is no XML.

    No entity is expanded and nothing is loaded; a document with a doctype, where entities are declared, is none.
    """
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        root = etree.fromstring(body, parser)
    except (etree.XMLSyntaxError, ValueError):
        return None
    return None if root.getroottree().docinfo.doctype else root


def _explain(response: ApiResponse) -> Problem | None:
    if response.status == 429 or response.body.strip().lower().startswith(b"rate exceeded"):
        after = retry_after(response.header("retry-after"))
        return Problem(SearchFailureKind.RATE_LIMITED, "too many requests", after)
    feed = _parse(response.body)
    if feed is None:
        return None
    entries = list(feed.iterfind(f"{_ATOM}entry"))
    if len(entries) == 1 and "/api/errors" in (entries[0].findtext(f"{_ATOM}id") or ""):
        said = " ".join((entries[0].findtext(f"{_ATOM}summary") or "no reason given").split())[:200]
        return Problem(SearchFailureKind.BAD_REQUEST, said)
    return None
