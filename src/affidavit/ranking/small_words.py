"""The words that a job leaves out of its comparison, by job: tables of `small_words.toml`."""

import tomllib
from importlib.resources import files

_TABLE: dict[str, str] = tomllib.loads(
    files("affidavit.ranking").joinpath("small_words.toml").read_text(encoding="utf-8")
)


def small_words(job: str) -> frozenset[str]:
    """The small words of `job`, lower case. KeyError for a job without a table."""
    return frozenset(_TABLE[job].split())
