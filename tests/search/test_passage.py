"""Passages: every word of the main content once, and nothing joined that the page does not join."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from affidavit.evidence.document import Block, BlockKind, Document
from affidavit.search.passage import passages

WORDS = st.text(alphabet="ab. \n", min_size=1, max_size=60).filter(str.strip)
KINDS = st.sampled_from([BlockKind.HEADING, BlockKind.PARAGRAPH, BlockKind.LIST_ITEM, BlockKind.NAVIGATION])


def document(parts, breaks=()):
    """A document of (text, kind, main) blocks with two newlines between."""
    text, blocks = "", []
    for words, kind, main in parts:
        text += "\n\n" if text else ""
        level = 2 if kind is BlockKind.HEADING else None
        blocks.append(Block(len(text), len(text) + len(words), kind, main, level))
        text += words
    url = "https://a.example/"
    return Document(
        requested_url=url, final_url=url, canonical_url=url, retrieved_at="2026-01-01T00:00:00Z", status=200,
        headers=(), media_type="text/html", sha256="0", extractor="test/1", title=None, published=None,
        language="en", text=text, blocks=tuple(blocks), breaks=tuple(breaks),
    )  # fmt: skip


@given(parts=st.lists(st.tuples(WORDS.map(str.strip), KINDS, st.booleans()), max_size=12), target=st.integers(5, 200))
def test_every_main_character_is_in_one_passage_and_none_is_crossed(parts, target):
    page = document(parts)
    found = list(passages(page, target, 2 * target))
    assert all(0 < one.end - one.start <= 2 * target for one in found)
    assert all(first.end <= second.start for first, second in pairwise(found))
    inside = {place for one in found for place in range(one.start, one.end)}
    shown = [block for block in page.blocks if block.kind is not BlockKind.NAVIGATION]
    wanted = [block for block in shown if block.main] or shown
    for block in page.blocks:
        letters = {place for place in range(block.start, block.end) if not page.text[place].isspace()}
        if block in wanted and block.kind is not BlockKind.HEADING:
            assert letters <= inside
        else:
            assert not letters & inside


P, H = BlockKind.PARAGRAPH, BlockKind.HEADING


def texts(page, **sizes):
    return [page.text[one.start : one.end] for one in passages(page, **sizes)]


def test_neighbours_under_one_heading_are_one_passage():
    page = document([("Head", H, True), ("One.", P, True), ("Two.", P, True), ("Next", H, True), ("Three.", P, True)])
    assert texts(page) == ["One.\n\nTwo.", "Three."]
    assert [one.headings for one in passages(page)] == [("Head",), ("Next",)]


def test_a_part_that_is_not_main_parts_what_stands_around_it():
    page = document([("One.", P, True), ("Advertisement", P, False), ("Two.", P, True)])
    assert texts(page) == ["One.", "Two."]


def test_a_break_parts_what_stands_around_it():
    page = document([("One.", P, True), ("Two.", P, True)], breaks=[5])
    assert texts(page) == ["One.", "Two."]


def test_a_page_with_nothing_marked_main_is_taken_whole_but_for_its_menu():
    page = document([("Menu", BlockKind.NAVIGATION, False), ("One.", P, False)])
    assert texts(page) == ["One."]


def test_a_long_paragraph_is_cut_after_a_sentence():
    page = document([("First sentence here. Second sentence here. Third one.", P, True)])
    assert texts(page, target=30, longest=45) == ["First sentence here. Second sentence here.", "Third one."]


def test_a_long_run_without_sentences_is_cut_after_a_word():
    page = document([(" ".join(["word"] * 30), P, True)])
    assert all(text.startswith("word") and text.endswith("word") for text in texts(page, target=30, longest=40))
