"""Reading order: columns, bands, tables, boxes, initials."""

from typing import Any

from affidavit.evidence.document import BlockKind

LEFT = [
    "Left one was closed in the year of",
    "the great storm and was not opened",
    "again until the quay had been mended.",
]
RIGHT = [
    "Right one was a low wooden house by",
    "the water in which the clerk kept his",
    "ledgers, his ink and a small dog.",
]
WIDE = "An account of the harbour which goes across both columns of the page without a stop"


def texts(document: Any) -> list[str]:
    return [document.text[block.start : block.end] for block in document.blocks]


def test_columns_are_read_one_after_the_other(maker: Any, read_pdf: Any) -> None:
    rows = zip(LEFT, RIGHT, strict=True)
    content = "".join(
        maker.show(left, 60, 700 - 12 * i, 10) + maker.show(right, 315, 700 - 12 * i, 10)
        for i, (left, right) in enumerate(rows)
    )
    assert texts(read_pdf(maker.new().page(content).body)) == [" ".join(LEFT), " ".join(RIGHT)]


def test_three_narrow_columns_are_three(maker: Any, read_pdf: Any) -> None:
    third = ["Third came the shed, which is gone", "and of which there is no picture that", "we know of."]
    columns = enumerate((LEFT, RIGHT, third))
    content = "".join(maker.lines(column, 40 + 175 * i, 700, 9, 11) for i, column in columns)
    assert texts(read_pdf(maker.new().page(content).body)) == [" ".join(c) for c in (LEFT, RIGHT, third)]


def test_a_line_across_parts_the_columns_above_from_those_below(maker: Any, read_pdf: Any) -> None:
    content = maker.lines(LEFT, 60, 780, 10, 12) + maker.lines(RIGHT, 315, 780, 10, 12)
    content += maker.show(WIDE, 60, 700, 11)
    content += maker.lines(RIGHT, 60, 660, 10, 12) + maker.lines(LEFT, 315, 660, 10, 12)
    order = [" ".join(LEFT), " ".join(RIGHT), WIDE, " ".join(RIGHT), " ".join(LEFT)]
    assert texts(read_pdf(maker.new().page(content).body)) == order


def test_the_short_last_line_above_columns_stays_with_its_paragraph(maker: Any, read_pdf: Any) -> None:
    content = maker.lines([WIDE, "and ends here."], 60, 780, 11, 13)
    content += maker.lines(LEFT, 60, 730, 10, 12) + maker.lines(RIGHT, 315, 730, 10, 12)
    assert texts(read_pdf(maker.new().page(content).body))[0] == WIDE + " and ends here."


def test_cells_are_read_along_the_rows_with_their_heads(maker: Any, read_pdf: Any) -> None:
    rows = [("Bridge", "Opened", "Length"), ("Aldermoor", "1932", "214"), ("Dunvale North", "1978", "77")]
    content = "".join(
        maker.show(cell, 60 + 150 * j, 700 - 16 * i, 11, "F1" if i else "F2")
        for i, row in enumerate(rows)
        for j, cell in enumerate(row)
    )
    document = read_pdf(maker.new().page(content).body)
    assert texts(document) == ["\t".join(row) for row in rows]
    assert [block.kind for block in document.blocks] == [BlockKind.OTHER, BlockKind.TABLE_ROW, BlockKind.TABLE_ROW]
    assert [block.heads for block in document.blocks] == [(), rows[0], rows[0]]


def test_a_cell_of_two_lines_is_one_cell(maker: Any, read_pdf: Any) -> None:
    cells = [(60, 0, "Aldermoor"), (210, 0, "Closed for eighty"), (210, 1, "days in all."), (60, 2, "Carrowby")]
    cells += [(210, 2, "Painted green."), (60, 3, "Dunvale"), (210, 3, "Never opened.")]
    content = "".join(maker.show(text, x, 700 - 14 * row) for x, row, text in cells)
    assert texts(read_pdf(maker.new().page(content).body))[0] == "Aldermoor\tClosed for eighty days in all."


def test_a_box_beside_an_article_is_read_after_it(maker: Any, read_pdf: Any) -> None:
    article = [line for _ in range(3) for line in LEFT]
    content = maker.lines(article, 60, 780) + maker.lines(
        ["Opened in 1932", "Length 214 m", "Cost 19 crowns"], 420, 780
    )
    document = texts(read_pdf(maker.new().page(content).body))
    assert document[0].startswith("Left one was closed in the year of the great storm")
    assert document[-1].endswith("Cost 19 crowns")


def test_a_great_initial_begins_its_word(maker: Any, read_pdf: Any) -> None:
    content = maker.show("O", 60, 730, 44)
    content += maker.lines(
        ["nce the harbour was full of ships and the", "quay was never empty at any hour of the"], 98, 760, 11, 15
    )
    content += maker.show("day, so that the clerk could not sleep.", 98, 730)
    assert read_pdf(maker.new().page(content).body).text.startswith("Once the harbour was full of ships and the quay")


def test_a_letter_across_the_text_is_not_part_of_it(maker: Any, read_pdf: Any) -> None:
    content = "0.85 g " + maker.show("DRAFT", 60, 640, 150, "F2") + "0 g " + maker.lines(LEFT, 60, 720)
    assert texts(read_pdf(maker.new().page(content).body))[0] == " ".join(LEFT)


def test_a_sections_number_belongs_to_its_heading(maker: Any, read_pdf: Any) -> None:
    content = (
        maker.show("4", 60, 760, 16, "F2") + maker.show("The harbour", 90, 760, 16, "F2") + maker.lines(LEFT, 60, 730)
    )
    assert texts(read_pdf(maker.new().page(content).body))[0] == "4 The harbour"


def test_lower_case_cells_beside_options_are_a_table(maker: Any, read_pdf: Any) -> None:
    rows = [
        ("-c, --check", "checks the syntax only"),
        ("-o", "output file"),
        ("-h, --help", "display this help and exit"),
    ]
    content = "".join(
        maker.show(a, 60, 700 - 14 * i) + maker.show(b, 200, 700 - 14 * i) for i, (a, b) in enumerate(rows)
    )
    assert texts(read_pdf(maker.new().page(content).body)) == ["\t".join(row) for row in rows]
