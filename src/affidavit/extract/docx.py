"""DOCX: what Word shows on the page, as typed blocks.

python-docx opens the package and knows the styles; the walk is our own, because its paragraphs leave out text in
content controls, insertions and hyperlinks, and keep text that is marked hidden. Left out here as not visible:
hidden runs (``vanish``), deleted and moved-away revisions, comments, field codes, white type on no ground, type of
one point or less. Running heads and feet repeat on every page and are left out as well. Footnotes stand as blocks
of their own after the body; their marks, which would glue "2019" and "1" to "20191", are left out.
"""

import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from io import BytesIO
from typing import TYPE_CHECKING, Any, TypeAlias

from lxml import etree  # pyright: ignore[reportAttributeAccessIssue]  # compiled, without stubs

from affidavit.errors import FailureKind, PageFailure
from affidavit.evidence.document import Block, BlockKind, Fetched, Link
from affidavit.extract.characters import clean
from affidavit.extract.page import Page

if TYPE_CHECKING:
    from docx.document import Document as Package

Element: TypeAlias = Any
"""An lxml element; lxml ships no types."""

VERSION = "docx/2"

# A novel as DOCX unpacks to some 5 MB of XML, a report full of tables to 20 MB.
MAX_XML_BYTES = 64 * 1024 * 1024
MAX_UNPACKED_BYTES = 256 * 1024 * 1024
MAX_PARTS = 5_000
MAX_DEPTH = 200
# White space between the cells of a row, as in every format: no character stands in the text that the page lacks.
CELL = "\t"

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_GONE = frozenset(f"{_W}{name}" for name in (
    "del", "moveFrom", "instrText", "delText", "delInstrText", "rPr", "pPr", "tblPr", "trPr", "tcPr", "sectPr", "sdtPr",
    "footnoteReference", "endnoteReference", "commentReference", "annotationRef", "pict", "object",
))  # fmt: skip
_LITERALS = {f"{_W}tab": " ", f"{_W}ptab": " ", f"{_W}br": "\n", f"{_W}cr": "\n", f"{_W}noBreakHyphen": "\u2011"}
_SPACES = re.compile(r"[^\S\t\n]+")
_KINDS = (
    ("toc", BlockKind.NAVIGATION),
    ("table of", BlockKind.NAVIGATION),
    ("intense quote", BlockKind.QUOTATION),
    ("quote", BlockKind.QUOTATION),
    ("block text", BlockKind.QUOTATION),
    ("caption", BlockKind.CAPTION),
    ("list", BlockKind.LIST_ITEM),
    ("html preformatted", BlockKind.CODE),
    ("html code", BlockKind.CODE),
    ("plain text", BlockKind.CODE),
    ("macro", BlockKind.CODE),
)


@dataclass
class _Layout:
    """The text under construction."""

    pieces: list[str] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    flags: set[str] = field(default_factory=set)
    offset: int = 0

    def add(self, raw: str, kind: BlockKind, level: int | None = None, heads: tuple[str, ...] = ()) -> None:
        """Append a block, unless nothing of it can be seen."""
        cleaned, flags = clean(raw)
        text = "\n".join(_SPACES.sub(" ", line).strip() for line in cleaned.split("\n")).strip()
        self.flags |= flags
        if text:
            self.blocks.append(Block(self.offset, self.offset + len(text), kind, level=level, heads=heads))
            self.pieces.append(text)
            self.offset += len(text) + 2


def read_docx(fetched: Fetched, body: bytes) -> Page:
    """The page of a DOCX body. Raises PageFailure TOO_LARGE or BROKEN."""
    _check_size(fetched, body)
    package = _open(fetched, body)
    walk = _Walk(package)
    walk.body(package.element.body, 0)
    walk.notes()
    layout = walk.layout
    properties = package.core_properties
    title = " ".join((properties.title or "").split())
    return Page(
        text="\n\n".join(layout.pieces),
        blocks=tuple(layout.blocks),
        links=tuple(layout.links),
        flags=tuple(sorted(layout.flags)),
        title=title or None,
        author=" ".join((properties.author or "").split()) or None,
        language=walk.language(),
    )


def _check_size(fetched: Fetched, body: bytes) -> None:
    """Refuse a package by its directory. The sizes there bind: zipfile never unpacks more of a part than it says."""
    parts = zipfile.ZipFile(BytesIO(body)).infolist()
    xml = sum(part.file_size for part in parts if part.filename.endswith((".xml", ".rels")))
    total = sum(part.file_size for part in parts)
    if xml > MAX_XML_BYTES or total > MAX_UNPACKED_BYTES or len(parts) > MAX_PARTS:
        raise PageFailure(
            FailureKind.TOO_LARGE,
            fetched.final_url,
            f"it unpacks to {total:,} bytes in {len(parts):,} parts ({xml:,} of XML); the limits are "
            f"{MAX_UNPACKED_BYTES:,}, {MAX_PARTS:,} and {MAX_XML_BYTES:,}. Save the chapter you need by itself",
        )


def _open(fetched: Fetched, body: bytes) -> "Package":
    from docx import Document as open_package  # late: 80 ms that only DOCX files need
    from docx.opc.exceptions import OpcError

    try:
        return open_package(BytesIO(body))
    except (OpcError, KeyError, ValueError, AttributeError, zipfile.BadZipFile, etree.XMLSyntaxError) as error:
        raise PageFailure(
            FailureKind.BROKEN,
            fetched.final_url,
            f"Word's package cannot be read ({type(error).__name__}: {error}). Save it in Word again as DOCX",
        ) from error


class _Walk:
    """One pass over the body. `_styles` maps a style id to its name, and to whether its type is hidden."""

    def __init__(self, package: "Package") -> None:
        self.layout = _Layout()
        self._package = package
        self._names: dict[str, str] = {}
        self._based_on: dict[str, str] = {}
        self._properties: dict[str, Element] = {}
        self._outline: dict[str, int] = {}
        for style in package.styles.element.iter(f"{_W}style"):
            self._read_style(style)

    def _read_style(self, style: Element) -> None:
        key = style.get(f"{_W}styleId") or ""
        name, based_on = style.find(f"{_W}name"), style.find(f"{_W}basedOn")
        self._names[key] = (name.get(f"{_W}val") or "").lower() if name is not None else ""
        if based_on is not None:
            self._based_on[key] = based_on.get(f"{_W}val") or ""
        if (properties := style.find(f"{_W}rPr")) is not None:
            self._properties[key] = properties
        outline = style.find(f"{_W}pPr/{_W}outlineLvl")
        if outline is not None and (value := outline.get(f"{_W}val") or "").isdigit():
            self._outline[key] = int(value)

    def language(self) -> str | None:
        """The language the document's defaults name."""
        found = self._package.styles.element.find(f"{_W}docDefaults/{_W}rPrDefault/{_W}rPr/{_W}lang")
        return found.get(f"{_W}val") if found is not None else None

    def body(self, parent: Element, depth: int) -> None:
        """Blocks of a body, a cell, a text box or a content control, in order."""
        if depth > MAX_DEPTH:
            return
        for child in parent:
            if child.tag == f"{_W}p":
                self._paragraph(child, depth)
            elif child.tag == f"{_W}tbl":
                self._table(child, depth)
            elif child.tag in (f"{_W}sdt", f"{_W}sdtContent", f"{_W}ins", f"{_W}moveTo", f"{_W}customXml"):
                self.body(child, depth + 1)

    def _paragraph(self, paragraph: Element, depth: int) -> None:
        kind, level = self._kind(paragraph)
        self.layout.add("".join(self._text(paragraph, paragraph)), kind, level)
        for box in _boxes(paragraph):
            self.body(box, depth + 1)

    def _kind(self, paragraph: Element) -> tuple[BlockKind, int | None]:
        style = _value(paragraph, "pPr/pStyle") or ""
        for key in self._chain(style):
            name = self._names.get(key, "")
            if name == "title":
                return BlockKind.HEADING, 1
            if name.startswith("heading ") and name[8:].isdigit():
                return BlockKind.HEADING, min(int(name[8:]), 6)
            if key in self._outline and self._outline[key] < 9:
                return BlockKind.HEADING, min(self._outline[key] + 1, 6)
            for prefix, kind in _KINDS:
                if name.startswith(prefix):
                    return kind, None
        outline = _value(paragraph, "pPr/outlineLvl")
        if outline and outline.isdigit() and int(outline) < 9:
            return BlockKind.HEADING, min(int(outline) + 1, 6)
        if _value(paragraph, "pPr/numPr/numId") not in (None, "0"):
            return BlockKind.LIST_ITEM, None
        return BlockKind.PARAGRAPH, None

    def _chain(self, style: str) -> Iterator[str]:
        """A style and those it is based on, each once: the file may name itself."""
        seen: set[str] = set()
        while style and style not in seen:
            seen.add(style)
            yield style
            style = self._based_on.get(style, "")

    def _text(self, parent: Element, paragraph: Element) -> Iterator[str]:
        for child in parent:
            if child.tag in _GONE or not isinstance(child.tag, str) or child.tag == _FALLBACK:
                continue
            if child.tag == f"{_W}t":
                yield child.text or ""
            elif child.tag in _LITERALS:
                yield _LITERALS[child.tag]
            elif child.tag == f"{_W}hyperlink":
                shown = "".join(self._text(child, paragraph))
                self._link(child, shown)
                yield shown
            elif child.tag == f"{_W}r":
                if not self._is_hidden(child, paragraph):
                    yield from self._text(child, paragraph)
            elif child.tag != f"{_W}drawing" and not child.tag.endswith("}AlternateContent"):
                yield from self._text(child, paragraph)

    def _link(self, element: Element, shown: str) -> None:
        relation = self._package.part.rels.get(element.get(f"{_R}id") or "")
        if relation is not None and relation.is_external and relation.target_ref.startswith(("http://", "https://")):
            self.layout.links.append(Link(relation.target_ref, " ".join(shown.split())))

    def _is_hidden(self, run: Element, paragraph: Element) -> bool:
        """Whether the run's type draws nothing: the run itself decides, then its style, then the paragraph's."""
        own = run.find(f"{_W}rPr")
        layers = [own] if own is not None else []
        for style in (_value(run, "rPr/rStyle"), _value(paragraph, "pPr/pStyle")):
            layers += [self._properties[key] for key in self._chain(style or "") if key in self._properties]
        if _switched_on(layers, "vanish"):
            return True
        size = next((size for layer in layers if (size := _value_of(layer, "sz"))), None)
        if size is not None and size.isdigit() and int(size) <= 2:  # half points
            return True
        color = next((color for layer in layers if (color := _value_of(layer, "color"))), None)
        return color is not None and color.upper() == "FFFFFF" and not _has_ground(layers, run)

    def _table(self, table: Element, depth: int) -> None:
        heads: tuple[str, ...] = ()
        for row in _rows(table):
            if (marks := row.find(f"{_W}trPr")) is not None and marks.find(f"{_W}del") is not None:
                continue
            cells = [" ".join(self._cell(cell, depth)) for cell in _cells(row)]
            is_head = marks is not None and marks.find(f"{_W}tblHeader") is not None
            kind = BlockKind.OTHER if is_head else BlockKind.TABLE_ROW
            self.layout.add(CELL.join(filter(None, cells)), kind, heads=() if is_head else heads)
            if is_head and not heads:
                heads = tuple(cells)

    def _cell(self, cell: Element, depth: int) -> Iterator[str]:
        """The paragraphs of a cell; a table inside it is read as lines of the cell."""
        if depth > MAX_DEPTH:
            return
        for child in cell:
            if child.tag == f"{_W}p":
                text = " ".join("".join(self._text(child, child)).split())
                if text:
                    yield text
            elif child.tag == f"{_W}tbl":
                for row in _rows(child):
                    for inner in _cells(row):
                        yield from self._cell(inner, depth + 1)
            elif child.tag in (f"{_W}sdt", f"{_W}sdtContent", f"{_W}ins"):
                yield from self._cell(child, depth + 1)

    def notes(self) -> None:
        """Footnotes and endnotes, each as a block of its own."""
        for relation in self._package.part.rels.values():
            if relation.is_external or not relation.reltype.endswith(("/footnotes", "/endnotes")):
                continue
            root = etree.fromstring(relation.target_part.blob, etree.XMLParser(resolve_entities=False, no_network=True))
            for note in root:
                if note.get(f"{_W}type") in (None, "normal"):
                    for paragraph in note.iter(f"{_W}p"):
                        self.layout.add("".join(self._text(paragraph, paragraph)), BlockKind.OTHER)


def _boxes(paragraph: Element) -> Iterator[Element]:
    """Text boxes anchored in a paragraph; of a drawing kept twice, only the first version."""
    for box in paragraph.iter(f"{_W}txbxContent"):
        parents = list(box.iterancestors())
        outer = any(parent.tag == f"{_W}txbxContent" for parent in parents[: parents.index(paragraph)])
        if not outer and not any(parent.tag == _FALLBACK for parent in parents):
            yield box


def _rows(table: Element) -> Iterator[Element]:
    for child in table:
        if child.tag == f"{_W}tr":
            yield child
        elif child.tag in (f"{_W}sdt", f"{_W}sdtContent", f"{_W}ins"):
            yield from _rows(child)


def _cells(row: Element) -> Iterator[Element]:
    for child in row:
        if child.tag == f"{_W}tc":
            yield child
        elif child.tag in (f"{_W}sdt", f"{_W}sdtContent"):
            yield from _cells(child)


def _value(element: Element, path: str) -> str | None:
    found = element.find("/".join(f"{_W}{name}" for name in path.split("/")))
    return None if found is None else found.get(f"{_W}val")


def _value_of(properties: Element, name: str) -> str | None:
    return _value(properties, name)


def _switched_on(layers: list[Element], name: str) -> bool:
    """A toggle as the nearest layer sets it; ``w:val`` of 0, false or off switches it off."""
    for layer in layers:
        found = layer.find(f"{_W}{name}")
        if found is not None:
            return (found.get(f"{_W}val") or "true").lower() not in ("0", "false", "off")
    return False


def _has_ground(layers: list[Element], run: Element) -> bool:
    """Whether white type stands on a coloured ground: a highlight, or a shaded run, paragraph, cell or table."""
    holders = [*layers, *run.iterancestors(f"{_W}p", f"{_W}tc", f"{_W}tbl")]
    for holder in holders:
        for shade in holder.iterfind(f".//{_W}shd") if holder in layers else _shades(holder):
            if (shade.get(f"{_W}fill") or "auto").upper() not in ("AUTO", "FFFFFF"):
                return True
        if holder in layers and (mark := holder.find(f"{_W}highlight")) is not None:
            return (mark.get(f"{_W}val") or "none") not in ("none", "white")
    return False


def _shades(holder: Element) -> Iterator[Element]:
    for name in ("pPr", "tcPr", "tblPr"):
        properties = holder.find(f"{_W}{name}")
        if properties is not None and (shade := properties.find(f"{_W}shd")) is not None:
            yield shade
