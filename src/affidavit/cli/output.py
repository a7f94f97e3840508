"""Where a rendering goes: the format a file's ending asks for, and a file written whole or not at all."""

import os
import tempfile
from pathlib import Path

from affidavit.errors import UserError

FORMATS = ("terminal", "md", "html", "json", "bibtex", "ris", "csl")

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


def format_for(path: Path, asked: str | None) -> str:
    """`asked` if given, else what the ending of `path` says. Raises UserError for an ending that says nothing."""
    found = asked or _ENDINGS.get(path.suffix.lower())
    if found is None:
        raise UserError(f"{path}: the ending {path.suffix!r} names no format; add --format {'|'.join(FORMATS)}")
    return found


def write_file(path: Path, text: str) -> None:
    """Write `text` to `path`, replacing it only once everything is on the disk. Raises OSError."""
    handle, name = tempfile.mkstemp(dir=path.absolute().parent, prefix=f".{path.name}.")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(0o666 & ~_umask())
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current
