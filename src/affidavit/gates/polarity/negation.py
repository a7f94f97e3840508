"""What one side denies and the other asserts: "did not" beside "did", "insecure" beside "secure", rose beside fell."""

from collections.abc import Iterator

from affidavit.gates.finding import Finding, Severity
from affidavit.gates.polarity.alignment import Aligned, positive_stem
from affidavit.gates.polarity.reading import Operator, Sentence, Word
from affidavit.gates.polarity.table import opposites, prepositions, stem, stop_words

# A denial whose own verb the other side does not have counts only where so much of the claim is in the span.
# Swept as in `alignment`: 0.4 gives 50 alarms and 325 hits, 0.5 gives 48 and 323, 0.6 47 and 320, 0.7 46 and 316.
SECONDARY_SHARE = 0.5
# What the span must have of what the claim denies. 0 gives 52 alarms and 326 hits, 0.5 gives 48 and 323, 0.67 44 and
# 314, 0.9 43 and 310.
SPOKEN_SHARE = 0.5


def negation(pair: Aligned) -> Iterator[Finding]:
    """At most one finding: a denial in the claim that the span lacks, else one in the span that the claim lacks."""
    mine, theirs = len(pair.claim.of("negation")), max(len(sentence.of("negation")) for sentence in pair.spans)
    if mine != theirs or not mine:
        yield from _denials(pair, mine)
    yield from _prefixed(pair)


def _denials(pair: Aligned, mine: int) -> Iterator[Finding]:
    words = pair.claim.words
    for operator in pair.claim.of("negation"):
        clash = _clash(pair.claim, operator, pair.ours, pair.theirs, pair.texts, secondary=pair.close)
        if clash:
            message = f'the claim says "{_phrase(pair.claim, operator)}"; the source does not deny "{clash}"'
            severity = Severity.BLOCK if _spoken_of(pair, operator) else Severity.WARN
            yield Finding(
                "negation_added", message, words[operator.first].start, words[operator.last - 1].end, severity
            )
            return
    secondary = not mine and pair.share >= SECONDARY_SHARE
    for sentence in pair.spans:
        for operator in sentence.of("negation"):
            clash = _clash(sentence, operator, pair.theirs, pair.ours, pair.claim.texts, secondary=secondary)
            if clash:
                word = words[pair.ours[clash][0][0]]
                message = f'the source says "{_phrase(sentence, operator)}"; the claim asserts "{word.text}"'
                yield Finding("negation_dropped", message, word.start, word.end, Severity.BLOCK)
                return


def _spoken_of(pair: Aligned, operator: Operator) -> bool:
    """Whether the span has what the claim denies. "Not made from juniper" is no denial of "made from cranberries"."""
    denied = [index for index in operator.scope if index in pair.claim.denied]
    held = sum(pair.claim.words[index].stem in pair.theirs for index in denied)
    return held >= SPOKEN_SHARE * len(denied)


def _prefixed(pair: Aligned) -> Iterator[Finding]:
    """A word beside its own denial: "compliant" and "noncompliant"."""
    for index in pair.claim.content:
        word = pair.claim.words[index]
        base = positive_stem(word.text)
        if base is not None and word.stem not in pair.vocabulary:
            agree = any(denied != (index in pair.claim.denied) for _, denied in pair.theirs.get(base, ()))
            if pair.theirs.get(base) and not agree:
                yield _opposed(word, base)
                return
    for sentence in pair.spans:
        for place in sentence.content:
            theirs = sentence.words[place]
            base = positive_stem(theirs.text)
            ours = pair.ours.get(base, ()) if base is not None and theirs.stem not in pair.claim.stems else ()
            if ours and base not in pair.vocabulary and all(denied == (place in sentence.denied) for _, denied in ours):
                yield _opposed(pair.claim.words[ours[0][0]], theirs.text)
                return


def _opposed(word: Word, other: str) -> Finding:
    return Finding(
        "negation_prefix", f'the claim says "{word.text}", the source "{other}"', word.start, word.end, Severity.BLOCK
    )


def _clash(
    sentence: Sentence,
    operator: Operator,
    own: dict[str, list[tuple[int, bool]]],
    other: dict[str, list[tuple[int, bool]]],
    other_texts: frozenset[str],
    *,
    secondary: bool,
) -> str | None:
    """The stem of a word in the operator's scope that the other side has and nowhere denies; None if all agrees."""
    scope = [index for index in operator.scope if index in sentence.denied]
    if not scope:
        return None
    first = sentence.words[scope[0]]
    if opposites().get(first.text, frozenset()) & other_texts:
        return None
    apart: list[str] = []
    present = 0
    led = first.stem in other
    for index in scope:
        key = sentence.words[index].stem
        theirs = other.get(key)
        if not theirs:
            continue
        if all(character.isdigit() or character in ".,:" for character in key):
            continue
        if any(denied for _, denied in theirs):
            return None
        if all(denied for _, denied in own.get(key, ())):
            apart.append(key)
            present += 1
        elif key != first.stem:
            present += 1
    if not apart:
        return None
    if apart[0] == first.stem and len(apart) * 2 >= present:
        return apart[0]
    enough = len(apart) >= (1 if led else 2) and len(apart) >= (0.5 if led else 0.75) * present
    return apart[0] if secondary and enough else None


def _phrase(sentence: Sentence, operator: Operator) -> str:
    last = sentence.words[operator.scope[0]].end if operator.scope else sentence.words[operator.last - 1].end
    start = sentence.words[operator.first].start
    return sentence.text[min(start, last) : max(start, last)]


def direction(pair: Aligned) -> Iterator[Finding]:
    """A word of the claim whose opposite stands in its place in the span, with as many denials on both sides."""
    table = opposites()
    for index, word in enumerate(pair.claim.words):
        against = table.get(word.text)
        if not against or word.text in pair.all_texts or word.stem in pair.vocabulary or index in pair.claim.governing:
            continue
        if any(theirs in table and table[theirs] & against for theirs in pair.texts):
            continue
        for sentence in pair.spans:
            for place, theirs in enumerate(sentence.words):
                if theirs.text not in against or theirs.text in pair.claim.texts:
                    continue
                if (index in pair.claim.denied) != (place in sentence.denied) or not _same_place(
                    pair.claim, index, sentence, place
                ):
                    continue
                message = f'the claim says "{word.text}", the source "{theirs.text}"'
                yield Finding("opposite", message, word.start, word.end, Severity.BLOCK)
                return
    yield from _sided(pair)


def _sided(pair: Aligned) -> Iterator[Finding]:
    """``before 2019`` beside ``after 2019``: opposite prepositions before one and the same word."""
    table = prepositions()
    for index, word in enumerate(pair.claim.words):
        against = table.get(word.text)
        head = _next_content(pair.claim, index)
        if not against or head is None:
            continue
        key = pair.claim.words[head].stem
        said: set[str] = set()
        for sentence in pair.spans:
            for place, theirs in enumerate(sentence.words):
                follows = _next_content(sentence, place)
                if follows is not None and sentence.words[follows].stem == key:
                    said.add(theirs.text)
        if said & against and word.text not in said:
            other = sorted(said & against)[0]
            message = f'the claim says "{word.text} {pair.claim.words[head].text}", the source "{other}"'
            yield Finding("opposite_relation", message, word.start, word.end, Severity.BLOCK)
            return


def _next_content(sentence: Sentence, index: int) -> int | None:
    for place in range(index + 1, min(index + 4, len(sentence.words))):
        if sentence.words[place].content:
            return place
        if sentence.words[place].text not in stop_words():
            return None
    return None


def _same_place(claim: Sentence, index: int, span: Sentence, place: int) -> bool:
    """Whether a neighbour on the one side is a neighbour on the other."""
    ours, theirs = _neighbours(claim, index), _neighbours(span, place)
    return bool(ours & theirs)


def _neighbours(sentence: Sentence, index: int) -> frozenset[str]:
    content = [place for place in sentence.content if place != index]
    before = [place for place in content if place < index][-2:]
    after = [place for place in content if place > index][:2]
    return frozenset(stem(sentence.words[place].text) for place in (*before, *after))
