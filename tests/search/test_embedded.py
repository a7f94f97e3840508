"""Search over real indexes of small sites."""

import asyncio
from datetime import date

import pytest

from affidavit.egress.archive import open_archive
from affidavit.search.embedded import EmbeddedSearch
from affidavit.search.provider import Provider

FILLER = {f"filler{number}.md": f"# Filler {number}\n\nNothing to see in part {number}." for number in range(20)}


def test_it_is_a_provider(site, searching):
    provider: Provider = searching(site({"a.md": "# A\n\nSome words about lions."})).search
    (hit,) = asyncio.run(provider.search("lions"))
    assert (hit.rank, hit.provider, hit.title) == (1, "archive", "A")
    assert hit.url == "https://site.invalid/a.md"
    assert "lions" in hit.snippet


def test_a_word_in_the_title_counts_for_more(site, searching):
    pages = {"a.md": "# Tigers\n\nA page on cats.", "b.md": "# Cats\n\nA page that says tigers in passing."}
    assert searching(site(pages | FILLER)).urls("tigers") == ["a.md", "b.md"]


def test_ranks_count_from_one_and_the_limit_holds(site, searching):
    hits = searching(site(FILLER)).hits("nothing to see", None, 5)
    assert [hit.rank for hit in hits] == [1, 2, 3, 4, 5]


@pytest.mark.parametrize(
    ("query", "found", "not_found"),
    [
        ("SP 800-63B", "It follows SP 800-63B in all.", "The 63 pages of part B cost 800 dollars."),
        ("3.14.0", "Python 3.14.0 came in October.", "Version 3.1 has 40 faults and 14 fixes."),
        ("PEP 563", "As PEP 563 has it.", "As PEP 8 has it, on page 563."),
        ("M-15-13", "The memorandum M-15-13 asks for it.", "On 13 May, M counted 15."),
        ("C++", "It was written in C++ at first.", "It was written in C at first."),
    ],
)
def test_identifiers_are_found_before_what_only_shares_their_parts(site, searching, query, found, not_found):
    pages = {"right.md": f"# One\n\n{found}", "wrong.md": f"# Two\n\n{not_found}"}
    assert searching(site(pages | FILLER)).urls(query)[0] == "right.md"


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("東京都は日本の首都であり、人口は約1400万人です。", "日本の首都の人口"),
        ("中华人民共和国的首都是北京。", "首都北京"),
        ("Das Gebäude wurde 1998 eröffnet.", "gebaude eroffnet"),
        ("Столица России — Москва.", "столица"),
    ],
)
def test_pages_of_any_script_are_found(site, searching, text, query):
    assert searching(site({"page.md": f"# X\n\n{text}"} | FILLER)).urls(query)[0] == "page.md"


@pytest.mark.parametrize(
    "query", ["\"x' OR", "a AND NOT (", "title:", "*", "'; DROP TABLE pages; --", "", "?!", "the of"]
)
def test_no_query_is_an_error(site, searching, query):
    search = searching(site(FILLER))
    search.hits(query)
    search.passages(query)
    assert search.urls("filler 3")[0] == "filler3.md"


def test_a_query_that_nothing_answers_gives_nothing(site, searching):
    search = searching(site(FILLER))
    assert search.hits("xylophone") == []
    assert search.passages("xylophone") == []


def test_passages_say_where_they_stand(site, searching, building):
    text = "# Guide\n\n## Cost\n\nThe fee is 30 dollars.\n\n## Time\n\nIt takes two weeks."
    archive = site({"a.md": text} | FILLER)
    search = searching(archive)
    best = search.passages("fee in dollars")[0]
    assert best.url == "https://site.invalid/a.md"
    assert best.text == "The fee is 30 dollars."
    assert best.headings.split(" › ")[-1] == "Cost"
    ((_, document),) = building().extractor.extract_many([archive.get(best.url)])
    assert document.text[best.start : best.end] == best.text


def test_passages_come_best_first(site, searching):
    scores = [hit.score for hit in searching(site(FILLER)).passages("nothing in part 7")]
    assert scores == sorted(scores, reverse=True)
    assert scores[0] > scores[1] > 0


def test_an_archive_in_which_the_words_are_rare_does_not_win_by_that(site, searching):
    """Merged by their own scores, the one page of `few` that has the word in passing came first."""
    many = {f"p{number}.md": f"# Kites\n\nHow kites fly, part {number}. The string is strong." for number in range(30)}
    many["p7.md"] = "# Kites\n\nWhat the string of kites costs. The string costs 30."
    few = FILLER | {"odd.md": "# Odd\n\nThere are kites. " + "Other words are here. " * 40}
    search = searching(site(many, "many"), site(few, "few"))
    assert search.urls("cost of a kite string")[0] == "p7.md"
    assert "odd.md" not in search.urls("cost of a kite string", None, 3)


def test_one_page_in_two_archives_is_one_hit(site, searching):
    page = {"a.md": "# A\n\nSome words about lions."}
    archive = site(page)
    assert searching(archive, archive).urls("lions") == ["a.md"]


def test_recency_keeps_what_is_dated_within_the_days(tmp_path, searching):
    root = tmp_path / "dated"
    root.mkdir()
    for name, stated in {"old": "2020-05-05", "new": "2026-03-01", "future": "2030-01-01", "none": ""}.items():
        meta = f'<meta property="article:published_time" content="{stated}">' if stated else ""
        shown = f"<p>Published {stated}</p>" if stated else ""
        words = "<p>" + "This page has words about lions and how they live. " * 5 + "</p>"
        head = f"<head><title>{name}</title>{meta}</head>"
        html = f"<html>{head}<body><main><h1>{name}</h1>{shown}{words}</main></body></html>"
        (root / f"{name}.html").write_text(html)
    search = searching(open_archive(root), today=lambda: date(2026, 3, 31))
    assert sorted(search.urls("lions")) == ["future.html", "new.html", "none.html", "old.html"]
    assert search.urls("lions", 60) == ["new.html"]
    assert search.urls("lions", 7) == []


def test_what_could_not_be_read_is_known(tmp_path, searching):
    root = tmp_path / "broken"
    root.mkdir()
    (root / "good.md").write_text("# Good\n\nWords.")
    (root / "bad.pdf").write_bytes(b"%PDF-1.7 and nothing more")
    (page,) = searching(open_archive(root)).search.unreadable()
    assert page.url.endswith("bad.pdf")
    assert page.kind
    assert page.detail


def test_an_index_damaged_while_in_use_is_built_anew(site, building):
    archive = site(FILLER)
    made = building()
    with EmbeddedSearch.open([archive], made.builder) as search:
        path = made.builder.path(archive)
        size = path.stat().st_size
        with path.open("r+b") as file:
            file.seek(4096)
            file.write(b"\xff" * (size - 4096))
        assert asyncio.run(search.search("filler 3"))[0].url.endswith("filler3.md")
    assert any("built anew" in message for message in made.messages)
