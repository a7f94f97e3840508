"""A number in words: "forty-five", "two and a half million", "quatre-vingt-dix", "fünfundvierzig"."""

import re
from dataclasses import dataclass
from decimal import Decimal

from affidavit.gates.numbers.lexicon import Words, words

_WORD = re.compile(r"[^\W\d_]+")
_GAP = re.compile(r"-|[ \u00a0\n]+")
_GERMAN = re.compile(r"(?:(?P<one>\w+?)und)?(?P<ten>(?:zwan|drei|vier|fünf|sech|sieb|acht|neun)(?:zig|ßig|ssig))$")


@dataclass(frozen=True, slots=True)
class Spelled:
    """`words` is how many number words were read. `step` as in Numeral. `year` for "nineteen eighty-four"."""

    start: int
    end: int
    value: Decimal
    step: Decimal
    words: int
    year: bool = False


def read_spelled(text: str, at: int, language: str) -> Spelled | None:
    """The longest number in words that starts at `at`, a word start; None where none does.

    An article counts only before a multiplier ("a hundred", "half a million" is read by the caller). A lone "one" is
    returned; whether it is a number is for the caller to say.
    """
    known = words(language)
    total = Decimal(0)
    current: Decimal | None = None
    last_add = 1000
    step = Decimal(1)
    end = position = at
    count = 0
    year = False
    while (match := _WORD.match(text, position)) is not None:
        word = match.group().lower()
        value = _value(word, known, language)
        if word in known.articles and count == 0:
            following = _after(text, match.end())
            if following not in known.times and following not in known.scale:
                return None
            current, last_add = Decimal(1), 1
        elif value is not None:
            if current is not None and not _may_follow(value, last_add, language):
                if not (count == 1 and 10 <= last_add < 100 and 10 <= value < 100 and language == "en"):
                    break
                current, year = current * 100 + value, True
            elif language == "fr" and last_add == 4 and value == 20:
                current = (current or Decimal(0)) + 76  # quatre-vingts: four twenties
            else:
                current = (current or Decimal(0)) + value
            last_add, end, count = value, match.end(), count + 1
            step = Decimal(1)
        elif word in known.times and (current is not None or word not in ("dozen",) or count == 0):
            current = (current if current is not None else Decimal(1)) * known.times[word]
            last_add, end, count = 100 if known.times[word] == 100 else 1, match.end(), count + 1
            step = Decimal(known.times[word])
        elif word in known.scale and (
            current is not None or (count == 0 and known.scale[word] == 1000 and language != "en")
        ):
            scaled = (current if current is not None else Decimal(1)) * known.scale[word]
            total += scaled
            current, last_add, end, count = None, 1000, match.end(), count + 1
            step = Decimal(known.scale[word])
        elif word in known.joins and count and _continues(text, match.end(), known, language, last_add):
            pass
        else:
            break
        gap = _GAP.match(text, match.end())
        if gap is None:
            break
        position = gap.end()
    if not count:
        return None
    if year and not 1000 <= (current or 0) < 2100:
        return None
    return Spelled(at, end, total + (current or 0), step, count, year and total == 0)


def _value(word: str, known: Words, language: str) -> int | None:
    value = known.add.get(word)
    if value is None and language == "de" and len(word) > 8:
        match = _GERMAN.match(word)
        if match and match["one"]:
            one = {"ein": 1}.get(match["one"], known.add.get(match["one"]))
            ten = known.add.get(match["ten"])
            return one + ten if one is not None and ten is not None else None
    return value


def _may_follow(value: int, last: int, language: str) -> bool:
    """Whether an added value may follow another: ones after tens, tens after hundreds; French counts tens past ten."""
    if last >= 1000 or last == 100:
        return value < 100 or last >= 1000
    if language == "fr" and last in (20, 60, 4):
        return value < 20 or (last == 4 and value == 20)
    return last >= 20 and last % 10 == 0 and value < 10


def _continues(text: str, at: int, known: Words, language: str, last: int) -> bool:
    gap = _GAP.match(text, at)
    following = _WORD.match(text, gap.end()) if gap else None
    if following is None:
        return False
    word = following.group().lower()
    value = _value(word, known, language)
    if value is None:
        return False
    if language in ("es", "fr", "pt"):
        return _may_follow(value, last, language)
    return last in (100, 1000) and value > 0


def _after(text: str, at: int) -> str:
    gap = _GAP.match(text, at)
    following = _WORD.match(text, gap.end()) if gap else None
    return following.group().lower() if following else ""
