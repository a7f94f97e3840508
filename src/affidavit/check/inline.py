"""Markdown's inline marks taken off, each character that stays knowing where it stood.

What is left is what a reader of the rendered draft sees, so that a bold word is a word and a footnote mark is no
figure; the way back is kept for every character, because findings are shown in the file that the writer edits.
"""

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

_PUNCTUATION = r"[!-/:-@\[-`{-~]"
_LABEL = r"(?:[^\[\]\\]|\\.|\[[^\[\]]*\])*"
_DESTINATION = r"\(\s*(?:<[^<>\n]*>|[^()\s]*(?:\([^()]*\)[^()\s]*)*)(?:\s+(?:\"[^\"]*\"|'[^']*'|\([^()]*\)))?\s*\)"
_TOKEN = re.compile(
    rf"(?P<escape>\\(?P<escaped>{_PUNCTUATION}))"
    r"|(?P<break>\\\n)"
    r"|(?P<code>(?P<ticks>`+)(?P<inside>.+?)(?<!`)(?P=ticks)(?!`))"
    r"|(?P<note>\[\^[^\]\s]+\]:?)"
    rf"|(?P<link>!?\[(?P<text>{_LABEL})\](?:{_DESTINATION}|\[[^\[\]]*\]))"
    r"|(?P<address><(?P<url>[a-zA-Z][\w+.-]*:[^\s<>]*|[^\s<>@]+@[^\s<>]+)>)"
    r"|(?P<tag><!--.*?-->|</?[a-zA-Z][^<>]*>)"
    r"|(?P<entity>&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,31});)"
    r"|(?P<struck>~~)"
    r"|(?P<marks>\*+|_+)",
    re.DOTALL,
)


@dataclass(slots=True)
class Plain:
    """Characters as a reader sees them; number i of `text` was ``[starts[i], ends[i])`` of the source.

    `code` are the ranges of `text` that stood between backticks.
    """

    pieces: list[str] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    code: list[tuple[int, int]] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(self.pieces)

    def add(self, text: str, at: Sequence[int]) -> None:
        """`text`, whose character i stood at ``at[i]``."""
        self.pieces.append(text)
        self.starts += at
        self.ends += [one + 1 for one in at]

    def stand_in(self, text: str, start: int, end: int) -> None:
        """`text` for the whole of ``[start, end)``."""
        self.pieces.append(text)
        self.starts += [start] * len(text)
        self.ends += [end] * len(text)


def read_inline(text: str, at: Sequence[int], plain: Plain) -> None:
    """Add to `plain` what `text` shows, whose character i stands at ``at[i]`` of the source."""
    done = 0
    for match in _TOKEN.finditer(text):
        if match.start() < done:
            continue
        plain.add(text[done : match.start()], at[done : match.start()])
        done = match.end()
        if match["escape"]:
            plain.stand_in(match["escaped"], at[match.start()], at[match.end() - 1] + 1)
        elif match["code"]:
            begin = len(plain.starts)
            plain.add(match["inside"], at[match.start("inside") : match.end("inside")])
            plain.code.append((begin, len(plain.starts)))
        elif match["link"]:
            read_inline(match["text"], at[match.start("text") : match.end("text")], plain)
        elif match["address"]:
            plain.add(match["url"], at[match.start("url") : match.end("url")])
        elif match["entity"]:
            plain.stand_in(html.unescape(match["entity"]), at[match.start()], at[match.end() - 1] + 1)
        elif match["marks"] and not _emphasis(text, match.start(), match.end()):
            plain.add(match["marks"], at[match.start() : match.end()])
    plain.add(text[done:], at[done:])


def _emphasis(text: str, start: int, end: int) -> bool:
    """Whether a run of ``*`` or ``_`` is a mark of emphasis: it leans on a word, and is part of no sum and no name."""
    before, after = text[start - 1 : start], text[end : end + 1]
    if (not before or before.isspace()) and (not after or after.isspace()):
        return False
    if text[start] == "_":
        return not (before.isalnum() and after.isalnum())
    return not (before.isdigit() and after.isdigit())
