"""What a gate found wrong in a text: one value for every gate, in the words of the JSON contract."""

from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """BLOCK: no source bears it out; the sentence cannot ship. CAP: the sentence is not sourced whatever a verifier
    says, and may be true. WARN: advice for whoever decides, no verdict."""

    BLOCK = "block"
    CAP = "cap"
    WARN = "warn"


@dataclass(frozen=True, slots=True)
class Finding:
    """`code` is stable and machine-readable; `message` names the words, the trouble and what would mend it.

    ``[start, end)`` are code points of the text that was given to the gate; never empty, so a reader sees the place.
    """

    code: str
    message: str
    start: int
    end: int
    severity: Severity
