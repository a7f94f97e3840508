"""A folder of pages as a small web site of its own.

Each page file gets an address on a host named after the folder: ``guides/a b.md`` of a folder ``Handbook`` is
``https://handbook.invalid/guides/a%20b.md``. ``.invalid`` can never exist on the internet (RFC 6761), relative
links between the pages resolve as on a web server, and every rule for URLs holds for them. The table of addresses
is made when the folder is opened and is the only way in: an address is looked up, never turned into a path, so no
address, however made, reaches another file.
"""

import hashlib
import os
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from urllib.parse import quote

from affidavit.egress.body import MAX_BODY
from affidavit.egress.capture import without_fragment
from affidavit.egress.pages import SUFFIXES, Skipped
from affidavit.errors import ArchiveError, FailureKind, PageFailure, UserError
from affidavit.evidence.document import Fetched
from affidavit.ranking.canonical import canonical_url

MAX_FILES = 200_000
_INDEX_NAMES = ("index.html", "index.htm", "index.xhtml", "index.md", "readme.md")
_ARCHIVE_SUFFIXES = (".warc", ".warc.gz", ".wacz")
_NOT_A_LABEL = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True, slots=True)
class _File:
    """A page file as it was when the folder was opened. `time` is its last change, ISO-8601 in UTC."""

    path: Path
    size: int
    sha256: str
    time: str
    media_type: str


class FolderArchive:
    """An `Archive` over the page files under one folder, hidden files and links out of it excepted."""

    def __init__(self, path: Path) -> None:
        """Reads every page file once, for the digest. Raises ArchiveError for a folder without pages."""
        self.path = path
        skipped: list[Skipped] = []
        root = path.resolve()
        self.host = f"https://{_label(root.name)}.invalid"
        self._files: dict[str, _File] = {}
        archives: list[str] = []
        for relative in _walk(path, root, skipped, archives):
            file = _read(path / relative, skipped, relative)
            if file is not None:
                self._files[f"{self.host}/{quote(os.fsencode(relative.as_posix()), safe=_URL_SAFE)}"] = file
        self.skipped = tuple(skipped)
        if not self._files:
            raise ArchiveError(_no_pages(path, skipped, archives))
        self._aliases = _aliases(self._files)
        self.digest = _digest(self.host, self._files)

    def urls(self) -> tuple[str, ...]:
        return tuple(self._files)

    def __len__(self) -> int:
        return len(self._files)

    def captures(self, url: str) -> tuple[str, ...]:
        found = self._find(url)
        return () if found is None else (self._files[found].time,)

    def get(self, url: str) -> Fetched:
        found = self._find(url)
        if found is None:
            raise PageFailure(FailureKind.NOT_FOUND, url, f"not in the folder, whose addresses begin with {self.host}/")
        file = self._files[found]
        try:
            # A file swapped for a link since then is not followed; what is read must be what was there.
            descriptor = os.open(file.path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0))
            with open(descriptor, "rb") as opened:  # noqa: PTH123 - a descriptor, not a path
                content = opened.read(file.size + 1)
        except OSError as error:
            raise PageFailure(FailureKind.BROKEN, url, f"its file cannot be read any more ({error.strerror})") from None
        if hashlib.sha256(content).hexdigest() != file.sha256:
            raise PageFailure(FailureKind.BROKEN, url, "its file changed while it was in use; run again")
        return Fetched(
            requested_url=url,
            final_url=found,
            retrieved_at=file.time,
            status=200,
            headers=(("content-type", file.media_type),),
            body=content,
        )

    def pages(self) -> Iterator[Fetched | PageFailure]:
        for url in self._files:
            try:
                page = self.get(url)
            except PageFailure as failure:
                page = failure
            yield page

    def _find(self, url: str) -> str | None:
        exact = without_fragment(url)
        if exact in self._files:
            return exact
        try:
            return self._aliases.get(canonical_url(exact))
        except UserError:
            return None


# RFC 3986, 3.3: what may stand unencoded in a path. "~" and the unreserved are never encoded by quote().
_URL_SAFE = "/!$&'()*+,;=:@"


def _walk(path: Path, root: Path, skipped: list[Skipped], archives: list[str]) -> Iterator[PurePosixPath]:
    """The page files, as paths relative to the folder, sorted. Links to folders are not followed: they may loop."""
    count = 0

    def refused(error: OSError) -> None:
        skipped.append(Skipped(str(error.filename), f"cannot be read ({error.strerror})"))

    for parent, folders, names in os.walk(path, onerror=refused):
        here = Path(parent)
        for name in [name for name in folders if (here / name).is_symlink()]:
            skipped.append(Skipped(_shown(here / name, path), "a link to a folder"))
        folders[:] = sorted(name for name in folders if not name.startswith(".") and not (here / name).is_symlink())
        for name in sorted(names):
            file = here / name
            if name.lower().endswith(_ARCHIVE_SUFFIXES):
                archives.append(_shown(file, path))
            if name.startswith(".") or file.suffix.lower() not in SUFFIXES:
                continue
            count += 1
            if count > MAX_FILES:
                raise ArchiveError(f"{path}: more than {MAX_FILES:,} page files; give a smaller folder")
            if file.is_symlink() and not _inside(file, root):
                skipped.append(Skipped(_shown(file, path), "a link that leads out of the folder"))
                continue
            yield PurePosixPath(file.relative_to(path).as_posix())


def _inside(file: Path, root: Path) -> bool:
    try:
        return file.resolve(strict=True).is_relative_to(root)
    except (OSError, RuntimeError):
        return False


def _read(file: Path, skipped: list[Skipped], relative: PurePosixPath) -> _File | None:
    try:
        target = file.resolve(strict=True)
        state = target.stat()
        if not target.is_file() or state.st_size > MAX_BODY:
            what = f"has {state.st_size:,} bytes; {MAX_BODY:,} are read" if target.is_file() else "is no regular file"
            skipped.append(Skipped(str(relative), what))
            return None
        with target.open("rb") as opened:
            content = opened.read(MAX_BODY + 1)
    except OSError as error:
        skipped.append(Skipped(str(relative), f"cannot be read ({error.strerror})"))
        return None
    time = datetime.fromtimestamp(int(state.st_mtime), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    media_type = SUFFIXES[file.suffix.lower()]
    return _File(target, len(content), hashlib.sha256(content).hexdigest(), time, media_type)


def _aliases(files: dict[str, _File]) -> dict[str, str]:
    """Other addresses by which a page is linked, in canonical form: as web servers and site builders serve files.

    The page's own spelling first, then its folder for an index page, then its name without the ending, where that
    is no other page's.
    """
    found: dict[str, str] = {}
    for url in files:
        found.setdefault(canonical_url(url), url)
    for name in _INDEX_NAMES:
        for url in files:
            folder, _, last = url.rpartition("/")
            if last.lower() == name:
                found.setdefault(canonical_url(folder + "/"), url)
    for url in files:
        stem, _, _ = url.rpartition(".")
        found.setdefault(canonical_url(stem), url)
    return found


def _digest(host: str, files: dict[str, _File]) -> str:
    """sha256 over every page's address, size and content hash: a renamed, changed or added page changes it."""
    digest = hashlib.sha256(host.encode())
    for url, file in sorted(files.items()):
        digest.update(f"\n{url} {file.size} {file.sha256}".encode())
    return digest.hexdigest()


def _label(name: str) -> str:
    """A DNS label that a person recognises the folder by."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    label = _NOT_A_LABEL.sub("-", plain).strip("-")[:40].strip("-")
    if not label:
        # A name in another script keeps its letters as punycode, a name of signs alone gets its hash.
        label = "folder-" + hashlib.sha256(name.encode()).hexdigest()[:8]
    return label


def _no_pages(path: Path, skipped: list[Skipped], archives: list[str]) -> str:
    if archives:
        return f"{path}: no pages, but archives ({', '.join(archives[:3])}): name the archive itself"
    if skipped:
        return f"{path}: no page that can be read ({skipped[0].name}: {skipped[0].reason}); check its files"
    kinds = ", ".join(sorted(SUFFIXES))
    return f"{path}: a folder without pages; put files there that end in one of {kinds}"


def _shown(file: Path, root: Path) -> str:
    return file.relative_to(root).as_posix()
