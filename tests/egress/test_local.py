from pathlib import Path

import pytest

from affidavit.egress.archive import open_archive
from affidavit.egress.local import given_pages
from affidavit.errors import FailureKind, PageFailure, UserError
from affidavit.evidence.document import Fetched


def test_a_file_is_read_under_its_own_path(tmp_path: Path):
    file = tmp_path / "notes.md"
    file.write_text("# Notes\n")
    (given,) = given_pages([str(file)], [])
    assert isinstance(given.page, Fetched)
    assert (given.path, given.page.body) == (str(file), b"# Notes\n")
    assert given.page.final_url.startswith("https://source.invalid/")


def test_a_folder_gives_each_page_with_its_path(tmp_path: Path):
    (tmp_path / "a b.md").write_text("# A\n")
    (tmp_path / "c.txt").write_text("C\n")
    assert [given.path for given in given_pages([str(tmp_path)], [])] == [
        str(tmp_path / "a b.md"),
        str(tmp_path / "c.txt"),
    ]


def test_an_address_is_read_from_the_archives_and_is_the_only_page_of_them(tmp_path: Path):
    (tmp_path / "a.md").write_text("# A\n")
    (tmp_path / "b.md").write_text("# B\n")
    archive = open_archive(tmp_path)
    url = archive.urls()[0]
    (given,) = given_pages([url], [archive])
    assert isinstance(given.page, Fetched)
    assert given.path is None
    assert len(list(given_pages([], [archive]))) == 2


def test_an_address_that_no_archive_holds_is_a_failure_and_without_archives_an_error(tmp_path: Path):
    (tmp_path / "a.md").write_text("# A\n")
    (given,) = given_pages(["https://a.example/none"], [open_archive(tmp_path)])
    assert isinstance(given.page, PageFailure)
    assert given.page.kind is FailureKind.NOT_FOUND
    with pytest.raises(UserError, match="--web FILE"):
        list(given_pages(["https://a.example/none"], []))


def test_a_missing_path_is_the_users_to_mend(tmp_path: Path):
    with pytest.raises(UserError, match=r"none\.md"):
        list(given_pages([str(tmp_path / "none.md")], []))


def test_a_folder_without_pages_is_named_and_the_rest_is_read(tmp_path: Path):
    (tmp_path / "empty").mkdir()
    (tmp_path / "a.md").write_text("# A\n")
    empty, file = given_pages([str(tmp_path / "empty"), str(tmp_path / "a.md")], [])
    assert isinstance(empty.page, PageFailure)
    assert isinstance(file.page, Fetched)
