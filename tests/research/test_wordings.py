import pytest

from affidavit.evidence.document import Document
from affidavit.research.wordings import wordings


def page(title: str, *blocks: str) -> Document:
    address = "https://example.org/"
    return Document(
        requested_url=address,
        final_url=address,
        canonical_url=address,
        retrieved_at="2025-01-01T00:00:00Z",
        status=200,
        headers=(),
        media_type="text/html",
        sha256="0" * 64,
        extractor="made/1",
        title=title,
        published=None,
        language="en",
        text="\n\n".join(blocks),
        blocks=(),
    )


PAGE = page(
    "Rules",
    "Keepers type the memorized secret (commonly referred to as a passphrase or PIN) by hand.",
    "The storm lantern — often called the “night light” — burns oil. A function is also called by the keeper.",
)


@pytest.mark.parametrize(
    ("question", "reworded"),
    [
        ("How long must a passphrase be?", ["How long must a memorized secret be?"]),
        ("Must passphrases be changed?", ["Must memorized secrets be changed?"]),
        ("What does the night light burn?", ["What does the storm lantern burn?"]),
        ("How long must a memorized secret or passphrase be?", []),
        ("How long must a password be?", []),
        ("Which keeper calls a function?", []),
    ],
)
def test_a_name_the_page_gives_stands_in_for_the_question_s_own(question: str, reworded: list[str]):
    assert wordings(question, [PAGE]) == [question, *reworded]


def test_there_are_never_more_than_two_rewordings():
    many = page("Names", *(f"The lamp {kind} (also called a light) shines." for kind in ("big", "small", "old", "new")))
    assert len(wordings("Is the light on?", [many])) == 3


def test_a_page_of_one_long_word_is_read_in_the_time_of_its_length():
    """A picture that stands in a page as text is such a word. One of 8,000 letters took seconds."""
    question = "What is a heart attack?"
    assert wordings(question, [page("Words", "a" * 300_000, "1a " * 100_000)]) == [question]
