"""Whether a sentence speaks for a claim or against it, by denial and figures alone.

This is a sorting for the reader's eye, not a verdict: no model has read either text, and the answer says so.
"""

import re

from affidavit.evidence.claim import Stance
from affidavit.ranking.terms import terms

_DENIAL = re.compile(
    r"\b(?:not|no|never|none|neither|nor|cannot|without|fail(?:s|ed)?|reject(?:s|ed|ing|ion)?|den(?:y|ies|ied)"
    r"|disput\w*|refut\w*|contradict\w*|retract\w*|withdrawn|abandon\w*|prohibit\w*|forbid\w*"
    r"|instead of|rather than|unlike)\b"
    r"|n['’]t\b",
    re.IGNORECASE,
)
_FIGURE = re.compile(r"(?<![\w.\-/])[$€£]?\d[\d,]*(?:\.\d+)?%?(?![\w\-/])")


def stance_of(sentence: str, claim: str, falsifier: str) -> Stance:
    """AGAINST where one denies what the other says, where figures of the same kind differ, or where the words are
    the falsifier's rather than the claim's; otherwise FOR."""
    if _denies(sentence) != _denies(claim):
        return Stance.AGAINST
    mine, theirs = _figures(claim), _figures(sentence)
    if mine and theirs and not mine & theirs:
        return Stance.AGAINST
    own = terms(sentence)
    to_claim = _share(terms(claim) - terms(falsifier), own)
    to_falsifier = _share(terms(falsifier) - terms(claim), own)
    return Stance.AGAINST if to_falsifier > to_claim else Stance.FOR


def _denies(text: str) -> bool:
    return len(_DENIAL.findall(text)) % 2 == 1


def _figures(text: str) -> frozenset[str]:
    return frozenset(figure.replace(",", "").strip("$€£") for figure in _FIGURE.findall(text))


def _share(wanted: frozenset[str], found: frozenset[str]) -> float:
    return len(wanted & found) / len(wanted) if wanted else 0.0
