"""The public archives in ../shared: read whole, and as strictly as they deserve."""

import json

import pytest
from warcio.archiveiterator import ArchiveIterator

from affidavit.egress.archive import open_archive
from affidavit.errors import ArchiveError, FailureKind, PageFailure

SITES = ("18f.gsa.gov", "pages.nist.gov", "peps.python.org")


@pytest.fixture(scope="module", params=SITES)
def path(shared, request):
    return shared / "data" / "web" / f"{request.param}.warc.gz"


def test_every_response_is_read_as_warcio_reads_it(path):
    archive = open_archive(path)
    count = 0
    with path.open("rb") as file:
        for record in ArchiveIterator(file):
            if record.rec_type == "response":
                url = record.rec_headers.get_header("WARC-Target-URI")
                assert archive.get(url).body == record.content_stream().read()
                count += 1
    pages = set(archive.urls())
    assert len(pages) == len(archive) == len(list(archive.pages()))
    left_out = sum(int(one.name.split()[0]) for one in archive.skipped)
    assert len(pages) + left_out == count


def test_only_the_files_for_crawlers_are_left_out(shared):
    for site, left_out in zip(SITES, (2, 0, 0), strict=True):
        archive = open_archive(shared / "data" / "web" / f"{site}.warc.gz")
        assert sum(int(one.name.split()[0]) for one in archive.skipped) == left_out


def test_a_page_reads_the_same_by_any_spelling(path):
    archive = open_archive(path)
    for url in archive.urls()[:20]:
        other = url.replace("https://", "http://www.").rstrip("/") + "/?utm_source=x#part"
        assert archive.get(other).body == archive.get(url).body


@pytest.mark.parametrize("share", [0.001, 0.3, 0.7, 0.9999])
def test_cut_anywhere_it_is_refused(path, tmp_path, share):
    data = path.read_bytes()
    cut = tmp_path / "cut.warc.gz"
    cut.write_bytes(data[: int(len(data) * share)])
    with pytest.raises(ArchiveError, match=r"cut off|damaged|not an archive"):
        open_archive(cut)


def test_golden_pages_are_there(shared):
    archives = [open_archive(shared / "data" / "web" / f"{site}.warc.gz") for site in SITES]
    lines = (shared / "data" / "golden" / "dev" / "questions.jsonl").read_text().splitlines()
    for url in {fact["url"] for line in lines for fact in json.loads(line)["facts"]}:
        assert sum(bool(archive.captures(url)) for archive in archives) == 1


def test_a_page_that_was_not_crawled_is_not_found(path):
    with pytest.raises(PageFailure) as caught:
        open_archive(path).get("https://18f.gsa.gov/no-such-page/")
    assert caught.value.kind is FailureKind.NOT_FOUND
