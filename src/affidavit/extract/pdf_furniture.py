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
SET_APART = 1.8
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
    places: dict[tuple[str, int], set[int]] = defaultdict(set)
    found: list[tuple[str, int, int, Line]] = []
    running: set[int] = set()
    for page in pages:
        top = max((line.v for line in page.lines), default=0.0)
        bottom = min((line.v for line in page.lines), default=0.0)
        for line in page.lines:
            if not _in_zone(line, page.height, ZONE):
                continue
            # Nothing may stand nearer to the edge: a figure in the first row of a table is no page number.
            outermost = line.v + line.size >= top if line.v > page.height / 2 else line.v - line.size <= bottom
            if outermost and is_page_number(line.text):
                running.add(id(line))
            wording, height = _DIGITS.sub("#", line.text.casefold()), round(line.v / _SAME_HEIGHT)
            places[wording, height].add(page.number)
            found.append((wording, height, page.number, line))
    for wording, height, number, line in found:
        if any(places.get((wording, near), set()) - {number} for near in (height - 1, height, height + 1)):
            running.add(id(line))
    return running


def margin_lines(page: PageLines, body_size: float) -> set[int]:
    """The ids of the small lines by the edge of a page, set apart from its text: furniture by its look."""
    text = [line for line in page.lines if line.size > SMALL * body_size and _in_zone(line, page.height, 2 * MARGIN)]
    return {
        id(line)
        for line in page.lines
        if line.size <= SMALL * body_size
        and _in_zone(line, page.height, MARGIN)
        and not any(abs(other.v - line.v) < SET_APART * other.size for other in text)
    }


def _in_zone(line: Line, height: float, part: float) -> bool:
    """Whether the line stands in that part of the page's height at its head or its foot."""
    return not height * part <= line.v <= height * (1 - part)
