"""One claim of a draft as the judge reads it: its words, its figures, its names, and what it leans on."""

import re
from dataclasses import dataclass
from functools import cached_property

from affidavit.check.passages import content
from affidavit.gates.numbers import Kind, Mention, mentions
from affidavit.ranking.terms import STOP_WORDS, stem

_NAME = re.compile(r"[^\W_][\w.’'/-]*")
_LEANS = re.compile(
    r"\W*(?:it|its|they|their|them|that|this|these|those|each|both|he|she|his|her|one|again|such"
    r"|all of (?:those|them))\b"
    r"|.*\b(?:of them|that point|those|the same)\b",
    re.IGNORECASE,
)
_LIGHT_KINDS = (Kind.ORDINAL,)


@dataclass(frozen=True)
class Claim:
    """`text` is the claim as a reader sees it; `heads` the column heads of a table row; `context` the terms of what the
    draft spoke of just before and of the headings above.

    `quoted` is whether it is chiefly a quotation that stands in a source, `credited` whom the claim gives it to where
    that is the source itself; `quotes` are the places of those quotations (source number, start, end), and `said` of
    those that the claim lets somebody say. `part` is whether it is one claim of a sentence of several.
    """

    text: str
    heads: tuple[str, ...]
    context: frozenset[str]
    quoted: bool = False
    credited: str = ""
    quotes: tuple[tuple[int, int, int], ...] = ()
    said: tuple[tuple[int, int, int], ...] = ()
    part: bool = False

    @cached_property
    def mentions(self) -> tuple[Mention, ...]:
        return mentions(self.text)

    @cached_property
    def figures(self) -> tuple[Mention, ...]:
        """What states a quantity or a time; ordinals name places in a list more often than not."""
        return tuple(one for one in self.mentions if one.is_figure and one.kind not in _LIGHT_KINDS)

    @cached_property
    def terms(self) -> frozenset[str]:
        """The words that carry the claim, its figures apart."""
        bare = list(self.text)
        for figure in self.figures:
            bare[figure.start : figure.end] = " " * (figure.end - figure.start)
        return content("".join(bare))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Words that name something: with a capital or a digit inside the sentence, or more than one capital."""
        found: list[str] = []
        taken = [(one.start, one.end) for one in self.figures]
        for match in _NAME.finditer(self.text):
            word = match.group().rstrip(".")
            if any(start < match.end() and match.start() < end for start, end in taken):
                continue
            before = self.text[: match.start()].rstrip(" \"'“‘«(*_")
            begins = not before or before[-1] in ".!?:;|\n"
            bare = word[1:] if begins else word
            if any(c.isupper() or c.isdigit() for c in bare) and word.lower() not in STOP_WORDS:
                found.append(word)
        return tuple(dict.fromkeys(found))

    @property
    def leans(self) -> bool:
        """Whether it speaks of something that the sentence before it named."""
        return _LEANS.match(self.text) is not None

    def missing_names(self, held: frozenset[str], own: frozenset[str]) -> tuple[str, ...]:
        """The names none of whose spellings is among the terms `held`. A name may also stand in two halves, its letters
        in the head of a column and its number in the row itself, whose terms are `own`."""
        return tuple(
            name
            for name in self.names
            if not _spellings(name) & held and not _halved(name, held, own) and name not in self.credited
        )


def _spellings(name: str) -> frozenset[str]:
    return content(name) | {stem(name), "=" + name.replace(".", "").lower()}


def _halved(name: str, held: frozenset[str], own: frozenset[str]) -> bool:
    halves = re.fullmatch(r"([^\W\d_]{2,})-?(\d{1,3})", name)
    return halves is not None and stem(halves[1]) in held and halves[2] in own


def same_digits(figure: Mention, text: str) -> bool:
    """Whether a date stands in `text` in figures, in whatever order: 03-02-2020 is March 2 or 3 February."""
    if figure.kind is not Kind.DATE or not isinstance(figure.value, str):
        return False
    wanted = sorted(int(part) for part in re.findall(r"\d+", figure.value))
    return any(sorted(map(int, match.groups())) == wanted for match in _NUMERIC_DATE.finditer(text))


_NUMERIC_DATE = re.compile(r"(?<!\d)(\d{1,4})[-/.](\d{1,2})[-/.](\d{1,4})(?!\d)")
