"""Figures of a sentence, read for one purpose: to see whether two texts count the same thing differently.

A figure is a range of values and what it counts. Numbers that name something (PEP 8, SP 800-63B, 3.11.7, a year)
are not figures. This reader serves the proposer of conflicts and decides nothing by itself.
"""

import math
import re
from dataclasses import dataclass

_NUMBER = r"\d+(?:[,\u202f\u00a0]\d{3})*(?:\.\d+)?"
_FIGURE = re.compile(
    rf"(?P<currency>[$€£¥₹]\s?)?(?<![\w.,/-])(?P<low>{_NUMBER})(?:\s?(?:-|–|—|to|and)\s?(?P<high>{_NUMBER}))?"
    r"(?![\w/]|[.,-]\w)"
    r"(?:\s?(?P<scale>thousand|million|billion|trillion|mn|bn|trn|k|m)\b)?"
    r"(?:\s?(?P<unit>%|‰|percentage points?\b|percent\b|per cent\b|dollars?\b|euros?\b|pounds?\b))?",
    re.IGNORECASE,
)
_SPELLED = re.compile(
    r"\b(two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred)\b", re.IGNORECASE
)
_WORTH: dict[str, float] = {
    **{"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10},
    **{"eleven": 11, "twelve": 12, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "hundred": 100},
}
_SCALE: dict[str, float] = {
    **{"thousand": 1e3, "k": 1e3, "million": 1e6, "mn": 1e6, "m": 1e6},
    **{"billion": 1e9, "bn": 1e9, "trillion": 1e12, "trn": 1e12},
}
# What names a thing by number: a word with a capital or a "no." right before it ("PEP 8", "Python 3.12", "Section 4").
_NAMED = re.compile(r"(?:\b[A-Z][\w.]*[ -]|\b(?:section|table|figure|chapter|step|part|page|version|no\.|level|#)\s?)$")
_MONTH = re.compile(r"\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.? $")
_AFTER_MONTH = re.compile(r"^(?:st|nd|rd|th)?,? (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)", re.IGNORECASE)
_CAPITAL_START = re.compile(r"(?:^|[.!?:;|\n]\s*)[A-Z][\w.]* $")
_LOWER = re.compile(
    r"\b(?:at least|more than|over|above|exceed\w*|no (?:less|fewer) than|minimum(?: of)?|from|>=?|≥)\s*(?:of\s)?$",
    re.I,
)
_UPPER = re.compile(
    r"\b(?:at most|up to|less than|fewer than|under|below|no more than|maximum(?: of)?|within|<=?|≤)\s*(?:of\s)?$", re.I
)
_ABOUT = re.compile(r"(?:\b(?:about|around|roughly|approximately|nearly|almost|some|circa|ca\.)|~|≈)\s*$", re.I)
_COUNTED = re.compile(r"[ \u00a0-]?((?:[\w.'’-]+ ?){1,4})")
_STOP = frozenset(
    [
        *["a", "an", "the", "of", "in", "on", "at", "to", "by", "for", "from", "with", "and", "or", "as", "is", "are"],
        *[
            "was",
            "were",
            "be",
            "been",
            "that",
            "which",
            "who",
            "than",
            "per",
            "each",
            "every",
            "this",
            "these",
            "after",
        ],
        *[
            "before",
            "when",
            "while",
            "under",
            "over",
            "about",
            "between",
            "during",
            "into",
            "it",
            "its",
            "their",
            "not",
        ],
        *["will", "would", "should", "may", "must", "can", "has", "have", "had", "do", "does", "did", "but", "because"],
        *[
            "then",
            "now",
            "there",
            "here",
            "today",
            "yesterday",
            "later",
            "ago",
            "already",
            "only",
            "long",
            "wide",
            "tall",
        ],
        *["high", "deep", "old", "apart", "away", "more", "less", "fewer", "higher", "lower", "faster", "slower"],
    ]
)
# How far a value said to be "about" may lie from another and still agree.
_ABOUT_SHARE = 0.05


@dataclass(frozen=True, slots=True)
class Figure:
    """Values from `low` to `high` (equal for one value) of `unit`: ``%``, a currency sign, or the noun counted.

    `raw` is as written; `unit` is "" where nothing is named.
    """

    raw: str
    low: float
    high: float
    unit: str

    def agrees(self, other: "Figure") -> bool:
        """Whether some value satisfies both."""
        return self.low <= other.high and other.low <= self.high


def figures(text: str) -> list[Figure]:
    """The figures of `text`, in order."""
    found = [(match.start(), figure) for match in _FIGURE.finditer(text) if (figure := _read(text, match)) is not None]
    for match in _SPELLED.finditer(text):
        noun = _noun(text[match.end() :])
        if noun:
            value = _WORTH[match.group().lower()]
            found.append((match.start(), Figure(match.group(), value, value, noun)))
    return [figure for _, figure in sorted(found, key=lambda pair: pair[0])]


def _read(text: str, match: re.Match[str]) -> Figure | None:
    before, after = text[: match.start()], text[match.end() :]
    currency, unit = (match["currency"] or "").strip(), (match["unit"] or "").lower()
    if not currency and not unit and _names_something(match, before, after):
        return None
    scale = _SCALE.get((match["scale"] or "").lower(), 1.0)
    low = _value(match["low"]) * scale
    high = _value(match["high"]) * scale if match["high"] else low
    if high < low:
        return None
    if _ABOUT.search(before):
        low, high = low * (1 - _ABOUT_SHARE), high * (1 + _ABOUT_SHARE)
    elif _LOWER.search(before):
        high = math.inf
    elif _UPPER.search(before):
        low = -math.inf
    named = currency or ("%" if unit.startswith(("%", "per cent", "percent")) else unit.rstrip("s")) or _noun(after)
    if "." in match["low"] and not (currency or unit or match["scale"]) and not named.endswith("s"):
        return None  # "3.15 release manager": a version; a measured decimal counts in the plural
    return Figure(match.group().strip(), low, high, named)


def _names_something(match: re.Match[str], before: str, after: str) -> bool:
    digits = match["low"]
    if re.fullmatch(r"(?:1[5-9]|20)\d\d", digits) and not match["scale"] and not match["high"]:
        return True
    if _MONTH.search(before) or _AFTER_MONTH.match(after):
        return True
    return bool(_NAMED.search(before)) and not _CAPITAL_START.search(before)


def _value(written: str) -> float:
    return float(re.sub(r"[,\u202f\u00a0]", "", written))


def _noun(after: str) -> str:
    """The noun a number counts: the last word before a small word or a mark ("different locations" → locations)."""
    match = _COUNTED.match(after)
    if not match:
        return ""
    words: list[str] = []
    for word in match.group(1).split():
        bare = word.strip(".'’-").lower()
        if bare in _STOP or not any(character.isalpha() for character in bare):
            break
        words.append(bare)
        if word.endswith("."):
            break
    return words[-1] if words else ""
