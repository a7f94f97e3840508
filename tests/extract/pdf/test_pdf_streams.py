"""Streams that unpack without end."""

import zlib
from typing import Any

import pytest

from affidavit.errors import FailureKind, PageFailure
from affidavit.extract.pdf_streams import MAX_STREAM, check_streams


def packed(size: int, times: int) -> bytes:
    pump = zlib.compressobj(9)
    data = b"".join(pump.compress(b" " * 1_000_000) for _ in range(size // 1_000_000)) + pump.flush()
    for _ in range(times - 1):
        data = zlib.compress(data, 9)
    return data


@pytest.mark.parametrize(("times", "filters"), [(1, "/Filter /FlateDecode"), (2, "/Filter [/FlateDecode /Fl]")])
def test_a_bomb_is_refused_before_pdfium_sees_it(maker: Any, read_pdf: Any, times: int, filters: str) -> None:
    pdf = maker.new(objects={1000: maker.stream(packed(MAX_STREAM + 2_000_000, times), filters)}).page("")
    with pytest.raises(PageFailure) as raised:
        read_pdf(pdf.body)
    assert raised.value.kind is FailureKind.TOO_LARGE


def test_honest_streams_pictures_and_damage_pass(maker: Any) -> None:
    big = packed(MAX_STREAM + 2_000_000, 1)
    honest = maker.stream(packed(5_000_000, 1), "/Filter /FlateDecode")
    picture = maker.stream(big, "/Subtype /Image /Filter /FlateDecode")
    damaged = maker.stream(b"\0" * 100_000, "/Filter /FlateDecode")
    check_streams(maker.new(objects={1000: honest, 1001: picture, 1002: damaged}).page("").body, "u")
