"""A sentence as content words and the operators over them: negators, modals, quantifiers, bounds, conditions.

Scope is decided by surface alone, and narrowly: an operator reaches to the right, to the end of its clause, and a
clause ends at a mark, a relative pronoun or a conjunction that brings its own verb. What is out of reach is not said to
be denied, so a negation elsewhere in the sentence raises no alarm.
"""

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache

from affidavit.evidence.sentences import sentences
from affidavit.gates.polarity.table import longest_phrase, phrases, stem, stop_words, word_set

_TOKEN = re.compile(r"\d+(?:[.,:]\d+)*|[^\W\d_]+?(?=n['’]t\b)|n['’]t\b|[^\W\d_]+|≥|≤|[<>]")
_UNCONTRACTED = {"n't": "not", "n’t": "not", "wo": "will", "ca": "can", "sha": "shall"}
_HARD = re.compile(r"[;:()\[\]—–.!?|\n]|--")
_QUOTES = "\"“”‘’'«»"
# Before a time they say how often, and of nothing that all of it is so: "every 30 days" is "per 30 days".
_HOW_OFTEN = frozenset("every each any".split())
_BREAKING = frozenset(
    "but although though while whereas which who whom whose because unless if when where that so until before"
    " after".split()
)
_SUBJECTS = frozenset("it he she they we you i there".split())
_AUXILIARIES = frozenset(
    "is are was were has have had do does did will would can could may might must shall should".split()
)
# What begins a clause of its own after the conjunction; "or a boat" goes on with the object.
_OWN_VERB = {
    "or": _SUBJECTS | _AUXILIARIES,
    "and": _SUBJECTS | _AUXILIARIES | frozenset("the this these those a an".split()),
}
_NUMBER_WORDS = frozenset(
    "two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty sixty seventy eighty ninety"
    " hundred thousand million billion half one".split()
)
# A negator reaches so many content words at most; a modal finds its verb within so many words.
_REACH = 8
_MODAL_REACH = 6


@dataclass(frozen=True, slots=True)
class Word:
    """One token. `text` is lower case; ``[start, end)`` are code points of the text that was read."""

    text: str
    stem: str
    start: int
    end: int
    content: bool
    capital: bool


@dataclass(frozen=True, slots=True)
class Operator:
    """`kind` and `value` as in `words.toml`; ``[first, last)`` are its words, `scope` the content words it governs."""

    kind: str
    value: str
    first: int
    last: int
    scope: tuple[int, ...]


@dataclass(frozen=True)
class Sentence:
    """Words and operators of one sentence; indices are into `words`."""

    text: str
    words: tuple[Word, ...]
    operators: tuple[Operator, ...]

    @cached_property
    def content(self) -> tuple[int, ...]:
        return tuple(index for index, word in enumerate(self.words) if word.content)

    @cached_property
    def stems(self) -> frozenset[str]:
        return frozenset(self.words[index].stem for index in self.content)

    @cached_property
    def texts(self) -> frozenset[str]:
        return frozenset(word.text for word in self.words)

    @cached_property
    def governing(self) -> frozenset[int]:
        """The words that are operators themselves."""
        return frozenset(index for one in self.operators for index in range(one.first, one.last))

    @cached_property
    def denied(self) -> frozenset[int]:
        """The content words under an odd number of negators."""
        odd: set[int] = set()
        for operator in self.of("negation"):
            if self.words[operator.first].text == "nor":
                odd.update(operator.scope)  # it goes on with the denial that "neither" began
            else:
                odd.symmetric_difference_update(operator.scope)
        return frozenset(odd)

    def of(self, kind: str) -> tuple[Operator, ...]:
        return tuple(operator for operator in self.operators if operator.kind == kind)

    def shown(self, operator: Operator) -> str:
        return self.text[self.words[operator.first].start : self.words[operator.last - 1].end]


@lru_cache(maxsize=4096)
def read(text: str) -> tuple[Sentence, ...]:
    """The sentences of `text`. Offsets of their words are those of `text`."""
    return tuple(_sentence(text, start, end) for start, end in sentences(text, "en"))


def _sentence(text: str, start: int, end: int) -> Sentence:
    tokens = [(match.start(), match.end()) for match in _TOKEN.finditer(text, start, end)]
    lowered = [_plain(text[a:b]) for a, b in tokens]
    breaks = _breaks(text, tokens, lowered)
    heads = _operators(text, tokens, lowered)
    taken = {index for kind, _, first, last in heads if kind != "only" for index in range(first, last)}
    words = tuple(
        Word(
            word,
            stem(word),
            *tokens[index],
            index not in taken and word not in stop_words() and (len(word) > 1 or word.isdigit()),
            text[tokens[index][0]].isupper(),
        )
        for index, word in enumerate(lowered)
    )
    operators = tuple(
        Operator(kind, value, first, last, _scope(kind, value, first, last, words, breaks))
        for kind, value, first, last in heads
        if kind != "not_negation"
    )
    return Sentence(text, words, operators)


def _plain(token: str) -> str:
    lowered = token.lower()
    return _UNCONTRACTED.get(lowered, lowered)


def _breaks(text: str, tokens: list[tuple[int, int]], words: list[str]) -> list[bool]:
    """Whether a clause ends before each word; one more for the end."""
    breaks = [False] * (len(words) + 1)
    for index in range(1, len(words)):
        gap = text[tokens[index - 1][1] : tokens[index][0]]
        if _HARD.search(gap) or words[index] in _BREAKING:
            breaks[index] = True
        elif "," in gap:
            breaks[index] = not _listed(words, index)
        elif words[index] in ("and", "or") and index + 1 < len(words) and words[index + 1] in _OWN_VERB[words[index]]:
            breaks[index] = True
    breaks[len(words)] = True
    return breaks


def _listed(words: list[str], index: int) -> bool:
    """``not A, B or C``: the comma goes on with the list."""
    return words[index] in ("or", "nor") or any(word in ("or", "nor") for word in words[index + 1 : index + 5])


def _operators(text: str, tokens: list[tuple[int, int]], words: list[str]) -> list[tuple[str, str, int, int]]:
    found: list[tuple[str, str, int, int]] = []
    table = phrases()
    index = 0
    while index < len(words):
        for length in range(min(longest_phrase(), len(words) - index), 0, -1):
            phrase = tuple(words[index : index + length])
            entries = (one for one in table.get(phrase, ()) if _meant(text, tokens, words, index, length, one))
            entry = next(entries, None)
            if entry is not None:
                found.append((*entry, index, index + length))
                index += length
                break
        else:
            if words[index] in word_set("negation", "near") and text[tokens[index][1] : tokens[index][1] + 1] in "-‑ ":
                found.append(("negation", "near", index, index + 1))
            index += 1
    return found


def _meant(
    text: str, tokens: list[tuple[int, int]], words: list[str], index: int, length: int, entry: tuple[str, str]
) -> bool:
    """Rules out the month of May, a will, "at all", and bounds that stand before no figure."""
    word = words[index]
    ahead = words[index + length : index + length + 3]
    written = text[tokens[index][0] : tokens[index][1]]
    if word == "may" and written == "May" and index > 0:
        return False
    if word == "will" and written == "Will":
        return False
    if word in ("all", "any") and index and words[index - 1] in ("at", "after", "above", "if"):
        return False
    if word == "only" and text[tokens[index][0] - 1 : tokens[index][0]] == "-":
        return False
    if word == "no" and length == 1 and ahead[:1] and ahead[0].isdigit():
        return False
    if _mentioned(text, *tokens[index], tokens[index + length - 1][1]):
        return False
    if word in _HOW_OFTEN and length == 1 and any(one in word_set("quantity", "times") for one in ahead[:2]):
        return False
    if entry[0] == "negation" and written.istitle() and index and _inside_title(text, tokens, index):
        return False
    if word == "over" and len(ahead) > 1 and ahead[1] in word_set("quantity", "times"):
        return False
    if entry[0] == "bound" and length == 1 and word not in ("exactly", "precisely"):
        return any(one[0].isdigit() or one in _NUMBER_WORDS for one in ahead[:2])
    if entry[0] == "bound" and (word in ("as", "an", "not") or words[index + length - 1] == "than"):
        return any(one[0].isdigit() or one in _NUMBER_WORDS for one in ahead)
    return True


def _inside_title(text: str, tokens: list[tuple[int, int]], index: int) -> bool:
    """``I'll Never Love Again``: a capital inside the sentence, and one behind it, make it part of a name."""
    following = tokens[index + 1 : index + 2]
    return bool(following) and text[following[0][0]].isupper() and not text[following[0][0] : following[0][1]].isupper()


def _mentioned(text: str, start: int, _: int, end: int) -> bool:
    """Whether the words are talked about and not used: the term "NEED NOT"."""
    before = text[max(0, start - 8) : start].split(" ")
    return text[end : end + 1] in _QUOTES and end < len(text) and any(one[:1] in _QUOTES and one for one in before[-2:])


def _scope(
    kind: str, value: str, first: int, last: int, words: tuple[Word, ...], breaks: list[bool]
) -> tuple[int, ...]:
    if kind == "negation":
        if words[first].text in ("nothing", "nobody", "none") and first and words[first - 1].content:
            return (first - 1,)
        return _right(last, words, breaks, 1 if value in ("near", "lexical") else _REACH, len(words))
    if kind == "modality":
        scope = _right(last, words, breaks, 1, _MODAL_REACH)
        return scope or _left(first, words, breaks)
    if kind == "bound":
        near = [index for index in range(last, min(last + 2, len(words))) if _figure(words[index])]
        back = [index for index in range(max(0, first - 3), first) if _figure(words[index])]
        return tuple(near[:1] or back[-1:])
    if kind == "condition":
        return _right(last, words, breaks, _REACH, len(words))
    return _right(last, words, breaks, 2, 5)


def _figure(word: Word) -> bool:
    return word.text[0].isdigit() or word.text in _NUMBER_WORDS


def _right(start: int, words: tuple[Word, ...], breaks: list[bool], most: int, reach: int) -> tuple[int, ...]:
    found: list[int] = []
    for index in range(start, min(start + reach, len(words))):
        if breaks[index]:
            break
        if words[index].content:
            found.append(index)
            if len(found) == most:
                break
    return tuple(found)


def _left(first: int, words: tuple[Word, ...], breaks: list[bool]) -> tuple[int, ...]:
    for index in range(first - 1, max(-1, first - 6), -1):
        if words[index].content:
            return (index,)
        if breaks[index]:
            break
    return ()
