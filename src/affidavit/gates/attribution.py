"""Who a sentence says said something: the name that a quotation is given to.

Only what stands beside the quotation is read: "X said", "said X", "according to X", "as X puts it", "X: …", a dash or
brackets after it. A pronoun or "one judge" names nobody who could be looked up, and binds nothing.
"""

import re
import tomllib
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

__all__ = ["Attribution", "attribution_of", "signature"]

_LOOK_BACK = 240
_LOOK_AHEAD = 160
_MARKS = "\"“”„‟«»‹›‘’‚'「」『』`"
_STOP = re.compile(r"(?<=[.!?。！？])[\"”’»)]*\s+(?=[\"“„«‘A-ZÀ-ÞА-Я0-9])|\n\s*\n|(?<=[。！？])")
_PARAGRAPH = re.compile(r"\n\s*(?:\n|[-*•>])|\r\n\r\n")
_ABBREVIATED = re.compile(r"\b(?:Dr|Mr|Mrs|Ms|Prof|St|Jr|Sr|No|vs|[A-Z])\.$")
# A full stop belongs to a name only inside a word, after an initial and after a title.
_PART = r"(?:(?:[A-ZÀ-Þ]|Dr|Mr|Mrs|Ms|St|Prof|Sen|Rep|Gov|Gen|Jr|Sr|No)\.|[^\W_][\w’'&/-]*(?:\.[\w’'&/-]+)*)"
_NAME = rf"{_PART}(?: (?:{_PART}|&)){{0,7}}?"
_LIST_MARK = r"[\s>*_#•-]*"
# What may stand between a name and its verb, and what links a quotation to the next clause and names nobody.
_ASIDE = r"(?:\s*\([^()]{0,60}\)|,\s*(?:which|who|whose)\b[^,]{0,60},)?"
_NOT_LINKED = r"(?!(?:and|but|while|which|that|when|as|or)\b)"
_ADVERBS = "(?:has |have |had |also |later |then |simply |once |even |only |first )*"
_TOKEN = re.compile(r"[^\W_]+(?:[.’'-][^\W_]+)*")


@dataclass(frozen=True, slots=True)
class Attribution:
    """`name` as written, at ``[start, end)`` of the text.

    `named` is whether it is the name of someone or something: it has a capital letter beyond the one that begins a
    sentence, or a number. Without it nothing follows from not finding the name.
    """

    name: str
    start: int
    end: int
    named: bool


@dataclass(frozen=True, slots=True)
class _Patterns:
    after: tuple[re.Pattern[str], ...]
    before: tuple[re.Pattern[str], ...]


@lru_cache(maxsize=1)
def _table() -> dict[str, str]:
    return tomllib.loads(files("affidavit.gates").joinpath("quotations.toml").read_text(encoding="utf-8"))["speech"]


@lru_cache(maxsize=1)
def _words(key: str) -> frozenset[str]:
    return frozenset(_table()[key].split())


@lru_cache(maxsize=1)
def _leading() -> frozenset[str]:
    return frozenset(_table()["before_names"].split())


@lru_cache(maxsize=1)
def _nobody() -> frozenset[str]:
    return frozenset(_table()["nobody"].split())


@lru_cache(maxsize=1)
def _patterns() -> _Patterns:
    verbs = "|".join(sorted(_table()["verbs"].split(), key=len, reverse=True))
    according = "|".join(re.escape(one.strip()) for one in _table()["according"].split("|"))
    close = rf"\s?[{re.escape(_MARKS)}]*[,.!?…]?[{re.escape(_MARKS)}]*"
    after = (
        rf"{close}\s*,?\s*(?:{verbs})\s+(?P<name>{_NAME})(?=[\s]*(?:[.,;:!?()\n—–]|$|\b(?:in|on|at|of|to|when|after|as|who|about|during|that|and|but|for|from|with|last|this|am|im|bei|der|le|en|el)\b))",
        # After a full stop the next sentence begins, unless the two words are all there is.
        rf"(?<![.。]){close}\s*,?\s*{_NOT_LINKED}(?P<name>{_NAME})\s+(?:has |have |had |also |later )?(?:{verbs})\b",
        rf"{close}\s*,?\s*{_NOT_LINKED}(?P<name>{_NAME})\s+(?:has |have |had |also |later )?(?:{verbs})\s*(?:[.,;:]|$)",
        rf"{close}\s*(?:[—–]|--?)\s*(?P<name>{_NAME})(?=\s*(?:[.,;(\n]|$))",
        rf"{close}\s*\((?!see\b|cf\b|e\.g|i\.e|emphasis)(?P<name>{_NAME})(?=\s*[,;)])",
        rf"{close}\s*,?\s*(?i:{according})\s+(?P<name>{_NAME})(?=\s*(?:[.,;:!?()\n]|$))",
    )
    before = (
        rf"\b(?i:{according})\s+(?P<name>{_NAME})(?=\s*[,:]|\s+(?:is|are|was|were|has|have|the|it|this|these|that)\b|\s*$)",
        rf"\b[Aa]s\s+(?P<name>{_NAME})\s+(?:{verbs})\b",
        rf"\b[Ii]n\s+(?P<name>{_NAME})['’]s?\s+(?:\w+\s+)?words\b",
        rf"\b(?:described|called|dubbed|labelled|labeled|characterized|quoted|said|written|put)\s+by\s+(?P<name>{_NAME})(?=\s+as\b|\s*[,:]|\s*$)",
        rf"\bquot(?:e|es|ed|ing)\s+(?P<name>{_NAME})(?=\s+(?:as|saying)\b|\s*[,:]|\s*$)",
        rf"(?:^{_LIST_MARK}|[,;:—–(]\s*|\b(?:and|but|that|while|when)\s+)(?P<name>{_NAME}){_ASIDE}\s+{_ADVERBS}(?:{verbs})\b",
        rf"\b(?:{verbs})\s+(?P<name>{_NAME})\s*,$",
        rf"^{_LIST_MARK}(?P<name>{_NAME})(?:\s*\([^()]*\))?\s*:[\s*_]*$",
    )
    return _Patterns(tuple(map(re.compile, after)), tuple(map(re.compile, before)))


def attribution_of(
    text: str, start: int, end: int, quoted: Sequence[tuple[int, int]] = (), block: bool = False
) -> Attribution | None:
    """Who the sentence around the quoted words ``[start, end)`` gives them to, or None.

    `quoted` are all quoted ranges of the text, in order and apart: what is quoted elsewhere in the sentence names
    nobody. A `block` has no sentence around it; the line before it counts if it leads in with a colon.
    """
    patterns = _patterns()
    if not block:
        # One character of the words themselves, so that a pattern sees how they end.
        ahead = text[end - 1 : end] + _masked(text, end, min(len(text), end + _LOOK_AHEAD), quoted)
        ahead = _PARAGRAPH.split(ahead, maxsplit=1)[0]
        for pattern in patterns.after:
            match = pattern.match(ahead, 1)
            if match and (found := _named(text, end - 1, match)):
                return found
        begin, stop = _sentence_start(text, start, quoted), start
    else:
        stop = len(text[:start].rstrip("> \t\r\n"))
        if text[stop - 1 : stop] not in (":", "："):
            return None
        begin = _sentence_start(text, stop, quoted)
    behind = _masked(text, begin, stop, quoted).rstrip(_MARKS + " \u00a0\u202f\t")
    for pattern in patterns.before:
        for match in reversed(list(pattern.finditer(behind))):
            if found := _named(text, begin, match):
                return found
            if match.group("name").lower() in _nobody():
                return None
    return None


def signature(text: str, start: int, end: int) -> tuple[Attribution | None, int]:
    """The last line of a block quotation if it is signed with a dash, and where the words before it end."""
    match = re.search(r"\n[^\S\n]*(?:>[>\t ]*)*(?:[—–]|--?)[^\S\n]*(?P<name>[^\n,(]{2,80})[^\n]*$", text[start:end])
    if match is None:
        return None, end
    found = _named(text, start, match)
    return (found, start + match.start()) if found else (None, end)


def _masked(text: str, start: int, end: int, quoted: Sequence[tuple[int, int]]) -> str:
    """The text with what is quoted in it blanked, character for character."""
    piece = list(text[start:end])
    for first, last in quoted[bisect_right(quoted, start, key=lambda one: one[1]) :]:
        if first >= end:
            break
        for at in range(max(first, start), min(last, end)):
            piece[at - start] = "\u00a4"
    return "".join(piece)


def _sentence_start(text: str, start: int, quoted: Sequence[tuple[int, int]]) -> int:
    begin = max(0, start - _LOOK_BACK)
    masked = _masked(text, begin, start, quoted)
    at = 0
    for match in _STOP.finditer(masked):
        if not _ABBREVIATED.search(masked[: match.start()]) and masked[match.end() :].strip(_MARKS + " "):
            at = match.end()
    line = masked.rfind("\n", 0, len(masked))
    return begin + max(at, line + 1 if masked[line + 1 :].strip(_MARKS + " ->*•\t") else at)


def _named(text: str, offset: int, match: re.Match[str]) -> Attribution | None:
    """The name a pattern caught, without the small words that lead to it."""
    start, end = offset + match.start("name"), offset + match.end("name")
    tokens = [(token.start() + start, token.end() + start) for token in _TOKEN.finditer(text[start:end])]
    while tokens and (
        text[tokens[0][0] : tokens[0][1]].lower() in _leading()
        or (len(tokens) > 1 and text[tokens[0][0] : tokens[0][1]].isdigit())
    ):
        del tokens[0]
    words = [text[a:b] for a, b in tokens]
    if not tokens or words[-1].lower() in _nobody() or any(word in _words("verbs") for word in words):
        return None
    if "\u00a4" in text[start:end]:
        return None
    first, last = tokens[0][0], tokens[-1][1]
    name = re.sub(r"['’]s?$", "", text[first:last])
    begins = _begins_sentence(text, first)
    marked = [word for index, word in enumerate(words) if _is_proper(word[1:] if begins and index == 0 else word)]
    named = bool(marked)
    return Attribution(name, first, first + len(name), named)


def _is_proper(word: str) -> bool:
    """A capital letter or a digit; a number alone names nothing without the words beside it."""
    return any(character.isupper() or character.isdigit() for character in word)


def _begins_sentence(text: str, at: int) -> bool:
    before = text[:at].rstrip(_MARKS + " >*\u00a0-–—(")
    return not before or before[-1] in ".!?:\n。！？"
