"""The dates that search APIs give, in their many spellings, as ISO dates; and which of them a search wants.

A date is kept only as far as it is known: ``2024``, ``2024-05`` or ``2024-05-17``. What nobody can read is no date:
a guessed one would rank pages by a fault of ours. Months are read in English, the language these APIs write them in.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

_MONTHS = {
    name: number
    for number, names in enumerate(
        ("jan january", "feb february", "mar march", "apr april", "may", "jun june", "jul july", "aug august",
         "sep sept september", "oct october", "nov november", "dec december"),
        start=1,
    )
    for name in names.split()
}  # fmt: skip
_MONTH = r"(?P<month>[a-z]{3,9})\.?"
_ISO = re.compile(r"(?P<y>\d{4})(?:[-/](?P<m>\d{1,2})(?:[-/](?P<d>\d{1,2}))?)?(?=$|T|\s+\d)")
_DAY_FIRST = re.compile(rf"(?:[a-z]{{3,9}},?\s+)?(?P<d>\d{{1,2}})\s+{_MONTH},?\s+(?P<y>\d{{4}})\b", re.IGNORECASE)
_MONTH_FIRST = re.compile(rf"(?:[a-z]{{3,9}},\s+)?{_MONTH}\s+(?P<d>\d{{1,2}}),?\s+(?P<y>\d{{4}})\b", re.IGNORECASE)
# PubMed: "2024 Mar 5", "2024 Mar-Apr", "2024 Mar", "2024 Spring", "2023 Dec-2024 Jan".
_YEAR_FIRST = re.compile(rf"(?P<y>\d{{4}})(?!\d)(?:\s+{_MONTH}(?P<d>\s+\d{{1,2}}(?!\d))?)?", re.IGNORECASE)
_MONTH_YEAR = re.compile(rf"{_MONTH},?\s+(?P<y>\d{{4}})$", re.IGNORECASE)
_AGO = re.compile(r"(?P<n>\d{1,4}|an?)\s+(?P<unit>second|minute|min|hour|day|week|month|year)s?\s+ago", re.IGNORECASE)
_DAYS = {"second": 0, "minute": 0, "min": 0, "hour": 0, "day": 1, "week": 7}


def iso_date(text: str | None, today: date) -> str | None:
    """The date `text` begins with, or None. "3 days ago" is counted from `today`; months and years ago are not days,
    so only their month or year is kept."""
    if not text or not (line := text.strip()):
        return None
    if ago := _AGO.match(line):
        return _before(today, 1 if ago["n"].lower() in ("a", "an") else int(ago["n"]), ago["unit"].lower())
    if line.lower() in ("today", "yesterday"):
        return (today - timedelta(days=line.lower() == "yesterday")).isoformat()
    if found := _ISO.match(line):
        return _date(found["y"], found["m"], found["d"])
    for pattern in (_DAY_FIRST, _MONTH_FIRST, _MONTH_YEAR, _YEAR_FIRST):
        if found := pattern.match(line):
            parts = found.groupdict()
            name = (parts.get("month") or "").lower()
            if name and name not in _MONTHS:
                return _date(parts["y"], None, None) if pattern is _YEAR_FIRST else None
            return _date(parts["y"], str(_MONTHS[name]) if name else None, parts.get("d"))
    return None


def from_parts(parts: Sequence[int | None] | None) -> str | None:
    """Crossref's ``[2024, 5, 17]``, shorter where less is known."""
    if not parts or parts[0] is None:
        return None
    year, month, day = (*parts[:3], None, None)[:3]
    return _date(str(year), str(month) if month else None, str(day) if month and day else None)


@dataclass(frozen=True, slots=True)
class Window:
    """The days a search wants: `first` to `last`, both among them."""

    first: date
    last: date

    @classmethod
    def of(cls, recency_days: int | None, today: date) -> "Window | None":
        return None if recency_days is None else cls(today - timedelta(days=max(0, recency_days)), today)

    @property
    def days(self) -> int:
        return (self.last - self.first).days

    def holds(self, published: str) -> bool:
        """Whether a page of that ISO date may be of these days: a bare month or year is, if it has any of them."""
        earliest, latest = _span(published)
        return earliest <= self.last.isoformat() and latest >= self.first.isoformat()


def _span(published: str) -> tuple[str, str]:
    earliest = published + "-01-01"[len(published) - 4 :] if len(published) < 10 else published
    latest = published + "-12-31"[len(published) - 4 :] if len(published) < 10 else published
    return earliest, latest


def _date(year: str, month: str | None, day: str | None) -> str | None:
    """As much of the date as there is; None if there is no such day."""
    try:
        whole = date(int(year), int(month or 1), int(day or 1))
    except ValueError:
        return None
    if whole.year < 1000:
        return None
    return whole.isoformat()[: 10 if day else 7 if month else 4]


def _before(today: date, count: int, unit: str) -> str | None:
    if unit in _DAYS:
        return (today - timedelta(days=count * _DAYS[unit])).isoformat()
    if unit == "month":
        months = today.year * 12 + today.month - 1 - count
        return f"{months // 12:04}-{months % 12 + 1:02}" if months >= 12_000 else None
    return f"{today.year - count:04}" if today.year - count >= 1000 else None
