"""Where pages come from: the `Web` protocol, and archives as one.

The gateway asks a `Web` only for what it has allowed. The live web will be another `Web`; nothing above the
gateway can tell which it has.
"""

import asyncio
from collections.abc import Sequence
from typing import Protocol

from affidavit.egress.archive import Archive
from affidavit.egress.folder import FolderArchive
from affidavit.errors import ArchiveError, FailureKind, PageFailure
from affidavit.evidence.document import Fetched


class Web(Protocol):
    """Gives pages by URL."""

    async def fetch(self, url: str) -> Fetched:
        """The page at `url`, redirects followed. Raises PageFailure."""
        ...


class ArchiveWeb:
    """Several archives as one web: the first that holds an address answers for it."""

    def __init__(self, archives: Sequence[Archive]) -> None:
        """Raises ArchiveError for no archives, and for two folders that would be one host."""
        if not archives:
            raise ArchiveError("no archive was given; name a WARC, a WACZ or a folder of pages")
        _refuse_twins(archives)
        self._archives = tuple(archives)

    async def fetch(self, url: str) -> Fetched:
        return await asyncio.to_thread(self._get, url)

    def _get(self, url: str) -> Fetched:
        failures: list[PageFailure] = []
        for archive in self._archives:
            try:
                return archive.get(url)
            except PageFailure as failure:
                # An archive that knows the address, and cannot give the page, answers for it.
                if failure.kind is not FailureKind.NOT_FOUND or archive.captures(url):
                    raise
                failures.append(failure)
        if len(failures) == 1:
            raise failures[0]
        raise PageFailure(FailureKind.NOT_FOUND, url, f"none of the {len(failures)} archives holds it")


def _refuse_twins(archives: Sequence[Archive]) -> None:
    """Two folders of one name have one host: an address would mean a page of either."""
    hosts: dict[str, FolderArchive] = {}
    for archive in archives:
        if not isinstance(archive, FolderArchive):
            continue
        twin = hosts.setdefault(archive.host, archive)
        if twin.digest != archive.digest:
            raise ArchiveError(
                f"{twin.path} and {archive.path}: two folders of one name cannot be told apart by address; "
                "rename one, or give the folder above both"
            )
