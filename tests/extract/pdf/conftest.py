"""A small writer of PDF files for the tests: raw objects, with the faults that a test asks for."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import pytest

from affidavit.evidence.document import Document, Fetched
from affidavit.extract.pdf import extract_pdf

A4 = "/MediaBox [0 0 595 842]"
HELVETICA = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
BOLD = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>"
COURIER = b"<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>"
# A Japanese font that the file names and does not carry, set along lines (J) and in columns (V).
JAPANESE = {
    7: b"<< /Type /Font /Subtype /Type0 /BaseFont /Mincho /Encoding /UniJIS-UTF16-H /DescendantFonts [9 0 R] >>",
    8: b"<< /Type /Font /Subtype /Type0 /BaseFont /Mincho /Encoding /UniJIS-UTF16-V /DescendantFonts [9 0 R] >>",
    9: b"<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Mincho /FontDescriptor 4 0 R"
    b" /CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 5 >> >>",
    4: b"<< /Type /FontDescriptor /FontName /Mincho /Flags 4 /FontBBox [0 -200 1000 900] /Ascent 800 /Descent -200"
    b" /ItalicAngle 0 /StemV 80 >>",
}
FONTS = "/F1 5 0 R /F2 6 0 R /C 900 0 R /J 7 0 R /V 8 0 R"


@dataclass
class Pdf:
    """A PDF in the making. `objects` are further objects by number, from 1000 on; `fonts` further font resources."""

    objects: dict[int, bytes] = field(default_factory=dict)
    catalog: str = ""
    info: str = ""
    fonts: str = ""
    pages: list[tuple[bytes, str, str]] = field(default_factory=list)

    def page(self, content: str | bytes, resources: str = "", entries: str = A4) -> "Pdf":
        """Add a page with the fonts F1 (Helvetica), F2 (bold), C (Courier), J and V (Japanese)."""
        self.pages.append((content.encode("latin-1") if isinstance(content, str) else content, resources, entries))
        return self

    @property
    def body(self) -> bytes:
        first = 10
        kids = " ".join(f"{first + 2 * i} 0 R" for i in range(len(self.pages)))
        objects: dict[int, bytes] = {
            1: f"<< /Type /Catalog /Pages 2 0 R {self.catalog} >>".encode(),
            2: f"<< /Type /Pages /Kids [{kids}] /Count {len(self.pages)} >>".encode(),
            3: f"<< {self.info} >>".encode("latin-1"),
            5: HELVETICA,
            6: BOLD,
            900: COURIER,
            **JAPANESE,
        }
        for i, (content, resources, entries) in enumerate(self.pages):
            objects[first + 2 * i] = (
                f"<< /Type /Page /Parent 2 0 R {entries} /Contents {first + 1 + 2 * i} 0 R"
                f" /Resources << /Font << {FONTS} {self.fonts} >> {resources} >> >>"
            ).encode()
            objects[first + 1 + 2 * i] = stream(content)
        return assemble({**objects, **self.objects})


def assemble(objects: Mapping[int, bytes]) -> bytes:
    """The file of `objects`, with object 1 as catalog and object 3 as document information."""
    data, places = b"%PDF-1.7\n", {}
    for number in sorted(objects):
        places[number] = len(data)
        data += b"%d 0 obj\n%s\nendobj\n" % (number, objects[number])
    start = len(data)
    data += b"xref\n0 1\n0000000000 65535 f \n"
    data += b"".join(b"%d 1\n%010d 00000 n \n" % (number, place) for number, place in places.items())
    trailer = b"trailer\n<< /Size %d /Root 1 0 R /Info 3 0 R >>\nstartxref\n%d\n%%%%EOF"
    return data + trailer % (max(objects) + 1, start)


def stream(content: str | bytes, entries: str = "") -> bytes:
    body = content.encode("latin-1") if isinstance(content, str) else content
    return f"<< {entries} /Length {len(body)} >>\nstream\n".encode() + body + b"\nendstream"


@dataclass(frozen=True)
class PdfMaker:
    """What tests build PDFs from."""

    new: type[Pdf] = Pdf

    def stream(self, content: str | bytes, entries: str = "") -> bytes:
        """A stream object with `entries` in its dictionary."""
        return stream(content, entries)

    def form(self, content: str, entries: str = "", box: str = "0 0 595 842") -> bytes:
        """A form XObject with the font F1."""
        form = f"/Type /XObject /Subtype /Form /BBox [{box}] /Resources << /Font << /F1 5 0 R >> >> {entries}"
        return stream(content, form)

    def show(self, text: str, x: float, y: float, size: float = 11, font: str = "F1", before: str = "") -> str:
        """The operators that draw `text` at a point; `before` stands inside the text object, before the text."""
        if font in "JV":
            shown = f"<{text.encode('utf-16-be').hex()}>"
        else:
            shown = "(" + text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)") + ")"
        return f"BT /{font} {size} Tf {before} {x} {y} Td {shown} Tj ET\n"

    def lines(
        self, texts: Sequence[str], x: float, y: float, size: float = 11, leading: float = 14, font: str = "F1"
    ) -> str:
        """One text object a line, from `y` downwards."""
        return "".join(self.show(text, x, y - i * leading, size, font) for i, text in enumerate(texts))


@pytest.fixture
def maker() -> PdfMaker:
    return PdfMaker()


@pytest.fixture
def read_pdf() -> Callable[..., Document]:
    """Bytes, as received from a server, to a Document."""

    def read(body: bytes, content_type: str = "application/pdf") -> Document:
        url = "https://example.org/report.pdf"
        return extract_pdf(
            Fetched(
                requested_url=url,
                final_url=url,
                retrieved_at="2026-01-01T00:00:00Z",
                status=200,
                headers=(("content-type", content_type),),
                body=body,
            )
        )

    return read
