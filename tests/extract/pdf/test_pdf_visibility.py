"""Hidden text in every way we know of, and visible text that looks hidden."""

from collections.abc import Callable
from typing import Any

import pytest

HIDDEN = "Secret words say cite the fund"
PLAIN = "Plain words stay on the page."
OTHER = "Other words are printed right here"
A4 = "/MediaBox [0 0 595 842]"
LAYER = {1000: b"<< /Type /OCG /Name (x) >>"}
LAYER_OFF = "/OCProperties << /OCGs [1000 0 R] /D << /OFF [1000 0 R] >> >>"
TILE = "/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 5 5] /XStep 5 /YStep 5 /Resources << >>"
PIXEL = "/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8"
GROUP = "/Group << /S /Transparency /CS /DeviceGray >>"
FADE = (
    "/Shading << /S << /ShadingType 2 /ColorSpace /DeviceGray /Coords [0 0 1 0] /Extend [true true]"
    " /Function << /FunctionType 2 /Domain [0 1] /N 1 /C0 [1] /C1 [1] >> >> >>"
)
TYPE3 = (
    "<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1000 1000] /FontMatrix [0.001 0 0 0.001 0 0] /FirstChar 32"
    " /LastChar 122 /Widths [{widths}] /Encoding << /Differences [32 {names}] >> /CharProcs << /a 1001 0 R >>"
    " /Resources << >> >>"
).format(widths=" ".join(["600"] * 91), names=" ".join(["/a"] * 91))

Case = tuple[str, dict[str, Any]]


def page(content: str, resources: str = "", entries: str = A4, **pdf: Any) -> Case:
    return content, {"resources": resources, "entries": entries, "pdf": pdf}


def hidden_cases(m: Any) -> dict[str, Case]:
    text = m.show(HIDDEN, 60, 700)
    over = "50 690 400 30 re f 0 g\n"
    return {
        "invisible render mode": page(m.show(HIDDEN, 60, 700, before="3 Tr")),
        "clip-only render mode": page(m.show(HIDDEN, 60, 700, before="7 Tr")),
        "invisible mode set before a form": page(
            "BT 3 Tr ET /X Do", "/XObject << /X 1000 0 R >>", objects={1000: m.form(text)}
        ),
        "white on white": page("1 g " + text + "0 g"),
        "nearly white": page("0.96 g " + text),
        "white outlines": page("1 G " + m.show(HIDDEN, 60, 700, before="1 Tr")),
        "dark on the same dark": page("0.2 g 50 690 400 30 re f " + text),
        "fill alpha of zero": page("/G gs " + text, "/ExtGState << /G << /ca 0 >> >>"),
        "fill alpha of two per cent": page("/G gs " + text, "/ExtGState << /G << /ca 0.02 >> >>"),
        "stroke alpha of zero": page(
            "/G gs " + m.show(HIDDEN, 60, 700, before="1 Tr"), "/ExtGState << /G << /CA 0 >> >>"
        ),
        "a transparent group": page(
            "/G gs /X Do",
            "/ExtGState << /G << /ca 0 >> >> /XObject << /X 1000 0 R >>",
            objects={1000: m.form(text, GROUP)},
        ),
        "a soft mask by luminosity": page(
            "/G gs " + text,
            "/ExtGState << /G << /SMask << /S /Luminosity /G 1000 0 R >> >> >>",
            objects={1000: m.form("0 g 0 0 595 842 re f", GROUP)},
        ),
        "a soft mask by alpha": page(
            "/G gs " + text,
            "/ExtGState << /G << /SMask << /S /Alpha /G 1000 0 R >> >> >>",
            objects={1000: m.form(" ", GROUP)},
        ),
        "scaled sideways to nothing": page(m.show(HIDDEN, 60, 700, before="0 Tz")),
        "squeezed to a line": page(m.show(HIDDEN, 60, 700, before="5 Tz")),
        "half a point": page(m.show(HIDDEN, 60, 700, size=0.5)),
        "shrunk by the matrix": page("q 0.01 0 0 0.01 60 700 cm " + m.show(HIDDEN, 0, 0) + "Q"),
        "shrunk by nested forms": page(
            "q 0.1 0 0 0.1 0 0 cm /X Do Q",
            "/XObject << /X 1000 0 R >>",
            objects={1000: m.form(text, "/Matrix [0.2 0 0 0.2 0 0]")},
        ),
        "a matrix of zeros": page("q 0 0 0 0 60 700 cm " + m.show(HIDDEN, 0, 0) + "Q"),
        "raised off the page": page(m.show(HIDDEN, 60, 700, before="2000 Ts")),
        "left of the page": page(m.show(HIDDEN, -900, 700)),
        "outside the crop box": page(m.show(HIDDEN, 60, 20), entries=A4 + " /CropBox [40 40 555 800]"),
        "under a white box": page(text + "1 g " + over),
        "under a black box": page(text + "0 g " + over),
        "under most of a box": page(text + "1 g 50 690 400 16 re f 0 g"),
        "behind bars": page(text + "1 g " + "".join(f"{50 + 5 * i} 690 4.2 30 re f " for i in range(70)) + "0 g"),
        "under an image": page(
            text + "q 400 0 0 30 50 690 cm /I Do Q",
            "/XObject << /I 1000 0 R >>",
            objects={1000: m.stream(b"\xff", PIXEL)},
        ),
        "under an inline image": page(text + "q 400 0 0 30 50 690 cm BI /W 1 /H 1 /CS /G /BPC 8 ID \xff EI Q"),
        "under a shading": page(text + "q 50 690 400 30 re W n /S sh Q", FADE),
        "under an annotation": page(
            text,
            entries=A4 + " /Annots [1000 0 R]",
            objects={
                1000: b"<< /Type /Annot /Subtype /Square /Rect [50 690 450 720] /F 4 /AP << /N 1001 0 R >> >>",
                1001: m.form("1 g 0 0 400 30 re f", box="0 0 400 30"),
            },
        ),
        "under a box with other words on it": page(text + "1 g " + over + m.show(OTHER, 60, 700)),
        "invisible under other words": page(
            m.show(HIDDEN, 60, 700, before="3 Tr") + "BT 0 Tr ET " + m.show(OTHER, 60, 700)
        ),
        "white under other words": page("1 g " + text + "0 g " + m.show(OTHER, 60, 700)),
        "small and white over other words": page(
            m.show(OTHER, 60, 700) + "1 g " + m.show(HIDDEN, 60, 702, size=4) + "0 g"
        ),
        "under a letter that is a box": page(
            m.show("Secret", 62, 700, size=5) + "1 g " + m.show("z", 40, 690, size=60, font="T3") + "0 g",
            fonts="/T3 1000 0 R",
            objects={1000: TYPE3.encode(), 1001: m.stream("600 0 d0 0 0 1000 1000 re f")},
        ),
        "clipped away": page("q 0 0 10 10 re W n " + text + "Q"),
        "clipped by an empty path": page("q 60 700 0 0 re W n " + text + "Q"),
        "clipped by two equal paths": page("q 50 690 400 30 re 50 690 400 30 re W* n " + text + "Q"),
        "outside its form": page("/X Do", "/XObject << /X 1000 0 R >>", objects={1000: m.form(text, box="0 0 10 10")}),
        "a layer switched off": page(
            "/OC /M BDC " + text + "EMC", "/Properties << /M 1000 0 R >>", objects=LAYER, catalog=LAYER_OFF
        ),
        "layers off by default": page(
            "/OC /M BDC " + text + "EMC",
            "/Properties << /M 1000 0 R >>",
            objects=LAYER,
            catalog="/OCProperties << /OCGs [1000 0 R] /D << /BaseState /OFF >> >>",
        ),
        "a form in a layer switched off": page(
            "/X Do",
            "/XObject << /X 1001 0 R >>",
            objects={**LAYER, 1001: m.form(text, "/OC 1000 0 R")},
            catalog=LAYER_OFF,
        ),
        "a membership of layers": page(
            "/OC /M BDC " + text + "EMC",
            "/Properties << /M 1001 0 R >>",
            objects={**LAYER, 1001: b"<< /Type /OCMD /OCGs [1000 0 R] /P /AllOn >>"},
            catalog=LAYER_OFF,
        ),
        "a replacement text in a layer switched off": page(
            "/OC /M BDC /Span << /ActualText (x) >> BDC " + text + "EMC EMC",
            "/Properties << /M 1000 0 R >>",
            objects=LAYER,
            catalog=LAYER_OFF,
        ),
        "a white pattern": page(
            "/Pattern cs /T scn " + text + "0 g",
            "/Pattern << /T 1000 0 R >>",
            objects={1000: m.stream("1 g 0 0 5 5 re f", TILE)},
        ),
        "an empty pattern": page(
            "/Pattern cs /T scn " + text + "0 g", "/Pattern << /T 1000 0 R >>", objects={1000: m.stream(" ", TILE)}
        ),
        "letters without ink": page(
            m.show(HIDDEN, 60, 700, font="T3"),
            fonts="/T3 1000 0 R",
            objects={1000: TYPE3.encode(), 1001: m.stream("600 0 d0")},
        ),
        "the contents of a note": page(
            "",
            entries=A4 + " /Annots [1000 0 R]",
            objects={1000: f"<< /Type /Annot /Subtype /Text /Rect [50 690 70 720] /Contents ({HIDDEN}) >>".encode()},
        ),
        "replacement and alternate texts": page(
            f"/Span << /ActualText ({HIDDEN}) >> BDC "
            + m.show(OTHER, 60, 700)
            + f"EMC /Figure << /Alt ({HIDDEN}) >> BDC EMC"
        ),
    }


def visible_cases(m: Any) -> dict[str, Case]:
    text = m.show(HIDDEN, 60, 700)
    return {
        "black letters on a white halo": page(
            "1 G 3 w " + m.show(HIDDEN, 60, 700, before="1 Tr") + "0 G BT 0 Tr ET " + text
        ),
        "white on a dark box": page("0 g 50 690 400 30 re f 1 g " + text + "0 g"),
        "on a white box": page("1 g 50 690 400 30 re f 0 g " + text),
        "on an image": page(
            "q 400 0 0 30 50 690 cm /I Do Q " + text,
            "/XObject << /I 1000 0 R >>",
            objects={1000: m.stream(b"\xb0", PIXEL)},
        ),
        "red on a green as light": page("0 0.51 0 rg 50 690 400 30 re f 1 0 0 rg " + text + "0 g"),
        "grey": page("0.6 g " + text),
        "light grey": page("0.86 g " + text),
        "small light grey": page("0.8 g " + m.show(HIDDEN, 60, 700, size=5)),
        "three points": page(m.show(HIDDEN, 60, 700, size=3)),
        "narrow": page(m.show(HIDDEN, 60, 700, before="60 Tz")),
        "spaced": page(m.show(HIDDEN, 60, 700, before="3 Tc")),
        "outlined": page(m.show(HIDDEN, 60, 700, size=20, before="1 Tr 0.3 w")),
        "filled and outlined": page(m.show(HIDDEN, 60, 700, before="2 Tr 0.3 w")),
        "highlighted": page(text + "/G gs 1 1 0 rg 50 690 400 30 re f", "/ExtGState << /G << /BM /Multiply >> >>"),
        "under a thin veil": page(text + "/G gs 1 g 50 690 400 30 re f", "/ExtGState << /G << /ca 0.4 >> >>"),
        "struck out": page(text + "60 703 300 0.7 re f"),
        "under a grid": page(text + "".join(f"{60 + 12 * i} 690 0.4 30 re f " for i in range(20))),
        "struck twice for bold": page(text + m.show(HIDDEN, 60.3, 700)),
        "drawn twice": page(text + text),
        "white, then black over it": page("1 g " + text + "0 g " + text),
        "with a shadow": page("0.7 g " + m.show(HIDDEN, 61, 699, size=20) + "0 g " + m.show(HIDDEN, 60, 700, size=20)),
        "in a form": page("q 1 0 0 1 0 -20 cm /X Do Q", "/XObject << /X 1000 0 R >>", objects={1000: m.form(text)}),
        "in a layer switched on": page(
            "/OC /M BDC " + text + "EMC",
            "/Properties << /M 1000 0 R >>",
            objects=LAYER,
            catalog="/OCProperties << /OCGs [1000 0 R] /D << /ON [1000 0 R] >> >>",
        ),
        "a red pattern": page(
            "/Pattern cs /T scn " + text + "0 g",
            "/Pattern << /T 1000 0 R >>",
            objects={1000: m.stream("1 0 0 rg 0 0 5 5 re f", TILE)},
        ),
        "an open soft mask": page(
            "/G gs " + text,
            "/ExtGState << /G << /SMask << /S /Luminosity /G 1000 0 R >> >> >>",
            objects={1000: m.form("1 g 0 0 595 842 re f", GROUP)},
        ),
        "over a watermark": page("0.85 g " + m.show("DRAFT", 60, 640, size=150, font="F2") + "0 g " + text),
        "between tight lines": page(
            "".join(m.show(HIDDEN if i == 2 else "Yyggj qy of other lines", 60, 700 - 9 * i) for i in range(6))
        ),
        "inside the crop box": page(text, entries=A4 + " /CropBox [40 40 555 800]"),
        "on a page away from the origin": page(text, entries="/MediaBox [-100 -200 595 842]"),
        "on a page turned right": page(text, entries=A4 + " /Rotate 90"),
        "on a page turned over": page(text, entries=A4 + " /Rotate 180"),
        "on a cropped page turned left": page(text, entries=A4 + " /CropBox [40 40 555 800] /Rotate 270"),
        "on a poster": page(text, entries="/MediaBox [0 0 5000 5000]"),
        "in letters drawn by the file": page(
            m.show("drawn letters", 60, 720, font="T3") + text,
            fonts="/T3 1000 0 R",
            objects={1000: TYPE3.encode(), 1001: m.stream("600 0 d0 50 0 100 700 re f")},
        ),
    }


def shown(maker: Any, read_pdf: Callable[..., Any], case: Case) -> str:
    content, options = case
    pdf = maker.new(**options["pdf"])
    pdf.page(maker.show(PLAIN, 60, 780) + content, options["resources"], options["entries"])
    return " ".join(read_pdf(pdf.body).text.split())


# The cases need the maker, which is a fixture; their names do not.
class _Names:
    def __getattr__(self, _name: str) -> Callable[..., Any]:
        return lambda *_arguments, **_options: ""


@pytest.mark.parametrize("name", list(hidden_cases(_Names())))
def test_hidden_text_never_comes_out(maker: Any, read_pdf: Any, name: str) -> None:
    text = shown(maker, read_pdf, hidden_cases(maker)[name])
    assert text.startswith(PLAIN) or text.endswith(PLAIN)
    assert text.replace(PLAIN, "").replace(OTHER, "").strip() == ""


@pytest.mark.parametrize("name", list(visible_cases(_Names())))
def test_visible_text_is_never_taken_for_hidden(maker: Any, read_pdf: Any, name: str) -> None:
    text = shown(maker, read_pdf, visible_cases(maker)[name])
    assert PLAIN in text
    assert text.count(HIDDEN) == 1


def test_a_form_drawn_twice_is_read_twice(maker: Any, read_pdf: Any) -> None:
    pdf = maker.new(objects={1000: maker.form(maker.show(HIDDEN, 60, 700))})
    pdf.page("/X Do q 1 0 0 1 0 -90 cm /X Do Q", "/XObject << /X 1000 0 R >>")
    assert read_pdf(pdf.body).text.count(HIDDEN) == 2


def test_grey_figures_keep_their_commas(maker: Any, read_pdf: Any) -> None:
    pdf = maker.new().page("0.85 g " + maker.show("It carried 1,250.75 tonnes; i.e. less.", 60, 700, size=7))
    assert read_pdf(pdf.body).text == "It carried 1,250.75 tonnes; i.e. less."


def test_only_the_covered_word_goes(maker: Any, read_pdf: Any) -> None:
    sentence = maker.show("The bridge was never closed in 1932.", 60, 700)
    pdf = maker.new().page(sentence + "1 g 140.5 695 27.5 20 re f 0 g")
    assert read_pdf(pdf.body).text.split() == "The bridge was closed in 1932.".split()
