"""A stand-in for every font that a PDF names but does not carry.

pdfium borrows such fonts from the machine. On a machine without them their letters are not drawn, and a look at
the drawn page would take honest text for hidden; on another machine the same bytes would give another text, and a
bundle would not verify there. So no machine font is ever used: pdfium's own fourteen standard fonts, and for the
rest this one, in which every character is the same upright bar. It says nothing of a letter's shape and everything
of whether ink lies where the letter stands.

The bar is narrow because pdfium squeezes a borrowed glyph wider than the width the PDF states, and centres a
narrower one: no bar then reaches into its neighbour's place.
"""

import ctypes
import struct
from functools import cache
from itertools import pairwise
from typing import Any

_UNITS = 1000
_ADVANCE = 250
_LEFT, _RIGHT, _BOTTOM, _TOP = 40, 210, -100, 820
_HANDLE = 1  # any non-null handle: there is one font

# The standard fonts every reader holds (ISO 32000-1, 9.6.2.2), as pdfium names them: Arial is asked for as Helvetica.
_STANDARD = frozenset(
    {
        *(f"Courier{style}" for style in ("", "-Bold", "-BoldOblique", "-Oblique")),
        *(f"Helvetica{style}" for style in ("", "-Bold", "-BoldOblique", "-Oblique")),
        *(f"Times{style}" for style in ("-Roman", "-Bold", "-BoldItalic", "-Italic")),
        "Symbol",
        "ZapfDingbats",
    }
)


@cache
def stand_in_font() -> bytes:
    """A TrueType font of two equal glyphs, with a many-to-one character map (cmap format 13) over all of Unicode."""
    glyph = _bar()
    tables = {
        b"OS/2": _os2(),
        b"cmap": struct.pack(">HHHHL", 0, 1, 3, 10, 12) + struct.pack(">HHLLL3L", 13, 0, 28, 0, 1, 1, 0x10FFFF, 1),
        b"glyf": glyph + glyph,
        b"head": struct.pack(
            ">LLLLHHQQhhhhHHhhh",
            *(0x00010000, 0x00010000, 0, 0x5F0F3CF5, 0x000B, _UNITS, 0, 0),
            *(_LEFT, _BOTTOM, _RIGHT, _TOP, 0, 8, 2, 1, 0),
        ),
        b"hhea": struct.pack(">Lhhh", 0x00010000, 880, -120, 0)
        + struct.pack(">Hhhhhhh8xhH", _ADVANCE, _LEFT, _ADVANCE - _RIGHT, _RIGHT, 1, 0, 0, 0, 2),
        b"hmtx": struct.pack(">HhHh", _ADVANCE, _LEFT, _ADVANCE, _LEFT),
        b"loca": struct.pack(">3L", 0, len(glyph), 2 * len(glyph)),
        b"maxp": struct.pack(">LHHH", 0x00010000, 2, 4, 1) + struct.pack(">11H", 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0),
        b"name": struct.pack(">HHH", 0, 0, 6),
        b"post": struct.pack(">LLhhLLLLL", 0x00030000, 0, -100, 50, 0, 0, 0, 0, 0),
    }
    return _assemble(tables)


def _bar() -> bytes:
    """One simple glyph of four corners, padded to four bytes."""
    corners = [(_LEFT, _BOTTOM), (_LEFT, _TOP), (_RIGHT, _TOP), (_RIGHT, _BOTTOM)]
    steps = [(x - px, y - py) for (px, py), (x, y) in pairwise([(0, 0), *corners])]
    data = struct.pack(">hhhhh", 1, _LEFT, _BOTTOM, _RIGHT, _TOP) + struct.pack(">HH", 3, 0)
    data += bytes([1]) * len(corners)
    data += b"".join(struct.pack(">h", x) for x, _ in steps) + b"".join(struct.pack(">h", y) for _, y in steps)
    return data + b"\0" * (-len(data) % 4)


def _os2() -> bytes:
    return struct.pack(
        ">HhHHH11h10s4L4sHHHhhhHH",
        *(0, 500, 400, 5, 0),
        *(650, 600, 0, 75, 650, 600, 0, 350, 50, 250, 0),
        *(b"\0" * 10, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, b"    "),
        *(0x40, 1, 0xFFFF, 820, -100, 0, 880, 120),
    )


def _assemble(tables: dict[bytes, bytes]) -> bytes:
    """The table directory and the tables, each padded to four bytes. Checksums are zero: pdfium does not read them."""
    count = len(tables)
    power = 1 << (count.bit_length() - 1)
    offset = 12 + 16 * count
    directory = struct.pack(">LHHHH", 0x00010000, count, power * 16, power.bit_length() - 1, (count - power) * 16)
    body = b""
    for tag, data in sorted(tables.items()):
        directory += struct.pack(">4sLLL", tag, 0, offset + len(body), len(data))
        body += data + b"\0" * (-len(data) % 4)
    return directory + body


@cache
def install(raw: Any) -> Any:
    """Make pdfium (`raw` is ``pypdfium2.raw``) use the stand-in instead of the machine's fonts, for this process.

    The returned structure holds the callbacks: they must live as long as the process, which the cache sees to.
    """
    callbacks = {
        "Release": _nothing,
        "EnumFonts": _nothing,
        "MapFont": _map_font,
        "GetFont": _get_font,
        "GetFontData": _font_data,
        "GetFaceName": _face_name,
        "GetFontCharset": _charset,
        "DeleteFont": _nothing,
    }
    info = raw.FPDF_SYSFONTINFO()
    info.version = 1
    types = dict(raw.FPDF_SYSFONTINFO._fields_)
    for name, callback in callbacks.items():
        setattr(info, name, types[name](callback))
    raw.FPDF_SetSystemFontInfo(info)
    return info


def _nothing(*_arguments: Any) -> None:
    """There is nothing to release, list or delete."""


def _map_font(_info: Any, _weight: int, _italic: int, _charset: int, _pitch: int, face: Any, _exact: Any) -> int | None:
    """The stand-in, or None for a font that pdfium holds itself."""
    name = ctypes.cast(face, ctypes.c_char_p).value or b""
    return None if name.decode("latin-1") in _STANDARD else _HANDLE


def _get_font(_info: Any, _face: Any) -> int:
    return _HANDLE


def _font_data(_info: Any, _handle: Any, table: int, buffer: Any, size: int) -> int:
    """Copy the font where `buffer` can hold it; its length in bytes. Single tables (`table` not 0) are not served."""
    return 0 if table else _copy(stand_in_font(), buffer, size)


def _face_name(_info: Any, _handle: Any, buffer: Any, size: int) -> int:
    return _copy(b"StandIn\0", buffer, size)


def _charset(_info: Any, _handle: Any) -> int:
    return 0


def _copy(data: bytes, buffer: Any, size: int) -> int:
    if buffer and size >= len(data):
        ctypes.memmove(buffer, data, len(data))
    return len(data)
