"""What each search API answers, by its documentation and by answers recorded from it: good ones and refusals.

Each fake checks what it is asked as strictly as the real one, so that a request that the real API would refuse is
refused here. MediaWiki's shapes are those of MediaWiki 1.39, SearXNG's those of searx 2026, both recorded from the
real thing; Tavily's keyless refusal is the one that its own client (tavily-python 0.8.5) reads.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from html import escape

TODAY = date(2026, 6, 30)
KEYS = {
    "BRAVE_API_KEY": "BSAtest-0123456789abcdefghijklm",
    "TAVILY_API_KEY": "tvly-test-0123456789abcdef",
    "EXA_API_KEY": "exa-test-0123/456789",
    "SERPER_API_KEY": "serper0123456789abcdef",
    "OPENALEX_API_KEY": "openalex-0123456789",
    "NCBI_API_KEY": "ncbi0123456789abcdef",
}


@dataclass(frozen=True, kw_only=True)
class Request:
    method: str
    host: str
    path: str
    params: Mapping[str, str]
    headers: Mapping[str, str]
    body: Mapping[str, object] | None


@dataclass(frozen=True, kw_only=True)
class Reply:
    """`fault` is what the server does instead of sending the body whole: truncate, drip, endless, hang, drop."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    fault: str = ""


def of_json(value: object, status: int = 200, **headers: str) -> Reply:
    named = {name.replace("_", "-"): text for name, text in headers.items()}
    body = json.dumps(value).encode()
    return Reply(status=status, body=body, headers={"Content-Type": "application/json", **named})


@dataclass(frozen=True)
class Doc:
    n: int

    @property
    def url(self) -> str:
        return f"https://site{self.n % 7}.example.org/p/{self.n}"

    @property
    def title(self) -> str:
        return f"Password guideline {self.n} & more"

    @property
    def text(self) -> str:
        return f"A verifier must throttle guesses of a password, says guideline {self.n}."

    @property
    def day(self) -> date:
        return TODAY - timedelta(days=10 * self.n)


DOCS = [Doc(n) for n in range(45)]


def matching(words: str) -> list[Doc]:
    """Documents that hold all words, or any of those joined by OR."""
    parts = [part.strip('()" ') for part in re.split(r"\s+OR\s+", words)]
    if len(parts) == 1:
        needed = [word.strip('()"') for word in re.split(r"\s+(?:AND\s+)?", words)]
        return [doc for doc in DOCS if all(word.lower() in f"{doc.title} {doc.text}".lower() for word in needed)]
    return [doc for doc in DOCS if any(part.lower() in f"{doc.title} {doc.text}".lower() for part in parts)]


def within(docs: list[Doc], first: str | None, last: str | None) -> list[Doc]:
    return [
        doc for doc in docs if (not first or doc.day.isoformat() >= first) and (not last or doc.day.isoformat() <= last)
    ]


def mediawiki(request: Request) -> Reply:
    params = request.params
    if "affidavit" not in request.headers.get("user-agent", ""):
        return Reply(
            status=403,
            body=b"Please set a user-agent and respect our robot policy",
            headers={"Content-Type": "text/plain"},
        )
    if not params.get("srsearch"):
        return of_json(
            {"error": {"code": "missingparam", "info": 'The "srsearch" parameter must be set.', "docref": "See"}}
        )
    start, size = int(params.get("sroffset", 0)), int(params.get("srlimit", 10))
    assert 1 <= size <= 500
    docs = matching(params["srsearch"])
    rows = [
        {
            "ns": 0,
            "title": doc.title,
            "pageid": doc.n + 1,
            "snippet": escape(doc.text).replace("password", "<span class='searchmatch'>password</span>") + "\n",
            "timestamp": f"{doc.day}T01:46:09Z",
        }
        for doc in docs[start : start + size]
    ]
    query: dict[str, object] = {"search": rows}
    if params.get("meta") == "siteinfo":
        scheme = "" if request.host.endswith("wikipedia.org") else "http:"
        query["general"] = {
            "sitename": "W",
            "server": f"{scheme}//{request.host}",
            "articlepath": "/wiki/$1",
            "lang": "en",
        }
    answer: dict[str, object] = {"batchcomplete": True, "query": query}
    if start + size < len(docs):
        answer["continue"] = {"sroffset": start + size, "continue": "-||"}
    return of_json(answer)


def searxng(request: Request) -> Reply:
    if request.path != "/search":
        return Reply(status=404, body=b"<!doctype html><title>404</title>", headers={"Content-Type": "text/html"})
    params = request.params
    if params.get("format") != "json":
        return Reply(
            status=403, body=b"<!doctype html><title>403 Forbidden</title>", headers={"Content-Type": "text/html"}
        )
    assert params.get("time_range", "day") in ("day", "week", "month", "year")
    days = {"day": 1, "week": 7, "month": 31, "year": 366}.get(params.get("time_range", ""), 10_000)
    docs = [doc for doc in DOCS if (TODAY - doc.day).days <= days]
    start = (int(params.get("pageno", 1)) - 1) * 12
    rows = [
        {
            "url": doc.url,
            "title": doc.title,
            "content": doc.text,
            "engine": "brave",
            "engines": ["brave"],
            "positions": [doc.n + 1],
            "score": 1.0,
            "category": "general",
            "template": "default.html",
            "parsed_url": ["https", "site.example.org", "/p", "", "", ""],
            "publishedDate": f"{doc.day}T00:00:00" if doc.n % 2 else None,
        }
        for doc in docs[start : start + 12]
    ]
    return of_json(
        {
            "query": params["q"], "results": rows, "answers": [], "corrections": [],
            "infoboxes": [], "suggestions": [], "unresponsive_engines": [],
        }
    )  # fmt: skip


def brave_error(status: int, code: str, detail: str, **headers: str) -> Reply:
    error = {
        "id": "00000000-0000",
        "status": status,
        "code": code,
        "detail": detail,
        "meta": {"component": "authentication"},
    }
    return of_json({"type": "ErrorResponse", "error": error, "time": 1751241600}, status, **headers)


def brave(request: Request) -> Reply:
    if request.headers.get("x-subscription-token") != KEYS["BRAVE_API_KEY"]:
        return brave_error(422, "SUBSCRIPTION_TOKEN_INVALID", "The provided subscription token is invalid.")
    params = request.params
    query, count, offset = params.get("q", ""), int(params.get("count", 20)), int(params.get("offset", 0))
    if not query or len(query) > 400 or len(query.split()) > 50 or not 1 <= count <= 20 or not 0 <= offset <= 9:
        return brave_error(422, "VALIDATION", "Unable to validate request parameter(s)")
    first, _, last = params.get("freshness", "").partition("to")
    docs = within(DOCS, first or None, last or None)[offset * count : (offset + 1) * count]
    rows = [
        {
            "title": escape(doc.title),
            "url": doc.url,
            "description": escape(doc.text).replace("password", "<strong>password</strong>"),
            "language": "en",
            **(
                {"page_age": f"{doc.day}T08:00:00", "age": f"{doc.day:%B} {doc.day.day}, {doc.day.year}"}
                if doc.n % 3
                else {}
            ),
        }
        for doc in docs
    ]
    answer: dict[str, object] = {"type": "search", "query": {"original": query, "more_results_available": bool(rows)}}
    if rows:
        answer["web"] = {"type": "search", "results": rows, "family_friendly": True}
    return of_json(answer)


def tavily_keyless_cap(**extra: object) -> Reply:
    error = {
        "code": "keyless_limit_reached",
        "message": "The keyless limit is reached.",
        "window": "day",
        "next_actions": [],
    }
    return of_json({"error": {**error, **extra}}, 429)


def tavily(request: Request) -> Reply:
    given = request.headers.get("authorization")
    if given is None and request.headers.get("x-tavily-access-mode") != "keyless":
        return of_json({"detail": {"error": "Unauthorized: missing or invalid API key."}}, 401)
    if given is not None and given != f"Bearer {KEYS['TAVILY_API_KEY']}":
        return of_json({"detail": {"error": "Unauthorized: missing or invalid API key."}}, 401)
    body = request.body or {}
    count = body.get("max_results", 5)
    if not isinstance(body.get("query"), str) or not isinstance(count, int) or not 0 <= count <= 20:
        return of_json({"detail": {"error": "Invalid request"}}, 400)
    if len(str(body["query"])) > 400:
        return of_json({"detail": {"error": "Query is too long. Max query length is 400 characters."}}, 400)
    first, last = (str(body[name]) if name in body else None for name in ("start_date", "end_date"))
    rows = [
        {"url": doc.url, "title": doc.title, "content": doc.text, "score": 0.9, "raw_content": None}
        for doc in within(DOCS, first, last)[:count]
    ]
    return of_json(
        {"query": body["query"], "answer": None, "images": [], "results": rows, "response_time": 0.6, "request_id": "1"}
    )


def exa_error(status: int, tag: str, message: str, **headers: str) -> Reply:
    return of_json({"requestId": "abc", "error": message, "tag": tag}, status, **headers)


def exa(request: Request) -> Reply:
    if request.headers.get("x-api-key") != KEYS["EXA_API_KEY"]:
        return exa_error(401, "INVALID_API_KEY", "Invalid API key")
    body = request.body or {}
    count = body.get("numResults", 10)
    if not body.get("query") or not isinstance(count, int) or not 1 <= count <= 100:
        return exa_error(400, "INVALID_REQUEST_BODY", "Invalid request body")
    first, last = (
        str(body[name])[:10] if name in body else None for name in ("startPublishedDate", "endPublishedDate")
    )
    rows = [
        {
            "id": doc.url,
            "url": doc.url,
            "title": doc.title if doc.n % 5 else None,
            "publishedDate": f"{doc.day}T00:00:00.000Z",
            "author": None,
            "highlights": [doc.text[:30], doc.text[30:]],
            "highlightScores": [0.5, 0.4],
        }
        for doc in within(DOCS, first, last)[:count]
    ]
    return of_json(
        {"requestId": "abc", "resolvedSearchType": "neural", "results": rows, "costDollars": {"total": 0.007}}
    )


def serper(request: Request) -> Reply:
    if request.headers.get("x-api-key") != KEYS["SERPER_API_KEY"]:
        return of_json({"message": "Unauthorized.", "statusCode": 403}, 403)
    body = request.body or {}
    if not body.get("q"):
        return of_json({"message": "Missing query parameter", "statusCode": 400}, 400)
    found = re.fullmatch(r"cdr:1,cd_min:(\d+)/(\d+)/(\d+),cd_max:(\d+)/(\d+)/(\d+)", str(body.get("tbs", "")))
    span = [f"{y}-{m:0>2}-{d:0>2}" for m, d, y in (found.groups()[:3], found.groups()[3:])] if found else [None, None]
    start = (int(str(body.get("page", 1))) - 1) * 10
    rows = [
        {
            "title": doc.title,
            "link": doc.url,
            "snippet": doc.text,
            "position": position,
            **({"date": f"{doc.day:%b} {doc.day.day}, {doc.day.year}"} if doc.n % 2 else {}),
        }
        for position, doc in enumerate(within(DOCS, span[0], span[1])[start : start + 10], 1)
    ]
    return of_json({"searchParameters": dict(body), "organic": rows, "credits": 1})


def duckduckgo(request: Request) -> Reply:
    if request.params.get("format") != "json":
        return Reply(body=b"<html></html>", headers={"Content-Type": "text/html"})
    empty = {
        "Abstract": "",
        "AbstractText": "",
        "AbstractURL": "",
        "Heading": "",
        "RelatedTopics": [],
        "Results": [],
        "Type": "",
    }
    if "python" not in request.params["q"].lower():
        return Reply(body=json.dumps(empty).encode(), headers={"Content-Type": "application/x-javascript"})
    full = {
        **empty,
        "Heading": "Python (programming language)",
        "AbstractText": "Python is a high-level programming language.",
        "AbstractURL": "https://en.wikipedia.org/wiki/Python_(programming_language)",
        "AbstractSource": "Wikipedia",
        "Results": [
            {"FirstURL": "https://www.python.org/", "Text": "Official site", "Result": "<a href=…>", "Icon": {}}
        ],
        "RelatedTopics": [
            {
                "FirstURL": "https://duckduckgo.com/c/Programming_languages",
                "Text": "Programming languages",
                "Result": "",
                "Icon": {},
            },
            {"Name": "See also", "Topics": []},
        ],
        "Type": "A",
    }
    return Reply(body=json.dumps(full).encode(), headers={"Content-Type": "application/x-javascript"})


def atom(entries: str) -> Reply:
    feed = (
        "<?xml version='1.0' encoding='UTF-8'?>\n"
        '<feed xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/" xmlns:arxiv="http://arxiv.org/schemas/atom" '
        'xmlns="http://www.w3.org/2005/Atom"><id>https://arxiv.org/api/x</id><title>arXiv Query</title>'
        f"<opensearch:totalResults>1</opensearch:totalResults>{entries}</feed>"
    )
    return Reply(body=feed.encode(), headers={"Content-Type": "application/atom+xml; charset=utf-8"})


ARXIV_ERROR = atom(
    "<entry><id>http://arxiv.org/api/errors#start_must_be_an_integer</id><title>Error</title>"
    "<summary>start must be an integer</summary><updated>2026-06-30T00:00:00Z</updated></entry>"
)


def arxiv(request: Request) -> Reply:
    params = request.params
    size, start = int(params.get("max_results", 10)), int(params.get("start", 0))
    assert size <= 2000
    query = params["search_query"]
    words, _, dated = query.partition(" AND submittedDate:[")
    first, last = (
        (f"{part[:4]}-{part[4:6]}-{part[6:8]}" for part in dated.rstrip("]").split(" TO ")) if dated else (None, None)
    )
    docs = within(matching(words.replace("all:", "")), first, last)
    return atom(
        "".join(
            f"<entry><id>http://arxiv.org/abs/2401.{doc.n:05}v2</id><updated>2026-06-01T00:00:00Z</updated>"
            f"<published>{doc.day}T17:57:34Z</published><title>{escape(doc.title)}\n  of passwords</title>"
            f"<summary>  {escape(doc.text)}\nWe show $a &lt; b$.</summary><author><name>A. Author</name></author>"
            f'<link href="https://arxiv.org/abs/2401.{doc.n:05}v2" rel="alternate" type="text/html"/></entry>'
            for doc in docs[start : start + size]
        )
    )


def openalex(request: Request) -> Reply:
    params = request.params
    if params.get("api_key") not in (None, KEYS["OPENALEX_API_KEY"]):
        return of_json({"error": "Unauthorized", "message": "API key is not valid."}, 401)
    if not 1 <= int(params.get("per_page", 25)) <= 100:
        return of_json(
            {"error": "Invalid query parameters error.", "message": "per-page parameter must be between 1 and 100"}, 400
        )
    filters = dict(part.split(":", 1) for part in params["filter"].split(",")) if params.get("filter") else {}
    if unknown := set(filters) - {"from_publication_date", "to_publication_date", "language"}:
        return of_json({"error": "Invalid query parameters error.", "message": f"{unknown} is not a valid field"}, 400)
    size, page = int(params.get("per_page", 25)), int(params.get("page", 1))
    docs = within(DOCS, filters.get("from_publication_date"), filters.get("to_publication_date"))
    rows = [
        {
            "id": f"https://openalex.org/W{doc.n}",
            "doi": f"https://doi.org/10.1000/{doc.n}" if doc.n % 2 else None,
            "display_name": doc.title,
            "publication_date": doc.day.isoformat(),
            "primary_location": {"landing_page_url": doc.url} if doc.n % 3 else None,
            "best_oa_location": None,
            "abstract_inverted_index": {"must": [2], "A": [0, 4], "verifier": [1], "throttle": [3]}
            if doc.n % 4
            else None,
        }
        for doc in docs[(page - 1) * size : page * size]
    ]
    return of_json({"meta": {"count": len(docs), "page": page, "per_page": size}, "results": rows, "group_by": []})


def crossref(request: Request) -> Reply:
    params = request.params
    if int(params.get("rows", 20)) > 1000:
        complaint = {
            "type": "parameter-not-allowed",
            "value": params["rows"],
            "message": "Integer specified as rows too large",
        }
        return of_json({"status": "failed", "message-type": "validation-failure", "message": [complaint]}, 400)
    filters = dict(part.split(":", 1) for part in params["filter"].split(",")) if params.get("filter") else {}
    start, size = int(params.get("offset", 0)), int(params.get("rows", 20))
    rows = [
        {
            "DOI": f"10.1000/{doc.n}",
            "URL": f"https://doi.org/10.1000/{doc.n}",
            "title": [f"{escape(doc.title)} <i>in vivo</i> CO<sub>2</sub>"],
            "abstract": f"<jats:title>Abstract</jats:title><jats:p>{escape(doc.text)}</jats:p>",
            "issued": {"date-parts": [[doc.day.year, doc.day.month, doc.day.day] if doc.n % 5 else [None]]},
        }
        for doc in within(DOCS, filters.get("from-pub-date"), filters.get("until-pub-date"))[start : start + size]
    ]
    message = {"facets": {}, "total-results": 45, "items": rows, "items-per-page": size, "query": {"start-index": 0}}
    return of_json({"status": "ok", "message-type": "work-list", "message-version": "1.0.0", "message": message})


def pubmed(request: Request) -> Reply:
    params = request.params
    if params.get("api_key") not in (None, KEYS["NCBI_API_KEY"]):
        return of_json(
            {"error": "API key invalid", "api-key": params["api_key"], "type": "ip", "status": "unknown"}, 400
        )
    assert params["db"] == "pubmed"
    assert params["retmode"] == "json"
    header = {"type": "esearch", "version": "0.3"}
    if request.path.endswith("/esearch.fcgi"):
        first, last = (params.get(name, "").replace("/", "-") or None for name in ("mindate", "maxdate"))
        docs = within(matching(params["term"]), first, last)
        start, size = int(params["retstart"]), int(params["retmax"])
        ids = [str(39_000_000 + doc.n) for doc in docs[start : start + size]]
        return of_json(
            {"header": header, "esearchresult": {"count": str(len(docs)), "retmax": str(size), "idlist": ids}}
        )
    docs = [DOCS[int(identity) - 39_000_000] for identity in params["id"].split(",")]
    result: dict[str, object] = {
        str(39_000_000 + doc.n): {
            "uid": str(39_000_000 + doc.n),
            "pubdate": f"{doc.day:%Y %b} {doc.day.day}",
            "epubdate": "",
            "source": "J Passwords",
            "authors": [{"name": f"Author {k}", "authtype": "Author", "clusterid": ""} for k in "ABCD"],
            "title": f"{escape(doc.title)}.",
            "sortpubdate": f"{doc.day:%Y/%m/%d} 00:00",
        }
        for doc in docs
    }
    return of_json({"header": header, "result": {"uids": list(result), **result}})


FAKES: Mapping[str, Callable[[Request], Reply]] = {
    "en.wikipedia.org": mediawiki,
    "de.wikipedia.org": mediawiki,
    "api.search.brave.com": brave,
    "api.tavily.com": tavily,
    "api.exa.ai": exa,
    "google.serper.dev": serper,
    "api.duckduckgo.com": duckduckgo,
    "export.arxiv.org": arxiv,
    "api.openalex.org": openalex,
    "api.crossref.org": crossref,
    "eutils.ncbi.nlm.nih.gov": pubmed,
}
