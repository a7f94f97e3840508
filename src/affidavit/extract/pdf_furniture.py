"""What stands on a page for the page's sake: running heads, running feet, page numbers.

They are told by place and repetition: the same line, digits aside, at the same height near the edge of several
pages, or a lone page number there. Left in, they land in the middle of sentences that run over a page.
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from affidavit.extract.pdf_lines import Line

# The part of a page's height, at its head and at its foot, where furniture stands.
ZONE = 0.12
# Nearer to the edge than this, small type set apart from the text is furniture even if it stands on one page only.
MARGIN = 0.08
SMALL = 0.9
# Heights within this many points are the same height.
_SAME_HEIGHT = 6.0
_DIGITS = re.compile(r"\d+")
_ROMAN = r"[ivxlc]{1,7}"
# "Page" in the languages that number pages with a word (CLDR, "page" entries).
_PAGE_WORD = r"(?:page|p|pp|pg|seite|s|página|pagina|pág|strona|str|sida|side|sivu|oldal|стр|страница|sayfa)\.?"
_PAGE_NUMBER = re.compile(
    rf"\W{{0,3}}(?:{_PAGE_WORD}\s*)?(?:\d{{1,4}}|{_ROMAN})(?:\s*(?:of|/|von|de|sur|di|z|av|\|)\s*\d{{1,4}})?\W{{0,3}}"
    r"|第?\s*\d{1,4}\s*(?:页|頁|ページ)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class PageLines:
    """The upright lines of one page (1-based number), whose height is in points."""

    number: int
    height: float
    lines: Sequence[Line]


def is_page_number(text: str) -> bool:
    """Whether `text` is a page number and nothing else."""
    return bool(_PAGE_NUMBER.fullmatch(text))


def running_lines(pages: Sequence[PageLines]) -> set[int]:
    """The ids (`id`) of the lines that are repeated from page to page, or number a page."""
    places: dict[tuple[str, str], list[tuple[int, Line]]] = defaultdict(list)
    running: set[int] = set()
    for page in pages:
        for line in page.lines:
            zone = _zone(line, page.height, ZONE)
            if zone is None:
                continue
            if is_page_number(line.text) and _is_outermost(line, page):
                running.add(id(line))
            places[zone, _DIGITS.sub("#", line.text.casefold())].append((page.number, line))
    for group in places.values():
        for number, line in group:
            if any(other != number and abs(twin.v - line.v) <= _SAME_HEIGHT for other, twin in group):
                running.add(id(line))
    return running


def margin_lines(page: PageLines, body_size: float) -> set[int]:
    """The ids of the small lines by the edge of a page, set apart from its text: furniture by its look."""
    return {
        id(line)
        for line in page.lines
        if line.size <= SMALL * body_size
        and _zone(line, page.height, MARGIN)
        and not any(
            other is not line and other.size > SMALL * body_size and abs(other.v - line.v) < 1.8 * other.size
            for other in page.lines
        )
    }


def _zone(line: Line, height: float, part: float) -> str | None:
    if line.v > height * (1 - part):
        return "head"
    return "foot" if line.v < height * part else None


def _is_outermost(line: Line, page: PageLines) -> bool:
    """Whether at most one line stands nearer to the edge: a figure inside a table is no page number."""
    above = [other for other in page.lines if other.v > line.v + line.size]
    below = [other for other in page.lines if other.v < line.v - line.size]
    return len(above) <= 1 or len(below) <= 1
