"""Whose statement it is: what a span has somebody say may not become a fact, or somebody else's words."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from affidavit.gates.finding import Finding, Severity
from affidavit.gates.polarity.alignment import Aligned
from affidavit.gates.polarity.reading import Sentence
from affidavit.gates.polarity.table import word_set

_PRONOUNS = frozenset("he she it they we i you who which that this these those there what all both".split())
_ACCORDING = re.compile(r"\b(?:[Aa]ccording to|[Ii]n the (?:words|opinion|view) of)\s+(?P<name>[^,.;:()]{2,60})")
_HEARSAY = re.compile(
    r"\bit (?:is|was|has been) (?:widely |often |generally )?"
    r"(?:believed|thought|claimed|alleged|rumou?red|suspected|argued)\b"
    r"|\b(?:is|was|are|were) (?:believed|thought|alleged|rumou?red|suspected|said|claimed) to\b",
    re.IGNORECASE,
)


# A belief stated as a fact is a mismatch for certain where so much of the claim is in the span.
BELIEF_SHARE = 0.8
# Content words after a saying that are looked at for what is said.
_FOLLOWING = 6


@dataclass(frozen=True, slots=True)
class Saying:
    """`name` is who says it (words, lower case; empty for hearsay); `belief` is whether it is held and not reported."""

    name: frozenset[str]
    shown: str
    belief: bool
    start: int
    end: int


@lru_cache(maxsize=1)
def _verbs() -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    return word_set("attribution", "report"), word_set("attribution", "belief"), word_set("attribution", "hedges")


def sayings(sentence: Sentence) -> list[Saying]:
    """Who is said to say something in the sentence."""
    report, belief, hedges = _verbs()
    found: list[Saying] = []
    if not sentence.words:
        return found
    begin, end = sentence.words[0].start, sentence.words[-1].end
    for match in _ACCORDING.finditer(sentence.text, begin, end):
        name = frozenset(word.lower() for word in re.findall(r"\w+", match.group("name")) if word[0].isupper())
        found.append(Saying(name, match.group(), False, match.start(), match.end()))
    for match in _HEARSAY.finditer(sentence.text, begin, end):
        found.append(Saying(frozenset(), match.group(), True, match.start(), match.end()))
    for index, word in enumerate(sentence.words):
        if word.text in hedges:
            found.append(Saying(frozenset(), word.text, True, word.start, word.end))
        if word.text not in report and word.text not in belief:
            continue
        name = _subject(sentence, index)
        if name is not None:
            first = sentence.words[max(0, index - 1)].start
            found.append(Saying(name, sentence.text[first : word.end], word.text in belief, word.start, word.end))
    return found


def _subject(sentence: Sentence, index: int) -> frozenset[str] | None:
    """The capitalised words right before the verb, or right after it behind a comma; None if nobody stands there."""
    name: set[str] = set()
    place = index - 1
    while place >= 0 and (
        sentence.words[place].capital or sentence.words[place].text in ("have", "has", "had", "of", "also")
    ):
        if sentence.words[place].capital and sentence.words[place].text not in _PRONOUNS:
            name.add(sentence.words[place].text)
        place -= 1
    if name:
        return frozenset(name)
    following = sentence.words[index + 1 : index + 4]
    if following and following[0].text == "that" and index > 0:
        return frozenset()
    gap = sentence.text[sentence.words[index - 1].end : sentence.words[index].start] if index else ""
    if "," in gap or "”" in gap or '"' in gap:
        after = frozenset(word.text for word in following if word.capital and word.text not in _PRONOUNS)
        return after or None
    return None


def _about(pair: Aligned, sentence: Sentence, saying: Saying) -> bool:
    """Whether what follows the saying is what the claim asserts, and not an aside."""
    following = [sentence.words[index].stem for index in sentence.content if sentence.words[index].start >= saying.end]
    held = sum(key in pair.claim.stems for key in following[:_FOLLOWING])
    return held * 2 >= len(following[:_FOLLOWING]) > 0


def attribution(pair: Aligned) -> Iterator[Finding]:
    ours = sayings(pair.claim)
    theirs = [(sentence, one) for sentence in pair.spans for one in sayings(sentence)]
    content = [pair.claim.words[index] for index in pair.claim.content]
    if not content:
        return
    if theirs and not ours:
        sentence, saying = theirs[0]
        said = {word.text for word in sentence.words if saying.start <= word.start < saying.end}
        if saying.name & pair.claim.texts or said & pair.claim.texts & _verbs()[1]:
            return
        sure = saying.belief and all(one.belief for _, one in theirs) and pair.share >= BELIEF_SHARE
        sure = sure and _about(pair, sentence, saying)
        severity = Severity.BLOCK if sure else Severity.WARN
        message = f'the source gives it to somebody ("{saying.shown}"); the claim states it as a fact'
        yield Finding("attribution_dropped", message, content[0].start, content[-1].end, severity)
    for one in ours:
        if not one.name or one.name & pair.texts:
            continue
        others = [other for _, other in theirs if other.name and not other.name & pair.claim.texts]
        if others:
            message = f'the claim gives it to "{one.shown}", the source to "{others[0].shown}"'
            yield Finding("attribution_changed", message, one.start, one.end, Severity.BLOCK)
            return
        message = f'the claim gives it to "{one.shown}", whom the source does not name'
        # The span may be by the one who is named: the pair cannot tell.
        yield Finding("attribution_added", message, one.start, one.end, Severity.CAP if pair.close else Severity.WARN)
        return
