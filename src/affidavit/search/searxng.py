"""SearXNG: an instance of the operator's, which asks other engines. Its JSON format must be switched on.

Its time ranges are a day, a week, a month or a year; the longest that lies within `recency_days` is asked for, so
what comes is recent enough even where it has no date.
"""

from collections.abc import Sequence

from affidavit.egress.api import ApiRequest, ApiResponse
from affidavit.errors import SearchFailure, SearchFailureKind
from affidavit.ranking.hit import Hit
from affidavit.search.connection import Connection
from affidavit.search.exchange import Problem
from affidavit.search.published import Window, iso_date
from affidavit.search.reading import Answer, read_json
from affidavit.search.results import Found, Paging, collect
from affidavit.search.wording import as_text

# A page holds what the engines gave, 10 to 30 results; there is no parameter for it.
PAGING = Paging(size=1, pages=5, vouched=True)
_RANGES = ((365, "year"), (30, "month"), (7, "week"), (1, "day"))


class _Result(Answer):
    url: str | None = None
    title: str | None = None
    content: str | None = None
    published: str | None = None
    publishedDate: str | None = None  # its own spelling


class _Searched(Answer):
    results: list[_Result]
    unresponsive_engines: list[tuple[str, str]] = []


class SearXNG:
    name = "searxng"

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def search(self, query: str, recency_days: int | None = None, limit: int = 10) -> list[Hit]:
        text = as_text(query)
        if not text:
            return []
        connection = self._connection
        call = connection.exchange.call(self.name, _explain)
        window = Window.of(recency_days, connection.today())
        fixed = {"q": text, "format": "json"}
        if connection.language:
            fixed["language"] = connection.language
            if connection.region and "-" not in connection.language:
                fixed["language"] += f"-{connection.region.upper()}"
        if recency_days is not None:
            ranges = [name for days, name in _RANGES if days <= max(1, recency_days)]
            fixed["time_range"] = ranges[0]

        async def page(number: int, _: int) -> Sequence[Found]:
            params = fixed | {"pageno": str(number + 1)}
            response = await call.send(ApiRequest(endpoint="searxng", params=tuple(params.items())))
            found = read_json(call, response, _Searched)
            if not found.results and not number and found.unresponsive_engines:
                reasons = ", ".join(f"{engine} ({reason})" for engine, reason in found.unresponsive_engines[:5])
                raise SearchFailure(SearchFailureKind.UNAVAILABLE, self.name, f"its engines do not answer: {reasons}")
            today = connection.today()
            return [
                Found(
                    url=one.url,
                    title=one.title,
                    snippet=one.content,
                    published=iso_date(one.publishedDate or one.published, today),
                )
                for one in found.results
            ]

        return await collect(call, page, provider=self.name, limit=limit, window=window, paging=PAGING)


def _explain(response: ApiResponse) -> Problem | None:
    if response.status == 403:
        return Problem(
            SearchFailureKind.AUTH,
            "the instance gives no JSON (status 403)",
            advice="add json to search.formats in its settings.yml",
        )
    return None
