"""What code holds every candidate to, whoever made it: a model or the rules (contract W2)."""

import re
from collections.abc import Sequence
from dataclasses import replace

from affidavit.evidence.fact import Candidate
from affidavit.facts.dropped import Dropped, Stage, Why
from affidavit.facts.identity import normal
from affidavit.gates.numbers import mentions

MOST = 20
"""Candidates of one page."""
PLACEHOLDER_CAP = 0.3
# "0+", "£0M", "0%", "00": a counter that a script would have filled in.
_PLACEHOLDER = re.compile(
    r"[~<>≈+\s]*+[$€£¥]?\s*+0[0.,]*+\s*+(?:[kmb]|bn|mn|million|billion|thousand|%|x)?\s*+\+?", re.IGNORECASE
)
_ZERO_IN_TEXT = re.compile(r"(?<![\d.,])[$€£¥]?0(?:[kKmMbB]|bn|%)?\+|(?<![\d.,])[$€£¥]0(?:[kKmMbB]|bn)?(?![\d.,])")


def is_placeholder(text: str) -> bool:
    """Whether a figure, or a figure within a text, is a counter at its start."""
    return _PLACEHOLDER.fullmatch(text) is not None or _ZERO_IN_TEXT.search(text) is not None


def is_value(value: str) -> bool:
    """Whether `value` holds a digit or a spelled-out number."""
    return any(map(str.isdigit, value)) or bool(mentions(value))


def guarded(candidates: Sequence[Candidate]) -> tuple[list[Candidate], list[Dropped]]:
    """`candidates` of one page as far as they hold: values that are none taken off, placeholders capped, what says the
    same as one before it dropped, and no more than `MOST`, the most confident ones, in the page's order."""
    kept: dict[tuple[str, str, str], Candidate] = {}
    dropped: list[Dropped] = []
    for one in candidates:
        held = one if one.value is None or is_value(one.value) else replace(one, value=None)
        if is_placeholder(held.value or held.text):
            held = replace(held, confidence=min(held.confidence, PLACEHOLDER_CAP))
        # Two figures of one sentence are two facts with one text.
        key = (normal(held.text), normal(held.subject), normal(held.value or ""))
        if key in kept:
            dropped.append(_drop(held, Why.DUPLICATE))
            continue
        kept[key] = held
    best = sorted(kept.values(), key=lambda one: -one.confidence)[:MOST]
    chosen = {one.candidate_id for one in best}
    dropped += [_drop(one, Why.TOO_MANY) for one in kept.values() if one.candidate_id not in chosen]
    return [one for one in kept.values() if one.candidate_id in chosen], dropped


def _drop(one: Candidate, why: Why) -> Dropped:
    return Dropped(stage=Stage.CANDIDATES, why=why, text=one.text, url=one.source.url, ids=(one.candidate_id,))
