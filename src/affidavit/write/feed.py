"""The entries of a feed file, RSS or Atom: earlier pieces as a site offers them itself.

A feed is XML from a stranger. No entity is expanded, no document type is read, and nothing is fetched: a file that
declares entities of its own is refused, because without them its text would be another.
"""

import html
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from affidavit.errors import UserError

Element = Any
"""An lxml element: the library comes without types."""

MAX_BYTES = 32 * 1024 * 1024
_BODY = ("encoded", "content", "description", "summary")
"""The elements that may hold an entry's text, the fullest first."""


@dataclass(frozen=True, slots=True)
class FeedEntry:
    """`page` is the entry's text as an HTML page."""

    title: str
    url: str | None
    page: str


def is_feed(body: bytes) -> bool:
    """Whether `body` begins as a feed does."""
    start = body[:4096].lower()
    return any(mark in start for mark in (b"<rss", b"<feed", b"<rdf:rdf"))


def read_feed(body: bytes, name: str) -> tuple[FeedEntry, ...]:
    """The entries of the feed in `body`, in its order; one without any text is left out by whoever reads its page.
    Raises UserError, beginning with `name`, for what is no feed or may not be read as one."""
    # late: only an import of earlier pieces needs it
    from lxml import etree  # pyright: ignore[reportAttributeAccessIssue]  # compiled, without stubs

    if len(body) > MAX_BYTES:
        raise UserError(f"{name}: {len(body):,} bytes; a feed of at most {MAX_BYTES:,} is read")
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, remove_comments=True, remove_pis=True
    )
    try:
        root = etree.fromstring(body, parser)
    except etree.XMLSyntaxError as error:
        raise UserError(f"{name}: no XML that can be read: {error.msg}") from error
    declared = root.getroottree().docinfo.internalDTD
    if declared is not None and any(True for _ in declared.iterentities()):
        raise UserError(f"{name}: it declares entities, which are not read; save the feed without them")
    found = tuple(_entry(item) for item in root.iter() if _local(item) in ("item", "entry"))
    if not found:
        raise UserError(f"{name}: no feed, or an empty one: there is no <item> (RSS) and no <entry> (Atom) in it")
    return found


def _entry(item: Element) -> FeedEntry:
    parts = {_local(child): child for child in reversed(item)}
    title = " ".join(html.unescape(_words(parts.get("title"))).split())
    body = next((_markup(parts[name]) for name in _BODY if name in parts and _markup(parts[name]).strip()), "")
    head = f'<html><head><meta charset="utf-8"><title>{html.escape(title)}</title></head>'
    return FeedEntry(title or "(untitled)", _url(item), f"{head}<body><article>{body}</article></body></html>")


def _url(item: Element) -> str | None:
    """Where the entry stands: RSS has it as text, Atom as an attribute of the link that is no other relation."""
    for link in _children(item, "link"):
        where = link.get("href") if link.get("rel", "alternate") == "alternate" else None
        found = (where or link.text or "").strip()
        if found:
            return found
    return None


def _markup(element: Element) -> str:
    """An element's content as HTML: escaped once more than it is meant, or as elements of its own (Atom's xhtml)."""
    from lxml import etree  # pyright: ignore[reportAttributeAccessIssue]  # late: see read_feed

    if len(element):
        return "".join(etree.tostring(child, encoding="unicode", method="html") for child in element)
    text = element.text or ""
    plain = element.get("type") == "text"
    return f"<p>{html.escape(text)}</p>" if plain or "<" not in text else text


def _words(element: Element | None) -> str:
    return "" if element is None else "".join(str(part) for part in element.itertext())


def _children(item: Element, name: str) -> Iterator[Element]:
    return (child for child in item if _local(child) == name)


def _local(element: Element) -> str:
    """The element's name without its namespace; "" for what is no element."""
    return element.tag.rpartition("}")[2].lower() if isinstance(element.tag, str) else ""
