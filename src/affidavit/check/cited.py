"""The addresses that a draft cites: its links, and what it spells out as an address.

Code is no citation, nor is a mail address or a link within the draft. Addresses come in the order in which they stand,
each once.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import TYPE_CHECKING

from affidavit.check.draft import Draft
from affidavit.egress.target import Target, read_target

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_SPELT_OUT = re.compile(r"https?://[^\s<>\"`{}|\\^]+", re.IGNORECASE)
_HREF = re.compile(r"<a\s[^<>]*?\bhref\s*=\s*(?:\"([^\"<>]*)\"|'([^'<>]*)')", re.IGNORECASE)
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
# What ends a sentence or closes a bracket after an address and belongs to neither; a closing bracket stays where the
# address has the opening one, as in the titles of encyclopedias.
_AFTER = ".,;:!?…'’”»*_~"
_PAIRS = {")": "(", "]": "["}


def cited_links(draft: Draft) -> tuple[str, ...]:
    """Addresses of the web in their normal form."""
    if not draft.of_file:
        found: Iterable[str] = draft.linked
    elif draft.starts:
        found = _of_markdown(draft.source)
    else:
        found = _spelt_out(draft.source)
    targets = (read_target(url) for url in found)
    return tuple(dict.fromkeys(target.url for target in targets if isinstance(target, Target)))


def _of_markdown(source: str) -> Iterator[str]:
    for token in _parser().parse(source):
        if token.type == "inline":
            yield from _inline(token.children or [])
        elif token.type == "html_block":
            yield from _anchors(token.content)


def _inline(tokens: Iterable["Token"]) -> Iterator[str]:
    within = 0
    for token in tokens:
        if token.type == "link_open":
            within += 1
            yield str(token.attrGet("href") or "")
        elif token.type == "link_close":
            within -= 1
        elif token.type == "html_inline":
            yield from _anchors(token.content)
        elif token.type == "text" and not within:
            yield from _spelt_out(token.content)


def _anchors(markup: str) -> Iterator[str]:
    for match in _HREF.finditer(_COMMENT.sub("", markup)):
        yield match[1] or match[2] or ""


def _spelt_out(text: str) -> Iterator[str]:
    for match in _SPELT_OUT.finditer(text):
        yield _trimmed(match[0])


def _trimmed(address: str) -> str:
    while address:
        last = address[-1]
        opening = _PAIRS.get(last)
        if last not in _AFTER and (opening is None or address.count(opening) >= address.count(last)):
            break
        address = address[:-1]
    return address


@cache
def _parser() -> "MarkdownIt":
    from markdown_it import MarkdownIt  # late: only a check that follows links parses Markdown as a whole

    return MarkdownIt("commonmark")
