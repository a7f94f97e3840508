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
# Words are added one by one up to this many, and sought no further away than this many characters.
_CONTEXT_WORDS = 20
_CONTEXT_REACH = 1000

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


def text_fragment_url(span: Span, document: Document) -> str:
    """A link that opens the live page at the span. Raises SpanMismatch.

    Browsers match whole words, regardless of case and of how white space is written, and mark the first match; so the
    range is widened to whole words and told from earlier likenesses by the words around it. A directive that the page's
    URL already has is replaced; its ordinary fragment is kept. A paginated source opens at the span's page.
    """
    span.check(document)
    start, end = span.start + len(span.text) - len(span.text.lstrip()), span.start + len(span.text.rstrip())
    address, _, fragment = document.final_url.partition("#")
    fragment = fragment.partition(_DIRECTIVE)[0]
    block = document.block_at(span.start)
    if not fragment and block is not None and block.page is not None:
        fragment = f"page={block.page}"
    if start >= end:
        return f"{address}#{fragment}" if fragment else address
    return f"{address}#{fragment}{_DIRECTIVE}text={_directive(document, start, end)}"


def _directive(document: Document, start: int, end: int) -> str:
    text = document.text
    start, end = _whole_words(text, start, end)
    lines = [line.span() for line in _LINE.finditer(text, start, end)]
    head, tail = end, end
    if len(lines) > 1 or end - start > _EXACT_LIMIT:
        head = _head_end(text, start, lines[0][1])
        tail = _tail_start(text, head, max(head, lines[-1][0]), end)
    parts = [_encoded(text[start:head])]
    if tail < end:
        parts.append(_encoded(text[tail:end]))
        suffix = _suffix_end(document, head, tail, end)
        parts += ["-" + _encoded(text[end:suffix])] if suffix > end else []
    prefix = _prefix_start(document, start, head)
    return ",".join([_encoded(text[prefix:start]) + "-", *parts] if prefix < start else parts)


def _head_end(text: str, start: int, line_end: int) -> int:
    """Where the first words of a long quotation end: five, or as many more as have no likeness before them."""
    ends = [word.end() for word in _WORD.finditer(text, start, line_end)][:_CONTEXT_WORDS] or [line_end]
    least = min(_EDGE_WORDS, len(ends)) - 1
    seen = _comparable(text[: ends[least] - 1])
    return next((at for at in ends[least:] if _comparable(text[start:at]) not in seen), ends[least])


def _tail_start(text: str, head: int, line_start: int, end: int) -> int:
    """Where the last words begin: five, or as many more as have no likeness between `head` and them."""
    starts = [word.start() for word in _WORD.finditer(text, line_start, end)][-_CONTEXT_WORDS:][::-1] or [end]
    least = min(_EDGE_WORDS, len(starts)) - 1
    seen = _comparable(text[head : end - 1])
    return next((at for at in starts[least:] if _comparable(text[at:end]) not in seen), starts[least])


def _prefix_start(document: Document, start: int, end: int) -> int:
    """Where the fewest words begin that, set before ``[start, end)``, have no likeness earlier in the text.

    Only words of one line, since a browser looks for the prefix within one block, and none beyond a break, where the
    page shows something else.
    """
    text = document.text
    seen = _comparable(text[: end - 1])
    at = start
    if _comparable(text[start:end]) not in seen:
        return at
    floor = max([0, start - _CONTEXT_REACH, *(cut for cut in document.breaks if cut <= start)])
    lines = list(_LINE.finditer(text, floor, start))
    for word in reversed(list(_WORD.finditer(text, *lines[-1].span()))[-_CONTEXT_WORDS:] if lines else []):
        at = word.start()
        if _comparable(text[at:end]) not in seen:
            break
    return at


def _suffix_end(document: Document, after: int, start: int, end: int) -> int:
    """Where the fewest words end that, set after ``[start, end)``, have no likeness between `after` and there."""
    text = document.text
    at = end
    if _comparable(text[start:end]) not in _comparable(text[after : end - 1]):
        return at
    ceiling = min([len(text), end + _CONTEXT_REACH, *(cut for cut in document.breaks if cut >= end)])
    line = _LINE.search(text, end, ceiling)
    for word in list(_WORD.finditer(text, *line.span()))[:_CONTEXT_WORDS] if line else ():
        at = word.end()
        if _comparable(text[start:at]) not in _comparable(text[after : at - 1]):
            break
    return at


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
