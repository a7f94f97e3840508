"""What a person names as a source: a file, a folder, an archive, or an address to be read from an archive.

A file gets a made-up address under ``.invalid`` that no page can link to, as the pages of a folder do; beside it stands
the path that the person gave, which is what reports show.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

from affidavit.egress.archive import Archive, open_archive
from affidavit.egress.body import MAX_BODY
from affidavit.egress.folder import FolderArchive
from affidavit.egress.pages import SUFFIXES
from affidavit.errors import ArchiveError, FailureKind, PageFailure, UserError
from affidavit.evidence.document import Fetched

HOST = "https://source.invalid"
_ARCHIVES = (".warc", ".warc.gz", ".wacz")
_ADDRESS = re.compile(r"https?://", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Given:
    """One page that was given as a source: what was read of it, or why nothing was. `path` is None for an address."""

    name: str
    path: str | None
    page: Fetched | PageFailure


def is_address(text: str) -> bool:
    return _ADDRESS.match(text) is not None


def given_pages(sources: Sequence[str], archives: Sequence[Archive]) -> Iterator[Given]:
    """Every page of `sources`; of `archives` those that a source names by address, all of them where none does.

    What cannot be read comes as its failure, so that one bad file does not end a check.
    """
    addresses = [source for source in sources if is_address(source)]
    for source in sources:
        if is_address(source):
            yield _from_archives(source, archives)
        else:
            yield from _from_path(Path(source).expanduser(), source)
    if not addresses:
        for archive in archives:
            yield from _all_of(archive)


def _from_archives(url: str, archives: Sequence[Archive]) -> Given:
    if not archives:
        raise UserError(f"{url}: pages of the web are read from an archive; name one with --web FILE")
    failure = PageFailure(FailureKind.NOT_FOUND, url, "not in the archives given with --web")
    for archive in archives:
        try:
            return Given(url, None, archive.get(url))
        except PageFailure as error:
            if error.kind is not FailureKind.NOT_FOUND:
                failure = error
    return Given(url, None, failure)


def _from_path(path: Path, shown: str) -> Iterator[Given]:
    if not path.exists():
        raise UserError(f"{shown}: there is no such file or folder; check the path")
    if path.is_dir() or path.name.lower().endswith(_ARCHIVES):
        try:
            archive = FolderArchive(path) if path.is_dir() else open_archive(path)
        except ArchiveError as error:
            yield Given(shown, shown, PageFailure(FailureKind.BROKEN, shown, str(error)))
            return
        yield from _all_of(archive)
    else:
        yield Given(shown, shown, _file(path, shown))


def _all_of(archive: Archive) -> Iterator[Given]:
    folder = isinstance(archive, FolderArchive)
    for page in archive.pages():
        url = page.url if isinstance(page, PageFailure) else page.final_url
        if isinstance(page, PageFailure) and page.kind is FailureKind.REDIRECT_STUB:
            continue
        path = str(archive.path / unquote(urlsplit(url).path).lstrip("/")) if folder else None
        yield Given(path or url, path, page)
    for skipped in archive.skipped if folder else ():
        path = str(archive.path / skipped.name)
        yield Given(path, path, PageFailure(FailureKind.BROKEN, path, skipped.reason))


def _file(path: Path, shown: str) -> Fetched | PageFailure:
    try:
        state = path.stat()
        if not path.is_file():
            return PageFailure(FailureKind.BAD_TYPE, shown, "neither a file nor a folder (a pipe or a device)")
        if state.st_size > MAX_BODY:
            detail = f"it has {state.st_size:,} bytes; {MAX_BODY:,} are read"
            return PageFailure(FailureKind.TOO_LARGE, shown, detail)
        body = path.read_bytes()
    except OSError as error:
        return PageFailure(FailureKind.BROKEN, shown, f"it cannot be read ({error.strerror or error})")
    time = datetime.fromtimestamp(int(state.st_mtime), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return as_page(shown, body, SUFFIXES.get(path.suffix.lower(), "text/plain"), time)


def as_page(name: str, body: bytes, media_type: str, time: str) -> Fetched:
    """The bytes of a file as a response from a made-up address that has its name."""
    url = f"{HOST}/{quote(Path(name).as_posix().lstrip('/'), safe='/')}"
    return Fetched(
        requested_url=url,
        final_url=url,
        retrieved_at=time,
        status=200,
        headers=(("content-type", media_type),),
        body=body,
    )
