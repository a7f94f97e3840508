"""What narrows or singles out: only, first, the most; and the conditions that a claim leaves out."""

from collections.abc import Iterator

from affidavit.gates.finding import Finding, Severity
from affidavit.gates.polarity.alignment import Aligned
from affidavit.gates.polarity.reading import Operator
from affidavit.gates.polarity.table import word_set

# Where less of the claim is in the span, "only" and "first" are as likely to restate it.
ONLY_SHARE = 0.7
FIRST_SHARE = 0.6


def scope(pair: Aligned) -> Iterator[Finding]:
    yield from _only(pair)
    yield from _superlative(pair)
    yield from _condition(pair)


def _only(pair: Aligned) -> Iterator[Finding]:
    ours, theirs = pair.claim.of("only"), [(s, one) for s in pair.spans for one in s.of("only")]
    narrowing = theirs or any(s.of("condition") or s.of("negation") for s in pair.spans)
    words = pair.claim.words
    if ours and not narrowing and pair.share >= ONLY_SHARE and not _small(pair, ours[0]):
        only = ours[0]
        message = f'the claim says "{pair.claim.shown(only)}"; the source does not single it out'
        yield Finding("only_added", message, words[only.first].start, words[only.last - 1].end, Severity.BLOCK)
    if theirs and not ours and not pair.claim.of("negation"):
        sentence, only = theirs[0]
        heads = [sentence.words[index].stem for index in only.scope]
        kept = [index for index in pair.claim.content if words[index].stem in heads]
        message = f'the source says "{sentence.shown(only)}", which the claim leaves out'
        place = words[kept[0] if kept else pair.claim.content[-1]]
        severity = Severity.BLOCK if pair.close else Severity.WARN
        yield Finding("only_dropped", message, place.start, place.end, severity)


def _small(pair: Aligned, only: Operator) -> bool:
    """``only 15``: says that it is little, and singles nothing out."""
    following = pair.claim.words[only.last : only.last + 1]
    return bool(following) and following[0].text[0].isdigit()


def is_superlative(word: str) -> bool:
    known = word_set("scope", "first") | word_set("scope", "superlative_words")
    if word in known:
        return True
    return word.endswith("est") and len(word) > 5 and word not in word_set("scope", "not_superlative")


def _superlative(pair: Aligned) -> Iterator[Finding]:
    theirs = {word.text for sentence in pair.spans for word in sentence.words}
    if pair.share < FIRST_SHARE or any(is_superlative(word) for word in theirs) or theirs & _FIRSTS:
        return
    for index, word in enumerate(pair.claim.words):
        following = pair.claim.words[index + 1].text if index + 1 < len(pair.claim.words) else ""
        if following == "known":
            continue
        if is_superlative(word.text) and word.text not in ("final", "last", "least", "most", "original", "alone"):
            message = f'the claim says "{word.text}"; the source ranks nothing'
            # "His first marriage", "the first of them" count more often than they rank.
            severity = Severity.WARN if word.text == "first" and not pair.close else Severity.BLOCK
            yield Finding("superlative_added", message, word.start, word.end, severity)
            return


_FIRSTS = frozenset(
    "1st debut debuted pioneer pioneered pioneering inaugurated second third top no leading record".split()
)


def _condition(pair: Aligned) -> Iterator[Finding]:
    if pair.claim.of("condition"):
        return
    for sentence in pair.spans:
        for operator in sentence.of("condition"):
            if sentence.words[operator.first].text == "where":
                continue
            needed = {sentence.words[index].stem for index in operator.scope}
            if needed and not needed & pair.claim.stems:
                message = f'the source holds "{sentence.shown(operator)}" a condition that the claim leaves out'
                word = pair.claim.words[pair.claim.content[-1]]
                yield Finding("condition_dropped", message, word.start, word.end, Severity.WARN)
                return
