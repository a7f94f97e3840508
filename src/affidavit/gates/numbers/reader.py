"""Read the numbers of a text: names and dates first, then amounts, ranges and ratios, then what is counted."""

import re
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from functools import cache, lru_cache

from affidavit.evidence.characters import INVISIBLES, character_class
from affidavit.gates.numbers import calendar, identifier, subject
from affidavit.gates.numbers.amount import Amount, read_amount
from affidavit.gates.numbers.figure import keep_figure
from affidavit.gates.numbers.informal import informal_words, read_informal
from affidavit.gates.numbers.lexicon import months, words
from affidavit.gates.numbers.mention import Kind, Mention
from affidavit.gates.numbers.names import by_form, glued_noun, glued_to_letters, named_by_words, version
from affidavit.gates.numbers.numeral import plain
from affidavit.gates.numbers.ordinals import read_ordinal, read_ordinal_word
from affidavit.gates.numbers.portions import read_fraction
from affidavit.gates.numbers.ratios import HALVING_VERBS, MULTIPLYING_VERBS, read_multiple
from affidavit.gates.numbers.reading import IN, OR, TO, Reading
from affidavit.gates.numbers.signs import counts, is_sign, roman, roman_counts, signs_in, unmasked

_TRIGGER = re.compile(r"\d|[½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅐⅛⅜⅝⅞⅑⅒]|[^\W\d_]+")
_INVISIBLE = re.compile(f"[{character_class(INVISIBLES)}]+")
_ORDINAL = re.compile(r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:st|nd|rd|th)(?!\w)", re.I)
_ROMAN_YEAR = re.compile(r"M{1,2}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})$")

_REMEMBERED_CHARS = 1000
"""Texts up to this length are remembered with what was found in them: a sentence is held against many others, and every
gate reads it anew."""


def mentions(text: str, locale: str | None = None, scope: str | None = None) -> tuple[Mention, ...]:
    """Every number of `text` that a reader would find, in order, none overlapping.

    `locale` is a BCP 47 tag and settles which sign starts the decimals and which number words are known; without it
    the text is guessed from. `scope` is a note that says what the counts of this text count ("placements, not
    offices"): its head noun is the subject of every count, whatever the sentence says.
    """
    read = _remembered if len(text) <= _REMEMBERED_CHARS else _mentions
    return read(text, locale, scope)


def _mentions(text: str, locale: str | None, scope: str | None) -> tuple[Mention, ...]:
    hidden = _INVISIBLE.search(text)
    if hidden is None:
        return tuple(_scoped(_read(Reading(text, unmasked(plain(text)), locale)), scope))
    kept = [index for index, character in enumerate(text) if not _INVISIBLE.match(character)]
    seen = "".join(text[index] for index in kept)
    return tuple(
        _scoped((_placed(found, text, kept) for found in _read(Reading(seen, unmasked(plain(seen)), locale))), scope)
    )


_remembered = lru_cache(maxsize=4096)(_mentions)


def _placed(mention: Mention, text: str, kept: list[int]) -> Mention:
    """`mention` of the visible text, moved to where it stands in `text`."""
    start, end = kept[mention.start], kept[mention.end - 1] + 1
    first, last = kept[mention.sentence[0]], kept[mention.sentence[1] - 1] + 1
    return replace(mention, raw=text[start:end], start=start, end=end, sentence=(first, last))


def _scoped(found: Iterator[Mention], scope: str | None) -> Iterator[Mention]:
    noun = subject.scope_noun(scope) if scope else None
    for mention in found:
        counts = noun and mention.kind is Kind.COUNT and mention.unit is None
        yield replace(mention, subject=noun, direct=True) if counts else mention


@cache
def _number_words(language: str) -> frozenset[str]:
    own, english = words(language), words("en")
    found = set(own.add) | set(own.times) | set(own.part) - {"second"}
    if language in ("en", "de"):
        found |= set(own.ordinal)
    if language == "en":
        found |= {*english.scale, "half", "twice", "thrice", *informal_words(), *MULTIPLYING_VERBS, *HALVING_VERBS}
    else:
        found |= {word for word, worth in own.scale.items() if worth == 1000}
    return frozenset(found)


def _roman_year(word: str) -> bool:
    return word[0] == "M" and len(word) >= 5 and word.isupper() and _ROMAN_YEAR.match(word) is not None


@cache
def _forms(language: str) -> frozenset[str]:
    """Every word, as it may be written, at which a number or date can begin."""
    plain_forms = _number_words(language) | set(months())
    capitals = {form for word in plain_forms for form in (word.capitalize(), word.upper())}
    return frozenset(
        plain_forms | capitals | set("Q H FY KW week Week Woche fiscal Fiscal financial Financial".split())
    )


def _read(reading: Reading) -> Iterator[Mention]:
    addresses = identifier.addresses(reading.text)
    next_address = 0
    known = _number_words(reading.language)
    names = months()
    forms = _forms(reading.language)
    for trigger in _TRIGGER.finditer(reading.text):
        word = trigger.group()
        at = trigger.start()
        if not word.isascii() and any(map(is_sign, word)):
            _signs(reading, at, word)
            continue
        if (
            word not in forms
            and word[0].isalpha()
            and not (_compound(reading, word) if reading.german else word[0] == "M" and _roman_year(word))
        ):
            if len(word) > 1 and word[0] in "IVXLCDM" and word[1] in "IVXLCDM":
                _roman_count(reading, at, word)
            continue
        if at < reading.at:
            continue
        while next_address < len(addresses) and addresses[next_address].end <= at:
            next_address += 1
        if next_address < len(addresses) and addresses[next_address].start <= at:
            reading.keep_named(addresses[next_address], only_with_digits=True)
            continue
        if not word[0].isalpha() or word.isnumeric():
            _digits(reading, at)
        elif word not in names or not reading.keep_dated(calendar.read_month(reading.text, at)):
            _word(reading, at, word, known)
    yield from reading.found


def _word(reading: Reading, at: int, word: str, known: frozenset[str]) -> None:
    lower = word.lower()
    if lower not in known:
        if _compound(reading, word):
            _spelled(reading, at)
        elif not reading.keep_dated(calendar.read_period(reading.text, at)) and _roman_year(word):
            _roman(reading, at, word)
        return
    if reading.text[at - 1 : at] == "-" and reading.text[at - 2 : at - 1].isalpha():
        return
    _spelled(reading, at)


def _compound(reading: Reading, word: str) -> bool:
    """Whether a German word may be tens and ones in one ("fünfundvierzig")."""
    return reading.german and len(word) > 9 and "und" in word


def _roman(reading: Reading, at: int, word: str) -> None:
    value = roman(word)
    if 1000 <= value <= 2199:
        reading.keep_dated(calendar.Dated(at, at + len(word), Kind.YEAR, Decimal(value)))


def _roman_count(reading: Reading, at: int, word: str) -> None:
    if at >= reading.at and roman_counts(reading.text, at, word):
        worth = Decimal(roman(word))
        amount = Amount(at, at + len(word), worth, Decimal(1), spelled=1)
        keep_figure(reading, amount, reading.sentence_at(at))


def _signs(reading: Reading, at: int, word: str) -> None:
    """The signs of a word that state a number ("⑫", "五十台"); what else the word is does not begin a number."""
    for start, end in signs_in(at, word):
        if start < reading.at or not counts(reading.text, start, end, reading.marks):
            continue
        amount = read_amount(reading.text, start, reading.at, language=reading.language, comma=reading.comma)
        if amount is not None:
            keep_figure(reading, replace(amount, spelled=max(1, amount.spelled)), reading.sentence_at(start))


def _digits(reading: Reading, at: int) -> None:
    text = reading.text
    if text[at - 1 : at] == "." and at - 1 >= reading.at and not text[at - 2 : at - 1].strip(" \u00a0\n(=<>$€£"):
        at -= 1  # ".25"
    sentence = reading.sentence_at(at)
    line = text.rfind("\n", 0, at) + 1
    if _period_before(reading, at):
        return
    if text[at].isdecimal():
        dated = calendar.read_date(text, at, reading.locale)
        if dated and not glued_to_letters(reading, at) and reading.keep_dated(dated):
            return
        named = (
            identifier.line_marker(text, at, line)
            or identifier.inline_marker(text, at, sentence[0])
            or by_form(reading, at)
            or version(reading, at)
        )
        if named:
            reading.keep_named(named)
            return
        ordinal = _ORDINAL.match(text, at)
        if ordinal and read_ordinal(reading, at, ordinal.end(), int(re.sub(r"\D", "", ordinal.group()))):
            return
    amount = read_amount(text, at, reading.at, language=reading.language, comma=reading.comma)
    if amount is None:
        return
    if text[amount.end : amount.end + 1].isalpha() and reading.cased(amount.end) and not glued_noun(text, amount.end):
        named = identifier.digits_with_letters(text, at)
        if named:
            reading.keep_named(named)
            return
    if re.compile(r"-[A-Z]{1,4}(?![\w])").match(text, amount.end) and amount.bare:
        reading.keep_named(identifier.digits_with_letters(text, at) or identifier.Named(at, amount.end, "code"))
        return
    if amount.bare or (amount.decimals and not amount.unit and amount.factor == 1 and not amount.signed):
        named = named_by_words(reading, at, amount, sentence)
        if named:
            reading.keep_named(named)
            return
    keep_figure(reading, amount, sentence)


def _period_before(reading: Reading, at: int) -> bool:
    """A period whose letters were no trigger of their own because they run on into the digits ("FY24")."""
    for width in (1, 2):
        start = at - width
        if start >= reading.at and (start == 0 or not reading.text[start - 1].isalnum()):
            dated = calendar.read_period(reading.text, start)
            if dated and dated.end > at:
                return reading.keep_dated(dated)
    return False


def _spelled(reading: Reading, at: int) -> None:
    text = reading.text
    sentence = reading.sentence_at(at)
    known = words(reading.language)
    match = re.compile(r"[^\W\d_]+").match(text, at)
    word = match.group().lower() if match else ""
    end = match.end() if match else at
    if word in MULTIPLYING_VERBS or word in HALVING_VERBS or word in ("twice", "thrice"):
        read_multiple(reading, at, end, word, sentence)
        return
    if word in informal_words():
        named = read_informal(text, at, end, word, max(reading.at, sentence[0]))
        if named is not None:
            keep_figure(reading, named, sentence)
        return
    if read_fraction(reading, at, end, word, sentence) or read_ordinal_word(reading, at, sentence):
        return
    amount = read_amount(text, at, reading.at, language=reading.language, comma=reading.comma)
    if amount is None:
        return
    if amount.year:
        reading.keep_dated(calendar.Dated(at, amount.end, Kind.YEAR, amount.value))
        return
    if amount.spelled == 1 and amount.value == 1 and not _one_counts(reading, amount):
        return
    if word in known.scale and amount.start == at and amount.spelled == 1 and reading.language == "en":
        return
    label, start = identifier.label_before(text, at, sentence[0])
    if word in known.times and amount.start == at and label.lower() in ("few", "several", "many", "multiple"):
        return  # "a few hundred" states no number
    shouted = text[slice(*sentence)].isupper()
    if (
        match
        and match.group()[0].isupper()
        and not shouted
        and start > sentence[0]
        and amount.spelled == 1
        and amount.unit is None
    ):
        reading.at = max(reading.at, amount.end)
        return
    if label[:1].isupper() and not shouted and start > sentence[0] and identifier.labelled(label, False, False):
        return
    keep_figure(reading, amount, sentence)


def _one_counts(reading: Reading, amount: Amount) -> bool:
    """A lone "one" is a number where a unit, "in five" or a second number follows."""
    text = reading.text
    if amount.unit is not None or amount.times:
        return True
    link = IN.match(text, amount.end) or OR.match(text, amount.end) or TO.match(text, amount.end)
    if link is None or link.end() >= len(text):
        return False
    second = read_amount(text, link.end(), link.end(), language=reading.language, comma=reading.comma)
    return second is not None and second.value > 1
