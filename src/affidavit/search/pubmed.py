"""PubMed: the literature of medicine, by NCBI's E-utilities. No key; a free one allows more requests a second.

Two requests a search: the ids, and what belongs to them. Abstracts are in neither, so a snippet is where and by whom
a work was published; the page itself has the abstract.
"""

from collections.abc import Sequence

from affidavit.egress.api import ApiRequest, ApiResponse
from affidavit.errors import SearchFailureKind
from affidavit.ranking.hit import Hit
from affidavit.search.connection import Connection
from affidavit.search.exchange import Call, Problem, retry_after
from affidavit.search.published import Window, iso_date
from affidavit.search.reading import Answer, peek_json, read_json
from affidavit.search.results import Found, Paging, collect
from affidavit.search.wording import content_words

PAGING = Paging(size=100, pages=2, vouched=True)
_AUTHORS = 3
_TOOL = "affidavit"
# Of errors that say that some server behind it was not there.
_PASSING = ("backend", "forwarding", "temporarily")


class _Ids(Answer):
    idlist: list[str] | None = None  # not there beside an error
    ERROR: str | None = None  # its own spelling


class _Searched(Answer):
    esearchresult: _Ids


class _Author(Answer):
    name: str = ""


class _Summary(Answer):
    uid: str
    title: str | None = None
    source: str | None = None
    pubdate: str | None = None
    epubdate: str | None = None
    authors: list[_Author] = []


class _Summarised(Answer):
    result: dict[str, object]


class _Failed(Answer):
    error: str


class PubMed:
    name = "pubmed"

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def search(self, query: str, recency_days: int | None = None, limit: int = 10) -> list[Hit]:
        words = content_words(query)
        if not words:
            return []
        call = self._connection.exchange.call(self.name, _explain)
        window = Window.of(recency_days, self._connection.today())
        hits = await self._search(call, " AND ".join(words), limit, window)
        if not hits and len(words) > 1:
            hits = await self._search(call, " OR ".join(words), limit, window)
        return hits

    async def _search(self, call: Call, terms: str, limit: int, window: Window | None) -> list[Hit]:
        async def page(number: int, size: int) -> Sequence[Found]:
            ids = await self._ids(call, terms, number * size, size, window)
            return await self._summaries(call, ids) if ids else ()

        return await collect(call, page, provider=self.name, limit=limit, window=window, paging=PAGING)

    async def _ids(self, call: Call, terms: str, start: int, size: int, window: Window | None) -> list[str]:
        params = {
            "db": "pubmed",
            "term": terms,
            "retstart": str(start),
            "retmax": str(size),
            "sort": "relevance",
            "retmode": "json",
            "tool": _TOOL,
        }
        if window:
            first, last = (day.strftime("%Y/%m/%d") for day in (window.first, window.last))
            params |= {"datetype": "pdat", "mindate": first, "maxdate": last}
        response = await call.send(ApiRequest(endpoint="pubmed-search", params=tuple(params.items())))
        ids = read_json(call, response, _Searched).esearchresult.idlist
        if ids is None:
            raise call.bad_response("esearchresult.idlist: field required")
        return ids

    async def _summaries(self, call: Call, ids: Sequence[str]) -> list[Found]:
        params = {"db": "pubmed", "id": ",".join(ids), "retmode": "json", "tool": _TOOL}
        response = await call.send(ApiRequest(endpoint="pubmed-summary", params=tuple(params.items())))
        result = read_json(call, response, _Summarised).result
        today = self._connection.today()
        found: list[Found] = []
        for identity in ids:
            if identity not in result:
                continue
            one = _Summary.model_validate(result[identity])
            found.append(
                Found(
                    url=f"https://pubmed.ncbi.nlm.nih.gov/{one.uid}/",
                    title=one.title,
                    snippet=_snippet(one),
                    published=iso_date(one.pubdate, today) or iso_date(one.epubdate, today),
                )
            )
        return found


def _snippet(one: _Summary) -> str:
    names = [author.name for author in one.authors if author.name]
    by = ", ".join(names[:_AUTHORS]) + (" and others" if len(names) > _AUTHORS else "")
    return ". ".join(part for part in (by, one.source, one.pubdate) if part)


def _explain(response: ApiResponse) -> Problem | None:
    """Errors are an `error` beside or instead of the result, whatever the status."""
    searched = peek_json(response, _Searched)
    error = searched.esearchresult.ERROR if searched else None
    if error is None and (failed := peek_json(response, _Failed)) is not None:
        error = failed.error
    if error is None:
        return None
    said, lower = error[:200], error.lower()
    if "rate limit" in lower:
        return Problem(SearchFailureKind.RATE_LIMITED, said, retry_after(response.header("retry-after")))
    if "api key" in lower or "api-key" in lower:
        return Problem(SearchFailureKind.AUTH, said)
    if response.status >= 500 or any(word in lower for word in _PASSING):
        return Problem(SearchFailureKind.UNAVAILABLE, said)
    return Problem(SearchFailureKind.BAD_REQUEST, said)
