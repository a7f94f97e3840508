"""Shares in words: "half of", "half an hour", "two thirds", "a third of", "zwei Drittel"."""

import re
from dataclasses import replace
from decimal import Decimal

from affidavit.gates.numbers import subject
from affidavit.gates.numbers.amount import Amount, read_amount
from affidavit.gates.numbers.figure import keep_figure
from affidavit.gates.numbers.lexicon import words
from affidavit.gates.numbers.mention import Kind
from affidavit.gates.numbers.reading import BLANKS, Reading
from affidavit.gates.numbers.surroundings import modifier_before

_PART = re.compile(
    rf"(?:-|{BLANKS})(?P<part>hal(?:f|ves)|thirds?|quarters?|fourths?|fifths?|sixths?|sevenths?|eighths?|ninths?|"
    r"tenths?|twelfths?|sixteenths?|twentieths?|hundredths?|thousandths?)\b",
    re.I,
)
# What may follow "more than a third" where no "of" does: no noun that an ordinal would count.
_ALONE = re.compile(
    r"[ \u00a0\n]*(?:[.,;:)]|$|(?:in|on|by|at|to|and|or|as|since|from"
    r"|were|was|are|is|have|had|say|said|lower|higher|more|less)\b)"
)
# "a third cheaper", "a quarter less than": a comparison, and no "third bigger box".
_COMPARED = re.compile(
    rf"{BLANKS}(?:more|less|fewer|off|cheaper|dearer|faster|quicker|slower|lower|higher|larger|smaller|bigger|longer"
    rf"|shorter|lighter|heavier|better)(?:{BLANKS}(?:than|in|on|for|at|by)\b|[ \u00a0]*[.,;:!?)]|[ \u00a0]*$)"
)
# "fell by a third": how much something changed, where no noun follows.
_CHANGED_BY = re.compile(r"\b[Bb]y[ \u00a0]$")
_NOTHING = re.compile(r"(?P<of>)(?P<unit>(?!))?(?P<the>(?!))?")
# "two and half" is no share; "and half of them stay" is.
_AND = re.compile(r"\band[ \u00a0]$", re.IGNORECASE)
_HALF_OF = re.compile(rf"{BLANKS}of\b")
_HALF = re.compile(
    rf"(?P<of>{BLANKS}of\b)|{BLANKS}(?:an?{BLANKS})?(?P<unit>percent|per cent|hour|mile|minute|second|litre|liter"
    rf"|day|year|pint|acre"
    rf"|tonne|metre|meter|kilometre|kilometer|pound|point"
    rf"|percentage{BLANKS}point|century|decade|month)\b"
    rf"|(?P<the>{BLANKS}(?:the|its|their|his|her|our|all|these|those)\b)",
    re.I,
)


def read_fraction(reading: Reading, at: int, end: int, word: str, sentence: tuple[int, int]) -> bool:
    """ "half of", "half an hour", "two thirds", "a third of", "one-tenth"."""
    text = reading.text
    if word in (
        "half",
        "quarter",
        "third",
        "fifth",
        "tenth",
        "sixth",
        "eighth",
        "fourth",
        "twentieth",
        "hundredth",
    ):
        if word == "half":
            return _half(reading, at, end, sentence)
        article = re.search(r"\b[Aa][ \u00a0]$|\b[Aa]n[ \u00a0]$", text[max(reading.at, at - 3) : at])
        link = re.compile(rf"{BLANKS}of{BLANKS}").match(text, end)
        if article is None:
            return False
        bounded = modifier_before(text, at - len(article.group()), sentence[0])
        measured = _CHANGED_BY.search(text, max(0, at - len(article.group()) - 4), at - len(article.group()))
        alone = (bounded is not None and _ALONE.match(text, end)) or _COMPARED.match(text, end)
        if link is None and not alone and (measured is None or subject.noun_next(text, end)):
            return False
        part = words("en").part[word]
        scaled = re.compile(rf"{BLANKS}of{BLANKS}an?{BLANKS}(?P<scale>million|billion|hour|mile|century)\b").match(
            text, end
        )
        start = at - len(article.group())
        if scaled:
            return _part_of(reading, start, scaled, part, sentence)
        noun = subject.of_phrase(text, end, sentence[1])
        value = Decimal(1) / part
        reading.add(
            start,
            end,
            Kind.RATIO,
            value,
            sentence,
            unit="fraction",
            subject=noun,
            parts=(Decimal(1), Decimal(part)),
        )
        return True
    if word not in words("en").add or reading.language != "en":
        return _part_word(reading, at, end, word, sentence)
    match = _PART.match(text, end)
    if match is None or (match["part"].lower() in ("half", "fourth") and text[end : end + 1] != "-"):
        return False
    upper, lower = words("en").add[word], words("en").part[match["part"].lower()]
    if upper >= lower or (upper == 1) != (not match["part"].lower().endswith("s") or match["part"].lower() == "half"):
        return False
    noun = subject.of_phrase(text, match.end(), sentence[1])
    parts = (Decimal(upper), Decimal(lower))
    reading.add(at, match.end(), Kind.RATIO, parts[0] / parts[1], sentence, unit="fraction", subject=noun, parts=parts)
    return True


def _part_word(reading: Reading, at: int, end: int, word: str, sentence: tuple[int, int]) -> bool:
    """A part in another language after its numerator: "zwei Drittel", "deux tiers", "la mitad"."""
    known = words(reading.language)
    if reading.language == "en":
        return False
    if word in known.part:
        value = Decimal(1) / known.part[word]
        reading.add(
            at,
            end,
            Kind.RATIO,
            value,
            sentence,
            unit="fraction",
            subject=subject.of_phrase(reading.text, end, sentence[1], german=reading.german),
            parts=(Decimal(1), Decimal(known.part[word])),
        )
        return True
    if word not in known.add:
        return False
    match = re.compile(rf"{BLANKS}(?P<part>[^\W\d_]+)").match(reading.text, end)
    lower = known.part.get(match["part"].lower()) if match else None
    if match is None or lower is None or known.add[word] >= lower:
        return False
    parts = (Decimal(known.add[word]), Decimal(lower))
    noun = subject.of_phrase(reading.text, match.end(), sentence[1], german=reading.german)
    reading.add(at, match.end(), Kind.RATIO, parts[0] / parts[1], sentence, unit="fraction", subject=noun, parts=parts)
    return True


def _half(reading: Reading, at: int, end: int, sentence: tuple[int, int]) -> bool:
    text = reading.text
    scaled = re.compile(
        rf"(?:{BLANKS}an?{BLANKS}|-(?=dozen))(?P<scale>million|billion|trillion|dozen|hundred|thousand)\b"
    ).match(text, end)
    if scaled:
        return _part_of(reading, at, scaled, 2, sentence)
    if re.search(
        r"(?:\b(?:a|one|and|first|second|other|each|every|the)[ \u00a0-]|-)$", text[max(0, at - 8) : at].lower()
    ) and not (_AND.search(text, max(0, at - 5), at) and _HALF_OF.match(text, end)):
        article = re.search(r"\b(?:a|an)[ \u00a0]$", text[max(0, at - 3) : at].lower())
        if article is None or not re.compile(rf"{BLANKS}(?:hours?|miles?|minutes?|centur\w+|days?)\b|-hour").match(
            text, end
        ):
            return True
    match = _HALF.match(text, end)
    if match is None:
        if modifier_before(text, at, sentence[0]) is None:
            return True
        match = _NOTHING.match(text, end)  # "over half voted"
        assert match
    if match["unit"]:
        unit = " ".join(match["unit"].lower().split())
        name = {
            "percent": "percent",
            "per cent": "percent",
            "percentage point": "percentage_point",
            "liter": "litre",
            "meter": "metre",
            "kilometer": "kilometre",
            "pound": "GBP",
            "point": None,
            "century": "century_long",
            "decade": "decade_long",
        }.get(unit, unit)
        kind = Kind.PERCENT if name in ("percent", "percentage_point") else Kind.COUNT
        noun = subject.of_phrase(text, match.end(), sentence[1]) if kind is Kind.PERCENT else None
        modifier = modifier_before(text, at, max(reading.at, sentence[0]))
        reading.add(
            at,
            match.end(),
            kind,
            Decimal("0.5"),
            sentence,
            unit=name,
            subject=noun,
            modifier=modifier,
            step=Decimal("0.1"),
        )
        return True
    noun = subject.of_phrase(text, end, sentence[1])
    if noun is None and match["the"]:
        following = subject.after(text, match.end(), sentence[1], one=True)
        noun = following[0] if following else None
    reading.add(
        at,
        end,
        Kind.RATIO,
        Decimal("0.5"),
        sentence,
        unit="fraction",
        subject=noun,
        parts=(Decimal(1), Decimal(2)),
    )
    return True


def _part_of(reading: Reading, start: int, match: re.Match[str], part: int, sentence: tuple[int, int]) -> bool:
    """ "half a million", "a quarter of a million", "a quarter of an hour"."""
    scale = match["scale"].lower()
    english = words("en")
    worth = english.scale.get(scale) or english.times.get(scale)
    unit = None if worth else {"century": "century_long"}.get(scale, scale)
    value = Decimal(worth or 1) / part
    amount = Amount(start, match.end(), value, value, spelled=2)
    if unit:
        modifier = modifier_before(reading.text, start, max(reading.at, sentence[0]))
        reading.add(start, match.end(), Kind.COUNT, value, sentence, unit=unit, modifier=modifier)
    else:
        currency = read_amount(reading.text, start, start, language="en", comma=False) if scale != "dozen" else None
        if currency and currency.unit:
            amount = replace(amount, end=currency.end, unit=currency.unit)
        keep_figure(reading, amount, sentence)
    return True
