"""Words as the keyless jobs compare them: lower case, stemmed, identifiers kept whole.

``SP 800-63B`` has the terms ``sp`` and ``800-63b``; ``lock-file`` has ``lock-fil`` and also its parts. Scripts
without spaces between words (Han, kana, Thai) are cut into overlapping pairs of characters.
"""

import re
import tomllib
from functools import lru_cache
from importlib.resources import files

import snowballstemmer

_WORD = re.compile(r"[^\W_](?:[\w.\-+/&'’]*[\w+#])?")
_UNSPACED = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\U00020000-\U0002ffff]+")
_JOINT = re.compile(r"[-/.'’&]")
_STEMMER = snowballstemmer.stemmer("english")

_ENGLISH = tomllib.loads(files("affidavit.ranking").joinpath("english.toml").read_text(encoding="utf-8"))
IRREGULAR: dict[str, str] = _ENGLISH["irregular"]
STOP_WORDS = frozenset[str](_ENGLISH["stop_words"].split())


@lru_cache(maxsize=200_000)
def stem(word: str) -> str:
    """The term of one word: lower case, possessive off, past form to its verb, then Snowball's English stem."""
    word = word.lower().replace("’", "'").removesuffix("'s").removesuffix("'")
    if any(character.isdigit() for character in word):
        return word
    return _STEMMER.stemWord(IRREGULAR.get(word, word))


def words(text: str) -> list[str]:
    """The words of `text` as they stand; a run of unspaced script gives its overlapping pairs of characters."""
    found: list[str] = []
    for match in _WORD.finditer(text):
        word = match.group()
        if not word.isascii() and _UNSPACED.search(word):
            for run in _UNSPACED.findall(word):
                found += [run[i : i + 2] for i in range(len(run) - 1)] or [run]
            found += [rest for rest in _UNSPACED.split(word) if rest]
        else:
            found.append(word)
    return found


@lru_cache(maxsize=200_000)
def parts(word: str) -> tuple[str, ...]:
    """The stems of a compound's parts, empty for a simple word and for an identifier (one with a digit in it):
    ``800-63B-4`` is another thing than ``800-63B``."""
    if any(character.isdigit() for character in word):
        return ()
    pieces = [piece for piece in _JOINT.split(word) if len(piece) > 1]
    return tuple(stem(piece) for piece in pieces) if len(pieces) > 1 else ()


def terms(text: str) -> frozenset[str]:
    """The set of terms of `text`, a compound's parts included."""
    found: set[str] = set()
    for word in words(text):
        found.add(stem(word))
        found.update(parts(word))
    return frozenset(found)


GENERIC = frozenset(stem(word) for word in _ENGLISH["generic"].split())
"""Stems of words of asking rather than of the subject."""
