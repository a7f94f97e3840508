"""Patterns that read what strangers wrote take one pass over it: on the worst of a megabyte, where one that takes the
square of its length would still be at work when the suite's time for a test is over."""

import re

import pytest

from affidavit.check import parts, table
from affidavit.extract import block_page, line_joins
from affidavit.ranking import dedupe

LONG = 1_000_000
SPACES = f"a{' ' * LONG}b"


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (line_joins._LAST_PART, f"{'a' * LONG}.b"),
        (line_joins._LAST_PART, f"{'a-' * (LONG // 2)}.b"),
        (line_joins._LAST_PART, f"{'-' * LONG}.b"),
        (block_page._TITLE_PARTS, SPACES),
        (dedupe._SEPARATOR, SPACES),
        (dedupe._SEPARATOR, f"a {'-' * LONG}b"),
        (parts._JOINT, SPACES),
        (parts._JOINT, f"a,{' ' * LONG}b"),
        (parts._COMMA, SPACES),
        (table._NAMED, "Ä" * LONG),
        (table._NAMED, "aÄ" * (LONG // 2)),
        (table._NAMED, "a" * LONG),
    ],
    ids=lambda given: given.pattern[:12] if isinstance(given, re.Pattern) else f"{given[:4]}…",
)
def test_a_pattern_takes_one_pass_over_its_worst_text(pattern: re.Pattern[str], text: str):
    assert [match.span() for match in pattern.finditer(text)] in ([], [(1, LONG + 2)])


def test_an_address_of_nothing_but_its_beginnings_is_looked_at_once():
    assert line_joins.Joiner(()).join(["www." * (LONG // 4) + "x", "y"]).endswith("x y")
    assert line_joins.Joiner(()).join(["see https://a.example/", "b"]) == "see https://a.example/b"
