"""PDF to Document: the text a reader of the drawn pages sees, in reading order.

    bytes ─ pdf_file ─ glyphs ─ pdf_visibility ─ seen glyphs ─ pdf_lines ─ lines ─ pdf_layout ─ columns and tables
          ─ pdf_blocks ─ blocks ─ line_joins ─ text

What is drawn counts: hidden letters, replacement texts, earlier revisions, scripts, attachments, bookmarks and
metadata are no text. A scan has none, and its unseen text layer is not taken for one.

Hostile files can hold pdfium for ever in a call; this runs in a worker process that can be killed. Everything done
here is bounded by the limits below and those of `pdf_file`.
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from affidavit.errors import FailureKind, PageFailure
from affidavit.evidence.document import Block, BlockKind, Document, Fetched, Link
from affidavit.extract.characters import clean
from affidavit.extract.line_joins import Joiner
from affidavit.extract.media_type import MediaType, unpack
from affidavit.extract.pdf_blocks import Body, Draft, drafts, join_over_breaks, set_levels
from affidavit.extract.pdf_file import Glyph, PdfFile, PdfLink, PdfPage
from affidavit.extract.pdf_furniture import PageLines, margin_lines, running_lines
from affidavit.extract.pdf_layout import reading_order
from affidavit.extract.pdf_lines import Line, lines_by_direction
from affidavit.extract.pdf_streams import check_streams
from affidavit.extract.pdf_visibility import seen
from affidavit.extract.publication import publication_date
from affidavit.ranking.canonical import canonical_url

VERSION = "pdf/2"
# The longest report read. 0.1 s a page: at the limit a worker needs about a minute and a half.
MAX_PAGES = 1_000
MAX_CHARACTERS = 5_000_000
# Cells of a table row are parted by this: white space, so that no character stands in the text that the page lacks.
CELL = "\t"
_HEADER_WITHIN = 1_024
_ROW = 8.0


@dataclass
class _Page:
    """One page as read: its seen lines by writing direction, and its links with the words under them."""

    number: int
    height: float
    lines: dict[int, list[Line]] = field(default_factory=dict[int, list[Line]])
    links: list[Link] = field(default_factory=list[Link])

    @property
    def main(self) -> list[Line] | None:
        """The lines of the direction that most of the page is written in."""
        return next(iter(self.lines.values()), None)


def extract_pdf(fetched: Fetched) -> Document:
    """The document of a PDF response.

    Raises PageFailure: EMPTY_BODY; TYPE_MISMATCH where the bytes are no PDF; ENCRYPTED where a password is needed;
    BROKEN where no page can be read; TOO_LARGE past the limits; NO_TEXT where no page shows text.
    """
    body = unpack(fetched)
    if b"%PDF-" not in body[:_HEADER_WITHIN]:
        label = fetched.header("content-type") or "no type"
        raise PageFailure(
            FailureKind.TYPE_MISMATCH,
            fetched.final_url,
            f"the bytes are no PDF (served as {label}). Open it in a browser to see what the site asks for",
        )
    check_streams(body, fetched.final_url)
    with PdfFile(body, fetched.final_url) as file:
        pages = _read_pages(file)
        claimed_title, language = file.title, file.language.split("-")[0].lower() or None
    blocks = _blocks(pages)
    text, laid, breaks, flags = _lay_out(blocks, pages)
    if not any(c.isalnum() for c in text):
        raise PageFailure(
            FailureKind.NO_TEXT,
            fetched.final_url,
            f"its {len(pages)} pages show no text: a scan, or a drawing. Look for a version with text",
        )
    return Document(
        requested_url=fetched.requested_url,
        final_url=fetched.final_url,
        canonical_url=canonical_url(fetched.final_url),
        retrieved_at=fetched.retrieved_at,
        status=fetched.status,
        headers=fetched.headers,
        media_type=MediaType.PDF.value,
        sha256=hashlib.sha256(fetched.body).hexdigest(),
        extractor=VERSION,
        title=_title(text, laid, claimed_title),
        published=publication_date(
            text, laid, language=language, retrieved_at=fetched.retrieved_at, url=fetched.final_url
        ),
        language=language,
        text=text,
        blocks=laid,
        breaks=breaks,
        links=tuple(dict.fromkeys(link for page in pages for link in page.links)),
        flags=flags,
    )


def _read_pages(file: PdfFile) -> list[_Page]:
    """The pages that can be read. Raises PageFailure when there are too many, none, or none that can be read."""
    count = file.page_count
    if count > MAX_PAGES:
        raise PageFailure(
            FailureKind.TOO_LARGE,
            file.url,
            f"the PDF has {count:,} pages; the limit is {MAX_PAGES:,}. Look for the chapter by itself",
        )
    if count == 0:
        raise PageFailure(FailureKind.NO_TEXT, file.url, "the PDF has no pages. Look for another copy")
    pages: list[_Page] = []
    characters = 0
    for index in range(count):
        page = file.page(index)
        if page is None:
            continue
        with page:
            characters += len(page.glyphs)
            if characters > MAX_CHARACTERS:
                raise PageFailure(
                    FailureKind.TOO_LARGE,
                    file.url,
                    f"the PDF has more than {MAX_CHARACTERS:,} characters. Look for the chapter by itself",
                )
            pages.append(_read_page(page))
    if not pages:
        raise PageFailure(
            FailureKind.BROKEN, file.url, f"none of its {count} pages can be read. Download it again, or look elsewhere"
        )
    return pages


def _read_page(page: PdfPage) -> _Page:
    glyphs = [glyph for glyph, shown in zip(page.glyphs, seen(page), strict=True) if shown]
    read = _Page(page.number, page.height, lines_by_direction(glyphs, page.text_objects))
    read.links = _links(page.links, glyphs)
    return read


def _links(links: Sequence[PdfLink], glyphs: Iterable[Glyph]) -> list[Link]:
    """The links that cover seen characters, with those characters. A link over nothing is not shown."""
    if not links:
        return []
    rows: dict[int, list[tuple[float, float, str]]] = defaultdict(list)
    for glyph in glyphs:
        x, y = (glyph.cell[0] + glyph.cell[2]) / 2, (glyph.cell[1] + glyph.cell[3]) / 2
        rows[int(y // _ROW)].append((x, y, glyph.text))
    found: list[Link] = []
    for url, (left, bottom, right, top) in links:
        near = (spot for row in range(int(top // _ROW), int(bottom // _ROW) - 1, -1) for spot in rows.get(row, ()))
        words = "".join(text for x, y, text in near if left <= x <= right and bottom <= y <= top)
        if text := clean(" ".join(words.split()))[0]:
            found.append(Link(url, text))
    return found


def _blocks(pages: list[_Page]) -> list[Draft]:
    """All blocks of the document in order, furniture included."""
    body = Body.of(line for page in pages for lines in page.lines.values() for line in lines)
    upright = [PageLines(page.number, page.height, page.lines.get(0, [])) for page in pages]
    running = running_lines(upright)
    blocks: list[Draft] = []
    for page, lines in zip(pages, upright, strict=True):
        margin = margin_lines(lines, body.size)
        for angle, directed in page.lines.items():
            text = [line for line in directed if angle or id(line) not in running | margin]
            drafted = drafts(reading_order(text), page.number, body)
            blocks.extend(drafted if directed is page.main else map(_aside, drafted))
        for line in lines.lines:
            if id(line) in running:
                blocks.append(Draft(BlockKind.NAVIGATION, page.number, [line], main=False))
            elif id(line) in margin:
                blocks.append(Draft(BlockKind.OTHER, page.number, [line]))
    set_levels(blocks)
    return join_over_breaks(blocks)


def _aside(block: Draft) -> Draft:
    """A block that runs in another direction than its page: a stamp across it is nobody's heading."""
    if block.kind is BlockKind.HEADING:
        block.kind = BlockKind.OTHER
    return block


def _lay_out(
    blocks: list[Draft], pages: list[_Page]
) -> tuple[str, tuple[Block, ...], tuple[int, ...], tuple[str, ...]]:
    """The text, its blocks, its breaks (where a page could not be read) and its flags."""
    joiner = Joiner(line.text for page in pages for lines in page.lines.values() for line in lines)
    pieces: list[str] = []
    laid: list[Block] = []
    breaks: list[int] = []
    flags: set[str] = set()
    offset, last_page = 0, 0
    for block in blocks:
        text, found = clean(_text(block, joiner))
        text = text.strip()
        if not text:
            continue
        flags |= found
        if block.page - last_page > 1 and _missing(last_page, block.page, pages):
            breaks.append(offset)
        last_page = block.page
        laid.append(
            Block(
                offset,
                offset + len(text),
                block.kind,
                main=block.main,
                level=block.level,
                page=block.page,
                heads=tuple(clean(head)[0] for head in block.heads),
            )
        )
        pieces.append(text)
        offset += len(text) + 2
    return "\n\n".join(pieces), tuple(laid), tuple(breaks), tuple(sorted(flags))


def _missing(before: int, after: int, pages: list[_Page]) -> bool:
    """Whether a page between the two could not be read: blank pages can."""
    numbers = {page.number for page in pages}
    return any(number not in numbers for number in range(before + 1, after))


def _text(block: Draft, joiner: Joiner) -> str:
    if block.cells:
        return CELL.join(joiner.join(line.text for line in cell) for cell in block.cells if cell)
    if block.kind is BlockKind.CODE:
        return "\n".join(line.text for line in block.lines)
    return joiner.join(line.text for line in block.lines)


def _title(text: str, blocks: tuple[Block, ...], claimed: str) -> str | None:
    """The first heading; else the metadata's title if its words stand on the first page: metadata can say anything."""
    for block in blocks:
        if block.kind is BlockKind.HEADING and block.main:
            return text[block.start : block.end]
    wanted = " ".join(clean(claimed)[0].split())
    shown = " ".join(" ".join(_first_page(text, blocks)).split())
    return wanted if len(wanted) > 1 and f" {wanted.casefold()} " in f" {shown.casefold()} " else None


def _first_page(text: str, blocks: tuple[Block, ...]) -> Iterator[str]:
    return (text[block.start : block.end] for block in blocks if block.page == blocks[0].page)
