"""When a page was published, by what a reader sees of it.

Markup lies: templates stamp today's date, syndication keeps the first paper's, and a future date lifts a page to
the top of every ranking. So a date counts when the page *shows* it where dates of publication stand: behind a label
("Published on", "Stand:"), or alone by the title. A date in a sentence is what the page is about. A date that only
the markup gives is not used; it may choose between dates that are shown, or confirm one, and so may the URL.
"""

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import date, timedelta
from enum import IntEnum
from types import MappingProxyType
from urllib.parse import urlsplit

from affidavit.evidence.document import Block, BlockKind
from affidavit.extract.dates import FoundDate, begins, find_dates, find_short_dates, fold_words, words

# A dateline is a short line. The longest in the development data ("Published on …" with byline) has 19 words.
_LINE_CHARS = 220
_LABEL_CHARS = 60
_LONG_PARAGRAPH_CHARS = 240
_ZONE_BLOCKS = 30
_EARLIEST = "1900"
_EARLIEST_URL = "1993"  # the Web's first servers beyond CERN

# Rows and menus are full of dates that are not the page's own.
_NO_DATELINE = frozenset({BlockKind.NAVIGATION, BlockKind.TABLE_ROW, BlockKind.CODE})

_PARTS = re.compile(r"\n|\s*[|•·]\s*|\s+[–—]\s+|\t")
_TIME = re.compile(
    r"\b(?:at\s+|um\s+|à\s+|a\s+las\s+|kl\.?\s*|klo\s*)?\d{1,2}[:.hH]\d{2}(?::\d{2})?\s*(?:uhr|h)?\b|\b\d{1,2}\s*(?:[ap]\.?m\.?|uhr)(?!\w)|"
    r"\b[ap]\.?m\b\.?|\b(?:UTC|GMT|[ECMP][SD]?T|BST|CES?T|MES?Z)\b(?:[+-]\d{1,2})?|\bг\.|\b\d+\s+min(?:ute)?s?\s+read\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_][\w'’-]*")
_WIRE = re.compile(r"^(?=[A-ZÀ-ÞА-Я])[^\n]{2,60}?[,.(\s]$")
_URL_DATE = re.compile(r"/((?:19|20)\d\d)[/-](0?[1-9]|1[0-2])(?:[/-](0?[1-9]|[12]\d|3[01]))?(?=[/_.-]|$)")
_URL_COMPACT = re.compile(r"/((?:19|20)\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?=[/_.-]|$)")


class Role(IntEnum):
    """What a shown date says of the page; the lower, the stronger as a date of publication."""

    PUBLISHED = 1
    DATELINE = 2
    UPDATED = 3
    LOOSE = 4


@dataclass(frozen=True, slots=True)
class Shown:
    """A date that the page shows: where (index of the block), as what, and whether by the title."""

    date: FoundDate
    role: Role
    block: int
    in_zone: bool


def publication_date(
    text: str,
    blocks: Sequence[Block],
    *,
    language: str | None,
    retrieved_at: str,
    url: str,
    claimed: Sequence[str] = (),
    stated: str | None = None,
    timed: Mapping[str, str] = MappingProxyType({}),
    elsewhere: str = "",
) -> str | None:
    """The date of publication the page states, as ``YYYY-MM-DD``, ``YYYY-MM`` or ``YYYY``; None if it states none.

    `claimed` are dates of the markup; `stated` is one that the format itself shows (a front matter), and it comes
    first. `timed` are the dates that the markup gives for shown words ("12 June", "3 days ago"): they complete what
    stands by the title. `elsewhere` is the text, in one line, of boxes about other pages. `retrieved_at` is ISO-8601:
    what lies after it (by more than a day, for time zones) is no date. Prefers a labelled publication, then a
    dateline by the title, then a labelled change, then the URL's date.
    """
    latest = date.fromisoformat(retrieved_at[:10]) + timedelta(days=1)
    if stated is not None and stated >= _EARLIEST and begins(stated) <= latest:
        return stated
    shown = [one for one in _shown(text, blocks, language, timed, elsewhere) if _possible(one.date, latest)]
    today = {(latest - timedelta(days=back)).isoformat() for back in range(3)}
    shown = [one for one in shown if not _is_masthead(one, blocks, today - set(claimed))]
    for role in (Role.PUBLISHED, Role.DATELINE, Role.UPDATED):
        if value := _choose([one for one in shown if one.role is role], claimed):
            return value
    if (in_url := _from_url(url)) and begins(in_url) <= latest:
        return in_url
    return next((one.date.value for one in shown if one.date.value in claimed), None)


def _is_masthead(one: Shown, blocks: Sequence[Block], today: Set[str]) -> bool:
    """Whether a bare date above the title is the day's, as a newspaper's head prints it, and not the page's."""
    title = next((number for number, block in enumerate(blocks) if _is_top(block)), None)
    if one.role is not Role.DATELINE or title is None or one.block >= title:
        return False
    return one.date.value in today or (not blocks[one.block].main and blocks[title].main)


def _is_top(block: Block) -> bool:
    return block.kind is BlockKind.HEADING and block.level == 1


def _possible(found: FoundDate, latest: date) -> bool:
    return found.value >= _EARLIEST and begins(found.value) <= latest


def _choose(shown: Sequence[Shown], claimed: Sequence[str]) -> str | None:
    """One date of several shown in one role: of those by the title if there are any, the one that the markup claims
    too, else the only one. Several that differ are a list's: no one of them is the page's.
    """
    close = [one for one in shown if one.in_zone] or shown
    for one in close:
        for reading in (one.date.value, *one.date.readings):
            if reading in claimed:
                return reading
    return close[0].date.value if len({one.date.value for one in close}) == 1 else None


def _shown(
    text: str, blocks: Sequence[Block], language: str | None, timed: Mapping[str, str], elsewhere: str
) -> Iterator[Shown]:
    zone = _zone(blocks)
    label: Role | None = None
    for number, block in enumerate(blocks):
        if block.end - block.start > _LINE_CHARS:
            label = None
            if number in zone and (found := _wire(text[block.start : block.start + 120], language)):
                yield Shown(found, Role.DATELINE, number, in_zone=True)
            continue
        for part in _PARTS.split(text[block.start : block.end]):
            if not part.strip() or " ".join(part.split()) in elsewhere:
                continue
            if number in zone and block.kind not in _NO_DATELINE:
                part = _completed(part, timed)
            found_any = False
            for found, role in _in_line(part, language, label):
                found_any = True
                loose = role is Role.DATELINE and (number not in zone or block.kind in _NO_DATELINE)
                yield Shown(found, Role.LOOSE if loose else role, number, in_zone=number in zone)
            label = _label(part) if not found_any and len(part) <= _LABEL_CHARS else None


def _completed(line: str, timed: Mapping[str, str]) -> str:
    """The line with the first of the shown words that the markup gives a date for replaced by that date."""
    for words_shown, value in timed.items():
        if (at := line.find(words_shown)) >= 0 and not find_dates(line, None):
            return f"{line[:at]}{value}{line[at + len(words_shown) :]}"
    return line


def _zone(blocks: Sequence[Block]) -> range:
    """The blocks around the title, where datelines stand: from just before the first top heading to the first long
    paragraph below it.
    """
    headings = [number for number, block in enumerate(blocks) if block.kind is BlockKind.HEADING]
    first = next((number for number in headings if blocks[number].level == 1), headings[0] if headings else 0)
    end = min(len(blocks), first + _ZONE_BLOCKS)
    return range(max(0, first - 3), next((n for n in range(first, end) if _is_long(blocks[n])), end - 1) + 1)


def _is_long(block: Block) -> bool:
    return block.kind is BlockKind.PARAGRAPH and block.end - block.start > _LONG_PARAGRAPH_CHARS


def _in_line(line: str, language: str | None, label: Role | None) -> Iterator[tuple[FoundDate, Role]]:
    """The dates of one short line and what each is; a date inside a sentence is nothing."""
    found = find_dates(line, language) or find_short_dates(line) or _bare_year(line, label)
    before = 0
    for number, one in enumerate(found):
        after = line[one.end : found[number + 1].start if number + 1 < len(found) else len(line)]
        role = _role(line[before : one.start], first=number == 0, label=label)
        if role is not None and _ends_line(after, labelled=role is not Role.DATELINE):
            yield one, role
        before = one.end


def _bare_year(line: str, label: Role | None) -> list[FoundDate]:
    """A lone year counts only right behind a label: "Published: 2019"."""
    match = re.search(r"(?<![\w-])((?:19|20)\d\d)\s*$", line)
    if match and (label is not None or _label(line[: match.start()])) and not find_dates(line, None):
        return [FoundDate(match.start(1), match.end(1), match[1])]
    return []


def _label(text: str) -> Role | None:
    """The role of a text that is nothing but a label."""
    return _role(text, first=False, label=None)


def _role(prefix: str, *, first: bool, label: Role | None) -> Role | None:
    """What the words before a date make of it; None when they are words of a sentence."""
    table = words()
    said = [fold_words(word) for word in _WORD.findall(_TIME.sub(" ", prefix))]
    while said and (said[-1] in table.link or said[-1] in table.weekdays):
        said.pop()
    if not said:
        return (label or Role.DATELINE) if first else None
    for size in range(len(said), 0, -1):
        if " ".join(said[:size]) in table.published and (size == len(said) or said[size] in table.by):
            return Role.PUBLISHED
    for size in range(len(said), 0, -1):
        ending = " ".join(said[-size:])
        introduced = size == len(said) or said[0] in table.by or (not first and len(said) - size <= 4)
        if introduced and ending in table.published:
            return Role.PUBLISHED
        if introduced and ending in table.updated:
            return Role.UPDATED
    if " ".join(said) in table.dated or (first and said[0] in table.by and len(said) <= 8):
        return Role.DATELINE
    return None


def _ends_line(after: str, *, labelled: bool) -> bool:
    """Whether what follows a date lets it stand for itself: nothing, a time, a byline, a word or two."""
    table = words()
    said = [fold_words(word) for word in _WORD.findall(_TIME.sub(" ", after))]
    if len(said) <= (3 if labelled else 2):
        return not (said and after.lstrip().startswith(",") and said[0] in ("the", "a", "an"))
    if said[0] in table.by:
        return len(said) <= 12
    return any(" ".join(said[:size]) in table.published | table.updated for size in (1, 2, 3))


def _wire(opening: str, language: str | None) -> FoundDate | None:
    """The date of an agency's dateline: ``PORT ELLEN, 3 May 2020 (Agency) – …``."""
    for found in find_dates(opening, language)[:1]:
        place = opening[: found.start]
        follows = re.match(r"\s*(?:\([^)]{1,40}\)|/[^/]{1,40}/)?\s*[-–—:]", opening[found.end :])
        letters = [word for word in _WORD.findall(place) if fold_words(word) not in words().weekdays]
        if follows and 0 < len(letters) <= 6 and _WIRE.match(place) and all(word[0].isupper() for word in letters):
            return found
    return None


def _from_url(url: str) -> str | None:
    path = urlsplit(url).path
    match = _URL_DATE.search(path) or _URL_COMPACT.search(path)
    if not match or match[1] < _EARLIEST_URL:
        return None
    parts = [match[1], *(f"{int(part):02}" for part in match.groups()[1:] if part)]
    try:
        begins("-".join(parts))
    except ValueError:
        return None
    return "-".join(parts)
