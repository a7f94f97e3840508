"""Words of manner, and other words for the same: tables of `vocabulary.toml`, by their stems."""

import tomllib
from collections import defaultdict
from functools import lru_cache
from importlib.resources import files

from affidavit.ranking.terms import STOP_WORDS, stem


@lru_cache(maxsize=1)
def _table() -> dict[str, str]:
    return tomllib.loads(files("affidavit.ranking").joinpath("vocabulary.toml").read_text(encoding="utf-8"))


@lru_cache(maxsize=1)
def light() -> frozenset[str]:
    """Stems of words that carry little of a claim."""
    return frozenset(stem(word) for word in _table()["light"].split())


def everyday(word: str) -> bool:
    """Whether a word is one that any text may have, capital or none: a function word, a word of these tables, or a form
    in -ing."""
    lower = word.lower()
    term = stem(lower)
    return lower in STOP_WORDS or term in light() or term in _groups() or (lower.endswith("ing") and len(lower) > 6)


def similar(term: str) -> frozenset[str]:
    """The stems of other words that say what `term` says; empty for most."""
    return _groups().get(term, frozenset())


@lru_cache(maxsize=1)
def _groups() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for group in _table()["synonyms"].split("|"):
        stems = {stem(word) for word in group.split()}
        for one in stems:
            found[one] |= stems - {one}
    return {term: frozenset(others) for term, others in found.items()}
