from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affidavit.ranking.canonical import canonical_url
from affidavit.ranking.hit import Hit
from affidavit.search.merge import merge


def hit(provider: str, rank: int, url: str, **more: str | None) -> Hit:
    values = {"title": f"{provider} {rank}", "snippet": "s", "published": None, **more}
    return Hit(url=url, provider=provider, rank=rank, **values)  # pyright: ignore[reportArgumentType]


A, B, C = "https://a.example/x", "https://b.example/x", "https://c.example/x"


def test_a_page_that_two_found_stands_before_one_that_one_found():
    lists = {"one": [hit("one", 1, A), hit("one", 2, B)], "two": [hit("two", 1, B), hit("two", 2, C)]}
    assert [one.url for one in merge(lists, 10)] == [B, A, C]
    assert [one.rank for one in merge(lists, 10)] == [1, 2, 3]


def test_spellings_of_one_address_are_one_page_with_all_names():
    lists = {
        "one": [hit("one", 2, "http://www.a.example/x?utm_source=q", snippet="", published=None)],
        "two": [hit("two", 1, A, snippet="", published=None)],
        "three": [hit("three", 3, A + "/", snippet="words", published="2024-01-01")],
    }
    (page,) = merge(lists, 10)
    assert (page.url, page.title, page.provider) == (A, "two 1", "two, one, three")
    assert (page.snippet, page.published) == ("words", "2024-01-01")


def test_the_scores_are_those_of_the_paper():
    # 1/61 < 1/70 + 1/70; 2/(60+9) > 1/61
    lists = {"one": [hit("one", 1, A), *(hit("one", n, f"{C}/{n}") for n in range(2, 9)), hit("one", 9, B)]}
    lists["two"] = [*(hit("two", n, f"{C}/two/{n}") for n in range(1, 9)), hit("two", 9, B)]
    assert merge(lists, 1)[0].url == B


def test_a_twin_in_one_list_counts_once():
    lists = {"one": [hit("one", 1, A), hit("one", 2, A + "/"), hit("one", 3, B)], "two": [hit("two", 1, B)]}
    assert [one.url for one in merge(lists, 10)] == [B, A]
    assert merge({"one": lists["one"]}, 10)[0].provider == "one"


def test_the_order_of_the_lists_changes_nothing():
    lists = {name: [hit(name, 1, A if name == "x" else B), hit(name, 2, C)] for name in ("x", "y", "z")}
    merged = [merge({name: lists[name] for name in order}, 10) for order in permutations(lists)]
    assert all(one == merged[0] for one in merged)


urls = st.sampled_from([f"https://{host}.example/{page}" for host in "abc" for page in range(4)])


@given(st.dictionaries(st.sampled_from(["w", "x", "y", "z"]), st.lists(urls, max_size=8)), st.integers(1, 12))
def test_every_page_comes_once_and_none_is_made_up(found: dict[str, list[str]], limit: int):
    lists = {name: [hit(name, rank, url) for rank, url in enumerate(them, 1)] for name, them in found.items()}
    merged = merge(lists, limit)
    pages = {canonical_url(url) for them in found.values() for url in them}
    assert len(merged) == min(limit, len(pages))
    assert len({canonical_url(one.url) for one in merged}) == len(merged)
    for one in merged:
        names = {name for name, them in found.items() if one.url in them}
        assert set(one.provider.split(", ")) == names


def test_nothing_merges_to_nothing():
    assert merge({}, 10) == []
    assert merge({"one": []}, 10) == []


@pytest.mark.parametrize("limit", [1, 2])
def test_the_limit_keeps_the_best(limit: int):
    assert len(merge({"one": [hit("one", 1, A), hit("one", 2, B), hit("one", 3, C)]}, limit)) == limit
