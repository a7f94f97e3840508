"""Which words say exactly the same: one key for "three" and "3", "colour" and "color", "begin" and "start"."""

import tomllib
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files

from affidavit.gates.polarity.reading import Word
from affidavit.gates.polarity.table import split_phrases, stem

_SPELLINGS = (("isation", "ization"), ("ising", "izing"), ("ised", "ized"), ("ise", "ize"), ("our", "or"))
# A word this short is spelled one way: "four" is no "for".
_SPELLED = 6


@lru_cache(maxsize=1)
def _tables() -> dict[str, str]:
    return tomllib.loads(files("affidavit.verify.containment").joinpath("words.toml").read_text(encoding="utf-8"))


@lru_cache(maxsize=32)
def word_set(name: str) -> frozenset[str]:
    """One table of `words.toml`."""
    return frozenset(_tables()[name].split())


@lru_cache(maxsize=1)
def _same() -> dict[str, str]:
    found = {word: str(value) for value, word in enumerate(_tables()["numbers"].split())}
    for group in split_phrases(_tables()["same"]):
        for word in group:
            found.setdefault(stem(word), stem(group[0]))
    return found


@lru_cache(maxsize=65536)
def _key(text: str, stemmed: str) -> str:
    if text in _same():
        return _same()[text]
    if text[:1].isdigit():
        return text.replace(",", "")
    if len(text) >= _SPELLED:
        for british, american in _SPELLINGS:
            if text.endswith(british):
                stemmed = stem(text.removesuffix(british) + american)
                break
    return _same().get(stemmed, stemmed)


def spells_sign(words: Sequence[Word], index: int) -> bool:
    """Whether word `index` spells the sign of the figure before it, "percent" for "%". No reading has a word for the
    sign; that the figures have one unit is what the gate of numbers sees to."""
    text = words[index].text
    if text == "per":
        return index + 1 < len(words) and words[index + 1].text == "cent" and _follows_figure(words, index)
    if text == "cent":
        return index > 0 and words[index - 1].text == "per" and _follows_figure(words, index - 1)
    return text in ("percent", "pct") and _follows_figure(words, index)


def _follows_figure(words: Sequence[Word], index: int) -> bool:
    return index > 0 and words[index - 1].text[:1].isdigit()


def key(word: Word) -> str:
    """Two words with one key are one word to a reader."""
    return _key(word.text, word.stem)
