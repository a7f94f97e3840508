"""Two amounts that belong together: a range, a change from one to the other, a score."""

import re
from dataclasses import replace
from decimal import Decimal

from affidavit.gates.numbers import subject
from affidavit.gates.numbers.amount import Amount, read_amount
from affidavit.gates.numbers.counts import is_year, keep_single, measured
from affidavit.gates.numbers.mention import Kind
from affidavit.gates.numbers.reading import BLANKS, OR, TO, Reading
from affidavit.gates.numbers.surroundings import modifier_before

_DASH = re.compile(r"[ \u00a0]?(?:–|—|-|−|‒|~)[ \u00a0]?(?=[$€£¥₹\d½¼¾A-Z−-])")
_AND = re.compile(rf"{BLANKS}(?:and|und|et|y|e){BLANKS}(?=\S)")
_BETWEEN = re.compile(
    rf"\b(?:between|zwischen|entre|tra)(?:{BLANKS}(?:about|around|approximately|roughly))?{BLANKS}$", re.I
)
_FROM = re.compile(rf"\b(?:from|von|de){BLANKS}$", re.I)
_CHANGE = re.compile(
    r"\b(?:r[io]se|rising|risen|fell|fall(?:s|ing|en)?|gr[eo]w(?:s|ing|n)?|increas\w+|decreas\w+|dropp?\w*|declin\w+"
    r"|climb\w+|chang\w+|mov\w+|cut|rais\w+|reduc\w+|went|go(?:es|ing)?|jump\w*|expand\w+|shr[aiu]nk\w*|up|down"
    r"|improv\w+|doubl\w+|tripl\w+|lower\w*|slid\w*|stieg|sank)\b[^.;]{0,60}$",
    re.I,
)
_AGE = re.compile(r"\b(?:aged?|ages)(?:[ \u00a0](?:of|from|between))?[ \u00a0]$", re.I)


def read_range(reading: Reading, first: Amount, sentence: tuple[int, int], floor: int) -> bool:
    """A range that begins with `first`; a change ("rose from 12 to 15") becomes two figures of one unit."""
    text = reading.text
    lead = text[max(floor, first.start - 60) : first.start]
    between = _BETWEEN.search(lead) is not None
    link = _link(reading, first, between)
    if link is None or link.end() >= len(text):
        return False
    at = link.end()
    lowered = text[at] in "−-+$€£¥₹" or (text[at].isalpha() and not text[at].isdigit())
    second = _second(reading, at, lowered)
    if second is None or second.parts or (second.times and not first.bare and not first.times):
        return False
    if not _matches(reading, first, second, link.group(), between):
        return False
    changed = _FROM.search(lead) and _CHANGE.search(text, max(sentence[0], first.start - 120), first.start)
    if changed or (not between and "to" in link.group() and _opposed(first, second)):
        _two(reading, first, second, sentence, floor)
        return True
    low, high = _aligned(first, second)
    if not low < high:
        return _score(reading, first, second, sentence) if link.group().strip() in ("-", "–", "to") else False
    _add_range(reading, first, second, low, high, sentence, floor)
    return True


def _link(reading: Reading, first: Amount, between: bool) -> re.Match[str] | None:
    text = reading.text
    hyphened = re.compile(rf"-{BLANKS}(?:to|or){BLANKS}").match(text, first.end)
    if hyphened and first.unit is None:
        return hyphened
    if between:
        return _AND.match(text, first.end)
    dash = _DASH.match(text, first.end)
    if dash:
        return dash
    small = first.bare or first.spelled
    return TO.match(text, first.end) or (OR.match(text, first.end) if small else None)


def _second(reading: Reading, at: int, lowered: bool) -> Amount | None:
    text = reading.text
    if lowered and not text[at].isalpha():
        digit = re.compile(r"[−\-+]?[$€£¥₹]?[−\-]?[ \u00a0]?(?=\d)").match(text, at)
        if digit is None:
            return None
        return read_amount(text, digit.end(), at, language=reading.language, comma=reading.comma)
    if text[at].isalpha():
        code = re.compile(r"[A-Z]{1,3}\$?[ \u00a0]?(?=\d)").match(text, at)
        if code:
            return read_amount(text, code.end(), at, language=reading.language, comma=reading.comma)
    return read_amount(text, at, at, language=reading.language, comma=reading.comma)


def _matches(reading: Reading, first: Amount, second: Amount, link: str, between: bool) -> bool:
    """Whether two amounts joined by `link` are of one kind at all."""
    if first.unit and second.unit and first.unit.name != second.unit.name:
        return False
    if first.unit and not second.unit and not first.unit.currency:
        return False
    if second.end < len(reading.text) and reading.text[second.end].isalpha() and reading.cased(second.end):
        return False
    word = link.strip(" \u00a0\n-") or link.strip()
    if word == "or":
        return second.value == first.value + 1 or (second.value <= 2 * first.value and not second.unit)
    if word in ("to", "a", "à", "through", "bis"):
        return word != "a" or reading.language in ("es", "pt", "it")
    if between:
        return True
    return not (first.spelled and not second.spelled) and " " not in link.strip()


def _opposed(first: Amount, second: Amount) -> bool:
    """ "by 52 to 48": two numbers that go down are no range."""
    low, high = _aligned(first, second)
    return low > high and (first.unit is not None or second.unit is not None)


def _aligned(first: Amount, second: Amount) -> tuple[Decimal, Decimal]:
    """Both values under the multiplier that only the second carries ("3 to 5 million")."""
    shared = first.factor == 1 and not first.grouped and first.value < 1000
    return first.value * (second.factor if shared else 1), second.value


def _two(reading: Reading, first: Amount, second: Amount, sentence: tuple[int, int], floor: int) -> None:
    unit = first.unit or second.unit
    low, _ = _aligned(first, second)
    scaled = low != first.value
    step = first.step * (low / first.value) if scaled and first.step and first.value else first.step
    keep_single(
        reading,
        replace(first, unit=unit, value=low, step=step, factor=second.factor if scaled else first.factor),
        sentence,
        floor,
    )
    keep_single(reading, second, sentence, reading.at)


def _score(reading: Reading, first: Amount, second: Amount, sentence: tuple[int, int]) -> bool:
    if not (first.bare and second.bare) or not second.value or first.digits > 3:
        return False
    reading.add(
        first.start,
        second.end,
        Kind.RATIO,
        first.value / second.value,
        sentence,
        unit="ratio" if first.value == second.value else "score",
        parts=(first.value, second.value),
        subject=subject.linked(reading.text, sentence[0], first.start),
    )
    return True


def _add_range(
    reading: Reading, first: Amount, second: Amount, low: Decimal, high: Decimal, sentence: tuple[int, int], floor: int
) -> None:
    text = reading.text
    end = second.end
    unit = (second.unit or first.unit).name if (second.unit or first.unit) else None  # type: ignore[union-attr]
    if second.times or first.times:
        unit = "times"
    noun = None
    if unit is None and first.bare and second.bare and is_year(reading, first, sentence) and 1000 <= high <= 2199:
        unit = "year"
    elif unit is None and _AGE.search(text[max(floor, first.start - 24) : first.start]) and high <= 120 and second.bare:
        unit, noun = "year", _aged(reading, first.start, sentence)
    if unit is None:
        following = subject.after(text, end, sentence[1], german=reading.german)
        noun = following[0] if following else subject.linked(text, sentence[0], first.start)
    elif unit != "year" or noun is None:
        noun = subject.of_phrase(text, end, sentence[1]) or (
            measured(reading, end, sentence) or subject.linked(text, sentence[0], first.start)
        )
    reading.add(
        first.start,
        end,
        Kind.RANGE,
        (low, high),
        sentence,
        unit=unit,
        subject=noun,
        modifier=modifier_before(text, first.start, floor),
        step=second.step,
    )


def _aged(reading: Reading, start: int, sentence: tuple[int, int]) -> str | None:
    match = re.search(
        r"([^\W\d_]+)[ \u00a0]aged?[ \u00a0](?:of |from |between )?$",
        reading.text[max(sentence[0], start - 60) : start],
    )
    return subject.singular(match[1]) if match else None
