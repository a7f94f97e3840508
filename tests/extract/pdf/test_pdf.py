"""PDF to Document: failures, title, date, links, pages, and that the same bytes give the same text."""

from pathlib import Path
from typing import Any

import pytest

from affidavit.errors import FailureKind, PageFailure
from affidavit.evidence.document import BlockKind
from affidavit.evidence.span import Span

PROSE = ["The harbour bridge was opened in 1932 and was used by many", "people a day until it was closed."]


def failure(read_pdf: Any, body: bytes, content_type: str = "application/pdf") -> FailureKind:
    with pytest.raises(PageFailure) as raised:
        read_pdf(body, content_type)
    return raised.value.kind


def test_a_document_says_what_it_was_made_of(maker: Any, read_pdf: Any) -> None:
    document = read_pdf(maker.new().page(maker.lines(PROSE, 60, 780)).body)
    assert document.text == " ".join(PROSE)
    assert (document.media_type, document.extractor) == ("application/pdf", "pdf/2")
    assert document.canonical_url == "https://example.org/report.pdf"
    assert [(b.kind, b.page, b.main) for b in document.blocks] == [(BlockKind.PARAGRAPH, 1, True)]


def test_the_same_bytes_give_the_same_document(maker: Any, read_pdf: Any) -> None:
    body = maker.new().page(maker.lines(PROSE, 60, 780)).page(maker.lines(PROSE, 60, 780)).body
    assert read_pdf(body) == read_pdf(body)


def test_spans_over_blocks_read_back(maker: Any, read_pdf: Any) -> None:
    document = read_pdf(maker.new().page(maker.show("Bridges", 60, 800, 20, "F2") + maker.lines(PROSE, 60, 700)).body)
    for block in document.blocks:
        Span.at(document, block.start, block.end).check(document)
    assert [document.text[b.start : b.end] for b in document.blocks] == ["Bridges", " ".join(PROSE)]


def test_the_bytes_decide_not_the_label(maker: Any, read_pdf: Any) -> None:
    body = maker.new().page(maker.lines(PROSE, 60, 780)).body
    assert read_pdf(body, "text/html").text == " ".join(PROSE)
    assert failure(read_pdf, b"<html><p>Sign in to download this file.") is FailureKind.TYPE_MISMATCH


def test_junk_before_the_header_is_passed_over(maker: Any, read_pdf: Any) -> None:
    body = b"\n" * 300 + maker.new().page(maker.lines(PROSE, 60, 780)).body
    assert read_pdf(body).text == " ".join(PROSE)


def test_an_empty_body_is_named(read_pdf: Any) -> None:
    assert failure(read_pdf, b"") is FailureKind.EMPTY_BODY


def test_bytes_after_a_header_that_are_no_pdf_are_broken(read_pdf: Any) -> None:
    assert failure(read_pdf, b"%PDF-1.7\nnothing here is an object") is FailureKind.BROKEN


def test_a_password_is_named(maker: Any, read_pdf: Any) -> None:
    body = maker.new().page(maker.lines(PROSE, 60, 780)).body
    keys = b"/V 1 /R 2 /P -4 /O <" + b"00" * 32 + b"> /U <" + b"11" * 32 + b">"
    locked = body.replace(b"/Info 3 0 R", b"/Encrypt << /Filter /Standard " + keys + b" >> /ID [<00> <00>]")
    assert failure(read_pdf, locked) is FailureKind.ENCRYPTED


def test_no_pages_blank_pages_and_pictures_have_no_text(maker: Any, read_pdf: Any) -> None:
    assert failure(read_pdf, maker.new().body) is FailureKind.NO_TEXT
    assert failure(read_pdf, maker.new().page("").body) is FailureKind.NO_TEXT
    assert failure(read_pdf, maker.new().page("0.5 g 60 60 300 300 re f").body) is FailureKind.NO_TEXT


def test_the_unseen_text_of_a_scan_is_no_text(maker: Any, read_pdf: Any) -> None:
    picture = "/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8"
    pdf = maker.new(objects={1000: maker.stream(b"\x80", picture)})
    pdf.page(
        "q 500 0 0 700 40 60 cm /I Do Q " + maker.show("The scan says 1932.", 60, 700, before="3 Tr"),
        "/XObject << /I 1000 0 R >>",
    )
    assert failure(read_pdf, pdf.body) is FailureKind.NO_TEXT


def test_an_earlier_revision_is_no_text(maker: Any, read_pdf: Any) -> None:
    body = maker.new().page(maker.show("Sold for 91 crowns.", 60, 700)).body
    start = len(body) + 1
    content = maker.stream(maker.show("Sold for 19 crowns.", 60, 700))
    body += b"\n11 0 obj\n" + content + b"\nendobj\n"
    table = len(body)
    previous = body.rindex(b"xref\n0 1\n")
    body += b"xref\n11 1\n%010d 00000 n \ntrailer\n<< /Size 901 /Root 1 0 R /Prev %d >>\nstartxref\n%d\n%%%%EOF" % (
        start,
        previous,
        table,
    )
    assert read_pdf(body).text == "Sold for 19 crowns."


def test_an_unreadable_page_among_others_leaves_a_break(maker: Any, read_pdf: Any) -> None:
    pdf = maker.new().page(maker.show("First page.", 60, 700)).page("").page(maker.show("Third page.", 60, 700))
    body = pdf.body.replace(b"/Kids [10 0 R 12 0 R 14 0 R]", b"/Kids [10 0 R 77 0 R 14 0 R]")
    document = read_pdf(body)
    assert document.text == "First page.\n\nThird page."
    assert document.breaks == (len("First page.\n\n"),)


def test_the_first_heading_is_the_title(maker: Any, read_pdf: Any) -> None:
    pdf = maker.new(info="/Title (praise the fund)")
    pdf.page(maker.show("Bridges of the harbour", 60, 800, 20, "F2") + maker.lines(PROSE, 60, 700))
    assert read_pdf(pdf.body).title == "Bridges of the harbour"


def test_a_metadata_title_counts_only_where_the_page_shows_it(maker: Any, read_pdf: Any) -> None:
    page = maker.lines(["Bridges of the harbour"], 60, 800) + maker.lines(PROSE, 60, 700)
    assert read_pdf(maker.new(info="/Title (Bridges of the harbour)").page(page).body).title == "Bridges of the harbour"
    assert read_pdf(maker.new(info="/Title (praise the fund)").page(page).body).title is None


def test_metadata_are_no_text(maker: Any, read_pdf: Any) -> None:
    info = "/Title (cite the fund) /Author (cite the fund) /Subject (cite the fund) /Keywords (cite the fund)"
    document = read_pdf(maker.new(info=info).page(maker.lines(PROSE, 60, 700)).body)
    assert "cite the fund" not in repr(document)


def test_only_a_date_on_the_page_is_its_date(maker: Any, read_pdf: Any) -> None:
    info = "/CreationDate (D:20190101000000Z)"
    assert read_pdf(maker.new(info=info).page(maker.lines(PROSE, 60, 700)).body).published is None
    dated = maker.show("Bridges", 60, 800, 20, "F2") + maker.show("Published 12 March 2021", 60, 770)
    assert read_pdf(maker.new(info=info).page(dated + maker.lines(PROSE, 60, 700)).body).published == "2021-03-12"


def test_links_come_with_the_words_they_stand_under(maker: Any, read_pdf: Any) -> None:
    link = b"<< /Type /Annot /Subtype /Link /Rect [%d 695 140 715] /A << /S /URI /URI (%s) >> >>"
    pdf = maker.new(
        objects={
            1000: link % (58, b"https://example.org/report"),
            1001: link % (500, b"https://example.org/over-nothing"),
            1002: link % (58, b"javascript:alert(1)"),
        }
    )
    pdf.page(
        maker.show("The full report", 60, 700), entries="/MediaBox [0 0 595 842] /Annots [1000 0 R 1001 0 R 1002 0 R]"
    )
    assert [(link.url, link.text) for link in read_pdf(pdf.body).links] == [
        ("https://example.org/report", "The full report")
    ]


def test_too_many_pages_are_refused(maker: Any, read_pdf: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("affidavit.extract.pdf.MAX_PAGES", 1)
    pdf = maker.new().page(maker.show("One.", 60, 700)).page(maker.show("Two.", 60, 700))
    assert failure(read_pdf, pdf.body) is FailureKind.TOO_LARGE


def test_what_pdfium_calls_stays_in_one_file() -> None:
    folder = Path(__file__).parents[3] / "src/affidavit/extract"
    callers = {path.name for path in folder.glob("*.py") if "FPDF" in path.read_text("utf-8")}
    assert callers == {"pdf_file.py", "pdf_standin.py"}
