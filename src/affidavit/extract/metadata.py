"""Title, author, language, site and addresses of a page, as its markup gives them and its visible text allows.

Markup is a claim of the publisher, or of whoever could write into the page. Nothing here is ever quoted as
evidence; a title names the source, a canonical address says which pages are one, a date orders sources. So each is
taken only where it cannot do harm: cleaned to one line, of a bounded length, the date against the visible page
(`publication`), the address inside its own site (`ranking.canonical`).
"""

import itertools
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias
from urllib.parse import urljoin, urlsplit

from affidavit.evidence.document import Block, BlockKind
from affidavit.extract.characters import clean
from affidavit.extract.dates import find_dates, fold_words, iso_prefix, words
from affidavit.extract.publication import publication_date
from affidavit.ranking.canonical import canonical_of

Element: TypeAlias = Any
"""An lxml element; lxml ships no types."""

MAX_FIELD = 300
_MAX_LD_CHARS = 512 * 1024
_MAX_AUTHORS = 20
_MAX_TIME_CHARS = 40
# The longest list of authors on the 1,439 real pages has 1,190 characters (PEP 733).
_FRONT_MATTER_CHARS = MAX_AUTHOR_CHARS = 1500
_LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[a-z0-9]{2,8})*")
_SPLIT = re.compile(r"\s+[|–—·•»:-]\s+|\s*[|»•]\s*|:\s+")
_PLACEHOLDERS = frozenset({"untitled", "untitled document", "document", "home", "index", "title"})
_AUTHOR_LABELS = frozenset({
    "author", "authors", "written by", "autor", "autoren", "autore", "auteur", "auteurs", "autores", "autori", "автор",
    "авторы", "著者", "作者", "저자",
})  # fmt: skip
# Names and properties of `meta` that give a date of publication: schema.org, Open Graph's article, Dublin Core,
# Highwire Press (Google Scholar), Parse.ly, Sailthru.
_DATE_NAMES = frozenset({
    "article:published_time", "og:published_time", "og:article:published_time", "datepublished", "datecreated",
    "dc.date", "dc.date.issued", "dc.date.created", "dcterms.date", "dcterms.issued", "dcterms.created",
    "citation_publication_date", "citation_date", "citation_online_date", "parsely-pub-date", "sailthru.date",
    "pubdate", "publishdate", "publish_date", "publication_date", "date",
})  # fmt: skip
_AUTHOR_NAMES = ("author", "article:author", "dc.creator", "dcterms.creator", "citation_author", "parsely-author")
_PAGE_TYPES = re.compile(r"article|posting|report|webpage|creativework|scholarly|newsitem|techarticle", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Metadata:
    """`canonical_url` is in canonical form and never None; `published` is ``YYYY[-MM[-DD]]``; language is BCP 47.

    `declared_title` is the title element as it stands, `title` the page's own name.
    """

    title: str | None
    declared_title: str | None
    published: str | None
    language: str | None
    canonical_url: str
    amp_url: str | None
    author: str | None
    site_name: str | None


@dataclass(frozen=True, slots=True)
class _Markup:
    """The page's declarations: `meta` name or property -> contents in order, and the flat JSON-LD objects."""

    meta: dict[str, list[str]]
    objects: tuple[dict[str, object], ...]

    def first(self, *names: str) -> str | None:
        return next((value for name in names for value in self.meta.get(name, ())), None)


def read(
    tree: Element,
    *,
    text: str,
    blocks: Sequence[Block],
    url: str,
    retrieved_at: str,
    content_language: str | None = None,
) -> Metadata:
    """The metadata of a parsed page with its visible `text` and `blocks`. `url` is where it was fetched from."""
    markup = _Markup(_meta(tree), tuple(_objects(tree)))
    language = _language(tree, markup, content_language)
    site = one_line(markup.first("og:site_name", "application-name") or _named(markup.objects, "publisher"))
    amp = _link(tree, "amphtml", url)
    declared = _declared_title(tree, markup)
    return Metadata(
        title=_title(declared, text, blocks, site),
        declared_title=declared,
        published=publication_date(
            text,
            blocks,
            language=language,
            retrieved_at=retrieved_at,
            url=url,
            claimed=_claimed_dates(tree, markup),
            timed=_timed(tree),
            elsewhere=_elsewhere(tree),
        ),
        language=language,
        canonical_url=canonical_of(url, _link(tree, "canonical", url), amp),
        amp_url=amp,
        author=_author(markup, text, blocks),
        site_name=site,
    )


def one_line(value: str | None, limit: int = MAX_FIELD) -> str | None:
    """`value` as a reader may see it: cleaned, on one line, at most `limit` characters; None when nothing is left."""
    if value is None:
        return None
    line = " ".join(clean(value)[0].split())
    return (line if len(line) <= limit else line[: limit - 1].rstrip() + "…") or None


def _meta(tree: Element) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for element in tree.iter("meta"):
        content = (element.get("content") or "").strip()
        for attribute in ("name", "property", "itemprop"):
            if content and (key := element.get(attribute)):
                found.setdefault(key.strip().lower(), []).append(content)
    return found


def _objects(tree: Element) -> Iterator[dict[str, object]]:
    """Every object of the page's JSON-LD, graphs and lists opened. What does not parse says nothing, and is skipped."""
    for script in tree.iter("script"):
        source = script.text or ""
        if (script.get("type") or "").split(";")[0].strip().lower() != "application/ld+json" or len(
            source
        ) > _MAX_LD_CHARS:
            continue
        try:
            stack: list[object] = [json.loads(source, strict=False)]
        except (ValueError, RecursionError):
            continue
        while stack:
            value = stack.pop()
            if isinstance(value, list):
                stack.extend(reversed(value))
            elif isinstance(value, dict):
                yield value
                stack.extend(value[key] for key in ("@graph", "mainEntity", "mainEntityOfPage") if key in value)


def _claimed_dates(tree: Element, markup: _Markup) -> tuple[str, ...]:
    raw = [value for name, values in markup.meta.items() if name in _DATE_NAMES for value in values]
    for thing in markup.objects:
        if _PAGE_TYPES.search(str(thing.get("@type", ""))):
            raw += [str(thing[key]) for key in ("datePublished", "dateCreated") if key in thing]
    for element in tree.iter("time"):
        if element.get("pubdate") is not None or (element.get("itemprop") or "").lower() == "datepublished":
            raw.append(element.get("datetime") or "")
    return tuple(dict.fromkeys(value for text in raw if (value := iso_prefix(text)) is not None))


def _timed(tree: Element) -> dict[str, str]:
    """What each ``time`` element shows, and its full date; without those whose day differs from the one shown, and
    without words that stand for two dates.
    """
    found: dict[str, set[str]] = {}
    for element in tree.iter("time"):
        shown = " ".join("".join(element.itertext()).split())
        value = iso_prefix(element.get("datetime") or "")
        if value is None or len(value) < 10 or not 0 < len(shown) <= _MAX_TIME_CHARS or find_dates(shown, None):
            continue
        figures = {int(figure) for figure in re.findall(r"(?<!\d)\d{1,2}(?!\d)", shown)}
        # A month stands by its day: the last word of "3 days ago" is Italian for August.
        beside = re.findall(r"\d[.a-z]*\s+([^\W\d_]+)|([^\W\d_]+)\.?\s+\d", shown)
        names = {words().months.get(fold_words(before or after)) for before, after in beside} - {None}
        if names and (names != {int(value[5:7])} or int(value[8:10]) not in figures):
            continue
        found.setdefault(shown, set()).add(value)
    return {shown: values.pop() for shown, values in found.items() if len(values) == 1}


def _elsewhere(tree: Element) -> str:
    """The text, in one line, of boxes beside the page's own text: an ``aside`` with a heading or with several links
    ("Latest news"). One without may hold the page's own date.
    """
    boxes = [
        " ".join(" ".join(aside.itertext()).split())
        for aside in tree.iter("aside")
        if next(aside.iter("h1", "h2", "h3", "h4", "h5", "h6"), None) is not None or len(list(aside.iter("a"))) > 1
    ]
    return "\n".join(boxes)


def _language(tree: Element, markup: _Markup, header: str | None) -> str | None:
    root = tree if tree.tag == "html" else next(tree.iter("html"), tree)
    xml_lang = root.get("{http://www.w3.org/XML/1998/namespace}lang") or root.get("xml:lang")
    body = next(tree.iter("body"), None)
    stated = (
        root.get("lang"),
        xml_lang,
        body.get("lang") if body is not None else None,
        markup.first("content-language", "language", "dc.language", "dcterms.language", "inlanguage"),
        markup.first("og:locale"),
        header,
    )
    return next((language for value in stated if (language := language_tag(value)) is not None), None)


def language_tag(value: str | None) -> str | None:
    """`value` as a BCP 47 tag in lower case (``en_US`` → ``en-us``), or None if it is none."""
    tag = (value or "").split(",")[0].split(".")[0].strip().replace("_", "-").lower()
    return tag if _LANGUAGE.fullmatch(tag) and tag not in ("und", "mul", "zxx") else None


def _link(tree: Element, relation: str, url: str) -> str | None:
    """The one absolute address the head declares under `relation`; None if it declares none, or several.

    Only the head counts: a comment or an advertisement in the body may not say what the page is.
    """
    found: set[str] = set()
    for element in tree.iter("link"):
        in_head = any(parent.tag == "head" for parent in element.iterancestors())
        if in_head and relation in (element.get("rel") or "").lower().split() and not element.get("hreflang"):
            try:
                target = urljoin(url, (element.get("href") or "").strip())
                if urlsplit(target).scheme in ("http", "https"):
                    found.add(target)
            except ValueError:
                continue
    return found.pop() if len(found) == 1 else None


def _declared_title(tree: Element, markup: _Markup) -> str | None:
    head = next((element for element in tree.iter("title") if _is_html_title(element)), None)
    title = one_line("".join(head.itertext())) if head is not None else None
    return title or one_line(markup.first("og:title", "citation_title", "dc.title", "twitter:title"))


def _title(declared: str | None, text: str, blocks: Sequence[Block], site: str | None) -> str | None:
    """The page's own name: the heading where the title element holds it, else the title without the site's name."""
    headings = [
        heading
        for block in blocks
        if block.kind is BlockKind.HEADING and (block.level == 1 or declared is None)
        and (heading := one_line(text[block.start : block.end])) is not None
    ]  # fmt: skip
    if declared is None or fold_words(declared) in _PLACEHOLDERS:
        return headings[0] if headings else declared
    folded = fold_words(declared)
    parts = {folded, *map(fold_words, _SPLIT.split(declared))}
    for heading in headings[:6]:
        name = fold_words(heading)
        is_site = site is not None and name == fold_words(site)
        if not is_site and (name in parts or (len(name) >= 12 and name in folded)):
            return heading
    return _without_site(declared, site)


def _is_html_title(element: Element) -> bool:
    """Whether a ``title`` names the page; one inside a drawing names the drawing."""
    return not any(parent.tag in ("svg", "symbol") for parent in element.iterancestors())


def _without_site(title: str, site: str | None) -> str:
    if site is None:
        return title
    for separator in (" | ", " – ", " — ", " - ", " · ", " : "):
        for part in (f"{separator}{site}", f"{site}{separator}"):
            stripped = title.removesuffix(part) if part.startswith(separator) else title.removeprefix(part)
            if stripped and stripped != title:
                return stripped
    return title


def _author(markup: _Markup, text: str, blocks: Sequence[Block]) -> str | None:
    """Who the page says wrote it: the labelled line a reader sees, else the markup."""
    shown = [text[block.start : block.end] for block in itertools.takewhile(_is_front_matter, blocks)]
    for line, following in itertools.zip_longest(shown, shown[1:]):
        label, colon, rest = line.partition(":")
        if fold_words(label.replace("(s)", "")) in _AUTHOR_LABELS and (colon or following):
            return one_line(rest, MAX_AUTHOR_CHARS) or one_line(following, MAX_AUTHOR_CHARS)
    names = [_named((thing,), "author") for thing in markup.objects if _PAGE_TYPES.search(str(thing.get("@type", "")))]
    names += [value for name in _AUTHOR_NAMES for value in markup.meta.get(name, ()) if not value.startswith("http")]
    unique = list(dict.fromkeys(line for name in names if (line := one_line(name))))
    if not unique:
        return None
    separator = "; " if any("," in name for name in unique) else ", "
    return one_line(separator.join(unique[:_MAX_AUTHORS]), MAX_AUTHOR_CHARS)


def _is_front_matter(block: Block) -> bool:
    """Whether a block can still stand above the text: no long paragraph, no code."""
    return block.kind is not BlockKind.CODE and block.end - block.start <= _FRONT_MATTER_CHARS


def _named(objects: Sequence[dict[str, object]], key: str) -> str | None:
    """The names under `key` of the first object that has some: a string, an object with a name, or a list of them."""
    for thing in objects:
        values = thing.get(key)
        names = [
            value.get("name") if isinstance(value, dict) else value
            for value in (values if isinstance(values, list) else [values])
        ]
        said = [name for name in names if isinstance(name, str) and name and not name.startswith("http")]
        if said:
            return ", ".join(said[:_MAX_AUTHORS])
    return None
