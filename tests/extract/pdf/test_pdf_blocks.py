"""Blocks and their kinds."""

from typing import Any

from affidavit.evidence.document import BlockKind

PROSE = [
    "The harbour bridge was opened in 1932 and was used by many people",
    "a day until the storm took away the north arch and the clerk with",
    "his ledger, his ink and a small dog that nobody had a name for.",
]


def kinds(document: Any) -> list[tuple[str, str]]:
    return [(block.kind.value, document.text[block.start : block.end]) for block in document.blocks]


def test_large_and_bold_lines_are_headings_by_size(maker: Any, read_pdf: Any) -> None:
    content = maker.show("Bridges", 60, 800, 22, "F2") + maker.show("Old ones", 60, 760, 15, "F2")
    content += (
        maker.lines(PROSE, 60, 730) + maker.show("The north arch", 60, 670, 11, "F2") + maker.lines(PROSE, 60, 650)
    )
    document = read_pdf(maker.new().page(content).body)
    headings = [block for block in document.blocks if block.kind is BlockKind.HEADING]
    assert [(document.text[b.start : b.end], b.level) for b in headings] == [
        ("Bridges", 1),
        ("Old ones", 2),
        ("The north arch", 3),
    ]


def test_a_large_sentence_is_no_heading(maker: Any, read_pdf: Any) -> None:
    sentence = "The mill opened in 1932 and was closed for eighty days."
    content = maker.show(sentence, 60, 780, 16) + maker.lines(PROSE, 60, 730)
    assert kinds(read_pdf(maker.new().page(content).body))[0] == ("paragraph", sentence)


def test_distance_and_indents_part_paragraphs(maker: Any, read_pdf: Any) -> None:
    content = maker.lines(PROSE, 60, 780) + maker.lines(PROSE, 60, 720)
    content += maker.show(PROSE[0], 80, 678) + maker.lines(PROSE[1:], 60, 664)
    document = read_pdf(maker.new().page(content).body)
    assert kinds(document) == [("paragraph", " ".join(PROSE))] * 3


def test_list_items_keep_their_marker_and_their_lines(maker: Any, read_pdf: Any) -> None:
    content = maker.show("\x95", 60, 770) + maker.lines(
        ["The first item of the list goes on over", "two lines."], 75, 770
    )
    content += maker.show("\x95", 60, 742) + maker.show("The second item.", 75, 742)
    content += maker.show("1. Numbered one.", 60, 700) + maker.show("2. Numbered two.", 60, 686)
    assert kinds(read_pdf(maker.new().page(content).body)) == [
        ("list_item", "• The first item of the list goes on over two lines."),
        ("list_item", "• The second item."),
        ("list_item", "1. Numbered one."),
        ("list_item", "2. Numbered two."),
    ]


def test_a_number_that_a_line_happens_to_begin_with_is_no_list(maker: Any, read_pdf: Any) -> None:
    lines = [
        "The bridge was opened by the mayor in",
        "1932. It was closed again by the clerk in",
        "1940. Nobody knows why.",
    ]
    assert kinds(read_pdf(maker.new().page(maker.lines(lines, 60, 780)).body)) == [("paragraph", " ".join(lines))]


def test_captions_are_told_from_sentences_about_figures(maker: Any, read_pdf: Any) -> None:
    content = maker.lines(PROSE, 60, 780) + maker.lines(
        ["Figure 3. The bridge in 1932, seen", "from the quay."], 60, 500, 9, 11
    )
    content += maker.lines(["Figure 3 shows that the north arch was the", "older of the two."], 60, 400)
    assert [kind for kind, _ in kinds(read_pdf(maker.new().page(content).body))] == [
        "paragraph",
        "caption",
        "paragraph",
    ]


def test_a_listing_keeps_its_lines(maker: Any, read_pdf: Any) -> None:
    content = maker.lines(PROSE, 60, 780) + maker.lines(["def main():", "return one"], 60, 700, 10, 12, "C")
    assert kinds(read_pdf(maker.new().page(content).body))[1] == ("code", "def main():\nreturn one")


def test_ragged_lines_that_all_begin_anew_are_not_run_together(maker: Any, read_pdf: Any) -> None:
    facts = ["Opened in 1932", "Length 214 m", "Cost 19 crowns, paid by the owners"]
    assert [text for _, text in kinds(read_pdf(maker.new().page(maker.lines(facts, 60, 780)).body))] == facts


def test_a_sentence_goes_on_over_a_page_and_keeps_its_first_page(maker: Any, read_pdf: Any) -> None:
    first = maker.show("HARBOUR QUARTERLY", 60, 815, 8) + maker.lines([*PROSE, "It was the last of the"], 60, 780)
    first += maker.show("4 See the ledger.", 60, 60, 8) + maker.show("17", 290, 30, 8)
    second = maker.show("HARBOUR QUARTERLY", 60, 815, 8) + maker.lines(["three bridges. It is gone."], 60, 780)
    second += maker.show("18", 290, 30, 8)
    document = read_pdf(maker.new().page(first).page(second).body)
    assert "It was the last of the three bridges. It is gone." in document.text
    assert [b.page for b in document.blocks if "three bridges" in document.text[b.start : b.end]] == [1]


def test_a_new_sentence_on_a_new_page_is_a_new_paragraph(maker: Any, read_pdf: Any) -> None:
    pdf = maker.new().page(maker.lines(PROSE, 60, 780)).page(maker.lines(["It was never seen again."], 60, 780))
    assert [block.page for block in read_pdf(pdf.body).blocks] == [1, 2]
