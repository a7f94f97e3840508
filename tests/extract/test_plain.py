"""Plain text in blocks."""

from hypothesis import given
from hypothesis import strategies as st

from affidavit.evidence.document import BlockKind
from affidavit.extract.plain import read_plain


def shown(text: str) -> list[tuple[str, str]]:
    page = read_plain(text)
    return [(block.kind.value, page.text[block.start : block.end]) for block in page.blocks]


def test_blank_lines_part_paragraphs_and_hard_wraps_stay() -> None:
    assert shown("The mill\nopened in 1945.\r\n \r\n\r\nIt closed.\n") == [
        ("paragraph", "The mill\nopened in 1945."),
        ("paragraph", "It closed."),
    ]


def test_bulleted_lines_are_list_items_with_their_continuations() -> None:
    assert shown("- one\n  more\n- two\n\n1. first\n2. second") == [
        ("list_item", "- one\n  more"),
        ("list_item", "- two"),
        ("list_item", "1. first"),
        ("list_item", "2. second"),
    ]


def test_a_paragraph_that_begins_with_a_dash_is_no_list() -> None:
    assert shown("- and so it went on\nfor years")[0][0] == BlockKind.PARAGRAPH.value


def test_terminal_escapes_draw_nothing_and_are_flagged() -> None:
    page = read_plain("Red \x1b[31malert\x1b[0m and \x1b]8;;https://x.example.org\x07link\x1b]8;;\x07.")
    assert page.text == "Red alert and link."
    assert page.flags == ("control",)


def test_a_form_feed_starts_a_new_block() -> None:
    assert len(shown("page one\fpage two")) == 2


@given(st.text(max_size=400))
def test_blocks_ascend_cover_the_text_and_lie_two_newlines_apart(text: str) -> None:
    page = read_plain(text)
    rebuilt = "\n\n".join(page.text[block.start : block.end] for block in page.blocks)
    assert rebuilt == page.text
    assert all(block.start < block.end for block in page.blocks)
