"""OpenAlex: scholarly works of every field. Works a little without a key, and well with a free one."""

from collections.abc import Mapping, Sequence

from affidavit.egress.api import ApiRequest, ApiResponse
from affidavit.errors import SearchFailureKind
from affidavit.ranking.hit import Hit
from affidavit.search.connection import Connection
from affidavit.search.exchange import Problem, retry_after
from affidavit.search.published import Window, iso_date
from affidavit.search.reading import Answer, peek_json, read_json
from affidavit.search.results import Found, Paging, collect
from affidavit.search.wording import content_words

PAGING = Paging(size=100, pages=2)
_FIELDS = "id,doi,display_name,publication_date,primary_location,best_oa_location,abstract_inverted_index"
_LONGEST_ABSTRACT = 5_000


class _Location(Answer):
    landing_page_url: str | None = None


class _Work(Answer):
    id: str
    doi: str | None = None
    display_name: str | None = None
    publication_date: str | None = None
    primary_location: _Location | None = None
    best_oa_location: _Location | None = None
    abstract_inverted_index: dict[str, list[int]] | None = None


class _Searched(Answer):
    results: list[_Work]


class _Failed(Answer):
    error: str
    message: str = ""


class OpenAlex:
    name = "openalex"

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def search(self, query: str, recency_days: int | None = None, limit: int = 10) -> list[Hit]:
        words = content_words(query)
        if not words:
            return []
        connection = self._connection
        call = connection.exchange.call(self.name, _explain)
        window = Window.of(recency_days, connection.today())
        fixed = {"search": " ".join(words), "select": _FIELDS}
        filters: list[str] = []
        if window:
            filters += [f"from_publication_date:{window.first}", f"to_publication_date:{window.last}"]
        if connection.bare_language:
            filters.append(f"language:{connection.bare_language}")
        if filters:
            fixed["filter"] = ",".join(filters)

        async def page(number: int, size: int) -> Sequence[Found]:
            params = fixed | {"per_page": str(size), "page": str(number + 1)}
            response = await call.send(ApiRequest(endpoint="openalex", params=tuple(params.items())))
            found = read_json(call, response, _Searched)
            today = connection.today()
            return [
                Found(
                    url=_address(work),
                    title=work.display_name,
                    snippet=abstract(work.abstract_inverted_index),
                    published=iso_date(work.publication_date, today),
                )
                for work in found.results
            ]

        return await collect(call, page, provider=self.name, limit=limit, window=window, paging=PAGING)


def abstract(index: Mapping[str, Sequence[int]] | None) -> str:
    """The text of an inverted index, which has for each word its places; absurd places are left out."""
    if not index:
        return ""
    placed = {place: word for word, places in index.items() for place in places if 0 <= place < _LONGEST_ABSTRACT}
    return " ".join(placed[place] for place in sorted(placed))


def _address(work: _Work) -> str | None:
    """Where it can be read: an open copy, its own page, its DOI, or else its record."""
    for location in (work.best_oa_location, work.primary_location):
        if location is not None and location.landing_page_url:
            return location.landing_page_url
    return work.doi or work.id


def _explain(response: ApiResponse) -> Problem | None:
    """403 is its status for "too fast", 429 for a used-up day; both have a sentence."""
    if response.status < 400:
        return None
    failed = peek_json(response, _Failed)
    said = f"status {response.status}"
    if failed is not None:
        said = f"{(failed.message or failed.error)[:200]} ({said})"
    wait = retry_after(response.header("retry-after") or response.header("x-ratelimit-reset"))
    if response.status == 429 and ("budget" in said.lower() or response.header("x-ratelimit-remaining") == "0"):
        return Problem(SearchFailureKind.QUOTA, f"{said}; a free key in OPENALEX_API_KEY has a higher limit", wait)
    if response.status in (403, 429):
        return Problem(SearchFailureKind.RATE_LIMITED, said, wait)
    if response.status == 401:
        return Problem(SearchFailureKind.AUTH, said)
    if response.status == 400:
        return Problem(SearchFailureKind.BAD_REQUEST, said)
    return None
