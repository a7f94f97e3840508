"""Numbers in other signs than digits, and the same signs where they mark and state nothing."""

from decimal import Decimal

import pytest

from affidavit.gates.numbers import mentions


def values(text: str) -> list[str]:
    return [str(one.value) for one in mentions(text) if one.is_figure]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Osk runs ⑫ offices.", "12"),
        ("Osk has ❺ vans.", "5"),
        ("Osk has ⑤⓪ vans.", "50"),
        ("Osk has 🄋 vans.", "0"),
        ("Osk has XII offices.", "12"),
        ("Our XXV vans are ready.", "25"),
        ("Osk has Ⅻ offices.", "12"),
        ("Osk has ⅩⅡ offices.", "12"),
        ("Osk has ↁ vans.", "5000"),
        ("Osk has ⁵⁰ offices.", "50"),
        ("Osk has 五十 vans.", "50"),
        ("奥司有三百二十台车。", "320"),
        ("奥司有二〇五台车。", "205"),
        ("奥司有三万五千台车。", "35000"),
        ("Osk has ፶ vans.", "50"),
        ("Osk has 5O vans.", "50"),
        ("Osk has 5О vans.", "50"),
        ("Osk moved l2OO families.", "1200"),
        ("Osk charges £5O an hour.", "50"),
        ("Osk serves 9O% of the county.", "90"),
        ("Osk has 50vans.", "50"),
        ("Osk has 50people.", "50"),
        ("Osk takes 15pc off.", "15"),
        ("Osk has over200 vans.", "200"),
        ("Osk has a fleet-of-50.", "50"),
        ("Osk charges a fiver.", "5"),
        ("Osk charges a tenner an hour.", "10"),
        ("Osk saved them a grand a month.", "1000"),
        ("Osk has a score of green vans.", "20"),
        ("Osk moves 100s of homes.", "100"),
        ("Osk's vans number 50.", "50"),
        ("Osk charges four pounds twenty.", "4.2"),
        ("Payback is six-and-a-half years.", "6.5"),
        ("Osk's half-dozen vans are green.", "6"),
    ],
)
def test_what_a_reader_takes_for_a_number_is_one(text: str, value: str) -> None:
    assert [Decimal(one) for one in values(text)] == [Decimal(value)]


@pytest.mark.parametrize(
    "text",
    [
        "Offices¹ and vans② are ours.",
        "A room of m² and of mc².",
        "¹ Figures are as of June.",
        "① Call us ② Pack ③ Go",
        "Steps: ① labels, ② boxes.",
        "Queen Elizabeth II opened it.",
        "Queen Elizabeth Ⅱ opened it.",
        "See chapter IV and Part Ⅲ.",
        "After phase III trials and world war II.",
        "I think CV tips, CLI commands and XL boxes help.",
        "IV drips and DVI cables are sold.",
        "S3 buckets, O2 masts and H1 headings.",
        "千葉県で一部、十分に万一。",
        "第五十回大会でした。",
        "She plays a grand piano, and a grand total it was.",
        "They kept a score of the game.",
    ],
)
def test_a_mark_a_name_and_a_manner_of_speaking_are_none(text: str) -> None:
    assert values(text) == []


def test_a_unit_that_looks_like_a_digit_stays_a_unit() -> None:
    (one,) = mentions("We sell 2l bottles.")
    assert (one.value, one.unit) == (2, "litre")
