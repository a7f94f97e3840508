"""What holds for every provider, over real HTTP and TLS on loopback."""

import gzip
import json

import pytest

from affidavit.errors import SearchFailureKind
from affidavit.search.catalogue import MAKERS

from .conftest import Desk
from .provider_fakes import KEYS, Reply, brave, of_json

EVERY = sorted(MAKERS)
DATED = sorted({*MAKERS} - {"duckduckgo"})


def query_of(provider: str) -> str:
    return "python" if provider == "duckduckgo" else "What must a verifier do about a password?"


@pytest.mark.parametrize("provider", EVERY)
def test_hits_come_ranked_plain_and_named(desk: Desk, provider: str):
    hits = desk.hits(provider, query_of(provider))
    assert hits
    assert [hit.rank for hit in hits] == list(range(1, len(hits) + 1))
    for hit in hits:
        assert hit.provider == provider
        assert hit.url.startswith("https://") or provider == "mediawiki"
        assert hit.title.strip() == hit.title != ""
        assert not any(mark in hit.title + hit.snippet for mark in ("<i>", "<span", "&amp;", "\n", "jats:"))
    if provider not in ("duckduckgo", "exa"):
        assert "& more" in hits[1].title
    assert desk.told == []


@pytest.mark.parametrize("provider", DATED)
def test_more_than_a_page_is_paged_for_without_twins(desk: Desk, provider: str):
    single = provider in ("tavily", "exa")
    hits = desk.hits(provider, "password", limit=30)
    assert len(hits) == ({"tavily": 20, "exa": 10}[provider] if single else 30)
    assert len({hit.url for hit in hits}) == len(hits)


@pytest.mark.parametrize("provider", DATED)
def test_only_recent_pages_come_when_only_they_are_wanted(desk: Desk, provider: str):
    hits = desk.hits(provider, "password", recency_days=35, limit=30)
    wanted = {0, 1, 2, 3}
    assert len(hits) == len(wanted) - (provider == "crossref")  # its document 0 has no date
    for hit in hits:
        assert hit.published is None or hit.published >= "2026-05-26"


@pytest.mark.parametrize("provider", EVERY)
def test_a_query_without_a_word_is_not_sent(desk: Desk, provider: str):
    assert desk.hits(provider, " ") == []
    assert desk.asked == []


@pytest.mark.parametrize("provider", EVERY)
def test_a_huge_query_is_cut_to_what_the_provider_takes(desk: Desk, provider: str):
    desk.hits(provider, "password " * 2000)
    assert desk.asked


@pytest.mark.parametrize("provider", EVERY)
@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (Reply(body=b'{"results": [', headers={"Content-Type": "application/json"}), ""),
        (Reply(body=b"<!doctype html><title>Just a moment...</title>", headers={"Content-Type": "text/html"}), ""),
        (Reply(body=b"", headers={"Content-Type": "application/json"}), ""),
        (of_json([]), ""),
        (of_json("no"), ""),
        (Reply(body=b"[" * 100_000, headers={"Content-Type": "application/json"}), ""),
        (Reply(body=b"1" * 5000, headers={"Content-Type": "application/json"}), ""),
        (Reply(status=302, headers={"Location": "https://elsewhere.example/?q=x"}), "elsewhere.example"),
        (Reply(status=204), ""),
    ],
    ids=["cut JSON", "a page", "nothing", "a list", "a string", "deep", "a number", "a redirect", "no content"],
)
def test_an_answer_that_is_none_is_a_bad_response(desk: Desk, provider: str, reply: Reply, said: str):
    desk.server.will(desk.host(provider), reply)
    failure = desk.failure(provider, query_of(provider))
    assert failure.kind is SearchFailureKind.BAD_RESPONSE
    assert said in str(failure)
    assert len(desk.asked) == 1, "neither followed nor tried again"


@pytest.mark.parametrize("provider", EVERY)
def test_a_server_error_is_tried_again_after_a_wait(desk: Desk, provider: str):
    desk.server.will(desk.host(provider), Reply(status=500), Reply(status=503, headers={"Retry-After": "4"}))
    assert desk.hits(provider, query_of(provider))
    assert [wait for wait in desk.waits if wait in (0.5, 4.0)] == [0.5, 4.0]


@pytest.mark.parametrize("provider", EVERY)
def test_three_server_errors_are_enough(desk: Desk, provider: str):
    desk.server.will(desk.host(provider), *[Reply(status=502)] * 5)
    failure = desk.failure(provider, query_of(provider))
    assert failure.kind is SearchFailureKind.UNAVAILABLE
    assert len(desk.asked) == 3


@pytest.mark.parametrize("provider", EVERY)
def test_too_many_requests_is_told_with_the_time_to_wait(desk: Desk, provider: str):
    reply = Reply(status=429, headers={"Retry-After": "3600", "Content-Type": "text/plain"}, body=b"slow down")
    desk.server.will(desk.host(provider), reply)
    failure = desk.failure(provider, query_of(provider))
    assert failure.kind is SearchFailureKind.RATE_LIMITED
    assert failure.retry_after == 3600
    assert "free again in 3600 s" in str(failure)
    assert len(desk.asked) == 1, "an hour is longer than the deadline: not waited for"


@pytest.mark.parametrize("provider", EVERY)
def test_a_body_cut_off_is_asked_for_again(desk: Desk, provider: str):
    host = desk.host(provider)
    desk.server.will(host, Reply(body=b'{"results": []}', fault="truncate"), Reply(fault="drop"))
    assert desk.hits(provider, query_of(provider))


@pytest.mark.parametrize("provider", ["tavily", "arxiv"])
def test_an_endless_body_stops_at_the_cap(desk: Desk, provider: str):
    desk.cap = 300_000
    desk.server.will(desk.host(provider), Reply(fault="endless"))
    failure = desk.failure(provider)
    assert failure.kind is SearchFailureKind.BAD_RESPONSE
    assert "longer than" in str(failure)


def test_a_small_body_that_unpacks_past_the_cap_stops_there(desk: Desk):
    bomb = Reply(
        body=gzip.compress(b'{"results": [' + b" " * 50_000_000),
        headers={"Content-Type": "application/json", "Content-Encoding": "gzip"},
    )
    desk.server.will("api.tavily.com", bomb)
    assert desk.failure("tavily").kind is SearchFailureKind.BAD_RESPONSE


@pytest.mark.parametrize("fault", ["drip", "hang"])
def test_a_server_that_drips_or_hangs_is_left_at_the_deadline(desk: Desk, fault: str):
    desk.seconds = 0.4
    desk.server.will("api.tavily.com", Reply(body=b" " * 200, fault=fault))
    failure = desk.failure("tavily")
    assert failure.kind is SearchFailureKind.UNAVAILABLE
    assert "within" in str(failure)


def test_compressed_answers_are_read(desk: Desk):
    body = gzip.compress(json.dumps({"results": [{"url": "https://a.example/", "title": "A"}]}).encode())
    headers = {"Content-Type": "application/json", "Content-Encoding": "gzip"}
    desk.server.will("api.tavily.com", Reply(body=body, headers=headers))
    assert [hit.title for hit in desk.hits("tavily")] == ["A"]


@pytest.mark.parametrize(
    ("charset", "encoding"),
    [("; charset=iso-8859-1", "latin-1"), ("", "utf-8"), ("", "utf-16"), ("; charset=utf-8", "utf-8-sig"),
     ("; charset=no-such", "utf-8")],
)  # fmt: skip
def test_answers_in_other_encodings_are_read(desk: Desk, charset: str, encoding: str):
    text = json.dumps({"results": [{"url": "https://a.example/", "title": "Zürich"}]}, ensure_ascii=False)
    reply = Reply(body=text.encode(encoding), headers={"Content-Type": f"application/json{charset}"})
    desk.server.will("api.tavily.com", reply)
    assert [hit.title for hit in desk.hits("tavily")] == ["Zürich"]


def test_a_broken_byte_costs_a_character_and_half_a_surrogate_nothing(desk: Desk):
    body = b'{"results": [{"url": "https://a.example/", "title": "A\xff \\ud83d B"}]}'
    desk.server.will("api.tavily.com", Reply(body=body, headers={"Content-Type": "application/json"}))
    assert [hit.title for hit in desk.hits("tavily")] == ["A\ufffd B"]


def test_only_web_addresses_become_hits(desk: Desk):
    urls = [
        "javascript:alert(1)", "file:///etc/passwd", "data:text/html,x", "ftp://a.example/", "", None, "not a url",
        "//a.example/", "https://", "https://a.example/" + "a" * 9000, "http://a.example/page", " https://b.example/ ",
        "http://169.254.169.254/latest", "https://a.example/page?utm_source=x", "http://exa\x00mple.com/",
        "https://a.example\\@b.example/", "https://a.exam\tple/", "https://a.example/Zürich is",
    ]  # fmt: skip
    desk.server.will("api.tavily.com", of_json({"results": [{"url": url, "title": "T"} for url in urls]}))
    found = [hit.url for hit in desk.hits("tavily", limit=20)]
    # A private address is left to the gateway, which refuses it and says so.
    assert found == [
        "http://a.example/page", "https://b.example/", "http://169.254.169.254/latest",
        "https://a.example/Z%C3%BCrich%20is",
    ]  # fmt: skip


def test_results_of_which_none_has_an_address_are_a_bad_response(desk: Desk):
    desk.server.will("api.tavily.com", of_json({"results": [{"url": "javascript:alert(1)"}]}))
    assert desk.failure("tavily").kind is SearchFailureKind.BAD_RESPONSE


def test_a_field_of_another_type_is_named(desk: Desk):
    desk.server.will("api.tavily.com", of_json({"results": [{"url": 5}]}))
    failure = desk.failure("tavily")
    assert failure.kind is SearchFailureKind.BAD_RESPONSE
    assert "results.0.url" in str(failure)


def test_fields_that_nobody_asked_about_may_be_anything(desk: Desk):
    row = {"url": "https://a.example/", "title": None, "content": None, "score": "high", "new": [1]}
    desk.server.will("api.tavily.com", of_json({"results": [row], "usage": None}))
    (hit,) = desk.hits("tavily")
    assert (hit.title, hit.snippet, hit.published) == ("https://a.example/", "", None)


@pytest.mark.parametrize("provider", ["brave", "exa", "serper"])
def test_without_its_key_a_provider_is_not_asked_and_says_which(desk: Desk, provider: str):
    desk.keys = {}
    failure = desk.failure(provider)
    assert failure.kind is SearchFailureKind.AUTH
    assert f"{provider.upper()}_API_KEY" in str(failure)
    assert desk.asked == []


@pytest.mark.parametrize("provider", ["brave", "tavily", "exa", "serper", "openalex", "pubmed"])
def test_a_wrong_key_is_an_auth_failure_and_is_not_shown(desk: Desk, provider: str):
    wrong = "wrong-key-0123456789"
    desk.keys = dict.fromkeys(KEYS, wrong)
    failure = desk.failure(provider)
    assert failure.kind is SearchFailureKind.AUTH
    assert len(desk.asked) == 1
    assert wrong not in repr(failure) + str(failure) + repr(desk.calls)


@pytest.mark.parametrize("provider", ["brave", "tavily", "exa", "serper", "openalex", "pubmed"])
def test_a_key_that_the_server_echoes_is_not_shown(desk: Desk, provider: str):
    keys = " ".join(KEYS.values())
    shapes: dict[str, object] = {
        "brave": {"error": {"code": "VALIDATION", "detail": keys}},
        "tavily": {"detail": {"error": keys}},
        "exa": {"error": keys, "tag": "X"},
        "serper": {"message": keys, "statusCode": 400},
        "openalex": {"error": "x", "message": keys},
        "pubmed": {"error": keys},
    }
    desk.server.will(desk.host(provider), of_json(shapes[provider], 400))
    failure = desk.failure(provider)
    assert "[redacted:secret]" in str(failure)
    assert not any(key in str(failure) for key in KEYS.values())


def test_every_call_is_told_without_key_or_question(desk: Desk):
    desk.hits("openalex", "secret question")
    (call,) = desk.calls
    assert (call.endpoint, call.method, call.url) == ("openalex", "GET", "https://api.openalex.org/works")
    assert (call.host, call.reason, call.status) == ("api.openalex.org", "answered", 200)
    assert call.bytes > 100
    assert desk.asked[0].params["api_key"] == KEYS["OPENALEX_API_KEY"]


def test_nothing_is_posted_but_where_the_table_says_so(desk: Desk):
    for provider in EVERY:
        desk.hits(provider, query_of(provider))
    posted = {request.host for request in desk.asked if request.method == "POST"}
    assert posted == {"api.tavily.com", "api.exa.ai", "google.serper.dev"}


def test_no_cookie_comes_back(desk: Desk):
    body = {"query": {"search": [], "general": {"server": "//a.example", "articlepath": "/$1"}}}
    cookie = of_json(body, Set_Cookie="id=1; Path=/")
    desk.server.will("en.wikipedia.org", cookie, cookie)
    desk.hits("wikipedia")
    assert all("cookie" not in request.headers for request in desk.asked)


def test_a_failed_second_page_costs_that_page_and_is_told(desk: Desk):
    desk.server.fakes["api.search.brave.com"] = lambda request: (
        Reply(status=500) if request.params["offset"] == "1" else brave(request)
    )
    try:
        hits = desk.hits("brave", limit=30)
    finally:
        desk.server.fakes["api.search.brave.com"] = brave
    assert len(hits) == 20
    assert [failure.provider for failure in desk.told] == ["brave"]
