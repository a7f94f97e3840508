"""WARC files as an offline web: one pass finds every capture, then any page is read by itself.

The pass reads the whole file, so that damage anywhere is known before the first page is served, and keeps only
addresses. A damaged or truncated archive is refused, not used as far as it goes: an answer that says "the archive
has nothing on this" must not depend on where a download broke off. The refusal says how much is readable and how
to keep exactly that.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import ada_url

from affidavit.egress import body
from affidavit.egress.capture import Capture, Captures, without_fragment
from affidavit.egress.pages import Skipped
from affidavit.egress.record import Frame, digest_agrees, frames, parse
from affidavit.egress.source import GZIP, GZIP_MAGIC, Damaged, FileRange, Source, Unpacked
from affidavit.errors import ArchiveError, FailureKind, PageFailure
from affidavit.evidence.document import Fetched

if TYPE_CHECKING:
    from warcio.recordloader import ArcWarcRecord

WARC_MAGIC = b"WARC/"
# A stored response with its headers: the largest body, and what a coding that does not compress may add to it.
_MAX_RECORD = body.MAX_BODY + 1024 * 1024


@dataclass(frozen=True, slots=True)
class WarcSource:
    """One run of WARC bytes of an archive. `name` is for messages: the file, or the member of a WACZ.

    `plain_file` says that the run is a whole file, so that a readable part of it can be cut off with ``head``.
    """

    name: str
    source: Source
    plain_file: bool


class WarcArchive:
    """An `Archive` over one or more runs of WARC records. Holds no open file."""

    def __init__(self, path: Path, digest: str, sources: tuple[WarcSource, ...]) -> None:
        """Reads every record of `sources` once. Raises ArchiveError for damage, or where there is no page."""
        self.path = path
        self.digest = digest
        self._sources = sources
        self._stamp = _stamp(path)
        skipped: list[Skipped] = []
        captures: list[Capture] = []
        for index, part in enumerate(sources):
            captures += _scan(path, part, index, skipped)
        self._captures = Captures(captures)
        if self._captures.others:
            skipped.append(Skipped(f"{self._captures.others} addresses", "no pages: redirects, images, styles, feeds"))
        self.skipped = tuple(skipped)
        if not self._captures.pages:
            raise ArchiveError(
                f"{path}: the archive is sound but holds no page ({len(captures)} stored responses); "
                "give an archive whose crawl saved HTML, text or PDF responses"
            )

    def urls(self) -> tuple[str, ...]:
        return self._captures.pages

    def __len__(self) -> int:
        return len(self._captures.pages)

    def captures(self, url: str) -> tuple[str, ...]:
        return tuple(sorted(capture.time for capture in self._captures.of(url)))

    def get(self, url: str) -> Fetched:
        return self._read(url, self._captures.find(url))

    def pages(self) -> Iterator[Fetched | PageFailure]:
        for url in self.urls():
            try:
                page = self.get(url)
            except PageFailure as failure:
                page = failure
            yield page

    def _read(self, url: str, capture: Capture) -> Fetched:
        record, block = self._record(capture)
        if record.http_headers is None and not capture.revisit:
            raise PageFailure(FailureKind.BROKEN, url, "the stored response has no HTTP header")
        payload = block
        if capture.revisit:
            original, payload = self._record(self._captures.original(capture))
            # The payload was stored once, in the codings of that time, so those headers describe it.
            record = original
        headers = _headers(record)
        return Fetched(
            requested_url=url,
            final_url=capture.url,
            retrieved_at=capture.time,
            status=_status(record),
            headers=headers,
            body=body.decode(url, headers, payload),
        )

    def _record(self, capture: Capture) -> "tuple[ArcWarcRecord, bytes]":
        """The record of `capture` and its payload, checked against the digest the crawler wrote down."""
        if capture.size > _MAX_RECORD:
            raise PageFailure(
                FailureKind.TOO_LARGE,
                capture.url,
                f"the stored response has {capture.size:,} bytes; {_MAX_RECORD:,} are read",
            )
        if _stamp(self.path) != self._stamp:
            raise ArchiveError(f"{self.path}: the file changed while it was in use; run again on a file that rests")
        try:
            with self._sources[capture.source].source.open_at(capture.offset) as reader:
                raw = reader.read(capture.size)
        except (OSError, Damaged) as error:
            raise ArchiveError(f"{self.path}: cannot be read any more ({error}); run again when it is whole") from None
        record = parse(raw)
        payload: bytes = record.raw_stream.read()
        named = record.rec_headers.get_header("WARC-Block-Digest")
        if named is not None and digest_agrees(named, raw[-record.length :] if record.length else b"") is False:
            raise PageFailure(
                FailureKind.BROKEN, capture.url, "the stored response is not what was captured: its digest disagrees"
            )
        return record, payload


def open_warc(path: Path, *, compressed: bool) -> WarcArchive:
    """The WARC file at `path`. Raises ArchiveError."""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    whole = FileRange.whole(path)
    source = Unpacked(whole, GZIP, whole.size) if compressed else whole
    return WarcArchive(path, digest, (WarcSource(path.name, source, plain_file=True),))


def source_of(name: str, source: Source, size: int) -> WarcSource:
    """A run of WARC bytes inside another file, compressed or not as its first bytes say."""
    with source.open_at(0) as reader:
        magic = reader.read(2)
    packed = Unpacked(source, GZIP, size) if magic == GZIP_MAGIC else source
    return WarcSource(name, packed, plain_file=False)


def _scan(path: Path, part: WarcSource, index: int, skipped: list[Skipped]) -> Iterator[Capture]:
    source = part.source
    count = 0
    try:
        with source.scan() if isinstance(source, Unpacked) else source.open_at(0) as reader:
            for frame in frames(source, reader):
                count += 1
                yield from _capture(frame, index, skipped)
    except Damaged as damage:
        raise ArchiveError(_refusal(path, part, damage, count)) from None


def _refusal(path: Path, part: WarcSource, damage: Damaged, count: int) -> str:
    inside = "" if part.plain_file else f" in {part.name}"
    keep = ""
    if part.plain_file and count and damage.offset:
        keep = f", or keep what comes before with: head -c {damage.offset} {path.name} > readable-{path.name}"
    return f"{path}: {damage}{inside}, after {count:,} readable records; download or copy the archive again{keep}"


def _capture(frame: Frame, index: int, skipped: list[Skipped]) -> Iterator[Capture]:
    try:
        record = parse(frame.head)
    except ValueError as error:
        skipped.append(Skipped(f"record at byte {frame.offset:,}", str(error)))
        return
    if record.rec_type not in ("response", "revisit"):
        return
    uri: str = record.rec_headers.get_header("WARC-Target-URI") or ""
    if not uri.lower().startswith(("http:", "https:")):
        return
    time = _time(record.rec_headers.get_header("WARC-Date"))
    if not ada_url.check_url(uri) or time is None or _status(record) == 0:
        skipped.append(Skipped(uri, "its record lacks a web address, a time or an HTTP status"))
        return
    headers = dict(reversed(_headers(record)))
    named: str | None = record.rec_headers.get_header("WARC-Refers-To-Target-URI")
    named_time = _time(record.rec_headers.get_header("WARC-Refers-To-Date"))
    yield Capture(
        url=without_fragment(uri),
        time=time,
        status=_status(record),
        media_type=headers.get("content-type", ""),
        location=headers.get("location"),
        source=index,
        offset=frame.offset,
        size=frame.size,
        digest=record.rec_headers.get_header("WARC-Payload-Digest"),
        refers_to=(named, named_time) if named and named_time else None,
        revisit=record.rec_type == "revisit",
    )


def _status(record: "ArcWarcRecord") -> int:
    """The HTTP status; 0 if there is none. A revisit without HTTP header repeats a page that was there: 200."""
    if record.http_headers is None:
        return 200 if record.rec_type == "revisit" else 0
    code = str(record.http_headers.get_statuscode())
    return int(code) if code.isascii() and code.isdigit() and len(code) == 3 else 0


def _headers(record: "ArcWarcRecord") -> tuple[tuple[str, str], ...]:
    if record.http_headers is None:
        return ()
    pairs: list[tuple[str, str]] = record.http_headers.headers
    return tuple((name.strip().lower(), value.strip()) for name, value in pairs)


def _time(date: str | None) -> str | None:
    """A WARC date in seconds, UTC. None for what is no date."""
    try:
        moment = datetime.fromisoformat((date or "").strip())
    except ValueError:
        return None
    moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def _stamp(path: Path) -> tuple[int, int]:
    try:
        state = path.stat()
    except OSError as error:
        raise ArchiveError(f"{path}: gone while it was in use ({error.strerror}); put it back and run again") from None
    return state.st_size, state.st_mtime_ns
