"""Markdown's inline marks taken off, each character that stays knowing where it stood.

What is left is what a reader of the rendered draft sees, so that a bold word is a word and a footnote mark is no
figure; the way back is kept for every character, because findings are shown in the file that the writer edits.
"""

import html
import re
from array import array
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field

_PUNCTUATION = r"[!-/:-@\[-`{-~]"
_LABEL = r"(?:[^\[\]\\]|\\.|\[[^\[\]]*\])*"
_DESTINATION = r"\(\s*+(?:<[^<>\n]*>|[^()\s]*(?:\([^()]*\)[^()\s]*)*)(?:\s++(?:\"[^\"]*\"|'[^']*'|\([^()]*\)))?\s*+\)"
# Each alternative ends at the latest where the next of its kind begins, so that text made of nothing but marks stays
# linear; code and comments, which end anywhere, are looked up instead.
_TOKEN = re.compile(
    rf"(?P<escape>\\(?P<escaped>{_PUNCTUATION}))"
    r"|(?P<break>\\\n)"
    r"|(?P<ticks>`+)"
    r"|(?P<note>\[\^[^\]\s]+\]:?)"
    rf"|(?P<link>!?\[(?P<text>{_LABEL})\](?:{_DESTINATION}|\[[^\[\]]*\]))"
    r"|(?P<address><(?P<url>[a-zA-Z][\w+.-]*:[^\s<>]*|[^\s<>@]+@[^\s<>]+)>)"
    r"|(?P<comment><!--)"
    r"|(?P<tag></?[a-zA-Z][^<>]*>)"
    r"|(?P<entity>&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,31});)"
    r"|(?P<struck>~~)"
    r"|(?P<marks>\*+|_+)",
    re.DOTALL,
)
_TICKS = re.compile("`+")
# Tags that part what stands before from what stands after, as a reader sees it.
_BREAKS = re.compile(
    r"</?(?:address|article|aside|blockquote|br|caption|dd|details|div|dl|dt|figcaption|figure|footer|h[1-6]|header|hr"
    r"|li|main|nav|ol|p|pre|section|summary|table|tbody|td|tfoot|th|thead|tr|ul)\b",
    re.IGNORECASE,
)
_ALT = re.compile(r"<img\b[^<>]*?\balt\s*=\s*(?P<quote>[\"'])(?P<alt>.*?)(?P=quote)", re.IGNORECASE | re.DOTALL)


@dataclass(slots=True)
class Plain:
    """Characters as a reader sees them; number i of `text` was ``[starts[i], ends[i])`` of the source.

    `code` are the ranges of `text` that stood between backticks.
    """

    pieces: list[str] = field(default_factory=list)
    starts: "array[int]" = field(default_factory=lambda: array("q"))
    ends: "array[int]" = field(default_factory=lambda: array("q"))
    code: list[tuple[int, int]] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(self.pieces)

    def add(self, text: str, at: Sequence[int]) -> None:
        """`text`, whose character i stood at ``at[i]``."""
        self.pieces.append(text)
        self.starts.extend(at)
        self.ends.extend(one + 1 for one in at)

    def stand_in(self, text: str, start: int, end: int) -> None:
        """`text` for the whole of ``[start, end)``."""
        self.pieces.append(text)
        self.starts.extend([start] * len(text))
        self.ends.extend([end] * len(text))


def read_inline(text: str, at: Sequence[int], plain: Plain) -> None:
    """Add to `plain` what `text` shows, whose character i stands at ``at[i]`` of the source."""
    done = 0
    spans = _Spans(text)
    while (match := _TOKEN.search(text, done)) is not None:
        plain.add(text[done : match.start()], at[done : match.start()])
        done = match.end()
        if match["escape"]:
            plain.stand_in(match["escaped"], at[match.start()], at[match.end() - 1] + 1)
        elif match["ticks"]:
            close = spans.closing_ticks(done, len(match["ticks"]))
            if close is None:
                plain.add(match["ticks"], at[match.start() : done])
            else:
                begin = len(plain.starts)
                plain.add(text[done:close], at[done:close])
                plain.code.append((begin, len(plain.starts)))
                done = close + len(match["ticks"])
        elif match["link"]:
            read_inline(match["text"], at[match.start("text") : match.end("text")], plain)
        elif match["address"]:
            plain.add(match["url"], at[match.start("url") : match.end("url")])
        elif match["comment"]:
            close = spans.end_of_comment(done)
            if close is None:
                plain.add(match["comment"], at[match.start() : done])
            else:
                done = close
        elif match["tag"]:
            _read_tag(match["tag"], at[match.start() : match.end()], plain)
        elif match["entity"]:
            plain.stand_in(html.unescape(match["entity"]), at[match.start()], at[match.end() - 1] + 1)
        elif match["marks"] and not _emphasis(text, match.start(), match.end()):
            plain.add(match["marks"], at[match.start() : match.end()])
    plain.add(text[done:], at[done:])


def _read_tag(tag: str, at: Sequence[int], plain: Plain) -> None:
    """What is left of an HTML tag: a line break where it parts its surroundings, and what an image is said to show."""
    if _BREAKS.match(tag):
        plain.stand_in("\n", at[0], at[-1] + 1)
    elif image := _ALT.match(tag):
        plain.add(image["alt"], at[image.start("alt") : image.end("alt")])


class _Spans:
    """Where code and comments end, each text looked through once."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._ticks: dict[int, list[int]] | None = None
        self._last_comment: int | None = None

    def closing_ticks(self, start: int, count: int) -> int | None:
        """The first run of exactly `count` backticks from `start` on, with something before it."""
        if self._ticks is None:
            self._ticks = {}
            for run in _TICKS.finditer(self._text):
                self._ticks.setdefault(run.end() - run.start(), []).append(run.start())
        runs = self._ticks.get(count, [])
        index = bisect_right(runs, start)
        return runs[index] if index < len(runs) else None

    def end_of_comment(self, start: int) -> int | None:
        if self._last_comment is None:
            self._last_comment = self._text.rfind("-->")
        return None if self._last_comment < start else self._text.index("-->", start) + 3


def _emphasis(text: str, start: int, end: int) -> bool:
    """Whether a run of ``*`` or ``_`` is a mark of emphasis: it leans on a word, and is part of no sum and no name."""
    before, after = text[start - 1 : start], text[end : end + 1]
    if (not before or before.isspace()) and (not after or after.isspace()):
        return False
    if text[start] == "_":
        return not (before.isalnum() and after.isalnum())
    return not (before.isdigit() and after.isdigit())
