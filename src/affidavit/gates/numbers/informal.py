"""Amounts that have a name of their own, after an article: "a fiver", "a grand a month", "a score of vans"."""

import re
from decimal import Decimal
from functools import cache

from affidavit.gates.numbers import subject
from affidavit.gates.numbers.amount import Amount
from affidavit.gates.numbers.lexicon import Unit, table

_ARTICLE = re.compile(r"(?<!\w)(?:an?|one)[ \u00a0\n]+\Z", re.IGNORECASE)
_OF = re.compile(r"[ \u00a0\n]+of\b")


@cache
def informal_words() -> frozenset[str]:
    return frozenset(word for rows in table("informal").values() for word in rows)


def read_informal(text: str, at: int, end: int, word: str, floor: int) -> Amount | None:
    """The amount that the `word` at ``[at, end)``, in lower case, names; None where it has another sense here."""
    article = _ARTICLE.search(text, max(floor, at - 6), at)
    if article is None:
        return None
    rows, start = table("informal"), article.start()
    if word in rows["notes"]:
        code, worth = rows["notes"][word]
        return Amount(start, end, Decimal(worth), Decimal(1), unit=Unit(code, currency=True), spelled=1)
    if word in rows["sums"]:
        means = not subject.noun_next(text, end)
    else:
        link = _OF.match(text, end)
        means = link is not None and subject.noun_follows(text, link.end())
    worth = rows["sums"].get(word) or rows["groups"].get(word)
    return Amount(start, end, Decimal(worth), Decimal(worth), spelled=1) if means and worth else None
