"""Bytes of a page to characters, by the rules a browser follows.

The order is the web's own: byte-order mark, HTTP header, declaration in the first 1,024 bytes, then the bytes
themselves. A label means what the WHATWG Encoding Standard says it means (``iso-8859-1`` is windows-1252). Only
when nothing is declared, or the declaration cannot be true, do the bytes decide; `Decoded.decided_by` says which
it was, because a guess is weaker ground for a quotation than a declaration.
"""

import codecs
import re
from dataclasses import dataclass
from enum import StrEnum

import webencodings

# The HTML Standard lets a declaration count within this many bytes; later ones are read only before guessing.
_PRESCAN_BYTES = 1024
_LATE_PRESCAN_BYTES = 64 * 1024
_GUESS_BYTES = 64 * 1024
# Below this many bytes outside ASCII a statistical guess is noise; windows-1252 is the web's fallback.
_GUESS_MINIMUM = 24
# So many multi-byte characters in a body that is valid UTF-8 throughout outweigh another label.
_CONTRADICTIONS = 3
# So many broken bytes are an accident on a page whose characters are all ASCII otherwise.
_STRAY_BYTES = 3

_META = re.compile(rb"<meta\b[^>]{0,1000}?\bcharset\s*=\s*[\"']?\s*([A-Za-z0-9_.:\-]{1,40})", re.IGNORECASE)
_XML = re.compile(rb"^\s*<\?xml\b[^>]{0,200}?\bencoding\s*=\s*[\"']([A-Za-z0-9_.:\-]{1,40})[\"']", re.IGNORECASE)
_HEADER = re.compile(r"charset\s*=\s*[\"']?\s*([A-Za-z0-9_.:\-]{1,40})", re.IGNORECASE)
_COMMENT = re.compile(rb"<!--.*?(?:-->|\Z)", re.DOTALL)
_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16le"), (codecs.BOM_UTF16_BE, "utf-16be"))
_NOT_ASCII = re.compile(rb"[\x80-\xff]")


class DecidedBy(StrEnum):
    """What settled the encoding, from the surest to the weakest."""

    BOM = "bom"
    HEADER = "header"
    META = "meta"
    XML = "xml"
    SHAPE = "shape"
    VALID_UTF8 = "valid_utf8"
    LATE_META = "late_meta"
    GUESS = "guess"
    FALLBACK = "fallback"


@dataclass(frozen=True, slots=True)
class Decoded:
    """Text, the encoding's WHATWG name, what settled it, and whether bytes were replaced by U+FFFD."""

    text: str
    encoding: str
    decided_by: DecidedBy
    lossy: bool


def decode(body: bytes, content_type: str | None) -> Decoded:
    """Decode `body` as received with that Content-Type value. Never fails: broken bytes become U+FFFD and `lossy`."""
    for mark, name in _BOMS:
        if body.startswith(mark):
            return _with(name, DecidedBy.BOM, body[len(mark) :])
    for name, origin in _declared(body, content_type):
        if (believed := _believed(body, name, origin)) is not None:
            return believed
    shape = _utf16_shape(body)
    if shape is not None:
        return _with(shape, DecidedBy.SHAPE, body)
    utf8 = _with("utf-8", DecidedBy.VALID_UTF8, body)
    if not utf8.lossy:
        return utf8
    late = _label(_META.search(_COMMENT.sub(b"", body[:_LATE_PRESCAN_BYTES])))
    if late is not None and not (decoded := _with(late, DecidedBy.LATE_META, body)).lossy:
        return decoded
    return _guess(body)


def _declared(body: bytes, content_type: str | None) -> list[tuple[str, DecidedBy]]:
    """The declarations with a label that exists, in order of authority: header, meta, XML."""
    header = _HEADER.search(content_type or "")
    head = body[:_PRESCAN_BYTES]
    found = (
        (_known(header.group(1)) if header else None, DecidedBy.HEADER),
        (_label(_META.search(_COMMENT.sub(b"", head))), DecidedBy.META),
        (_label(_XML.search(head)), DecidedBy.XML),
    )
    return [(name, origin) for name, origin in found if name is not None]


def _label(match: re.Match[bytes] | None) -> str | None:
    """A declaration inside the bytes. One that could be read cannot be UTF-16: it means UTF-8 by the standard."""
    if match is None:
        return None
    name = _known(match.group(1).decode("ascii"))
    if name in ("utf-16le", "utf-16be"):
        return "utf-8"
    return "windows-1252" if name == "x-user-defined" else name


def _known(label: str) -> str | None:
    """The WHATWG encoding of a label; None for labels nobody may use (``replacement``, UTF-7 and unknown ones)."""
    found = webencodings.lookup(label)
    return None if found is None or found.name == "replacement" else found.name


def _believed(body: bytes, name: str, origin: DecidedBy) -> Decoded | None:
    """The text under a declaration, unless the bytes plainly contradict it.

    They do when the declared UTF-8 is broken more often than sound, when the declared encoding cannot decode the
    bytes and UTF-8 can, or when a body under another label holds several multi-byte characters and is valid UTF-8
    throughout: legacy text practically never is. A browser would show the reader of such a page rubbish.
    """
    decoded = _with(name, origin, body)
    if name == "utf-8":
        return decoded if not decoded.lossy or _mostly_utf8(decoded.text) else None
    if name in ("utf-16le", "utf-16be") or _NOT_ASCII.search(body) is None:
        return decoded
    utf8 = _with("utf-8", DecidedBy.VALID_UTF8, body)
    if not utf8.lossy and (decoded.lossy or _beyond_ascii(utf8.text) >= _CONTRADICTIONS):
        return None
    return decoded


def _beyond_ascii(text: str) -> int:
    return sum(1 for character in text if character > "\x7f" and character != "\ufffd")


def _mostly_utf8(text: str) -> bool:
    """Whether a broken UTF-8 text is UTF-8 with a few broken bytes, not another encoding under a wrong label."""
    return text.count("\ufffd") <= max(_STRAY_BYTES, _beyond_ascii(text))


def _utf16_shape(body: bytes) -> str | None:
    """UTF-16 without mark or label: every second byte of the opening is NUL, the others are not."""
    head = body[:64]
    if len(head) < 8 or b"\0" not in head:
        return None
    even, odd = head[0::2], head[1::2]
    if even.count(0) > 0.8 * len(even) and odd.count(0) == 0:
        return "utf-16be"
    if odd.count(0) > 0.8 * len(odd) and even.count(0) == 0:
        return "utf-16le"
    return None


def _guess(body: bytes) -> Decoded:
    """No usable declaration and no UTF-8: ask charset-normalizer where there is enough to judge by."""
    if len(_NOT_ASCII.findall(body)) >= _GUESS_MINIMUM:
        from charset_normalizer import from_bytes  # late: 60 ms of tables that a declared page never needs

        best = from_bytes(body[:_GUESS_BYTES]).best()
        name = _known(best.encoding.replace("_", "-")) if best is not None else None
        if name is not None and not (decoded := _with(name, DecidedBy.GUESS, body)).lossy:
            return decoded
    return _with("windows-1252", DecidedBy.FALLBACK, body)


def _with(name: str, decided_by: DecidedBy, body: bytes) -> Decoded:
    encoding = webencodings.lookup(name)
    if encoding is None:
        raise ValueError(f"{name!r} is no WHATWG encoding label")
    try:
        text, lossy = encoding.codec_info.decode(body, "strict")[0], False
    except UnicodeDecodeError:
        text, lossy = encoding.codec_info.decode(body, "replace")[0], True
    return Decoded(text.removeprefix("\ufeff"), name, decided_by, lossy)
