"""How long a page may be used again, by RFC 9111."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affidavit.egress.freshness import MAX_VALIDATOR, conditions, lifetime, retry_after
from affidavit.egress.received import Received

DATE = ("date", "Fri, 02 Jan 2026 03:04:05 GMT")
NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def page(*headers, status=200):
    return Received(
        url="https://a.example/",
        status=status,
        phrase="",
        headers=headers,
        raw=b"",
        retrieved_at="2026-01-02T03:04:05Z",
    )


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ([("cache-control", "max-age=600")], 600),
        ([("cache-control", 'private, Max-Age="600"')], 600),
        ([("cache-control", "max-age=600"), ("age", "500")], 100),
        ([("cache-control", "max-age=600"), ("age", "900"), ("etag", "x")], 0),
        ([("cache-control", "s-maxage=600"), ("etag", "x")], 0),
        ([("cache-control", "no-store, max-age=600")], None),
        ([("cache-control", "no-cache, max-age=600"), ("etag", "x")], 0),
        ([("cache-control", "no-cache, max-age=600")], None),
        ([("cache-control", "max-age=600"), ("vary", "*")], None),
        ([("cache-control", "max-age=600"), ("vary", "Accept-Encoding")], 600),
        ([DATE, ("expires", "Fri, 02 Jan 2026 04:04:05 GMT")], 3600),
        ([DATE, ("expires", "0"), ("etag", "x")], 0),
        ([("cache-control", "max-age=1"), DATE, ("expires", "Fri, 02 Jan 2026 04:04:05 GMT")], 1),
        ([DATE, ("last-modified", "Fri, 02 Jan 2026 03:04:05 GMT")], 0),
        ([DATE, ("last-modified", "Fri, 02 Jan 2026 01:24:05 GMT")], 600),
        ([DATE, ("last-modified", "Fri, 02 Jan 1990 01:24:05 GMT")], 86_400),
        ([DATE, ("last-modified", "Fri, 02 Jan 2099 01:24:05 GMT")], 0),
        ([], None),
        ([("etag", "x")], 0),
        ([("cache-control", "max-age=abc"), ("etag", "x")], 0),
    ],
)
def test_a_page_is_fresh_as_long_as_its_site_says(headers, seconds):
    assert lifetime(page(*headers)) == seconds


@pytest.mark.parametrize("status", [301, 304, 404, 500, 206])
def test_only_plain_successes_are_kept(status):
    assert lifetime(page(("cache-control", "max-age=600"), status=status)) is None


def test_a_page_is_asked_about_by_what_its_site_gave():
    assert conditions(page(("etag", 'W/"1"'), ("last-modified", DATE[1]))) == (
        ("If-None-Match", 'W/"1"'),
        ("If-Modified-Since", DATE[1]),
    )
    assert conditions(page(("last-modified", "yesterday"), ("etag", "ü"))) == ()


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("120", 120),
        ("0", 0),
        ("9" * 400, 999_999_999),
        ("Fri, 02 Jan 2026 03:05:05 GMT", 60),
        ("Thu, 01 Jan 2026 00:00:00 GMT", 0),
        ("soon", None),
        ("", None),
        ("-5", None),
        ("1.5", None),
    ],
)
def test_retry_after_is_seconds_or_a_date(value, seconds):
    assert retry_after(page(("retry-after", value)), NOW) == seconds


@given(
    st.lists(st.tuples(st.sampled_from("cache-control age expires date last-modified etag vary".split()), st.text()))
)
def test_no_header_is_an_accident(headers):
    found = lifetime(page(*headers))
    assert found is None or found >= 0


@pytest.mark.parametrize("digits", ["²", "٣", "9" * 5000])
def test_digits_that_are_no_number_of_http_are_none(digits):
    assert retry_after(page(("retry-after", digits)), NOW) == (999_999_999 if digits[0] == "9" else None)
    assert lifetime(page(("cache-control", "max-age=600"), ("age", digits))) == (None if digits[0] == "9" else 600)
    assert lifetime(page(("cache-control", f"max-age={digits}"))) == (999_999_999 if digits[0] == "9" else None)


def test_no_more_is_sent_back_than_says_which_version():
    assert conditions(page(("etag", "x" * MAX_VALIDATOR))) == (("If-None-Match", "x" * MAX_VALIDATOR),)
    assert conditions(page(("etag", "x" * (MAX_VALIDATOR + 1)))) == ()
    dressed = "Fri, 02 Jan 2026 04:04:05 +0100 (reader 8f3a)"
    assert conditions(page(("last-modified", dressed))) == (("If-Modified-Since", "Fri, 02 Jan 2026 03:04:05 GMT"),)
    assert conditions(page(("last-modified", "Fri, 31 Dec 9999 23:00:00 -2300"))) == ()
