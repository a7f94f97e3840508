"""Say where a span is in the terms of others: W3C selectors and a link that opens the live page at the quote.

Selectors follow the Web Annotation Data Model (W3C Recommendation, 2017, sections 4.2.4 and 4.2.5), whose offsets
are Unicode code points as ours are. Links follow URL Fragment Text Directives (WICG): ``#:~:text=`` with
``[prefix-,]start[,end][,-suffix]``.
"""

import re
from urllib.parse import quote

from affidavit.evidence.document import Document
from affidavit.evidence.fold import fold
from affidavit.evidence.grapheme import is_boundary
from affidavit.evidence.span import Span

# Characters of context on each side, the usual size in annotation tools; doubled until the quotation is unique.
_CONTEXT = 32

# A quotation longer than this is linked by its first and last words, which keeps the link readable and survives a
# page that changes in between. 300 is what Chromium's own "copy link to highlight" uses.
_EXACT_LIMIT = 300
_EDGE_WORDS = 5
# Words of context are added one by one up to this many.
_CONTEXT_WORDS = 20

# A word for this purpose: what stands between spaces, or four ideographs or kana.
_WORD = re.compile(r"[^\s\u2e80-\u9fff]+|[\u2e80-\u9fff]{1,4}")
_LINE = re.compile("[^\n\r\x0b\x0c\x85\u2028\u2029]*[^\\s][^\n\r\x0b\x0c\x85\u2028\u2029]*")
_DIRECTIVE = ":~:"


def text_position_selector(span: Span) -> dict[str, object]:
    """The span as a TextPositionSelector."""
    return {"type": "TextPositionSelector", "start": span.start, "end": span.end}


def text_quote_selector(span: Span, document: Document) -> dict[str, object]:
    """The span as a TextQuoteSelector whose prefix, exact and suffix together occur once in the document's text.

    `exact` is the span's own text; prefix and suffix are 32 characters, more where that is ambiguous, fewer only at
    the ends of the text or so as not to cut a character in two. Raises SpanMismatch.
    """
    span.check(document)
    text = document.text
    reach = _CONTEXT
    while True:
        first = _inward(text, max(0, span.start - reach), 1)
        last = _inward(text, min(len(text), span.end + reach), -1)
        once = text.find(text[first:last]) == first and text.find(text[first:last], first + 1) < 0
        if once or (first == 0 and last == len(text)):
            return {
                "type": "TextQuoteSelector",
                "exact": span.text,
                "prefix": text[first : span.start],
                "suffix": text[span.end : last],
            }
        reach *= 2


def selectors(span: Span, document: Document) -> list[dict[str, object]]:
    """Both selectors of the span. A reader that finds the text changed goes by the quotation."""
    return [text_quote_selector(span, document), text_position_selector(span)]


def text_fragment_url(document: Document, span: Span) -> str:
    """A link that opens the live page at the span. Raises SpanMismatch.

    Browsers match whole words, regardless of case and of how white space is written, and mark the first match; so the
    range is widened to whole words and told from earlier likenesses by the words around it. A directive that the page's
    URL already has is replaced; its ordinary fragment is kept. A paginated source opens at the span's page.
    """
    span.check(document)
    address, _, fragment = document.final_url.partition("#")
    fragment = fragment.partition(_DIRECTIVE)[0]
    block = document.block_at(span.start)
    if not fragment and block is not None and block.page is not None:
        fragment = f"page={block.page}"
    return f"{address}#{fragment}{_DIRECTIVE}text={_directive(document.text, span.start, span.end)}"


def _directive(text: str, start: int, end: int) -> str:
    start, end = _whole_words(text, start, end)
    lines = [line.span() for line in _LINE.finditer(text, start, end)]
    if len(lines) == 1 and end - start <= _EXACT_LIMIT:
        head, tail = (start, end), None
    else:
        first_line = list(_WORD.finditer(text, *lines[0]))[:_EDGE_WORDS]
        last_line = list(_WORD.finditer(text, *lines[-1]))[-_EDGE_WORDS:]
        head, tail = (start, first_line[-1].end()), (last_line[0].start(), end)
    parts = [_encoded(text[slice(*part)]) for part in (head, tail) if part]
    prefix = _prefix_start(text, *head)
    if prefix < start:
        parts.insert(0, _encoded(text[prefix:start]) + "-")
    suffix = _suffix_end(text, head[1], *tail) if tail else end
    if suffix > end:
        parts.append("-" + _encoded(text[end:suffix]))
    return ",".join(parts)


def _prefix_start(text: str, start: int, end: int) -> int:
    """Where the fewest words begin that, set before ``[start, end)``, have no likeness earlier in the text.

    Only words of one line: a browser looks for the prefix within one block.
    """
    seen = _comparable(text[: end - 1])
    at = start
    if _comparable(text[start:end]) not in seen:
        return at
    for word in _line_before(text, start):
        at = word.start()
        if _comparable(text[at:end]) not in seen:
            break
    return at


def _suffix_end(text: str, after: int, start: int, end: int) -> int:
    """Where the fewest words end that, set after ``[start, end)``, have no likeness between `after` and there."""
    at = end
    if _comparable(text[start:end]) not in _comparable(text[after : end - 1]):
        return at
    line = _LINE.search(text, end)
    for word in list(_WORD.finditer(text, *line.span()))[:_CONTEXT_WORDS] if line else ():
        at = word.end()
        if _comparable(text[start:at]) not in _comparable(text[after : at - 1]):
            break
    return at


def _line_before(text: str, start: int) -> list[re.Match[str]]:
    """The words before `start` on its line, or on the last line with words before it; nearest first."""
    reach = max(0, start - 1000)
    lines = list(_LINE.finditer(text, reach, start))
    return list(_WORD.finditer(text, *lines[-1].span()))[: -_CONTEXT_WORDS - 1 : -1] if lines else []


def _whole_words(text: str, start: int, end: int) -> tuple[int, int]:
    while start > 0 and _inside_word(text, start):
        start -= 1
    while end < len(text) and _inside_word(text, end):
        end += 1
    return start, end


def _inside_word(text: str, offset: int) -> bool:
    return (text[offset - 1].isalnum() and text[offset].isalnum()) or not is_boundary(text, offset)


def _comparable(text: str) -> str:
    return fold(text).text.strip(" ").casefold()


def _encoded(text: str) -> str:
    """Percent-encoded as the directive's grammar asks: ``-``, ``,`` and ``&`` too, white space as single spaces."""
    return quote(" ".join(text.split()), safe="").replace("-", "%2D")


def _inward(text: str, offset: int, step: int) -> int:
    """The nearest place at or after (`step` 1) or before (-1) `offset` that cuts no character in two."""
    while not is_boundary(text, offset):
        offset += step
    return offset
