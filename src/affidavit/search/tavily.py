"""Tavily: a search made for agents. Works without a key, under a cap of its own; with one, under the account's."""

from collections.abc import Sequence

from affidavit.egress.api import ApiRequest, ApiResponse
from affidavit.errors import SearchFailureKind
from affidavit.ranking.hit import Hit
from affidavit.search.connection import Connection
from affidavit.search.countries import country_name
from affidavit.search.exchange import Problem, retry_after
from affidavit.search.published import Window, iso_date
from affidavit.search.reading import Answer, peek_json, read_json
from affidavit.search.results import Found, Paging, collect
from affidavit.search.wording import as_question

# max_results ≤ 20, no second page.
PAGING = Paging(size=20, pages=1, vouched=True)


class _Result(Answer):
    url: str | None = None
    title: str | None = None
    content: str | None = None
    published_date: str | None = None


class _Searched(Answer):
    results: list[_Result]


class _Message(Answer):
    error: str


class _Failed(Answer):
    detail: _Message | str


class _Limit(Answer):
    code: str
    message: str = ""
    window: str | None = None
    retry_after_seconds: float | None = None


class _KeylessLimit(Answer):
    error: _Limit


class Tavily:
    name = "tavily"

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def search(self, query: str, recency_days: int | None = None, limit: int = 10) -> list[Hit]:
        text = as_question(query)
        if not text:
            return []
        connection = self._connection
        call = connection.exchange.call(self.name, _explain)
        window = Window.of(recency_days, connection.today())
        fixed: dict[str, object] = {"query": text, "search_depth": "basic", "topic": "general"}
        if window:
            fixed |= {"start_date": window.first.isoformat(), "end_date": window.last.isoformat()}
        if country := country_name(connection.region):
            fixed["country"] = country
        if connection.bare_language:
            fixed["language"] = connection.bare_language

        async def page(_: int, size: int) -> Sequence[Found]:
            response = await call.send(ApiRequest(endpoint="tavily", body=fixed | {"max_results": size}))
            found = read_json(call, response, _Searched)
            today = connection.today()
            return [
                Found(
                    url=one.url,
                    title=one.title,
                    snippet=one.content,
                    published=iso_date(one.published_date, today),
                )
                for one in found.results
            ]

        return await collect(call, page, provider=self.name, limit=limit, window=window, paging=PAGING)


def _explain(response: ApiResponse) -> Problem | None:
    """432 and 433 are its statuses for a plan's limit; keyless calls have a shape of their own, with a wait in it."""
    if response.status < 400:
        return None
    header = retry_after(response.header("retry-after"))
    if (capped := peek_json(response, _KeylessLimit)) is not None:
        error = capped.error
        window = f", per {error.window}" if error.window else ""
        said = f"{error.message or error.code} (without a key{window}); a free key in TAVILY_API_KEY has a higher limit"
        wait = error.retry_after_seconds or header
        return Problem(SearchFailureKind.RATE_LIMITED, said, retry_after(str(wait)) if wait else None)
    failed = peek_json(response, _Failed)
    said = f"status {response.status}"
    if failed is not None:
        detail = failed.detail if isinstance(failed.detail, str) else failed.detail.error
        said = f"{detail[:200]} ({said})"
    if response.status in (432, 433):
        return Problem(SearchFailureKind.QUOTA, said)
    if response.status == 429:
        return Problem(SearchFailureKind.RATE_LIMITED, said, header)
    if response.status in (401, 403):
        return Problem(SearchFailureKind.AUTH, said)
    if response.status in (400, 422):
        return Problem(SearchFailureKind.BAD_REQUEST, said)
    return None
