"""Places in an order, and the days and quarters that are written as such."""

import re
from decimal import Decimal

from affidavit.gates.numbers import calendar, subject
from affidavit.gates.numbers.lexicon import words
from affidavit.gates.numbers.mention import Kind
from affidavit.gates.numbers.reading import BLANKS, Reading

_BEFORE_ORDINAL = re.compile(
    rf"\b(?:the|its|his|her|their|our|my|your|a|an|this|that|every|each|came|finished|ranked|placed|rank|is|was|in|on|"
    rf"and|[a-z]+'s){BLANKS}$",
    re.I,
)
_LEXICAL_ORDINAL = re.compile(
    r"(?:[ -](?:party|parties|person|world|world-|class|hand|hands|rate|degree|opinion|thought|thoughts|nature|aid|lady"
    r"|name|names|place|language|sight|glance|amendment|time|times|step|steps|thing|things|half|quarter|base|minister"
    r"|principles?|come|served|of all|and foremost|to last|look|draft))\b",
    re.I,
)


def read_ordinal_word(reading: Reading, at: int, sentence: tuple[int, int]) -> bool:
    match = re.compile(
        r"(?:(?P<tens>twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)[- ])?(?P<one>[a-z]+)\b", re.I
    ).match(reading.text, at)
    ordinals = words("en").ordinal
    if reading.language != "en" or match is None or match["one"].lower() not in ordinals:
        return False
    value = ordinals[match["one"].lower()]
    if match["tens"]:
        if value >= 10:
            return False
        value += words("en").add[match["tens"].lower()]
    dated = calendar.read_quarter(reading.text, at, value, match.end()) or calendar.read_ordinal_day(
        reading.text, at, value, match.end()
    )
    if reading.keep_dated(dated):
        return True
    lead = reading.text[max(sentence[0], at - 14) : at]
    named = match.group()[0].isupper() and at > sentence[0]
    if named or _LEXICAL_ORDINAL.match(reading.text, match.end()) or not _BEFORE_ORDINAL.search(lead):
        reading.at = match.end()
        return True
    if value <= 2 and not re.search(rf"\b(?:the|its|his|her|their|our){BLANKS}$", lead, re.I):
        reading.at = match.end()
        return True
    return read_ordinal(reading, at, match.end(), value)


def read_ordinal(reading: Reading, at: int, end: int, value: int) -> bool:
    sentence = reading.sentence_at(at)
    if reading.keep_dated(calendar.read_quarter(reading.text, at, value, end)):
        return True
    tail = end
    joined = re.compile(r"-[^\W\d_]+").match(reading.text, end)
    if joined:
        tail = joined.end()
    noun = subject.after(reading.text, tail, sentence[1], one=True)
    if noun is None or re.compile(rf"{BLANKS}in\b").match(reading.text, end):
        place = re.compile(rf"{BLANKS}in{BLANKS}(?!the\b)([a-z]+)\b").match(reading.text, end)
        noun = (place[1], 0) if place else None
    reading.add(at, end, Kind.ORDINAL, Decimal(value), sentence, subject=noun[0] if noun else None, step=Decimal(1))
    return True
