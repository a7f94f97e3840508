"""Keeps what was fetched as a WARC file: the ecosystem's own evidence format, and an archive that `--web` reads again.

Each response is one record and one gzip member, written in one piece, so a crash loses at most the record it
interrupts. Bodies stand with their content coding on, as they came, and header values as they were read: warcio's own
writer would percent-encode what is not ASCII, and the page read again would not be the page. There is no file until
there is a response.
"""

import base64
import gzip
import hashlib
import os
import re
import threading
import uuid
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import IO

from affidavit.egress.received import Received
from affidavit.errors import StorageError
from affidavit.own_folder import make_own_folder
from affidavit.version import __version__

_LINE_ENDS = re.compile(r"[\r\n\0]+")


class WarcWriter:
    """Appends records to the file at `path` (``.warc.gz``). Safe to use from several threads; a context manager."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.records = 0
        self._file: IO[bytes] | None = None
        self._lock = threading.Lock()

    def write(self, received: Received) -> None:
        """Append `received`. On return it is in the file. Raises StorageError."""
        data = _record(received)
        with self._lock:
            try:
                if self._file is None:
                    make_own_folder(self.path.parent)
                    self._file = self.path.open("ab")
                    if self._file.tell() == 0:
                        self._file.write(_info(self.path.name))
                self._file.write(data)
                self._file.flush()
            except OSError as error:
                raise StorageError(
                    f"{self.path}: a fetched page cannot be kept ({error.strerror}); make room, or set data_dir to "
                    "another disk"
                ) from error
            self.records += 1

    def close(self) -> None:
        with self._lock:
            if self._file is not None:
                os.fsync(self._file.fileno())
                self._file.close()
                self._file = None

    def __enter__(self) -> "WarcWriter":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self.close()


def _record(received: Received) -> bytes:
    """A response record. Its digests are what the reader checks the page against."""
    lines = [f"HTTP/1.1 {received.status} {received.phrase}"]
    lines += [f"{name}: {len(received.raw) if name == 'content-length' else value}" for name, value in received.headers]
    block = _lines(lines) + received.raw
    fields = [
        ("WARC-Type", "response"),
        ("WARC-Target-URI", received.url),
        ("WARC-Date", received.retrieved_at),
        ("WARC-Payload-Digest", _digest(received.raw)),
        ("WARC-Block-Digest", _digest(block)),
        ("Content-Type", "application/http; msgtype=response"),
    ]
    if received.address is not None:
        fields.insert(3, ("WARC-IP-Address", received.address))
    return _member(fields, block)


def _info(name: str) -> bytes:
    block = f"software: affidavit {__version__}\r\nformat: WARC File Format 1.1\r\n".encode()
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    fields = [("WARC-Type", "warcinfo"), ("WARC-Date", now), ("WARC-Filename", name)]
    return _member([*fields, ("Content-Type", "application/warc-fields")], block)


def _member(fields: list[tuple[str, str]], block: bytes) -> bytes:
    lines = ["WARC/1.1", f"WARC-Record-ID: <{uuid.uuid4().urn}>", *(f"{name}: {value}" for name, value in fields)]
    return gzip.compress(_lines([*lines, f"Content-Length: {len(block)}"]) + block + b"\r\n\r\n", mtime=0)


def _lines(lines: list[str]) -> bytes:
    """Header lines and the blank line after them. A line end in a value would be a header of the page's choosing."""
    return "".join(_LINE_ENDS.sub(" ", line) + "\r\n" for line in [*lines, ""]).encode("utf-8", "surrogateescape")


def _digest(data: bytes) -> str:
    return "sha256:" + base64.b32encode(hashlib.sha256(data).digest()).decode("ascii")
