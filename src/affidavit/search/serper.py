"""Serper: Google's results. Needs a key."""

from collections.abc import Sequence

from affidavit.egress.api import ApiRequest, ApiResponse
from affidavit.errors import SearchFailureKind
from affidavit.ranking.hit import Hit
from affidavit.search.connection import Connection
from affidavit.search.exchange import Problem, retry_after
from affidavit.search.published import Window, iso_date
from affidavit.search.reading import Answer, peek_json, read_json
from affidavit.search.results import Found, Paging, collect
from affidavit.search.wording import as_text

# More than 10 results a page are billed twice.
PAGING = Paging(size=10, pages=5, vouched=True)


class _Result(Answer):
    link: str | None = None
    title: str | None = None
    snippet: str | None = None
    date: str | None = None


class _Searched(Answer):
    organic: list[_Result]


class _Failed(Answer):
    message: str


class Serper:
    name = "serper"

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def search(self, query: str, recency_days: int | None = None, limit: int = 10) -> list[Hit]:
        text = as_text(query)
        if not text:
            return []
        connection = self._connection
        call = connection.exchange.call(self.name, _explain)
        window = Window.of(recency_days, connection.today())
        fixed: dict[str, object] = {"q": text, "autocorrect": False}
        if connection.language:
            fixed["hl"] = connection.language.lower()
        if connection.region:
            fixed["gl"] = connection.region.lower()
        if window:
            # Google's own range of days, as its search page sends it.
            first, last = (f"{day.month}/{day.day}/{day.year}" for day in (window.first, window.last))
            fixed["tbs"] = f"cdr:1,cd_min:{first},cd_max:{last}"

        async def page(number: int, _: int) -> Sequence[Found]:
            response = await call.send(
                ApiRequest(endpoint="serper", body=fixed | {"num": PAGING.size, "page": number + 1})
            )
            found = read_json(call, response, _Searched)
            today = connection.today()
            return [
                Found(url=one.link, title=one.title, snippet=one.snippet, published=iso_date(one.date, today))
                for one in found.organic
            ]

        return await collect(call, page, provider=self.name, limit=limit, window=window, paging=PAGING)


def _explain(response: ApiResponse) -> Problem | None:
    """A sentence and the status; used-up credit comes as 400."""
    if response.status < 400:
        return None
    failed = peek_json(response, _Failed)
    if failed is None:
        return None
    said = f"{failed.message[:200]} (status {response.status})"
    if "credit" in failed.message.lower():
        return Problem(SearchFailureKind.QUOTA, said)
    if response.status in (401, 403):
        return Problem(SearchFailureKind.AUTH, said)
    if response.status == 429:
        return Problem(SearchFailureKind.RATE_LIMITED, said, retry_after(response.header("retry-after")))
    if response.status == 400:
        return Problem(SearchFailureKind.BAD_REQUEST, said)
    return None
