"""Sentences that a draft sets as code, where no check of figures reads them.

Code is no statement: a port, a version, a line of a listing. So the checks leave it out, and a model that puts its
piece in a code fence, as small ones do, would have every figure in it passed. A sentence with a figure that stands in
code is therefore a finding of its own, and blocks: set as text it is checked.
"""

import re
from collections.abc import Iterator

from affidavit.check.draft import Draft, markdown_draft
from affidavit.evidence.document import BlockKind
from affidavit.evidence.piece import Issue, Origin
from affidavit.evidence.sentences import sentences
from affidavit.gates.numbers import mentions
from affidavit.ranking.terms import STOP_WORDS

CODE = "prose_in_code"
_FENCE = re.compile(r"^[^\S\n]*(?:```|~~~)[^\n]*$", re.MULTILINE)
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
    for start, end in _code(draft):
        if not _few_signs(draft.text[start:end]):
            continue
        for first, last in sentences(draft.text[start:end]):
            text = draft.text[start + first : start + last]
            if _reads_as_prose(text) and any(mention.is_figure for mention in mentions(text)):
                place = draft.place(start + first, start + last)
                yield Issue(
                    code=CODE,
                    message="This sentence is set as code, where its figures are not checked: set it as text.",
                    sentence=" ".join(text.split()),
                    blocks=True,
                    origin=Origin.CHECK,
                    start=place[0],
                    end=place[1],
                )


def _code(draft: Draft) -> list[tuple[int, int]]:
    """The code of `draft` in ranges of its text: blocks without their fences, and what is set as code in a line."""
    blocks = [block for block in draft.blocks if block.kind is BlockKind.CODE]
    found = [part for block in blocks for part in _between_fences(draft.text, block.start, block.end)]
    inline = [one for one in draft.code if not any(block.start <= one[0] < block.end for block in blocks)]
    return sorted([*found, *inline])


def _between_fences(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    for fence in _FENCE.finditer(text, start, end):
        yield start, fence.start()
        start = fence.end()
    yield start, end


def _reads_as_prose(text: str) -> bool:
    words = _WORD.findall(text)
    sounds = any(word in STOP_WORDS for word in words) or _SENTENCE.match(text.strip()) is not None
    return len(words) >= _WORDS and sounds and _few_signs(text)


def _few_signs(text: str) -> bool:
    return len(_SIGN.findall(text)) <= _SIGNS_A_WORD * len(_WORD.findall(text))
