"""One hit for each page, judged by what a search result shows: address, title, snippet.

The same address in another spelling is the same page. Beyond that a title is weak evidence, and its strength
depends on where the other one stands: on another site, one headline over two addresses is one wire report; on the
same site, every issue of a series has nearly one title. So titles on one site merge only where the snippets agree
too. A title that differs in a number or in a word of its own is another title, however alike the letters are:
"PEP 8100" and "PEP 8101", "managing" and "preventing" technical debt.

What a hit was merged into is kept. Copies that reword the headline show only in their text: see `independence`.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from rapidfuzz import fuzz

from affidavit.ranking.canonical import canonical_url, host, registrable_domain
from affidavit.ranking.hit import Hit

# The seed's bound on the similarity of titles. Over all pairs of the 1,437 titles of the three real sites, the
# bare bound joins 6,378, of which one pair is the same text; the rules below join none of those that differ.
NEAR = 0.88
# A title of fewer words ("Home", "Guides", "Press release") says nothing about which page it stands over.
TITLE_WORDS = 4
# A part this long can stand for the whole title, if the other parts are no longer than a site's name.
HEADLINE_WORDS = 6
SITE_WORDS = 4
SNIPPET_WORDS = 8

_SEPARATOR = re.compile(r"(?<=\s)[|\-–—·»:]+(?=\s)|\|\||::|(?<=\s)\|")
_WORD = re.compile(r"\w+")
_FILLERS = frozenset(("a", "an", "the", "of", "in", "on", "at", "to", "and", "as", "by", "its", "is", "are"))


class Why(StrEnum):
    SAME_ADDRESS = "same_address"
    SAME_TITLE = "same_title"


@dataclass(frozen=True, slots=True)
class Merged:
    """A hit that was left out, the kept hit that stands for it, and why they are taken to be one page."""

    hit: Hit
    into: Hit
    why: Why


@dataclass(frozen=True, slots=True)
class Deduped:
    """`kept` is a subsequence of the hits; every other hit is in `merged`, once."""

    kept: tuple[Hit, ...]
    merged: tuple[Merged, ...]


def dedupe(hits: Sequence[Hit], near: float = NEAR) -> Deduped:
    """Keep the first of each page's hits, in order. Raises UserError for a hit whose URL is none."""
    by_address: dict[str, Hit] = {}
    kept: list[_Read] = []
    merged: list[Merged] = []
    for hit in hits:
        address = canonical_url(hit.url)
        if address in by_address:
            merged.append(Merged(hit, by_address[address], Why.SAME_ADDRESS))
            continue
        read = _Read.of(hit)
        twin = next((other.hit for other in kept if _same_report(read, other, near)), None)
        by_address[address] = twin or hit
        if twin is None:
            kept.append(read)
        else:
            merged.append(Merged(hit, twin, Why.SAME_TITLE))
    return Deduped(tuple(read.hit for read in kept), tuple(merged))


def same_title(one: str, other: str, near: float = NEAR) -> bool:
    """Whether two titles say the same: near in letters, with the same numbers and no word that only one has.

    Case, punctuation, articles and another spelling ("e-mail", "email") do not count; nor does a short part beside
    a headline, set off by a bar or a dash and without a number, since that is a site's name.
    """
    return any(_same_words(a, b, near) for a in _titles(one) for b in _titles(other))


@dataclass(frozen=True, slots=True)
class _Read:
    """A hit taken apart once: its domain, the readings of its title, and the words of its snippet."""

    hit: Hit
    domain: str
    titles: tuple[tuple[str, ...], ...]
    snippet: tuple[str, ...]

    @classmethod
    def of(cls, hit: Hit) -> "_Read":
        return cls(hit, registrable_domain(hit.url), _titles(hit.title, host(hit.url)), _words(hit.snippet))


def _same_report(one: _Read, other: _Read, near: float) -> bool:
    alike = [(first, second) for first in one.titles for second in other.titles if _same_words(first, second, near)]
    if not alike:
        return False
    if one.domain != other.domain and max(min(map(len, pair)) for pair in alike) >= TITLE_WORDS:
        return True
    long_enough = min(len(one.snippet), len(other.snippet)) >= SNIPPET_WORDS
    return long_enough and _same_words(one.snippet, other.snippet, near)


def _titles(title: str, site: str = "") -> tuple[tuple[str, ...], ...]:
    """What a title may say once the site's name is off: all parts but those that name `site`; the headline alone."""
    parts = [words for words in map(_words, _SEPARATOR.split(title)) if words]
    squeezed = "".join(_words(site))
    own = [words for words in parts if "".join(words) not in squeezed] if squeezed else parts
    own = own or parts
    whole = tuple(word for words in own for word in words)
    headline = max(own, key=len, default=())
    others = [words for words in own if words is not headline]
    sites_only = all(len(words) <= SITE_WORDS and not _numbered(words) for words in others)
    if others and len(headline) >= HEADLINE_WORDS and sites_only:
        return whole, headline
    return (whole,) if whole else ()


def _words(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(unicodedata.normalize("NFKC", text).casefold()))


def _same_words(first: tuple[str, ...], second: tuple[str, ...], near: float) -> bool:
    if first == second:
        return bool(first)
    if _numbered(first) != _numbered(second):
        return False
    if fuzz.ratio(" ".join(first), " ".join(second), score_cutoff=100 * near) <= 100 * near:
        return False
    only_first = [word for word in first if word not in set(second)]
    only_second = [word for word in second if word not in set(first)]
    if "".join(only_first) == "".join(only_second):
        return True
    return _only_spelling(only_first, second) and _only_spelling(only_second, first)


def _numbered(words: Sequence[str]) -> list[str]:
    """The words that hold a digit, in order: a page of a series is told from its neighbour by nothing else."""
    return [word for word in words if any(character.isdigit() for character in word)]


def _only_spelling(extra: Iterable[str], others: Sequence[str]) -> bool:
    """Whether every word in `extra` is filler, or one of `others` spelled another way ("colour", "color")."""
    return all(
        word in _FILLERS or any(word[:3] == other[:3] and fuzz.ratio(word, other) > 80 for other in others)
        for word in extra
    )
