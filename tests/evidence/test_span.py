from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affidavit.errors import SpanMismatch
from affidavit.evidence import Document, Span

DocumentOf = Callable[..., Document]


@given(st.text(min_size=1, max_size=60), st.data())
def test_a_span_gives_the_text_and_the_text_gives_the_span(
    document_of: DocumentOf, text: str, data: st.DataObject
) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    document = document_of(text)
    span = Span.at(document, start, end)
    span.check(document)
    assert span.text == text[start:end]
    assert Span.at(document, span.start, span.end) == span
    assert Span.at(document, start, end).span_id == span.span_id


def test_the_same_range_is_the_same_span_however_it_was_cut(document_of: DocumentOf) -> None:
    document = document_of("The mill was built.")
    cut, whole = Span.at(document, 0, 8, truncated=True), Span.at(document, 0, 8)
    assert cut == whole
    assert cut.span_id == whole.span_id
    assert len({cut, whole}) == 1


def test_another_document_or_range_is_another_span(document_of: DocumentOf) -> None:
    one, other = document_of("The mill."), document_of("The mill.", sha256="1" * 64)
    ids = {
        Span.at(one, 0, 8).span_id,
        Span.at(one, 0, 7).span_id,
        Span.at(one, 1, 8).span_id,
        Span.at(other, 0, 8).span_id,
    }
    assert len(ids) == 4


@pytest.mark.parametrize(("start", "end"), [(-1, 4), (4, 4), (5, 4), (0, 100), (100, 101)])
def test_a_range_that_the_text_does_not_have_is_no_span(document_of: DocumentOf, start: int, end: int) -> None:
    with pytest.raises(SpanMismatch, match="no text at"):
        Span.at(document_of("The mill."), start, end)


def test_no_span_crosses_a_break(document_of: DocumentOf) -> None:
    document = document_of("He said.", "It was.", breaks=(9,))
    with pytest.raises(SpanMismatch, match="crosses 9"):
        Span.at(document, 0, 12)
    assert Span.at(document, 0, 8).text == "He said."


def test_a_span_whose_words_were_changed_is_found_out(document_of: DocumentOf) -> None:
    document = document_of("It rose by 18 per cent.")
    forged = Span(document.doc_id, 0, 12, "It rose by 2")
    with pytest.raises(SpanMismatch, match="holds"):
        forged.check(document)
    with pytest.raises(SpanMismatch, match="belongs to"):
        Span.at(document, 0, 4).check(document_of("It rose by 18 per cent.", extractor="test/2"))
