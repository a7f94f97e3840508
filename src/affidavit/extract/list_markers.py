"""What stands before an item of a list: a bullet, or a number or letter with its point."""

import re

# Bullets of word processors: round, square, triangular, dashes, ticks; and the private codes of Symbol and Wingdings.
BULLETS = "•◦‣⁃∙·●○■□▪▫◆◇▶►➢➤✓✔–—*\uf0b7\uf0a7\uf0d8\uf0fc\uf076\uf0a8"

_MARKER = re.compile(
    rf"""(?:[{re.escape(BULLETS)}]|-(?!\w))      # a bullet; a hyphen only if no word hangs on it
    | \(?(?:\d{{1,3}}|[a-zA-Z]|[ivxlIVX]{{1,5}})[.)]   # 1.  2)  (a)  iv.
    """,
    re.VERBOSE,
)
_SECTION = re.compile(r"(?:\d{1,2}|[A-Z])(?:\.\d{1,2}){0,4}\.?")


def is_list_marker(text: str) -> bool:
    """Whether `text` is a list marker and nothing else."""
    return bool(_MARKER.fullmatch(text.strip()))


def is_section_number(text: str) -> bool:
    """Whether `text` numbers a section and is nothing else: 3, 2.1, A.4."""
    return bool(_SECTION.fullmatch(text.strip()))


def starts_with_bullet(text: str) -> bool:
    """Whether `text` opens with a bullet and a space."""
    return len(text) > 2 and text[0] in BULLETS + "-" and text[1] == " "


def starts_with_number(text: str) -> bool:
    """Whether `text` opens with a numbered or lettered marker and a space."""
    match = _MARKER.match(text)
    return bool(match and match[0][0] not in BULLETS + "-" and text[match.end() : match.end() + 1] == " ")
