"""Four queries for each thing asked: as asked, for evidence, for refutation, for provenance.

A search engine finds what is expected of it. The third query is what keeps fifteen pages that cite one preprint
from looking like a consensus, so it is never left out.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum


class Angle(StrEnum):
    AS_ASKED = "as_asked"
    EVIDENCE = "evidence"
    REFUTATION = "refutation"
    PROVENANCE = "provenance"


@dataclass(frozen=True, slots=True)
class Query:
    angle: Angle
    text: str


_SUFFIXES = {
    Angle.AS_ASKED: "",
    Angle.EVIDENCE: " evidence",
    Angle.REFUTATION: " criticism OR disputed OR retracted",
    Angle.PROVENANCE: " original study OR primary source OR dataset",
}


def four_queries(asked: str) -> tuple[Query, Query, Query, Query]:
    """The queries for a question or claim, in the order of `Angle`: lower case, without its end mark."""
    core = " ".join(asked.split()).rstrip("?.!？。！").strip().lower()
    as_asked, evidence, refutation, provenance = (Query(angle, core + suffix) for angle, suffix in _SUFFIXES.items())
    return as_asked, evidence, refutation, provenance


def angle_of(query: str) -> Angle:
    """Which of `four_queries` `query` is; AS_ASKED for any other text."""
    return next((angle for angle, suffix in _SUFFIXES.items() if suffix and query.endswith(suffix)), Angle.AS_ASKED)


def overlap(first: Iterable[str], second: Iterable[str]) -> float:
    """Share of the smaller of two result sets that the other holds too (0 to 1); 0 if either is empty.

    Pass canonical URLs. Two queries over one ground overlap much: the second was wasted.
    """
    one, other = set(first), set(second)
    smaller = min(len(one), len(other))
    return len(one & other) / smaller if smaller else 0.0
