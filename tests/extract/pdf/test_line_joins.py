"""Lines joined into paragraphs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affidavit.extract.line_joins import Joiner


def join(*lines: str, elsewhere: tuple[str, ...] = ()) -> str:
    return Joiner([*lines, *elsewhere]).join(lines)


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        (("the transporta-", "tion committee"), "the transportation committee"),
        (("met four-", "teen times"), "met fourteen times"),
        (("before the well-", "known vote"), "before the well-known vote"),
        (("a state-of-", "the-art crane"), "a state-of-the-art crane"),
        (("from 1914-", "18 it was"), "from 1914-18 it was"),
        (("the Anglo-", "Saxon coins"), "the Anglo-Saxon coins"),
        (("a long-", "term lease"), "a long-term lease"),
        (("to ex-", "plain it"), "to explain it"),
        (("wheth\xad", "er it was"), "whether it was"),
        (("a dash -", "and more"), "a dash - and more"),
        (("see https://example.org/a/", "b.html for more"), "see https://example.org/a/b.html for more"),
        (("in 1932", "it was closed"), "in 1932 it was closed"),
        (("橋は開通し", "た。"), "橋は開通した。"),
    ],
)
def test_lines_are_joined_as_a_reader_joins_them(lines: tuple[str, ...], text: str) -> None:
    assert join(*lines) == text


def test_the_spelling_elsewhere_in_the_document_decides() -> None:
    assert join("the co-", "operation", elsewhere=("in co-operation with",)) == "the co-operation"
    assert join("the co-", "operation", elsewhere=("in cooperation with",)) == "the cooperation"


def test_a_broken_word_is_no_evidence_for_itself() -> None:
    assert join("the re-", "port", "of re-") == "the report of re-"


@given(st.lists(st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1), min_size=1, max_size=6))
def test_no_character_but_spaces_and_end_hyphens_comes_or_goes(lines: list[str]) -> None:
    def kept(text: str) -> str:
        return "".join(c for c in text if c not in " -\u2010\xad")

    assert kept(join(*lines)) == "".join(map(kept, lines))
