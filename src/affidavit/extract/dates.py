"""Dates as people write them, found in running text.

Own tables, because the libraries for it guess: a free parser reads "3.11" as 3 November and a lone "May" as today's
year, and each wrong date would order sources wrongly. Here a date has a four-digit year, and what can be read two
ways is returned with both readings.
"""

import re
import tomllib
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib import resources

# Regions that write the month first (Unicode CLDR, short date formats); "en" alone does not tell.
_MONTH_FIRST = frozenset(
    {"en-us", "en-ph", "en-pr", "en-gu", "en-fm", "en-pw", "es-us", "es-pr", "es-pa", "fil", "fil-ph"}
)
_DAY_FIRST_ENGLISH = frozenset(
    {"en-gb", "en-au", "en-nz", "en-ie", "en-in", "en-150", "en-sg", "en-hk", "en-mt", "en-ng", "en-ke"}
)
# Languages whose numeric dates begin with the year: a D/M/Y or M/D/Y form there follows no custom.
_YEAR_FIRST = frozenset({"ja", "zh", "ko", "hu", "lt", "mn", "sv"})


_YEAR = re.compile(r"(?:18|19|20)\d\d")
# Arabic-Indic and Persian digits, one for one.
_DIGITS = str.maketrans("٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹", "01234567890123456789")
# A year of two digits from here on is of the last century (POSIX, strptime's %y).
_PIVOT = 69


@dataclass(frozen=True, slots=True)
class FoundDate:
    """A date at ``[start, end)`` of a text: ISO ``YYYY-MM-DD``, ``YYYY-MM`` or ``YYYY``.

    `readings` are the two days an ambiguous one (04/05/2021) can mean; then `value` is their year alone.
    """

    start: int
    end: int
    value: str
    readings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Words:
    """The words of dates in all languages, folded: months, labels by role, words that may stand around a date."""

    months: Mapping[str, int]
    weekdays: frozenset[str]
    published: frozenset[str]
    dated: frozenset[str]
    updated: frozenset[str]
    link: frozenset[str]
    by: frozenset[str]


def fold_words(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).casefold().split())


@cache
def words() -> Words:
    """The table of ``date_words.toml``. A month word that two languages use for different months is left out."""
    source = resources.files("affidavit.extract").joinpath("date_words.toml").read_text(encoding="utf-8")
    languages = tomllib.loads(source).values()
    months: dict[str, int] = {}
    clashing: set[str] = set()
    for language in languages:
        for number, names in enumerate(language["months"], 1):
            for name in map(fold_words, names.split()):
                if months.setdefault(name, number) != number:
                    clashing.add(name)

    def merged(key: str) -> frozenset[str]:
        return frozenset(fold_words(word) for language in languages for word in language[key])

    return Words(
        months={name: number for name, number in months.items() if name not in clashing},
        weekdays=frozenset(fold_words(day) for language in languages for day in language["weekdays"].split()),
        published=merged("published"),
        dated=merged("dated"),
        updated=merged("updated"),
        link=merged("link"),
        by=merged("by"),
    )


@cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    names = sorted(words().months, key=lambda name: (-len(name), name))
    month = rf"(?P<name>{'|'.join(map(re.escape, names))})\.?"
    year = r"(?P<year>(?:18|19|20)\d\d)(?!\d)"
    day = r"(?P<day>[0-3]?\d)(?:st|nd|rd|th|er|º|°|ª|\.)?"
    glue = r"(?:\s*,\s*|\s+(?:of\s+|de\s+|del\s+|d['’]\s*)?|[-–./ ])"
    flags = re.IGNORECASE
    return tuple(
        re.compile(pattern, flags)
        for pattern in (
            rf"(?<![\d.,/-]){year}(?P<separator>[-/.]|\s?\.\s)(?P<month>0?[1-9]|1[0-2])(?P=separator)(?P<day>[0-3]?\d)(?![\d/]|[.,-]\d)(?:T[\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?",
            rf"(?<!\d){year}\s?[年년]\s?(?P<month>0?[1-9]|1[0-2])\s?[月월](?:\s?(?P<day>[0-3]?\d)\s?[日일])?",
            rf"(?<![\w.,/-]){day}{glue}{month}{glue}{year}(?!\w)",
            rf"(?<![\w/-]){month}{glue}{day},?\s+{year}(?!\w)",
            rf"(?<![\w/-]){year}{glue}{month}{glue}{day}(?![\w])",
            rf"(?<![\w.,/-])(?P<first>[0-3]?\d)(?P<separator>[./-])(?P<second>[0-3]?\d)(?P=separator){year}(?![\w/]|[.,-]\d)",
            rf"(?<![\w/-])(?<!\d\s)(?<!\d\.\s)(?<!\d(?:st|nd|rd|th)\s){month}(?:\s*,\s*|\s+(?:of\s+|de\s+|del\s+)?){year}(?!\w)",
        )
    )


@cache
def _short() -> re.Pattern[str]:
    names = sorted(words().months, key=lambda name: (-len(name), name))
    return re.compile(
        rf"(?<![\w.,/-])(?P<day>[0-3]?\d)[ .-]\s?(?P<name>{'|'.join(map(re.escape, names))})\.?[ -]['’]?(?P<year>\d\d)"
        r"(?=\s*(?:$|[|,;•·–—)\n]))",
        re.IGNORECASE,
    )


def find_short_dates(text: str) -> list[FoundDate]:
    """Dates with a year of two digits at the end of their line ("12 Jun 19"). Only where a date is expected."""
    found: list[FoundDate] = []
    for match in _short().finditer(text.translate(_DIGITS)):
        year = int(match["year"])
        year += 1900 if year >= _PIVOT else 2000
        if value := _iso(year, words().months[fold_words(match["name"])], int(match["day"])):
            found.append(FoundDate(match.start(), match.end(), value))
    return found


def find_dates(text: str, language: str | None) -> list[FoundDate]:
    """Every date in `text`, in order, without overlaps. `language` (BCP 47, lower case) settles 04/05/2021."""
    found: list[FoundDate] = []
    text = text.translate(_DIGITS)
    if not _YEAR.search(text):
        return found
    for pattern in _patterns():
        for match in pattern.finditer(text):
            if any(match.start() < other.end and other.start < match.end() for other in found):
                continue
            if (parsed := _read(match, language)) is not None:
                found.append(parsed)
    return sorted(found, key=lambda one: one.start)


def _read(match: re.Match[str], language: str | None) -> FoundDate | None:
    groups = match.groupdict()
    year = int(groups["year"])
    if groups.get("first"):
        return _numeric(match, year, language)
    name = groups.get("name")
    month = words().months[fold_words(name)] if name else int(groups["month"])
    day = groups.get("day")
    value = _iso(year, month, int(day)) if day else f"{year:04}-{month:02}"
    return FoundDate(match.start(), match.end(), value) if value else None


def _numeric(match: re.Match[str], year: int, language: str | None) -> FoundDate | None:
    first, second = int(match["first"]), int(match["second"])
    day_first, month_first = _iso(year, second, first), _iso(year, first, second)
    order = _order(match["separator"], language)
    if day_first and month_first and day_first != month_first and order is None:
        return FoundDate(match.start(), match.end(), f"{year:04}", (day_first, month_first))
    value = (month_first or day_first) if order == "month" else (day_first or month_first)
    return FoundDate(match.start(), match.end(), value) if value else None


def _order(separator: str, language: str | None) -> str | None:
    """Which stands first in a numeric date, ``day`` or ``month``; None where nobody can know."""
    if separator == ".":
        return "day"  # no region writes month.day.year with dots (CLDR)
    if language is None:
        return None
    primary = language.split("-")[0]
    if language in _MONTH_FIRST:
        return "month"
    if primary in _YEAR_FIRST or (primary == "en" and language not in _DAY_FIRST_ENGLISH):
        return None
    return "day"


def _iso(year: int, month: int, day: int) -> str | None:
    try:
        return date(year, month, day).isoformat()
    except ValueError:
        return None


def iso_prefix(text: str) -> str | None:
    """The date part of a machine's timestamp (``2019-06-12T08:00Z``, ``20190612``, ``2019-06``), or None."""
    match = re.match(r"\s*(\d{4})(?:-?(\d\d)(?:-?(\d\d))?)?(?:[T\s].*)?$", text, re.DOTALL)
    if not match:
        return None
    year, month, day = match.groups()
    if day:
        return _iso(int(year), int(month), int(day))
    if month:
        return f"{year}-{month}" if 1 <= int(month) <= 12 else None
    return year


def days_in(value: str) -> Iterator[str]:
    """`value` and its coarser forms: ``2019-06-12``, ``2019-06``, ``2019``."""
    for length in (10, 7, 4):
        if len(value) >= length:
            yield value[:length]


def begins(value: str) -> date:
    """The first day of a full or partial ISO date."""
    parts = [int(part) for part in value.split("-")]
    return date(parts[0], parts[1] if len(parts) > 1 else 1, parts[2] if len(parts) > 2 else 1)
