"""Two texts of nearly the same words: which of the few edits between them touch a word that decides.

Where almost everything agrees, the place of a word need not be guessed from its neighbours, so any change of a
quantifier, bound, modal, opposite or "only" counts, also one that would be a fair summary in a freer text.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher

from affidavit.gates.finding import Finding, Severity
from affidavit.gates.polarity.alignment import Aligned, positive_stem
from affidavit.gates.polarity.modality import modal_kind, severity_of
from affidavit.gates.polarity.quantity import RANK
from affidavit.gates.polarity.reading import Operator, Sentence
from affidavit.gates.polarity.scope import is_superlative
from affidavit.gates.polarity.table import opposites, prepositions, sorts

# A longer stretch of other words is a rewording, not an edit.
_LONGEST = 5
# Words that only one side has: more are a clause of their own.
_LONGEST_CUT = 3
_KINDS = ("quantifier", "bound")
# A claim may lose these and say no more than its span: what holds of all things holds of things.
_SAFE_TO_DROP = frozenset({"all", "least", "most", "about", "exact"})
_SAFE_TO_ADD = frozenset({"some", "about", "exact", "few", "many"})
# Without them a claim says more, but only where its words meant some all along.
_UNCERTAIN_TO_DROP = frozenset({"some", "many"})


@dataclass(frozen=True, slots=True)
class _Edit:
    """Words ``[a, b)`` of the claim stand for ``[c, d)`` of the span's sentence."""

    claim: Sentence
    span: Sentence
    a: int
    b: int
    c: int
    d: int

    def finding(self, code: str, severity: Severity = Severity.BLOCK) -> Finding:
        """At the claim's words of the edit; where it only leaves words out, at the word before the gap."""
        words = self.claim.words
        first, last = (self.a, self.b) if self.a < self.b else (max(0, self.a - 1), max(1, self.a))
        ours = _shown(self.claim, self.a, self.b) or "nothing there"
        theirs = _shown(self.span, self.c, self.d) or "nothing there"
        return Finding(
            code, f"the claim says {ours}, the source {theirs}", words[first].start, words[last - 1].end, severity
        )


def _shown(sentence: Sentence, first: int, last: int) -> str:
    if first >= last:
        return ""
    return f'"{sentence.text[sentence.words[first].start : sentence.words[last - 1].end]}"'


def edits(pair: Aligned) -> Iterator[Finding]:
    """At most one finding for each edit between a claim and the sentence it nearly repeats."""
    if not pair.close and not pair.one_apart:
        return
    claim, span = pair.claim, pair.spans[0]
    ours, theirs = [word.text for word in claim.words], [word.text for word in span.words]
    for kind, a, b, c, d in SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes():
        if kind == "equal" or b - a > _LONGEST or d - c > _LONGEST or abs((b - a) - (d - c)) > _LONGEST_CUT:
            continue
        edit = _Edit(claim, span, a, b, c, d)
        finding = _sort(edit) or (_judged(edit) if pair.close else None)
        if finding is not None:
            yield finding


def _judged(edit: _Edit) -> Finding | None:
    ours, theirs = _operators(edit.claim, edit.a, edit.b), _operators(edit.span, edit.c, edit.d)
    for kind in _KINDS:
        mine = {one.value for one in ours if one.kind == kind and edit.claim.words[one.first].text != "any"}
        other = {one.value for one in theirs if one.kind == kind}
        if mine == other or _moved(edit, kind, mine, other):
            continue
        if (not other and mine <= _SAFE_TO_ADD) or (not mine and other <= _SAFE_TO_DROP):
            continue
        if kind == "quantifier" and "all" in mine and not other and _definite(edit):
            continue
        weaker = kind == "quantifier" and mine and other and "few" not in mine | other and _most(mine) < _most(other)
        unsure = weaker or (not mine and other <= _UNCERTAIN_TO_DROP)
        return edit.finding(kind, Severity.WARN if unsure else Severity.BLOCK)
    return _modals(edit, ours, theirs) or _words(edit) or _denied(edit, ours, theirs) or _narrowing(edit, ours, theirs)


def _most(values: set[str]) -> int:
    return max(RANK[value] for value in values)


def _definite(edit: _Edit) -> bool:
    """``all of the books`` for the books: the article says as much."""
    behind = edit.claim.words[edit.a : edit.b + 1]
    return any(word.text in ("the", "these", "those", "its", "their", "our") for word in behind)


def _moved(edit: _Edit, kind: str, mine: set[str], other: set[str]) -> bool:
    """Whether what one side has here, and the other lacks, stands elsewhere on the other: its clause went there."""
    if mine and other:
        return False
    values = mine or other
    counts = [sum(one.value in values for one in side.of(kind)) for side in (edit.claim, edit.span)]
    return counts[0] >= counts[1] if other else counts[1] >= counts[0]


def _modals(edit: _Edit, ours: list[Operator], theirs: list[Operator]) -> Finding | None:
    """One modal for another; a modal for none only where it was one of doubt, duty or plan."""
    mine = {modal_kind(edit.claim, one) for one in ours if one.kind == "modality"}
    other = {modal_kind(edit.span, one) for one in theirs if one.kind == "modality"}
    if len(mine) > 1 or len(other) != 1 or mine == other or _moved(edit, "modality", mine, other):
        return None
    if _texts(edit.claim, ours) == _texts(edit.span, theirs):
        return None  # one word, denied on one side: that is for `negation`
    severity = severity_of(next(iter(mine), "fact"), next(iter(other)))
    return None if severity is None else edit.finding("modality", severity)


def _texts(sentence: Sentence, operators: list[Operator]) -> list[str]:
    return [sentence.shown(one).lower() for one in operators if one.kind == "modality"]


def _denied(edit: _Edit, ours: list[Operator], theirs: list[Operator]) -> Finding | None:
    """A negator on one side alone, whose word the other side does not deny by a prefix either."""
    mine, other = (sum(one.kind == "negation" for one in side) for side in (ours, theirs))
    more, fewer = len(edit.claim.of("negation")), len(edit.span.of("negation"))
    if mine == other or (mine > other) is not (more > fewer) or more == fewer:
        return None
    words = [*edit.claim.words[edit.a : edit.b], *edit.span.words[edit.c : edit.d]]
    if any(positive_stem(word.text) is not None for word in words):
        return None
    return edit.finding("negation_added" if mine > other else "negation_dropped")


def _words(edit: _Edit) -> Finding | None:
    theirs = {word.text for word in edit.span.words[edit.c : edit.d]}
    for word in edit.claim.words[edit.a : edit.b]:
        if opposites().get(word.text, frozenset()) & theirs or prepositions().get(word.text, frozenset()) & theirs:
            return edit.finding("opposite")
    lost = any(word.text == "could" for word in edit.span.words[edit.c : edit.d]) and not edit.claim.of("modality")
    return edit.finding("modality") if lost else None


# One is the other in other letters.
_SAME = ({"gray", "grey"}, {"whisky", "whiskey"}, {"wood", "wooden"})


def _sort(edit: _Edit) -> Finding | None:
    """One word of a sort for another, the word itself elsewhere on neither side."""
    ours = {word.text for word in edit.claim.words[edit.a : edit.b]} - edit.span.texts
    theirs = {word.text for word in edit.span.words[edit.c : edit.d]} - edit.claim.texts
    for code, table in sorts().items():
        if any(other in theirs and {word, other} not in _SAME for word in ours for other in table.get(word, ())):
            return edit.finding(code)
    return None


def _narrowing(edit: _Edit, ours: list[Operator], theirs: list[Operator]) -> Finding | None:
    mine, other = ([one for one in side if one.kind == "only"] for side in (ours, theirs))
    if bool(mine) != bool(other) and not _moved(edit, "only", {""} if mine else set(), {""} if other else set()):
        return edit.finding("only_added" if mine else "only_dropped")
    added = any(is_superlative(word.text) and word.text != "most" for word in edit.claim.words[edit.a : edit.b])
    had = any(is_superlative(word.text) for word in edit.span.words[edit.c : edit.d])
    if not added or had or _ranks(edit.claim) <= _ranks(edit.span):
        return None
    return edit.finding("superlative_added")


def _ranks(sentence: Sentence) -> int:
    return sum(is_superlative(word.text) for word in sentence.words)


def _operators(sentence: Sentence, first: int, last: int) -> list[Operator]:
    """The operators with a word in ``[first, last)``."""
    return [one for one in sentence.operators if one.first < last and first < one.last]
