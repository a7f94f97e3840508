"""What was fetched, as a file that other tools and `--web` read."""

import gzip
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from warcio.archiveiterator import ArchiveIterator
from warcio.checker import Checker

from affidavit.egress.archive import open_archive
from affidavit.egress.received import Received
from affidavit.egress.warc_writer import WarcWriter
from affidavit.errors import StorageError

PAGE = Received(
    url="https://a.example/",
    status=200,
    phrase="OK",
    headers=(("content-type", "text/html"), ("content-length", "9")),
    raw=b"<p>Words.",
    retrieved_at="2026-01-02T03:04:05Z",
    address="93.184.215.14",
)


def test_there_is_no_file_until_there_is_a_page(tmp_path):
    with WarcWriter(tmp_path / "runs" / "a.warc.gz") as writer:
        assert not writer.path.exists()
        writer.write(PAGE)
    assert writer.records == 1
    assert writer.path.exists()


def test_other_tools_read_it_and_its_digests_agree(tmp_path, capsys):
    path = tmp_path / "a.warc.gz"
    with WarcWriter(path) as writer:
        writer.write(PAGE)
        writer.write(replace(PAGE, url="https://b.example/", raw=b"", address=None))
    with path.open("rb") as file:
        found = [
            (record.rec_type, record.rec_headers.get_header("WARC-Target-URI"), record.content_stream().read())
            for record in ArchiveIterator(file)
        ]
    assert found[1:] == [("response", "https://a.example/", b"<p>Words."), ("response", "https://b.example/", b"")]
    assert found[0][0] == "warcinfo"
    Checker(type("Options", (), {"inputs": [str(path)], "verbose": False})()).process_all()
    assert "failed" not in capsys.readouterr().out


def test_a_page_is_found_to_be_altered(tmp_path):
    path = tmp_path / "a.warc"
    with WarcWriter(path) as writer:
        writer.write(PAGE)
    plain = gzip.decompress(path.read_bytes())
    path.write_bytes(plain.replace(b"<p>Words.", b"<p>Other."))
    (failure,) = open_archive(path).pages()
    assert "its digest disagrees" in str(failure)


def test_a_run_that_goes_on_adds_to_its_file(tmp_path):
    path = tmp_path / "a.warc.gz"
    for url in ("https://a.example/", "https://b.example/"):
        with WarcWriter(path) as writer:
            writer.write(replace(PAGE, url=url))
    assert len(open_archive(path)) == 2


def test_a_header_with_a_line_end_makes_no_header_of_its_own(tmp_path):
    path = tmp_path / "a.warc.gz"
    with WarcWriter(path) as writer:
        writer.write(replace(PAGE, headers=(*PAGE.headers, ("x", "a\r\nset-cookie: b\r\n\r\n<p>Forged."))))
    page = open_archive(path).get(PAGE.url)
    assert page.body == PAGE.raw
    assert page.header("set-cookie") is None


def test_a_disk_that_refuses_is_an_error_of_the_operator(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageError, match="cannot be kept"):
        WarcWriter(tmp_path / "file" / "a.warc.gz").write(PAGE)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)
@given(st.binary(), st.lists(st.text(st.characters(min_codepoint=32, exclude_categories=["Cs", "Cc"]))))
def test_what_is_written_is_read_again(tmp_path, raw, values):
    path = tmp_path / "a.warc.gz"
    path.unlink(missing_ok=True)
    headers = (("content-type", "text/html"), *(("x-value", value.strip()) for value in values))
    with WarcWriter(path) as writer:
        writer.write(replace(PAGE, raw=raw, headers=headers))
    page = open_archive(path).get(PAGE.url)
    assert (page.body, page.headers) == (raw, headers)
