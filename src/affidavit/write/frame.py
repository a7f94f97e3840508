"""The frame of a figure: the words of its sentence that say what it counts, whose it is and over what time.

A sentence with several figures is parted between them, so that "offices in 45 countries and candidates placed in 91"
gives two frames, one with offices and one with placing. Words are compared by their stems; "placements" and "placed"
are one word, "offices" and "places" are not.
"""

import re
import tomllib
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cache, lru_cache
from importlib.resources import files

from affidavit.evidence.sentences import sentences
from affidavit.gates.numbers.magnitude import magnitudes
from affidavit.gates.numbers.mention import Kind, Mention
from affidavit.gates.numbers.subject import after, is_plural, same_noun, singular
from affidavit.ranking.terms import STOP_WORDS, stem
from affidavit.ranking.vocabulary import similar

_BETWEEN = re.compile(r"[;:()—–\n|]|,(?!\d)|\b(?:and|but|while|whereas|which|who|yet|plus|with)\b")
_WORD = re.compile(r"(?<![\w.])\.?[^\W\d_](?:[\w.&'’/]*\w)?")
_NUMERIC = re.compile(r"\d")
_CONTRAST = re.compile(
    r"(?:[,;:(—–]|\bbut|\band|^)\s*(?:not|never|excluding|except|rather than|instead of|as opposed to|other than|no)\b"
    r"[^,;:()—–\n]*",
    re.IGNORECASE,
)
_PERIOD = re.compile(
    r"\b(?:(?:per|a|an|each|every|in one|(?:an?|any|one) (?:given|typical|single)) "
    r"(?P<unit>year|quarter|month|week|day|night|hour|season|term)|(?P<adverb>annual|annually|yearly|quarterly|monthly|weekly|daily|nightly|hourly))\b",
    re.IGNORECASE,
)
_ADVERBS = {
    "annual": "year", "annually": "year", "yearly": "year", "quarterly": "quarter", "monthly": "month",
    "weekly": "week", "daily": "day", "nightly": "night", "hourly": "hour",
}  # fmt: skip
_GOVERNOR = re.compile(
    r"(?P<noun>[^\W\d_][\w-]*)[ \u00a0]+(?:in|across|from|of|at|to|for|on|with)[ \u00a0]+"
    r"(?:(?:more than|over|about|around|some|nearly|almost|at least|up to|our|the|its|all)[ \u00a0]+)*$",
    re.IGNORECASE,
)
_SHARE_OF = re.compile(
    r"[ \u00a0\n]+of[ \u00a0\n]+(?:(?:all|the|our|its|their|these|those)[ \u00a0\n]+)*(?P<noun>[^\W\d_][\w-]*)",
    re.IGNORECASE,
)
_FIRST_PERSON = re.compile(r"\b(?:we|our|ours|us|we['’](?:ve|re|d|ll))\b", re.IGNORECASE)
_PARTITIVE = re.compile(
    r"[ \u00a0]+(?P<part>[^\W\d_]+?)(?P<owned>['’]s?)?[ \u00a0]+(?P<worth>worth[ \u00a0]+)?of[ \u00a0]+"
    r"(?:the |our |its |their |new |full[- ]time )?(?P<noun>[^\W\d_][\w-]*)"
)

_REACH = 1000
"""Code points on either side of a figure that its clause has at most: a row of a thousand figures is one clause."""


@cache
def _table() -> dict[str, frozenset[str]]:
    text = files("affidavit.write").joinpath("frame_words.toml").read_text(encoding="utf-8")
    return {name: frozenset(row.split()) for name, row in tomllib.loads(text)["words"].items()}


@dataclass(frozen=True, slots=True)
class Frame:
    """`noun` is what is counted, singular, None where the sentence leaves it out; `phrase` are the stems of its phrase.

    `words` are those of the rest of its clause, `denied` those of what the sentence says that it does not count.
    `governor` is the noun that the figure is said of: offices, in "offices in 45 countries".
    `period` is the time that the figure is for ("year" for "a year"), `periods` all that the sentence names. `own` says
    that the sentence speaks of "us" before it.
    """

    mention: Mention
    noun: str | None
    phrase: frozenset[str]
    words: frozenset[str]
    denied: frozenset[str]
    governor: frozenset[str]
    period: str | None
    periods: frozenset[str]
    own: bool
    clause: str
    sentence: str


def sized(text: str) -> tuple[Mention, ...]:
    """The sizes of `text` ("hundreds of thousands of users") as mentions of a unit of their own, in order, so that they
    have frames as figures have."""
    bounds = sentences(text)
    return tuple(
        Mention(
            raw=size.raw,
            start=size.start,
            end=size.end,
            kind=Kind.COUNT,
            value=Decimal(size.least),
            sentence=next(((a, z) for a, z in bounds if a <= size.start < z), (0, len(text))),
            unit="size",
            subject=(found := after(text, size.end, len(text))) and found[0],
            direct=True,
        )
        for size in magnitudes(text)
    )


@dataclass(frozen=True, slots=True)
class Figures:
    """Where the figures of a text stand, in order and apart: what parts its clauses."""

    starts: tuple[int, ...] = ()
    ends: tuple[int, ...] = ()

    @classmethod
    def of(cls, found: Iterable[Mention]) -> "Figures":
        places = sorted((one.start, one.end) for one in found if one.is_figure)
        return cls(tuple(start for start, _ in places), tuple(end for _, end in places))


@dataclass(frozen=True, slots=True)
class _Spoken:
    """A sentence as all its figures see it: where clauses may part, its times, and where "us" is first said."""

    text: str
    cuts: tuple[int, ...]
    periods: frozenset[str]
    own: int | None


@lru_cache(maxsize=16)
def _spoken(text: str, first: int, last: int) -> _Spoken:
    person = _FIRST_PERSON.search(text, first, last)
    return _Spoken(
        text=text[first:last],
        cuts=tuple(match.start() for match in _BETWEEN.finditer(text, first, last)),
        periods=frozenset(_periods(text[first:last])),
        own=None if person is None else person.end(),
    )


def frame(text: str, mention: Mention, first: int, last: int, others: Figures) -> Frame:
    """The frame of `mention` in the sentence ``[first, last)`` of `text`; `others` are all figures of the text."""
    spoken = _spoken(text, first, last)
    start, end = _within_reach(text, mention, *_clause(spoken, mention, first, last, others))
    clause = text[start:end]
    denied = " ".join(match.group() for match in _CONTRAST.finditer(clause))
    told = _CONTRAST.sub(" ", text[start : mention.start] + " " + text[mention.end : end])
    lead = _GOVERNOR.search(text, start, mention.start)
    noun, stop = _noun(text, mention, end)
    phrase = stems(text[mention.end : stop]) if stop > mention.end else frozenset[str]()
    return Frame(
        mention=mention,
        noun=noun,
        phrase=phrase,
        words=stems(told) - phrase,
        denied=stems(denied) - stems(told),
        governor=stems(lead["noun"]) if lead else frozenset[str](),
        period=next(_periods(text[start : _next_figure(mention, end, others)]), None),
        periods=spoken.periods,
        own=spoken.own is not None and spoken.own <= mention.start,
        clause=clause,
        sentence=spoken.text,
    )


def _within_reach(text: str, mention: Mention, start: int, end: int) -> tuple[int, int]:
    """``[start, end)`` but for what lies more than `_REACH` from the figure, in whole words."""
    if mention.start - start > _REACH:
        start = max(start, text.rfind(" ", start, mention.start - _REACH) + 1)
    if end - mention.end > _REACH:
        blank = text.find(" ", mention.end + _REACH, end)
        end = end if blank < 0 else blank
    return start, end


def _next_figure(mention: Mention, end: int, others: Figures) -> int:
    """Where the clause's next figure begins: a time after it is that one's ("74 vets treat 9,000 animals a year")."""
    row = bisect_left(others.starts, mention.end)
    return min(end, others.starts[row]) if row < len(others.starts) else end


def _periods(text: str) -> Iterator[str]:
    for match in _PERIOD.finditer(text):
        yield match["unit"].lower() if match["unit"] else _ADVERBS[match["adverb"].lower()]


def _clause(spoken: _Spoken, mention: Mention, first: int, last: int, others: Figures) -> tuple[int, int]:
    """The part of the sentence that is the figure's: up to the last mark or word before the next figure that may part
    clauses, and from there. Figures with none between them share their clause."""
    cuts, starts, ends = spoken.cuts, others.starts, others.ends
    begin, stop = bisect_left(starts, first), bisect_left(starts, last)
    start = first
    if bisect_right(ends, mention.start) > begin:
        before = bisect_left(cuts, mention.start) - 1
        start = cuts[before] if before >= 0 and cuts[before] >= ends[begin] else first
    at = bisect_left(cuts, mention.end)
    while at < len(cuts):
        following = bisect_right(starts, cuts[at])
        if following >= stop:
            break
        within = following > 0 and mention.end <= starts[following - 1] and cuts[at] < ends[following - 1]
        if not within:
            return start, max(cuts[bisect_left(cuts, starts[following]) - 1], mention.end)
        at = bisect_left(cuts, ends[following - 1])
    return start, max(last, mention.end)


def _noun(text: str, mention: Mention, end: int) -> tuple[str | None, int]:
    """What is counted and where its phrase ends; "45 members of staff" and "45 countries' worth of placements" count
    staff and placements."""
    part = _PARTITIVE.match(text, mention.end, end)
    if part and (part["worth"] or singular(part["part"]) in _table()["partitive"]):
        return singular(part["noun"]), part.end()
    share = _SHARE_OF.match(text, mention.end, end) if mention.kind in (Kind.PERCENT, Kind.RATIO) else None
    if share and is_plural(share["noun"]):
        return singular(share["noun"]), share.end()
    if mention.subject is None:
        return None, mention.end
    found = re.compile(rf"[^,;:.()\n]{{0,60}}?\b{re.escape(mention.subject[:4])}[\w-]*", re.IGNORECASE).match(
        text, mention.end, end
    )
    return mention.subject, found.end() if found else mention.end


@lru_cache(maxsize=4096)
def stems(text: str) -> frozenset[str]:
    """The stems of the words that say something: no function word, no number, no word that any sentence could have."""
    found: set[str] = set()
    for match in _WORD.finditer(text):
        word = match.group().rstrip(".")
        if word.lower() in STOP_WORDS or word.lower() in _table()["empty"] or _NUMERIC.fullmatch(word):
            continue
        found.add(stem(word))
        found.update(stem(piece) for piece in re.split(r"[-/]", word) if len(piece) > 2 and piece != word)
    return frozenset(found)


def alike(one: str, other: str) -> bool:
    """Whether two stems are one word in two forms, or two words for one thing."""
    if one == other or other in similar(one):
        return True
    short, long = sorted((one, other), key=len)
    return len(short) >= 4 and long.startswith(short) and long[len(short) :] in _table()["endings"]


def meet(some: frozenset[str], others: frozenset[str]) -> frozenset[str]:
    """The words of `some` that are said in `others`, in their own or in other words."""
    return frozenset(one for one in some if any(alike(one, other) for other in others))


def same_things(one: str | None, other: str | None) -> bool:
    """Whether two counted nouns count the same things; a noun that is not said counts anything."""
    if one is None or other is None or same_noun(one, other) or alike(stem(one), stem(other)):
        return True
    return (one == "person" and _someone(other)) or (other == "person" and _someone(one))


def _someone(noun: str) -> bool:
    """Whether a noun counts people ("user", "taxpayer", "patient"): "people" is another word for any of them."""
    return noun in _table()["people"] or noun.endswith(tuple(_table()["people_endings"]))
