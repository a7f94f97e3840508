"""Whom and what a claim names, and whether the text it is held against names them too.

A verifier trained on likeness passes "Meteora is by Linkin Park" beside a text that never names Linkin Park. A name
has no paraphrase, only a few other spellings: a possessive, an acronym, a surname alone, an adjective of the country.
Those are known here by rule; what is left is not there.

Measured on verify/dev: 4.9% of the SUPPORTED pairs of those sets whose spans hold what the claim says, 8.2% with
fool_me_twice and citation_integrity, whose spans leave names to the reader; 24% of the NOT_SUPPORTED, 44% of the
PARTIAL.

The claim's names are read off its capitals, so this is for scripts and languages that write names with them, and not
for German, which writes every noun so.
"""

import re
import tomllib
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.resources import files
from typing import Any

from affidavit.evidence.sentences import sentences
from affidavit.gates.finding import Finding, Severity
from affidavit.gates.polarity.table import stem, stop_words

__all__ = ["VERSION", "Name", "Named", "check_names", "names"]

VERSION = "names/1"

_WORD = re.compile(r"(?:[A-Z]\.){2,}|[^\W_]+(?:['’][^\W\d_]+)?")
# Periods are figures: the gate for figures compares them.
_PERIOD = re.compile(r"(?:q[1-4]|h[12]|fy)\d*$")
_POSSESSIVE = re.compile(r"['’]s?$", re.IGNORECASE)
# Inside a name, lower case: "the Bank of England", "Ludwig van Beethoven".
_JOINING = frozenset("of the de la le du da van von der den and for del di el al bin ibn y".split())
# Words of an expansion that an acronym may pass over.
_PASSED = frozenset("of the and for in on to a an de la".split())
_PRONOUNS = frozenset("he she it they his her its their".split())
# Letters of a word that is no small word.
_LONG = 5
# A run of words in capitals longer than this is a heading or a shout.
_LONGEST = 8


@dataclass(frozen=True, slots=True)
class Name:
    """One name of a text: its words as written, and ``[start, end)`` in the text."""

    words: tuple[str, ...]
    places: tuple[tuple[int, int], ...]

    @property
    def start(self) -> int:
        return self.places[0][0]

    @property
    def end(self) -> int:
        return self.places[-1][1]


def check_names(claim: str, span: str) -> tuple[Finding, ...]:
    """A CAP finding at each name of the claim that the span does not have in any spelling known here."""
    held, own = Named.of(span), Named.of(claim)
    found: list[Finding] = []
    for index, name in enumerate(names(claim)):
        missing = own.unexplained(name, held.lacks(name))
        if len(missing) == len(name.words) and index == 0 and held.leans and _opens(claim, name):
            continue  # the span's "she" may be whom the claim speaks of, and nothing in the span says who it is
        if missing:
            start, end = missing[0][0], missing[-1][1]
            message = f"The passage does not name “{claim[start:end]}”."
            found.append(Finding("name_not_there", message, start, end, Severity.CAP))
    return tuple(found)


def _opens(text: str, name: Name) -> bool:
    return text[: name.start].strip(" \n\"'“‘(*") in ("", "The")


def names(text: str) -> tuple[Name, ...]:
    """The names of `text`, in order. A lone capitalised word that opens a sentence is none: nothing tells it from any
    other word; neither is anything in a sentence whose words are all written with capitals."""
    return tuple(name for start, end in sentences(text, "en") for name in _of_sentence(text, start, end))


def _of_sentence(text: str, start: int, end: int) -> Iterator[Name]:
    tokens = [(match.group(), match.start(), match.end()) for match in _WORD.finditer(text, start, end)]
    if _headline(tokens):
        return
    run: list[tuple[str, int, int]] = []
    opening = False
    for index, token in enumerate(tokens):
        word, at, _ = token
        gap = text[tokens[index - 1][2] : at] if index else ""
        joined = bool(run) and gap.strip() in ("", "-", "‑", "–", "&", "/", ".") and "\n" not in gap
        if run and not joined:
            yield from _name(run, opening)
            run = []
        capital = _capital(word)
        opens = index == 0 or re.search(r"[.!?:;\n“\"(\[]", gap) is not None
        if capital and not (fold(word) in stop_words() and word not in ("US", "IT", "WHO") and (opens or not run)):
            opening = opens if not run else opening
            run.append(token)
        elif run and word in _JOINING and _goes_on(text, tokens, index):
            run.append(token)
        elif run:
            yield from _name(run, opening)
            run = []
    if run:
        yield from _name(run, opening)


def _headline(tokens: list[tuple[str, int, int]]) -> bool:
    """Whether capitals tell nothing: no word of weight is written small."""
    weighty = [word for word, _, _ in tokens if word.lower() not in stop_words() and word[:1].isalpha()]
    return len(weighty) > 4 and not any(word[0].islower() for word in weighty)


def _goes_on(text: str, tokens: list[tuple[str, int, int]], index: int) -> bool:
    """Whether a joining word stands inside a name. "And" never does: "Spain and France" are two."""
    if tokens[index][0] in ("and", "the", "for") or index + 1 >= len(tokens):
        return False
    following = tokens[index + 1]
    if following[0] in _JOINING and index + 2 < len(tokens):
        following = tokens[index + 2]
    return _capital(following[0]) and not re.search(r"[,.;:()]", text[tokens[index][2] : following[1]])


def _name(run: list[tuple[str, int, int]], opening: bool) -> Iterator[Name]:
    while run and not _capital(run[-1][0]):
        run = run[:-1]
    if len(run) > _LONGEST:
        return
    first = run[0][0]
    marked = any(letter.isupper() for letter in first[1:]) or fold(first) in _spellings()
    if opening and len(run) == 1 and not marked:
        return
    while len(run) > 1 and fold(run[0][0]) in _set("titles"):
        run = run[1:]
    while len(run) > 1 and fold(run[-1][0]) in _set("forms"):
        run = run[:-1]
    kept = [token for token in run if _capital(token[0]) and _tells(fold(token[0]))]
    if kept:
        yield Name(tuple(word for word, _, _ in kept), tuple((start, end) for _, start, end in kept))


def _capital(word: str) -> bool:
    """Whether a word has a capital: "Acme", "iPhone"."""
    return any(letter.isupper() for letter in word)


def _tells(word: str) -> bool:
    return word not in _set("light") and len(word) > 1 and _PERIOD.match(word) is None


@lru_cache(maxsize=65536)
def fold(word: str) -> str:
    """A word without case, diacritics, points and possessive."""
    plain = unicodedata.normalize("NFKD", word.replace("ß", "ss").replace("ł", "l").replace("ø", "o"))
    plain = "".join(letter for letter in plain if not unicodedata.combining(letter)).lower()
    return _POSSESSIVE.sub("", plain.replace(".", "")).replace("’", "'")


@dataclass(frozen=True)
class Named:
    """A text that names are looked up in. `words` are its words, folded, in order; `capital` which are written so."""

    words: tuple[str, ...]
    capital: tuple[bool, ...]

    @classmethod
    def of(cls, text: str) -> "Named":
        found = [match.group() for match in _WORD.finditer(text)]
        return cls(tuple(map(fold, found)), tuple(map(_capital, found)))

    @cached_property
    def forms(self) -> frozenset[str]:
        """Words, their stems, and neighbours written together ("You Tube")."""
        pairs = {left + right for left, right in zip(self.words, self.words[1:], strict=False)}
        return frozenset(self.words) | {stem(word) for word in self.words} | pairs

    @cached_property
    def other_spellings(self) -> frozenset[str]:
        """The words of every other spelling of a name that stands in the text."""
        text = f" {' '.join(self.words)} "
        rows = {row for word in self.forms for row in _spellings().get(word, ())}
        return frozenset(
            word
            for row in rows
            if any(f" {phrase} " in text for phrase in row)
            for phrase in row
            for word in phrase.split()
        )

    @property
    def leans(self) -> bool:
        """Whether the text begins with a word for what stood before it: "she", "the film"."""
        thing = self.words[:1] == ("the",) and not any(self.capital[1:3])
        return thing or (bool(self.words) and self.words[0] in _PRONOUNS)

    def unexplained(self, name: Name, missing: tuple[tuple[int, int], ...]) -> tuple[tuple[int, int], ...]:
        """`missing`, unless the text itself says what the acronym is short for, beside words that are held."""
        letters = name.words[0].removesuffix("s")
        return () if len(name.words) == 1 and letters.isupper() and self._spells_out(fold(letters)) else missing

    def _spells_out(self, letters: str) -> bool:
        """Whether words in a row, small or capital, begin with the letters. Two letters would fit any text, so of two
        both words have to be long."""
        return letters in self._firsts[len(letters) == 2]

    @cached_property
    def _firsts(self) -> tuple[str, str]:
        """The first letters of all words in a row, and with a blank for every short word."""
        return (
            "".join(word[:1] or " " for word in self.words),
            "".join(word[0] if len(word) >= _LONG else " " for word in self.words),
        )

    @cached_property
    def initials(self) -> frozenset[str]:
        """What the text has acronyms for: the first letters of every run of up to six words that begins and ends with
        a capital, with and without its small words."""
        found: set[str] = set()
        for first in range(len(self.words)):
            if not self.capital[first]:
                continue
            letters = bare = ""
            for index in range(first, min(first + 9, len(self.words))):
                letters += self.words[index][:1]
                if self.words[index] not in _PASSED:
                    bare += self.words[index][:1]
                found |= {letters, bare}
        return frozenset(found)

    def lacks(self, name: Name) -> tuple[tuple[int, int], ...]:
        """The places of those words of the name that the text does not have; empty where it has the name."""
        held = [self._holds(word) for word in name.words]
        held = [one or (held[-1] and self._short_form(word)) for one, word in zip(held, name.words, strict=True)]
        missing = tuple(place for place, one in zip(name.places, held, strict=True) if not one)
        if not missing or self._abbreviated(name) or self._surname(name, held) or self._without_kind(name, held):
            return ()
        return missing

    def _holds(self, word: str) -> bool:
        plain = fold(word)
        if plain in self.forms or stem(plain) in self.forms or plain in self.other_spellings:
            return True
        if any(fold(part) in self.forms for part in (plain.removesuffix("s"), plain.removesuffix("es"))):
            return True
        letters = word.removesuffix("s")
        if letters.isupper() and 2 <= len(plain) <= 6:
            short = fold(letters)
            if short in self.initials or self._spells_out(short):
                return True
        return any(_kin(plain, other) for other in self.forms)

    def _abbreviated(self, name: Name) -> bool:
        """Whether the text has the name as its initials."""
        letters = "".join(fold(word)[:1] for word in name.words)
        return len(letters) > 1 and letters in self.forms

    def _short_form(self, word: str) -> bool:
        """``Tim`` for Timothy, where the surname stands in the text."""
        plain = fold(word)
        return len(plain) >= 3 and any(
            capital and (other.startswith(plain) or (len(other) >= 3 and plain.startswith(other)))
            for other, capital in zip(self.words, self.capital, strict=True)
        )

    def _without_kind(self, name: Name, held: list[bool]) -> bool:
        """``Yale`` for Yale University: the text leaves out only what sort of thing it is."""
        return len(name.words) > 1 and all(held[:-1]) and fold(name.words[-1]) in _set("kinds")

    def _surname(self, name: Name, held: list[bool]) -> bool:
        """Whether the text has the last word of the name, never behind another first name."""
        if len(name.words) < 2 or not held[-1]:
            return False
        if any(fold(word) in _set("telling") or (word.isupper() and len(word) > 1) for word in name.words[:-1]):
            return False
        last = fold(name.words[-1])
        mine = {fold(word) for word in name.words} | _set("light") | _set("titles")
        before = {
            self.words[index - 1]
            for index in range(1, len(self.words))
            if self.words[index] == last and self.capital[index - 1] and self.words[index - 1] not in stop_words()
        }
        return before <= mine


def _kin(word: str, other: str) -> bool:
    """``Paris`` and ``Parisian``: one is the other with an ending, or their stems with one each."""
    if word[:4] != other[:4] or len(word) < 4 or len(other) < 4:
        return False
    for left, right in ((word, other), (other, word)):
        for ending in _endings():
            root = left.removesuffix(ending)
            if root != left and len(root) >= 4 and right.startswith(root) and len(right) - len(root) <= 2:
                return True
    return False


@lru_cache(maxsize=1)
def _table() -> dict[str, Any]:
    return tomllib.loads(files("affidavit.gates").joinpath("names.toml").read_text(encoding="utf-8"))


@lru_cache(maxsize=8)
def _set(key: str) -> frozenset[str]:
    return frozenset(_table()[key].split())


@lru_cache(maxsize=1)
def _endings() -> tuple[str, ...]:
    return tuple(sorted(_table()["demonym_endings"].split(), key=len, reverse=True))


@lru_cache(maxsize=1)
def _spellings() -> dict[str, tuple[tuple[str, ...], ...]]:
    """Each word of a phrase of the tables to the rows that it is in."""
    found: dict[str, list[tuple[str, ...]]] = {}
    for row in (*_table()["aliases"], *_table()["demonyms"]):
        phrases = tuple(row.split("|"))
        for word in {word for phrase in phrases for word in phrase.split()}:
            found.setdefault(word, []).append(phrases)
    return {word: tuple(rows) for word, rows in found.items()}
