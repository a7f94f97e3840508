"""Times of one that a draft promises: "within a day", "takes a week".

An article is no figure, and so "a week" passes where the texts say "5 working days". Behind words that give a term (a
time within which, or how long something takes or lasts) it is a count of one, told where no text has that time.
Elsewhere "a day" is a manner of speaking: "twice a day", "a year later", "what a week".
"""

import re
from collections.abc import Iterator

from affidavit.evidence.piece import Issue
from affidavit.gates.numbers import mentions
from affidavit.gates.numbers.compare import compare
from affidavit.write.allowed import SAID, Allowed
from affidavit.write.drafted import ReadDraft

_UNITS = "minute|hour|day|week|fortnight|month|quarter|year"
_TERM = re.compile(
    r"\b(?:within|inside|takes?|lasts?|up to|at most|no more than|(?:no )?less than|in under|"
    r"(?:ready|done|delivered|finished|refunded|repaired|replaced|answered|returned|sent|shipped|paid|back) in)"
    r"\s+(?:just\s+|only\s+|about\s+)?"
    rf"(?P<term>an?\s+(?:(?:single|full|whole)\s+)?(?P<of>(?:(?:working|business|calendar)\s+)?(?:{_UNITS})))\b"
    r"(?![-'’]|\s+(?:off|out)\b)",
    re.IGNORECASE,
)


def single_terms(read: ReadDraft, allowed: Allowed) -> Iterator[Issue]:
    """A `count_without_source` for each term of one hour, day, week, … of the draft that no text states."""
    for found in _TERM.finditer(read.text):
        if not read.told_at(found.start("term")) or _stated(found["of"], allowed):
            continue
        message = f"No source has “{found['term']}” as a time: say the one that a source has, or leave it out."
        yield read.issue("count_without_source", message, found.span("term"), read.sentence_at(found.start("term")))


def _stated(of: str, allowed: Allowed) -> bool:
    words = r"\s+".join(map(re.escape, of.split()))
    said = re.compile(rf"\b(?:an?|one|1)[\s-]+(?:(?:single|full|whole)\s+)?{words}\b", re.IGNORECASE)
    if any(said.search(text) for text in allowed.sources.texts):
        return True
    return any(
        compare(ours, other.mention).relation in SAID
        for ours in mentions(f"1 {of}")
        if ours.unit is not None
        for other in allowed.sources.near(ours)
    )
