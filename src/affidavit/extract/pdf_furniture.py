"""What stands on a page for the page's sake: running heads, running feet, page numbers.

They are told by place and repetition: the same line, digits aside, at the same height near the edge of several
pages, or a lone page number there. Left in, they land in the middle of sentences that run over a page.
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from affidavit.extract.pdf_lines import Line

# The part of a page's height, at its head and at its foot, where furniture stands.
ZONE = 0.12
# Nearer to the edge than this, small type set apart from the text is furniture even if it stands on one page only.
MARGIN = 0.08
SMALL = 0.9
SET_APART = 1.8
# A page number is set no larger than this many times the usual size.
LARGEST_NUMBER = 1.2
# Heights within this many points are the same height.
_SAME_HEIGHT = 6.0
_SAME_ROW = 0.5
_DIGITS = re.compile(r"\d+")
_ROMAN = r"[ivxlc]{1,7}"
# "Page" in the languages that number pages with a word (CLDR, "page" entries).
_PAGE_WORD = r"(?:page|p|pp|pg|seite|s|página|pagina|pág|strona|str|sida|side|sivu|oldal|стр|страница|sayfa)\.?"
_AROUND = r"[-–—~.·•|*()\[\]\s]{0,3}"
_PAGE_NUMBER = re.compile(
    rf"{_AROUND}(?:{_PAGE_WORD}\s*)?(?:\d{{1,4}}|{_ROMAN})(?:\s*(?:of|/|von|de|sur|di|z|av|\|)\s*\d{{1,4}})?{_AROUND}"
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
    for page in pages:
        for line in page.lines:
            if _in_zone(line, page.height, ZONE):
                places[_place(line)].add(page.number)
    running: set[int] = set()
    for page in pages:
        inward = sorted(page.lines, key=lambda line: -line.v)
        for lines in (inward, inward[::-1]):
            near = [line for line in lines if abs(line.v - lines[0].v) <= page.height * ZONE]
            running |= _from_edge(near, page, places) if near and _in_zone(near[0], page.height, ZONE) else set()
    return running


def _from_edge(lines: list[Line], page: PageLines, places: dict[tuple[str, int], set[int]]) -> set[int]:
    """The running lines of one edge, of `lines` from that edge inwards: rows up to the gap that sets them apart."""
    found: list[tuple[Line, bool]] = []
    bare: set[int] = set()
    largest = LARGEST_NUMBER * median(line.size for line in page.lines)
    for index, line in enumerate(lines):
        wording, height = _place(line)
        repeated = any(places.get((wording, near), set()) - {page.number} for near in (height - 1, height, height + 1))
        # A chapter's number stands at the edge too, but in larger type.
        numbers = is_page_number(line.text) and abs(line.v - lines[0].v) < line.size <= largest
        found.append((line, repeated or numbers))
        bare.update({id(line)} if numbers else ())
        gap = min((abs(other.v - line.v) for other in lines[index + 1 :]), default=page.height)
        if gap > SET_APART * line.size:
            return {id(one) for one, runs in found if runs}
        if gap > _SAME_ROW * line.size and not any(runs for _, runs in found):
            break
    return bare


def _place(line: Line) -> tuple[str, int]:
    """The wording of a line, digits aside, and its height on the page."""
    return _DIGITS.sub("#", line.text.casefold()), round(line.v / _SAME_HEIGHT)


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
