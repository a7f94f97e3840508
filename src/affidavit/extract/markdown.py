"""Markdown: rendered to HTML and read by the same walk as a page.

So headings, lists, quotations, tables and code get the same kinds, links and images come down to their text, and
raw HTML inside is subject to the same rules of visibility: there is one judge of what a reader sees.
"""

import re

from affidavit.extract.dates import iso_prefix
from affidavit.extract.html import parse, walk
from affidavit.extract.page import Page

VERSION = "markdown/1"

_FRONT_MATTER = re.compile(r"\A\ufeff?---[ \t]*\n(.*?)\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_FIELD = re.compile(r"^(title|author|date|lang|language)[ \t]*:[ \t]*(.+)$", re.IGNORECASE | re.MULTILINE)


def read_markdown(text: str, url: str) -> Page:
    """The page of a decoded Markdown text. The simple fields of a YAML front matter are read; the rest of it is not."""
    from markdown_it import MarkdownIt  # late: 50 ms that only Markdown files need

    fields, body = _front_matter(text.replace("\r\n", "\n"))
    rendered = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).render(body)
    page = walk(parse(rendered, url), url)
    return Page(
        text=page.text,
        blocks=page.blocks,
        breaks=page.breaks,
        links=page.links,
        flags=tuple(sorted(page.flags)),
        title=fields.get("title"),
        author=fields.get("author"),
        language=fields.get("lang") or fields.get("language"),
        published=iso_prefix(fields.get("date", "")),
    )


def _front_matter(text: str) -> tuple[dict[str, str], str]:
    match = _FRONT_MATTER.match(text)
    if not match:
        return {}, text
    fields = {name.lower(): value.strip().strip("\"'") for name, value in _FIELD.findall(match[1])}
    return fields, text[match.end() :]
