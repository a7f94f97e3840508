"""What did not become a fact, and why: nothing that a page or a model said disappears unsaid."""

from dataclasses import dataclass
from enum import StrEnum


class Stage(StrEnum):
    """Where it was dropped: off the page, or on the way from the candidates to the register."""

    CANDIDATES = "candidates"
    REGISTER = "register"


class Why(StrEnum):
    """The values are stable: they stand in ledgers."""

    QUOTE_NOT_ON_PAGE = "quote_not_on_page"
    TOO_MANY = "too_many"
    DUPLICATE = "duplicate"
    MERGED = "merged"
    UNKNOWN_CANDIDATE = "unknown_candidate"
    VALUE_NOT_IN_SOURCE = "value_not_in_source"
    LOW_CONFIDENCE = "low_confidence"
    CALL_TO_ACT = "call_to_act"
    CONTACT = "contact"
    HEADING = "heading"
    ENUMERATION = "enumeration"
    LESS_CONFIDENT = "less_confident"
    CUT = "cut"
    NOT_CHOSEN = "not_chosen"


@dataclass(frozen=True, slots=True, kw_only=True)
class Dropped:
    """`text` is what would have been the fact, `ids` the candidates it stood on, `detail` what a person should know."""

    stage: Stage
    why: Why
    text: str
    url: str | None = None
    ids: tuple[str, ...] = ()
    detail: str = ""
