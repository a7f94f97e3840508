"""How many tokens a text is."""

from hypothesis import given, settings
from hypothesis import strategies as st

from affidavit.models.embedded import TokenCounter

COUNTER = TokenCounter()
LINES = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), max_size=60)


def test_words_are_counted_by_their_pieces():
    assert COUNTER.count("") == 0
    assert COUNTER.count("The harbour has 45 boats.") == 6
    assert COUNTER.count("unquestionably") > 1


def test_a_word_that_is_not_known_counts_its_bytes_and_not_one():
    assert COUNTER.count("ᚠᚢᚦ") == len("ᚠᚢᚦ".encode())
    assert COUNTER.count("x" * 300) >= 300


def test_a_long_text_is_counted_to_its_end():
    assert COUNTER.count("boat " * 1000) == 1000


@settings(max_examples=60, deadline=None)
@given(LINES, LINES)
def test_lines_add_up(one, other):
    assert COUNTER.count(f"{one}\n{other}") == COUNTER.count(one) + COUNTER.count(other) + 1
