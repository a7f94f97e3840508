"""How much a number in a draft asserts: a figure that must have a source, a small count in passing, or nothing.

The two codes that block must never block an honest draft, and English is full of numbers that state nothing of the
world: "three reasons", "on the other hand", "five minutes later". So a number weighs as a figure where it is written as
one (digits, a per cent, an amount of money, a year, anything above twelve), or where the words around it make it a
statement about the customer ("our four depots", "we reply within two days"). What weighs less is told, and blocks not.
"""

import re
import tomllib
from decimal import Decimal
from enum import StrEnum
from functools import cache
from importlib.resources import files

from affidavit.gates.numbers.compare import measure
from affidavit.gates.numbers.mention import Kind, Mention, Modifier
from affidavit.gates.numbers.subject import after, is_plural, singular
from affidavit.write.frame import same_things
from affidavit.write.ourselves import Ourselves


class Weight(StrEnum):
    FIGURE = "figure"
    COUNT = "count"
    NONE = "none"


_REACH = 400
"""Code points before a number that can say whose it is: no clause that a reader follows is longer."""
SMALL = Decimal(12)
"""Counts in words up to here may be made in passing; style guides have them written in words for that reason."""
_ORDINAL_WORDS = Decimal(10)
_NEXT = re.compile(r"\s+(?P<word>[^\W\d_]+)")
_AGES = frozenset({"year", "decade", "century"})
_DEADLINE = re.compile(r"\b(?:within|in the (?:last|past))[ \u00a0]+$", re.IGNORECASE)
_BEGUN = re.compile(r"\b(?:founded|established|started|opened|launched|formed|since|set up)\b", re.IGNORECASE)
_WHOLLY = re.compile(
    r"[ \u00a0]+(?:safe|secure|right|true|perfect|foolproof|wrong|effective|fair|watertight|bulletproof)\b",
    re.IGNORECASE,
)
_CLOCK = re.compile(r"[ \u00a0]+(?:in the (?:morning|afternoon|evening)|at night|o['’]clock)\b", re.IGNORECASE)
_ROUND = re.compile(r"an? (?:couple of )?(?:hundred|thousand|million|billion|dozen)", re.IGNORECASE)
_TOP = re.compile(r"\btop[- \u00a0]$", re.IGNORECASE)
_OF_SOME = re.compile(
    r"[ \u00a0]+of[ \u00a0]+(?:all |our |the |these |those |its |their )*(?:\w+[ \u00a0]+){0,2}?(?!all\b)[a-z]+s\b",
    re.IGNORECASE,
)
_TIMES_AS = re.compile(r"[ \u00a0]+(?:as|the)\b")


@cache
def _rows() -> dict[str, frozenset[str]]:
    text = files("affidavit.write").joinpath("weight_words.toml").read_text(encoding="utf-8")
    return {name: frozenset(row.split()) for name, row in tomllib.loads(text)["words"].items()}


def structural_nouns() -> frozenset[str]:
    """What a text counts of itself: "three reasons", "our number one tip"."""
    return _rows()["of_a_text"]


def size_of_a_business(noun: str) -> bool:
    """Whether the size of a business is told in such things, given in the singular: people, offices, vans, prizes."""
    known = _rows()["of_a_business"]
    return noun in known or noun.rpartition("-")[2] in known or same_things(noun, "person")


def size_told(text: str, end: int, last: int, *, one: bool) -> str | None:
    """What a number that ends at `end`, in a sentence that ends at `last`, counts, if the size of a business is told in
    that; `one` says that a single one may stand there ("our fifth office")."""
    noun = after(text, end, last)
    if noun is not None and size_of_a_business(noun[0]):
        return noun[0]
    following = _NEXT.match(text, end, last)  # "a duo of founders runs it": a verb may look like the head
    if following is None or not (one or is_plural(following["word"])):
        return None
    return singular(following["word"]) if size_of_a_business(singular(following["word"])) else None


def weight(text: str, mention: Mention, first: int, us: Ourselves) -> Weight:
    """What the number `mention` of `text` asserts in its sentence, which begins at `first`; `us` is whom the draft is
    written for."""
    lead = text[max(first, mention.start - _REACH) : mention.start]
    ours, spoken = us.owns(lead), us.speaks(lead)
    if mention.kind is Kind.ORDINAL:
        return _ordinal(text, mention, ours)
    if mention.unit == "decade":
        return Weight.FIGURE if ours or spoken or _BEGUN.search(lead) else Weight.COUNT
    if mention.kind is Kind.PERCENT and mention.value == 100 and _WHOLLY.match(text, mention.end):
        return Weight.FIGURE if ours or spoken else Weight.COUNT
    worded = not any(letter.isdigit() for letter in mention.raw)
    if mention.kind is Kind.COUNT and mention.unit is None:
        if _CLOCK.match(text, mention.end):
            return Weight.FIGURE if spoken else Weight.COUNT
        return _count(mention, lead, worded, ours)
    if worded and mention.kind is Kind.RATIO:
        return _ratio(text, mention, spoken)
    if worded and _small(mention) and mention.kind in (Kind.COUNT, Kind.RANGE):
        if ours or spoken or _DEADLINE.search(lead):
            return Weight.FIGURE
        return Weight.NONE if mention.value == 1 and mention.modifier is None else Weight.COUNT
    return Weight.FIGURE


def _count(mention: Mention, lead: str, worded: bool, ours: bool) -> Weight:
    structural = mention.subject in _rows()["of_a_text"] or _TOP.search(lead) is not None
    if structural and _small_value(mention, Decimal(50)):
        return Weight.COUNT if ours else Weight.NONE
    if not worded:
        return Weight.FIGURE
    if mention.raw.lower() == "one":
        return Weight.NONE
    if _ROUND.fullmatch(mention.raw):
        return Weight.FIGURE if ours or mention.modifier is not None else Weight.COUNT
    if _small_value(mention, SMALL):
        return Weight.FIGURE if ours else Weight.COUNT
    return Weight.FIGURE


def _ordinal(text: str, mention: Mention, ours: bool) -> Weight:
    if any(letter.isdigit() for letter in mention.raw):
        return Weight.FIGURE if ours else Weight.COUNT
    if not _small_value(mention, _ORDINAL_WORDS):
        return Weight.COUNT
    of_age = (mention.subject or mention.unit) in _AGES
    sized = of_age or size_told(text, mention.end, mention.sentence[1], one=True) is not None
    return Weight.COUNT if ours and mention.value != 1 and sized else Weight.NONE


def _ratio(text: str, mention: Mention, spoken: bool) -> Weight:
    """ "half of all employers" and "twice as likely" are figures; "half an hour" and "twice a year" are said in
    passing."""
    raw = mention.raw.lower()
    if raw == "half":
        bounded = mention.modifier is not None and mention.modifier is not Modifier.EXACTLY
        return Weight.FIGURE if bounded or _OF_SOME.match(text, mention.end) else Weight.COUNT
    if mention.unit == "times":
        if raw in ("twice", "thrice"):
            return Weight.FIGURE if _TIMES_AS.match(text, mention.end) else Weight.COUNT
        return Weight.FIGURE if spoken else Weight.COUNT
    return Weight.FIGURE


def _small(mention: Mention) -> bool:
    value = mention.value
    if isinstance(value, tuple):
        return all(isinstance(one, Decimal) and one <= SMALL for one in value)
    return _small_value(mention, SMALL) and measure(mention).dimension in _rows()["passing"]


def _small_value(mention: Mention, most: Decimal) -> bool:
    return isinstance(mention.value, Decimal) and abs(mention.value) <= most
