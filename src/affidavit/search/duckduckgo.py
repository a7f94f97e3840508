"""DuckDuckGo's Instant Answers: what it calls a topic, with the page it has that from and the topic's own site.

It is the one interface that DuckDuckGo offers to programs, and no web search (docs/decisions/0007). So it gives few
hits, and none for a question that names no topic.
"""

from collections.abc import Sequence

from affidavit.egress.api import ApiRequest, ApiResponse
from affidavit.ranking.canonical import registrable_domain
from affidavit.ranking.hit import Hit
from affidavit.search.connection import Connection
from affidavit.search.exchange import Problem
from affidavit.search.published import Window
from affidavit.search.reading import Answer, read_json
from affidavit.search.results import Found, Paging, collect, web_address
from affidavit.search.wording import content_words

PAGING = Paging(size=100, pages=1)
_OWN = "duckduckgo.com"


class _Link(Answer):
    FirstURL: str | None = None
    Text: str | None = None


class _Topic(Answer):
    Heading: str
    AbstractURL: str | None = None
    AbstractText: str | None = None
    Results: list[_Link] = []
    RelatedTopics: list[_Link] = []


class DuckDuckGo:
    name = "duckduckgo"

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def search(self, query: str, recency_days: int | None = None, limit: int = 10) -> list[Hit]:
        words = content_words(query)
        if not words:
            return []
        connection = self._connection
        call = connection.exchange.call(self.name, _explain)
        window = Window.of(recency_days, connection.today())
        params = {
            "q": " ".join(words),
            "format": "json",
            "no_html": "1",
            "no_redirect": "1",
            "skip_disambig": "1",
            "t": "affidavit",
        }

        async def page(_number: int, _size: int) -> Sequence[Found]:
            response = await call.send(ApiRequest(endpoint="duckduckgo", params=tuple(params.items())))
            topic = read_json(call, response, _Topic)
            found = [Found(url=topic.AbstractURL, title=topic.Heading, snippet=topic.AbstractText)]
            for link in (*topic.Results, *topic.RelatedTopics):
                found.append(Found(url=link.FirstURL, title=link.Text, snippet=link.Text))
            return [one for one in found if _elsewhere(one.url)]

        return await collect(call, page, provider=self.name, limit=limit, window=window, paging=PAGING)


def _elsewhere(url: str | None) -> bool:
    """Its own topic pages only repeat what stands elsewhere."""
    address = web_address(url)
    return address is not None and registrable_domain(address) != _OWN


def _explain(response: ApiResponse) -> Problem | None:  # noqa: ARG001 (its errors are plain statuses)
    return None
