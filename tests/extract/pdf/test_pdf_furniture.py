"""Running heads, feet and page numbers."""

from typing import Any

import pytest

from affidavit.evidence.document import BlockKind
from affidavit.extract.pdf_furniture import is_page_number

PROSE = ["The harbour bridge was opened in 1932 and was used by many people", "a day until the storm took it away."]


def book(maker: Any, pages: int) -> bytes:
    pdf = maker.new()
    for number in range(1, pages + 1):
        left = number % 2 == 0
        head = maker.show("Chapter 2: Bridges" if left else "THE HARBOUR BOOK", 60 if left else 400, 812, 9)
        pdf.page(head + maker.show(str(number + 10), 60 if left else 500, 28, 9) + maker.lines(PROSE, 60, 780))
    return pdf.body


def test_lines_repeated_from_page_to_page_are_navigation(maker: Any, read_pdf: Any) -> None:
    document = read_pdf(book(maker, 4))
    aside = {document.text[b.start : b.end] for b in document.blocks if not b.main}
    assert aside == {"THE HARBOUR BOOK", "Chapter 2: Bridges", "11", "12", "13", "14"}
    assert {b.kind for b in document.blocks if not b.main} == {BlockKind.NAVIGATION}


def test_a_head_on_one_page_only_is_set_apart_but_stays_main(maker: Any, read_pdf: Any) -> None:
    document = read_pdf(
        maker.new().page(maker.show("HARBOUR QUARTERLY", 60, 815, 8) + maker.lines(PROSE, 60, 780)).body
    )
    assert [(b.kind, b.main) for b in document.blocks] == [(BlockKind.PARAGRAPH, True), (BlockKind.OTHER, True)]


def test_figures_of_a_table_at_the_head_of_a_page_are_no_page_numbers(maker: Any, read_pdf: Any) -> None:
    rows = [("Introduction", "3"), ("The harbour and its bridges", "17"), ("The clerk", "45")]
    content = maker.show("Contents", 60, 800, 16, "F2")
    content += "".join(
        maker.show(a, 60, 770 - 15 * i) + maker.show(b, 500, 770 - 15 * i) for i, (a, b) in enumerate(rows)
    )
    document = read_pdf(maker.new().page(content).body)
    assert all(block.main for block in document.blocks)
    assert "Introduction\t3" in document.text


@pytest.mark.parametrize(
    "text", ["7", "- 12 -", "Page 3 of 9", "p. 4", "xiv", "Seite 3 von 10", "3/12", "第 3 頁", "[5]"]
)
def test_page_numbers_are_known(text: str) -> None:
    assert is_page_number(text)


@pytest.mark.parametrize("text", ["1,250", "12 cranes", "Page", "1932–1940", "$7", "3.5"])
def test_other_numbers_are_not(text: str) -> None:
    assert not is_page_number(text)
