"""The parties of a relation: which words stand for whoever is on its left, and on its right.

No parser stands behind this. A party is the nearest run of words that may be a noun group: a whole name where it ends
or begins with a capital, else the few words next to the verb; "of" cuts its complement off, "and" takes another in.
"""

from affidavit.gates.polarity.reading import Sentence, Word
from affidavit.gates.roles.table import BE, NOT_ADVERBS, PASSED, WITHIN, is_verb_form

Party = frozenset[str]

# A noun group of small words has so many of them at most: two adjectives and the noun.
_WORDS = 3
# How far from the verb a party may begin.
_REACH = 10


def left_of(sentence: Sentence, index: int) -> Party:
    """The party that ends before the word at `index`, auxiliaries and adverbs between them passed over."""
    at = index - 1
    while at >= 0 and index - at < _REACH and _is_passed(sentence, at):
        at -= 1
    return _back(sentence, at)


def right_of(sentence: Sentence, index: int) -> Party:
    """The party that begins at the word at `index` or behind its determiner."""
    words = sentence.words
    at = index
    while at < len(words) and at - index < 3 and words[at].text in WITHIN:
        if _broken(sentence, at, opening=at == index):
            return frozenset()
        at += 1
    return _on(sentence, at, opening=at == index)


def subject_of(sentence: Sentence, index: int) -> Party:
    """The party that opens the clause in which the word at `index` stands: the subject of a comparison."""
    at = index
    while at > 0 and not _broken(sentence, at):
        at -= 1
    while at < index and (sentence.words[at].text in WITHIN or not sentence.words[at].content):
        at += 1
    found: list[str] = []
    for place in range(at, index):
        word = sentence.words[place]
        if word.text in WITHIN or word.text == "and":
            continue
        if not word.content or word.text in BE or (found and not word.capital and is_verb_form(word.text)):
            break
        if found and sentence.words[at].capital and not word.capital and at > 0:
            break
        found.append(word.stem)
    return frozenset(found[: _WORDS + 1])


def _is_passed(sentence: Sentence, index: int) -> bool:
    word = sentence.words[index]
    return word.text in PASSED or is_adverb(word) or (index in sentence.governing and not word.capital)


def _back(sentence: Sentence, at: int) -> Party:
    """Words backward from `at`."""
    words = sentence.words
    if at < 0 or not _names(sentence, at):
        return frozenset()
    capital = words[at].capital
    found: list[str] = []
    count = 0
    while at >= 0:
        word = words[at]
        if word.text == "of":
            found, count = [], 0
            capital = at > 0 and words[at - 1].capital
        elif word.text == "and" and at > 0 and _names(sentence, at - 1):
            count, capital = 0, words[at - 1].capital
        elif word.text not in WITHIN:
            if not _names(sentence, at) or (capital and not word.capital) or count == _WORDS * (2 if capital else 1):
                break
            found.append(word.stem)
            count += 1
        elif at == 0 or words[at - 1].text not in ("of", "and"):
            break
        if at > 0 and _broken(sentence, at):
            break
        at -= 1
    return frozenset(found)


def _on(sentence: Sentence, at: int, *, opening: bool) -> Party:
    """Words forward from `at`."""
    words = sentence.words
    if at >= len(words) or not _names(sentence, at) or _broken(sentence, at, opening=opening):
        return frozenset()
    capital = words[at].capital
    found: list[str] = []
    count = 0
    for place in range(at, len(words)):
        word = words[place]
        if place > at and _broken(sentence, place):
            break
        if word.text == "and" and place + 1 < len(words):
            capital, count = words[place + 1].capital, 0
            continue
        if word.text in WITHIN and found and words[place - 1].text == "and":
            capital = place + 1 < len(words) and words[place + 1].capital
            continue
        if not _names(sentence, place) or (capital and not word.capital) or count == _WORDS * (2 if capital else 1):
            break
        found.append(word.stem)
        count += 1
    return frozenset(found)


def _names(sentence: Sentence, index: int) -> bool:
    """Whether the word may stand for something: a content word that governs nothing."""
    word = sentence.words[index]
    return word.content and index not in sentence.governing and not is_adverb(word)


def is_adverb(word: Word) -> bool:
    return word.text.endswith("ly") and not word.capital and word.text not in NOT_ADVERBS


def _broken(sentence: Sentence, index: int, *, opening: bool = False) -> bool:
    """Whether a mark stands before the word. A quotation mark or bracket does not part a verb from its object."""
    if index == 0:
        return True
    gap = sentence.text[sentence.words[index - 1].end : sentence.words[index].start]
    return any(mark in gap for mark in (",;:.!?\n" if opening else ',;:.!?()\n"“”'))
