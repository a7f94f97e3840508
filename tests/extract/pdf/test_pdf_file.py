"""pdfium's view of a file, in points of the page as displayed."""

from typing import Any

import pytest

from affidavit.errors import FailureKind, PageFailure
from affidavit.extract.pdf_file import PdfFile


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_characters_lie_where_their_ink_is_drawn(maker: Any, turn: int) -> None:
    entries = f"/MediaBox [-50 -30 595 842] /CropBox [10 20 500 700] /Rotate {turn}"
    pdf = maker.new().page(maker.show("HE", 100, 400, 30), entries=entries)
    with PdfFile(pdf.body, "u") as file, file.page(0) as page:
        picture = page.draw(1.0)
        for glyph in page.glyphs:
            left, bottom, right, top = (round(edge) for edge in glyph.box)
            inside = picture[round(page.height) - top : round(page.height) - bottom, left:right]
            assert inside.min() < 60
        assert [item.angle for item in page.text_objects] == [(-turn) % 360]


def test_sizes_are_those_on_the_page(maker: Any) -> None:
    pdf = maker.new(
        objects={1000: maker.form(maker.show("x", 100, 100, 12, before="50 Tz"), "/Matrix [0.5 0 0 0.5 0 0]")}
    )
    pdf.page("q 2 0 0 4 0 0 cm /X Do Q", "/XObject << /X 1000 0 R >>")
    with PdfFile(pdf.body, "u") as file, file.page(0) as page:
        (item,) = page.text_objects
        assert (item.size, item.width) == (24, 6)


def test_replacement_texts_give_way_to_what_is_drawn(maker: Any) -> None:
    content = "/Span << /ActualText (other) >> BDC " + maker.show("drawn", 60, 700) + "EMC"
    with PdfFile(maker.new().page(content).body, "u") as file, file.page(0) as page:
        assert "".join(glyph.text for glyph in page.glyphs) == "drawn"


def test_a_page_that_cannot_be_loaded_is_none(maker: Any) -> None:
    body = maker.new().page("").body.replace(b"/Kids [10 0 R]", b"/Kids [77 0 R]")
    with PdfFile(body, "u") as file:
        assert file.page(0) is None


def test_limits_are_errors_that_say_so(maker: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("affidavit.extract.pdf_file.MAX_GLYPHS", 3)
    with PdfFile(maker.new().page(maker.show("many", 60, 700)).body, "u") as file, file.page(0) as page:
        with pytest.raises(PageFailure) as raised:
            _ = page.glyphs
        assert raised.value.kind is FailureKind.TOO_LARGE
        assert "page 1" in str(raised.value)


def test_metadata_are_read_for_comparing_only(maker: Any) -> None:
    pdf = maker.new(info="/Title (Bridges)", catalog="/Lang (en-GB)").page("")
    with PdfFile(pdf.body, "u") as file:
        assert (file.title, file.language) == ("Bridges", "en-GB")
