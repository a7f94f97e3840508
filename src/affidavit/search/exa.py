"""Exa: search by meaning over an index of its own. Needs a key."""

from collections.abc import Sequence

from affidavit.egress.api import ApiRequest, ApiResponse
from affidavit.errors import SearchFailureKind
from affidavit.ranking.hit import Hit
from affidavit.search.connection import Connection
from affidavit.search.exchange import Problem, retry_after
from affidavit.search.published import Window, iso_date
from affidavit.search.reading import Answer, peek_json, read_json
from affidavit.search.results import Found, Paging, collect
from affidavit.search.wording import as_question

# Ten results are in the base price; ten more would more than double it (exa.ai/docs/reference/pricing).
PAGING = Paging(size=10, pages=1)


class _Result(Answer):
    url: str | None = None
    title: str | None = None
    publishedDate: str | None = None  # its own spelling
    highlights: list[str] | None = None
    text: str | None = None


class _Searched(Answer):
    results: list[_Result]


class _Failed(Answer):
    error: str
    tag: str = ""


class Exa:
    name = "exa"

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def search(self, query: str, recency_days: int | None = None, limit: int = 10) -> list[Hit]:
        text = as_question(query, 1000)
        if not text:
            return []
        connection = self._connection
        call = connection.exchange.call(self.name, _explain)
        window = Window.of(recency_days, connection.today())
        fixed: dict[str, object] = {"query": text, "type": "auto", "contents": {"highlights": True}}
        if window:
            fixed |= {
                "startPublishedDate": f"{window.first.isoformat()}T00:00:00.000Z",
                "endPublishedDate": f"{window.last.isoformat()}T23:59:59.999Z",
            }
        if connection.region:
            fixed["userLocation"] = connection.region.upper()

        async def page(_: int, size: int) -> Sequence[Found]:
            response = await call.send(ApiRequest(endpoint="exa", body=fixed | {"numResults": size}))
            found = read_json(call, response, _Searched)
            today = connection.today()
            return [
                Found(
                    url=one.url,
                    title=one.title,
                    snippet=" … ".join(one.highlights) if one.highlights else one.text,
                    published=iso_date(one.publishedDate, today),
                )
                for one in found.results
            ]

        return await collect(call, page, provider=self.name, limit=limit, window=window, paging=PAGING)


def _explain(response: ApiResponse) -> Problem | None:
    """Its errors carry a sentence and a tag; 402 is used-up credit or a key's budget."""
    if response.status < 400:
        return None
    failed = peek_json(response, _Failed)
    if failed is None:
        return None
    said = f"{failed.error[:200]} ({failed.tag or 'no tag'}, status {response.status})"
    if response.status == 402:
        return Problem(SearchFailureKind.QUOTA, said)
    if response.status in (401, 403):
        return Problem(SearchFailureKind.AUTH, said)
    if response.status == 429:
        return Problem(SearchFailureKind.RATE_LIMITED, said, retry_after(response.header("retry-after")))
    if response.status in (400, 422):
        return Problem(SearchFailureKind.BAD_REQUEST, said)
    return None
