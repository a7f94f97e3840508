"""Brave Search: an index of its own. Needs a key."""

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

# count ≤ 20, offset ≤ 9, q ≤ 400 characters and 50 words (its API reference).
PAGING = Paging(size=20, pages=5, vouched=True)
_WORDS = 50
# Languages that it names otherwise than ISO 639-1 does.
_LANGUAGES = {"ja": "jp", "zh": "zh-hans", "pt": "pt-pt", "no": "nb"}
_NAMED = frozenset({"en-gb", "pt-br", "pt-pt", "zh-hans", "zh-hant"})


class _Result(Answer):
    url: str | None = None
    title: str | None = None
    description: str | None = None
    page_age: str | None = None
    age: str | None = None


class _Web(Answer):
    results: list[_Result] = []


class _Searched(Answer):
    """Without `web` there are no results; an answer about another kind of thing has no `type` "search" either."""

    type: str | None = None
    web: _Web | None = None


class _Detail(Answer):
    code: str
    detail: str = ""


class _Failed(Answer):
    """Its reference shows both."""

    error: _Detail | None = None
    errors: list[_Detail] = []


class Brave:
    name = "brave"

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def search(self, query: str, recency_days: int | None = None, limit: int = 10) -> list[Hit]:
        text = " ".join(as_text(query).split()[:_WORDS])
        if not text:
            return []
        connection = self._connection
        call = connection.exchange.call(self.name, _explain)
        window = Window.of(recency_days, connection.today())
        fixed = {"q": text, "result_filter": "web", "text_decorations": "false", "spellcheck": "false"}
        if connection.language:
            fixed["search_lang"] = _language(connection.language.lower())
        if connection.region:
            fixed["country"] = connection.region.upper()
        if window:
            fixed["freshness"] = f"{window.first.isoformat()}to{window.last.isoformat()}"

        async def page(number: int, size: int) -> Sequence[Found]:
            params = fixed | {"count": str(size), "offset": str(number)}
            response = await call.send(ApiRequest(endpoint="brave", params=tuple(params.items())))
            found = read_json(call, response, _Searched)
            if found.web is None and found.type != "search":
                raise call.bad_response("neither results nor the type of a search")
            today = connection.today()
            return [
                Found(
                    url=one.url,
                    title=one.title,
                    snippet=one.description,
                    published=iso_date(one.page_age, today) or iso_date(one.age, today),
                )
                for one in (found.web.results if found.web else ())
            ]

        return await collect(call, page, provider=self.name, limit=limit, window=window, paging=PAGING)


def _language(language: str) -> str:
    if language in _NAMED:
        return language
    bare = language.partition("-")[0]
    return _LANGUAGES.get(bare, bare)


def _explain(response: ApiResponse) -> Problem | None:
    """Its errors name a code; a bad key comes with status 422."""
    if response.status < 400:
        return None
    failed = peek_json(response, _Failed)
    error = (failed.error or next(iter(failed.errors), None)) if failed else None
    if error is None:
        return None
    code, detail = error.code, error.detail[:200]
    said = f"{detail} ({code}, status {response.status})"
    if "TOKEN" in code or response.status == 401:
        return Problem(SearchFailureKind.AUTH, said)
    if "QUOTA" in code or response.status == 402:
        return Problem(SearchFailureKind.QUOTA, said, _reset(response))
    if response.status == 429:
        return Problem(SearchFailureKind.RATE_LIMITED, said, _reset(response))
    if response.status in (400, 422):
        return Problem(SearchFailureKind.BAD_REQUEST, said)
    return None


def _reset(response: ApiResponse) -> float | None:
    """Seconds until the used-up window opens: of its windows ("1, 15000") the longest with none remaining."""
    plain = retry_after(response.header("retry-after"))
    if plain is not None:
        return plain
    remaining = (response.header("x-ratelimit-remaining") or "").split(",")
    resets = (response.header("x-ratelimit-reset") or "").split(",")
    waits = [retry_after(reset) for left, reset in zip(remaining, resets, strict=False) if left.strip() == "0"]
    return max((wait for wait in waits if wait is not None), default=None)
