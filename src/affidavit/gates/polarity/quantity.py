"""How many, and which side of a figure: all beside some, at least beside at most."""

from collections.abc import Iterator

from affidavit.gates.finding import Finding, Severity
from affidavit.gates.polarity.alignment import Aligned
from affidavit.gates.polarity.reading import Operator, Sentence

RANK = {"all": 4, "most": 3, "many": 2, "some": 1, "few": 0}
_UPWARD, _DOWNWARD = ("least", "more"), ("most", "less")


def quantifiers(pair: Aligned) -> Iterator[Finding]:
    """A claim that says more of the same things than its span: all for most, most for many, many for some."""
    for operator in pair.claim.of("quantifier"):
        heads = {pair.claim.words[index].stem for index in operator.scope}
        theirs = [
            (sentence, other)
            for sentence in pair.spans
            for other in sentence.of("quantifier")
            if heads & {sentence.words[index].stem for index in other.scope}
        ]
        if not theirs or any(other.value == operator.value for _, other in theirs):
            continue
        sentence, other = theirs[0]
        mine, said = RANK[operator.value], RANK[other.value]
        severity = Severity.BLOCK if mine > said or said == 0 or mine == 0 else Severity.WARN
        yield _finding("quantifier", pair, operator, sentence, other, severity)
        return


def bounds(pair: Aligned) -> Iterator[Finding]:
    """One figure, bounded otherwise: from the other side, more strictly, or not at all."""
    for figure, ours in _figures(pair.claim).items():
        theirs = [one for sentence in pair.spans for one in _figures(sentence).get(figure, ())]
        if not theirs:
            continue
        for mine, sentence in ours:
            severity = min(_bound(mine, other, trailing=_trails(where, other)) for other, where in theirs)
            if severity == 0:
                continue
            other, where = theirs[0]
            level = Severity.BLOCK if severity == 2 else Severity.WARN
            shown = f'"{where.shown(other)}"' if other else "no bound"
            said = f'"{sentence.shown(mine)} {figure}"' if mine else f'"{figure}"'
            place = _place(pair, mine, figure)
            yield Finding("bound", f"the claim says {said}, the source {shown}", *place, level)
            return


def _trails(sentence: Sentence, operator: Operator | None) -> bool:
    return operator is not None and sentence.words[operator.first].text == "or"


def _place(pair: Aligned, operator: Operator | None, figure: str) -> tuple[int, int]:
    words = pair.claim.words
    if operator is not None:
        return words[operator.first].start, words[operator.last - 1].end
    word = next(word for word in words if word.text == figure)
    return word.start, word.end


def _figures(sentence: Sentence) -> dict[str, list[tuple[Operator | None, Sentence]]]:
    found: dict[str, list[tuple[Operator | None, Sentence]]] = {}
    bound = {operator.scope[0]: operator for operator in sentence.of("bound") if operator.scope}
    for index, word in enumerate(sentence.words):
        if word.text[0].isdigit() or index in bound:
            found.setdefault(word.text, []).append((bound.get(index), sentence))
    return found


def _bound(mine: Operator | None, other: Operator | None, *, trailing: bool) -> int:
    """2 contradicts or goes beyond, 1 differs, 0 agrees.

    A `trailing` bound ("15 minutes or longer") is often a limit said plainly, so to leave it out only differs.
    """
    ours, theirs = (one.value if one else "" for one in (mine, other))
    if ours == theirs:
        return 0
    if (ours in _UPWARD and theirs in _DOWNWARD) or (ours in _DOWNWARD and theirs in _UPWARD):
        return 2
    if (ours, theirs) in (("more", "least"), ("less", "most")):
        return 2
    if ours == "exact" and theirs:
        return 2
    if not ours and theirs in (*_UPWARD, *_DOWNWARD):
        return 1 if other is not None and trailing else 2
    return 1


def _finding(
    code: str, pair: Aligned, mine: Operator, sentence: Sentence, other: Operator, severity: Severity
) -> Finding:
    words = pair.claim.words
    message = f'the claim says "{pair.claim.shown(mine)}", the source "{sentence.shown(other)}"'
    return Finding(code, message, words[mine.first].start, words[mine.last - 1].end, severity)
