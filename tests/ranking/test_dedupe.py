"""One hit for each page."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affidavit.ranking.dedupe import Why, dedupe, same_title
from affidavit.ranking.hit import Hit

Make = Callable[..., Hit]


def test_one_address_in_two_spellings_is_one_page(make_hit: Make) -> None:
    first = make_hit("https://www.example.org/a/?utm_source=x", title="One")
    second = make_hit("http://example.org/a", title="Another title altogether")
    result = dedupe([first, second])
    assert result.kept == (first,)
    assert [(merged.hit, merged.into, merged.why) for merged in result.merged] == [(second, first, Why.SAME_ADDRESS)]


def test_one_headline_on_two_sites_is_one_report(make_hit: Make) -> None:
    first = make_hit("https://wire.example/1", title="Council votes to repair the old mill")
    second = make_hit("https://paper.example/2", title="Council votes to repair old mill!")
    result = dedupe([first, second])
    assert result.kept == (first,)
    assert result.merged[0].why is Why.SAME_TITLE


def test_the_site_s_own_name_in_a_title_does_not_part_two_copies(make_hit: Make) -> None:
    hits = [
        make_hit("https://dailycourier.example/1", title="Council votes to repair the mill | Daily Courier"),
        make_hit("https://metropost.example/2", title="Council votes to repair the mill - Metro Post"),
    ]
    assert len(dedupe(hits).kept) == 1


def test_titles_of_one_series_on_one_site_stay_apart_unless_the_snippets_agree(make_hit: Make) -> None:
    title = "The annual award recognises commitment to serving the public"
    one = make_hit("https://example.org/one", title, "This spring the award went to Ada Smith for the harbour survey")
    two = make_hit("https://example.org/two", title, "The judges chose Ben Jones, who led the work on the north pier")
    again = make_hit(
        "https://example.org/print", title, "This spring the award went to Ada Smith for the harbour survey."
    )
    assert dedupe([one, two, again]).kept == (one, two)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("PEP 8100 – January 2019 steering council election", "PEP 8101 – January 2019 steering council election"),
        ("Digital Identity Guidelines, Section 4", "Digital Identity Guidelines, Section 5"),
        ("State of the harbour: the 2019 report", "State of the harbour: the 2020 report"),
        ("NIST SP 800-63A - cover of the guidelines", "NIST SP 800-63B - cover of the guidelines"),
        ("How we are managing technical debt in government", "How we are preventing technical debt in government"),
        ("The council approved the plan for the new harbour", "The council disapproved the plan for the new harbour"),
        ("The bridge is safe for heavy lorries", "The bridge is not safe for heavy lorries"),
        ("Home", "Home page"),
    ],
)
def test_titles_that_differ_in_a_number_or_a_word_are_two(one: str, other: str) -> None:
    assert not same_title(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Agents fail on long tasks", "Agents fail on long tasks!"),
        ("AGENTS FAIL ON LONG TASKS", "Agents fail on the long tasks"),
        ("E-mail rules for public servants", "Email rules for public servants"),
        ("The colour of public money", "The color of public money"),
    ],
)
def test_another_spelling_is_the_same_title(one: str, other: str) -> None:
    assert same_title(one, other)


def test_a_short_title_says_nothing_about_which_page_it_stands_over(make_hit: Make) -> None:
    hits = [make_hit("https://a.example/", title="Home"), make_hit("https://b.example/", title="Home")]
    assert len(dedupe(hits).kept) == 2


def test_titles_that_are_empty_do_not_merge_pages(make_hit: Make) -> None:
    hits = [make_hit(f"https://{name}.example/", title="") for name in "abc"]
    assert len(dedupe(hits).kept) == 3


TITLES = ["Council votes to repair mill", "Council votes to repair the mill", "Mill repaired after 5 years", "", "Home"]
HITS = st.lists(
    st.tuples(st.sampled_from("abc"), st.sampled_from(["x", "y", "y/", "z?utm_id=1"]), st.sampled_from(TITLES)),
    max_size=12,
)


@given(parts=HITS)
def test_what_is_kept_is_a_subsequence_and_the_rest_is_accounted_for(
    parts: list[tuple[str, str, str]], make_hit: Make
) -> None:
    hits = [make_hit(f"https://{host}.example/{path}", title) for host, path, title in parts]
    result = dedupe(hits)
    remaining = iter(hits)
    assert all(any(hit is kept for hit in remaining) for kept in result.kept)
    assert len(result.kept) + len(result.merged) == len(hits)
    assert all(merged.into in result.kept for merged in result.merged)
    assert dedupe(result.kept).kept == result.kept
