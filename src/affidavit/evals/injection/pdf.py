"""A page of PDF with lines of text, some of which a reader does not see."""

from collections.abc import Sequence
from typing import Literal

from pydantic import BaseModel, ConfigDict

_DRAWN = {"visible": "0 Tr 0 g", "invisible": "3 Tr 0 g", "white": "0 Tr 1 g", "tiny": "0 Tr 0 g", "off": "0 Tr 0 g"}


class Line(BaseModel):
    """One line of ASCII text without brackets: as black text, in render mode 3, in white, half a point high, or beside
    the page."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    text: str
    how: Literal["visible", "invisible", "white", "tiny", "off"] = "visible"


def pdf_page(lines: Sequence[Line]) -> str:
    """The file; it is ASCII throughout."""
    drawn = "\n".join(
        f"BT /F1 {0.5 if line.how == 'tiny' else 11} Tf {_DRAWN[line.how]} "
        f"{900 if line.how == 'off' else 40} {780 - 24 * index} Td ({line.text}) Tj ET"
        for index, line in enumerate(lines)
    )
    objects = (
        "<</Type/Catalog/Pages 2 0 R>>",
        "<</Type/Pages/Kids[3 0 R]/Count 1>>",
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 842 842]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
        f"<</Length {len(drawn)}>>stream\n{drawn}\nendstream",
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
    )
    file = "%PDF-1.4\n"
    places: list[int] = []
    for number, body in enumerate(objects, start=1):
        places.append(len(file))
        file += f"{number} 0 obj\n{body}\nendobj\n"
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    return f"{file}xref\n0 6\n0000000000 65535 f \n{table}trailer<</Size 6/Root 1 0 R>>\nstartxref\n{len(file)}\n%%EOF"
