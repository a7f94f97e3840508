"""What a page says of itself is taken only where it can do no harm."""

from collections.abc import Callable

import pytest

from affidavit.evidence.document import Fetched
from affidavit.extract import extract
from affidavit.extract.html import parse, walk
from affidavit.extract.metadata import Metadata, language_tag, one_line, read

URL = "https://trust.example.org/reports/mill"


def metadata(
    head: str = "", body: str = "<h1>The mill</h1><p>Words.</p>", url: str = URL, tag: str = "<html>"
) -> Metadata:
    tree = parse(f"<!DOCTYPE html>{tag}<head>{head}</head><body>{body}</body></html>", url)
    page = walk(tree, url)
    return read(tree, text=page.text, blocks=page.blocks, url=url, retrieved_at="2026-03-01T00:00:00Z")


TITLES = [
    ("<title>The mill | Harbour Trust</title>", "The mill"),
    ("<title>Harbour Trust: The mill</title>", "The mill"),
    ("<title>Something else</title>", "Something else"),
    ("<title>Something else - Trust</title><meta property=og:site_name content=Trust>", "Something else"),
    ("", "The mill"),
    ("<title>Untitled</title>", "The mill"),
    ("<meta property=og:title content='From the graph'>", "From the graph"),
    ("<title>A \u202etitle\u202c\nof  two\u200b lines</title>", "A \ufffd of two lines"),
]


@pytest.mark.parametrize(("head", "title"), TITLES)
def test_the_title_is_the_pages_own_name(head: str, title: str) -> None:
    assert metadata(head).title == title


def test_a_drawings_title_is_not_the_pages() -> None:
    assert metadata(body="<svg><title>Sun</title></svg><h1>The mill</h1>").title == "The mill"


def test_a_canonical_address_is_believed_inside_its_own_site() -> None:
    assert (
        metadata("<link rel=canonical href=/reports/the-mill>").canonical_url
        == "https://trust.example.org/reports/the-mill"
    )


@pytest.mark.parametrize(
    "head",
    [
        "<link rel=canonical href=https://other.example.net/reports/mill>",
        "<link rel=canonical href=https://trust.example.org/>",
        "<link rel=canonical href=/a><link rel=canonical href=/b>",
        "<link rel=canonical href='http://['>",
        "<link rel=alternate hreflang=de href=/de/mill>",
    ],
)
def test_a_canonical_address_that_cannot_be_true_changes_nothing(head: str) -> None:
    assert metadata(head).canonical_url == URL


def test_a_canonical_address_in_the_body_is_a_strangers() -> None:
    assert metadata(body="<p>Words.</p><link rel=canonical href=/x>").canonical_url == URL


def test_the_amp_twin_is_known() -> None:
    assert metadata("<link rel=amphtml href=/amp/mill>").amp_url == "https://trust.example.org/amp/mill"


@pytest.mark.parametrize(
    ("tag", "head", "language"),
    [
        ("<html lang=en-US>", "", "en-us"),
        ("<html lang=''>", "<meta http-equiv=content-language content=de>", None),
        ("<html>", "<meta property=og:locale content=pt_BR>", "pt-br"),
        ("<html lang='{{lang}}'>", "", None),
        ("<html xml:lang=fr>", "", "fr"),
    ],
)
def test_the_language_is_a_tag_or_none(tag: str, head: str, language: str | None) -> None:
    assert metadata(head, tag=tag).language == language


def test_a_language_tag_is_normalised() -> None:
    assert [language_tag(value) for value in ("en_US.UTF-8", "de, en", "zh-Hant-TW", "und", "x", None)] == [
        "en-us", "de", "zh-hant-tw", None, None, None,
    ]  # fmt: skip


CITED = "<meta name=citation_author content="
AUTHORS = [
    ("<meta name=author content='Jane Doe'>", "Jane Doe"),
    (f"{CITED}'Doe, Jane'>{CITED}'Roe, Rob'>", "Doe, Jane; Roe, Rob"),
    (
        '<script type="application/ld+json">{"@graph": [{"@type": "NewsArticle",'
        '"author": [{"name": "Jane Doe"}, {"name": "Rob Roe"}]}]}</script>',
        "Jane Doe, Rob Roe",
    ),
    ("<meta property=article:author content='https://x.example.org/jane'>", None),
    ('<script type="application/ld+json">{"@type": "Article", "author": </script>', None),
]  # fmt: skip


@pytest.mark.parametrize(("head", "author"), AUTHORS)
def test_the_author_is_a_name(head: str, author: str | None) -> None:
    assert metadata(head).author == author


def test_a_labelled_author_on_the_page_comes_before_the_markup() -> None:
    body = "<h1>The mill</h1><dl><dt>Author:</dt><dd>Jane Doe &lt;jane at x&gt;</dd></dl>"
    assert metadata("<meta name=author content=Webmaster>", body).author == "Jane Doe <jane at x>"


def test_the_markups_date_is_checked_against_the_page() -> None:
    head = "<meta property=article:published_time content=2024-01-01T00:00:00Z>"
    assert metadata(head).published is None
    assert metadata(head, "<h1>The mill</h1><p>Last changed on 12 June 2019.</p>").published == "2019-06-12"
    assert metadata(head, "<h1>The mill</h1><p>1 January 2024</p>").published == "2024-01-01"


def test_a_time_elements_attribute_does_not_overrule_its_words() -> None:
    body = "<h1>The mill</h1><p>Published on <time datetime=2031-01-01 itemprop=datePublished>12 June 2019</time></p>"
    assert metadata(body=body).published == "2019-06-12"


def test_the_servers_last_modified_is_no_date_of_publication(respond: Callable[..., Fetched]) -> None:
    fetched = respond(
        "<h1>The mill</h1><p>It opened long ago and is closed now.</p>",
        headers=(("last-modified", "Wed, 12 Jun 2019 00:00:00 GMT"),),
    )
    assert extract(fetched).published is None


def test_a_field_is_cut_to_one_line() -> None:
    assert one_line("a" * 400) == "a" * 299 + "…"
    assert one_line(" \u200b ") is None


def test_an_author_in_a_listing_is_not_the_pages() -> None:
    assert metadata(body="<h1>The mill</h1><pre>author: sarah</pre><p>Words.</p>").author is None


def test_a_second_heading_does_not_rename_the_page() -> None:
    assert metadata("<title>Volume B - errata</title>", "<h2>Errata</h2><p>Words.</p>").title == "Volume B - errata"
