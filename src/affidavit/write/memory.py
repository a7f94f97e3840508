"""What a customer has published already, as the next piece must know it: so that it repeats neither figure nor phrase.

A `Recalled` is one earlier piece, made of its text by rules and no model: the same text always gives the same memory,
and its `memory_id` names exactly what was recalled.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property

from affidavit.evidence.frozen import freeze_fields
from affidavit.ledger.canonical import digest


@dataclass(frozen=True, kw_only=True)
class Recalled:
    """One earlier piece. `statistics` are its sentences that state a figure. `sentences` are all of its sentences that
    are long enough to be known again, the most distinctive first. `url` is where it stands, if it is published."""

    title: str
    summary: str
    statistics: tuple[str, ...] = ()
    sentences: tuple[str, ...] = ()
    url: str | None = None

    def __post_init__(self) -> None:
        freeze_fields(self)

    @cached_property
    def memory_id(self) -> str:
        """``mem_`` and 16 hex digits over everything that is recalled of the piece."""
        return "mem_" + digest(asdict(self)).removeprefix("sha256:")[:16]


@dataclass(frozen=True, slots=True)
class Memory:
    """The earlier pieces of one customer, the newest first."""

    pieces: tuple[Recalled, ...] = ()

    @classmethod
    def of(cls, pieces: Sequence[Recalled]) -> "Memory":
        return cls(tuple(pieces))
