"""Characters that cannot be seen, and those that pretend."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affidavit.extract.characters import clean

SUSPECTS = (
    "a1 é\u0301\u00ad\u200b\u200c\u200d\u200e\u202e\u202c\u2066\u2069\ufe0f\U000e0041\U000e007f\x1b\ufeff\u2028必❤नि"
)


@pytest.mark.parametrize(
    ("text", "cleaned", "flags"),
    [
        ("1\u200b932", "1932", {"zero_width"}),
        ("in\ufeffside", "inside", {"zero_width"}),
        ("\ufeffstart", "start", set()),
        ("pass\u2060word", "password", {"zero_width"}),
        ("long.\U000e0069\U000e0067 It", "long. It", {"tag_characters"}),
        ("long\U000e013f\U000e0122.", "long.", {"variation_selectors"}),
        ("a\ufe0f", "a", {"variation_selectors"}),
        ("\u2067נמל\u2069 old", "נמל old", {"bidi"}),
        ("Status: \x1b[2Jok\x07", "Status: [2Jok", {"control"}),
        ("\x85\x9c", "", {"control"}),
        ("The brіdge", "The brіdge", {"mixed_script"}),
        ("count １２３", "count １２３", {"compatibility"}),
        ("𝐛𝐨𝐥𝐝", "𝐛𝐨𝐥𝐝", {"compatibility"}),
        ("transporta\u00adtion", "transportation", set()),
        ("a\u2028b\u2029c\r\nd", "a\nb\nc\nd", set()),
        ("cafe\u0301", "café", set()),
    ],
)
def test_what_cannot_be_seen_goes_and_is_named(text: str, cleaned: str, flags: set[str]) -> None:
    assert clean(text) == (cleaned, flags)


@pytest.mark.parametrize(
    "text",
    [
        "می\u200cشود",
        "क्\u200dष",
        "👩\u200d👩\u200d👧",
        "❤\ufe0f",
        "☺\ufe0e",
        "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
        "葛\U000e0100",
        "1\u00a0250 people",
        "5\u202f% – “quoted”",
        "μm kΩ Δt π",
        "H₂O, 10⁶, ﬁrst",
        "สะพาน",
    ],
)
def test_honest_characters_stay_and_raise_no_flag(text: str) -> None:
    assert clean(text) == (text, frozenset())


def test_break_opportunities_of_unspaced_scripts_go_without_a_flag() -> None:
    assert clean("ภาษา\u200bไทย") == ("ภาษาไทย", frozenset())


def test_direction_marks_in_right_to_left_text_raise_no_flag() -> None:
    assert clean("שלום\u200f!") == ("שלום!", frozenset())
    assert clean("left\u200fonly")[1] == {"bidi"}


def test_text_under_an_override_is_shown_in_another_order_and_so_is_not_kept() -> None:
    assert clean("lost \u202e05\u202c percent") == ("lost \ufffd percent", {"bidi"})
    assert clean("to the end \u202eabc\nnext") == ("to the end \ufffd\nnext", {"bidi"})


def test_arbitrary_tags_behind_a_flag_are_no_flag() -> None:
    assert clean("🏴\U000e0065\U000e0076\U000e007f")[1] == {"tag_characters"}


@given(st.text(max_size=60) | st.text(SUSPECTS, max_size=40))
def test_cleaning_twice_changes_nothing_and_gives_composed_text(text: str) -> None:
    once, _ = clean(text)
    assert clean(once)[0] == once
    assert unicodedata.is_normalized("NFC", once)


@given(st.text(st.characters(categories=["L", "Nd", "P", "Sm", "Zs"], max_codepoint=0x2FF), max_size=60))
def test_letters_digits_and_signs_are_never_dropped(text: str) -> None:
    assert clean(text)[0] == unicodedata.normalize("NFC", text)
