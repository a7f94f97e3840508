"""Dates, times of day, quarters, decades and fiscal years, as ISO text or years.

A date of which only a part is written keeps only that part: "May 2020" is 2020-05, "4 May" is --05-04. Where day and
month cannot be told apart (3/4/2020) the day comes first, unless the locale is en-US.
"""

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import cache

from affidavit.gates.numbers.lexicon import alternation, months, table
from affidavit.gates.numbers.mention import Kind, Value

_B = r"[ \u00a0\n]+"
_YEAR = r"(?:1\d{3}|20\d{2}|21\d{2})"
_DAY = r"(?:0?[1-9]|[12]\d|3[01])"
_ISO = re.compile(
    r"(?P<y>\d{4})-(?P<m>0[1-9]|1[0-2])(?:-(?P<d>0[1-9]|[12]\d|3[01])"
    r"(?P<t>T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?)?(?![\w]|-\d)"
)
_NUMERIC = re.compile(
    rf"(?:(?P<d>\d{{1,2}})(?P<sep>[./-])(?P<m>\d{{1,2}})(?P=sep)(?P<y>{_YEAR}|\d\d(?=\b))"
    rf"|(?P<y2>{_YEAR})(?P<sep2>[./])(?P<m2>\d{{1,2}})(?P=sep2)(?P<d2>\d{{1,2}}))(?!\w|[./-]\w)"
)
_MONTH_YEAR = re.compile(r"(?P<m>0?[1-9]|1[0-2])/(?P<y>(?:19|20)\d\d)(?![\w/]|[.,]\d)")
_DAY_MONTH = re.compile(rf"(?P<d>{_DAY})\.(?P<m>\d{{1,2}})\.(?!\d)")
_SEASON = re.compile(r"[ \u00a0](?:season|winter|academic|school|budget|financial|fiscal|campaign)\b")
_ON = re.compile(r"\b(?:on|am|vom|zum|bis|seit|ab|der|den|dem)[ \u00a0]$")
_CLOCK = re.compile(
    r"(?P<h>[01]?\d|2[0-4])(?:[:h](?P<m>[0-5]\d)(?::(?P<s>[0-5]\d))?"
    r"|\.(?P<m2>[0-5]\d)(?=[ \u00a0]?(?:[aApP]\.?[mM]\b|Uhr)))"
    r"(?![\w]|[:.,]\d)(?P<half>[ \u00a0]?(?:[ap]\.m\.|[AP]\.M\.|[aApP][mM]\b))?"
    r"(?P<uhr>[ \u00a0]?(?:Uhr|hrs|GMT|UTC)\b)?"
)
_HALF_DAY = re.compile(
    r"(?P<h>1[0-2]|0?[1-9])[ \u00a0]?(?P<half>[ap]\.m\.|[AP]\.M\.|[aApP][mM]\b)"
    r"|(?P<h2>[01]?\d|2[0-4])[ \u00a0](?:Uhr|o'clock|noon)\b"
)
_DURATION = re.compile(r"(?P<h>\d+):(?P<m>[0-5]\d):(?P<s>[0-5]\d)(?![\w:]|\.\d)")
_PERIOD = re.compile(
    rf"(?P<p>Q[1-4]|H[12])(?:[ \u00a0/-]*(?:of{_B})?(?:FY)?['’]?(?P<y>{_YEAR}|\d\d)(?:/\d\d)?)?(?!\w|[.,]\d)"
)
_WEEK = re.compile(rf"(?:[Ww]eek|KW|Woche){_B}(?P<w>\d{{1,2}})(?:,|{_B}of)?{_B}(?P<y>{_YEAR})\b")
_FISCAL = re.compile(
    rf"(?:FY[ \u00a0-]?['’]?|[Ff]iscal(?:{_B}year)?{_B}|[Ff]inancial{_B}year{_B})"
    rf"(?P<y>{_YEAR}|\d\d)(?:[/–-](?P<z>{_YEAR}|\d\d))?(?![\w]|[.,]\d)"
)
_SPAN = re.compile(rf"(?P<y>{_YEAR})(?:/|[ \u00a0]?[–—-][ \u00a0]?)(?P<z>{_YEAR}|\d\d)(?![\w]|[.,]\d|-\d)")
_DECADES = re.compile(r"(?P<mark>')?(?P<y>1[0-9]\d0|20\d0|[1-9]0)'?s(?!\w)")
_SHORT_YEAR = re.compile(r"'(?P<y>\d\d)(?![\w']|[.,]\d)")
_ERA_AFTER = re.compile(r"[ \u00a0](?P<era>BCE|BC|CE|AD|B\.C\.E?\.|A\.D\.|v\. Chr\.|n\. Chr\.)(?!\w)")


@dataclass(frozen=True, slots=True)
class Dated:
    start: int
    end: int
    kind: Kind
    value: Value
    unit: str | None = None


@cache
def _names() -> tuple[str, re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    month = rf"(?P<month>{alternation(months())})(?!\w)\.?"
    ordinal = r"(?:st|nd|rd|th|er|º|ª|\.)?"
    year = rf"(?:(?:,?(?:{_B}(?:de|del|of))?{_B}|-)(?P<y>{_YEAR})(?![\d]|[.,]\d|[\u00a0 ]\d{{3}}(?!\d)))?"
    day_first = re.compile(
        rf"(?P<d>{_DAY}){ordinal}(?:[ \u00a0]?[–-][ \u00a0]?(?P<d2>{_DAY}){ordinal})?"
        rf"(?:{_B}(?:of|de)(?:{_B}the)?)?[ \u00a0\n-]+{month}{year}"
    )
    month_first = re.compile(
        rf"{month}{_B}(?:the{_B})?(?P<d>{_DAY})(?:st|nd|rd|th)?(?![\w%]|[.,:]\d)"
        rf"(?:[ \u00a0]?[–-][ \u00a0]?(?P<d2>{_DAY})(?![\w%]))?(?:,?{_B}(?P<y>{_YEAR})(?!\w|[.,]\d))?"
    )
    month_year = re.compile(rf"{month}(?:,|{_B}(?:of|de|del))?{_B}(?:'(?P<yy>\d\d)|(?P<y>{_YEAR}))(?!\w|[.,]\d)")
    return month, day_first, month_first, month_year


def is_month(word: str) -> bool:
    return word in months()


def read_month(text: str, at: int) -> Dated | None:
    """A date that begins with the name of a month at `at`."""
    _, _, month_first, month_year = _names()
    match = month_year.match(text, at)
    if match:
        year = match["y"] or _century(match["yy"])
        return Dated(at, match.end(), Kind.DATE, f"{year}-{months()[match['month']]:02}")
    match = month_first.match(text, at)
    return _of_day(match) if match else None


def read_date(text: str, at: int, locale: str | None) -> Dated | None:
    """A date or time that begins with the digit at `at`."""
    match = _ISO.match(text, at)
    if match:
        return _iso(match)
    match = _names()[1].match(text, at)
    if match:
        return _of_day(match)
    match = _NUMERIC.match(text, at)
    if match and (dated := _numeric(match, locale)):
        return dated
    match = _MONTH_YEAR.match(text, at)
    if match:
        return Dated(at, match.end(), Kind.DATE, f"{match['y']}-{int(match['m']):02}")
    match = _DAY_MONTH.match(text, at)
    if match and _ON.search(text, max(0, at - 6), at) and int(match["m"]) <= 12:
        return Dated(at, match.end(), Kind.DATE, f"--{int(match['m']):02}-{int(match['d']):02}")
    match = _DURATION.match(text, at)
    if match and not re.search(r"\b(?:at|by|until|from|till|um|à)[ \u00a0]$", text[max(0, at - 8) : at]):
        seconds = int(match["h"]) * 3600 + int(match["m"]) * 60 + int(match["s"])
        return Dated(at, match.end(), Kind.COUNT, Decimal(seconds), "second")
    return _time_range(text, at) or _time(text, at) or _years(text, at)


def _time_range(text: str, at: int) -> Dated | None:
    first = _time(text, at)
    if first is None:
        return None
    link = re.compile(r"[ \u00a0]?(?:[–—-]|to|until|till|bis)[ \u00a0]?").match(text, first.end)
    second = _time(text, link.end()) if link else None
    if second is None:
        return None
    return Dated(at, second.end, Kind.RANGE, (str(first.value), str(second.value)), "time")


def _time(text: str, at: int) -> Dated | None:
    match = _CLOCK.match(text, at)
    if match and (match["m"] or match["m2"]):
        if re.search(r"\b(?:ratio|odds|scale)\b[^.]{0,20}$", text[max(0, at - 30) : at]):
            return None
        hour = _hour(int(match["h"]), match["half"])
        value = f"T{hour:02}:{match['m'] or match['m2']}" + (f":{match['s']}" if match["s"] else "")
        return Dated(at, match.end(), Kind.DATE, value, "time")
    match = _HALF_DAY.match(text, at)
    if match is None:
        return None
    return Dated(at, match.end(), Kind.DATE, f"T{_hour(int(match['h'] or match['h2']), match['half']):02}:00", "time")


def _hour(hour: int, half: str | None) -> int:
    if not half:
        return hour
    return hour % 12 + (12 if half.strip().lower().startswith("p") else 0)


def read_period(text: str, at: int) -> Dated | None:
    """A quarter, half-year, week or fiscal year whose letters begin at `at`."""
    match = _PERIOD.match(text, at)
    if match and match["y"]:
        year = match["y"] if len(match["y"]) == 4 else _century(match["y"])
        return Dated(
            at, match.end(), Kind.DATE, f"{year}-{match['p']}", "quarter" if match["p"][0] == "Q" else "half_year"
        )
    match = _WEEK.match(text, at)
    if match:
        return Dated(at, match.end(), Kind.DATE, f"{match['y']}-W{int(match['w']):02}", "week")
    match = _FISCAL.match(text, at)
    if match is None:
        return None
    first = _full(match["y"])
    if match["z"]:
        return Dated(at, match.end(), Kind.RANGE, (first, _ending(first, match["z"])), "fiscal_year")
    return Dated(at, match.end(), Kind.YEAR, first, "fiscal_year")


def read_quarter(text: str, at: int, number: int, end: int) -> Dated | None:
    """ "third quarter of 2024", "first half of 2025": a period whose ordinal stands at ``[at, end)``."""
    match = re.compile(rf"[ \u00a0-](?P<p>quarter|half)(?:{_B}of)?(?:{_B}fiscal)?{_B}(?P<y>{_YEAR})\b").match(text, end)
    if match is None or number > (4 if match["p"] == "quarter" else 2):
        return None
    letter, unit = ("Q", "quarter") if match["p"] == "quarter" else ("H", "half_year")
    return Dated(at, match.end(), Kind.DATE, f"{match['y']}-{letter}{number}", unit)


def read_ordinal_day(text: str, at: int, number: int, end: int) -> Dated | None:
    """ "the third of June 2020": a day spelled out, its ordinal at ``[at, end)``."""
    if not 1 <= number <= 31:
        return None
    month, _, _, _ = _names()
    link = rf"{_B}of" if text[at].isalpha() else rf"(?:{_B}(?:of|de))?"
    match = re.compile(rf"{link}{_B}{month}(?:,?{_B}(?P<y>{_YEAR}))?").match(text, end)
    if match is None:
        return None
    value = f"{match['y'] or '-'}-{months()[match['month']]:02}-{number:02}"
    return Dated(at, match.end(), Kind.DATE, value)


def _years(text: str, at: int) -> Dated | None:
    match = _DECADES.match(text, at)
    if match and (len(match["y"]) == 4 or text[at - 1 : at] == "'" or _says_decade(text, at)):
        start = at - 1 if text[at - 1 : at] == "'" else at
        first = _full(match["y"])
        if len(match["y"]) == 4 and match["y"].endswith("00") and not match["y"].startswith("20"):
            return Dated(start, match.end(), Kind.YEAR, (first, first + 99), "century")
        return Dated(start, match.end(), Kind.YEAR, (first, first + 9), "decade")
    match = _SPAN.match(text, at)
    if match and (text[at - 1 : at] not in "-/$€£" or at == 0):
        first = Decimal(match["y"])
        last = _ending(first, match["z"])
        if first < last <= first + 300 and not (len(match["z"]) == 2 and last > first + 60):
            return Dated(at, match.end(), Kind.RANGE, (first, last), "year")
    if text[at - 1 : at] == "'" and not text[at - 2 : at - 1].isalnum():
        match = _SHORT_YEAR.match(text, at - 1)
        if match:
            return Dated(at - 1, match.end(), Kind.YEAR, Decimal(_century(match["y"])))
    return None


def _says_decade(text: str, at: int) -> bool:
    return re.search(r"\b(?:the|early|mid|late)[ \u00a0-]$", text[max(0, at - 7) : at]) is not None


def era(text: str, start: int, end: int, value: Decimal) -> tuple[int, int, Decimal] | None:
    """``(start, end, year)`` of a number that an era marks ("AD 79", "500 BC" is -500)."""
    after = _ERA_AFTER.match(text, end)
    if after:
        before_christ = after["era"].startswith(("B", "v"))
        return start, after.end(), -value if before_christ else value
    if text[max(0, start - 3) : start] in ("AD ", "AD\u00a0") and not text[start - 4 : start - 3].isalpha():
        return start - 3, end, value
    return None


def is_year(
    value: Decimal, before: str, following_is_noun: bool, digits: int, *, opens: bool, glued_before: str
) -> bool:
    """Whether a bare whole number of four digits, or after a strong word of three, is a year.

    `before` is the word before it, lower case; `opens` says that it stands first in its sentence or after a comma or
    bracket; `following_is_noun` that a lower-case plural noun comes next, which it may count.
    """
    strong, weak = _year_words()
    word = before.strip("(\"'“”[").rstrip(",:")
    if digits != 4 or not 1000 <= value <= 2199:
        return False
    if word in strong or is_month(word.capitalize()):
        return True
    if glued_before == "-":
        return True
    if following_is_noun:
        return word == "the" and 1800 <= value <= 2100
    return value >= 1500 and (word in weak or opens or 1800 <= value <= 2100)


@cache
def _year_words() -> tuple[frozenset[str], frozenset[str]]:
    rows = table("calendar")["years"]
    return frozenset(rows["strong"].split()), frozenset(rows["weak"].split())


def _iso(match: re.Match[str]) -> Dated | None:
    if match["d"] is None:
        if not 1000 <= int(match["y"]) <= 2199 or _SEASON.match(match.string, match.end()):
            return None
        return Dated(match.start(), match.end(), Kind.DATE, f"{match['y']}-{match['m']}")
    value = f"{match['y']}-{match['m']}-{match['d']}" + (match["t"] or "")
    return Dated(match.start(), match.end(), Kind.DATE, value)


def _numeric(match: re.Match[str], locale: str | None) -> Dated | None:
    day, month, year = match["d"] or match["d2"], match["m"] or match["m2"], match["y"] or match["y2"]
    if match["sep"] == "-" and len(year) == 2:
        return None
    if len(year) == 2 and match["sep"] == "." and len(day) + len(month) < 4:
        return None  # 3.8.19 is a version
    first, second = int(day), int(month)
    american = (locale or "").replace("_", "-").lower() == "en-us"
    if match["d"] and (second > 12 or (american and first <= 12)):
        first, second = second, first
    if not (1 <= first <= 31 and 1 <= second <= 12):
        return None
    full = year if len(year) == 4 else _century(year)
    return Dated(match.start(), match.end(), Kind.DATE, f"{full}-{second:02}-{first:02}")


def _of_day(match: re.Match[str]) -> Dated | None:
    month = months()[match["month"]]
    year = match["y"] or "-"
    first = f"{year}-{month:02}-{int(match['d']):02}"
    if match["d2"]:
        if int(match["d2"]) <= int(match["d"]):
            return None
        return Dated(match.start(), match.end(), Kind.RANGE, (first, f"{year}-{month:02}-{int(match['d2']):02}"))
    return Dated(match.start(), match.end(), Kind.DATE, first)


def _full(year: str) -> Decimal:
    return Decimal(year if len(year) == 4 else _century(year))


def _century(two: str) -> str:
    """A year of two digits, taken for the one nearest to the present half-century: 30 and above is 19xx."""
    return ("19" if int(two) >= 30 else "20") + two


def _ending(first: Decimal, last: str) -> Decimal:
    if len(last) == 4:
        return Decimal(last)
    ended = int(first) // 100 * 100 + int(last)
    return Decimal(ended if ended > first else ended + 100)
