"""Numbers that name a thing: codes, standards, sections, telephones, versions, list markers, footnotes.

They are no quantities. What is missed here is taken for a figure, and an honest sentence is held up for it; what is
taken wrongly hides a figure from the gate. So a form decides where it can (letters glued to digits, two hyphens, an
address), a label where one stands before the number, and a capitalised name only where nothing is counted.
"""

import re
from dataclasses import dataclass
from functools import cache

from affidavit.gates.numbers.lexicon import table
from affidavit.gates.numbers.mention import Kind


@dataclass(frozen=True, slots=True)
class Named:
    start: int
    end: int
    role: str
    kind: Kind = Kind.IDENTIFIER


_ADDRESS = re.compile(r"(?:https?|ftp)://\S+|www\.\S+|@[\w-]+\.\w[\w.-]*|\.(?:com|org|net|gov|edu|io|eu|uk|de)/\S*")
_ADDRESS_START = re.compile(r"[\w.+%-]+$")
_ADDRESS_END = ".,;:!?)]}>»\"'”’"
_OCTET = r"(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)"
_FORMS = (
    (
        "code",
        re.compile(
            r"0[xX][0-9A-Fa-f]+\b"
            rf"|{_OCTET}(?:\.{_OCTET}){{3}}(?:/\d+)?(?![.\w])"
            r"|(?:[0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}"
            r"|[0-9A-Fa-f]{4}:[0-9A-Fa-f]{0,4}:[0-9A-Fa-f:/.]*|\d*::[0-9A-Fa-f:/.]*"
        ),
    ),
    # A status of HTTP with its reason phrase (RFC 9110, section 15).
    (
        "code",
        re.compile(
            r"[1-5]\d\d (?:OK|Created|Accepted|No Content|Multiple Choices?|Moved|Found|See Other|Not "
            r"|Temporary Redirect|Permanent Redirect|Bad Request|Unauthorized|Forbidden|Gone|Conflict"
            r"|Internal Server|Bad Gateway"
            r"|Service Un)"
        ),
    ),
    ("doi", re.compile(r"10\.\d{4,9}/\S*\w")),
    ("isbn", re.compile(r"97[89][- ]\d{1,5}[- ]\d{1,7}[- ]\d{1,7}[- ][\dX]\b|97[89]\d{10}\b")),
    (
        "phone",
        re.compile(
            r"\d{1,4}(?:[-. ]\d{3}){1,2}[-. ]\d{4}(?![\d-])|\d{3}-\d{4}(?![\d-])|\d{4} \d{3} \d{3,4}(?![\d ,.]\d)"
        ),
    ),
    (
        "standard",
        re.compile(
            r"\d+ (?:U\.?S\.?C\.?|C\.?F\.?R\.?|Stat\.|Fed\. Reg\.|F\.\dd)(?: (?:§+ ?|[Pp]art )?\d[\w.-]*(?:\(\w+\))*)?"
        ),
    ),
    ("code", re.compile(r"\d+(?:-\d+){2,}(?![\w])|\d+-\d+[A-Z]\w*(?:-\w+)*|\d{1,4}-\d{1,4}/\d+|\d+(?:-[a-z]+){3,}")),
)
_PLUS_PHONE = re.compile(r"\+\d{1,3}(?:[ \u00a0.-]?\(?\d{1,5}\)?){2,6}(?!\w)")
_AREA = re.compile(r"\(\d{2,5}\)[ \u00a0-]?\d{3,4}(?:[- \u00a0]?\d{3,4})?(?!\w)")
_HEX = re.compile(r"#(?=[0-9A-Fa-f]*[A-Fa-f0-9])(?:[0-9A-Fa-f]{8}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{3})\b|#\d+\b")
_ANY_OF_MAJOR = re.compile(r"\d+(?:\.\d+)*\.[xX]\b")
_INLINE_MARKER = re.compile(r"\d{1,2}\)(?=[ \u00a0]\w)")
_VERSION = re.compile(r"[vV]?\.?\d+(?:\.\d+){2,}(?:[-.+]?(?:a|b|rc|alpha|beta|dev|post|preview)[.-]?\d*)?(?![\w]|\.\d)")
_PRE_RELEASE = re.compile(r"\d+\.\d+(?:\.\d+)*[-.]?(?:(?:a|b|rc|dev|post)\d+|alpha\d*|beta\d*|dev)(?!\w)")
_LETTERED = re.compile(r"v(?P<v>\d+(?:\.\d+)*)(?!\w)|[^\W\d_]+\d[\w]*(?:[.-]\w*\d\w*)*(?:/\w+)?", re.UNICODE)
_HYPHENED = re.compile(r"[-]?\d[\w.]*(?:[-/]\w+)*")
_DIGITS_LETTERS = re.compile(r"\d+[A-Za-z][\w]*(?:-\w*\d\w*)*|\d+-[A-Z]{1,4}(?![a-z])\w*")
_FOOTNOTE = re.compile(r"\[\d{1,3}(?:[,;–-][ \u00a0]?\d{1,3})*\]")
_MARKER = re.compile(r"[ \t]*(?P<m>\d{1,3}(?:\.\d{1,3}){0,4}[.)]|\(\d{1,3}\)|\d+(?:\.\d+){1,4})(?=[ \u00a0\t]+\S)")
_CHAIN = re.compile(
    r"[ \u00a0]*(?:,|;|,?[ \u00a0](?:and|or|to|through|und|bis|et|y|&|and/or)|[–&/-])[ \u00a0\n]*(?:§+[ \u00a0]?)?$"
)
_DOTTED = re.compile(r"\d+(?:\.\d+)+[A-Za-z]?(?:\(\w+\))*|\d+[A-Za-z]?(?:\(\w+\))*(?:-\d+)?(?:/\w+)?")


@cache
def labels() -> tuple[dict[str, str], dict[str, str]]:
    """Role by label, strong and weak, lower case."""
    rows = table("labels")
    return tuple(  # pyright: ignore[reportReturnType]
        {word: role for role, words in rows[strength].items() for word in words.split()}
        for strength in ("strong", "weak")
    )


@cache
def _prefixes() -> frozenset[str]:
    return frozenset(table("labels")["prefixes"]["words"].split())


@cache
def openers() -> frozenset[str]:
    return frozenset(table("labels")["openers"]["words"].split())


def addresses(text: str) -> list[Named]:
    """Web and mail addresses. No number inside one is a number."""
    found: list[Named] = []
    if "/" not in text and "@" not in text and "www." not in text:
        return found
    for match in _ADDRESS.finditer(text):
        start = match.start()
        if match.group()[0] in "@.":
            lead = _ADDRESS_START.search(text, max(0, start - 80), start)
            start = lead.start() if lead else start
        end = match.start() + len(match.group().rstrip(_ADDRESS_END))
        if not found or start >= found[-1].end:
            found.append(Named(start, end, "url"))
    return found


def line_marker(text: str, at: int, line: int) -> Named | None:
    """The number of a list item or section that opens the line at `line`, whose first digit is at `at`."""
    if at - line > 6:
        return None
    match = _MARKER.match(text, line)
    if match is None or not match.start("m") <= at < match.end("m"):
        return None
    marker = match["m"]
    after = text[match.end() :].lstrip(" \u00a0\t")[:1]
    if marker[-1] in ".)":
        return Named(match.start("m"), match.end("m"), "section" if marker.count(".") > 1 else "list_marker")
    # "1.2.3 Scope of the survey": a number of a heading; "3.2 million" is none.
    return Named(match.start("m"), match.end("m"), "section") if after.isupper() else None


def inline_marker(text: str, at: int, begin: int) -> Named | None:
    """ "that 1) accept, 2) check": a number with a closing bracket that nothing opened."""
    match = _INLINE_MARKER.match(text, at)
    if match is None or text.count("(", begin, at) > text.count(")", begin, at):
        return None
    return Named(at, match.end(), "list_marker")


def by_form(text: str, at: int, floor: int) -> Named | None:
    """An identifier that its form gives away, holding the digit at `at`; nothing of it before `floor`."""
    before = text[at - 1] if at > floor else " "
    if before == "[":
        match = _FOOTNOTE.match(text, at - 1)
        if match:
            return Named(at - 1, match.end(), "footnote")
    if before == "(":
        match = _AREA.match(text, at - 1)
        if match:
            return Named(at - 1, match.end(), "phone")
        call = re.compile(r"[\d.,: -]+\)").match(text, at)
        if call and text[at - 2 : at - 1].isalpha() and at - 2 >= floor:
            return Named(at, call.end() - 1, "code")  # "O(1)", "range(10)"
    if before == "+":
        match = _PLUS_PHONE.match(text, at - 1)
        if match and sum(character.isdigit() for character in match.group()) >= 8:
            return Named(at - 1, match.end(), "phone")
    if before == ":" and text[max(floor, at - 6) : at].lower() == "arxiv:":
        return Named(at, extent(text, at), "code")
    if before == "+" and text[at - 3 : at] == "C++":
        return Named(at - 3, re.compile(r"C\+\+\d+").match(text, at - 3).end(), "code")  # type: ignore[union-attr]
    if before == "#":
        match = _HEX.match(text, at - 1)
        if match:
            return Named(at - 1, match.end(), "code")
    if before in "-_/." or (before.isalpha() and before.upper() != before.lower()):
        named = _glued_before(text, at, floor, before)
        if named:
            return named
    for role, form in _FORMS:
        match = form.match(text, at)
        if match:
            return Named(at, match.end(), role)
    return None


def _glued_before(text: str, at: int, floor: int, before: str) -> Named | None:
    start = at
    while start > floor and (text[start - 1].isalnum() or text[start - 1] in "-_/.&'"):
        start -= 1
        if at - start > 60:
            break
    head = text[start:at]
    if before.isalpha():
        letters = re.search(r"[^\W\d_]+$", head)
        begin = start + letters.start() if letters else at
        stem = re.match(r"[\w.-]*$", head)
        match = _LETTERED.match(text, begin)
        if match is None:
            return None
        if match["v"]:
            return Named(match.start("v"), match.end(), "version", Kind.VERSION)
        return Named(start if stem and head.isascii() else begin, match.end(), "code")
    if before == ".":
        word = re.search(r"[^\W\d_]{4,}\.$", head)
        if (
            word
            and word.group()[:-1].lower() not in labels()[0]
            and re.compile(r"\d{1,2}(?!\w|[.,]\w)").match(text, at)
        ):
            return Named(at, re.compile(r"\d+").match(text, at).end(), "footnote")  # type: ignore[union-attr]
        return None
    word = head.rstrip("-_/.")
    if not word or not any(character.isalpha() for character in word):
        return None
    last = re.split(r"[-_/]", word)[-1].lower()
    if last in _prefixes() or (
        (before == "/" and not any(character.isdigit() for character in word)) and word[0].islower()
    ):
        return None
    role = labels()[0].get(word.lower()) if before == "/" else None
    if role is not None:
        return Named(at, extent(text, at), role, Kind.VERSION if role == "version" else Kind.IDENTIFIER)
    if before == "-" and text[at - 2 : at - 1] in "-—–":
        return None
    match = _HYPHENED.match(text, at)
    return Named(start, match.end(), "code") if match else None


def version(text: str, at: int) -> Named | None:
    """A number with two points or more, or of a pre-release, that is no date and no grouped number."""
    match = _PRE_RELEASE.match(text, at) or _ANY_OF_MAJOR.match(text, at) or _VERSION.match(text, at)
    if match is None or re.fullmatch(r"\d{1,3}(?:\.\d{3})+", match.group()):
        return None
    return Named(at, match.end(), "version", Kind.VERSION)


def digits_with_letters(text: str, at: int) -> Named | None:
    """Digits with letters behind them that are neither a unit nor a multiplier: "18F", "4A", "3-D"."""
    match = _DIGITS_LETTERS.match(text, at)
    return Named(at, match.end(), "code") if match else None


def label_before(text: str, at: int, floor: int) -> tuple[str, int]:
    """The word before the number at `at`, without opening brackets, and where it starts; ("", at) at the start."""
    end = at
    while end > floor and text[end - 1] in " \u00a0\n":
        end -= 1
    if at - end > 3:
        return "", at
    start = end
    while start > floor and not text[start - 1].isspace() and text[start - 1] != "\u00a0" and end - start < 30:
        start -= 1
    word = text[start:end]
    bare = re.split(r"[(\[{\"'“‘*_«?!]", word)[-1]
    return bare, end - len(bare)


def labelled(word: str, opens: bool, noun_follows: bool) -> tuple[str, Kind] | None:
    """The role of a number after the label `word`. A lower-case everyday label gives way to a noun that is counted."""
    key = word.lower()
    strong, weak = labels()
    role = strong.get(key) or strong.get(key.rstrip("."))
    if role is not None and (role in ("section", "standard") or word[:1].isupper() or not word[:1].isalpha()):
        if role == "standard" and word.islower() and word != "pep":
            return None
        return role, Kind.VERSION if role == "version" else Kind.IDENTIFIER
    role = role or weak.get(key)
    if role is None or (noun_follows and not (word[:1].isupper() and not opens)):
        return None
    return role, Kind.VERSION if role == "version" else Kind.IDENTIFIER


def chained(text: str, last_end: int, at: int) -> bool:
    """Whether the number at `at` goes on a list of numbers whose last ended at `last_end` ("tables 3, 4 and 5")."""
    return at - last_end <= 8 and _CHAIN.match(text, last_end, at) is not None


def extent(text: str, at: int) -> int:
    """The end of a label's number at `at`: with points, a letter, subsections in brackets ("4.2", "63B", "6(1)(a)")."""
    match = _DOTTED.match(text, at)
    return match.end() if match else at
