"""Sentences that a draft sets as code, where no check of figures reads them.

Code is no statement: a port, a version, a line of a listing. So the checks leave it out, and a model that puts its
piece in a code fence, as small ones do, would have every figure in it passed. A sentence with a figure that stands in
code is therefore a finding of its own, and blocks: set as text it is checked. So is, within a sentence, a figure in
backticks that counts something or is money or a share ("our `64` offices", "`64%`"), and every figure of a fence marked
as text.
"""

import re
from collections.abc import Iterator

from affidavit.check.draft import Draft, markdown_draft
from affidavit.evidence.document import BlockKind
from affidavit.evidence.piece import Issue, Origin
from affidavit.evidence.sentences import sentences
from affidavit.gates.numbers import Kind, mentions
from affidavit.ranking.terms import STOP_WORDS

CODE = "prose_in_code"
_FENCE = re.compile(r"^[^\S\n]*(?:```|~~~)[^\n]*$", re.MULTILINE)
_TEXT_FENCE = re.compile(r"[^\S\n]*(?:```|~~~)[^\S\n]*(?:text|txt|plain|plaintext|markdown|md)\b", re.IGNORECASE)
_BARE = re.compile(
    r"(?:[a-z]+[ \u00a0]){0,3}[$€£]?\d[\d.,]*(?:[ \u00a0]?%)?(?:[a-z]+)?(?:[ \u00a0-][a-z]+){0,3}", re.IGNORECASE
)
_NAMED = re.compile(r"(?:[a-z]+[ \u00a0-]){0,3}[a-z]+", re.IGNORECASE)
_WORD = re.compile(r"(?<![\w./@-])[^\W\d_]{2,}(?![\w./@(=\[-])")
_SIGN = re.compile(r"[{}()\[\];=<>$\\|_#*+&\"]|--|://")
_SENTENCE = re.compile(r"[^\W\d_a-z].*[.!?…]\W*\Z", re.DOTALL)
_WORDS = 4
"""Fewer words beside a figure are a label: ``timeout 30 seconds``."""
_SIGNS_A_WORD = 0.2
"""More signs than this are a listing, of a block or of a sentence in one. Neither number is swept: in the code blocks
of the product's own docs, which hold commands, configuration, Python and JSON, no sentence is found (a test)."""


def prose_in_code(source: str) -> Iterator[Issue]:
    """A blocking issue for each sentence of the Markdown `source` that is set as code and states a figure."""
    draft = markdown_draft("", source)
    blocks = [block for block in draft.blocks if block.kind is BlockKind.CODE]
    for block in blocks:
        as_text = _TEXT_FENCE.match(draft.text, block.start, block.end) is not None
        for start, end in _between_fences(draft.text, block.start, block.end):
            yield from _sentences(draft, start, end, as_text=as_text)
    for start, end in draft.code:
        if any(block.start <= start < block.end for block in blocks):
            continue
        found = list(_sentences(draft, start, end, as_text=False))
        yield from found
        if not found and _counts(draft, start, end):
            yield _issue(draft, start, end)


def _sentences(draft: Draft, start: int, end: int, *, as_text: bool) -> Iterator[Issue]:
    """An issue for each sentence of the code ``[start, end)`` that states a figure; with `as_text`, each line."""
    if not as_text and not _few_signs(draft.text[start:end]):
        return
    for first, last in sentences(draft.text[start:end]):
        text = draft.text[start + first : start + last]
        if (as_text or _reads_as_prose(text)) and any(mention.is_figure for mention in mentions(text)):
            yield _issue(draft, start + first, start + last)


def _counts(draft: Draft, start: int, end: int) -> bool:
    """Whether a figure in backticks, read on as text, counts a noun or is money or a share."""
    code = draft.text[start:end]
    if _BARE.fullmatch(code) is None and _NAMED.fullmatch(code) is None:
        return False
    stop = draft.text.find("\n", end)
    read = mentions(code + draft.text[end : stop if stop >= 0 else len(draft.text)])
    first = next((one for one in read if one.start < len(code) and one.is_figure), None)
    if first is None:
        return False
    counted = first.kind is Kind.COUNT and first.direct and first.subject is not None
    return counted or first.kind in (Kind.CURRENCY, Kind.PERCENT)


def _issue(draft: Draft, first: int, last: int) -> Issue:
    place = draft.place(first, last)
    return Issue(
        code=CODE,
        message="This is set as code, where its figures are not checked: set it as text.",
        sentence=" ".join(draft.text[first:last].split()),
        blocks=True,
        origin=Origin.CHECK,
        start=place[0],
        end=place[1],
    )


def _between_fences(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    for fence in _FENCE.finditer(text, start, end):
        yield start, fence.start()
        start = fence.end()
    yield start, end


def _reads_as_prose(text: str) -> bool:
    words = _WORD.findall(text)
    ends = _SENTENCE.match(text.strip()) is not None
    sounds = ends or any(word in STOP_WORDS for word in words)
    return len(words) >= _WORDS - ends and sounds and _few_signs(text)


def _few_signs(text: str) -> bool:
    return len(_SIGN.findall(text)) <= _SIGNS_A_WORD * len(_WORD.findall(text))
