"""From text to what is indexed, and from a query to what is looked for: the same words on both sides.

SQLite's FTS5 splits at everything that is no letter or digit, folds case and accents, and stems (Porter). What it
cannot see is prepared here, alike for pages and queries: scripts written without spaces are taken apart into
characters, so that any word of them is a phrase; the sign that makes ``C++`` another language than ``C`` becomes
letters; ``1,000`` and ``1000`` are one number. A query is plain text: each of its words is quoted, so none can be
an operator, and a word that holds several (``800-63B``, ``3.14.0``) is looked for as a phrase.
"""

import re
import unicodedata
from dataclasses import dataclass
from itertools import groupby, pairwise

from affidavit.search.stopwords import STOPWORDS

VERSION = "terms/1"

TOKENIZER = "porter unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'"

MAX_TERMS = 48
# Characters of a query that are read. The longest search box is shorter; a question of megabytes is no query.
MAX_QUERY = 10_000

# A phrase of two neighbouring words counts as one more, rarer word. Swept 0, 0.25, 0.5 as in `embedded` (and 1, on
# an earlier extractor, where it was worst everywhere): gold quotations in the first passage 0.23, 0.26, 0.20, in the
# first ten 0.61, 0.58, 0.58; gold pages of the first ten by passage 0.89, 0.91, 0.91.
PAIR_WEIGHT = 0.25
# The parts of a hyphenated or dotted word, beside the whole. Not swept: too few dev questions hold one.
PART_WEIGHT = 0.5

# Scripts that put no space between words: Thai, Lao, Tibetan, Myanmar, Khmer, kana, Bopomofo, Han, and their like.
_UNSPACED = (
    "\u0e00-\u0eff\u0f40-\u0fbc\u1000-\u109f\u1780-\u17dd\u1950-\u19df\u1a20-\u1aad\u2e80-\u2fdf\u3005-\u3007"
    "\u3021-\u3029\u3031-\u3035\u303b\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u312f\u31a0-\u31bf"
    "\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua9e0-\ua9fe\uaa60-\uaa7f\uf900-\ufaff"
    "\U0001b000-\U0001b16f\U00020000-\U000323af"
)
_UNSPACED_CHARACTER = re.compile(f"([{_UNSPACED}])")
_UNSPACED_RUN = re.compile(f"[{_UNSPACED}]+")
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")
_SIGNED = re.compile(r"(?<!\w)([^\W\d_]{1,2})(\+\+|#)(?!\w*[+#])")
_DOT_NAME = re.compile(r"(?<![\w.])\.(?=net\b)", re.IGNORECASE)
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_POSSESSIVE = re.compile(r"(?<=\w)['\u2019]s\b")
_IN_WORDS = frozenset({"Co", "Mn", "Mc"})
_OPERATORS = frozenset({"AND", "OR", "NOT", "NEAR"})
_QUOTED = re.compile(r'"([^"]+)"')


@dataclass(frozen=True, slots=True)
class Term:
    """One thing to look for: an FTS5 string, already quoted, and how much it counts."""

    match: str
    weight: float = 1.0


def searchable(text: str) -> str:
    """`text` as it is given to the index. Only for finding: nothing is quoted from it."""
    text = unicodedata.normalize("NFKC", _INVISIBLE.sub("", text))
    text = _SIGNED.sub(lambda match: match[1] + {"++": "plusplus", "#": "sharp"}[match[2]], text)
    text = _THOUSANDS.sub("", _DOT_NAME.sub("dot", text))
    return _UNSPACED_CHARACTER.sub(r" \1 ", text)


def terms(query: str) -> tuple[Term, ...]:
    """What to look for, the heaviest first. Empty only for a query without a letter or a digit.

    The words ``AND``, ``OR``, ``NOT`` in capitals are dropped: every word is an alternative, and more is better.
    """
    query = query[:MAX_QUERY]
    found: dict[str, float] = {}
    quoted = [_words(part) for part in _QUOTED.findall(query)]
    words = _words(query.replace('"', " "))
    wanted = [word for word in words if not _is_stop(word)] or words
    for word in wanted:
        _add_word(found, word)
    for phrase in quoted:
        _add(found, " ".join(phrase), 1.0)
    for first, second in pairwise(words):
        if not _is_stop(first) and not _is_stop(second):
            _add(found, f"{first} {second}", PAIR_WEIGHT)
    heaviest = sorted(found, key=lambda match: -found[match])[:MAX_TERMS]
    return tuple(Term(f'"{match}"', found[match]) for match in heaviest)


def _words(text: str) -> list[str]:
    text = unicodedata.normalize("NFKC", _INVISIBLE.sub("", text))
    text = _POSSESSIVE.sub("", text)
    words = [searchable(word) for word in text.split() if word not in _OPERATORS]
    return [" ".join(tokens) for word in words if (tokens := _tokens(word))]


def _tokens(word: str) -> list[str]:
    """As FTS5 splits with TOKENIZER: runs of letters, numbers, private characters and marks."""
    runs = groupby(word, key=lambda one: unicodedata.category(one)[0] in "LN" or unicodedata.category(one) in _IN_WORDS)
    return ["".join(run) for inside, run in runs if inside]


def _is_stop(word: str) -> bool:
    return word.lower() in STOPWORDS


def _add_word(found: dict[str, float], word: str) -> None:
    """A word; with its parts where it is a compound, with its pairs of characters where it is unspaced."""
    tokens = word.split()
    if len(tokens) == 1:
        _add(found, word, 1.0)
        return
    if any(_UNSPACED_RUN.fullmatch(token) for token in tokens):
        for first, second in pairwise(tokens):
            _add(found, f"{first} {second}", 1.0)
        return
    _add(found, word, 1.0)
    for token in tokens:
        if len(token) > 1 and not token.isdigit() and not _is_stop(token):
            _add(found, token, PART_WEIGHT)


def _add(found: dict[str, float], match: str, weight: float) -> None:
    match = match.lower()
    if match:
        found[match] = max(weight, found.get(match, 0.0))
