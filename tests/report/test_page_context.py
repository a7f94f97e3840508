from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affidavit.errors import SpanMismatch
from affidavit.evidence.document import Block, BlockKind
from affidavit.evidence.span import Span
from affidavit.report import page_context as module
from affidavit.report.page_context import page_context


def marked(context):
    return ["".join(piece.text for piece in passage.pieces if piece.marked) for passage in context.passages]


@st.composite
def documents(draw, make):
    kinds = st.sampled_from(list(BlockKind))
    words = st.text(alphabet="ab .\n", min_size=1, max_size=40).map(lambda text: text.strip() or "x")
    return make(draw(st.lists(st.tuples(kinds, words), min_size=1, max_size=20)))


def test_the_marked_words_are_exactly_the_span(make_document):
    @given(st.data())
    def check(data):
        document = data.draw(documents(make_document))
        start = data.draw(st.integers(0, len(document.text) - 1))
        end = data.draw(st.integers(start + 1, len(document.text)))
        if not document.text[start:end].strip():
            return
        context = page_context(document, Span.at(document, start, end))
        assert "".join(marked(context)).split() == document.text[start:end].split() or "".join(
            "".join(marked(context)).split()
        ) == "".join(document.text[start:end].split())
        assert any(marked(context))

    check()


def test_a_span_the_document_does_not_hold_is_refused(report_document):
    with pytest.raises(SpanMismatch):
        page_context(report_document, Span(report_document.doc_id, 0, 4, "nope"))


def test_the_context_shows_several_blocks_on_either_side_and_counts_the_rest(report_document, span_of):
    context = page_context(report_document, span_of(report_document, "The viaduct opened in 1918."))
    kinds = [passage.kind for passage in context.passages]
    assert kinds.index(BlockKind.PARAGRAPH) > 0
    assert BlockKind.LIST_ITEM in kinds
    assert context.headings == ("The bridge report", "The rail viaduct")
    assert context.before == 0
    assert context.after > 0


def test_a_block_as_long_as_a_book_is_cut_around_the_quotation(make_document, span_of):
    document = make_document([(BlockKind.PARAGRAPH, "before " * 5_000 + "The needle. " + "after " * 5_000)])
    (passage,) = page_context(document, span_of(document, "The needle.")).passages
    assert passage.cut_before
    assert passage.cut_after
    assert sum(len(piece.text) for piece in passage.pieces) <= module.BLOCK_CHARS + len("The needle.")


def test_a_visible_part_that_was_left_out_shows_as_a_break(make_document, span_of):
    document = make_document([(BlockKind.PARAGRAPH, "One."), (BlockKind.PARAGRAPH, "Two.")], breaks=(5,))
    first, second = page_context(document, span_of(document, "Two.")).passages
    assert not first.broken_before
    assert second.broken_before


def test_text_that_stands_in_no_block_is_shown_all_the_same(make_document, span_of):
    document = make_document([(BlockKind.PARAGRAPH, "One. Two. Three.")])
    bare = replace(document, blocks=(Block(0, 4, BlockKind.PARAGRAPH),))
    for page in (document, bare):
        assert "Two." in marked(page_context(page, span_of(page, "Two.")))
