"""Responses kept on the disk for their freshness, in files that cannot lie: a damaged one is as if it were not there.

One file a URL and scope, named by the hash of both and written whole or not at all, with a digest over all it holds.
The folder is bounded: what was used longest ago goes first. A cache that cannot be written costs a second request,
never a run; whoever opened it is told once.

A scope is a text that says under which permissions a response came. What came under one is not there under another, so
a run, or a user of a gateway, that may do less does not get what one that may do more has read.
"""

import contextlib
import hashlib
import json
import os
import tempfile
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from affidavit.egress.received import Received
from affidavit.own_folder import make_own_folder

MAX_BYTES = 512 * 1024 * 1024
_SHRINK_TO = 0.8
_MAGIC = b"affidavit page cache 2\n"
_SUFFIX = ".page"


@dataclass(frozen=True, slots=True)
class Kept:
    """A response from earlier; when it was kept, and until when it may be used without asking (seconds since 1970).

    `address` is where it came from then, to be judged again before it is used. The response's own is None: nothing was
    connected to for it now.
    """

    received: Received
    stored_at: float
    fresh_until: float
    address: str | None = None

    def fresh(self, now: float, most: float | None = None) -> bool:
        """Whether it may be used at `now` without asking: the site calls it fresh, and it was kept less than `most`
        seconds ago, whoever kept it."""
        return now < self.fresh_until and (most is None or 0 <= now - self.stored_at < most)


class PageCache:
    """Safe to use from several threads, and by several processes at once: the last to write a page wins."""

    def __init__(
        self,
        folder: Path,
        *,
        max_bytes: int = MAX_BYTES,
        on_trouble: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._folder = folder
        self._max_bytes = max_bytes
        self._on_trouble = on_trouble
        self._lock = threading.Lock()
        self._size: int | None = None
        self._told = False

    def holds(self, url: str, scope: str = "") -> bool:
        """Whether there is anything to `get`: microseconds, and no reading. A thread for it would take longer."""
        return self._path(url, scope).exists()

    def get(self, url: str, scope: str = "") -> Kept | None:
        """What is kept for exactly `url` under exactly `scope`, fresh or not."""
        path = self._path(url, scope)
        try:
            data = path.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            self._trouble(f"{path}: the page cache cannot be read ({error.strerror})")
            return None
        kept = _read(data, url, scope)
        with contextlib.suppress(OSError):  # another process may have removed it, which is as good
            if kept is None:
                path.unlink()
            else:
                os.utime(path)
        return kept

    def put(self, received: Received, lifetime: float, now: float, scope: str = "") -> None:
        """Keep `received`, which came under `scope`, fresh for `lifetime` seconds from `now` (since 1970)."""
        data = _written(Kept(received, now, now + lifetime, received.address), scope)
        if len(data) > self._max_bytes // 4:
            return
        path = self._path(received.url, scope)
        try:
            make_own_folder(path.parent)
            _write_whole(path, data)
            self._bound(len(data))
        except OSError as error:
            self._trouble(f"{path}: the page cache cannot be written ({error.strerror}); pages are fetched anew")

    def _path(self, url: str, scope: str = "") -> Path:
        name = hashlib.sha256(f"{scope}\n{url}".encode("utf-8", "surrogatepass")).hexdigest()
        return self._folder / name[:2] / f"{name[2:]}{_SUFFIX}"

    def _bound(self, added: int) -> None:
        with self._lock:
            self._size = sum(size for _, size, _ in self._files()) if self._size is None else self._size + added
            if self._size <= self._max_bytes:
                return
            files = sorted(self._files())
            self._size = sum(size for _, size, _ in files)
            for _, size, path in files:
                if self._size <= self._max_bytes * _SHRINK_TO:
                    break
                path.unlink(missing_ok=True)
                self._size -= size

    def _files(self) -> list[tuple[float, int, Path]]:
        """Time of last use, size and path of each file. Those that vanish meanwhile are left out."""
        found: list[tuple[float, int, Path]] = []
        for path in self._folder.glob(f"??/*{_SUFFIX}"):
            with contextlib.suppress(FileNotFoundError):
                state = path.stat()
                found.append((state.st_mtime, state.st_size, path))
        return found

    def _trouble(self, what: str) -> None:
        if not self._told:
            self._told = True
            self._on_trouble(what)


def _written(kept: Kept, scope: str) -> bytes:
    received = kept.received
    head = {
        "url": received.url,
        "scope": scope,
        "address": kept.address,
        "status": received.status,
        "phrase": received.phrase,
        "headers": received.headers,
        "retrieved_at": received.retrieved_at,
        "stored_at": kept.stored_at,
        "fresh_until": kept.fresh_until,
    }
    content = json.dumps(head).encode("ascii") + b"\n" + received.raw
    return _MAGIC + hashlib.sha256(content).hexdigest().encode() + b"\n" + content


def _read(data: bytes, url: str, scope: str) -> Kept | None:
    """What `data` holds, or None where it is damaged, of another version, or another page's or scope's."""
    if not data.startswith(_MAGIC):
        return None
    digest, _, content = data[len(_MAGIC) :].partition(b"\n")
    if hashlib.sha256(content).hexdigest().encode() != digest:
        return None
    head, _, raw = content.partition(b"\n")
    try:
        said = json.loads(head)
        if (said["url"], said["scope"]) != (url, scope):
            return None
        received = Received(
            url=url,
            status=said["status"],
            phrase=said["phrase"],
            headers=tuple((name, value) for name, value in said["headers"]),
            raw=raw,
            retrieved_at=said["retrieved_at"],
        )
        return Kept(received, float(said["stored_at"]), float(said["fresh_until"]), said["address"])
    except (ValueError, KeyError, TypeError):
        return None


def _write_whole(path: Path, data: bytes) -> None:
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".new-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
