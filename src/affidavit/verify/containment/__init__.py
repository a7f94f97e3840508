"""Claims that repeat a sentence of the span, whole or with words left out: the near-verbatim rule of contract V3.

Containment is what code can certify: every word of the claim stands in one sentence of the span, in order, and what
was left out takes nothing along (`omission`). A claim that only shares words with the span is not contained.
"""

from dataclasses import dataclass

from affidavit.gates.polarity.reading import Sentence, read
from affidavit.verify.containment.alignment import Alignment, align_words
from affidavit.verify.containment.omission import GRAVE, Omission, Risk, omissions
from affidavit.verify.containment.substitution import substituted

__all__ = ["VERSION", "Contained", "changed", "contain"]

VERSION = "containment/2"


@dataclass(frozen=True, slots=True)
class Contained:
    """A claim whose sentences each stand in a sentence of the span.

    `quote` is the sentence that the first one stands in. `risks` are what may be lost, with the words left out; without
    the `grave` ones the claim says something else.
    """

    quote: str
    risks: tuple[tuple[Risk, str], ...]

    @property
    def grave(self) -> tuple[tuple[Risk, str], ...]:
        return tuple(one for one in self.risks if one[0] in GRAVE)


def contain(claim: str, span: str) -> Contained | None:
    """Where each sentence of `claim` stands in `span` with nothing left out that it hangs on; None where a word of one
    stands in no sentence of the span in that order. English; elsewhere only what is left whole is contained."""
    theirs = tuple(one for one in read(span) if not _asks(one))
    found = [_best(sentence, theirs) for sentence in read(claim)]
    if not found or any(one is None for one in found):
        return None
    kept = [one for one in found if one is not None]
    first = kept[0][0].span
    risks = [(one.risk, _shown(pair.span, one)) for pair, left in kept for one in left if one.risk is not None]
    return Contained(first.text[first.words[0].start : first.words[-1].end], tuple(risks))


def changed(claim: str, span: str, context: frozenset[str] = frozenset()) -> str | None:
    """The words of `claim` in place of others in a sentence of `span` that it otherwise copies, or None."""
    theirs = read(span)
    found = (substituted(sentence, theirs, context) for sentence in read(claim))
    return next((words for words in found if words is not None), None)


def _best(sentence: Sentence, spans: tuple[Sentence, ...]) -> tuple[Alignment, tuple[Omission, ...]] | None:
    """The alignment that loses least."""
    found: list[tuple[Alignment, tuple[Omission, ...]]] = []
    for one in spans:
        pair = align_words(sentence, one)
        if pair is not None:
            left = omissions(pair)
            found.append((pair, left))
            if not any(omission.risk for omission in left):
                break
    return min(found, key=lambda one: sum(omission.risk is not None for omission in one[1]), default=None)


def _asks(sentence: Sentence) -> bool:
    """A question states nothing, whatever words it has."""
    if not sentence.words:
        return False
    end = sentence.words[-1].end
    return any(mark in sentence.text[end : end + 3] for mark in "?？؟")


def _shown(sentence: Sentence, omission: Omission) -> str:
    words = sentence.words[omission.first : omission.last]
    return sentence.text[words[0].start : words[-1].end]
