"""What a claim leaves out of a sentence that it otherwise repeats, where the rest says more without it.

"It may be used" of "it may be used if the user agrees"; "costs fell" of "costs sometimes fell"; "it does not run on
Windows" of "it does not run on Windows 7". Whether a reader was misled is for whoever decides, so these cap a claim and
do not block it: it is borne out in part.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher

from affidavit.gates.finding import Finding, Severity
from affidavit.gates.polarity.alignment import Aligned
from affidavit.gates.polarity.reading import Operator, Sentence
from affidavit.gates.polarity.table import stop_words, word_set

# A word of doubt or of how often left out among more words than these went with its clause.
_ADVERBIAL = 3
# A modifier stands so near behind "all" or "few" that it says of which.
_NEAR = 2


@dataclass(frozen=True, slots=True)
class _Cut:
    """Words ``[first, last)`` of the span's sentence that the claim leaves out before its word `at`."""

    span: Sentence
    first: int
    last: int
    at: int

    @property
    def texts(self) -> list[str]:
        return [word.text for word in self.span.words[self.first : self.last]]

    @property
    def shown(self) -> str:
        return self.span.text[self.span.words[self.first].start : self.span.words[self.last - 1].end]


def omissions(pair: Aligned) -> Iterator[Finding]:
    """At most one finding for each stretch left out."""
    for cut in _cuts(pair):
        code = _code(pair, cut)
        if code is not None:
            word = pair.claim.words[min(cut.at, len(pair.claim.words) - 1)]
            message = f'the claim leaves out "{cut.shown}", without which the source says less'
            yield Finding(code, message, word.start, word.end, Severity.CAP)


def _cuts(pair: Aligned) -> Iterator[_Cut]:
    """The stretches left out, if the claim is the span's sentence with words left out and nothing of its own."""
    span = pair.spans[0]
    ours, theirs = [word.text for word in pair.claim.words], [word.text for word in span.words]
    steps = SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes()
    if any(set(ours[a:b]) - stop_words() for kind, a, b, _, _ in steps if kind != "equal"):
        return
    for kind, _, b, c, d in steps:
        if kind != "equal" and c < d:
            yield _Cut(span, c, d, b)


def _code(pair: Aligned, cut: _Cut) -> str | None:
    texts = frozenset(cut.texts) if _alone(cut) else frozenset[str]()
    if _condition(pair, cut):
        return "condition_dropped"
    if texts & word_set("scope", "limits") and not pair.claim.texts & word_set("scope", "limits"):
        return "limit_dropped"
    if texts & word_set("scope", "doubts") and not pair.claim.texts & word_set("scope", "doubts"):
        return "doubt_dropped"
    return "scope_widened" if _widens(cut) else None


def _alone(cut: _Cut) -> bool:
    """Whether nothing of weight goes with the words left out."""
    weighty = [word.text for word in cut.span.words[cut.first : cut.last] if word.content]
    known = word_set("scope", "limits") | word_set("scope", "doubts")
    return cut.last - cut.first <= _ADVERBIAL and known.issuperset(weighty)


def _condition(pair: Aligned, cut: _Cut) -> bool:
    """Whether a condition is left out whole. "When" opens one only of a duty or a power: else it tells when."""
    words = cut.span.words
    first = words[cut.first].text
    if cut.last - cut.first < 2 or (first == "where" and cut.first) or words[cut.first + 1].text in ("this", "that"):
        return False
    if ";" in cut.span.text[words[cut.last - 1].end : words[cut.last - 1].end + 2]:
        return False
    if first in word_set("scope", "when"):
        return bool(pair.claim.of("modality"))
    return any(one.first == cut.first for one in cut.span.of("condition"))


def _widens(cut: _Cut) -> bool:
    """Whether what is left out says which of the things are meant that are denied, or of which all is said."""
    words = cut.span.words
    content = [index for index in range(cut.first, cut.last) if words[index].content]
    if not content or {"or", "nor", "and", "but", "because"} & set(cut.texts) or _comma(cut):
        return False
    universal = any(one.value == "all" and one.first < cut.first for one in cut.span.of("quantifier"))
    if any(content[0] in one.scope and one.first < cut.first for one in cut.span.of("negation")) and not universal:
        return content[0] in cut.span.denied
    return any(_restricts(one, cut) for one in cut.span.of("quantifier"))


def _restricts(quantifier: Operator, cut: _Cut) -> bool:
    return quantifier.value in ("all", "few") and quantifier.last <= cut.first < quantifier.last + _NEAR


def _comma(cut: _Cut) -> bool:
    words = cut.span.words
    before = cut.span.text[words[cut.first - 1].end : words[cut.first].start] if cut.first else ""
    return "," in before or "(" in before
