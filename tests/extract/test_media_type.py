"""A body is what its bytes are."""

import contextlib
import gzip
import zipfile
from collections.abc import Callable
from io import BytesIO

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from affidavit.errors import FailureKind, PageFailure
from affidavit.evidence.document import Fetched
from affidavit.extract.media_type import MAX_BYTES, MediaType, sniff, unpack

Respond = Callable[..., Fetched]
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
XHTML = b'<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><p/></html>'
PDF = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n"


def zipped(*names: str) -> bytes:
    out = BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name in names:
            archive.writestr(name, "x")
    return out.getvalue()


def kind_of(fetched: Fetched) -> MediaType:
    return sniff(fetched, unpack(fetched))


RECOGNISED = [
    (b"<!DOCTYPE html><p>x", "text/html", MediaType.HTML),
    (b"\xef\xbb\xbf\n <!-- c --><html><p>x", "text/plain", MediaType.HTML),
    (b"<p>x</p>", "text/html", MediaType.HTML),
    (b"<p>x</p>", None, MediaType.HTML),
    (b"just words", "text/html", MediaType.HTML),
    (XHTML, "application/xhtml+xml", MediaType.HTML),
    ("<!DOCTYPE html><p>x".encode("utf-16-le"), "text/html; charset=utf-16le", MediaType.HTML),
    ("\ufeff<html>x".encode("utf-16-be"), "text/html", MediaType.HTML),
    (PDF, "text/html", MediaType.PDF),
    (b"junk\n" * 20 + PDF, "application/pdf", MediaType.PDF),
    (b"just words", "text/plain", MediaType.PLAIN),
    (b"just words", None, MediaType.PLAIN),
    (b"<p>as typed", "text/plain", MediaType.PLAIN),
    (b"# Title\n\nwords", "text/markdown; charset=utf-8", MediaType.MARKDOWN),
    (b"<p align=center>logo</p>\n# Title", "text/markdown", MediaType.MARKDOWN),
    (b"[link]: x", "text/plain", MediaType.PLAIN),
    (zipped("[Content_Types].xml", "word/document.xml"), "application/octet-stream", MediaType.DOCX),
]  # fmt: skip


@pytest.mark.parametrize(("body", "label", "kind"), RECOGNISED)
def test_a_readable_body_is_known_by_its_bytes(respond: Respond, body: bytes, label: str, kind: MediaType) -> None:
    assert kind_of(respond(body, content_type=label)) is kind


def test_a_markdown_file_served_as_text_is_markdown(respond: Respond) -> None:
    assert (
        kind_of(respond(b"# T", content_type="text/plain", url="https://x.example.org/README.md")) is MediaType.MARKDOWN
    )


REFUSED = [
    (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "text/html", FailureKind.BAD_TYPE, "PNG"),
    (b"\xff\xd8\xff\xe0\x00\x10JFIF\x00", "image/jpeg", FailureKind.BAD_TYPE, "JPEG"),
    (b'{"a": [1, 2]}', "text/html", FailureKind.BAD_TYPE, "JSON"),
    (b"[1, 2]", "application/json", FailureKind.BAD_TYPE, "JSON"),
    (b'<?xml version="1.0"?><rss version="2.0"/>', "text/html", FailureKind.BAD_TYPE, "XML"),
    (b"<svg xmlns='x'/>", "image/svg+xml", FailureKind.BAD_TYPE, "SVG"),
    (b"{\\rtf1 words}", "text/plain", FailureKind.BAD_TYPE, "RTF"),
    (b"a,b\n1,2\n", "text/csv", FailureKind.BAD_TYPE, "csv"),
    (b"body { color: red }", "text/css", FailureKind.BAD_TYPE, "css"),
    (b"\x00\x01\x00\x00" * 50, None, FailureKind.BAD_TYPE, "font"),
    (b"\x01\x02\x03\x04" * 50, None, FailureKind.BAD_TYPE, "binary"),
    (zipped("xl/workbook.xml"), None, FailureKind.BAD_TYPE, "Excel"),
    (zipped("a.txt"), "application/zip", FailureKind.BAD_TYPE, "ZIP"),
    (b"PK\x03\x04broken", None, FailureKind.BROKEN, "ZIP"),
    (OLE + b"\0" * 64, "application/msword", FailureKind.BAD_TYPE, "2007"),
    (OLE + "EncryptedPackage".encode("utf-16-le"), None, FailureKind.ENCRYPTED, "password"),
    (b"<!DOCTYPE html><p>Sign in", "application/pdf", FailureKind.TYPE_MISMATCH, "application/pdf"),
    (b"just words", "image/png", FailureKind.TYPE_MISMATCH, "image/png"),
]  # fmt: skip


@pytest.mark.parametrize(("body", "label", "kind", "named"), REFUSED)
def test_a_body_that_cannot_be_read_is_refused_by_name(
    respond: Respond, body: bytes, label: str, kind: FailureKind, named: str
) -> None:
    with pytest.raises(PageFailure, match=named) as failure:
        kind_of(respond(body, content_type=label))
    assert failure.value.kind is kind


@pytest.mark.parametrize("body", [b"", b" \n\t ", b"\xef\xbb\xbf", gzip.compress(b"", mtime=0)])
def test_an_empty_body_is_said_to_be_empty(respond: Respond, body: bytes) -> None:
    with pytest.raises(PageFailure) as failure:
        unpack(respond(body))
    assert failure.value.kind is FailureKind.EMPTY_BODY


def test_a_gzipped_body_is_unpacked_once(respond: Respond) -> None:
    assert unpack(respond(gzip.compress(b"<p>x"))) == b"<p>x"
    assert unpack(respond(gzip.compress(gzip.compress(b"<p>x")))).startswith(b"\x1f\x8b")


def test_a_gzip_bomb_stops_at_the_limit(respond: Respond) -> None:
    with pytest.raises(PageFailure) as failure:
        unpack(respond(gzip.compress(b"0" * (MAX_BYTES + 1), 9)))
    assert failure.value.kind is FailureKind.TOO_LARGE


@pytest.mark.parametrize("cut", [5, 15, -4])
def test_a_damaged_gzip_stream_is_broken(respond: Respond, cut: int) -> None:
    with pytest.raises(PageFailure) as failure:
        unpack(respond(gzip.compress(b"some words that end too early")[:cut]))
    assert failure.value.kind is FailureKind.BROKEN


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.binary(max_size=300),
    st.sampled_from([None, "text/html", "text/plain", "application/pdf", "text/html; charset=utf-16"]),
)
def test_any_bytes_are_known_or_refused_by_a_typed_failure(respond: Respond, body: bytes, label: str | None) -> None:
    with contextlib.suppress(PageFailure):
        assert kind_of(respond(body, content_type=label)) in MediaType
