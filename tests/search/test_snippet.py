"""Snippets show the words that were asked for."""

from hypothesis import given
from hypothesis import strategies as st

from affidavit.search.snippet import LENGTH, snippet
from affidavit.search.terms import terms


def test_the_window_is_where_most_of_the_words_stand():
    text = "Filler words go here. " * 40 + "The budget was approved in March. " + "More filler follows. " * 40
    assert "The budget was approved in March." in snippet(text, terms("approved budget March"))


def test_a_stemmed_word_is_found():
    assert "decided" in snippet("x " * 500 + "they decided it" + " y" * 500, terms("decides"))


def test_white_space_is_one_space_and_a_short_text_is_whole():
    assert snippet(" a\n\n b\tc ", terms("zzz")) == "a b c"


@given(text=st.text(max_size=2000), query=st.text(max_size=60))
def test_it_is_never_longer_than_it_may_be_and_always_from_the_text(text, query):
    found = snippet(text, terms(query))
    assert len(found) <= LENGTH + 2
    assert found.strip("…") in " ".join(text.split()) or "…" in text
