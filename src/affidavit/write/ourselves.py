"""How a draft speaks of the business that it is written for: "we", and by the business's own name.

"We have seven vans" and "Osk Removals has seven vans" state the same of the same business, and weigh the same. A name
is known in full, and by its first word where that is no everyday word and no number: "Osk" for Osk Removals, not "The"
or "Solar". It is known with its capitals only, since a harbour is not Harbour.
"""

import re
import tomllib
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files

from affidavit.gates.numbers.reader import mentions
from affidavit.ranking.terms import stem
from affidavit.ranking.vocabulary import everyday

_LEGAL = re.compile(r"[ ,]+(?:ltd|limited|inc|llc|llp|plc|gmbh|ag|bv|b\.v|sarl|s\.a|co|corp|pty)\.?$", re.IGNORECASE)
_LEAST = 3
"""Letters that the first word of a name must have, to stand for the whole."""
_NEAR = 160
"""Code points in which "our" or "we have" and the words between them and a number stand."""
_GAP = r"[ \u00a0]+"
_MORE = rf"(?:{_GAP}[A-Z][\w&.-]*){{0,2}}"
"""A register may be kept under a part of the name: "Osk" for Osk Removals."""


@cache
def _having() -> str:
    text = files("affidavit.write").joinpath("weight_words.toml").read_text(encoding="utf-8")
    verbs = tomllib.loads(text)["words"]["having"].split()
    return "|".join(sorted(verbs, key=len, reverse=True))


@dataclass(frozen=True)
class Ourselves:
    """The business whose `name` that is; None where only "we" is known."""

    name: str | None = None

    @cached_property
    def names(self) -> tuple[str, ...]:
        """What it is called, the longest first."""
        whole = _LEGAL.sub("", " ".join((self.name or "").split())).removeprefix("The ")
        if not any(letter.isupper() for letter in whole):
            return ()
        first = whole.split()[0].rstrip(",.:")
        short = len(first) >= _LEAST and first[0].isupper() and not everyday(first) and not mentions(first)
        return tuple(dict.fromkeys((whole, first))) if short else (whole,)

    @cached_property
    def stems(self) -> frozenset[str]:
        """The stems of the words of its names: a sentence and a fact that share no other word share nothing."""
        return frozenset(stem(word) for name in self.names for word in re.findall(r"[\w&.'’-]+", name))

    def named(self, text: str) -> bool:
        return bool(self.names) and self._named.search(text) is not None

    def owns(self, lead: str) -> bool:
        """Whether `lead`, up to a number, says that what is counted is the business's: "our", "we have", "Osk's"."""
        near = lead[-_NEAR:]
        return self._owning.search(near) is not None or self._has.search(near) is not None

    def speaks(self, lead: str) -> bool:
        """Whether the clause that leads to a number speaks of the business."""
        clause = max(map(lead.rfind, ";:.")) + 1
        return self._us.search(lead, clause) is not None

    def in_sentence(self, sentence: str) -> bool:
        """Whether the sentence speaks of the business anywhere."""
        return self._us.search(sentence) is not None

    @cached_property
    def _called(self) -> str:
        spelled = (form for name in self.names for form in (name, name.upper()))
        return "|".join(re.escape(one).replace(r"\ ", r"\s+") for one in dict.fromkeys(spelled)) or "(?!)"

    @cached_property
    def _named(self) -> re.Pattern[str]:
        return re.compile(rf"(?<!\w)(?:{self._called})(?!\w)")

    @cached_property
    def _owning(self) -> re.Pattern[str]:
        return re.compile(
            rf"(?:\b(?i:our|its)|(?<!\w)(?:{self._called}){_MORE}['’]s?){_GAP}(?:(?i:[a-z-]+){_GAP}){{0,2}}$"
        )

    @cached_property
    def _us(self) -> re.Pattern[str]:
        return re.compile(rf"(?:\b(?i:we|our|us)\b|(?<!\w)(?:{self._called})(?!\w))")

    @cached_property
    def _has(self) -> re.Pattern[str]:
        return re.compile(
            rf"(?:\b(?i:we(?:['’]ve)?)|(?<!\w)(?:{self._called}){_MORE}){_GAP}"
            rf"(?i:(?:(?:have|has|now|also|currently|still|already|proudly|can){_GAP})*(?:{_having()})(?:e?s)?"
            rf"(?:{_GAP}(?:with|across|from|in|out of|to|at|for|over|more than|some|around|about|a team of"
            rf"|a fleet of|the))*{_GAP}(?:[a-z-]+{_GAP})?)$"
        )


@cache
def ourselves(name: str | None) -> Ourselves:
    """The business called `name`, its patterns made once."""
    return Ourselves(name)
