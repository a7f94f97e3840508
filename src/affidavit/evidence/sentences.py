"""Cut a text into sentences, in any language, keeping offsets.

`sentencex` proposes the ends; it knows terminators and abbreviations of some thirty languages. It sees a copy of the
text of the same length in which exotic spaces, invisible characters, quotation marks and brackets are plain spaces:
so nothing in a page can make it fail, a bracket that never closes hides no sentence end, and its offsets are ours.
What it proposes is then read against the original: closing quotation marks, brackets and reference marks belong to
the sentence before them, and an end that the text itself contradicts (a lower-case letter goes on, no space follows,
an abbreviation or an initial stands before) is no end.

Every visible character of the text lies in exactly one sentence, in order; a blank line always ends one. Where the
text is in doubt no end is seen: a span then stops a sentence earlier, which loses words but cuts none in two.
Linear in the length of the text.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate

from affidavit.evidence.abbreviations import (
    ANYWHERE,
    BEFORE_NUMBER,
    BY_LANGUAGE,
    ORDINAL_BEFORE_CAPITAL,
    SENTENCE_OPENERS,
)
from affidavit.evidence.characters import INVISIBLES, SPACES, character_class
from affidavit.evidence.document import Block, Document
from affidavit.evidence.language import guess_language, primary_subtag

_OPENING = "([{<（【《〈「『〔“„‟‘‚‛«‹¿¡"
_CLOSING = ")]}>）】》〉」』〕”’»›"
# Ends a sentence without a space after it, whatever follows.
_SELF_SUFFICIENT = "。！？｡।॥۔؟።፧။។៕༎։"
_MARK = re.compile(f"[{_SELF_SUFFICIENT}]")
_QUOTATIVE = ("と", "って", "という")

_BLANK = character_class(SPACES + INVISIBLES)
# Half a surrogate pair is no character, and the segmenter takes none.
_SURROGATES = "".join(map(chr, range(0xD800, 0xE000)))
_NEUTRAL = str.maketrans(
    dict.fromkeys(SPACES + INVISIBLES + _OPENING + _CLOSING + _SURROGATES + "\"'", " ") | {"’": "'", "‘": "'", "'": "'"}
)
_EDGE_APOSTROPHE = re.compile(r"(?<!\w)'|'(?!\w)")
_VISIBLE = re.compile(f"[^{_BLANK}]")
_PARAGRAPH_BREAK = re.compile(r"(?:\r\n?+|\n)(?:[^\S\r\n]*(?:\r\n?+|\n))+|\u2029")

_REFERENCE = r"\[[^\[\]\s][^\[\]\n]{0,22}\]"
_AFTER_STOP = re.compile(
    f"(?:[{character_class(INVISIBLES)}]*(?:{_REFERENCE}|[{re.escape(_CLOSING)}\"'“‘«‹″†‡¹²³⁰-⁹]))*"
    f"(?:[{character_class(SPACES)}]{{1,3}}[»›”](?=[{character_class(SPACES)}]|$))?"
)
_AFTER_SELF_SUFFICIENT = re.compile(f"[{re.escape(_CLOSING)}！？!?。]*")
_STRAIGHT = ('"', "'")
_LEADING_DASHES = re.compile(r"[\s–—―-]*")
_JOINED_BEFORE = "-–—/.,;:…*•·"
_WORD = re.compile(r"\w+")
_ENUMERATOR = re.compile(r"\W?(?:\d{1,3}|[^\W\d_]|[ivxlcIVXLC]{1,5})[.)]\)?")
# The segmenter sees so many characters at once: on some texts (marks alone, "e.g. e.g.") its time goes with the square
# of their length.
_WINDOW = 16_000
# The full stop after an address on the web: to the segmenter the end of "login.gov." abbreviates a governor.
_ADDRESS_END = re.compile(r"(?<![\w.@-])(?:[a-z\d][a-z\d-]+\.)+[a-z]{2,}\.(?=\s)", re.IGNORECASE)
# The longest abbreviation looked for, in characters.
_LOOK_BACK = 24


@dataclass(frozen=True, slots=True)
class Sentence:
    """``[start, end)`` of a document's text without surrounding white space, and the block it stands in."""

    start: int
    end: int
    block: Block | None


def sentences(text: str, language: str | None = None) -> list[tuple[int, int]]:
    """The sentences of `text` as ``(start, end)`` in code points, in order, none of them empty.

    `language` is a BCP 47 tag; None lets the text speak for itself. Text without a terminator, a heading say, is a
    sentence as well. White space and invisible characters around a sentence are outside it.
    """
    code = primary_subtag(language) or guess_language(text)
    neutral = _EDGE_APOSTROPHE.sub(" ", text.translate(_NEUTRAL))
    found: list[tuple[int, int]] = []
    start = 0
    for gap in _PARAGRAPH_BREAK.finditer(text):
        found += _paragraph(text, neutral, start, gap.start(), code)
        start = gap.end()
    found += _paragraph(text, neutral, start, len(text), code)
    return found


def document_sentences(document: Document) -> Iterator[Sentence]:
    """Every sentence of the document in page order. None crosses a block or a break; no block is left out."""
    language = document.language or guess_language(document.text)
    for start, end, block in _pieces(document):
        for first, last in sentences(document.text[start:end], language):
            yield Sentence(start + first, start + last, block)


def _pieces(document: Document) -> Iterator[tuple[int, int, Block | None]]:
    """The blocks, what stands between them, and both cut at the breaks."""
    at = 0
    areas: list[tuple[int, int, Block | None]] = []
    for block in document.blocks:
        areas += [(at, block.start, None), (block.start, block.end, block)]
        at = block.end
    areas.append((at, len(document.text), None))
    breaks = iter(sorted(document.breaks))
    cut = next(breaks, None)
    for start, end, block in areas:
        while cut is not None and cut <= start:
            cut = next(breaks, None)
        while cut is not None and cut < end:
            yield start, cut, block
            start, cut = cut, next(breaks, None)
        if start < end:
            yield start, end, block


def _paragraph(text: str, neutral: str, start: int, end: int, language: str) -> Iterator[tuple[int, int]]:
    first = _VISIBLE.search(text, start, end)
    if first is None:
        return
    begin = first.start()
    part = neutral[start:end]
    unicameral = part == part.lower()
    for proposed in _proposals(part, start, language):
        stop = _back_over_blanks(neutral, begin, proposed)
        if stop <= begin or stop >= end:
            continue
        close = _closed(text, begin, stop, end)
        following = _VISIBLE.search(text, close, end)
        if following is None:
            break
        if close <= begin or not _ends(text, neutral, begin, stop, close, end, language, unicameral):
            continue
        yield begin, close
        begin = following.start()
    yield begin, _visible_end(text, begin, end)


def _proposals(part: str, offset: int, language: str) -> list[int]:
    # late: loading the segmenter's compiled tables costs more than the rest of this room
    from sentencex import segment  # pyright: ignore[reportAttributeAccessIssue]

    # A mark that ends a sentence in one script ends it in a page of any language.
    ends = {offset + mark.end() for pattern in (_MARK, _ADDRESS_END) for mark in pattern.finditer(part)}
    begin = 0
    while begin < len(part):
        stop = min(len(part), begin + _WINDOW)
        found = list(accumulate(map(len, segment(language, part[begin:stop])), initial=begin))[1:]
        if stop < len(part) and found:
            found.pop()  # cut off by the window, and read again with what follows
        ends.update(offset + end for end in found)
        begin = found[-1] if found else stop
    return sorted(ends)


def _back_over_blanks(neutral: str, begin: int, end: int) -> int:
    while end > begin and neutral[end - 1] == " ":
        end -= 1
    return end


def _visible_end(text: str, begin: int, end: int) -> int:
    while end > begin and _VISIBLE.match(text, end - 1) is None:
        end -= 1
    return end


def _closed(text: str, begin: int, stop: int, end: int) -> int:
    """The end of what belongs to a sentence whose terminator ends at `stop`: closing marks and reference marks."""
    if text[stop - 1] not in _SELF_SUFFICIENT:
        match = _AFTER_STOP.match(text, stop, end)
        return match.end() if match else stop
    # No space tells a closing straight quotation mark from the opening one of the next sentence: count them.
    if text.startswith(_STRAIGHT, stop) and text.count(text[stop], begin, stop) % 2 == 1:
        stop += 1
    match = _AFTER_SELF_SUFFICIENT.match(text, stop, end)
    return match.end() if match else stop


def _ends(
    text: str, neutral: str, begin: int, stop: int, close: int, end: int, language: str, unicameral: bool
) -> bool:
    """Whether a sentence that began at `begin`, with its terminator before `stop`, really ends at `close`."""
    if text[stop - 1] in _SELF_SUFFICIENT:
        return not (close > stop and text.startswith(_QUOTATIVE, close))
    if _VISIBLE.match(text, close):
        return False
    ahead = _LEADING_DASHES.match(neutral, close, end)
    next_at = ahead.end() if ahead else close
    following = neutral[next_at : next_at + 1]
    if following in (",", ";", ":") or (following.islower() and not unicameral):
        return False
    if close - begin <= 8 and _ENUMERATOR.fullmatch(text, begin, close):
        return False
    if text[stop - 1] != "." or text[stop - 2 : stop - 1] == ".":
        return True
    return not _abbreviates(neutral, begin, stop - 1, next_at, language)


def _abbreviates(neutral: str, begin: int, full_stop: int, next_at: int, language: str) -> bool:
    """Whether the word before the full stop is an abbreviation, an initial or an ordinal that wants what follows."""
    word = neutral[max(begin, full_stop - _LOOK_BACK) : full_stop].rpartition(" ")[2].lstrip(_JOINED_BEFORE)
    if not word:
        return False
    lower = word.lower()
    if lower in ANYWHERE or lower in BY_LANGUAGE.get(language, ()):
        return True
    following = _WORD.match(neutral, next_at)
    if following is None:
        return False
    if following.group()[0].isdigit():
        return lower in BEFORE_NUMBER
    if len(word) == 1 and word.isupper():
        return language != "en"
    if word.isdecimal() and len(word) <= 3 and language in ORDINAL_BEFORE_CAPITAL:
        return following.group()[0].isupper() and following.group().lower() not in SENTENCE_OPENERS
    return False
