"""Expressions that hold a number and state none: "24/7", "one in a million", "Part 2 of 5", "a hundred reasons".

The table lists expressions, each a regular expression over the words as written. One that could also state a quantity
is not in it: "half of our clients" is a figure, "half the battle" none.
"""

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

# A blank that stands by itself, not among the characters of a set.
_BLANK = re.compile(r" (?![^\[\]]*\])")
BLANKS = r"(?:[ \\u00a0\\n]+)"


@cache
def _rows() -> Mapping[str, list[str]]:
    text = files("affidavit.write").joinpath("set_phrases.toml").read_text(encoding="utf-8")
    return {name: table["expressions"] for name, table in tomllib.loads(text).items()}


@cache
def _pattern() -> re.Pattern[str]:
    return re.compile("|".join(expression(one) for row in _rows().values() for one in row), re.IGNORECASE)


def expression(written: str) -> str:
    """A row of a table as a regular expression: any white space for a blank, between word boundaries."""
    return rf"(?<![\w])(?:{_BLANK.sub(BLANKS, written)})(?!\w)"


def set_phrases(text: str) -> tuple[tuple[int, int], ...]:
    """Where such expressions stand, in order."""
    return tuple(match.span() for match in _pattern().finditer(text))
