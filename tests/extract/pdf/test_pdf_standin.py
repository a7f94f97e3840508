"""Fonts that a PDF names and does not carry."""

from typing import Any

from affidavit.extract.pdf_file import PdfFile
from affidavit.extract.pdf_standin import stand_in_font

DESCRIPTOR = (
    b"<< /Type /FontDescriptor /FontName /Garamond /Flags 34 /FontBBox [0 -200 1000 900] /Ascent 800 /Descent -200"
    b" /ItalicAngle 0 /StemV 80 >>"
)
GARAMOND = (
    b"<< /Type /Font /Subtype /TrueType /BaseFont /Garamond /FontDescriptor 1001 0 R"
    b" /Encoding << /Differences [65 /afii10017 /afii10018 /Alpha] >>"
    b" /FirstChar 65 /LastChar 70 /Widths [700 600 500 400 300 200] >>"
)


def test_the_font_is_a_font() -> None:
    font = stand_in_font()
    assert font[:4] == b"\0\1\0\0"
    assert len(font) % 4 == 0


def test_every_letter_of_a_missing_font_is_drawn_in_its_place(maker: Any) -> None:
    pdf = maker.new(objects={1000: GARAMOND, 1001: DESCRIPTOR}, fonts="/G 1000 0 R")
    pdf.page(maker.show("ABCDEF", 60, 700, 20, "G") + maker.show("橋は開通", 60, 600, 20, "J"))
    with PdfFile(pdf.body, "u") as file, file.page(0) as page:
        picture = page.draw(1.0)
        for glyph in page.glyphs:
            left, bottom, right, top = (round(edge) for edge in glyph.cell)
            assert picture[842 - top : 842 - bottom, left:right].min() < 100, glyph.text


def test_the_text_of_missing_fonts_is_read(maker: Any, read_pdf: Any) -> None:
    pdf = maker.new(objects={1000: GARAMOND, 1001: DESCRIPTOR}, fonts="/G 1000 0 R")
    assert read_pdf(pdf.page(maker.show("ABCDEF", 60, 700, 20, "G")).body).text == "АБΑDEF"
