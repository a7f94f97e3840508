import re
import shutil
import threading
from collections.abc import Callable, Iterator
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affidavit.errors import SpanMismatch
from affidavit.evidence import (
    Block,
    BlockKind,
    Document,
    Span,
    selectors,
    text_fragment_url,
    text_position_selector,
    text_quote_selector,
)

DocumentOf = Callable[..., Document]


def span_of(document: Document, words: str, nth: int = 0) -> Span:
    start = [match.start() for match in re.finditer(re.escape(words), document.text)][nth]
    return Span.at(document, start, start + len(words))


def directive(document: Document, span: Span) -> str:
    return text_fragment_url(span, document).partition(":~:text=")[2]


# --- W3C selectors


def test_both_selectors_have_the_standard_s_names(document_of: DocumentOf) -> None:
    document = document_of("The mill was built in 1871. It ran every day until 1953.")
    span = span_of(document, "It ran every day")
    assert selectors(span, document) == [
        {
            "type": "TextQuoteSelector",
            "exact": "It ran every day",
            "prefix": "The mill was built in 1871. ",
            "suffix": " until 1953.",
        },
        {"type": "TextPositionSelector", "start": 28, "end": 44},
    ]


def test_the_context_grows_until_the_quotation_is_told_from_its_likenesses(document_of: DocumentOf) -> None:
    same = "and so on and so forth without any end in sight, line after line after line"
    document = document_of(
        f"First {same} the gate {same}. Second {same} the gate {same}. Third {same} the gate {same}."
    )
    for nth in range(3):
        span = span_of(document, "the gate", nth)
        selector = text_quote_selector(span, document)
        whole = f"{selector['prefix']}{selector['exact']}{selector['suffix']}"
        assert document.text.count(whole) == 1
        assert document.text.index(whole) + len(str(selector["prefix"])) == span.start


def test_the_context_cuts_no_character_in_two(document_of: DocumentOf) -> None:
    document = document_of("e\u0301" * 40 + " gate " + "👨\u200d👩" * 40)
    selector = text_quote_selector(span_of(document, "gate"), document)
    assert str(selector["prefix"])[0] == "e"
    assert str(selector["suffix"]).endswith("👩")


@given(st.text(alphabet="ab \n", min_size=1, max_size=80), st.data())
def test_a_quote_selector_finds_its_span_and_no_other(document_of: DocumentOf, text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    document = document_of(text)
    span = Span.at(document, start, end)
    selector = text_quote_selector(span, document)
    whole = f"{selector['prefix']}{selector['exact']}{selector['suffix']}"
    assert [at.start() for at in re.finditer(f"(?={re.escape(whole)})", text)] == [start - len(str(selector["prefix"]))]
    position = text_position_selector(span)
    assert text[position["start"] : position["end"]] == selector["exact"]  # type: ignore[index]


def test_a_foreign_span_gets_no_selector_and_no_link(document_of: DocumentOf) -> None:
    span = span_of(document_of("The mill was built."), "The mill")
    other = document_of("Another page altogether", canonical_url="https://example.org/other")
    with pytest.raises(SpanMismatch):
        text_quote_selector(span, other)
    with pytest.raises(SpanMismatch):
        text_fragment_url(span, other)


# --- links


def test_what_the_directive_s_grammar_uses_is_percent_encoded(document_of: DocumentOf) -> None:
    document = document_of("It rose by 3-4%, at least & more.")
    assert directive(document, span_of(document, "rose by 3-4%, at least & more")) == (
        "rose%20by%203%2D4%25%2C%20at%20least%20%26%20more"
    )


@pytest.mark.parametrize(
    ("url", "linked"),
    [
        ("https://example.org/a", "https://example.org/a#:~:text="),
        ("https://example.org/a?b=c#d", "https://example.org/a?b=c#d:~:text="),
        ("https://example.org/a#d:~:text=old", "https://example.org/a#d:~:text="),
        ("https://example.org/a#:~:text=old", "https://example.org/a#:~:text="),
    ],
)
def test_a_fragment_is_kept_and_a_directive_replaced(document_of: DocumentOf, url: str, linked: str) -> None:
    document = document_of("The mill was built.", final_url=url)
    assert text_fragment_url(span_of(document, "The mill"), document) == linked + "The%20mill"


def test_a_paginated_source_opens_at_the_page(document_of: DocumentOf) -> None:
    document = document_of("The mill.", blocks=(Block(0, 9, BlockKind.PARAGRAPH, page=4),))
    assert text_fragment_url(span_of(document, "The mill"), document).endswith("/page#page=4:~:text=The%20mill")


def test_a_later_likeness_is_told_apart_by_the_words_before_it(document_of: DocumentOf) -> None:
    document = document_of("One: the gate was shut. Two: THE GATE was shut.", "Three.", "The gate was shut.")
    assert unquote(directive(document, span_of(document, "the gate"))) == "the gate"
    assert unquote(directive(document, span_of(document, "THE GATE was"))) == "Two:-,THE GATE was"
    assert unquote(directive(document, span_of(document, "The gate was shut"))) == "Three.-,The gate was shut"


def test_a_long_quotation_is_linked_by_its_first_and_last_words(document_of: DocumentOf) -> None:
    document = document_of("Here it begins to run on. " + "More and more words. " * 30 + "And here it ends at last.")
    span = Span.at(document, 0, len(document.text))
    assert unquote(directive(document, span)) == "Here it begins to run,here it ends at last."


def test_last_words_that_come_earlier_too_are_told_apart_by_what_follows(document_of: DocumentOf) -> None:
    document = document_of("Here it begins.", "so it is at last. " * 20 + "So it is at last.", "After that.")
    span = Span.at(document, 0, document.text.index("\n\nAfter"))
    assert unquote(directive(document, span)) == "Here it begins.,So it is at last.,-After"


def test_a_span_inside_a_word_links_the_whole_word(document_of: DocumentOf) -> None:
    document = document_of("The mill was rebuilt in 1932.")
    assert directive(document, span_of(document, "built in 19")) == "rebuilt%20in%201932"


@given(st.text(alphabet="ab.-,& \n中文e\u0301", min_size=1, max_size=500), st.data())
def test_a_link_holds_the_span_s_own_words_in_order(document_of: DocumentOf, text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    document = document_of(text)
    parts = [part.strip("-") for part in directive(document, Span.at(document, start, end)).split(",")]
    words = " ".join(text.split())
    at = 0
    for part in map(unquote, parts):
        at = words.index(part, at) + len(part)


# --- in a browser

FILLER = ["Filler of no interest at all, line after line of it."] * 60
PARAGRAPHS = [
    "The levy was raised in 1932, by 3-4 per cent & more.",
    "It fell on all ships\nover 40 tons.",
    "He said “we won’t — close it” to them.",
    "Here a phrase is said twice over.",
    "And there a phrase is said twice over.",
    "The long one begins here. " + "Words and more words. " * 29 + "Words.",
    "And it goes on to an end here.",
    "该桥于1932年开通，全长503米。每天约有16万辆车通过。",
]


@pytest.fixture
def page_url() -> Iterator[str]:
    filler = "".join(f"<p>{line}</p>" for line in FILLER)
    body = "".join(
        f'{filler}<p id="p{number}">{escape(text).replace(chr(10), "<br>")}</p>'
        for number, text in enumerate(PARAGRAPHS)
    )

    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("content-type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(f"<!doctype html><title>Page</title>{body}{filler}".encode())

        def log_message(self, *args: object) -> None:
            """Keep the test's output clean."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Page)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/page"
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.mark.browser
def test_a_browser_opens_the_page_at_the_quotation(document_of: DocumentOf, page_url: str) -> None:
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium is None:
        pytest.skip("needs a Chromium on the PATH")
    playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright")
    document = document_of(*(part for text in PARAGRAPHS for part in (*FILLER, text)), *FILLER, final_url=page_url)
    spans = [(number, span_of(document, text)) for number, text in enumerate(PARAGRAPHS)]
    spans.append((0, span_of(document, "vy was raised in 1932, by 3-4 per ce")))
    spans.append((4, span_of(document, "phrase is said twice", 1)))
    spans.append((5, Span.at(document, spans[5][1].start, spans[6][1].end)))
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for number, span in spans:
            page = browser.new_page()
            page.goto(text_fragment_url(span, document))
            box = f"document.getElementById('p{number}').getBoundingClientRect()"
            page.wait_for_function(f"scrollY > 0 && {box}.top >= 0 && {box}.top < innerHeight", timeout=60_000)
            page.close()
        browser.close()
