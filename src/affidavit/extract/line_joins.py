"""Lines of a paragraph joined as a reader joins them.

A hyphen at a line end is the printer's in "transpor-tation" and the author's in "well-known", and the page does not
say which. The document does: the spelling that stands elsewhere in it, in the middle of a line, decides. Where the
word stands nowhere else, a few parts that make hyphenated compounds keep theirs, and the rest are joined.
"""

import re
from collections.abc import Iterable

from affidavit.extract.pdf_lines import is_cjk

SOFT_HYPHEN = "\xad"
_HYPHENS = "-\u2010" + SOFT_HYPHEN
_WORD = re.compile(r"[^\W\d_]+(?:[-\u2010’'][^\W\d_]+)*")
# From the start of a run of such characters only: tried at each of them, a long word would take its square.
_LAST_PART = re.compile(r"(?<![^\W_])(?<![-\u2010’'])[-\u2010’']*([^\W_](?:[^\W_]|[-\u2010’'])*)[-\u2010\xad]$")
_FIRST_PART = re.compile(r"[^\W\d_]+(?:[-\u2010’'][^\W\d_]+)*")
_URL = re.compile(r"https?://|www\.", re.IGNORECASE)
_OPEN_ENDS = "/._=&?#~-"

# Compounds that English writes with a hyphen although the parts could be fragments of one word (New Hart's Rules, 3.3):
# few on purpose, for every entry splits the words it is a fragment of ("ex-" would split "ex-plain").
_FIRST_PARTS = frozenset(
    {"well", "self", "quasi", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"}
)
_SUFFIXES = frozenset({"ness", "ish", "ishly", "ishness", "less", "lessly", "lessness", "fold", "th"})
_SECOND_PARTS = frozenset({"known", "based", "term", "funded", "owned", "oriented", "friendly"})
_LEAST_BEFORE_SECOND_PART = 4


class Joiner:
    """Joins lines by the words of one document."""

    def __init__(self, lines: Iterable[str]) -> None:
        """`lines` are all lines of the document; their broken last words are not taken as evidence."""
        self._words: set[str] = set()
        for line in lines:
            end = len(line) - len(line.split()[-1]) if line and line[-1] in _HYPHENS else len(line)
            self._words.update(match[0].replace("\u2010", "-").casefold() for match in _WORD.finditer(line[:end]))

    def join(self, lines: Iterable[str]) -> str:
        """The lines as one text."""
        text = ""
        for line in lines:
            text = self._append(text, line) if text else line
        return text

    def _append(self, text: str, line: str) -> str:
        """`text` and the line after it. Only a hyphen that ends `text` may go; every other character stays."""
        if text[-1] in _HYPHENS and (last := _LAST_PART.search(_last_token(text))):
            if self._keeps_hyphen(last[1], line, text[-1]):
                return (text[:-1] + "-" if text[-1] == SOFT_HYPHEN else text) + line
            return text[:-1] + line
        if is_cjk(text[-1]) and is_cjk(line[0]):
            return text + line
        if text[-1] == "—" and text[-2:-1] != " ":
            return text + line
        if _is_open_url(_last_token(text)):
            return text + line
        return f"{text} {line}"

    def _keeps_hyphen(self, last: str, line: str, hyphen: str) -> bool:
        """Whether the hyphen between the word part `last` and the start of `line` is the author's."""
        first = _FIRST_PART.match(line)
        if first is None or not first[0][0].islower() or not last[-1].isalpha():
            return True  # 1914-18, Anglo-Saxon
        if hyphen == SOFT_HYPHEN:
            return False
        left, right = last.replace("\u2010", "-").casefold(), first[0].replace("\u2010", "-").casefold()
        if f"{left}-{right}" in self._words:
            return True
        if left + right in self._words:
            return False
        if right in _SECOND_PARTS and len(left) >= _LEAST_BEFORE_SECOND_PART:
            return True
        return "-" in left or (left in _FIRST_PARTS and right not in _SUFFIXES)


def _last_token(text: str) -> str:
    return text.rsplit(None, 1)[-1]


def _is_open_url(token: str) -> bool:
    """Whether an address was broken behind one of the characters at which typesetters break it."""
    return token[-1] in _OPEN_ENDS and _URL.search(token, 0, len(token) - 1) is not None
