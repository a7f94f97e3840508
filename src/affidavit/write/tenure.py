"""Years in business, reckoned from a founding year: true on the day of writing, stated nowhere, and soon out of date.

"Founded in 1978" invites "over 45 years of experience". Where the arithmetic holds it is an advisory finding, since the
writer may say the year; where it does not, the figure has no source. "Over a decade of experience" says ten years as
plainly, and is read here, since "a decade" by itself is a length of time like any other; "decades of experience" and
"for generations" are sizes of time.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from affidavit.gates.numbers.compare import measure
from affidavit.gates.numbers.mention import Kind, Mention, Modifier
from affidavit.gates.numbers.surroundings import modifier_before

_TENURE = re.compile(
    r"\b(?:experience|expertise|in business|in the (?:business|trade|industry|sector|field|market|game)|trading"
    r"|heritage|history|track record|serving|served|of service|since|old|ago|anniversary|birthday|been|know-how"
    r"|existence|in operation|craftsmanship|behind us)\b",
    re.IGNORECASE,
)
EXPERIENCE = re.compile(r"\b(?:experience|expertise|in business|in the (?:trade|industry)|heritage|know-how)\b", re.I)
_STANDING = re.compile(
    r"\bfor[ \u00a0]+(?:(?:over|more than|nearly|almost|about|around|some|the (?:last|past))[ \u00a0]+)*$",
    re.IGNORECASE,
)
_STILL = re.compile(r"\b(?:has|have|['’]ve)\b", re.IGNORECASE)
_ANNIVERSARY = frozenset({"anniversary", "birthday", "year"})
_IN_YEARS = {"calendar": Decimal(1) / 12, "decade_long": Decimal(10), "century_long": Decimal(100)}
"""Years in the base unit of each measure of long times."""
_ROUND = Decimal(10)
"""How far below the true number of years "more than N" may lie."""


_SPAN = re.compile(r"\b(?:an?|the (?:last|past))[ \u00a0](?P<unit>decade|century)\b", re.IGNORECASE)
_LONG = re.compile(
    r"\b(?:(?:many|several|over|across|for)[ \u00a0])?(?P<raw>decades|generations|centuries)\b"
    r"(?=[ \u00a0](?:of[ \u00a0](?:[a-z-]+[ \u00a0])?(?:experience|expertise|know-how|service|craftsmanship)"
    r"|in[ \u00a0]))",
    re.IGNORECASE,
)
_FOR_LONG = re.compile(r"\bfor[ \u00a0](?P<raw>decades|generations|centuries)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Tenure:
    """`follows` says that the number of years is right; `year` is the founding it was held against, None without one,
    `elapsed` the years since."""

    follows: bool
    year: int | None = None
    elapsed: int | None = None
    said: str = ""


def spans(text: str, bounds: Sequence[tuple[int, int]]) -> Iterator[Mention]:
    """Each "a decade" and "a century" of `text`, whose sentences are `bounds`, as a figure."""
    for first, last in bounds:
        for match in _SPAN.finditer(text, first, last):
            yield Mention(
                raw=match.group(),
                start=match.start(),
                end=match.end(),
                kind=Kind.COUNT,
                value=Decimal(1),
                sentence=(first, last),
                unit=f"{match['unit'].lower()}_long",
                modifier=modifier_before(text, match.start(), first),
            )


def long_times(text: str, first: int, last: int) -> Iterator[tuple[int, int]]:
    """Where the sentence ``[first, last)`` says "decades of experience" or "for generations"."""
    for pattern in (_LONG, _FOR_LONG):
        yield from (match.span("raw") for match in pattern.finditer(text, first, last))


def tenure(mention: Mention, sentence: str, founded: Sequence[tuple[int, str]], this_year: int) -> Tenure | None:
    """What a figure says of how long something has existed; None where it says nothing of that."""
    claimed = _claimed(mention, sentence)
    if claimed is None:
        return None
    past = [(year, said) for year, said in founded if year <= this_year]
    for year, said in past:
        if _follows(claimed, mention.modifier, this_year - year):
            return Tenure(True, year, this_year - year, said)
    if not past:
        return Tenure(False)
    year, said = past[0]
    return Tenure(False, year, this_year - year, said)


@lru_cache(maxsize=64)
def experience_in(text: str, first: int, last: int) -> str | None:
    """The word by which the sentence ``[first, last)`` claims experience, asked for each of its figures."""
    found = EXPERIENCE.search(text, first, last)
    return None if found is None else found.group()


def reckoned(mention: Mention, years: Tenure) -> str:
    """What to say of a number of years that is stated nowhere."""
    if years.follows:
        return (
            f"“{mention.raw}” is reckoned from {years.year} (“{years.said}”), is stated nowhere and will be "
            f"wrong in time: say the year."
        )
    if years.year is None:
        return f"No source has “{mention.raw}”. Cite one that does, or leave the figure out."
    return (
        f"“{mention.raw}” has no source and does not follow from {years.year} (“{years.said}”), which is "
        f"{years.elapsed} years ago: say the year."
    )


def claimed_of_the_business(mention: Mention, text: str, first: int, last: int) -> bool:
    """Whether the sentence ``[first, last)`` says of the business, and not of anything ("two years ago"), how long it
    has stood: years of experience, "for three decades we have"."""
    if mention.kind is Kind.ORDINAL or EXPERIENCE.search(text, first, last):
        return True
    return _STANDING.search(text[first : mention.start]) is not None and _STILL.search(text, first, last) is not None


def _claimed(mention: Mention, sentence: str) -> Decimal | None:
    """Years claimed, None where the figure is no length of time up to now."""
    if mention.kind is Kind.ORDINAL and isinstance(mention.value, Decimal):
        return mention.value if mention.subject in _ANNIVERSARY - {"year"} else None
    found = measure(mention)
    years = _IN_YEARS.get(found.dimension)
    if years is None or not isinstance(found.value, Decimal) or found.value * years < 1:
        return None
    return found.value * years if _TENURE.search(sentence) else None


def _follows(claimed: Decimal, modifier: Modifier | None, elapsed: int) -> bool:
    if modifier in (Modifier.OVER, Modifier.AT_LEAST):
        return claimed <= elapsed and elapsed - claimed < _ROUND
    if modifier in (Modifier.NEARLY, Modifier.ABOUT):
        return abs(claimed - elapsed) <= max(Decimal(2), claimed / 10)
    return modifier in (None, Modifier.EXACTLY) and -1 <= claimed - elapsed <= (1 if modifier is None else 0)
