"""One URL for many spellings of one page."""

import json
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from affidavit.errors import UserError
from affidavit.ranking.canonical import canonical_of, canonical_url, host, registrable_domain

SPELLINGS = [
    ("https://example.com/a", "https://example.com/a"),
    ("HTTP://WWW.Example.COM:80/a/", "https://example.com/a"),
    ("https://example.com:443/a#part", "https://example.com/a"),
    ("https://example.com/a?utm_source=x&utm_medium=y", "https://example.com/a"),
    ("https://example.com/a?b=2&gclid=1&a=1", "https://example.com/a?a=1&b=2"),
    ("https://example.com/a?fbclid=IwAR0&ref=home&mc_cid=9", "https://example.com/a"),
    ("https://example.com/%61?q=%7e%c3%a9", "https://example.com/a?q=~%C3%A9"),
    ("https://example.com/é", "https://example.com/%C3%A9"),
    ("https://example.com/a|b", "https://example.com/a%7Cb"),
    ("https://example.com/100%", "https://example.com/100%25"),
    ("https://example.com/x/../a/./", "https://example.com/a"),
    ("https://bücher.example/", "https://xn--bcher-kva.example/"),
    ("https://example.com./a", "https://example.com/a"),
    ("https://user:secret@example.com/a", "https://example.com/a"),
    ("  https://example.com/a\n", "https://example.com/a"),
    ("https://example.com", "https://example.com/"),
    ("https://example.com/?", "https://example.com/"),
    ("https://example.com/a;jsessionid=0A1B", "https://example.com/a"),
    ("https://example.com/b/..;jsessionid=1/a", "https://example.com/a"),
    ("https://example.com/s?q=a+b", "https://example.com/s?q=a+b"),
    ("https://example.com/s?q=a%20b", "https://example.com/s?q=a+b"),
]


@pytest.mark.parametrize(("spelling", "form"), SPELLINGS)
def test_the_spellings_of_one_page_have_one_form(spelling: str, form: str) -> None:
    assert canonical_url(spelling) == form


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://example.com/a", "https://example.com/A"),
        ("https://example.com/a?id=1", "https://example.com/a?id=2"),
        ("https://example.com/a?id=1&id=2", "https://example.com/a?id=2&id=1"),
        ("https://example.com/a%2Fb", "https://example.com/a/b"),
        ("https://example.com/a?x=1%262", "https://example.com/a?x=1&2"),
        ("https://example.com/?reference=1", "https://example.com/"),
        ("https://example.com/?refresh=1", "https://example.com/"),
        ("https://example.com:8080/", "https://example.com/"),
        ("https://m.example.com/a", "https://example.com/a"),
        ("https://www.com/", "https://com/"),
    ],
)
def test_different_pages_stay_different(one: str, other: str) -> None:
    assert canonical_url(one) != canonical_url(other)


def test_a_plus_that_is_data_is_not_a_space() -> None:
    assert canonical_url("https://example.com/s?q=c%2B%2B") == "https://example.com/s?q=c%2B%2B"


@pytest.mark.parametrize(
    "text", ["", "   ", "example.com/a", "//example.com/a", "http://", "no address", "https://[::1"]
)
def test_what_is_no_address_is_refused_with_what_to_write(text: str) -> None:
    with pytest.raises(UserError, match="write it in full"):
        canonical_url(text)


@pytest.mark.parametrize("url", ["mailto:a@example.com", "file:///tmp/a.html", "data:text/plain,x", "about:blank"])
def test_other_schemes_are_kept_without_their_fragment(url: str) -> None:
    assert canonical_url(url + "#x") == canonical_url(url) == url


_URLISH = st.text(alphabet=st.sampled_from(list("abW./:?&=%#@+ ~;|[]2eE5\\é。\u00ad\ud800\x00\t'\"<")), max_size=40)


@given(
    scheme=st.sampled_from(["http://", "https://", "HTTPS:", "http:/", "file://", "mailto:", "data:", "x:", ""]),
    rest=st.one_of(_URLISH, st.text(max_size=40), st.builds("www.{}.com/{}".format, _URLISH, _URLISH)),
)
@example("https://", "www.www.example.com//%%32%65?%2=%%33%64&b&&a=")
@example("http://", "example.com:443/")
@example("data:", " #x")
def test_the_canonical_form_of_a_canonical_form_is_itself(scheme: str, rest: str) -> None:
    try:
        once = canonical_url(scheme + rest)
    except UserError:
        return
    assert canonical_url(once) == once


@given(st.permutations(["a=1", "b=2", "c=%20", "utm_source=x", "d"]))
def test_the_order_of_parameters_does_not_matter(pieces: list[str]) -> None:
    assert canonical_url("https://example.com/?" + "&".join(pieces)) == "https://example.com/?a=1&b=2&c=+&d"


@pytest.mark.parametrize(
    ("url", "domain"),
    [
        ("https://news.bbc.co.uk/x", "bbc.co.uk"),
        ("https://www.nist.gov/", "nist.gov"),
        ("https://one.github.io/", "one.github.io"),
        ("https://127.0.0.1/x", "127.0.0.1"),
        ("https://[::1]:8080/x", "[::1]"),
        ("http://localhost:8000/", "localhost"),
        ("https://www.gov.uk/x", "gov.uk"),
        ("file:///tmp/a", ""),
    ],
)
def test_the_registrable_domain_is_the_one_somebody_registered(url: str, domain: str) -> None:
    assert registrable_domain(url) == domain


def test_a_host_that_carries_another_as_a_label_is_not_it() -> None:
    assert registrable_domain("https://nature.com.evil.org/") == "evil.org"
    assert host("https://nature.com@evil.org/") == "evil.org"


PAGE = "https://m.example.com/story/amp?utm_source=x"


@pytest.mark.parametrize(
    ("declared", "amp", "expected"),
    [
        (None, None, "https://m.example.com/story/amp"),
        ("https://www.example.com/story/", None, "https://example.com/story"),
        ("/story", None, "https://m.example.com/story"),
        ("https://nature.com/story", None, "https://m.example.com/story/amp"),
        ("https://example.com/", None, "https://m.example.com/story/amp"),
        ("javascript:alert(1)", None, "https://m.example.com/story/amp"),
        ("https://[", None, "https://m.example.com/story/amp"),
        ("https://example.com/story", "https://m.example.com/story/amp", "https://example.com/story"),
        ("https://example.com/x/amp", "https://example.com/x/amp", "https://m.example.com/story/amp"),
    ],
)
def test_a_page_may_name_its_canonical_inside_its_own_site_only(
    declared: str | None, amp: str | None, expected: str
) -> None:
    assert canonical_of(PAGE, declared, amp) == expected


@pytest.mark.parametrize(
    "cached",
    [
        "https://www-example-com.cdn.ampproject.org/c/s/www.example.com/story",
        "https://www.google.com/amp/s/www.example.com/story",
    ],
)
def test_a_page_of_an_amp_cache_folds_into_its_origin_and_no_other(cached: str) -> None:
    assert canonical_of(cached, "https://example.com/story") == "https://example.com/story"
    assert canonical_of(cached, "https://nature.com/story") == canonical_url(cached)


def test_the_hostile_urls_have_one_form_or_are_no_address(shared: Path) -> None:
    lines = (shared / "data/adversarial/dev/urls/urls.jsonl").read_text(encoding="utf-8").splitlines()
    urls = {url for line in lines if line for case in [json.loads(line)] for url in (case["url"], *case["seen"])}
    refused = 0
    for url in urls:
        try:
            once = canonical_url(url)
        except UserError:
            refused += 1
            continue
        assert canonical_url(once) == once
    assert len(urls) > 300
    assert refused < len(urls) / 4
