"""Verbs that call to act, and words that say how often."""

import re
import tomllib
from functools import lru_cache
from importlib.resources import files


@lru_cache(maxsize=1)
def _table() -> dict[str, str]:
    return tomllib.loads(files("affidavit.check").joinpath("words.toml").read_text(encoding="utf-8"))


@lru_cache(maxsize=1)
def imperatives() -> frozenset[str]:
    """Verbs that begin a call to act."""
    return frozenset(_table()["imperatives"].split())


def periods(text: str) -> dict[str, tuple[int, int]]:
    """How often, where `text` says it: the period and its first place."""
    found: dict[str, tuple[int, int]] = {}
    for match in _PERIOD.finditer(text):
        word = match.group().lower().split()[-1].removesuffix("-basis")
        found.setdefault(_PERIODS.get(word, word), match.span())
    return found


_PERIODS = {
    "hourly": "hour",
    "daily": "day",
    "nightly": "day",
    "weekly": "week",
    "fortnightly": "fortnight",
    "monthly": "month",
    "quarterly": "quarter",
    "yearly": "year",
    "annually": "year",
    "annual": "year",
}
_PERIOD = re.compile(
    r"\b(?:hourly|daily|nightly|weekly|fortnightly|monthly|quarterly|yearly|annually"
    r"|(?:once|twice|times) (?:a|an|per|each|every) (?:hour|day|week|fortnight|month|quarter|year)"
    r"|(?:every|each) (?:hour|day|week|fortnight|month|quarter|year))\b",
    re.IGNORECASE,
)
