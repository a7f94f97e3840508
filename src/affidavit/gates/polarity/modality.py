"""Who must, should, may, is expected to, or does: a claim may not bind more, or know more, than its span."""

from collections.abc import Iterator
from dataclasses import replace

from affidavit.gates.finding import Finding, Severity
from affidavit.gates.polarity.alignment import Aligned
from affidavit.gates.polarity.reading import Operator, Sentence

_FACT = "fact"
# What a claim may not say where its span says the other; of the rest WARNED is shown, and anything else is fair.
_BLOCKED = frozenset(
    "must:should must:may must:expected should:must should:may may:must may:should fact:should fact:may"
    " fact:expected future:may future:expected".split()
)
_WARNED = frozenset(
    "fact:future can:must can:should expected:fact may:fact must:fact should:fact expected:must expected:may must:can"
    " should:can must:future future:fact".split()
)
_PAST = frozenset("was were has have had did".split())
_DUTIES = ("must", "should", "may")
# Without a verb in common, duties are compared where each side knows one kind and so much of the claim is in the span.
DUTY_SHARE = 0.5


def modality(pair: Aligned) -> Iterator[Finding]:
    """At most one finding: the first verb that both sides have and that is bound otherwise."""
    for key, places in pair.ours.items():
        theirs = pair.theirs.get(key)
        if not theirs:
            continue
        ours = {_governing(pair.claim, index) for index, _ in places}
        others = {
            _governing(sentence, index)
            for sentence in pair.spans
            for index in sentence.content
            if sentence.words[index].stem == key
        }
        kinds, said = {one[0] for one in ours}, {one[0] for one in others}
        if kinds & said or not kinds or not said or kinds | said == {_FACT}:
            continue
        finding = _compare(pair, ours, others, places[0][0])
        if finding is not None and said == {"future"} and _done(pair.claim, places[0][0]):
            finding = replace(finding, severity=Severity.CAP)
        if finding is not None:
            yield finding
            return
    yield from _duties(pair)


def _done(sentence: Sentence, index: int) -> bool:
    """Whether the verb stands in a past or a perfect form: what somebody will do is not done."""
    word = sentence.words[index].text
    before = {one.text for one in sentence.words[max(0, index - 3) : index]}
    return word.endswith("ed") or bool(before & _PAST)


def severity_of(claimed: str, said: str) -> Severity | None:
    """What follows where the claim has the one kind of modal and the span the other; None where that is fair."""
    couple = f"{claimed}:{said}"
    return Severity.BLOCK if couple in _BLOCKED else Severity.WARN if couple in _WARNED else None


def _duties(pair: Aligned) -> Iterator[Finding]:
    """One duty on each side, of other kinds, over other verbs: "must state" beside "SHOULD specify"."""
    ours = [one for one in pair.claim.of("modality") if one.value in _DUTIES]
    theirs = [(sentence, one) for sentence in pair.spans for one in sentence.of("modality") if one.value in _DUTIES]
    kinds = {modal_kind(pair.claim, one) for one in ours}, {modal_kind(sentence, one) for sentence, one in theirs}
    if len(kinds[0]) != 1 or len(kinds[1]) != 1 or kinds[0] == kinds[1] or pair.share < DUTY_SHARE:
        return
    if _caps(pair.claim) & frozenset[str]().union(*map(_caps, pair.spans)):
        return  # "may go up to 4" is "must not exceed 4"; `bounds` compares the two
    if pair.claim.shown(ours[0]).lower() == theirs[0][0].shown(theirs[0][1]).lower():
        return
    if severity_of(next(iter(kinds[0])), next(iter(kinds[1]))) is Severity.BLOCK:
        words = pair.claim.words
        message = f'the claim says "{pair.claim.shown(ours[0])}", the source "{theirs[0][0].shown(theirs[0][1])}"'
        yield Finding("modality", message, words[ours[0].first].start, words[ours[0].last - 1].end, Severity.BLOCK)


def _caps(sentence: Sentence) -> frozenset[str]:
    """The figures that the sentence says to be the most there is."""
    bounds = (one for one in sentence.of("bound") if one.value == "most" and one.scope)
    return frozenset(sentence.words[one.scope[0]].text for one in bounds)


def modal_kind(sentence: Sentence, operator: Operator) -> str:
    """The kind of a modal. "May not" and "cannot" forbid; "need not" and "is not required" leave free."""
    own = {word.text for word in sentence.words[operator.first : operator.last]}
    around = {word.text for word in sentence.words[max(0, operator.first - 2) : operator.last + 1]}
    if "not" in own or not around & {"not", "no", "never", "n't", "cannot"}:
        return operator.value
    if operator.value == "may":
        return "must"
    if operator.value == "must" and sentence.words[operator.first].text not in ("must", "shall"):
        return "may"
    return operator.value


_Governed = tuple[str, Operator | None, Sentence]


def _governing(sentence: Sentence, index: int) -> _Governed:
    """The kind of modal whose verb the word is."""
    for operator in sentence.of("modality"):
        if operator.scope[:1] == (index,):
            return modal_kind(sentence, operator), operator, sentence
    return _FACT, None, sentence


def _shown(governed: _Governed) -> str | None:
    return None if governed[1] is None else governed[2].shown(governed[1]).lower()


def _compare(pair: Aligned, ours: set[_Governed], theirs: set[_Governed], index: int) -> Finding | None:
    mine = next(iter(sorted(ours, key=lambda one: one[0])))
    other = next(iter(sorted(theirs, key=lambda one: one[0])))
    if other[1] is not None and other[2].words[other[1].scope[0]].capital and mine[1] is None:
        return None  # a name after a modal is no verb
    if _shown(mine) == _shown(other) is not None:
        return None  # one word, denied on one side: that is for `negation`
    if (
        other[1] is not None
        and mine[1] is None
        and any(one.value == other[1].value for one in pair.claim.of("modality"))
    ):
        return None  # the claim has it, before another verb
    severity = severity_of(mine[0], other[0])
    if severity is None:
        return None
    word = pair.claim.words[index]
    start, end = word.start, word.end
    said = f'"{word.text}" as a fact'
    if mine[1] is not None:
        start, end = pair.claim.words[mine[1].first].start, pair.claim.words[mine[1].last - 1].end
        said = f'"{pair.claim.shown(mine[1])}"'
    span = f'"{other[2].shown(other[1])}"' if other[1] is not None else "it as a fact"
    return Finding("modality", f"the claim says {said}, the source {span}", start, end, severity)
