import gzip
import hashlib
import io
import zlib
from dataclasses import replace

import pytest

from affidavit.errors import BundleMismatch, IntegrityError
from affidavit.report.bundle_pages import read_pages, write_pages


def ordered(case):
    return sorted(case.answer.documents, key=lambda document: document.doc_id)


def test_the_pages_come_back_as_they_were_fetched(case) -> None:
    documents = ordered(case)
    assert read_pages(write_pages(documents, case.pages), documents) == case.pages


def test_the_archive_of_no_pages_is_read_back_too() -> None:
    assert read_pages(write_pages([], {}), []) == {}


def test_any_warc_reader_replays_the_pages(case) -> None:
    from warcio.archiveiterator import ArchiveIterator

    documents = ordered(case)
    seen = []
    for record in ArchiveIterator(io.BytesIO(write_pages(documents, case.pages)), check_digests="raise"):
        if record.rec_type != "response":
            assert record.rec_type == "warcinfo"
            continue
        body = record.content_stream().read()
        seen.append((record.rec_headers.get_header("WARC-Target-URI"), body))
        assert record.rec_headers.get_header("WARC-Date") == "2026-03-04T05:06:07Z"
        assert record.http_headers.get_statuscode() == "200"
        assert record.http_headers.get_header("x-archive-orig-content-encoding") == "gzip"
        assert record.http_headers.get_header("content-length") == str(len(body))
    assert seen == [(document.final_url, case.pages[document.doc_id].body) for document in documents]


def test_this_products_own_archive_serves_the_pages(case, tmp_path) -> None:
    from affidavit.egress.archive import open_archive

    path = tmp_path / "pages.warc.gz"
    path.write_bytes(write_pages(ordered(case), case.pages))
    archive = open_archive(path)
    for page in case.pages.values():
        assert archive.get(page.final_url).body == page.body


def test_no_byte_of_the_unpacked_archive_can_be_changed(case) -> None:
    documents = ordered(case)
    raw = write_pages(documents, case.pages)
    for number, record in enumerate(members(raw)):
        for at in range(0, len(record), 3):
            altered = bytearray(record)
            altered[at] ^= 2
            changed = [*members(raw)]
            changed[number] = bytes(altered)
            with pytest.raises(BundleMismatch, match=r"pages\.warc\.gz: .*record"):
                read_pages(b"".join(gzip.compress(one, mtime=0) for one in changed), documents)


def test_no_byte_of_the_gzip_around_a_record_can_be_changed(case) -> None:
    """Header, block header, checksum and length: a reader of gzip skips some of them, and so they must be compared."""
    documents = ordered(case)
    raw = write_pages(documents, case.pages)
    start = 0
    for record in members(raw):
        end = start + 10 + 5 + len(record) + 8
        for at in (*range(start, start + 15), *range(end - 8, end)):
            for change in (1, 2, 4, 8, 16, 32, 64, 128, 255):
                altered = bytearray(raw)
                altered[at] ^= change
                with pytest.raises(BundleMismatch, match=r"pages\.warc\.gz: "):
                    read_pages(bytes(altered), documents)
        start = end
    assert start == len(raw)


def test_the_same_records_in_another_gzip_are_refused(case) -> None:
    documents = ordered(case)
    raw = write_pages(documents, case.pages)
    records = members(raw)
    spellings = [gzip.compress(b"".join(records), mtime=0)]
    spellings += [b"".join(gzip.compress(one, level, mtime=0) for one in records) for level in (0, 1, 9)]
    spellings += [raw + tail for tail in (b"\0", b"\0" * 512, gzip.compress(b"", mtime=0))]
    for spelt in spellings:
        with pytest.raises(BundleMismatch, match=r"pages\.warc\.gz: "):
            read_pages(spelt, documents)


def test_a_page_of_more_than_one_stored_block_is_read_back(case) -> None:
    first = case.answer.documents[0]
    for size in (65_000, 65_535, 65_536, 200_000):
        body = b"a" * size
        document = replace(first, sha256=hashlib.sha256(body).hexdigest())
        page = replace(case.pages[first.doc_id], body=body)
        raw = write_pages([document], {document.doc_id: page})
        assert read_pages(raw, [document])[document.doc_id].body == body
        assert gzip.decompress(raw).endswith(body + b"\r\n\r\n")


def members(raw: bytes) -> list[bytes]:
    found = []
    while raw:
        unpacker = zlib.decompressobj(31)
        found.append(unpacker.decompress(raw))
        raw = unpacker.unused_data
    return found


def test_a_record_more_a_record_less_and_another_order_are_refused(case) -> None:
    documents = ordered(case)
    records = members(write_pages(documents, case.pages))
    for changed in (records[:-1], [*records, records[-1]], [records[0], records[2], records[1]], []):
        with pytest.raises(BundleMismatch, match=r"pages\.warc\.gz"):
            read_pages(b"".join(gzip.compress(one) for one in changed), documents)


@pytest.mark.parametrize("junk", [b"x", b"\x1f\x8b", b"PK\x03\x04" * 20])
def test_what_is_no_gzip_or_is_cut_off_is_refused(case, junk: bytes) -> None:
    documents = ordered(case)
    raw = write_pages(documents, case.pages)
    for changed in (junk, raw + junk, raw[:-1], raw[: len(raw) // 2]):
        with pytest.raises(BundleMismatch, match=r"pages\.warc\.gz"):
            read_pages(changed, documents)


def test_a_page_that_is_missing_or_another_is_not_written(case) -> None:
    documents = ordered(case)
    with pytest.raises(IntegrityError, match="its page is not among the pages given"):
        write_pages(documents, {})
    first, second = (document.doc_id for document in documents)
    with pytest.raises(IntegrityError, match="not the one it was read from"):
        write_pages(documents, {first: case.pages[second], second: case.pages[second]})
