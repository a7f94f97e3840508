"""Ratios and multiples: "3 out of 45", "1:4", "1/3", "10x", "twice as many"."""

import re
from dataclasses import replace
from decimal import Decimal

from affidavit.gates.numbers import identifier, subject
from affidavit.gates.numbers.amount import Amount, read_amount
from affidavit.gates.numbers.mention import Kind
from affidavit.gates.numbers.reading import BLANKS, IN, Reading

_COLON = re.compile(r"(?P<m>\d{1,3}(?:\.\d+)?):(?P<n>\d{1,3}(?:,\d{3})*|\d+)(?![\w:]|\.\d)")
_TIMES = re.compile(
    rf"{BLANKS}times\b(?={BLANKS}(?:the|as|more|less|higher|larger|bigger|faster|that|its|their|his|her|greater"
    r"|smaller|lower|longer|likely|than|what|better|worse|stronger|heavier|cheaper)\b)"
)
MULTIPLYING_VERBS = {
    "doubled": 2,
    "tripled": 3,
    "trebled": 3,
    "quadrupled": 4,
    "quintupled": 5,
    **{"doubling": 2, "doubles": 2, "tripling": 3, "triples": 3, "trebling": 3, "trebles": 3},
    **{"quadrupling": 4, "quadruples": 4},
    **{"twofold": 2, "threefold": 3, "fourfold": 4, "fivefold": 5, "sixfold": 6, "tenfold": 10, "hundredfold": 100},
}
HALVING_VERBS = frozenset({"halved", "halving", "halves"})
_UNFINISHED = re.compile(r"\w+(?:s|ing)$")
# What follows "doubles" and "doubling" as verbs of change: no "as" (a sofa that doubles as a bed), no "down".
_CHANGED = re.compile(
    rf"{BLANKS}(?:the|its|their|our|your|his|her|my|this|that|these|those|in|every|each|to|from|by|since|output|sales"
    r"|revenue|profits?|turnover|capacity)\b|[ \u00a0]*[.,;:!?)]"
)
_TWICE = re.compile(rf"{BLANKS}(?:as|the|that|what|its|their|his|her|more)\b")


def read_ratio(reading: Reading, amount: Amount, sentence: tuple[int, int]) -> bool:
    text = reading.text
    if amount.parts and not amount.mixed and not amount.unit:
        return _slash(reading, amount, sentence)
    if amount.times:
        noun = subject.of_phrase(text, amount.end, sentence[1])
        noun = noun or subject.linked(text, sentence[0], amount.start)
        reading.add_amount(amount, Kind.RATIO, sentence, unit="times", subject=noun)
        return True
    if amount.unit or amount.signed:
        return False
    times = _TIMES.match(text, amount.end)
    if times:
        following = subject.after(text, past_many(reading, times.end()), sentence[1])
        noun = following[0] if following else None
        if noun is None:
            match = re.compile(rf"{BLANKS}(?:the|as)(?:{BLANKS}(?:many|much))?{BLANKS}([a-z]+)").match(
                text, times.end()
            )
            noun = subject.singular(match[1]) if match and match[1] not in ("many", "much") else None
        widened = replace(amount, end=times.end())
        reading.add_amount(widened, Kind.RATIO, sentence, unit="times", subject=noun)
        return True
    if amount.bare and text[amount.end : amount.end + 1] == ":":
        match = _COLON.match(text, amount.start)
        if match and int(re.sub(r"\D", "", match["n"])):
            parts = (Decimal(match["m"]), Decimal(match["n"].replace(",", "")))
            reading.add(
                amount.start,
                match.end(),
                Kind.RATIO,
                parts[0] / parts[1],
                sentence,
                unit="ratio",
                subject=subject.linked(text, sentence[0], amount.start),
                parts=parts,
            )
            return True
    return _one_in(reading, amount, sentence)


def _slash(reading: Reading, amount: Amount, sentence: tuple[int, int]) -> bool:
    text = reading.text
    assert amount.parts
    if amount.parts == (24, 7):
        reading.keep_named(identifier.Named(amount.start, amount.end, "idiom"))
        return True
    noun = of_counted(reading, amount.end, sentence)
    if noun is None:
        following = subject.after(text, amount.end, sentence[1])
        noun = following[0] if following else None
    reading.add(
        amount.start,
        amount.end,
        Kind.RATIO,
        amount.value,
        sentence,
        unit="fraction",
        subject=noun,
        parts=amount.parts,
    )
    return True


def _one_in(reading: Reading, amount: Amount, sentence: tuple[int, int]) -> bool:
    """ "one in five", "3 out of 45": a share, where the second number is the larger and no year."""
    text = reading.text
    link = IN.match(text, amount.end)
    if (
        link is None
        or amount.decimals
        or link.end() >= len(text)
        or not (text[link.end()].isdigit() or text[link.end()].isalpha())
    ):
        return False
    second = read_amount(text, link.end(), link.end(), language=reading.language, comma=reading.comma)
    if second is None or second.unit or second.parts or second.decimals or not amount.value < second.value:
        return False
    if "out" not in link.group() and (
        second.factor != 1
        or (second.bare and 1500 <= second.value <= 2199)
        or amount.value < 1
        or (amount.value > 10 and second.value not in (100, 1000, 10000))
    ):
        return False
    following = subject.after(text, second.end, sentence[1])
    parts = (amount.value, second.value)
    reading.add(
        amount.start,
        second.end,
        Kind.RATIO,
        parts[0] / parts[1],
        sentence,
        unit="fraction",
        subject=following[0] if following else of_counted(reading, second.end, sentence),
        parts=parts,
    )
    return True


def of_counted(reading: Reading, end: int, sentence: tuple[int, int]) -> str | None:
    return subject.of_phrase(reading.text, end, sentence[1], german=reading.german)


def past_many(reading: Reading, end: int) -> int:
    match = re.compile(rf"{BLANKS}(?:as|the|its|their|that)(?:{BLANKS}(?:many|much|of))?\b").match(reading.text, end)
    return match.end() if match else end


def read_multiple(reading: Reading, at: int, end: int, word: str, sentence: tuple[int, int]) -> None:
    if _UNFINISHED.match(word) and _CHANGED.match(reading.text, end) is None:
        return
    if word in HALVING_VERBS:
        noun = subject.linked(reading.text, sentence[0], at)
        parts = (Decimal(1), Decimal(2))
        reading.add(at, end, Kind.RATIO, Decimal("0.5"), sentence, unit="fraction", subject=noun, parts=parts)
        return
    value = Decimal(MULTIPLYING_VERBS.get(word) or {"twice": 2, "thrice": 3}[word])
    if word in ("twice", "thrice"):
        link = _TWICE.match(reading.text, end)
        if link is None:
            return
        noun = subject.after(reading.text, past_many(reading, end), sentence[1])
    else:
        noun = None
    named = noun[0] if noun else subject.linked(reading.text, sentence[0], at)
    reading.add(at, end, Kind.RATIO, value, sentence, unit="times", subject=named)
