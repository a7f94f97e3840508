import pytest

from affidavit.evidence.grapheme import boundary_before, is_boundary


@pytest.mark.parametrize(
    "whole",
    [
        "e\u0301",
        "x\u0302\u0323",
        "👨\u200d👩\u200d👧",
        "👍🏽",
        "❤\ufe0f",
        "🇩🇪",
        "\r\n",
        "\u0e01\u0e33",
        "कि",
        "क्",
        "\u1100\u1161\u11a8",
        "가\u11a8",
        "🏴\U000e0067\U000e0062\U000e007f",
        "1\ufe0f\u20e3",
    ],
)
def test_what_is_seen_as_one_character_is_never_cut(whole: str) -> None:
    text = f"a{whole}b"
    assert all(not is_boundary(text, at) for at in range(2, 1 + len(whole)))
    assert is_boundary(text, 1)
    assert is_boundary(text, 1 + len(whole))
    assert boundary_before(text, len(whole)) == 1


def test_flags_are_cut_between_pairs() -> None:
    text = "🇩🇪🇫🇷🇮🇹"
    assert [at for at in range(len(text) + 1) if is_boundary(text, at)] == [0, 2, 4, 6]


def test_letters_digits_and_spaces_are_cut_anywhere() -> None:
    text = "ab 1 中文 각각"
    assert all(is_boundary(text, at) for at in range(len(text) + 1))
