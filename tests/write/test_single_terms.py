"""Times of one that a draft promises, beside what the texts say."""

import pytest

from affidavit.write.boundary import Boundary

from .conftest import TODAY

BOUNDARY = Boundary.of_texts(
    "Refunds take 5 working days. We answer within 24 hours. A repair is done in one working day. It lasts a month.",
    today=TODAY,
)


@pytest.mark.parametrize(
    ("draft", "told"),
    [
        ("Refunds take a week.", "a week"),
        ("Refunds take only a full working week.", "a full working week"),
        ("It lasts a year.", "a year"),
        ("Your money is back in an hour.", "an hour"),
        ("We answer within a day.", None),  # 24 hours
        ("It is done within a working day.", None),
        ("It lasts a full month.", None),
        ("We look twice a day, a week later, and take a day off.", None),
        ("It takes a year-long view, within a week's walk.", None),
        ("`takes a week`", None),
    ],
)
def test_a_promised_time_of_one_is_a_count(draft: str, told: str | None):
    found = [issue for issue in BOUNDARY.check(draft) if "as a time" in issue.message]
    assert [draft[issue.start : issue.end] for issue in found] == ([told] if told else [])
    assert all((issue.code, issue.blocks) == ("count_without_source", False) for issue in found)
