"""What a claim that repeats a sentence leaves out of it, and whether the rest still follows.

"The pier was closed in 1988 after a storm" bears out "The pier was closed in 1988"; "Nobody was hurt badly" does not
bear out "Nobody was hurt", "sand or salt" not "sand", "turned down offers to work" not "work". The rules are those of
entailment by leaving out: words may go where the context is upward, from a list, from an apposition, and from the ends
of the sentence; they may not go from under a denial, "only", "every" or a duty's subject, from inside a name, from
beside "or", or where they hold up what remains. What no rule is sure of is a risk.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from affidavit.gates.polarity.reading import Sentence, Word
from affidavit.gates.polarity.speaker import sayings
from affidavit.verify.containment.alignment import Alignment
from affidavit.verify.containment.wording import word_set

_MARK = re.compile(r"[,;:()\[\]—–.!?|\n]|--| - ")
_QUOTE = re.compile('["“”«»]')
# More words that carry meaning, left out from between what is kept, and the two ends are no longer one statement.
LONGEST = 6
_EMBEDDING = frozenset({"to", "that", "whether", "if", "from"})
_RELATIVE = frozenset({"that", "which", "who", "whose"})
_TURNING = frozenset({"negation", "only", "condition"})
# The next of two verbs of one subject often is one of these.
_FINITE = frozenset("is are was were has have had does do did will would can could may might must shall should".split())
_DUTIES = frozenset({"must", "should", "may", "can"})


class Risk(StrEnum):
    """What words that are left out may take along."""

    ALTERNATIVE = "an alternative"
    CONDITION = "a condition or an exception"
    OPERATOR = "a word that decides"
    MODAL = "how sure or how binding it is"
    SPEAKER = "who says it"
    PRIVATIVE = "a word that makes it another thing"
    TOGETHER = "part of what is counted together"
    OWNER = "what it belongs to"
    QUOTATION = "part of a quotation"
    DENIED = "what the denial is narrowed to"
    NARROWED = "what it is narrowed to"
    NAME = "part of a name"
    SUBJECT = "what it is said of"
    HEAD = "the word it belongs to"
    SUPPORT = "what holds up the rest"
    DISTANCE = "too much between what is kept"
    CLAUSE = "a clause between what is kept"
    BOUND = "whom it binds"


GRAVE = frozenset(
    {
        Risk.ALTERNATIVE,
        Risk.CONDITION,
        Risk.OPERATOR,
        Risk.SPEAKER,
        Risk.PRIVATIVE,
        Risk.TOGETHER,
        Risk.OWNER,
        Risk.QUOTATION,
        Risk.DENIED,
    }
)
"""Without these words the claim says something else; without the others it may, and a reader of the whole can tell."""


@dataclass(frozen=True, slots=True)
class Omission:
    """Words ``[first, last)`` of the span's sentence that are left out; `risk` says what may be lost, or None."""

    first: int
    last: int
    risk: Risk | None


def omissions(pair: Alignment) -> tuple[Omission, ...]:
    """Every run of words that the claim leaves out, each with what it may take along."""
    said = frozenset(
        index
        for one in sayings(pair.span)
        for index, word in enumerate(pair.span.words)
        if one.start <= word.start < one.end
    )
    return tuple(Omission(first, last, _Gap(pair, first, last, said).risk()) for first, last in pair.gaps)


def _names(word: Word) -> bool:
    return word.content and word.text not in word_set("prepositions")


@dataclass(frozen=True)
class _Gap:
    pair: Alignment
    first: int
    last: int
    said: frozenset[int]

    @property
    def span(self) -> Sentence:
        return self.pair.span

    @property
    def words(self) -> tuple[Word, ...]:
        return self.span.words[self.first : self.last]

    def before(self) -> Word | None:
        return self.span.words[self.first - 1] if self.first else None

    def after(self) -> Word | None:
        return self.span.words[self.last] if self.last < len(self.span.words) else None

    def between(self, index: int) -> str:
        """The characters between word ``index - 1`` and word `index`; a mark at either end of the sentence."""
        words = self.span.words
        if index <= 0 or index >= len(words):
            return "."
        return self.span.text[words[index - 1].end : words[index].start]

    def apart(self) -> bool:
        """Whether marks set the words off on both sides: an aside, or a clause of its own."""
        return bool(_MARK.search(self.between(self.first)) and _MARK.search(self.between(self.last)))

    def risk(self) -> Risk | None:
        """What the words may take along, in a word or two, or None."""
        return next(self._risks(), None)

    def _risks(self) -> Iterator[Risk]:
        texts = {word.text for word in self.words}
        before = self.before()
        if self._alternative():
            yield Risk.ALTERNATIVE
        if (texts & word_set("exceptions") and not self._turned()) or self._but_for():
            yield Risk.CONDITION
        yield from self._operators()
        if set(range(self.first, self.last)) & self.said:
            yield Risk.SPEAKER
        if "of" in texts and texts & word_set("some_of"):
            yield Risk.OPERATOR
        if texts & word_set("privative"):
            yield Risk.PRIVATIVE
        if self._within_name():
            yield Risk.NAME
        if self._within_quote():
            yield Risk.QUOTATION
        if not any(word.content for word in self.words):
            return
        if self._joint():
            yield Risk.TOGETHER
        if self.between(self.first)[:1] in ("'", "’") and before is not None:
            yield Risk.OWNER
        if not self.apart():
            yield from self._narrowed()
        yield from self._ends() if self.first == 0 or self.last == len(self.span.words) else self._inner()

    def _operators(self) -> Iterator[Risk]:
        """Operators that are left out and reach to what is kept. Whether a modal may go is for `gates.polarity`."""
        inside = range(self.first, self.last)
        for one in self.span.operators:
            if not any(index in inside for index in range(one.first, one.last)):
                continue
            kept = any(index not in inside for index in one.scope)
            if one.kind == "modality":
                if kept:
                    yield Risk.MODAL
            elif one.kind == "condition" and self._turned():
                continue
            elif kept or not (self.apart() or one.kind in ("quantifier", "bound")):
                yield Risk.OPERATOR

    def _turned(self) -> bool:
        """Whether a condition became a relation: "if the party uses …" is "a party that uses …"."""
        pair = self.pair
        added = {
            pair.claim.words[index].text for index, place in zip(pair.order, pair.places, strict=True) if place < 0
        }
        return bool(added & _RELATIVE) and not any(word.content for word in self.words)

    def _within_name(self) -> bool:
        """Whether a capital word left out touches one that is kept."""
        before, after = self.before(), self.after()
        bare = [word for word in self.words if word.text not in ("and", "of", "the", "&")]
        if not bare:
            return False
        if before is not None and before.capital and bare[0].capital and not _MARK.search(self.between(self.first)):
            return True
        if after is None or not after.capital or not bare[-1].capital or _MARK.search(self.between(self.last)):
            return False
        return bare[-1].text not in word_set("titles")

    def _within_quote(self) -> bool:
        """Whether the words stand within quotation marks that some kept word stands in as well."""
        words, text = self.span.words, self.span.text
        opened = len(_QUOTE.findall(text, words[0].start, words[self.first].start)) % 2
        closed = (
            _QUOTE.search(self.between(self.first)) is not None and _QUOTE.search(self.between(self.last)) is not None
        )
        return bool(opened) and not closed

    def _alternative(self) -> bool:
        """Whether an "or" joins the words to what is kept."""
        edges = [self.words[0], self.words[-1], self.before(), self.after()]
        if any(word is not None and word.text in ("or", "nor") for word in edges):
            return True
        return not self.apart() and any(word.text in ("or", "nor") and not self._bracketed(word) for word in self.words)

    def _bracketed(self, word: Word) -> bool:
        """Whether the word stands in brackets that open and close within the words."""
        text = self.span.text[self.words[0].start : self.words[-1].end]
        at = word.start - self.words[0].start
        return text.rfind("(", 0, at) > text.rfind(")", 0, at) and ")" in text[at:]

    def _but_for(self) -> bool:
        words = self.span.words
        return any(
            words[index].text == "but" and index > 0 and words[index - 1].text in word_set("but_for")
            for index in range(self.first, min(self.last + 1, len(words)))
        )

    def _joint(self) -> bool:
        """Whether the words are joined by "and" to something that is counted or said of both together."""
        words, claim = self.span.words, self.pair.claim
        if self.words[0].text != "and" and self.words[-1].text != "and":
            return False
        if {word.text for word in words} & word_set("joint"):
            return True
        if any(word.text[:1].isdigit() for word in self.words):
            return False
        after = self.after()
        if self.words[-1].text == "and" and after is not None and after.text in _FINITE:
            return False
        if self.last == len(words) and "," in self.between(self.first):
            return False
        return any(word.text[:1].isdigit() for word in claim.words)

    def _narrowed(self) -> Iterator[Risk]:
        """Behind what turns entailment round the wider thing does not follow from the narrower one."""
        if any(one.kind in _TURNING and one.first < self.first for one in self.span.operators):
            yield Risk.DENIED
        kept = {word.text for word in self.span.words[: self.first]}
        if kept & word_set("few"):
            yield Risk.DENIED
        if kept & word_set("downward"):
            yield Risk.NARROWED

    def _ends(self) -> Iterator[Risk]:
        """At the sentence's beginning only a clause apart may go; at its end nothing that the last word is part of."""
        if self.first == 0:
            if self.words[-1].text in ("that", "whether"):
                yield Risk.SPEAKER
            joined = self.words[-1].text in ("and", "but") and _MARK.search(self.between(self.last - 1))
            if not joined and not _MARK.search(self.between(self.last)):
                yield Risk.SUBJECT
            return
        before, head = self.before(), self.words[0]
        touching = (
            before is not None and before.content and _names(head) and self.between(self.first).strip() in ("", "-")
        )
        if touching and not head.text.endswith("ly") and not head.text[:1].isdigit() and not self._said_of_noun():
            yield Risk.HEAD
        if before is not None and before.text in word_set("prepositions"):
            yield Risk.HEAD

    def _said_of_noun(self) -> bool:
        """A clause that begins with a participle and a preposition: "directed by …", "based on …"."""
        head, follows = self.words[0].text, self.words[1].text if len(self.words) > 1 else ""
        participle = (head.endswith(("ed", "ing")) and len(head) > 4) or head in word_set("participles")
        return participle and follows in word_set("prepositions")

    def _inner(self) -> Iterator[Risk]:
        before, after, inside = self.before(), self.after(), self.words
        assert before is not None
        assert after is not None
        if self.apart():
            return
        if sum(word.content for word in inside) > LONGEST:
            yield Risk.DISTANCE
        if any(_MARK.search(self.between(index)) for index in range(self.first + 1, self.last)):
            listed = all(
                "," in (mark := self.between(index)) or not mark.strip() for index in range(self.first + 1, self.last)
            )
            if not listed:
                yield Risk.CLAUSE
        joined = inside[-1].text in ("and", "but") and "," in self.between(self.last - 1)
        if joined and after.text not in _FINITE:
            yield Risk.CLAUSE
        if inside[-1].text in word_set("prepositions") or inside[-1].text in _EMBEDDING or after.text in _EMBEDDING:
            yield Risk.SUPPORT
        if before.text in word_set("prepositions") and any(w.text in word_set("prepositions") for w in inside):
            yield Risk.SUPPORT
        if self._subject_of_duty():
            yield Risk.BOUND

    def _subject_of_duty(self) -> bool:
        duties = [one.first for one in self.span.of("modality") if one.value in _DUTIES]
        return any(first >= self.last for first in duties)
