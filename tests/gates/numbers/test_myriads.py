"""Amounts in ten thousands, as China, Japan and Korea write them."""

from decimal import Decimal

import pytest

from affidavit.gates.numbers import mentions


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("人口は1.2万人である。", 12_000),
        ("人口は1万2000人である。", 12_000),
        ("人口は1億2345万6789人である。", 123_456_789),
        ("人口有1亿2000万。", 120_000_000),
        ("인구는 3만 명이다.", 30_000),
        ("The town has 5 lakh people.", 500_000),
        ("It cost 5 crore rupees.", 50_000_000),
    ],
)
def test_a_figure_of_several_myriads_is_one(text: str, value: int):
    (found,) = [one for one in mentions(text) if one.is_figure]
    assert found.value == Decimal(value)
