"""Figures in other signs than digits: circled ("⑫ offices"), raised ("⁵⁰ offices"), Roman ("XII offices"), ideographs
("五十台"), signs of other scripts, and letters that look like digits among digits ("5O vans").

What a sign is worth is Unicode's to say (`unicodedata.numeric`, NFKC). Whether it states a number hangs on where it
stands, because the same signs mark notes, the items of a list, powers and designations: "offices¹", "① Call us",
"m²", "Elizabeth II", "chapter IV". A sign glued to a letter before it, one of a row that begins with its one, and a
Roman number after a name or a label are such marks.
"""

import re
import unicodedata
from collections.abc import Iterator
from itertools import groupby

from affidavit.evidence.characters import is_ideograph
from affidavit.gates.numbers import identifier, subject

_ROMAN = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}
_CANONICAL = re.compile(r"M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})")
# Of three letters and fewer, those with L, C, D or M are abbreviations ("CV", "XL", "DVI"); "IV" and "VI" are as well.
_COUNTING = re.compile(r"[IVXLCDM]{4,}|(?!(?:IV|VI)\b)[IVX]{2,}")
_RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_SPECIAL = re.compile(r"[^\x00-\x7f]")
_LABEL = 40
"""Code points before a number in which its label stands."""
_OPENS = re.compile(r"(?:\A|\n)[ \t\u00a0>*+(-]*$")

_ZEROS, _ONES, _THREES = "OoОоΟο", "lIІ", "ЗӠ"
_DIGIT_OF = str.maketrans(
    dict.fromkeys(_ZEROS, "0")
    | dict.fromkeys(_ONES, "1")
    | dict.fromkeys(_THREES, "3")
    | {"S": "5", "B": "8", "Z": "2"}
)
_MASKED = re.compile(
    rf"(?<![\w.@/#-])(?:(?P<digits>[\d{_ONES}][\d,{_ZEROS}{_ONES}SBZ]*[\d{_ZEROS}{_ONES}])|(?P<own>[{_THREES}][{_ZEROS}]+))"
    r"(?![\w@/-])"
)
_MAY_MASK = re.compile(rf"\d[{_ZEROS}{_ONES}SBZ]|[l{_THREES}][\d{_ZEROS}]|I[{_ZEROS}]")
_SHARE = re.compile(r"[ \u00a0]?%|[ \u00a0]per[ \u00a0]?cent\b")


def roman(letters: str) -> int:
    """What a Roman number in capitals is worth; nothing is asked of its form."""
    worth = [_ROMAN[letter] for letter in letters]
    return sum(-one if one < after else one for one, after in zip(worth, [*worth[1:], 0], strict=True))


def is_roman(letters: str) -> bool:
    """Whether capitals are a Roman number in its one right form."""
    return bool(letters) and _CANONICAL.fullmatch(letters) is not None


def is_sign(character: str) -> bool:
    """Whether a character states a whole number and is no decimal digit."""
    worth = unicodedata.numeric(character, None)
    return worth is not None and not character.isdecimal() and worth == int(worth)


def sign_run(text: str, at: int) -> tuple[int, int] | None:
    """``(end, worth)`` of the signs of one kind from `at` on; None where none stands."""
    end = at
    kind = _kind(text[at])
    while end < len(text) and _kind(text[end]) == kind and is_sign(text[end]):
        end += 1
    return (end, _worth(text[at:end])) if end > at else None


def _kind(character: str) -> str:
    category = unicodedata.category(character)
    if "\u2160" <= character <= "\u217f":
        return "roman"
    return "ideograph" if category == "Lo" or character == "〇" else "raised" if character in _RAISED else category


def _worth(run: str) -> int:
    """Digits by their place, tens and higher by what stands before them: 五十, 三百二十, 二〇〇, ⑤⓪."""
    letters = unicodedata.normalize("NFKC", run).upper()
    if all(letter in _ROMAN for letter in letters):
        return roman(letters)
    total = section = ones = 0
    for worth in (int(unicodedata.numeric(sign)) for sign in run):
        if worth < 10:
            ones = ones * 10 + worth
        elif worth < 10_000:
            section, ones = section + (ones or 1) * worth, 0
        else:
            total, section, ones = total + (section + ones or 1) * worth, 0, 0
    return total + section + ones


def signs_in(at: int, word: str) -> Iterator[tuple[int, int]]:
    """Where signs stand in the `word` at `at`, vulgar fractions left to who reads digits."""
    place = at
    for kind, run in groupby(word, lambda one: _kind(one) if is_sign(one) else ""):
        width = sum(1 for _ in run)
        if kind:
            yield place, place + width
        place += width


def counts(text: str, start: int, end: int, marks: frozenset[int]) -> bool:
    """Whether the signs at ``[start, end)`` state a number; `marks` are the worths of all signs of the text that may
    mark the items of a list."""
    kind = _kind(text[start])
    noun = subject.noun_follows(text, end)
    if kind == "ideograph":
        return _ideographs_count(text, start, end, noun)
    if text[start - 1 : start].isalnum():
        return False
    opens = _OPENS.search(text[max(0, start - 12) : start]) is not None
    if kind == "raised":
        return noun and not opens
    if kind == "roman":
        return _after_what_counts(text, start) and (noun or not opens)
    worth = _worth(text[start:end]) if end - start == 1 else 0
    in_row = worth > 0 and marks.issuperset(range(1, worth + 1))
    return not in_row and (noun or not opens)


def marks_of(text: str) -> frozenset[int]:
    """The worths of the signs of `text` that can mark the items of a list."""
    found = set(_SPECIAL.findall(text))
    return frozenset(int(unicodedata.numeric(one)) for one in found if is_sign(one) and _kind(one) == "No")


def _ideographs_count(text: str, start: int, end: int, noun: bool) -> bool:
    run, before, after = text[start:end], text[start - 1 : start], text[end : end + 1]
    alone = not (before and is_ideograph(before)) and not (after and is_ideograph(after))
    if alone:
        return noun or len(run) > 1
    worths = [unicodedata.numeric(sign) for sign in run]
    begins = 0 < worths[0] < 10 or (worths[0] == 10 and len(run) > 1 and worths[1] < 10)
    return begins and len(run) > 1 and before != "第" and any(one == 0 or one >= 10 for one in worths)


def roman_counts(text: str, start: int, word: str) -> bool:
    """Whether the capitals `word` at `start` are a Roman number that counts what follows ("XII offices")."""
    return (
        _COUNTING.fullmatch(word) is not None
        and _CANONICAL.fullmatch(word) is not None
        and subject.noun_follows(text, start + len(word))
        and _after_what_counts(text, start)
    )


def _after_what_counts(text: str, start: int) -> bool:
    """Whether no name or label stands before the number ("Elizabeth II", "chapter IV", "phase III trials")."""
    word, _ = identifier.label_before(text, start, max(0, start - _LABEL))
    if not word or not word[-1].isalnum():
        return True
    lower = word.lower()
    if identifier.labelled(word, False, False) is not None:
        return False
    return lower in identifier.openers() or (word.islower() and (subject.is_function(lower) or lower[-1:] in "sd"))


def unmasked(text: str) -> str:
    """`text` with letters that look like digits as digits, where they stand among digits and what follows is counted;
    character for character. "2l bottles", "S3 buckets" and "O2" stay as they are."""
    return text if _MAY_MASK.search(text) is None else _MASKED.sub(lambda match: _unmask(text, match), text)


def _unmask(text: str, match: re.Match[str]) -> str:
    token = match.group()
    if not any(map(str.isalpha, token)) or not (
        subject.noun_follows(text, match.end())
        or _SHARE.match(text, match.end())
        or text[match.start() - 1 : match.start()] in ("$", "€", "£", "¥")
    ):
        return token
    zeros = sum(letter in _ZEROS for letter in token)
    if not any(map(str.isdecimal, token)) and zeros < 2 and not match["own"]:
        return token
    if not zeros and (token[0] == "I" or token[-1] in _ONES):
        return token
    return token.translate(_DIGIT_OF)
