"""A number as a reader finds it in a text."""

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum


class Kind(StrEnum):
    """What a number is. An IDENTIFIER or a VERSION names a thing: it is no quantity and is never counted."""

    PERCENT = "percent"
    CURRENCY = "currency"
    COUNT = "count"
    YEAR = "year"
    ORDINAL = "ordinal"
    RANGE = "range"
    RATIO = "ratio"
    DATE = "date"
    VERSION = "version"
    IDENTIFIER = "identifier"


class Modifier(StrEnum):
    """How the words around a figure bound it."""

    ABOUT = "about"
    NEARLY = "nearly"
    OVER = "over"
    UNDER = "under"
    AT_LEAST = "at_least"
    AT_MOST = "at_most"
    UP_TO = "up_to"
    EXACTLY = "exactly"
    PLUS_MINUS = "plus_minus"


Value = Decimal | str | tuple[Decimal, Decimal] | tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """A number at ``[start, end)``, in code points of the text that was read; ``raw`` is exactly that text.

    `raw` takes in sign, currency, multiplier, per cent word and unit, not the noun counted nor the words of
    `modifier`. `value` has the multiplier applied: a Decimal; two for a range or a decade; ISO text for a date or time
    ("1932-03", "--05-04", "T14:30", "2024-Q3"); text for versions and identifiers. `unit` is a name of the tables of
    this room or None. `step` is the worth of the last digit written (3.3 million: 100000), None where there is none:
    the comparison reads from it how far the figure was rounded. `parts` are the two numbers of a ratio. `subject` is
    the singular noun that is counted, and `direct` says that it stands right beside the number, so the resolver had
    nothing to guess. `sentence` is the range of the sentence that holds it.
    """

    raw: str
    start: int
    end: int
    kind: Kind
    value: Value
    sentence: tuple[int, int]
    unit: str | None = None
    subject: str | None = None
    direct: bool = False
    modifier: Modifier | None = None
    role: str | None = None
    parts: tuple[Decimal, Decimal] | None = None
    step: Decimal | None = None

    @property
    def is_figure(self) -> bool:
        """Whether it states a quantity or a time, and not a name."""
        return self.kind not in (Kind.IDENTIFIER, Kind.VERSION)

    def __hash__(self) -> int:
        """Of its place and text alone: mentions are looked up by the thousand, and hardly two share both."""
        return hash((self.start, self.raw))
