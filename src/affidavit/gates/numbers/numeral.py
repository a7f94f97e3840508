"""A number in digits: where it ends, what it is worth, and how precisely it was written.

The text must have been prepared by `plain`: digits of every script as ASCII, every special blank as U+00A0, every
apostrophe as "'".
"""

import re
import unicodedata
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from affidavit.gates.numbers.signs import is_sign, sign_run

BLANK = "\u00a0"
_SPECIAL = re.compile(r"[^\x00-\x7f]")
_BLANKS = "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
_APOSTROPHES = "\u2019\u2018\u02bc\u2032\uff07\u00b4"
_HYPHENS = "\u2010\u2011\u00ad\ufe63\uff0d"
_FIXED = (
    dict.fromkeys(_BLANKS, BLANK)
    | dict.fromkeys(_APOSTROPHES, "'")
    | dict.fromkeys(_HYPHENS, "-")
    | {"．": ".", "，": ",", "٫": ".", "٬": ",", "％": "%", "٪": "%", "＄": "$", "￥": "¥", "￡": "£", "：": ":"}
    | dict(zip("₀₁₂₃₄₅₆₇₈₉", "0123456789", strict=True))
    | {"\u201a": "'", "∼": "~", "⁓": "~", "～": "~", "\u2044": "⁄", "\u2215": "⁄"}
)
SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺"
_FROM_SUPERSCRIPT = str.maketrans(SUPERSCRIPTS, "0123456789-+")

_NUMERAL = re.compile(
    r"(?P<indian>\d{1,2}(?:,\d\d)+,\d{3}(?![\d]|,\d))(?P<d0>\.\d+)?"
    r"|(?P<comma>\d{1,3}(?:,\d{3})+(?!\d|,\d))(?P<d1>\.\d+(?![.\d]))?"
    r"|(?P<point>\d{1,3}(?:\.\d{3})+(?!\d|\.\d))(?P<d2>,\d+(?!\d|,\d))?"
    r"|(?P<blank>\d{1,3}(?:\u00a0\d{3})+(?![\d\u00a0]\d|\d))(?P<d3>[.,]\d+(?![\d.,]\d))?"
    r"|(?P<space>\d{1,3}(?: \d{3})+(?![\d]|[ ,.]\d))(?P<d4>[.,]\d+(?![\d.,]\d))?"
    r"|(?P<apostrophe>\d{1,3}(?:'\d{3})+(?!\d))(?P<d5>[.,]\d+)?"
    r"|(?P<plain>\d+)(?P<d6>[.,]\d+(?!\d|[.,]\d))?"
)
_POWER = re.compile(
    rf"(?:[ {BLANK}]?[x×·*⋅][ {BLANK}]?10(?:\^(?P<caret>[-−+]?\d+)|(?P<high>[{SUPERSCRIPTS}]+))"
    r"|[eE](?P<e>[-−+]?\d{1,3})(?![\w.]))"
)
_RAISED = re.compile(rf"\^(?P<caret>[-−+]?\d{{1,3}})(?!\w)|(?P<high>[{SUPERSCRIPTS}]{{1,4}})")
_VULGAR = re.compile(r"[½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅐⅛⅜⅝⅞⅑⅒]")


@dataclass(frozen=True, slots=True)
class Numeral:
    """`step` is the worth of the last digit written, before any multiplier; `grouped` that a sign groups thousands."""

    end: int
    value: Decimal
    step: Decimal | None
    grouped: bool = False
    decimals: bool = False
    vulgar: tuple[int, int] | None = None


def plain(text: str) -> str:
    """`text` with the signs of numbers in one spelling, character for character."""
    return text if text.isascii() else _SPECIAL.sub(lambda match: _plain(match.group()), text)


@lru_cache(maxsize=4096)
def _plain(character: str) -> str:
    fixed = _FIXED.get(character)
    if fixed is not None:
        return fixed
    if unicodedata.category(character) == "Nd":
        return str(unicodedata.decimal(character))
    return character


def read_numeral(text: str, at: int, *, comma: bool, unit_follows: re.Pattern[str]) -> Numeral | None:
    """The number in digits at `at` of a text made `plain`.

    `comma` says that the text writes a decimal comma. In other text a comma before one or two digits separates two
    numbers ("12,13 and 14") unless `unit_follows` matches what comes next ("12,4 %").
    """
    if text[at] == "." and (match := re.compile(r"\d+").match(text, at + 1)):
        return _powered(text, match.end(), Decimal("0." + match.group()), len(match.group()), grouped=False)
    vulgar = _VULGAR.match(text, at)
    if vulgar:
        return _with_fraction(Numeral(at, Decimal(0), None), vulgar)
    match = _NUMERAL.match(text, at)
    if match is None:
        run = sign_run(text, at) if is_sign(text[at]) else None
        return Numeral(run[0], Decimal(run[1]), Decimal(1)) if run else None
    whole = match.group(match.lastgroup if match.lastgroup and match.lastgroup[0] != "d" else _style(match))
    end, digits, decimals, grouped = _split(text, match, whole, comma, unit_follows)
    value = Decimal(f"{digits}.{decimals}" if decimals else digits)
    numeral = _powered(text, end, value, len(decimals), grouped=grouped)
    after = _VULGAR.match(text, numeral.end)
    if after and not decimals:
        return _with_fraction(numeral, after)
    return numeral


def _style(match: re.Match[str]) -> str:
    return next(name for name, part in match.groupdict().items() if part is not None and name[0:2] not in _DECIMALS)


_DECIMALS = frozenset(f"d{index}" for index in range(7))


def _split(
    text: str, match: re.Match[str], whole: str, comma: bool, unit_follows: re.Pattern[str]
) -> tuple[int, str, str, bool]:
    """End, digits before and after the decimal sign, and whether thousands were grouped."""
    style = _style(match)
    tail = next((match[name] for name in sorted(_DECIMALS) if match[name]), "")
    if style == "plain":
        if not tail:
            return match.end(), whole, "", False
        single_comma = tail[0] == "," and not comma
        if single_comma and (len(tail) > 3 or not unit_follows.match(text, match.end())):
            return match.start() + len(whole), whole, "", False
        return match.end(), whole, tail[1:], False
    digits = re.sub(r"\D", "", whole)
    one_group = sum(not character.isdigit() for character in whole) == 1
    decimal_sign = "," if style == "comma" else "." if style == "point" else ""
    leaning = one_group and not tail and decimal_sign == ("," if comma else ".")
    if decimal_sign and (leaning or (one_group and not tail and digits.startswith("0"))):
        head, _, rest = whole.partition(decimal_sign)
        return match.end(), head, rest, False
    return match.end(), digits, tail[1:], True


def _powered(text: str, end: int, value: Decimal, decimals: int, *, grouped: bool) -> Numeral:
    step = Decimal(1).scaleb(-decimals)
    match = _POWER.match(text, end)
    raised = _RAISED.match(text, end) if match is None and value in (2, 10) and not decimals else None
    if raised:
        written = raised["caret"] or raised["high"].translate(_FROM_SUPERSCRIPT)
        power = value ** int(written.replace("−", "-"))
        return Numeral(raised.end(), power, power, True)
    if match is None:
        return Numeral(end, value, step, grouped, decimals > 0)
    written = match["caret"] or match["e"] or match["high"].translate(_FROM_SUPERSCRIPT)
    exponent = int(written.replace("−", "-"))
    if abs(exponent) > 300:
        return Numeral(end, value, step, grouped, decimals > 0)
    return Numeral(match.end(), value.scaleb(exponent), step.scaleb(exponent), True, decimals > 0)


def _with_fraction(numeral: Numeral, match: re.Match[str]) -> Numeral:
    upper, _, lower = unicodedata.normalize("NFKC", match.group()).partition("⁄")
    value = numeral.value + Decimal(upper) / Decimal(lower)
    parts = (int(numeral.value) * int(lower) + int(upper), int(lower))
    return Numeral(match.end(), value, None, numeral.grouped, True, parts)
