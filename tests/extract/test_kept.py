"""What a page became is kept whole or not at all, and never given out for another page."""

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from affidavit.errors import FailureKind, PageFailure
from affidavit.evidence.document import Document, Fetched
from affidavit.extract import EXTRACTORS, extract
from affidavit.extract.kept import UNUSED_DAYS, KeptPages

PAGE = (
    "<html lang=en><title>The mill</title><main><h1>The mill</h1><p>It is <a href=/old>old</a>. \ufb01ne</p>"
    "<table><tr><th>Year</th><th>Tonnes</th></tr><tr><td>1902</td><td>40</td></tr></table></main>"
)


@pytest.fixture
def page(respond: Callable[..., Fetched]) -> Fetched:
    return respond(PAGE)


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def kept(tmp_path: Path, said: list[str]) -> KeptPages:
    return KeptPages(tmp_path / "pages", EXTRACTORS, said.append)


def test_a_document_comes_back_equal_in_every_field(kept: KeptPages, page: Fetched):
    document = extract(page)
    assert document.links
    assert any(block.heads for block in document.blocks)
    kept.put(page, document)
    assert kept.get(page) == document


def test_a_page_that_is_no_evidence_comes_back_as_its_failure(kept: KeptPages, page: Fetched):
    kept.put(page, PageFailure(FailureKind.NO_TEXT, page.final_url, "nothing can be seen"))
    found = kept.get(page)
    assert isinstance(found, PageFailure)
    assert (found.kind, found.detail) == (FailureKind.NO_TEXT, "nothing can be seen")


def test_what_ended_a_page_by_chance_is_not_kept(kept: KeptPages, page: Fetched):
    for kind in (FailureKind.TIMEOUT, FailureKind.CRASHED, FailureKind.TOO_LARGE):
        kept.put(page, PageFailure(kind, page.final_url, "the machine was busy"))
    assert kept.get(page) is None


def test_another_address_time_header_or_body_is_another_page(kept: KeptPages, respond: Callable[..., Fetched]):
    page = respond(PAGE)
    kept.put(page, extract(page))
    for other in (
        respond(PAGE, url="https://other.example/"),
        respond(PAGE, headers=(("content-language", "de"),)),
        respond(PAGE, status=203),
        respond(PAGE + " "),
    ):
        assert kept.get(other) is None


def test_another_version_of_an_extractor_reads_nothing_of_this_one(tmp_path: Path, page: Fetched):
    KeptPages(tmp_path, "html/1", print).put(page, extract(page))
    assert KeptPages(tmp_path, "html/2", print).get(page) is None


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)
@given(st.data())
def test_a_file_damaged_anywhere_is_not_read(kept: KeptPages, page: Fetched, data: st.DataObject):
    document = extract(page)
    kept.put(page, document)
    path = kept.path(page)
    raw = bytearray(path.read_bytes())
    at = data.draw(st.integers(0, len(raw) - 1))
    if data.draw(st.booleans()):
        raw[at] ^= data.draw(st.integers(1, 255))
    else:
        del raw[at:]
    path.write_bytes(raw)
    assert kept.get(page) is None
    kept.put(page, document)
    assert kept.get(page) == document


def test_a_whole_file_under_another_pages_name_is_not_read(kept: KeptPages, respond: Callable[..., Fetched]):
    one, other = respond(PAGE), respond("<p>The mill burnt down in 1987.</p>")
    kept.put(one, extract(one))
    kept.path(other).parent.mkdir(parents=True, exist_ok=True)
    kept.path(other).write_bytes(kept.path(one).read_bytes())
    assert kept.get(other) is None


def test_a_folder_that_cannot_be_written_is_said_once_and_is_no_error(tmp_path: Path, page: Fetched, said: list[str]):
    (tmp_path / "pages").write_text("a file in its place")
    kept = KeptPages(tmp_path / "pages", EXTRACTORS, said.append)
    for _ in range(2):
        kept.put(page, extract(page))
    assert kept.get(page) is None
    assert len(said) == 1
    assert str(tmp_path / "pages") in said[0]


def test_what_no_check_has_read_for_long_is_removed(tmp_path: Path, page: Fetched, respond: Callable[..., Fetched]):
    old, new = KeptPages(tmp_path, "html/1", print), KeptPages(tmp_path, "html/2", print)
    other = respond("<p>The mill burnt down in 1987.</p>")
    for kept in (old, new):
        kept.put(page, extract(page))
    new.put(other, extract(other))
    long_ago = time.time() - (UNUSED_DAYS + 1) * 86_400
    os.utime(old.path(page), (long_ago, long_ago))
    os.utime(new.path(other), (long_ago, long_ago))
    assert isinstance(new.get(other), Document)  # being read makes it young again
    assert new.prune() == 1
    assert old.get(page) is None
    assert isinstance(new.get(other), Document)
