"""Whether a number in digits names a thing, by its form, by the word before it, or by the name it ends."""

import re

from affidavit.gates.numbers import calendar, identifier, subject
from affidavit.gates.numbers.amount import Amount, read_amount
from affidavit.gates.numbers.mention import Kind
from affidavit.gates.numbers.numeral import BLANK
from affidavit.gates.numbers.reading import Reading

_DASH = re.compile(r"[ \u00a0]?(?:–|—|-|−|‒|~)[ \u00a0]?(?=[$€£¥₹\d½¼¾A-Z−-])")
_DECIMAL_LIKE = re.compile(r"\d+\.\d+$")
_PREPOSITION = re.compile(r"\b(?:in|at|for|from|of|to|by|that|and|has|have)[ \u00a0]$", re.IGNORECASE)
_POINTED = re.compile(r"\d{1,3}(?:\.\d{3})+")
_RELEASE_WORD = re.compile(r"[ \u00a0](?:alpha|beta|rc|candidate|final|release|LTS|branch|series|bugfix)\b")
_SAYS_VERSION = re.compile(r"\b[Vv]ersions?\b")
_GLUED_NOUN = re.compile(r"[^\W\d_][a-z]{3,}(?![\w@/.-]\w|[\w@/])")
_HUNDREDS = re.compile(r"s[ \u00a0]of\b")
_NUMBERING = re.compile(r"(?P<noun>[^\W\d_]+)[ \u00a0]\Z")
_GLUED_WORD = re.compile(r"(?<![\w.@/-])[a-z]{2,8}\Z")
_TWO_DIGITS = re.compile(r"\d[\d,.]*\d(?!\w)")
# Capital letters before a decimal that are no name of a program: the symbols of statistics.
_STATISTICS = frozenset(
    "CI SD SE SEM OR HR RR AUC IQR ICC GPA BMI M F R T P N GDP CPI AQI EPS PE QALY ROI MSE RMSE".split()
)


def glued_to_letters(reading: Reading, at: int) -> bool:
    before = reading.text[at - 1 : at]
    return before.isalpha() and before.upper() != before.lower()


def glued_noun(text: str, at: int) -> bool:
    """Whether the letters right after a number are the noun that it counts, its blank left out ("50vans")."""
    if _HUNDREDS.match(text, at):
        return True  # "100s of homes"
    match = _GLUED_NOUN.match(text, at)
    return match is not None and subject.is_plural(match.group())


def _glued_preposition(text: str, at: int) -> bool:
    """Whether the letters right before the number at `at` are a small word, its blank left out ("over200 vans")."""
    match = _GLUED_WORD.search(text, max(0, at - 9), at)
    return match is not None and subject.is_function(match.group()) and _TWO_DIGITS.match(text, at) is not None


def by_form(reading: Reading, at: int) -> identifier.Named | None:
    """An identifier by form, unless the letters before the digits are a currency or FY, Q, H."""
    text = reading.text
    if text[at - 1 : at].isalpha() and _glued_preposition(text, at):
        return None
    named = identifier.by_form(text, at, reading.at)
    if named and reading.comma and _POINTED.fullmatch(text, named.start, named.end):
        return None  # 192.168.100.100 is a number where points group thousands
    if named is None or named.role != "code" or not text[at - 1 : at].isalpha():
        return named
    amount = read_amount(text, at, reading.at, language=reading.language, comma=reading.comma)
    return None if amount and amount.unit and amount.unit.currency and amount.start < at else named


def version(reading: Reading, at: int) -> identifier.Named | None:
    named = identifier.version(reading.text, at)
    if named is None:
        return None
    word, _ = identifier.label_before(reading.text, at, reading.at)
    label = identifier.labelled(word, False, False) if word else None
    if label and label[0] not in ("version", "standard"):
        return identifier.Named(at, named.end, label[0])
    return named


def named_by_words(reading: Reading, at: int, amount: Amount, sentence: tuple[int, int]) -> identifier.Named | None:
    """A number that a word before it makes a name: a label, a list of labelled numbers, a capitalised name."""
    text = reading.text
    word, start = identifier.label_before(text, at, max(reading.at, sentence[0]))
    extent = max(identifier.extent(text, at), amount.end)
    plural = subject.plural_next(text, amount.end)
    opens = start <= sentence[0]
    if word:
        label = None if _numbers(text, word, start) else identifier.labelled(word, opens, plural)
        if label and not (label[0] == "page" and amount.decimals):
            if label[1] is Kind.VERSION and amount.bare and plural and word.islower():
                return None
            return identifier.Named(at, extent, label[0], label[1])
    previous = reading.found[-1] if reading.found else None
    if (
        previous
        and previous.role not in (None, "url", "footnote", "list_marker")
        and previous.sentence == sentence
        and identifier.chained(text, previous.end, at)
        and not subject.noun_follows(text, amount.end)
    ):
        return identifier.Named(at, extent, previous.role or "code", previous.kind)
    if amount.decimals:
        return _decimal_version(reading, at, amount, word, plural)
    if amount.digits >= 2 and text[at] == "0" and amount.value:
        return identifier.Named(at, amount.end, "code")
    adjacent = previous is not None and previous.role in ("code", "phone") and text[previous.end : at] in (" ", BLANK)
    if (amount.digits >= 9 or adjacent) and not subject.noun_follows(text, amount.end):
        return identifier.Named(at, amount.end, "code")
    if word and _is_name(reading, word, start, opens, amount, sentence, plural):
        return identifier.Named(at, amount.end, "name")
    return None


def _numbers(text: str, word: str, start: int) -> bool:
    """Whether the label "number" is a verb ("our vans number 50")."""
    before = _NUMBERING.search(text, max(0, start - 30), start) if word == "number" else None
    return before is not None and subject.is_plural(before["noun"])


def _decimal_version(reading: Reading, at: int, amount: Amount, word: str, plural: bool) -> identifier.Named | None:
    written = reading.text[at : amount.end]
    if not _DECIMAL_LIKE.match(written) or _DASH.match(reading.text, amount.end) or word in _STATISTICS:
        return None
    after_version = written.split(".")[0] in reading.version_majors
    begin, end = reading.sentence_at(at)
    after_version = after_version or _SAYS_VERSION.search(reading.text, begin, end) is not None
    if (after_version and not plural) or _RELEASE_WORD.match(reading.text, amount.end):
        return identifier.Named(at, amount.end, "version", Kind.VERSION)
    named = (
        any(letter.isupper() for letter in word)
        and word.replace(".", "").replace("-", "").isalnum()
        and word.lower() not in identifier.openers()
    )
    start = at - len(word) - 1
    if plural and _PREPOSITION.search(reading.text, max(0, start - 12), max(0, start)):
        return None  # "in Germany 1.5 children"
    if named and (any(map(str.isupper, word[1:])) or not _opens(reading, at, word)) and not calendar.is_month(word):
        return identifier.Named(at, amount.end, "version", Kind.VERSION)
    return None


def _opens(reading: Reading, at: int, word: str) -> bool:
    return at - len(word) - 1 <= reading.sentence_at(at)[0]


def _is_name(
    reading: Reading, word: str, start: int, opens: bool, amount: Amount, sentence: tuple[int, int], plural: bool
) -> bool:
    """Whether the capitalised word before a bare number and the number are one name ("Mercury 7")."""
    if (
        not any(map(str.isupper, word))
        or word[0].isdigit()
        or not word[-1].isalnum()
        or word.lower() in identifier.openers()
    ):
        return False
    if calendar.is_month(word) or word == "AD" or (amount.digits == 4 and 1500 <= amount.value <= 2199):
        return False
    text = reading.text
    counted = plural and amount.value != 1
    if opens:
        return not subject.noun_follows(text, amount.end) and not word.endswith(("ed", "s"))
    lead = text[max(sentence[0], start - 200) : start]
    if counted and _PREPOSITION.search(lead):
        return False
    listed = re.compile(r"[ \u00a0]*(?:,|;|\.?$)").match(text, amount.end)
    return not (listed and re.search(r":[^:]*$", lead))
