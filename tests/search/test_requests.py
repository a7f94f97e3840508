"""What each provider is asked: its own spelling of dates, places, pages and words; and what its refusals mean."""

import pytest

from affidavit.errors import SearchFailureKind

from .conftest import Desk
from .provider_fakes import ARXIV_ERROR, Reply, brave_error, exa_error, of_json, tavily_keyless_cap

OPERATORS = 'site:evil.example -password !g "exact words" intitle:x (a OR b) NOT c* ~d'


@pytest.mark.parametrize(
    ("provider", "place"),
    [("wikipedia", "srsearch"), ("searxng", "q"), ("brave", "q"), ("serper", "q"), ("openalex", "search"),
     ("crossref", "query.bibliographic"), ("duckduckgo", "q")],
)  # fmt: skip
def test_no_character_of_a_query_is_an_operator(desk: Desk, provider: str, place: str):
    desk.hits(provider, OPERATORS)
    sent = desk.asked[0].params.get(place) or str((desk.asked[0].body or {})[place])
    assert not any(sign in sent for sign in ('"', ":", "!", "(", ")", "*", "~", " -", "OR", "NOT"))
    assert "password" in sent


@pytest.mark.parametrize("provider", ["arxiv", "pubmed"])
def test_words_are_joined_by_our_operators_and_no_others(desk: Desk, provider: str):
    desk.hits(provider, "ti:password [dp] OR guideline-7 NOT x")
    sent = desk.asked[0].params["search_query" if provider == "arxiv" else "term"]
    assert {
        "arxiv": 'all:ti AND all:password AND all:dp AND all:"guideline-7" AND all:x',
        "pubmed": "ti AND password AND dp AND guideline-7 AND x",
    }[provider] == sent


@pytest.mark.parametrize("provider", ["wikipedia", "arxiv", "pubmed"])
def test_where_not_every_word_is_found_any_of_them_will_do(desk: Desk, provider: str):
    assert len(desk.hits(provider, "zebra guideline", limit=5)) == 5
    assert len([request for request in desk.asked if "esummary" not in request.path]) == 2


def test_brave_takes_days_country_and_language(desk: Desk):
    desk.language, desk.region = "pt-BR", "br"
    desk.hits("brave", recency_days=7)
    sent = desk.asked[0].params
    assert (sent["freshness"], sent["country"], sent["search_lang"]) == ("2026-06-23to2026-06-30", "BR", "pt-br")


@pytest.mark.parametrize(
    ("language", "sent"), [("ja", "jp"), ("zh-CN", "zh-hans"), ("de-AT", "de"), ("en-gb", "en-gb")]
)
def test_brave_has_names_of_its_own_for_some_languages(desk: Desk, language: str, sent: str):
    desk.language = language
    desk.hits("brave")
    assert desk.asked[0].params["search_lang"] == sent


def test_tavily_takes_days_country_and_language(desk: Desk):
    desk.language, desk.region = "de", "ch"
    desk.hits("tavily", recency_days=7)
    sent = desk.asked[0].body or {}
    assert (sent["start_date"], sent["end_date"]) == ("2026-06-23", "2026-06-30")
    assert (sent["country"], sent["language"]) == ("switzerland", "de")


def test_tavily_is_told_no_country_that_it_has_no_name_for(desk: Desk):
    desk.region = "AQ"
    desk.hits("tavily")
    assert "country" not in (desk.asked[0].body or {})


def test_tavily_without_a_key_says_that_it_has_none(desk: Desk):
    desk.keys = {}
    assert desk.hits("tavily")
    assert desk.asked[0].headers["x-tavily-access-mode"] == "keyless"
    assert "authorization" not in desk.asked[0].headers


def test_tavily_with_a_key_does_not_say_keyless(desk: Desk):
    assert desk.hits("tavily")
    assert "x-tavily-access-mode" not in desk.asked[0].headers


def test_exa_takes_days_and_country(desk: Desk):
    desk.region = "de"
    desk.hits("exa", recency_days=7)
    sent = desk.asked[0].body or {}
    assert (sent["startPublishedDate"], sent["endPublishedDate"]) == (
        "2026-06-23T00:00:00.000Z",
        "2026-06-30T23:59:59.999Z",
    )
    assert sent["userLocation"] == "DE"


def test_serper_takes_days_country_and_language(desk: Desk):
    desk.language, desk.region = "de", "AT"
    desk.hits("serper", recency_days=7)
    sent = desk.asked[0].body or {}
    assert (sent["tbs"], sent["gl"], sent["hl"]) == ("cdr:1,cd_min:6/23/2026,cd_max:6/30/2026", "at", "de")


@pytest.mark.parametrize(("days", "sent"), [(0, "day"), (6, "day"), (7, "week"), (45, "month"), (400, "year")])
def test_searxng_is_asked_for_the_longest_range_within_the_days(desk: Desk, days: int, sent: str):
    desk.language, desk.region = "de", "at"
    desk.hits("searxng", recency_days=days)
    assert desk.asked[0].params["time_range"] == sent
    assert desk.asked[0].params["language"] == "de-AT"


def test_openalex_takes_days_and_language(desk: Desk):
    desk.language = "de-AT"
    desk.hits("openalex", recency_days=7)
    sent = desk.asked[0].params["filter"]
    assert sent == "from_publication_date:2026-06-23,to_publication_date:2026-06-30,language:de"


def test_crossref_takes_days_and_a_mail_address(desk: Desk):
    desk.contact = "someone@example.org"
    desk.hits("crossref", recency_days=7)
    assert desk.asked[0].params["filter"] == "from-pub-date:2026-06-23,until-pub-date:2026-06-30"
    assert desk.asked[0].params["mailto"] == "someone@example.org"


def test_pubmed_takes_days_and_a_mail_address(desk: Desk):
    desk.contact = "someone@example.org"
    desk.hits("pubmed", recency_days=7)
    assert (desk.asked[0].params["mindate"], desk.asked[0].params["maxdate"]) == ("2026/06/23", "2026/06/30")
    assert {request.params["email"] for request in desk.asked} == {"someone@example.org"}


def test_arxiv_takes_days(desk: Desk):
    desk.hits("arxiv", recency_days=7)
    assert "submittedDate:[202606230000 TO 202606302359]" in desk.asked[0].params["search_query"]


def test_wikipedia_is_asked_in_the_language(desk: Desk):
    desk.language = "de-AT"
    hits = desk.hits("wikipedia", limit=3)
    assert desk.asked[0].host == "de.wikipedia.org"
    assert hits[0].url == "https://de.wikipedia.org/wiki/Password_guideline_0_%26_more"


def test_an_edit_is_no_publication(desk: Desk):
    assert {hit.published for hit in desk.hits("wikipedia", recency_days=100)} == {None}


def test_arxiv_is_asked_once_in_three_seconds(desk: Desk):
    desk.hits("arxiv", limit=5)
    desk.hits("arxiv", limit=5)
    assert [round(wait) for wait in desk.waits] == [3]


def test_papers_link_to_where_they_can_be_read(desk: Desk):
    assert desk.hits("arxiv")[0].url == "https://arxiv.org/abs/2401.00000v2"
    assert desk.hits("crossref")[0].url == "https://doi.org/10.1000/0"
    assert desk.hits("pubmed")[0].url == "https://pubmed.ncbi.nlm.nih.gov/39000000/"
    found = [hit.url for hit in desk.hits("openalex", limit=4)]
    assert found == ["https://openalex.org/W0", "https://site1.example.org/p/1", "https://site2.example.org/p/2",
                     "https://doi.org/10.1000/3"]  # fmt: skip


def test_snippets_are_plain_text_of_what_the_provider_has(desk: Desk):
    assert desk.hits("openalex", limit=2)[1].snippet == "A verifier must throttle A"
    assert desk.hits("crossref")[0].title == "Password guideline 0 & more in vivo CO2"
    assert desk.hits("crossref")[0].snippet.startswith("Abstract A verifier must throttle")
    assert desk.hits("pubmed")[0].snippet == "Author A, Author B, Author C and others. J Passwords. 2026 Jun 30"
    assert desk.hits("arxiv")[0].snippet.endswith("We show $a < b$.")


@pytest.mark.parametrize(
    ("provider", "days"),
    [("brave", "2026-06-20"), ("exa", "2026-06-20"), ("serper", "2026-06-20"), ("searxng", "2026-06-20"),
     ("arxiv", "2026-06-20"), ("openalex", "2026-06-20"), ("crossref", "2026-06-20"), ("pubmed", "2026-06-20")],
)  # fmt: skip
def test_the_dates_of_each_provider_are_read(desk: Desk, provider: str, days: str):
    assert desk.hits(provider)[1].published == days


def test_duckduckgo_gives_the_page_and_the_site_of_a_topic_and_none_of_its_own(desk: Desk):
    found = [hit.url for hit in desk.hits("duckduckgo", "python")]
    assert found == ["https://en.wikipedia.org/wiki/Python_(programming_language)", "https://www.python.org/"]
    assert desk.hits("duckduckgo", "password") == []


AUTH, QUOTA, LIMITED = SearchFailureKind.AUTH, SearchFailureKind.QUOTA, SearchFailureKind.RATE_LIMITED
BAD, DOWN = SearchFailureKind.BAD_REQUEST, SearchFailureKind.UNAVAILABLE
BRAVE_WINDOWS = {"X_RateLimit_Remaining": "0, 10", "X_RateLimit_Reset": "99, 999"}
REFUSALS = [
    ("brave", brave_error(422, "SUBSCRIPTION_TOKEN_INVALID", "invalid"), AUTH),
    ("brave", brave_error(422, "VALIDATION", "bad"), BAD),
    ("brave", of_json({"type": "ErrorResponse", "errors": [{"code": "SUBSCRIPTION_TOKEN_INVALID"}]}, 422), AUTH),
    ("brave", of_json({"type": "ErrorResponse", "error": {"code": "CREDITS"}}, 402), QUOTA),
    ("brave", of_json({"type": "news"}), SearchFailureKind.BAD_RESPONSE),
    ("brave", brave_error(429, "QUOTA_LIMITED", "used up"), QUOTA),
    ("brave", brave_error(429, "RATE_LIMITED", "slow", **BRAVE_WINDOWS), LIMITED),
    ("tavily", of_json({"detail": {"error": "Unauthorized"}}, 401), AUTH),
    ("tavily", of_json({"detail": {"error": "plan's limit"}}, 432), QUOTA),
    ("tavily", of_json({"detail": {"error": "pay-as-you-go limit"}}, 433), QUOTA),
    ("tavily", of_json({"detail": "Query is too long"}, 400), BAD),
    ("tavily", of_json({"detail": {"error": "blocked"}}, 429, Retry_After="99"), LIMITED),
    ("tavily", tavily_keyless_cap(retry_after_seconds=99), LIMITED),
    ("exa", exa_error(401, "INVALID_API_KEY", "bad"), AUTH),
    ("exa", exa_error(402, "NO_MORE_CREDITS", "used up"), QUOTA),
    ("exa", exa_error(400, "INVALID_REQUEST_BODY", "bad"), BAD),
    ("exa", exa_error(429, "RATE_LIMIT", "slow", Retry_After="99"), LIMITED),
    ("serper", of_json({"message": "Unauthorized.", "statusCode": 403}, 403), AUTH),
    ("serper", of_json({"message": "Not enough credits", "statusCode": 400}, 400), QUOTA),
    ("serper", of_json({"message": "Missing query parameter", "statusCode": 400}, 400), BAD),
    ("wikipedia", of_json({"error": {"code": "ratelimited", "info": "x"}}, Retry_After="99"), LIMITED),
    ("wikipedia", of_json({"error": {"code": "readapidenied", "info": "log in"}}), AUTH),
    ("wikipedia", of_json({"error": {"code": "cirrussearch-query-too-long", "info": "long"}}), BAD),
    ("wikipedia", Reply(status=403, body=b"Please respect our robot policy"), AUTH),
    ("searxng", Reply(status=403, body=b"<title>403 Forbidden</title>"), AUTH),
    ("searxng", of_json({"error": "Invalid value century for parameter time_range"}, 400), BAD),
    ("searxng", of_json({"results": [], "unresponsive_engines": [["demo", "timeout"]]}), DOWN),
    ("arxiv", ARXIV_ERROR, BAD),
    ("arxiv", Reply(body=b"Rate exceeded.", headers={"Retry-After": "99"}), LIMITED),
    ("openalex", of_json({"error": "Unauthorized", "message": "key"}, 401), AUTH),
    ("openalex", of_json({"error": "x", "message": "used up"}, 429, X_RateLimit_Remaining="0"), QUOTA),
    ("openalex", of_json({"error": "Rate limit exceeded", "message": "Insufficient budget."}, 429), QUOTA),
    ("openalex", of_json({"error": "x", "message": "too fast"}, 403, Retry_After="99"), LIMITED),
    ("openalex", of_json({"error": "Invalid filter", "message": "bad"}, 400), BAD),
    ("crossref", of_json({"status": "failed", "message": [{"message": "bad rows"}]}, 400), BAD),
    ("crossref", of_json({"status": "error", "message": "bad"}, 400), BAD),
    ("pubmed", of_json({"error": "API rate limit exceeded", "count": "4"}, 429, Retry_After="99"), LIMITED),
    ("pubmed", of_json({"error": "API rate limit exceeded", "api-key": "203.0.113.7"}, Retry_After="99"), LIMITED),
    ("pubmed", of_json({"esearchresult": {"count": "3"}}), SearchFailureKind.BAD_RESPONSE),
    ("pubmed", of_json({"error": "API key invalid"}, 400), AUTH),
    ("pubmed", of_json({"esearchresult": {"ERROR": "Empty term"}}), BAD),
    ("duckduckgo", Reply(status=403), AUTH),
]  # fmt: skip


@pytest.mark.parametrize(("provider", "reply", "kind"), REFUSALS)
def test_each_providers_refusals_are_told_apart(desk: Desk, provider: str, reply: Reply, kind: SearchFailureKind):
    desk.server.will(desk.host(provider), reply)
    failure = desk.failure(provider)
    assert failure.kind is kind
    assert failure.provider == provider
    assert failure.advice in str(failure)
    assert len(failure.advice) > 10
    assert len(desk.asked) == 1
    if kind is SearchFailureKind.RATE_LIMITED:
        assert failure.retry_after == 99


def test_an_entity_bomb_is_no_feed(desk: Desk):
    bomb = b'<!DOCTYPE feed [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'
    body = (
        bomb
        + b'<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>http://a.example/</id><title>&b;</title></entry></feed>'
    )
    desk.server.will("export.arxiv.org", Reply(body=body, headers={"Content-Type": "application/atom+xml"}))
    assert desk.failure("arxiv").kind is SearchFailureKind.BAD_RESPONSE


def test_a_file_named_in_a_feed_is_not_read(desk: Desk):
    body = (
        b'<!DOCTYPE feed [<!ENTITY x SYSTEM "file:///etc/hostname">]><feed xmlns="http://www.w3.org/2005/Atom">'
        b"<entry><id>http://a.example/</id><title>&x;</title></entry></feed>"
    )
    desk.server.will("export.arxiv.org", Reply(body=body))
    assert desk.failure("arxiv").kind is SearchFailureKind.BAD_RESPONSE


def test_an_error_of_pubmed_that_is_no_strict_json_is_read(desk: Desk):
    body = b'{"esearchresult":{"ERROR":"Search Backend failed: Exception:\n\'retstart\' cannot be larger than 9998."}}'
    desk.server.will("eutils.ncbi.nlm.nih.gov", *[Reply(body=body)] * 3)
    failure = desk.failure("pubmed")
    assert failure.kind is DOWN
    assert "retstart" in str(failure)


def test_brave_without_results_has_none(desk: Desk):
    desk.server.will("api.search.brave.com", of_json({"type": "search", "query": {"original": "x"}}))
    assert desk.hits("brave") == []
