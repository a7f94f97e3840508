"""Bytes kept under their own digest: what is read back is what was put in, or an error.

A blob is a file ``blobs/ab/cdef…`` (zstd) rather than a row of the database: pages run to tens of megabytes,
and in the database each would pass through the write-ahead log, sit in every backup of the events, and hold up
the other writers while it is written. A file under its digest needs no transaction: it is whole or it is not
there, two processes that write the same one write the same bytes, and an object store can take it unchanged.
"""

import contextlib
import hashlib
import re
from pathlib import Path

from affidavit.errors import BlobMismatch, StorageError
from affidavit.ledger.refusal import refused
from affidavit.ledger.whole_file import write_whole
from affidavit.own_folder import make_own_folder

KEY = re.compile(r"[0-9a-f]{64}\Z")

LARGEST = 1 << 30
"""Bytes of the largest blob, unpacked. An altered file must not be able to fill the memory before it is hashed."""

LEVEL = 3
"""zstd's own default. Stored once and read seldom, at the speed of the disk."""


class Blobs:
    """A content-addressed store in folder `root`, made at the first `put`. Safe with several processes."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def path(self, key: str) -> Path:
        """Where the blob of that key lies. Raises BlobMismatch for anything but 64 hex digits, so for any path."""
        if KEY.match(key) is None:
            raise BlobMismatch(f"{key[:80]!r} is no blob key: a key is the 64 lower-case hex digits of a sha256")
        return self.root / key[:2] / key[2:]

    def __contains__(self, key: str) -> bool:
        return self.path(key).is_file()

    def put(self, data: bytes) -> str:
        """Keep `data`; return its sha256 in hex. On return it is on the disk. Raises StorageError.

        A file that is already there is read and compared, and replaced if it is damaged.
        """
        if len(data) > LARGEST:
            raise StorageError(f"{self.root}: a blob of {len(data)} bytes is over the limit of {LARGEST}")
        key = hashlib.sha256(data).hexdigest()
        path = self.path(key)
        if path.is_file():
            with contextlib.suppress(BlobMismatch):
                self.get(key)
                return key
        import zstandard  # late: 15 ms, and most commands read no page

        packed = zstandard.ZstdCompressor(level=LEVEL, write_checksum=True).compress(data)
        try:
            make_own_folder(path.parent)
            write_whole(path, packed)
        except OSError as error:
            raise refused(path, "write the blob", error) from error
        return key

    def get(self, key: str) -> bytes:
        """The bytes of that key, hashed again. Raises BlobMismatch if they are not; StorageError if unreadable."""
        path = self.path(key)
        import zstandard  # late: 15 ms, and most commands read no page

        try:
            with path.open("rb") as file:
                data = zstandard.ZstdDecompressor().stream_reader(file).read(LARGEST + 1)
        except FileNotFoundError as error:
            raise StorageError(f"{path}: the blob is not there; the ledger's blobs folder is incomplete") from error
        except OSError as error:
            raise refused(path, "read the blob", error) from error
        except zstandard.ZstdError as error:
            raise BlobMismatch(f"{path}: the blob is damaged: {error}") from error
        if hashlib.sha256(data).hexdigest() != key:
            raise BlobMismatch(f"{path}: holds bytes of another digest; the blob was altered or cut short")
        return data
