"""Pages kept on the disk: whole, bounded, and never wrong."""

import os
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from affidavit.egress.cache import PageCache
from affidavit.egress.received import Received

PAGE = Received(
    url="https://a.example/",
    status=200,
    phrase="OK",
    headers=(("content-type", "text/html"), ("x", "Zoë")),
    raw=b"\x00raw\n\nbody",
    retrieved_at="2026-01-02T03:04:05Z",
    address="93.184.215.14",
)


def files(folder):
    return sorted(path for path in folder.rglob("*") if path.is_file())


def test_what_was_put_comes_back_with_the_address_of_that_time_beside_it(tmp_path):
    PageCache(tmp_path).put(PAGE, 60, now=1000)
    kept = PageCache(tmp_path).get(PAGE.url)
    assert kept is not None
    assert (kept.received, kept.fresh_until, kept.address) == (replace(PAGE, address=None), 1060, PAGE.address)
    assert PageCache(tmp_path).get("https://a.example/other") is None


def test_what_came_under_other_permissions_is_not_there(tmp_path):
    cache = PageCache(tmp_path)
    cache.put(PAGE, 60, 1000, "one")
    assert cache.get(PAGE.url, "one") is not None
    assert cache.get(PAGE.url) is None
    assert cache.get(PAGE.url, "other") is None
    cache._path(PAGE.url, "other").parent.mkdir(exist_ok=True)
    cache._path(PAGE.url, "other").write_bytes(cache._path(PAGE.url, "one").read_bytes())
    assert cache.get(PAGE.url, "other") is None


def test_a_run_may_ask_for_fresher_than_the_site_says(tmp_path):
    cache = PageCache(tmp_path)
    cache.put(PAGE, 3600, now=1000)
    kept = cache.get(PAGE.url)
    assert [kept.fresh(now) for now in (1000, 4599, 4600)] == [True, True, False]
    assert [kept.fresh(now, 60) for now in (1000, 1059, 1060)] == [True, True, False]
    assert [kept.fresh(now, 9999) for now in (4599, 4600)] == [True, False]
    assert not kept.fresh(1000, 0)
    assert not kept.fresh(900, 60), "the clock was put back: nobody knows how old it is"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_attack_60_a_damaged_file_is_as_if_it_were_not_there(tmp_path, data):
    cache = PageCache(tmp_path)
    cache.put(PAGE, 60, now=1000)
    (path,) = files(tmp_path)
    whole = path.read_bytes()
    at = data.draw(st.integers(0, len(whole) - 1))
    cut = data.draw(st.booleans())
    path.write_bytes(whole[:at] if cut else whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
    assert cache.get(PAGE.url) is None
    assert files(tmp_path) == []


def test_a_file_under_another_pages_name_is_not_that_page(tmp_path):
    cache = PageCache(tmp_path)
    cache.put(PAGE, 60, now=1000)
    (path,) = files(tmp_path)
    other = replace(PAGE, url="https://b.example/")
    cache.put(other, 60, now=1000)
    (theirs,) = (file for file in files(tmp_path) if file != path)
    theirs.write_bytes(path.read_bytes())
    assert cache.get(other.url) is None


def test_the_folder_is_bounded_and_what_was_used_longest_ago_goes_first(tmp_path):
    cache = PageCache(tmp_path, max_bytes=20_000)
    for number in range(30):
        page = replace(PAGE, url=f"https://a.example/{number}", raw=bytes(1000))
        cache.put(page, 60, now=1000)
        os.utime(cache._path(page.url), (number, number))
        if number == 20:
            assert cache.get("https://a.example/12") is not None  # used again, so it is new
    assert sum(path.stat().st_size for path in files(tmp_path)) <= 20_000
    assert cache.get("https://a.example/0") is None
    assert cache.get("https://a.example/12") is not None
    assert cache.get("https://a.example/29") is not None


def test_a_page_that_would_crowd_out_the_others_is_not_kept(tmp_path):
    cache = PageCache(tmp_path, max_bytes=1000)
    cache.put(replace(PAGE, raw=bytes(500)), 60, now=1000)
    assert files(tmp_path) == []


def test_a_cache_that_cannot_be_written_is_told_once_and_stops_nothing(tmp_path):
    (tmp_path / "file").write_text("")
    told = []
    cache = PageCache(tmp_path / "file" / "pages", on_trouble=told.append)
    cache.put(PAGE, 60, now=1000)
    cache.put(PAGE, 60, now=1000)
    assert cache.get(PAGE.url) is None
    assert len(told) == 1
    assert "pages are fetched anew" in told[0]


def test_an_interrupted_write_leaves_no_page(tmp_path, monkeypatch):
    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pathlib.Path.replace", fail)
    cache = PageCache(tmp_path)
    cache.put(PAGE, 60, now=1000)
    monkeypatch.undo()
    assert files(tmp_path) == []
    assert cache.get(PAGE.url) is None


@pytest.mark.parametrize("url", ["https://a.example/../../etc/passwd", "https://a.example/" + "x" * 5000, "x/\x00"])
def test_attack_58_no_address_chooses_a_path(tmp_path, url):
    cache = PageCache(tmp_path / "pages")
    cache.put(replace(PAGE, url=url), 60, now=1000)
    assert cache.get(url).received.url == url
    (path,) = files(tmp_path)
    assert path.parent.parent == tmp_path / "pages"
