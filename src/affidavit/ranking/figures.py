"""Figures of a sentence as intervals, to see whether two texts count the same thing differently.

The numbers are those of the gate (`gates.numbers`); only what its words allow is added: "at least 8" is eight and any
more, "about 20" a twentieth either way. This serves the proposer of conflicts and decides nothing by itself.
"""

import math
from dataclasses import dataclass
from decimal import Decimal

from affidavit.gates.numbers import Kind, Mention, Modifier, mentions

# How far a value said to be "about" may lie from another and still agree.
_ABOUT_SHARE = 0.05
_COUNTED = frozenset({Kind.PERCENT, Kind.CURRENCY, Kind.COUNT, Kind.RANGE})
_LOWER = frozenset({Modifier.OVER, Modifier.AT_LEAST})
_UPPER = frozenset({Modifier.UNDER, Modifier.AT_MOST, Modifier.UP_TO, Modifier.NEARLY})


@dataclass(frozen=True, slots=True)
class Figure:
    """Values from `low` to `high` (equal for one value) of `unit`: a unit or currency by name, or the noun counted.

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
    """The quantities of `text`, in order. Years, dates, ordinals, shares in words and names are none."""
    return [figure for mention in mentions(text) if (figure := _figure(mention)) is not None]


def _figure(mention: Mention) -> Figure | None:
    calendar_years = mention.kind is Kind.RANGE and mention.unit in ("year", "fiscal_year", "time")
    if mention.kind not in _COUNTED or calendar_years:
        return None
    ends = mention.value if isinstance(mention.value, tuple) else (mention.value, mention.value)
    if not (isinstance(ends[0], Decimal) and isinstance(ends[1], Decimal)):
        return None
    low, high = float(ends[0]), float(ends[1])
    if mention.modifier is Modifier.ABOUT:
        low, high = low * (1 - _ABOUT_SHARE), high * (1 + _ABOUT_SHARE)
    elif mention.modifier in _LOWER:
        high = math.inf
    elif mention.modifier in _UPPER:
        low = -math.inf
    return Figure(mention.raw, low, high, (mention.unit or mention.subject or "").replace("_", " "))
