"""What opens a list item."""

import pytest

from affidavit.extract.list_markers import is_list_marker, is_section_number, starts_with_bullet, starts_with_number


@pytest.mark.parametrize("text", ["•", "–", "-", "1.", "2)", "(a)", "iv.", "B."])
def test_markers_alone_are_known(text: str) -> None:
    assert is_list_marker(text)


@pytest.mark.parametrize("text", ["1932.", "a", "No. 5", "-5", "word.", ""])
def test_other_words_are_no_markers(text: str) -> None:
    assert not is_list_marker(text)


def test_a_marker_needs_a_space_behind_it() -> None:
    assert starts_with_bullet("• An item")
    assert starts_with_number("3. An item")
    assert not starts_with_number("3.5 tonnes")
    assert not starts_with_bullet("-5 degrees")


def test_section_numbers_are_known() -> None:
    assert all(map(is_section_number, ["3", "2.1", "A.4", "1.2.3."]))
    assert not any(map(is_section_number, ["1932", "1,250", "3.1416", "Part"]))
