"""Text cut at its joints: within one sentence, one clause often speaks of one thing and the next of another.

And what no sentence is, cut to a length at which rules that compare every word with every other still end.
"""

import re
from collections.abc import Iterator

_JOINT = re.compile(
    r"[,;:()\[\]|—–\n]+(?!\d)|(?<!\d)[.!?]+(?=\s|$)"
    r"|\s(?:and|but|or|while|whereas|although|though|however|except|than|versus|compared (?:to|with))\s",
    re.IGNORECASE,
)

LONGEST = 2000
"""Characters of a sentence at most. The longest of 9,245 sentences of 66 real pages has 595."""


def short_enough(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """``[start, end)`` in pieces of at most `LONGEST` characters, cut between words where there are any."""
    while end - start > LONGEST:
        cut = start + LONGEST
        space = max(text.rfind(mark, start + LONGEST // 2, cut) for mark in " \n\t,;")
        cut = space + 1 if space >= 0 else cut
        if text[start:cut].strip():
            yield start, cut
        start = cut
    if text[start:end].strip():
        yield start, end


def clauses(text: str) -> Iterator[tuple[int, int]]:
    """The clauses of `text` as ``(start, end)``, in order, none of them blank."""
    at = 0
    for joint in _JOINT.finditer(text):
        if text[at : joint.start()].strip():
            yield at, joint.start()
        at = joint.end()
    if text[at:].strip():
        yield at, len(text)
