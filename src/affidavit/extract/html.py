"""HTML to the text a reader sees, in page order, laid out in blocks.

`parse` gives the tree, `walk` the page. The words and their order come from this walk alone: nothing is added but
white space, nothing visible is dropped without a break that no quotation may cross, and nothing that the page hides
comes out. It goes through the tree with a stack of its own, so depth is bounded by the parser, not by Python.
"""

import re
from dataclasses import dataclass
from typing import Any

import ada_url
from lxml import etree  # pyright: ignore[reportAttributeAccessIssue]  # compiled, without stubs
from lxml.html import HTMLParser

from affidavit.errors import FailureKind, PageFailure
from affidavit.evidence.document import Block, Link
from affidavit.extract.assembly import assemble
from affidavit.extract.walk import Walk


@dataclass(frozen=True, slots=True)
class HtmlPage:
    """The visible text of a page and what is known of its parts. Offsets are code points of `text`."""

    text: str
    blocks: tuple[Block, ...]
    breaks: tuple[int, ...]
    links: tuple[Link, ...]
    flags: frozenset[str]


# Control characters become one that no page holds and `characters.clean` takes out and flags; the parser would turn
# them into U+FFFD, which cannot be told from a broken byte.
_CONTROLS = re.compile("[\x01-\x08\x0b\x0e-\x1f\x7f]")
_CONTROL_STAND_IN = "\ufdd0"
# A character reference can name what the tree gives and does not take back.
_UNWRITABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_EMPTY = "<html><body></body></html>"
_MAX_DEPTH_ERROR = "ERR_RESOURCE_LIMIT"

# libxml2 ends these elements when a block starts directly inside; a browser keeps the block inside, with whatever
# hides it. A stand-in between the two keeps the parser from ending them, and is dissolved after parsing.
_STAND_IN = "affidavit-inside"
_ATTRIBUTES = r"(?:[^<>\"']|\"[^\"]*\"|'[^']*')*+"
_VALUE = r"(?:\"[^\"]*+\"|'[^']*+'|[^\s\"'>][^\s>]*+)"
_ENDED_TOO_EARLY = re.compile(
    rf"<(?:a|address|b|big|dl|font|h[1-6]|i|ol|pre|s|small|span|strike|tt|u|ul)(?=[\s>]){_ATTRIBUTES}>"
    r"(?=[^<]*+<(?:p|center|table|fieldset|form|dd|dt|dl|li|ul|ol|menu|pre|td|th)[\s>])",
    re.IGNORECASE,
)
# `<div/>` opens a div. Elements that may be closed this way are void, or stand in SVG or MathML.
_SELF_CLOSED = re.compile(
    r"(<(?:a|abbr|address|article|aside|b|blockquote|button|center|cite|code|dd|del|details|dialog|div|dl|dt|em|"
    r"figcaption|figure|font|footer|form|h[1-6]|header|i|iframe|ins|label|li|main|nav|noscript|ol|p|pre|s|section|small|"
    r"span|strong|sub|summary|sup|table|tbody|td|template|textarea|tfoot|th|thead|tr|u|ul)"
    rf"(?:\s++(?:[^\s/>=]++(?:\s*+=\s*+{_VALUE})?+)?+)*+)/>",
    re.IGNORECASE,
)
# What follows the end of the document still belongs to its body; the parser would drop it.
_HEAD_CONTENT = frozenset(
    "base basefont bgsound link meta noscript script style template title noframes".split()  # HTML, "in head"
)
_EARLY_END = re.compile(r"</(?:body|html)\s*+>(?=\s*+\S)", re.IGNORECASE)


def parse(html_text: str, url: str = "") -> Any:
    """The tree of a page, as ``lxml.html`` elements. Raises PageFailure for one nested past the parser's limit."""
    text = _CONTROLS.sub(_CONTROL_STAND_IN, html_text.replace("\0", ""))
    if "/>" in text:
        text = _SELF_CLOSED.sub(r"\1>", text)
    text = _EARLY_END.sub("", text)
    text, stood_in = _ENDED_TOO_EARLY.subn(rf"\g<0><{_STAND_IN}>", text)
    parser = HTMLParser(encoding="utf-8", huge_tree=True, default_doctype=False)
    data = text.encode("utf-8", "replace")
    tree = etree.fromstring(data, parser) if text.strip() else None
    if any(_MAX_DEPTH_ERROR in entry.type_name for entry in parser.error_log):
        raise PageFailure(FailureKind.BROKEN, url, "its elements are nested deeper than any parser follows")
    if tree is None:
        return etree.fromstring(_EMPTY, HTMLParser())
    if stood_in:
        _dissolve(tree)
    _end_head(tree)
    return tree


def _end_head(tree: Any) -> None:
    """Move what a browser would have begun the body with out of the head.

    Where a page leaves out ``</head>`` and ``<body>``, as it may, the parser begins the body only at elements it knows
    from HTML 4: a page that begins with ``<main>`` or ``<article>`` would have no body, and show nothing.
    """
    head = tree.find("head") if tree.tag == "html" else None
    if head is None:
        return
    elements = (element for element in head if isinstance(element.tag, str))
    first = next((element for element in elements if element.tag not in _HEAD_CONTENT), None)
    if first is None:
        return
    body = tree.find("body")
    if body is None:
        body = etree.SubElement(tree, "body")
    moved = head[head.index(first) :]
    body[:0] = moved
    moved[-1].tail = (moved[-1].tail or "") + (body.text or "")
    body.text = None


def _dissolve(tree: Any) -> None:
    """Remove the stand-ins, also where they fell into text that is no markup."""
    etree.strip_tags(tree, _STAND_IN)
    literal = f"<{_STAND_IN}>"
    for element in tree.iter("script", "style", "textarea", "title", "xmp", "plaintext", "iframe", "noembed"):
        if element.text and literal in element.text:
            element.text = _UNWRITABLE.sub(_CONTROL_STAND_IN, element.text.replace(literal, ""))
    for element in tree.xpath(f"//*[@*[contains(., '{literal}')]]"):
        for name, value in element.attrib.items():
            element.set(name, _UNWRITABLE.sub(_CONTROL_STAND_IN, value.replace(literal, "")))


def walk(tree: Any, url: str) -> HtmlPage:
    """The visible page of a parsed tree that was fetched from `url`."""
    walked = Walk(tree, _base(tree, url))
    walked.run()
    text, blocks, breaks = assemble(walked.flow.drafts)
    return HtmlPage(text, blocks, breaks, tuple(walked.links), frozenset(walked.flow.flags))


def _base(tree: Any, url: str) -> str:
    """What relative links resolve against: the first ``base`` that counts, or the page's own URL."""
    for element in tree.iter("base"):
        href = element.get("href")
        if href is not None and next(element.iterancestors("noscript", "template"), None) is None:
            try:
                return ada_url.join_url(url, href.strip())
            except ValueError:
                return url
    return url
