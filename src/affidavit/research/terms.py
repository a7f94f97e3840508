"""Words as the keyless run compares them: lower case, stemmed, identifiers kept whole.

``SP 800-63B`` has the terms ``sp`` and ``800-63b``; ``lock-file`` has ``lock-fil`` and also its parts. Scripts
without spaces between words (Han, kana, Thai) are cut into overlapping pairs of characters.
"""

import re
from functools import lru_cache

import snowballstemmer

_WORD = re.compile(r"[^\W_](?:[\w.\-+/&'’]*[\w+#])?")
_UNSPACED = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\U00020000-\U0002ffff]+")
_JOINT = re.compile(r"[-/.'’&]")
_STEMMER = snowballstemmer.stemmer("english")

IRREGULAR = {
    "became": "become", "began": "begin", "begun": "begin", "bought": "buy", "brought": "bring", "built": "build",
    "came": "come", "chose": "choose", "chosen": "choose", "cost": "cost", "cut": "cut", "did": "do", "drew": "draw",
    "fell": "fall", "felt": "feel", "found": "find", "gave": "give", "given": "give", "got": "get", "grew": "grow",
    "grown": "grow", "held": "hold", "hired": "hire", "kept": "keep", "knew": "know", "known": "know", "led": "lead",
    "left": "leave", "lost": "lose", "made": "make", "meant": "mean", "met": "meet", "paid": "pay", "ran": "run",
    "read": "read", "rose": "rise", "risen": "rise", "said": "say", "sat": "sit", "saw": "see", "seen": "see",
    "sent": "send", "set": "set", "shown": "show", "sold": "sell", "spent": "spend", "spoke": "speak",
    "stood": "stand", "taken": "take", "taught": "teach", "thought": "think", "told": "tell", "took": "take",
    "went": "go", "withdrawn": "withdraw", "withdrew": "withdraw", "won": "win", "written": "write", "wrote": "write",
}  # fmt: skip
"""English past forms that a stemmer leaves apart from their verb."""

STOP_WORDS = frozenset(
    "a an the this that these those of in on at to from by for with without within into onto over under about"
    " between among per via as than and or nor but if so not no is are was were be been being am do does did done"
    " has have had having will would can could may might must shall should it its they them their he she his her we"
    " us our you your i me my who whom whose which what when where why how there here then also just only very more"
    " most much many any all each both some such other another same own too out up off upon until while during"
    " according since behind it's doesn't don't didn't isn't aren't wasn't weren't".split()
)
"""English words that carry no subject; `many` and `much` matter only through what is wanted (question.py)."""


@lru_cache(maxsize=200_000)
def stem(word: str) -> str:
    """The term of one word: lower case, possessive off, past form to its verb, then Snowball's English stem."""
    word = word.lower().replace("’", "'").removesuffix("'s").removesuffix("'")
    if any(character.isdigit() for character in word):
        return word
    return _STEMMER.stemWord(IRREGULAR.get(word, word))


def words(text: str) -> list[str]:
    """The words of `text` as they stand; a run of unspaced script gives its overlapping pairs of characters."""
    found: list[str] = []
    for match in _WORD.finditer(text):
        word = match.group()
        if _UNSPACED.search(word):
            for run in _UNSPACED.findall(word):
                found += [run[i : i + 2] for i in range(len(run) - 1)] or [run]
            found += [rest for rest in _UNSPACED.split(word) if rest]
        else:
            found.append(word)
    return found


def parts(word: str) -> tuple[str, ...]:
    """The stems of a compound's parts, empty for a simple word and for an identifier (one with a digit in it):
    ``800-63B-4`` is another thing than ``800-63B``."""
    if any(character.isdigit() for character in word):
        return ()
    pieces = [piece for piece in _JOINT.split(word) if len(piece) > 1]
    return tuple(stem(piece) for piece in pieces) if len(pieces) > 1 else ()


def terms(text: str) -> frozenset[str]:
    """The set of terms of `text`, a compound's parts included."""
    found: set[str] = set()
    for word in words(text):
        found.add(stem(word))
        found.update(parts(word))
    return frozenset(found)
