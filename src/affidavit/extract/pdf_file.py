"""A PDF as pdfium reads it: documents, pages, the characters drawn on them, and the drawn page itself.

This is the only file that calls pdfium. Everything it hands out is in points of the *displayed* page: cropped,
turned as the page says, origin at the lower left, y upwards.
"""

import ctypes
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, Self, TypeAlias

from affidavit.errors import FailureKind, PageFailure
from affidavit.extract.pdf_standin import install

if TYPE_CHECKING:
    import numpy

# Bounds on one page. A dense newspaper page has some 20,000 characters, a map some 50,000 drawn objects.
MAX_GLYPHS = 200_000
MAX_OBJECTS = 500_000
MAX_FORM_DEPTH = 20
MAX_LINKS = 2_000
MAX_METADATA_BYTES = 4_096
WHITE = 0xFFFFFFFF
# 8 million pixels are 32 MB a picture. An A4 page has half a million at one pixel a point, an A0 poster 8 million.
MAX_PIXELS = 8_000_000
# The standard's own limit is 14,400 points a side (ISO 32000-1, annex C).
MAX_SIDE = 100_000.0

_OPEN_ERRORS = {
    4: (FailureKind.ENCRYPTED, "it opens only with a password. Ask the publisher for an open copy"),
    5: (FailureKind.ENCRYPTED, "its encryption is of a kind that cannot be read. Look for another copy"),
}
_BROKEN = (FailureKind.BROKEN, "no page tree can be read from it. Download it again, or look for another copy")

_FIXED_PITCH = 1  # the first font flag (ISO 32000-1, table 123)
_BOLD_NAMES = ("bold", "black", "heavy")
_MONO_NAMES = ("courier", "mono", "consolas", "menlo", "typewriter", "cmtt", "sftt")

Box: TypeAlias = tuple[float, float, float, float]
"""Left, bottom, right, top."""


class Glyph(NamedTuple):
    """One character as drawn. `text` is one code point, or U+FFFD where the font does not say which.

    `owner` is the index of its text object in drawing order. `size` and `width` are the em as it stands on the
    page, upwards and along the line. `box` holds the ink, `cell` the advance and the line's height.
    """

    text: str
    owner: int
    x: float
    y: float
    size: float
    box: Box
    cell: Box


@dataclass(frozen=True, slots=True)
class TextObject:
    """One text object of the page. `angle` is the writing direction in whole degrees, anticlockwise.

    `size` and `width` are the em as it stands on the page, upwards and along the line, in points. `drawn` is false
    for the render modes that paint nothing (3 and 7). `bounds` are in the space of the form that holds it, good for
    comparing only.
    """

    handle: Any
    font: str
    bold: bool
    mono: bool
    embedded: bool
    drawn: bool
    angle: int
    size: float
    width: float
    bounds: Box


@dataclass(frozen=True, slots=True)
class _Font:
    name: str
    bold: bool
    mono: bool
    embedded: bool


class PdfLink(NamedTuple):
    """A link annotation's address and the place it covers."""

    url: str
    box: Box


class PdfFile:
    """An open document. Use it as a context manager: pages must be closed before it."""

    def __init__(self, body: bytes, url: str) -> None:
        """Open `body`. Raises PageFailure ENCRYPTED or BROKEN; `url` is for its message."""
        import pypdfium2.raw as raw  # late: 40 ms and a shared library that the command line does not need

        self._raw: Any = raw
        install(self._raw)
        self._body = body
        self._document = raw.FPDF_LoadMemDocument64(body, len(body), None)
        if not self._document:
            kind, detail = _OPEN_ERRORS.get(raw.FPDF_GetLastError(), _BROKEN)
            raise PageFailure(kind, url, f"the PDF cannot be opened: {detail}")
        self.url = url

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self._raw.FPDF_CloseDocument(self._document)

    @property
    def page_count(self) -> int:
        return int(self._raw.FPDF_GetPageCount(self._document))

    @property
    def title(self) -> str:
        """The title that the metadata claim, or an empty string."""
        return self._read_utf16(self._raw.FPDF_GetMetaText, self._document, b"Title")

    @property
    def language(self) -> str:
        """The language tag that the catalog claims, or an empty string."""
        return self._read_utf16(self._raw.FPDFCatalog_GetLanguage, self._document)

    def page(self, index: int) -> "PdfPage | None":
        """The page of that 0-based index, or None when the file names one that cannot be read."""
        handle = self._raw.FPDF_LoadPage(self._document, index)
        return PdfPage(self._raw, self._document, handle, index, self.url) if handle else None

    def _read_utf16(self, read: Any, *arguments: Any) -> str:
        """What `read` writes into a buffer after `arguments`; an empty string when there is nothing, or too much."""
        size = read(*arguments, None, 0)
        if not 2 < size <= MAX_METADATA_BYTES:
            return ""
        buffer = ctypes.create_string_buffer(size)
        read(*arguments, ctypes.cast(buffer, read.argtypes[-2]), size)
        return buffer.raw.decode("utf-16-le", "replace").rstrip("\0")


class PdfPage:
    """An open page. Use it as a context manager."""

    def __init__(self, raw: Any, document: Any, handle: Any, index: int, url: str) -> None:
        self._raw = raw
        self._document = document
        self._page = handle
        self._url = url
        self.number = index + 1
        self.width = float(raw.FPDF_GetPageWidthF(handle))
        self.height = float(raw.FPDF_GetPageHeightF(handle))
        self._turns = raw.FPDFPage_GetRotation(handle) % 4
        bounds = raw.FS_RECTF()
        raw.FPDF_GetPageBoundingBox(handle, bounds)
        self._left, self._bottom, self._right, self._top = bounds.left, bounds.bottom, bounds.right, bounds.top

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self._raw.FPDF_ClosePage(self._page)

    @cached_property
    def _objects(self) -> list[Any]:
        """All page objects in drawing order, those of forms in their form's place."""
        raw = self._raw
        found: list[Any] = []

        def walk(count: int, get: Any, holder: Any, depth: int) -> None:
            if len(found) + count > MAX_OBJECTS or depth > MAX_FORM_DEPTH:
                raise self._too_large(f"more than {MAX_OBJECTS:,} drawn objects, or forms {MAX_FORM_DEPTH} deep")
            for index in range(count):
                item = get(holder, index)
                if raw.FPDFPageObj_GetType(item) == raw.FPDF_PAGEOBJ_FORM:
                    walk(raw.FPDFFormObj_CountObjects(item), raw.FPDFFormObj_GetObject, item, depth + 1)
                else:
                    found.append(item)

        walk(raw.FPDFPage_CountObjects(self._page), raw.FPDFPage_GetObject, self._page, 0)
        return found

    @property
    def text_objects(self) -> list[TextObject]:
        """The page's text objects in drawing order; `Glyph.owner` counts in this list."""
        return self._text[0]

    @property
    def glyphs(self) -> list[Glyph]:
        """The characters of the page in the order of the content, spaces included, seen or not."""
        return self._text[1]

    @cached_property
    def _text(self) -> tuple[list[TextObject], list[Glyph]]:
        if max(self.width, self.height) > MAX_SIDE:
            raise self._too_large(f"it measures {self.width:.0f} by {self.height:.0f} points")
        self._drop_replacement_texts()
        text_page = self._raw.FPDFText_LoadPage(self._page)
        if not text_page:
            return [], []
        try:
            return self._read_text(text_page)
        finally:
            self._raw.FPDFText_ClosePage(text_page)

    def _read_text(self, text_page: Any) -> tuple[list[TextObject], list[Glyph]]:
        raw = self._raw
        count = raw.FPDFText_CountChars(text_page)
        if count > MAX_GLYPHS:
            raise self._too_large(f"{count:,} characters; the limit is {MAX_GLYPHS:,}")
        handles = [item for item in self._objects if raw.FPDFPageObj_GetType(item) == raw.FPDF_PAGEOBJ_TEXT]
        owners = {ctypes.addressof(handle.contents): index for index, handle in enumerate(handles)}
        owned: list[tuple[int, int]] = []
        first: dict[int, int] = {}
        for index in range(count):
            if raw.FPDFText_IsGenerated(text_page, index) == 1:
                continue
            handle = raw.FPDFText_GetTextObject(text_page, index)
            owner = owners.get(ctypes.addressof(handle.contents)) if handle else None
            if owner is None:
                raise self._too_large("it has text outside the drawn objects")
            owned.append((index, owner))
            first.setdefault(owner, index)
        fonts: dict[int, _Font] = {}
        objects = [self._text_object(handle, text_page, first.get(i), fonts) for i, handle in enumerate(handles)]
        return objects, list(self._read_glyphs(text_page, owned, objects))

    def _text_object(self, handle: Any, text_page: Any, first: int | None, fonts: "dict[int, _Font]") -> TextObject:
        """`first` is the index of the object's first character: only a character knows the form that it stands in."""
        raw = self._raw
        matrix = raw.FS_MATRIX()
        size = 0.0
        if first is not None:
            raw.FPDFText_GetMatrix(text_page, first, matrix)
            size = abs(raw.FPDFText_GetFontSize(text_page, first))
        if not all(map(math.isfinite, (size, matrix.a, matrix.b, matrix.c, matrix.d))):
            matrix, size = raw.FS_MATRIX(), 0.0  # drawn nowhere
        pointer = raw.FPDFTextObj_GetFont(handle)
        font = _Font("", bold=False, mono=False, embedded=False)
        if pointer:
            key = ctypes.addressof(pointer.contents)
            font = fonts.get(key) or fonts.setdefault(key, self._font(pointer))
        return TextObject(
            handle=handle,
            font=font.name,
            bold=font.bold,
            mono=font.mono,
            embedded=font.embedded,
            drawn=raw.FPDFTextObj_GetTextRenderMode(handle)
            not in (raw.FPDF_TEXTRENDERMODE_INVISIBLE, raw.FPDF_TEXTRENDERMODE_CLIP),
            angle=round(math.degrees(math.atan2(matrix.b, matrix.a)) - 90 * self._turns) % 360,
            size=size * math.hypot(matrix.c, matrix.d),
            width=size * math.hypot(matrix.a, matrix.b),
            bounds=self._bounds(handle),
        )

    def _bounds(self, handle: Any) -> Box:
        left, bottom, right, top = (ctypes.c_float() for _ in range(4))
        self._raw.FPDFPageObj_GetBounds(handle, left, bottom, right, top)
        return left.value, bottom.value, right.value, top.value

    def _font(self, font: Any) -> "_Font":
        raw = self._raw
        buffer = ctypes.create_string_buffer(256)
        raw.FPDFFont_GetBaseFontName(font, buffer, 256)
        name = buffer.value.decode("utf-8", "replace")
        flags = max(0, raw.FPDFFont_GetFlags(font))
        return _Font(
            name,
            bold=raw.FPDFFont_GetWeight(font) >= 600 or any(word in name.lower() for word in _BOLD_NAMES),
            mono=bool(flags & _FIXED_PITCH) or any(word in name.lower() for word in _MONO_NAMES),
            embedded=bool(raw.FPDFFont_GetIsEmbedded(font)),
        )

    def _drop_replacement_texts(self) -> None:
        """Take ``ActualText`` out of the page: pdfium gives it in place of what is drawn, and what is drawn counts.

        Only the entry goes. The mark stays, for it may be the one that switches a layer off.
        """
        raw = self._raw
        size = ctypes.c_ulong()
        for item in self._objects:
            for index in range(raw.FPDFPageObj_CountMarks(item)):
                mark = raw.FPDFPageObj_GetMark(item, index)
                if raw.FPDFPageObjMark_GetParamStringValue(mark, b"ActualText", None, 0, size):
                    raw.FPDFPageObjMark_RemoveParam(item, mark, b"ActualText")

    def _read_glyphs(self, text_page: Any, owned: list[tuple[int, int]], objects: list[TextObject]) -> Iterator[Glyph]:
        raw = self._raw
        left, right, bottom, top, x, y = (ctypes.c_double() for _ in range(6))
        cell = raw.FS_RECTF()
        high = 0
        for index, owner in owned:
            code = raw.FPDFText_GetUnicode(text_page, index)
            if 0xD800 <= code < 0xDC00:
                high = code
                continue
            if 0xDC00 <= code < 0xE000 and high:
                code = 0x10000 + ((high - 0xD800) << 10) + (code - 0xDC00)
            high = 0
            raw.FPDFText_GetCharBox(text_page, index, left, right, bottom, top)
            raw.FPDFText_GetLooseCharBox(text_page, index, cell)
            raw.FPDFText_GetCharOrigin(text_page, index, x, y)
            place = self._turn(x.value, y.value)
            box = self._turn_box(left.value, bottom.value, right.value, top.value)
            room = self._turn_box(cell.left, cell.bottom, cell.right, cell.top)
            yield Glyph(_character(code), owner, *place, objects[owner].size, box, room)

    def _turn(self, x: float, y: float) -> tuple[float, float]:
        """A point of the page's own space on the displayed page."""
        if self._turns == 0:
            return x - self._left, y - self._bottom
        if self._turns == 1:
            return y - self._bottom, self._right - x
        if self._turns == 2:
            return self._right - x, self._top - y
        return self._top - y, x - self._left

    def _turn_box(self, left: float, bottom: float, right: float, top: float) -> Box:
        if self._turns == 0:
            return left - self._left, bottom - self._bottom, right - self._left, top - self._bottom
        ax, ay = self._turn(left, bottom)
        bx, by = self._turn(right, top)
        return min(ax, bx), min(ay, by), max(ax, bx), max(ay, by)

    def draw(self, scale: float, paper: int = WHITE) -> "numpy.ndarray[Any, Any]":
        """The page as a reader's screen shows it: (height, width, 4) bytes B, G, R, unused, first row on top.

        `scale` is in pixels a point and is lowered where the page is so large that it would pass `MAX_PIXELS`.
        `paper` is the colour under everything.
        """
        import numpy  # late: 60 ms

        raw = self._raw
        scale = min(scale, math.sqrt(MAX_PIXELS / max(self.width * self.height, 1)))
        # Of a strip a thousand times longer than wide, each side keeps at least one pixel; the other must not grow.
        width, height = (max(1, min(round(side * scale), 16_000)) for side in (self.width, self.height))
        bitmap = raw.FPDFBitmap_CreateEx(width, height, raw.FPDFBitmap_BGRx, None, 0)
        if not bitmap:
            raise self._too_large(f"it is {self.width:.0f} by {self.height:.0f} points, too large to draw")
        try:
            raw.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, paper)
            raw.FPDF_RenderPageBitmap(bitmap, self._page, 0, 0, width, height, 0, raw.FPDF_ANNOT)
            stride = raw.FPDFBitmap_GetStride(bitmap)
            pixels = ctypes.string_at(raw.FPDFBitmap_GetBuffer(bitmap), stride * height)
        finally:
            raw.FPDFBitmap_Destroy(bitmap)
        return numpy.frombuffer(pixels, dtype=numpy.uint8).reshape(height, stride // 4, 4)[:, :width]

    def show(self, objects: Sequence[TextObject], shown: bool) -> None:
        """Let `objects` take part in drawing, or not."""
        for item in objects:
            self._raw.FPDFPageObj_SetIsActive(item.handle, shown)

    def draw_alone(self, objects: Sequence[TextObject], scale: float, paper: int) -> "numpy.ndarray[Any, Any]":
        """`objects` as drawn with nothing over or under them. Annotations stay."""
        raw = self._raw
        kept = {ctypes.addressof(item.handle.contents) for item in objects}
        hidden: list[Any] = []
        active = ctypes.c_int()
        for item in self._objects:
            if ctypes.addressof(item.contents) not in kept:
                raw.FPDFPageObj_GetIsActive(item, active)
                if active.value:
                    raw.FPDFPageObj_SetIsActive(item, False)
                    hidden.append(item)
        picture = self.draw(scale, paper)
        for item in hidden:
            raw.FPDFPageObj_SetIsActive(item, True)
        return picture

    @cached_property
    def links(self) -> list[PdfLink]:
        """The page's link annotations that lead to a web address."""
        raw = self._raw
        found: list[PdfLink] = []
        position, link = ctypes.c_int(0), raw.FPDF_LINK()
        while len(found) < MAX_LINKS and raw.FPDFLink_Enumerate(self._page, position, link):
            action, bounds = raw.FPDFLink_GetAction(link), raw.FS_RECTF()
            if not action or not raw.FPDFLink_GetAnnotRect(link, bounds):
                continue
            buffer = ctypes.create_string_buffer(4096)
            size = raw.FPDFAction_GetURIPath(self._document, action, buffer, 4096)
            url = buffer.value.decode("utf-8", "replace") if 0 < size <= 4096 else ""
            if url.lower().startswith(("http://", "https://")):
                found.append(PdfLink(url, self._turn_box(bounds.left, bounds.bottom, bounds.right, bounds.top)))
        return found

    def _too_large(self, what: str) -> PageFailure:
        return PageFailure(
            FailureKind.TOO_LARGE,
            self._url,
            f"page {self.number} cannot be read within the limits: {what}. Look for another copy of the document",
        )


def _character(code: int) -> str:
    """The code point, with pdfium's marks undone: 0 is a character the font does not name, 2 a hyphen at a line end."""
    if code == 2:
        return "-"
    if code == 0 or 0xD800 <= code < 0xE000 or code > 0x10FFFF:
        return "\ufffd"
    return chr(code)
