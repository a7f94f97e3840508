"""What a printed answer could do to whoever opens it: read from the report itself, not from how it was made.

A report may link to the pages that it cites or lists, and to nothing else; it runs nothing, loads nothing, and moves no
terminal. Each function gives what it finds to the contrary, in a line each.
"""

import re
from collections.abc import Collection, Iterator

from lxml import html
from markdown_it import MarkdownIt
from markdown_it.token import Token

from affidavit.evidence.answer import Answer
from affidavit.report.inert import web_url

_ACTIVE = frozenset(
    "script iframe frame object embed applet form input button base audio video source track img image foreignobject "
    "animate set math portal template noscript marquee".split()
)
_LOADING = frozenset("src srcset data poster action formaction background ping manifest style srcdoc".split())
_STYLE_SHEET_LOADS = re.compile(r"url\(|@import|expression\(|javascript:", re.IGNORECASE)
_STYLED = re.compile(r"\x1b\[[0-9;]*m")
_LINKED = re.compile(r"\x1b\]8;[^;\x07\x1b]*;([^\x07\x1b]*)(?:\x1b\\|\x07)")
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u206f\ufeff"
    "\U000e0000-\U000e007f]"
)
_NOTHING = "data:,"
"""The address of the report's own icon: nothing is asked for."""
_BARE = re.compile(r"(?:https?|ftp)://\S|\bwww\.\w", re.IGNORECASE)
_BRACKETED = re.compile(r"<https?://[^<>\s]*>")


def may_link(answer: Answer) -> frozenset[str]:
    """The addresses of the pages that the answer cites or lists."""
    named = {source.url for source in answer.sources}
    named |= {url for document in answer.documents for url in (document.final_url, document.requested_url)}
    return frozenset(safe for url in named if (safe := web_url(url)) is not None)


def acts_in_html(page: str, linked: Collection[str]) -> Iterator[str]:
    """Elements and attributes that run, load or submit something, and links elsewhere."""
    for element in html.document_fromstring(page).iter():
        if not isinstance(element.tag, str):
            continue  # a comment
        tag = element.tag.lower()
        if tag in _ACTIVE:
            yield f"html: <{tag}>"
        if tag == "style" and _STYLE_SHEET_LOADS.search(element.text or ""):
            yield "html: a style sheet that loads something"
        if tag == "meta" and (element.get("http-equiv") or "").lower() == "refresh":
            yield "html: <meta http-equiv=refresh>"
        for name, value in element.attrib.items():
            attribute = str(name).lower()
            if attribute.startswith("on") or attribute in _LOADING:
                yield f"html: {attribute} of <{tag}>"
            if attribute.endswith("href") and not (value.startswith(("#", _NOTHING)) or _known(value, linked)):
                yield f"html: a link to {value[:120]}"


def acts_in_markdown(text: str, linked: Collection[str]) -> Iterator[str]:
    """Images, raw HTML, links elsewhere, and addresses that a reader's renderer would make links of by itself."""
    reader = MarkdownIt("commonmark", {"html": True}).enable("table")
    for token in _flat(reader.parse(text)):
        if token.type in ("image", "html_inline", "html_block"):
            yield f"markdown: {token.type} {token.content[:80]}"
        href = str(token.attrGet("href") or "")
        if token.type == "link_open" and not (href.startswith("#") or _known(href, linked)):
            yield f"markdown: a link to {href[:120]}"
    for bare in _BARE.finditer(_BRACKETED.sub("", text)):
        yield f"markdown: a bare address, {text[bare.start() : bare.start() + 80].splitlines()[0]}"


def acts_in_terminal(text: str, linked: Collection[str]) -> Iterator[str]:
    """Sequences that are neither a style nor a link to a page that may be linked, and characters that nobody sees."""
    for link in _LINKED.findall(text):
        if link and not _known(link, linked):
            yield f"terminal: a link to {link[:120]}"
    for rest in _UNSEEN.finditer(_STYLED.sub("", _LINKED.sub("", text))):
        yield f"terminal: character {ord(rest.group()):#06x}"


def destinations(page: str, markdown: str) -> str:
    """Every address that the two reports lead to, for whoever looks for something in them; without fragments, which are
    sent to nobody."""
    found = [value for element in html.document_fromstring(page).iter() for value in element.attrib.values()]
    tokens = _flat(MarkdownIt("commonmark", {"html": True}).parse(markdown))
    found += [str(token.attrGet(name) or "") for token in tokens for name in ("href", "src")]
    return "\n".join(str(one).partition("#")[0] for one in found)


def _known(url: str, linked: Collection[str]) -> bool:
    return url.partition("#")[0] in linked


def _flat(tokens: list[Token]) -> Iterator[Token]:
    for token in tokens:
        yield token
        yield from _flat(token.children or [])
