"""Where a rendering goes: the format a file's ending asks for, and a file written whole or not at all."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from affidavit.errors import UserError
from affidavit.ledger.refusal import refused
from affidavit.ledger.whole_file import write_whole
from affidavit.report import FORMATS

CHECK_ENDINGS = {
    ".txt": "terminal",
    ".md": "md",
    ".markdown": "md",
    ".html": "html",
    ".htm": "html",
    ".json": "json",
    ".sarif": "sarif",
}
PIECE_ENDINGS = {ending: name for ending, name in CHECK_ENDINGS.items() if name != "sarif"}
_ENDINGS = {
    ".txt": "terminal",
    ".md": "md",
    ".markdown": "md",
    ".html": "html",
    ".htm": "html",
    ".json": "json",
    ".bib": "bibtex",
    ".ris": "ris",
}

ENDINGS = MappingProxyType(
    {
        "terminal": ".txt",
        "md": ".md",
        "html": ".html",
        "json": ".json",
        "bibtex": ".bib",
        "ris": ".ris",
        "csl": ".csl.json",
    }
)
"""How a file of each format ends."""


def format_for(
    path: Path,
    asked: str | None,
    endings: Mapping[str, str] = MappingProxyType(_ENDINGS),
    formats: Sequence[str] = FORMATS,
) -> str:
    """`asked` if given, else what the ending of `path` says. Raises UserError for an ending that says nothing."""
    found = asked or endings.get(path.suffix.lower())
    if found is None:
        raise UserError(f"{path}: the ending {path.suffix!r} names no format; add --format {'|'.join(formats)}")
    return found


def write_file(path: Path, text: str) -> None:
    """Write `text` to `path`, replacing it only once everything is on the disk. Raises StorageError."""
    try:
        write_whole(path, text.encode())
    except OSError as error:
        raise refused(path, "write the report", error) from error


def read_key(path: Path) -> bytes:
    """The bytes of a key file. Raises UserError."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise UserError(f"{path}: the key cannot be read: {error.strerror or error}") from error
