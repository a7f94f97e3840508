"""An archive is a web that does not change: addresses, and what was stored for each.

`open_archive` says by content, not by name, what lies at a path. Nothing above this file knows which kind it got,
and nothing that a model writes reaches a file: an `Archive` takes URLs and looks them up (contract G8).
"""

import stat
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from affidavit.egress.folder import FolderArchive
from affidavit.egress.pages import Skipped
from affidavit.egress.source import GZIP, GZIP_MAGIC
from affidavit.egress.wacz import ZIP_MAGIC, open_wacz
from affidavit.egress.warc import WARC_MAGIC, open_warc
from affidavit.errors import ArchiveError, PageFailure
from affidavit.evidence.document import Fetched

_KINDS = "give a WARC file (.warc, .warc.gz), a WACZ file, or a folder of pages"

# First bytes of what people give instead of an archive, with what to do about it.
_OTHERS = (
    (b"filedesc:", "an ARC file; convert it with: warcio recompress OLD.arc.gz NEW.warc.gz"),
    (b"%PDF", "a PDF; to search one document, give the folder it lies in"),
    (b"<!doctype", "an HTML page; to search saved pages, give the folder they lie in"),
    (b"<html", "an HTML page; to search saved pages, give the folder they lie in"),
    (b"PK\x05\x06", f"an empty zip; {_KINDS}"),
    (b"SQLite format 3", f"a database; {_KINDS}"),
)


class Archive(Protocol):
    """Stored pages by URL. Safe to use from several threads; holds no open file.

    `digest` is a sha256 in hex over the content: the same pages, the same digest, wherever they lie. `skipped`
    says what the archive holds and does not serve.
    """

    path: Path
    digest: str
    skipped: tuple[Skipped, ...]

    def urls(self) -> tuple[str, ...]:
        """The URL of every page (no redirects, images or scripts), each once, in the archive's order."""
        ...

    def __len__(self) -> int:
        """How many pages there are: ``len(urls())``."""
        ...

    def get(self, url: str) -> Fetched:
        """What was stored for `url`: exactly that spelling, else its canonical form; redirects followed.

        `final_url` is the address the archive holds it under; the body is decoded, the headers are as stored.
        Raises PageFailure: NOT_FOUND, ERROR (redirect loop), BROKEN, TOO_LARGE, BAD_TYPE. Raises ArchiveError if
        the archive itself is gone or changed since it was opened.
        """
        ...

    def pages(self) -> Iterator[Fetched | PageFailure]:
        """Every page in order, one in memory at a time; a page that cannot be read comes as its failure."""
        ...

    def captures(self, url: str) -> tuple[str, ...]:
        """The times (ISO-8601, UTC) at which `url` was stored, oldest first; empty if it never was."""
        ...


def open_archive(path: Path) -> Archive:
    """The archive at `path`. Raises ArchiveError, in one line that names the path and what to do."""
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            return FolderArchive(path)
        if not stat.S_ISREG(mode):
            raise ArchiveError(f"{path}: neither a file nor a folder (a pipe or a device); {_KINDS}")
        with path.open("rb") as file:
            start = file.read(64 * 1024)
        return _by_content(path, start)
    except FileNotFoundError:
        raise ArchiveError(f"{path}: there is no such file or folder; check the path") from None
    except PermissionError:
        raise ArchiveError(f"{path}: no permission to read it; change its permissions or copy it") from None
    except OSError as error:
        raise ArchiveError(f"{path}: cannot be read ({error.strerror or error}); check the disk and the path") from None


def _by_content(path: Path, start: bytes) -> Archive:
    if not start:
        raise ArchiveError(f"{path}: the file is empty; {_KINDS}")
    if start.startswith(WARC_MAGIC):
        return open_warc(path, compressed=False)
    if start.startswith(ZIP_MAGIC):
        return open_wacz(path)
    if start.startswith(GZIP_MAGIC):
        inside = _gunzip_start(path, start)
        if inside.startswith(WARC_MAGIC):
            return open_warc(path, compressed=True)
        start = inside
    known = start.lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    for magic, what in _OTHERS:
        if known.startswith(magic.lower()):
            raise ArchiveError(f"{path}: {what}")
    raise ArchiveError(f"{path}: not an archive that is known; {_KINDS}")


def _gunzip_start(path: Path, start: bytes) -> bytes:
    try:
        return zlib.decompressobj(GZIP).decompress(start, 1024)
    except zlib.error as error:
        raise ArchiveError(f"{path}: damaged at its very start ({error}); download or copy it again") from None
