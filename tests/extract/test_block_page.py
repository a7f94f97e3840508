"""Pages that stand in another page's place, and honest pages that look like one."""

import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affidavit.errors import FailureKind, PageFailure
from affidavit.evidence.document import Block, BlockKind, Fetched, Link
from affidavit.extract import extract
from affidavit.extract.block_page import View, recognise, refuse_status

URL = "https://paper.example.org/harbour/levy-2024"


def page(body: str, title: str = "Harbour levy", status: int = 200, url: str = URL) -> Fetched:
    html = f'<!DOCTYPE html><html><head><meta charset="utf-8"><title>{title}</title></head><body>{body}</body></html>'
    return Fetched(
        requested_url=url,
        final_url=url,
        retrieved_at="2026-03-01T00:00:00Z",
        status=status,
        headers=(("content-type", "text/html; charset=utf-8"),),
        body=html.encode(),
    )


FACT = "The Penhallow observatory opened in 1897 and was used by 28,927 people a day in the autumn count of 2020."
MORE = (
    "<p>Local historians describe the building as plain but sound, with walls of red brick and a roof of slate.</p>"
    "<p>Work on it was paid for by a levy on shipping, and the engineers kept the accounts until the lease ended.</p>"
    "<p>Visitors reach the site on foot from the station; the walk takes about 13 minutes along the quay.</p>"
)

CASES = tomllib.loads(Path(__file__).with_name("block_pages.toml").read_text(encoding="utf-8"))


def named(cases: list[dict[str, str]], key: str) -> list[object]:
    return [pytest.param(case, id=f"{case[key]}-{number}") for number, case in enumerate(cases)]


@pytest.mark.parametrize("case", named(CASES["blocked"], "kind"))
def test_a_page_in_anothers_place_is_refused_by_its_kind(case: dict[str, str]) -> None:
    with pytest.raises(PageFailure) as failure:
        extract(page(case["body"], case["title"]))
    assert failure.value.kind == FailureKind(case["kind"]), failure.value.detail
    assert failure.value.url == URL


@pytest.mark.parametrize("case", named(CASES["honest"], "title"))
def test_an_honest_page_is_kept(case: dict[str, str]) -> None:
    assert extract(page(case["body"].replace("FACT", FACT).replace("MORE", MORE), case["title"])).text


STATUSES = {
    401: "login",
    403: "challenge",
    404: "not_found",
    410: "not_found",
    418: "error",
    429: "rate_limit",
    451: "geo_block",
    500: "error",
    503: "maintenance",
    301: "redirect_stub",
    206: "broken",
    999: "error",
}


@pytest.mark.parametrize(("status", "kind"), STATUSES.items())
def test_a_page_served_with_a_refusing_status_is_never_a_document(status: int, kind: str) -> None:
    with pytest.raises(PageFailure) as failure:
        extract(page(f"<h1>Observatory</h1><p>{FACT}</p>{MORE}{MORE}", "Observatory", status))
    assert failure.value.kind == FailureKind(kind)


def test_a_status_that_says_little_leaves_the_kind_to_the_words() -> None:
    with pytest.raises(PageFailure) as failure:
        extract(page("<h1>Sign in</h1><p>You must be logged in to view this page.</p>", "Sign in", 403))
    assert failure.value.kind is FailureKind.LOGIN


def test_an_empty_body_with_a_refusing_status_is_named_by_the_status() -> None:
    with pytest.raises(PageFailure) as failure:
        extract(replace(page("", status=404), body=b""))
    assert failure.value.kind is FailureKind.NOT_FOUND


REDIRECTS = [
    '<meta http-equiv="refresh" content="0; url=/harbour/levy"><h1>Redirecting…</h1><a href="/harbour/levy">Go</a>',
    "<meta http-equiv=Refresh content=\"5;URL='/harbour/levy'\"><p>This page has moved.</p>",
    '<script>location = "/harbour/levy"</script>',
    '<script>window.location.replace("https://paper.example.org/harbour/levy");</script><p>One moment…</p>',
]


@pytest.mark.parametrize("body", REDIRECTS)
def test_a_redirect_stub_names_its_target(body: str) -> None:
    with pytest.raises(PageFailure, match=r"https://paper\.example\.org/harbour/levy") as failure:
        extract(page(body, "Redirecting"))
    assert failure.value.kind is FailureKind.REDIRECT_STUB


@pytest.mark.parametrize(
    "head",
    [
        '<meta http-equiv="refresh" content="300">',
        '<meta http-equiv="refresh" content="300; url=/harbour/levy-2024">',
        '<meta http-equiv="refresh" content="0; url=/elsewhere">' + MORE,
        "<script>if (old) { location.href = other }</script>",
    ],
)
def test_a_page_that_only_reloads_or_has_text_of_its_own_is_no_stub(head: str) -> None:
    assert extract(page(f"{head}<h1>Notice</h1><p>{FACT}</p>{MORE}"))


def test_a_view_without_blocks_or_links_shows_no_text() -> None:
    refusal = recognise(View(url=URL, status=200, title=None, text="", blocks=()))
    assert refusal is not None
    assert refusal.kind is FailureKind.NO_TEXT


def test_recognising_never_needs_a_title() -> None:
    view = View(url=URL, status=200, title=None, text=FACT, blocks=(Block(0, len(FACT), BlockKind.PARAGRAPH),))
    assert recognise(view) is None


@given(st.text(max_size=300), st.sampled_from(BlockKind))
def test_any_text_is_judged_without_error(text: str, kind: BlockKind) -> None:
    blocks = (Block(0, len(text), kind),) if text else ()
    recognise(View(url=URL, status=200, title=text[:40], text=text, blocks=blocks, links=(Link(URL, text[:20]),)))


def test_only_a_whole_and_successful_answer_is_not_refused() -> None:
    kept = [status for status in range(1000) if refuse_status(status) is None]
    assert kept == [status for status in range(200, 300) if status not in (204, 205, 206)]
