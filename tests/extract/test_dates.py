"""Dates in running text, in many hands."""

from datetime import date
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affidavit.extract.dates import begins, find_dates, iso_prefix, words

WRITTEN = [
    ("12 June 2019", "2019-06-12"),
    ("12th of June, 2019", "2019-06-12"),
    ("June 12, 2019", "2019-06-12"),
    ("Jun. 12th 2019", "2019-06-12"),
    ("Sept. 3, 2020", "2020-09-03"),
    ("05-Aug-2002", "2002-08-05"),
    ("2019-06-12T10:00:00Z", "2019-06-12"),
    ("2019/06/12", "2019-06-12"),
    ("12. März 2020", "2020-03-12"),
    ("1. Jänner 2021", "2021-01-01"),
    ("le 1er août 2019", "2019-08-01"),
    ("12 de junio de 2019", "2019-06-12"),
    ("13 de dezembro de 2022", "2022-12-13"),
    ("3 maggio 2018", "2018-05-03"),
    ("3 mei 2018", "2018-05-03"),
    ("12 czerwca 2019", "2019-06-12"),
    ("12 ноября 2020 г.", "2020-11-12"),
    ("2019年6月12日", "2019-06-12"),
    ("2019년 6월 12일", "2019-06-12"),
    ("2019. 6. 12.", "2019-06-12"),
    ("31.12.2019", "2019-12-31"),
    ("4.5.2021", "2021-05-04"),
    ("10/31/2020", "2020-10-31"),
    ("31/10/2020", "2020-10-31"),
    ("June 2017", "2017-06"),
    ("mars 2021", "2021-03"),
    ("2019年6月", "2019-06"),
]


@pytest.mark.parametrize(("text", "value"), WRITTEN)
def test_a_date_is_read_as_its_writer_meant_it(text: str, value: str) -> None:
    found = find_dates(f"Opened {text} by the mayor", None)
    assert [one.value for one in found] == [value]


@pytest.mark.parametrize(
    "text",
    [
        "version 3.11.7",
        "10.12.2019.3",
        "May",
        "in 2019",
        "31 February 2020",
        "13/13/2020",
        "call 020 2019 2020",
        "1,2019-06-12",
    ],
)
def test_what_is_no_date_is_not_read_as_one(text: str) -> None:
    assert find_dates(text, None) == []


@pytest.mark.parametrize(
    ("language", "value", "readings"),
    [
        (None, "2021", ("2021-05-04", "2021-04-05")),
        ("en", "2021", ("2021-05-04", "2021-04-05")),
        ("en-us", "2021-04-05", ()),
        ("en-gb", "2021-05-04", ()),
        ("de", "2021-05-04", ()),
        ("fr-ca", "2021-05-04", ()),
        ("ja", "2021", ("2021-05-04", "2021-04-05")),
    ],
)
def test_an_ambiguous_date_is_settled_by_the_language_or_left_at_its_year(
    language: str | None, value: str, readings: tuple[str, ...]
) -> None:
    (found,) = find_dates("04/05/2021", language)
    assert (found.value, found.readings) == (value, readings)


def test_a_date_with_equal_day_and_month_is_not_ambiguous() -> None:
    assert find_dates("05/05/2021", None)[0].value == "2021-05-05"


def test_dates_come_in_order_and_do_not_overlap() -> None:
    found = find_dates("From 3 May 2019 to 2019-06-12 and June 2020", None)
    assert [one.value for one in found] == ["2019-05-03", "2019-06-12", "2020-06"]
    assert all(left.end <= right.start for left, right in pairwise(found))


@given(st.dates(date(1800, 1, 1), date(2099, 12, 31)), st.sampled_from(["{:%Y-%m-%d}", "{:%d %B %Y}", "{:%B %d, %Y}"]))
def test_a_date_written_plainly_is_read_back(day: date, form: str) -> None:
    assert [one.value for one in find_dates(form.format(day), None)] == [day.isoformat()]


@given(st.text(max_size=200))
def test_any_text_is_read_without_error_and_within_its_bounds(text: str) -> None:
    for one in find_dates(text, None):
        assert 0 <= one.start < one.end <= len(text)
        begins(one.value)


def test_no_month_word_means_two_months() -> None:
    assert words().months["listopada"] == 11
    assert all(1 <= month <= 12 for month in words().months.values())


@pytest.mark.parametrize(
    ("stamp", "value"),
    [
        ("2019-06-12T08:00:00+02:00", "2019-06-12"),
        ("20190612", "2019-06-12"),
        ("2019-06", "2019-06"),
        ("2019", "2019"),
        ("2019-13", None),
        ("2019-02-30", None),
        ("yesterday", None),
        ("Wed Mar 12 2014 14:11:00", None),
    ],
)
def test_a_machines_stamp_gives_its_date_part(stamp: str, value: str | None) -> None:
    assert iso_prefix(stamp) == value
