import pytest

from affidavit.verify.containment import changed


@pytest.mark.parametrize(
    ("claim", "span", "words"),
    [
        ("A man is on his porch drinking vodka.", "A man is on his porch drinking beer.", "vodka"),
        (
            "We propose a model that learns concepts and sentences.",
            "We propose a model that learns concepts and words.",
            "sentences",
        ),
        ("The old wooden pier was closed by the council.", "The old pier was closed by the council.", "wooden"),
    ],
)
def test_a_copy_with_another_word_in_it_is_told(claim: str, span: str, words: str):
    assert changed(claim, span) == words


@pytest.mark.parametrize(
    ("claim", "span"),
    [
        ("A man is on his porch drinking beer.", "A man is on his porch drinking beer."),
        ("The old tax was raised by 10 percent.", "The old tax was then raised by 10% in winter."),
        ("The court moved nearly all of its old files.", "The court migrated nearly all of its old files."),
        ("Somebody was sipping something outdoors.", "A man is on his porch drinking beer."),
    ],
)
def test_the_same_words_other_words_for_the_same_and_free_rewording_are_not(claim: str, span: str):
    assert changed(claim, span) is None


def test_a_word_that_stands_about_the_span_changes_nothing():
    claim, span = "The wooden pier was closed by the council.", "The pier was closed by the council."
    assert changed(claim, span) == "wooden"
    assert changed(claim, span, frozenset({"wooden"})) is None
