"""The tables of `words.toml`, read once and looked up by tuples of words."""

import tomllib
from functools import lru_cache
from importlib.resources import files
from typing import Any

from snowballstemmer import stemmer

Phrases = dict[tuple[str, ...], tuple[tuple[str, str], ...]]

# Of the kinds that a phrase may be, the first that is meant: "no more than" is a bound before a figure.
_KINDS = ("bound", "not_negation", "modality", "negation", "quantifier", "only", "condition")


@lru_cache(maxsize=1)
def table() -> dict[str, Any]:
    """The file as it stands."""
    return tomllib.loads(files("affidavit.gates.polarity").joinpath("words.toml").read_text(encoding="utf-8"))


@lru_cache(maxsize=1)
def _stemmer() -> Any:
    return stemmer("english")


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """The English stem of a lower-case word (Snowball)."""
    return str(_stemmer().stemWord(word))


@lru_cache(maxsize=1)
def stop_words() -> frozenset[str]:
    return frozenset(table()["stop"].split())


def split_phrases(text: str) -> list[tuple[str, ...]]:
    """``a|b c`` as tuples of words."""
    return [tuple(one.split()) for one in " ".join(text.split()).split("|") if one.split()]


@lru_cache(maxsize=1)
def phrases() -> Phrases:
    """Every operator phrase with the kinds and values that it may have."""
    read = table()
    rows: list[tuple[str, str, str]] = [("not_negation", "", read["negation"]["not_negators"])]
    rows += [("bound", value, text) for value, text in read["bounds"].items()]
    rows += [("modality", value, text) for value, text in read["modality"].items()]
    rows += [("negation", value, read["negation"][value]) for value in ("negators", "lexical", "foreign")]
    rows += [("quantifier", value, text) for value, text in read["quantifiers"].items()]
    rows += [("only", "", read["scope"]["only"]), ("condition", "", read["scope"]["conditions"])]
    found: Phrases = {}
    for kind, value, text in sorted(rows, key=lambda row: _KINDS.index(row[0])):
        for phrase in split_phrases(text):
            found[phrase] = (*found.get(phrase, ()), (kind, value))
    return found


@lru_cache(maxsize=1)
def longest_phrase() -> int:
    return max(map(len, phrases()))


@lru_cache(maxsize=1)
def opposites() -> dict[str, frozenset[str]]:
    """Each word to the words that deny it."""
    found: dict[str, set[str]] = {}
    for row in table()["opposites"]["rows"]:
        left, right = (half.split() for half in row.split("|"))
        for words, others in ((left, right), (right, left)):
            for word in words:
                found.setdefault(word, set()).update(others)
    return {word: frozenset(others) for word, others in found.items()}


@lru_cache(maxsize=1)
def sorts() -> dict[str, dict[str, frozenset[str]]]:
    """By the code of a finding: each word to the others of its sort, which exclude it."""
    return {"other_period": _excluding("periods"), "other_kind": _excluding("sorts")}


def _excluding(key: str) -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for row in table()["opposites"][key]:
        words = frozenset(row.split())
        for word in words:
            found[word] = found.get(word, frozenset()) | (words - {word})
    return found


@lru_cache(maxsize=1)
def prepositions() -> dict[str, frozenset[str]]:
    """Each preposition to its opposites; phrases by their first word that is no stop word of phrases."""
    found: dict[str, set[str]] = {}
    for row in table()["opposites"]["prepositions"]:
        left, right = (half.split() for half in row.split("|"))
        left, right = ([word for word in half if word not in ("to", "of", "in", "from")] for half in (left, right))
        for words, others in ((left, right), (right, left)):
            for word in words:
                found.setdefault(word, set()).update(others)
    return {word: frozenset(others) for word, others in found.items()}


@lru_cache(maxsize=8)
def word_set(section: str, key: str) -> frozenset[str]:
    return frozenset(table()[section][key].replace("|", " ").split())
