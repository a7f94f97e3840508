"""Counts that tell only their size: "dozens of requests", "hundreds of thousands of users", "a few million".

They are no figures, since they have no value to compare; but "billions" where a source has "millions" is as false as
any figure. A magnitude holds from its own size up to where the next word would be used.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

_SIZES = {
    "dozens": 12,
    "scores": 20,
    "hundreds": 100,
    "thousands": 1000,
    "millions": 10**6,
    "billions": 10**9,
    "trillions": 10**12,
}
_FACTORS = {"tens": 10, "dozens": 12, "scores": 20, "hundreds": 100, "thousands": 1000}
# A writer says "hundreds" up to a few thousand, and "millions" up to a billion.
_REACH = 1000
_MAGNITUDE = re.compile(
    rf"\b(?:(?:(?P<factor>{'|'.join(_FACTORS)}) of )?(?P<size>{'|'.join(_SIZES)}) of (?!{'|'.join(_SIZES)}\b)"
    r"|(?:a few|several|many|a couple(?: of)?) (?P<few>dozen|hundred|thousand|million|billion|trillion)\b ?)"
    r"(?P<things>(?:[a-z-]+(?: [a-z-]+){0,2})?)",
    re.IGNORECASE,
)
_SMALL = frozenset("the of in and our their its these those a an other more different such in".split())


@dataclass(frozen=True, slots=True)
class Magnitude:
    """``[start, end)`` of the text; it is at least `least`. `things` are words of what it counts."""

    raw: str
    least: int
    things: frozenset[str]
    start: int
    end: int

    def holds(self, value: Decimal) -> bool:
        return self.least <= abs(value) < self.least * _REACH


def magnitudes(text: str) -> Iterator[Magnitude]:
    """The magnitudes of `text`, in order."""
    for match in _MAGNITUDE.finditer(text):
        factor = _FACTORS[match["factor"].lower()] if match["factor"] else 1
        size = _SIZES[(match["size"] or match["few"] + "s").lower()]
        things = frozenset(word for word in match["things"].lower().split() if word not in _SMALL)
        end = match.end("few") if match["few"] else match.start("things") - len(" of ")
        yield Magnitude(text[match.start() : end], factor * size, things, match.start(), end)
