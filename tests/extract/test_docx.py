"""DOCX comes out as Word shows it."""

import zipfile
from collections.abc import Callable
from io import BytesIO

import pytest
from docx import Document as new_docx
from docx.document import Document as Package
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
from docx.shared import Pt, RGBColor

from affidavit.errors import FailureKind, PageFailure
from affidavit.evidence.document import Fetched
from affidavit.extract import docx as reader
from affidavit.extract.docx import read_docx
from affidavit.extract.page import Page

Respond = Callable[..., Fetched]


def saved(package: Package) -> bytes:
    out = BytesIO()
    package.save(out)
    return out.getvalue()


@pytest.fixture
def read(respond: Respond) -> Callable[[Package], Page]:
    def run(package: Package) -> Page:
        body = saved(package)
        return read_docx(respond(body, content_type=None), body)

    return run


def shown(page: Page) -> list[tuple[str, str]]:
    return [(block.kind.value, page.text[block.start : block.end]) for block in page.blocks]


def test_styles_give_the_kinds(read: Callable[[Package], Page]) -> None:
    package = new_docx()
    package.add_heading("The mill", 0)
    package.add_heading("History", 2)
    package.add_paragraph("It opened in 1945.")
    package.add_paragraph("One", style="List Bullet")
    package.add_paragraph("Plain but sound.", style="Intense Quote")
    package.add_paragraph("Figure 1: the mill", style="Caption")
    page = read(package)
    assert shown(page) == [
        ("heading", "The mill"),
        ("heading", "History"),
        ("paragraph", "It opened in 1945."),
        ("list_item", "One"),
        ("quotation", "Plain but sound."),
        ("caption", "Figure 1: the mill"),
    ]
    assert [block.level for block in page.blocks[:2]] == [1, 2]


def test_a_table_row_is_a_block_with_its_column_heads(read: Callable[[Package], Page]) -> None:
    package = new_docx()
    table = package.add_table(rows=2, cols=2)
    for cell, text in zip(
        [*table.rows[0].cells, *table.rows[1].cells], ["Year", "Visitors", "2019", "84,909"], strict=True
    ):
        cell.text = text
    table.rows[0]._tr.get_or_add_trPr().append(parse_xml(f"<w:tblHeader {nsdecls('w')}/>"))
    page = read(package)
    assert shown(page) == [("other", "Year\tVisitors"), ("table_row", "2019\t84,909")]
    assert page.blocks[1].heads == ("Year", "Visitors")


def test_hidden_runs_are_no_text(read: Callable[[Package], Page]) -> None:
    package = new_docx()
    paragraph = package.add_paragraph("Seen. ")
    paragraph.add_run("Vanished. ").font.hidden = True
    white = paragraph.add_run("White. ")
    white.font.color.rgb = RGBColor(255, 255, 255)
    paragraph.add_run("Tiny. ").font.size = Pt(1)
    style = package.styles.add_style("Ghost", 2)
    style.font.hidden = True
    paragraph.add_run("Ghost. ", style=style)
    paragraph.add_run("Also seen.")
    assert read(package).text == "Seen. Also seen."


def test_white_type_on_a_dark_ground_is_seen(read: Callable[[Package], Page]) -> None:
    package = new_docx()
    run = package.add_paragraph().add_run("On dark.")
    run.font.color.rgb = RGBColor(255, 255, 255)
    run._r.get_or_add_rPr().append(parse_xml(f'<w:shd {nsdecls("w")} w:val="clear" w:fill="000000"/>'))
    assert read(package).text == "On dark."


def test_a_run_that_undoes_its_styles_hiding_is_seen(read: Callable[[Package], Page]) -> None:
    package = new_docx()
    style = package.styles.add_style("Ghost", 2)
    style.font.hidden = True
    run = package.add_paragraph().add_run("Back again.", style=style)
    run.font.hidden = False
    assert read(package).text == "Back again."


def test_deletions_and_field_codes_are_out_and_insertions_in(read: Callable[[Package], Page]) -> None:
    package = new_docx()
    paragraph = package.add_paragraph("The levy is ")
    for inner in (
        f"<w:del {nsdecls('w')} w:id='1'><w:r><w:delText>two</w:delText></w:r></w:del>",
        f"<w:ins {nsdecls('w')} w:id='2'><w:r><w:t>three</w:t></w:r></w:ins>",
        f"<w:r {nsdecls('w')}><w:instrText>PAGE</w:instrText></w:r>",
        f"<w:r {nsdecls('w')}><w:footnoteReference w:id='2'/></w:r>",
        f"<w:r {nsdecls('w')}><w:t xml:space='preserve'> crowns.</w:t></w:r>",
    ):
        paragraph._p.append(parse_xml(inner))
    assert read(package).text == "The levy is three crowns."


def test_line_breaks_stay_inside_the_block(read: Callable[[Package], Page]) -> None:
    package = new_docx()
    package.add_paragraph("Harbour Office\n3 Quay Street")
    assert shown(read(package)) == [("paragraph", "Harbour Office\n3 Quay Street")]


def test_a_text_box_is_read_once_after_its_paragraph(read: Callable[[Package], Page]) -> None:
    package = new_docx()
    box = "<w:txbxContent><w:p><w:r><w:t>In the box.</w:t></w:r></w:p></w:txbxContent>"
    spaces = nsdecls("w") + ' xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
    package.add_paragraph("Around it.")._p.append(
        parse_xml(
            f"<w:r {spaces}><mc:AlternateContent><mc:Choice Requires='wps'><w:drawing>{box}</w:drawing></mc:Choice>"
            f"<mc:Fallback><w:pict>{box}</w:pict></mc:Fallback></mc:AlternateContent></w:r>"
        )
    )
    assert read(package).text == "Around it.\n\nIn the box."


def test_a_package_that_would_unpack_too_large_is_refused_by_its_directory(
    respond: Respond, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader, "MAX_XML_BYTES", 1000)
    body = saved(new_docx())
    with pytest.raises(PageFailure) as failure:
        read_docx(respond(body), body)
    assert failure.value.kind is FailureKind.TOO_LARGE


def test_a_package_without_its_parts_is_broken(respond: Respond) -> None:
    out = BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("word/document.xml", "<x/>")
    with pytest.raises(PageFailure) as failure:
        read_docx(respond(out.getvalue()), out.getvalue())
    assert failure.value.kind is FailureKind.BROKEN
