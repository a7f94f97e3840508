"""Where pages come from: the `Web` protocol, archives as one, and several webs as one.

The gateway asks a `Web` only for what it has allowed, and hands it a `Watch`: whoever follows a redirect asks the
watch before each hop and tells it of each request. Nothing above the gateway can tell which web it has.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from affidavit.egress.archive import Archive
from affidavit.egress.folder import FolderArchive
from affidavit.egress.reason import Reason
from affidavit.egress.target import Target
from affidavit.errors import ArchiveError, FailureKind, PageFailure
from affidavit.evidence.document import Fetched


@dataclass(frozen=True, slots=True, kw_only=True)
class Hop:
    """One request that was made, or one that was about to be and was refused.

    `reason` is a `Reason` or a `FailureKind`. `address` is the one connected to, or the one refused. `bytes` are of
    the body as a reader gets it, `received` as they came over the wire. `purpose` is ``page`` or ``robots``.
    """

    url: str
    allowed: bool
    reason: str
    address: str | None = None
    status: int | None = None
    bytes: int = 0
    received: int = 0
    seconds: float = 0.0
    purpose: str = "page"


class Watch(Protocol):
    """Who decides about each hop of one fetch, and writes it down."""

    def permit(self, target: Target) -> Reason | None:
        """Why `target` may not be asked for, or None if it may."""
        ...

    def record(self, hop: Hop) -> None:
        """Write `hop` down. What this raises must stop the fetch."""
        ...


class Web(Protocol):
    """Gives pages by URL."""

    async def fetch(self, url: str, watch: Watch) -> Fetched:
        """The page at `url`, redirects followed. Raises PageFailure.

        A web that makes requests records each as a hop; one that looks addresses up records none.
        """
        ...


class ArchiveWeb:
    """Several archives as one web: the first that holds an address answers for it."""

    def __init__(self, archives: Sequence[Archive]) -> None:
        """Raises ArchiveError for no archives, and for two folders that would be one host."""
        if not archives:
            raise ArchiveError("no archive was given; name a WARC, a WACZ or a folder of pages")
        _refuse_twins(archives)
        self._archives = tuple(archives)

    async def fetch(self, url: str, watch: Watch | None = None) -> Fetched:  # noqa: ARG002 - it makes no request
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


class LayeredWeb:
    """Several webs as one: the next is asked where the one before has not got the page. Archives go first."""

    def __init__(self, webs: Sequence[Web]) -> None:
        if not webs:
            raise ValueError("a layered web has at least one layer")
        self._webs = tuple(webs)

    async def fetch(self, url: str, watch: Watch) -> Fetched:
        *earlier, last = self._webs
        for web in earlier:
            try:
                return await web.fetch(url, watch)
            except PageFailure as failure:
                if failure.kind is not FailureKind.NOT_FOUND:
                    raise
        return await last.fetch(url, watch)


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
