"""What is told apart by content, and the one clear line for what is no archive."""

import gzip
import os
import zipfile

import pytest

from affidavit.egress.archive import open_archive
from affidavit.errors import ArchiveError


def refused(path):
    with pytest.raises(ArchiveError) as caught:
        open_archive(path)
    text = str(caught.value)
    assert text.startswith(str(path))
    assert "\n" not in text
    return text


def test_a_missing_path(tmp_path):
    assert "no such file" in refused(tmp_path / "none.warc.gz")


def test_an_empty_file(tmp_path):
    path = tmp_path / "a.warc.gz"
    path.touch()
    assert "empty" in refused(path)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"just words", "not an archive that is known"),
        (gzip.compress(b"just words", mtime=0), "not an archive that is known"),
        (b"%PDF-1.7 ...", "a PDF"),
        (b"\xef\xbb\xbf<!DOCTYPE html><p>hello", "an HTML page"),
        (gzip.compress(b"filedesc://a.arc 0.0.0.0 20200101 text/plain 1", mtime=0), "an ARC file"),
        (b"SQLite format 3\0", "a database"),
        (b"\x1f\x8b", "not an archive that is known"),
        (b"\x1f\x8b\x08\x00garbage-garbage-garbage", "damaged"),
        (b"WARC/1.1", "cut off"),
        (b"WARC/1.1\r\nContent-Length: 99999999999999999999\r\n\r\nx", "no length"),
        (b"WARC/1.1\r\nWARC-Type: response\r\n\r\n", "no length"),
        (bytes(range(128, 160)), "not an archive that is known"),
    ],
)
def test_other_content_is_named(tmp_path, content, said):
    path = tmp_path / "a.warc.gz"
    path.write_bytes(content)
    assert said in refused(path)


def test_a_word_document_and_another_zip(tmp_path):
    for member, said in (("word/document.xml", "a Word document"), ("readme.txt", "a zip without")):
        path = tmp_path / "a.zip"
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr(member, "x")
        assert said in refused(path)


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root reads everything")
def test_a_file_without_permission(tmp_path):
    path = tmp_path / "a.warc.gz"
    path.write_bytes(b"x")
    path.chmod(0)
    assert "no permission" in refused(path)


@pytest.mark.skipif(os.name != "posix", reason="named pipes are POSIX")
def test_a_pipe_is_refused_and_not_waited_for(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    assert "a pipe or a device" in refused(path)
