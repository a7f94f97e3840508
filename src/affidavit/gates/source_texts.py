"""The texts a draft is held against, made ready once: folded, and findable by exact words or by resemblance.

The fold is E3's and one thing more, for quotations alone: inside quotation marks a house style turns the marks of an
inner quotation into the other pair, so single, double and angle marks that stand outside words are one character here.
"""

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import unquote, urlsplit

from rapidfuzz import fuzz

from affidavit.evidence.characters import is_ideograph
from affidavit.evidence.fold import Folded, fold

WORD = re.compile(r"\w+(?:['.,’-]\w+)*")
_LABEL = re.compile(
    r"(?:^|\n)[^\S\n]*(?P<name>[A-ZÀ-Þ][\w.’'-]*(?:[^\S\n]+(?:[A-ZÀ-Þ][\w.’'-]*|of|de|van|von|al)){0,4})[^\S\n]*:\s"
)
_PROPER = re.compile(r"(?:(?:(?<!\w)[A-ZÀ-ÞА-Я]|(?<!\w)\d)[\w.’'&/-]*\s?)+")
_POSSESSIVE = re.compile(r"(?<=\w)['’]s?(?!\w)")
_MARK = re.compile(r"(?<!\w)'|'(?!\w)|[«»‹›「」『』]")
_TOKEN = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-zß-öø-ÿ]+|\d+|[^\W\d_A-Za-z]+")
# Spellings of one kind of part in addresses and names.
_SAME = {"sec": "section", "sect": "section", "app": "appendix", "ch": "chapter", "chap": "chapter", "fig": "figure"}
# A word that stands more often than this tells no place.
_TOO_COMMON = 150
# Passages compared letter by letter for one quotation.
CANDIDATES = 8


def level(folded: str) -> str:
    """Every quotation mark of a folded text as the straight double one; apostrophes inside words stay."""
    return _MARK.sub('"', folded)


@dataclass(frozen=True, slots=True)
class SourceText:
    """One source in plain text. `name` is its title or what people call it; `author` and `url` may be unknown.

    `breaks` are offsets that no quotation may cross, because something visible was left out there.
    """

    name: str
    text: str
    author: str | None = None
    url: str | None = None
    breaks: tuple[int, ...] = ()


@dataclass(frozen=True)
class PreparedSource:
    """A source with its fold. `text` is the fold with its quotation marks levelled, character for character."""

    source: SourceText
    folded: Folded
    text: str

    @classmethod
    def of(cls, source: SourceText) -> "PreparedSource":
        folded = fold(source.text)
        return cls(source, folded, level(folded.text))

    @cached_property
    def names(self) -> tuple[tuple[str, ...], ...]:
        """The words of title, author, host and path, each in order, lower case, numbers without leading zeros."""
        parts = urlsplit(self.source.url or "")
        host = ".".join(label for label in (parts.hostname or "").split(".")[:-1] if label != "www")
        texts = (self.source.name, self.source.author or "", host, unquote(parts.path))
        return tuple(name_words(text) for text in texts)

    @cached_property
    def speakers(self) -> tuple[tuple[int, str], ...]:
        """Where in the source's own text a turn of a conversation begins, and whose it is.

        A label counts when it comes back and another one does too: "Note:" and "Status:" head no turns.
        """
        labels = [(match.end(), match.group("name")) for match in _LABEL.finditer(self.source.text)]
        turns = Counter(name for _, name in labels)
        again = {name for name, count in turns.items() if count >= (2 if " " in name else 3)}
        return tuple(label for label in labels if label[1] in again) if len(again) > 1 else ()

    def word_at(self, offset: int) -> int:
        """The index of the word that holds or follows `offset` of the fold."""
        return min(bisect_right(self.words, offset, key=lambda word: word[1]), len(self.words) - 1)

    @cached_property
    def words(self) -> list[tuple[int, int]]:
        return [match.span() for match in WORD.finditer(self.text)]

    @cached_property
    def _places(self) -> dict[str, list[int]]:
        places: dict[str, list[int]] = defaultdict(list)
        for index, (start, end) in enumerate(self.words):
            places[self.text[start:end].lower()].append(index)
        return places

    def find(self, piece: str, begin: int = 0, limit: int | None = None) -> Iterator[tuple[int, int]]:
        """Where the folded `piece` stands from `begin` on, cut neither out of a word nor out of a figure."""
        text = self.text
        stop = len(text) if limit is None else min(limit, len(text))
        at = text.find(piece, begin, stop)
        while at >= 0:
            end = at + len(piece)
            if _whole(text, at, end) and not self._broken(at, end):
                yield at, end
            at = text.find(piece, at + 1, stop)

    def _broken(self, start: int, end: int) -> bool:
        if not self.source.breaks:
            return False
        first, last = self.folded.to_source(start, end)
        return any(first < cut < last for cut in self.source.breaks)

    def known(self, wanted: Sequence[str]) -> int:
        """How many of the words `wanted` it has: no passage of it has more."""
        return sum(word in self._places for word in wanted)

    def likely(self, wanted: Sequence[str]) -> list[tuple[int, int]]:
        """``(votes, slot)`` of the passages that hold most of the rarer words `wanted` in their order, best first."""
        places = self._places
        known = {word for word in wanted if word in places}
        usable = {word for word in known if len(places[word]) <= _TOO_COMMON}
        usable = usable or set(sorted(known, key=lambda word: len(places[word]))[:3])
        width = max(4, len(wanted))
        votes: Counter[int] = Counter()
        for index, word in enumerate(wanted):
            if word in usable:
                votes.update({slot for place in places[word] for slot in _slots(place - index, width)})
        return [(count, slot) for slot, count in votes.most_common(CANDIDATES)]

    def resembling(self, wanted: Sequence[str], slot: int) -> tuple[float, int, int]:
        """``(score 0 to 100, start, end)`` in the fold of what is most like the words `wanted` at a likely slot."""
        width = max(4, len(wanted))
        first = max(0, min(slot * width - width // 2, len(self.words) - 1))
        last = max(first + 1, min(len(self.words), slot * width + 2 * width + width // 2))
        return self._within(" ".join(wanted), self.words[first][0], self.words[last - 1][1])

    def _within(self, quoted: str, start: int, end: int) -> tuple[float, int, int]:
        window = self.text[start:end]
        lowered = window.lower()
        if len(lowered) != len(window) or len(window) <= len(quoted):
            return fuzz.ratio(quoted, lowered), start, end
        found = fuzz.partial_ratio_alignment(quoted, lowered)
        if found is None:
            return 0.0, start, end
        first, last = self._to_words(start + found.dest_start, start + found.dest_end)
        return found.score, first, last

    def _to_words(self, start: int, end: int) -> tuple[int, int]:
        text = self.text
        while start > 0 and text[start - 1].isalnum() and text[start].isalnum() and not is_ideograph(text[start]):
            start -= 1
        while end < len(text) and text[end].isalnum() and text[end - 1].isalnum() and not is_ideograph(text[end]):
            end += 1
        return start, end


def _slots(offset: int, width: int) -> tuple[int, int]:
    """A passage may lie across two slots, so it votes for both."""
    return offset // width, (offset + width // 2) // width


@dataclass(frozen=True)
class PreparedSources:
    """Sources folded once; checking a quotation is then a few substring searches in each."""

    sources: tuple[PreparedSource, ...]

    @classmethod
    def of(cls, sources: Iterable[SourceText]) -> "PreparedSources":
        return cls(tuple(PreparedSource.of(source) for source in sources))

    def named(self, name: str) -> tuple[int, ...]:
        """The sources that `name`, or a name in it, names: a run of words in title, author, host or path, or all of
        one's words in one of them."""
        wanted = [name_words(core) for core in cores(name)]
        return tuple(
            index
            for index, source in enumerate(self.sources)
            if any(words and _names(words, source.names) for words in wanted)
        )


def cores(name: str) -> tuple[str, ...]:
    """The whole, and the names in it: "the authors of PEP 703" holds "PEP 703", "Bo Roe of 18F" two."""
    runs = (match.group().strip() for match in _PROPER.finditer(name))
    return tuple(dict.fromkeys((name, *runs)))


def name_words(text: str) -> tuple[str, ...]:
    """The words of a name or address, lower case; numbers without leading zeros, possessives without their ending."""
    words = (match.group().lower().lstrip("0") or "0" for match in _TOKEN.finditer(_POSSESSIVE.sub("", text)))
    return tuple(_SAME.get(word, word) for word in words)


def _names(wanted: tuple[str, ...], names: Iterable[tuple[str, ...]]) -> bool:
    if any(word.isdigit() for word in wanted) or len(wanted) == 1:
        return any(wanted == name[at : at + len(wanted)] for name in names for at in range(len(name)))
    return any(set(wanted) <= set(name) for name in names)


def _whole(text: str, start: int, end: int) -> bool:
    """Whether ``[start, end)`` begins and ends where words and figures do: "able to" does not stand in "unable to"."""
    before, first = text[max(0, start - 2) : start], text[start]
    last, after = text[end - 1], text[end : end + 2]
    if before and first.isalnum():
        if before[-1].isalnum() and not (is_ideograph(first) or is_ideograph(before[-1]) or _spaceless(first)):
            return False
        if before[-1] == "-" and before[:1].isalnum():
            return False
        if first.isdigit() and (before[-1] in "$€£¥₹-±" or (before[-1] in ".," and before[:1].isdigit())):
            return False
    if after and last.isalnum():
        if after[0].isalnum() and not (is_ideograph(last) or is_ideograph(after[0]) or _spaceless(last)):
            return False
        if after[0] == "-" and after[1:].isalnum():
            return False
        if last.isdigit() and (after[0] in "%‰" or (after[0] in ".,:/" and after[1:].isdigit())):
            return False
        if after[0] == "'" and after[1:].isalpha():
            return False
    return True


def _spaceless(character: str) -> bool:
    """Thai, Lao, Khmer, Burmese: words follow each other without a space."""
    return "\u0e00" <= character <= "\u0eff" or "\u1000" <= character <= "\u109f" or "\u1780" <= character <= "\u17ff"
