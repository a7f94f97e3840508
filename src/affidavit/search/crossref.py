"""Crossref: what publishers deposited with a DOI. No key; faster with a mail address in `contact`."""

from collections.abc import Sequence

from affidavit.egress.api import ApiRequest, ApiResponse
from affidavit.errors import SearchFailureKind
from affidavit.ranking.hit import Hit
from affidavit.search.connection import Connection
from affidavit.search.exchange import Problem
from affidavit.search.published import Window, from_parts
from affidavit.search.reading import Answer, peek_json, read_json
from affidavit.search.results import Found, Paging, collect
from affidavit.search.wording import as_text, content_words

PAGING = Paging(size=100, pages=2)
_FIELDS = "DOI,URL,title,abstract,issued"


class _Work(Answer):
    DOI: str | None = None  # its own spelling, as below
    URL: str | None = None
    title: list[str] | None = None
    abstract: str | None = None
    issued: dict[str, list[list[int | None]]] | None = None


class _Message(Answer):
    items: list[_Work]


class _Searched(Answer):
    message: _Message


class _Complaint(Answer):
    message: str = ""


class _Failed(Answer):
    status: str
    message: list[_Complaint] | str


class Crossref:
    name = "crossref"

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def search(self, query: str, recency_days: int | None = None, limit: int = 10) -> list[Hit]:
        words = content_words(query)
        if not words:
            return []
        connection = self._connection
        call = connection.exchange.call(self.name, _explain)
        window = Window.of(recency_days, connection.today())
        fixed = {"query.bibliographic": as_text(" ".join(words)), "select": _FIELDS, "sort": "relevance"}
        if window:
            fixed["filter"] = f"from-pub-date:{window.first},until-pub-date:{window.last}"

        async def page(number: int, size: int) -> Sequence[Found]:
            params = fixed | {"rows": str(size), "offset": str(number * size)}
            response = await call.send(ApiRequest(endpoint="crossref", params=tuple(params.items())))
            found = read_json(call, response, _Searched)
            return [_found(work) for work in found.message.items]

        return await collect(call, page, provider=self.name, limit=limit, window=window, paging=PAGING)


def _found(work: _Work) -> Found:
    parts = (work.issued or {}).get("date-parts") or [[None]]
    return Found(
        url=f"https://doi.org/{work.DOI}" if work.DOI else work.URL,
        title=" ".join(work.title or ()),
        snippet=work.abstract,
        published=from_parts(parts[0]),
    )


def _explain(response: ApiResponse) -> Problem | None:
    """A request that it refuses has a list of complaints; most other errors have no body worth reading."""
    if response.status != 400:
        return None
    failed = peek_json(response, _Failed)
    if failed is None:
        return None
    said = failed.message if isinstance(failed.message, str) else "; ".join(one.message for one in failed.message[:3])
    return Problem(SearchFailureKind.BAD_REQUEST, said[:200])
