"""One amount: sign, currency, digits or words, fraction, multiplier, unit. What surrounds it is the reader's."""

import re
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache

from affidavit.gates.numbers.lexicon import (
    Unit,
    alternation,
    currency_codes,
    currency_signs,
    marks,
    scale_words,
    unit_symbols,
    unit_words,
    units,
)
from affidavit.gates.numbers.numeral import read_numeral
from affidavit.gates.numbers.spelled import Spelled, read_spelled
from affidavit.gates.numbers.subject import plural_next

_B = r"[ \u00a0]"
_SLASHED = re.compile(rf"(?P<mixed>{_B})?(?P<upper>\d+)[/⁄](?P<lower>\d+)(?![\w/⁄]|[.,]\d)")
_FOLD = re.compile(rf"(?:{_B}?[x×✕](?![\w×])|[ -]?fold\b)(?!{_B}?\d)", re.IGNORECASE)
_TALL = re.compile(rf"{_B}(?:long|wide|high|tall|deep|thick|away|apart|below|above|from|of|in|per|x|×|by)\b")
_ARTICLE = re.compile(r"(?<!\w)(?P<a>[Aa]n?)[ \u00a0\n]$")
_MINUS = re.compile(r"(?<!\w)(?P<m>[Mm]inus|[Nn]egative)[ \u00a0]$")
_MYRIAD_MARKS = "万萬만亿億억"
_ONES = re.compile(r"(?P<n>\d{1,4})(?![\d.,])")
_MYRIADS = re.compile(r"(?P<n>\d{1,4})(?P<mark>[万萬만])")
_AND_A_HALF = re.compile(
    r"(?:[ \u00a0\n]+|-)and(?:[ \u00a0\n]+|-)(?:a|one)[ -](?P<part>half|quarter|third)(?!\w)", re.IGNORECASE
)
_BLANK = re.compile(r"[ \u00a0]")
_COINS_END = re.compile(r"[ \u00a0]*(?:[.,;:!?)]|\Z|\n)|[ \u00a0](?:an?|per|each|for|on|in|at|and|or)\b")
_CENTRED = frozenset({"m", "g", "s", "h", "l", "L", "t", "V", "W", "J"})


@dataclass(frozen=True, slots=True)
class Amount:
    """`raw` bounds are ``[start, end)``. `parts` of a fraction written as one; `factor` the multiplier that stands."""

    start: int
    end: int
    value: Decimal
    step: Decimal | None
    unit: Unit | None = None
    parts: tuple[Decimal, Decimal] | None = None
    digits: int = 0
    grouped: bool = False
    decimals: bool = False
    factor: Decimal = Decimal(1)
    signed: bool = False
    spelled: int = 0
    plus: bool = False
    times: bool = False
    mixed: bool = False
    year: bool = False

    @property
    def bare(self) -> bool:
        """A whole number in digits, and nothing with it: what may be a year or part of a name."""
        return not (
            self.unit
            or self.parts
            or self.grouped
            or self.decimals
            or self.factor != 1
            or self.signed
            or self.spelled
            or self.plus
            or self.times
        )


@cache
def _signs_before() -> re.Pattern[str]:
    letters = [sign for sign in currency_signs() if sign[0].isalpha()]
    others = [sign for sign in currency_signs() if not sign[0].isalpha()]
    return re.compile(rf"(?:(?<![\w])(?:{alternation(letters)})|(?:{alternation(others)}))[ \u00a0]?$")


@cache
def _scale(language: str) -> re.Pattern[str]:
    spelled = scale_words(language)
    marked = [mark for mark in marks() if len(mark) > 1 or not mark.isascii()]
    return re.compile(
        rf"(?:{_B}?(?P<mark>{alternation(marked)})(?![A-Za-z])|[ \u00a0\n-]?(?P<word>(?i:{alternation(spelled)}))(?!\w)"
        rf"|(?:{_B}(?=[kKmMbB][€$£]))?(?P<letter>[kKmMbBT])(?![\w/²³]))"
    )


@cache
def unit_pattern() -> re.Pattern[str]:
    """A unit right after a number. A symbol must not run on into letters; a word may follow a hyphen."""
    single = [symbol for symbol in unit_symbols() if symbol.isalpha() and symbol.isascii()]
    cjk = [symbol for symbol in unit_symbols() if symbol[0] > "\u3000"]
    others = [symbol for symbol in unit_symbols() if symbol not in single and symbol not in cjk]
    after = [sign for sign in currency_signs() if not (sign[0].isalpha() and sign.isascii() and len(sign) < 3)]
    joined = r"(?:[ \u00a0\n]+(?:us|u\.s\.)(?=[ \u00a0]dollars?))?"
    return re.compile(
        rf"{_B}?(?P<sign>{alternation(others)})(?![A-Za-z0-9])"
        rf"|(?P<hyphen>[ \u00a0\n]+|-)?(?P<word>{joined}(?i:{alternation(unit_words())}))(?![\w]|-Punkt)"
        rf"|[ \u00a0-]?(?P<symbol>{alternation(single)})(?![\w²³]|/[A-Za-z]|['’]\w)"
        rf"|{_B}?(?P<money>{alternation(after)})(?!\w)"
        rf"|(?P<pence>[p¢])(?!\w)"
        rf"|{_B}?(?P<cjk>{alternation(cjk)})"
    )


@cache
def _measured(language: str) -> re.Pattern[str]:
    """What follows only one number: a unit or a multiplier."""
    unnamed = re.sub(r"\?P<\w+>", "?:", f"{unit_pattern().pattern}|{_scale(language).pattern}")
    return re.compile(unnamed)


def read_amount(text: str, at: int, floor: int, *, language: str, comma: bool) -> Amount | None:
    """The amount whose digits, or whose first number word, begin at `at`. Nothing before `floor` belongs to it."""
    character = text[at]
    if character.isalpha() and not character.isnumeric():
        return _in_words(text, at, floor, language)
    numeral = read_numeral(text, at, comma=comma, unit_follows=_measured(language))
    if numeral is None:
        return None
    start = at
    parts = (Decimal(numeral.vulgar[0]), Decimal(numeral.vulgar[1])) if numeral.vulgar else None
    amount = Amount(
        start,
        numeral.end,
        numeral.value,
        numeral.step,
        parts=parts,
        digits=numeral.end - at,
        grouped=numeral.grouped,
        decimals=numeral.decimals,
        mixed=bool(numeral.vulgar and numeral.vulgar[0] > numeral.vulgar[1]),
    )
    amount = _slashed(text, amount)
    amount = _led(text, amount, floor)
    return _tailed(text, amount, language)


def _slashed(text: str, amount: Amount) -> Amount:
    """ "1/3", "4.5/5", "1 1/2"."""
    if amount.parts:
        return amount
    if not amount.decimals and not amount.grouped:
        mixed = _SLASHED.match(text, amount.end)
        if mixed and mixed["mixed"] and 0 < int(mixed["upper"]) < int(mixed["lower"]) <= 64:
            upper, lower = int(mixed["upper"]), int(mixed["lower"])
            value = amount.value + Decimal(upper) / lower
            return replace(amount, end=mixed.end(), value=value, step=None, decimals=True, mixed=True)
    lower = re.compile(r"[/⁄](\d+)(?![\w/⁄]|[.,]\d)").match(text, amount.end)
    if lower and int(lower[1]):
        parts = (amount.value, Decimal(lower[1]))
        return replace(amount, end=lower.end(), value=parts[0] / parts[1], step=None, parts=parts)
    return amount


def _led(text: str, amount: Amount, floor: int) -> Amount:
    """Take in the sign and the currency that stand before."""
    lead = text[max(floor, amount.start - 8) : amount.start]
    if not lead:
        return amount
    start, value, unit, signed = amount.start, amount.value, amount.unit, False
    if lead[-1] in "-−+–" and _is_sign(text, start - 1, floor):
        value, signed, start = (value if lead[-1] == "+" else -value), True, start - 1
        lead = lead[:-1]
    minus = _MINUS.search(text, max(floor, start - 9), start) if not signed else None
    if minus:
        return replace(amount, start=minus.start("m"), value=-value, signed=True)
    match = _signs_before().search(lead)
    if match:
        sign = match.group().strip(" \u00a0")
        unit, start = Unit(currency_signs()[sign], currency=True), start - (len(lead) - match.start())
        if not signed and start > floor and text[start - 1] in "-−+–" and _is_sign(text, start - 1, floor):
            value, signed, start = (value if text[start - 1] == "+" else -value), True, start - 1
    return replace(amount, start=start, value=value, unit=unit, signed=signed)


def _is_sign(text: str, at: int, floor: int) -> bool:
    """Whether the dash or plus at `at` is a sign and no hyphen, dash or range."""
    before = text[at - 1] if at > 0 else " "
    if text[at] == "−":
        return not before.isalnum()
    if before.isalnum() or before in "-–—.)]}%'\"":
        return False
    if text[at] == "–" or (text[at] == "-" and before in " \u00a0\n"):
        earlier = text[max(0, at - 2) : at].strip(" \u00a0")
        return at > floor and not earlier[-1:].isdigit() and before in " \u00a0("
    return before in " \u00a0\n(=:/<>~≈$€£¥" or at == 0


def _in_words(text: str, at: int, floor: int, language: str) -> Amount | None:
    article = _ARTICLE.search(text, max(floor, at - 4), at)
    read = read_spelled(text, article.start("a") if article else at, language) or read_spelled(text, at, language)
    if read is None:
        return None
    start, value = read.start, read.value
    end, step = read.end, read.step
    half = _AND_A_HALF.match(text, end)
    if half and language == "en":
        value += {"half": Decimal("0.5"), "quarter": Decimal("0.25"), "third": Decimal(1) / 3}[half["part"].lower()]
        end = half.end()
    start, value = _article(text, start, value, floor, read)
    minus = _MINUS.search(text, max(floor, start - 9), start)
    if minus:
        start, value = minus.start("m"), -value
    amount = Amount(start, end, value, step, spelled=read.words, signed=bool(minus), year=read.year)
    return _with_coins(text, _tailed(text, amount, language), language)


def _with_coins(text: str, amount: Amount, language: str) -> Amount:
    """ "four pounds twenty": the hundredths, where they end what is said."""
    blank = _BLANK.match(text, amount.end) if amount.unit and amount.unit.currency and amount.step == 1 else None
    coins = read_spelled(text, blank.end(), language) if blank else None
    if coins is None or not 0 < coins.value < 100 or _COINS_END.match(text, coins.end) is None:
        return amount
    return replace(amount, end=coins.end, value=amount.value + coins.value / 100, step=Decimal("0.01"))


def _article(text: str, start: int, value: Decimal, floor: int, read: Spelled) -> tuple[int, Decimal]:
    """Words before a multiplier that belong to the number: "a hundred", "half a million", "a couple of dozen"."""
    lead = text[max(floor, start - 24) : start].lower()
    match = re.search(
        r"\b(?:(?P<half>half a|half)|(?P<couple>a couple of|a couple)|quarter of a|(?P<a>an?))[ \u00a0\n]$", lead
    )
    if match is None:
        return start, value
    if match["half"]:
        return start - (len(lead) - match.start()), value / 2
    if match["couple"]:
        return start - (len(lead) - match.start()), value * 2
    if match["a"] and read.value >= 12:
        return start - (len(lead) - match.start()), value
    return start, value


def _tailed(text: str, amount: Amount, language: str) -> Amount:
    """Multiplier, plus sign, "x" or "-fold", unit; in the order they are written."""
    for _ in range(2):
        scaled = _scaled(text, amount, language)
        if scaled is amount:
            break
        amount = scaled
    if text[amount.end : amount.end + 1] == "+" and not text[amount.end + 1 : amount.end + 2].isalnum():
        amount = replace(amount, end=amount.end + 1, plus=True)
    fold = _FOLD.match(text, amount.end)
    if fold and not amount.unit:
        return replace(amount, end=fold.end(), times=True)
    amount = _united(text, amount)
    if text[amount.end : amount.end + 1] == "+" and not text[amount.end + 1 : amount.end + 2].isalnum():
        amount = replace(amount, end=amount.end + 1, plus=True)
    return amount


def _scaled(text: str, amount: Amount, language: str) -> Amount:
    match = _scale(language).match(text, amount.end)
    if match is None or (amount.parts and not amount.mixed):
        return amount
    letter = match["letter"]
    if letter and not _multiplies(text, amount, letter, match.end()):
        return amount
    word = match["word"]
    factor = marks()[letter or match["mark"]] if letter or match["mark"] else scale_words(language)[word.lower()]
    step = amount.step * factor if amount.step is not None else None
    if match["mark"] and match["mark"] in _MYRIAD_MARKS:
        value, end, worth = amount.value * factor, match.end(), Decimal(factor)
        for smaller in (rest for rest in (_MYRIADS, _ONES) if worth > 10000 or rest is _ONES):  # 1億2000万3400
            rest = smaller.match(text, end)
            if rest:
                worth = Decimal(10000) if smaller is _MYRIADS else Decimal(1)
                value, end = value + int(rest["n"]) * worth, rest.end()
        if end > match.end():
            return replace(amount, end=end, value=value, step=worth, factor=worth)
    return replace(amount, end=match.end(), value=amount.value * factor, step=step, factor=amount.factor * factor)


def _multiplies(text: str, amount: Amount, letter: str, end: int) -> bool:
    """Whether a single letter after digits is a multiplier and not a unit or part of a name."""
    if amount.unit and amount.unit.currency:
        return True
    code = re.compile(r"[ \u00a0]?([A-Z]{3})\b").match(text, end)
    if code and code[1] in currency_codes():
        return True
    money = unit_pattern().match(text, end)
    if money and (money["money"] or (money["word"] and unit_words()[_one_blank(money["word"])].currency)):
        return True
    if letter in "kK":
        return not _NAMES_K.match(text, end)
    if letter == "T" or _TALL.match(text, end):
        return False
    return plural_next(text, end) or bool(
        re.compile(r"\+?[ \u00a0][a-z-]+[ \u00a0]").match(text, end) and _counts(text, end)
    )


_SENTENCE_OVER = re.compile(r"[\"”’)]*(?:\s*\Z|\s*\n|\s+[^\sa-z])")
"""What follows a stop that ends its sentence: "30 yrs. We", and not "30 yrs. of work"."""
_NAMES_K = re.compile(
    r"[ \u00a0](?:video|resolution|screen|monitor|display|television|tv|run|race|form|filing)s?\b", re.I
)


def _counts(text: str, end: int) -> bool:
    match = re.compile(r"\+?[ \u00a0]([a-z-]+)[ \u00a0]").match(text, end)
    return match is not None and plural_next(text, match.end() - 1)


def _united(text: str, amount: Amount) -> Amount:
    match = unit_pattern().match(text, amount.end)
    if match is None or (amount.unit and amount.unit.currency):
        return amount
    if match["sign"] or match["symbol"] or match["cjk"]:
        written = match["sign"] or match["symbol"] or match["cjk"]
        unit = unit_symbols()[written]
        if match["symbol"] and not _is_symbol(text, amount, written, match):
            return amount
        stopped = written.endswith(".") and written[:-1] in unit_symbols() and _SENTENCE_OVER.match(text, match.end())
        return replace(amount, end=match.end() - bool(stopped), unit=units()[unit.name])
    if match["word"]:
        return _worded(text, amount, match)
    if match["money"]:
        return replace(amount, end=match.end(), unit=Unit(currency_signs()[match["money"]], currency=True))
    if match["pence"] and amount.bare and amount.value < 100:
        return replace(amount, end=match.end(), value=amount.value / 100, unit=Unit("GBP", currency=True))
    return amount


def _one_blank(word: str) -> str:
    return " ".join(word.lower().replace("\u00a0", " ").split())


def _worded(text: str, amount: Amount, match: re.Match[str]) -> Amount:
    written = _one_blank(match["word"])
    unit = unit_words()[written]
    if unit.name == "second" and written == "second" and amount.value != 1 and match["hyphen"] != "-":
        return amount
    if written in ("real", "won", "stone", "hour", "franc", "or") and match["hyphen"] != "-" and amount.value != 1:
        return amount
    if unit.name == "GBP" and not unit.minor and _weighs(text, amount, match.end()):
        unit = units()["pound"]
    if unit.minor:
        step = amount.step / 100 if amount.step is not None else None
        return replace(
            amount, end=match.end(), value=amount.value / 100, step=step, unit=Unit(unit.name, currency=True)
        )
    return replace(amount, end=match.end(), unit=units().get(unit.name, unit))


def _weighs(text: str, amount: Amount, end: int) -> bool:
    if re.compile(r"[ \u00a0]of [a-z]").match(text, end):
        return True
    around = text[max(0, amount.start - 30) : amount.start] + text[end : end + 20]
    return bool(re.search(r"\b(?:weigh\w*|weight|heav\w+|mass|lift\w*|thrust)\b", around))


def _is_symbol(text: str, amount: Amount, symbol: str, match: re.Match[str]) -> bool:
    """Whether a short symbol is one: letters that may be a name or the plural s are not."""
    glued = match.start("symbol") == amount.end
    if symbol == "s" and (not glued or (amount.value >= 10 and amount.value % 10 == 0 and not amount.decimals)):
        return False
    if symbol in ("ac", "mi", "t", "kn", "kt", "bp", "pp") and not glued and text[match.end() : match.end() + 1] == ".":
        return symbol != "ac"
    if symbol == "pc" and not glued:
        return False  # "a 6 pc set": pieces
    if symbol in ("um", "min", "mi", "ha", "pct", "pc") and match.group().startswith("-"):
        return False
    if symbol == "h" and not glued and text[match.end() : match.end() + 1] == "'":
        return False
    return not (symbol in _CENTRED and match.group().startswith("-"))
