from collections.abc import Sequence

import numpy as np

from affidavit.research.similarity import Remembering


class Letters:
    """A vector of how often a text has each of three letters; it remembers what it was asked for."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def encode(self, texts: Sequence[str]) -> "np.ndarray[tuple[int, int], np.dtype[np.float32]]":
        self.asked += texts
        counts = [[text.count(letter) for letter in "abc"] for text in texts]
        return np.array(counts, dtype=np.float32).reshape(len(texts), 3)


def test_a_text_is_encoded_once_and_its_vector_comes_back_in_its_place():
    plain, letters = Letters(), Letters()
    remembering = Remembering(letters)
    for texts in (["ab", "bbc"], ["c", "ab", "c"], []):
        assert np.array_equal(remembering.encode(texts), plain.encode(texts))
    assert letters.asked == ["ab", "bbc", "c"]


def test_what_was_not_asked_for_the_longest_time_is_forgotten_first():
    letters = Letters()
    remembering = Remembering(letters, most=2)
    for text in ("a", "b", "a", "c", "a", "b"):
        remembering.encode([text])
    assert letters.asked == ["a", "b", "c", "b"]
