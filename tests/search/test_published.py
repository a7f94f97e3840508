from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affidavit.search.published import Window, from_parts, iso_date

TODAY = date(2026, 6, 30)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("2024-05-17", "2024-05-17"),
        ("2024-05-17T08:00:00", "2024-05-17"),
        ("2024-05-17T08:00:00.000Z", "2024-05-17"),
        ("2024-05-17T08:00:00+02:00", "2024-05-17"),
        ("2024-05-17 08:00:00", "2024-05-17"),
        ("2024/03/05 00:00", "2024-03-05"),
        ("2024-05", "2024-05"),
        ("2024", "2024"),
        ("Tue, 05 Mar 2024 10:00:00 GMT", "2024-03-05"),
        ("5 March 2024", "2024-03-05"),
        ("Mar 5, 2024", "2024-03-05"),
        ("March 5 2024", "2024-03-05"),
        ("Sept. 5, 2024", "2024-09-05"),
        ("March 2024", "2024-03"),
        ("2024 Mar 5", "2024-03-05"),
        ("2024 Mar", "2024-03"),
        ("2024 Mar-Apr", "2024-03"),
        ("2024 Spring", "2024"),
        ("2023 Dec-2024 Jan", "2023-12"),
        ("3 days ago", "2026-06-27"),
        ("an hour ago", "2026-06-30"),
        ("12 hours ago", "2026-06-30"),
        ("2 weeks ago", "2026-06-16"),
        ("7 months ago", "2025-11"),
        ("2 years ago", "2024"),
        ("yesterday", "2026-06-29"),
        ("2024-02-30", None),
        ("2024-13-01", None),
        ("31/12/2024", None),
        ("Foo 5, 2024", None),
        ("1717171717", None),
        ("0000-00-00", None),
        ("9999 years ago", None),
        ("", None),
        (None, None),
        ("soon", None),
    ],
)
def test_every_spelling_is_read_as_far_as_it_goes(text: str | None, wanted: str | None):
    assert iso_date(text, TODAY) == wanted


@given(st.text(max_size=40))
def test_no_text_breaks_it_and_what_comes_is_a_date(text: str):
    found = iso_date(text, TODAY)
    assert found is None or len(found) in (4, 7, 10)
    if found is not None:
        assert iso_date(found, TODAY) == found


@given(st.dates(min_value=date(1000, 1, 1)))
def test_a_date_is_read_back(day: date):
    assert iso_date(day.isoformat(), TODAY) == day.isoformat()


@pytest.mark.parametrize(
    ("parts", "wanted"),
    [([2024, 5, 17], "2024-05-17"), ([2024, 5], "2024-05"), ([2024], "2024"), ([None], None), ([], None), (None, None),
     ([2024, None, 3], "2024"), ([2024, 13], None), ([0], None)],
)  # fmt: skip
def test_the_parts_of_crossref_are_a_date(parts: list[int | None] | None, wanted: str | None):
    assert from_parts(parts) == wanted


@given(st.integers(0, 4000), st.dates(min_value=date(2010, 1, 1), max_value=date(2030, 1, 1)))
def test_a_window_holds_its_days_and_no_others(days: int, day: date):
    window = Window.of(days, TODAY)
    assert window is not None
    assert window.holds(day.isoformat()) == (TODAY - timedelta(days=days) <= day <= TODAY)


def test_a_month_or_a_year_counts_if_it_has_a_day_of_the_window():
    window = Window.of(35, TODAY)
    assert window is not None
    assert [window.holds(text) for text in ("2026-05", "2026-04", "2026", "2025", "2026-07")] == [
        True, False, True, False, False,
    ]  # fmt: skip


def test_no_days_are_no_window():
    assert Window.of(None, TODAY) is None
