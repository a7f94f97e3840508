"""A folder as a site: addresses, links, and what cannot be reached."""

import os
from pathlib import Path
from urllib.parse import urljoin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affidavit.egress.archive import open_archive
from affidavit.errors import ArchiveError, FailureKind, PageFailure

H = "https://handbook.invalid/"


@pytest.fixture
def folder(tmp_path):
    root = tmp_path / "Handbook"
    files = {
        "index.html": "home",
        "about.md": "about",
        "guides/a b.html": "spaces",
        "guides/ü#?%.txt": "signs",
        "guides/README.md": "guides",
        "notes/plain.TXT": "plain",
        ".hidden.html": "hidden",
        ".git/page.html": "hidden",
        "style.css": "style",
    }
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (tmp_path / "secret.txt").write_text("secret")
    return root


def test_every_page_has_an_address_that_names_no_path(folder):
    archive = open_archive(folder)
    assert archive.urls() == (
        H + "about.md",
        H + "index.html",
        H + "guides/README.md",
        H + "guides/a%20b.html",
        H + "guides/%C3%BC%23%3F%25.txt",
        H + "notes/plain.TXT",
    )
    assert str(folder.parent) not in "".join(archive.urls())


def test_a_page_comes_with_its_bytes_type_and_time(folder):
    os.utime(folder / "about.md", (1_700_000_000, 1_700_000_000))
    page = open_archive(folder).get(H + "about.md")
    assert (page.body, page.status, page.header("content-type")) == (b"about", 200, "text/markdown")
    assert page.retrieved_at == "2023-11-14T22:13:20Z"
    assert open_archive(folder).captures(H + "about.md") == ("2023-11-14T22:13:20Z",)


@pytest.mark.parametrize(
    ("base", "link", "text"),
    [
        ("", "", b"home"),
        ("", "about", b"about"),
        ("", "about.md#part", b"about"),
        ("index.html", "guides/", b"guides"),
        ("index.html", "guides", b"guides"),
        ("guides/README.md", "a b.html", b"spaces"),
        ("guides/a%20b.html", "../about.md", b"about"),
        ("guides/a%20b.html", "/index.html", b"home"),
        ("guides/a%20b.html", "%c3%bc%23%3f%25.txt", b"signs"),
    ],
)
def test_links_among_the_pages_resolve(folder, base, link, text):
    assert open_archive(folder).get(urljoin(H + base, link)).body == text


@pytest.mark.parametrize(
    "url",
    [
        H + "../secret.txt",
        H + "..%2fsecret.txt",
        H + "%2e%2e/secret.txt",
        H + ".hidden.html",
        H + ".git/page.html",
        H + "style.css",
        H + "/etc/passwd",
        "file:///etc/passwd",
        "https://other.invalid/about.md",
        "about.md",
    ],
)
def test_nothing_else_can_be_reached(folder, url):
    with pytest.raises(PageFailure) as caught:
        open_archive(folder).get(url)
    assert caught.value.kind is FailureKind.NOT_FOUND


@given(path=st.text(alphabet="./\\%2eEfF~secretxtinvaldhbok:#?@", max_size=40))
def test_no_address_however_made_reaches_a_file_outside(tmp_path_factory, path):
    root = tmp_path_factory.getbasetemp() / "fuzz" / "Handbook"
    root.mkdir(parents=True, exist_ok=True)
    (root / "page.txt").write_text("inside")
    (root.parent / "secret.txt").write_text("secret")
    try:
        body = open_archive(root).get(H + path).body
    except PageFailure:
        return
    assert body == b"inside"


def test_a_link_out_of_the_folder_is_refused_and_named(folder):
    (folder / "out.txt").symlink_to(folder.parent / "secret.txt")
    (folder / "gone.txt").symlink_to(folder / "nowhere.txt")
    (folder / "loop").symlink_to(folder)
    archive = open_archive(folder)
    assert H + "out.txt" not in archive.urls()
    assert {one.name for one in archive.skipped} == {"out.txt", "gone.txt", "loop"}


def test_a_link_inside_the_folder_is_a_page(folder):
    (folder / "same.md").symlink_to("about.md")
    assert open_archive(folder).get(H + "same.md").body == b"about"


def test_a_file_swapped_for_a_link_afterwards_is_not_followed(folder):
    archive = open_archive(folder)
    (folder / "about.md").unlink()
    (folder / "about.md").symlink_to(folder.parent / "secret.txt")
    with pytest.raises(PageFailure) as caught:
        archive.get(H + "about.md")
    assert caught.value.kind is FailureKind.BROKEN


def test_a_file_changed_or_gone_afterwards_is_broken(folder):
    archive = open_archive(folder)
    (folder / "about.md").write_text("other")
    (folder / "index.html").unlink()
    assert [type(page) for page in archive.pages()][:2] == [PageFailure, PageFailure]


def test_the_digest_follows_the_content_and_nothing_else(folder):
    before = open_archive(folder).digest
    os.utime(folder / "about.md", (1, 1))
    (folder / "style.css").write_text("other style")
    assert open_archive(folder).digest == before
    (folder / "about.md").write_text("About")
    changed = open_archive(folder).digest
    assert changed != before
    (folder / "about.md").rename(folder / "about2.md")
    assert open_archive(folder).digest not in (before, changed)


@pytest.mark.parametrize(
    ("name", "host"),
    [("My Notes (2024)", "my-notes-2024"), ("Übersicht", "ubersicht"), ("a" * 90, "a" * 40), ("...", "folder-")],
)
def test_the_host_is_a_valid_name_that_tells_the_folder(tmp_path, name, host):
    if name == "...":
        name = "資料"
    root = tmp_path / name
    root.mkdir()
    (root / "a.txt").write_text("x")
    assert open_archive(root).urls()[0].startswith(f"https://{host}")


def test_a_folder_given_by_dots_is_named_by_where_it_is(folder, monkeypatch):
    monkeypatch.chdir(folder / "guides")
    assert open_archive(Path("..")).urls()[0].startswith(H)


def refusal(path):
    with pytest.raises(ArchiveError) as caught:
        open_archive(path)
    return str(caught.value)


def test_a_folder_without_pages_says_what_pages_are(tmp_path):
    assert ".html" in refusal(tmp_path)


def test_a_folder_of_archives_says_to_name_them(tmp_path):
    (tmp_path / "crawl.warc.gz").write_bytes(b"x")
    assert "crawl.warc.gz" in refusal(tmp_path)


def test_a_folder_whose_only_page_is_out_of_reach_says_so(tmp_path):
    (tmp_path / "a.txt").symlink_to("/etc/hostname")
    assert "leads out of the folder" in refusal(tmp_path)
