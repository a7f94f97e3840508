"""One figure by itself: its kind, its unit, what it counts and what bounds it."""

import re
from decimal import Decimal

from affidavit.gates.numbers import calendar, identifier, subject
from affidavit.gates.numbers.amount import Amount
from affidavit.gates.numbers.mention import Kind, Modifier
from affidavit.gates.numbers.reading import BLANKS, Reading
from affidavit.gates.numbers.surroundings import modifier_after, modifier_before

_OCCASIONS = re.compile(rf"{BLANKS}times\b")
# "over" before a length of time bounds it only after a word that says how long ("lasted over 3 months").
_SPAN = re.compile(
    r"(?<!\bfor)(?<!\blasted)(?<!\blasts)(?<!\btook)(?<!\btake)(?<!\btakes)(?<!\bbeen)(?<!\bof)(?<!\bwell)(?<!\bjust)(?<!\bspent)"
    r"(?<!\bafter)(?<!\bis)(?<!\bwas)(?<!\blasting)(?<!\ba little)(?<!\bwith)(?<!\bhas)(?<!\bhave)(?<!\bto)(?<=\w)"
    r"[ \u00a0]over[ \u00a0]$",
    re.IGNORECASE,
)
_ADJECTIVE = re.compile(r"-(?:[^\W\d_]+-)?(?P<noun>[^\W\d_]+)(?:-[^\W\d_]+)?")
_EACH = re.compile(rf"{BLANKS}(?:of{BLANKS})?each\b|{BLANKS}apiece\b")


def keep_single(reading: Reading, amount: Amount, sentence: tuple[int, int], floor: int) -> None:
    text = reading.text
    if amount.unit is not None:
        _with_unit(reading, amount, sentence, floor)
        return
    dated = calendar.era(text, amount.start, amount.end, amount.value) if amount.bare else None
    if dated:
        reading.add(dated[0], dated[1], Kind.YEAR, dated[2], sentence, step=Decimal(1))
        return
    if amount.bare and is_year(reading, amount, sentence):
        modifier = modifier_before(text, amount.start, floor)
        about = modifier if modifier in (Modifier.ABOUT, Modifier.AT_LEAST, Modifier.AT_MOST) else None
        reading.add_amount(amount, Kind.YEAR, sentence, modifier=about)
        return
    if _OCCASIONS.match(text, amount.end):
        noun, direct = "time", True
    else:
        noun, direct = _counted(reading, amount, sentence)
    reading.add_amount(
        amount, Kind.COUNT, sentence, subject=noun, direct=direct, modifier=_modifier(reading, amount, floor)
    )


def is_year(reading: Reading, amount: Amount, sentence: tuple[int, int]) -> bool:
    text = reading.text
    if not amount.bare or text[amount.end : amount.end + 1] == "-":
        return False
    word, start = identifier.label_before(text, amount.start, max(sentence[0], 0))
    before = text[amount.start - 1 : amount.start]
    opens = not word or amount.start <= sentence[0] or word.endswith((",", ";", ":")) or before in "([\"'“"
    return calendar.is_year(
        amount.value,
        word.lower() if start >= sentence[0] else "",
        subject.plural_next(text, amount.end),
        amount.digits,
        opens=opens,
        glued_before=before if before == "-" and amount.start > 1 and text[amount.start - 2].isalpha() else "",
    )


def _with_unit(reading: Reading, amount: Amount, sentence: tuple[int, int], floor: int) -> None:
    text = reading.text
    assert amount.unit
    kind = Kind.CURRENCY if amount.unit.currency else Kind.COUNT
    if amount.unit.name in ("percent", "percentage_point", "basis_point", "permille"):
        kind = Kind.PERCENT
    noun = subject.of_phrase(text, amount.end, sentence[1], german=reading.german)
    direct = noun is not None
    if noun is None:
        noun = measured(reading, amount.end, sentence)
    if noun is None and kind is not Kind.COUNT and amount.unit.currency:
        noun = _bought(reading, amount, sentence)
    if noun is None and kind is Kind.PERCENT:
        following = subject.after(text, amount.end, sentence[1], one=True, german=reading.german)
        noun = following[0] if following and _adjacent(reading, amount.end, following[1]) else None
    if noun is None:
        noun = subject.linked(text, sentence[0], amount.start) or _repeated(reading, amount, sentence)
    if noun is None and text[max(sentence[0], amount.start - 4) : amount.start].rstrip(" \u00a0").endswith(":"):
        noun = subject.before(text, sentence[0], amount.start)
    reading.add_amount(
        amount,
        kind,
        sentence,
        unit=amount.unit.name,
        subject=noun,
        direct=direct,
        modifier=_modifier(reading, amount, floor),
    )


def measured(reading: Reading, end: int, sentence: tuple[int, int]) -> str | None:
    """The noun right after a measure written with a hyphen: "fifteen-year leases"."""
    if "-" not in reading.text[end - 12 : end]:
        return None
    following = subject.after(reading.text, end, sentence[1], one=True)
    return following[0] if following else None


def _adjacent(reading: Reading, end: int, noun_end: int) -> bool:
    return "\n" not in reading.text[end:noun_end] and noun_end - end < 24


def _bought(reading: Reading, amount: Amount, sentence: tuple[int, int]) -> str | None:
    following = subject.after(reading.text, amount.end, sentence[1])
    return following[0] if following and _adjacent(reading, amount.end, following[1]) else None


def _repeated(reading: Reading, amount: Amount, sentence: tuple[int, int]) -> str | None:
    """The subject of the figure before, where this one only restates or continues it ("2.5 ha, or 6.2 acres")."""
    if not reading.found or reading.found[-1].sentence != sentence:
        return None
    between = reading.text[reading.found[-1].end : amount.start]
    if len(between) > 24 or re.match(r"[ \u00a0]*(?:[,(]|and\b|or\b|\w+ and\b|\w+\))", between) is None:
        return None
    return reading.found[-1].subject


def _counted(reading: Reading, amount: Amount, sentence: tuple[int, int]) -> tuple[str | None, bool]:
    """The subject of a plain count, and whether it stands right beside the number."""
    text = reading.text
    adjective = _ADJECTIVE.match(text, amount.end) if text[amount.end : amount.end + 1] == "-" else None
    if adjective and adjective["noun"].lower() in ("odd", "something", "ish", "plus", "strong"):
        following = subject.after(text, adjective.end(), sentence[1])
        return (following[0] if following else None), False
    if adjective:
        return subject.singular(adjective["noun"]), True
    if _EACH.match(text, amount.end):
        return _last_plural(reading, amount.start, sentence), False
    bounded = modifier_after(text, amount.end)
    end = bounded[1] if bounded else amount.end
    following = subject.after(text, end, sentence[1], one=amount.value == 1, german=reading.german)
    if following:
        return following[0], True
    if reading.text[amount.start - 1 : amount.start] == "(" or not _continues(reading, amount):
        noun = subject.before(text, sentence[0], amount.start)
        if noun:
            return noun, False
    repeated = _elliptic(reading, amount, sentence)
    if repeated:
        return repeated, False
    return subject.before(text, sentence[0], amount.start) or subject.linked(text, sentence[0], amount.start), False


def _continues(reading: Reading, amount: Amount) -> bool:
    if not reading.found:
        return False
    return (
        re.fullmatch(
            r"[ \u00a0]*(?:,|and|or|,[ \u00a0]?and|\(\w+\),)?[ \u00a0]*",
            reading.text[reading.found[-1].end : amount.start],
        )
        is not None
    )


def _elliptic(reading: Reading, amount: Amount, sentence: tuple[int, int]) -> str | None:
    """ "no more than 5 people, no fewer than 2": the noun of the count before in the same sentence."""
    if not re.compile(r"[ \u00a0]*(?:[.,;)]|$|\((?!\d)|in\b|of\b)").match(reading.text, amount.end):
        return None
    for earlier in reversed(reading.found):
        if earlier.sentence != sentence or amount.start - earlier.end > 60:
            return None
        if earlier.subject and earlier.unit is None and earlier.kind in (Kind.COUNT, Kind.RANGE):
            between = reading.text[earlier.end : amount.start]
            return earlier.subject if re.search(r"[,;(]|\b(?:and|but|or|to|while|of)\b", between) else None
    return None


def _last_plural(reading: Reading, start: int, sentence: tuple[int, int]) -> str | None:
    lead = re.findall(r"[^\W\d_]+", reading.text[max(sentence[0], start - 200) : start])
    return next((subject.singular(word) for word in reversed(lead) if subject.is_plural(word)), None)


def _modifier(reading: Reading, amount: Amount, floor: int) -> Modifier | None:
    if amount.plus:
        return Modifier.AT_LEAST
    if amount.unit and amount.unit.base in ("time", "calendar") and _SPAN.search(reading.text, floor, amount.start):
        return None  # "a $400k investment over 3 months": a span, no bound
    if reading.found and amount.unit and reading.text[reading.found[-1].end : amount.start].strip() == "over":
        return None  # "£1.2bn over 5 years": a span, no bound
    return modifier_before(reading.text, amount.start, floor) or _trailing(reading, amount)


def _trailing(reading: Reading, amount: Amount) -> Modifier | None:
    after = modifier_after(reading.text, amount.end)
    return after[0] if after else None
