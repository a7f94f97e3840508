"""Where the gateway listens: a Unix socket, which its file's permissions guard, or a port of this machine.

Only one gateway can be at a Unix socket: it holds a lock beside it as long as it lives, and the system lets go of the
lock however it ends. So a socket that is found with the lock free was left behind, and is removed.
"""

import ipaddress
import os
import shutil
import socket
import stat
import struct
import sys
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit

from affidavit.errors import GatewayError, StorageError, UserError
from affidavit.own_folder import make_own_folder

if sys.platform != "win32":
    import fcntl

_KINDS = "write unix:PATH or tcp://127.0.0.1:PORT"
# sockaddr_un holds 108 bytes on Linux, 104 elsewhere, with a zero at the end.
_LONGEST_PATH = 103


@dataclass(frozen=True, slots=True)
class Place:
    """A Unix socket at `path`, or else `port` of the loopback address `host`."""

    path: Path | None = None
    host: str = ""
    port: int = 0

    def __str__(self) -> str:
        if self.path is not None:
            return f"unix:{self.path}"
        return f"tcp://[{self.host}]:{self.port}" if ":" in self.host else f"tcp://{self.host}:{self.port}"

    @property
    def bound(self) -> str:
        """The place in the one form that both ends have, however each of them spelled it."""
        if self.path is not None:
            return f"unix:{os.path.realpath(self.path)}"
        host = ipaddress.ip_address(self.host)
        mapped = host.ipv4_mapped if isinstance(host, ipaddress.IPv6Address) else None
        return str(Place(host=str(mapped or host), port=self.port))


def read_place(text: str) -> Place:
    """The place that `text` names. Raises UserError for another kind, and for what is not of this machine."""
    scheme, _, rest = text.partition(":")
    if scheme == "unix":
        path = Path(rest.removeprefix("//")).expanduser()
        if not path.is_absolute() or len(os.fsencode(path)) > _LONGEST_PATH:
            raise UserError(f"gateway = {text!r}: name a whole path of at most {_LONGEST_PATH} bytes after unix:")
        return Place(path)
    if scheme != "tcp":
        raise UserError(f"gateway = {text!r}: no such kind of place; {_KINDS}")
    try:
        parts = urlsplit(text)
        host, port = ipaddress.ip_address(parts.hostname or ""), parts.port
    except ValueError:
        raise UserError(f"gateway = {text!r}: no address and port; {_KINDS}") from None
    if not host.is_loopback or port is None or parts.path or parts.query or parts.username is not None:
        raise UserError(
            f"gateway = {text!r}: only this machine's loopback is listened at and asked, since what is said there is "
            f"not encrypted; {_KINDS}"
        )
    return Place(host=str(host), port=port)


class Listening:
    """A place that is listened at, as long as the context lasts. Raises StorageError, GatewayError, UserError.

    `group` may connect too, if it is named; otherwise only this user can. A port of 0 is any free one: `place` says
    which it became.
    """

    def __init__(self, place: Place, group: str | None = None) -> None:
        self.place = place
        self._group = group
        self._lock: int | None = None
        self._inode: int | None = None
        self.socket: socket.socket | None = None

    def __enter__(self) -> Self:
        try:
            if self.place.path is None:
                self._open_port()
            else:
                self._open_path(self.place.path)
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        if self.socket is not None:
            self.socket.close()
        path = self.place.path
        if path is not None and self._inode is not None:
            try:
                if path.lstat().st_ino == self._inode:
                    path.unlink()
            except FileNotFoundError:
                self._inode = None
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def _open_port(self) -> None:
        family = socket.AF_INET6 if ":" in self.place.host else socket.AF_INET
        self.socket = socket.socket(family, socket.SOCK_STREAM)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            self.socket.bind((self.place.host, self.place.port))
        except OSError as error:
            raise GatewayError(
                f"the gateway cannot listen at {self.place}: {error.strerror}; stop what does, or name another port"
            ) from error
        self.place = Place(host=self.place.host, port=self.socket.getsockname()[1])

    def _open_path(self, path: Path) -> None:
        try:
            make_own_folder(path.parent)
            self._take_lock(path)
            if path.exists() or path.is_symlink():
                if not stat.S_ISSOCK(path.lstat().st_mode):
                    raise UserError(f"--socket {path}: something that is no socket lies there; name another path")
                path.unlink()
            self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            before = os.umask(0o177)
            try:
                self.socket.bind(str(path))
            finally:
                os.umask(before)
            self._inode = path.lstat().st_ino
            if self._group is not None:
                shutil.chown(path, group=self._group)
                path.chmod(0o660)
        except LookupError:
            raise UserError(f"--group {self._group}: there is no such group") from None
        except OSError as error:
            raise StorageError(
                f"the gateway cannot listen at {self.place}: {error.strerror or error}; name another path with --socket"
            ) from error

    def _take_lock(self, path: Path) -> None:
        # A link that somebody else laid there would have another file made, or locked, in this user's name.
        self._lock = os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise GatewayError(f"another gateway is at {self.place}; stop it, or name another --socket") from None


@dataclass(frozen=True, slots=True)
class Peer:
    """Who connected to a Unix socket, by the kernel's word: not the peer's."""

    pid: int
    uid: int


def peer_of(connection: socket.socket) -> Peer | None:
    """None where the kernel does not say: on a port, and on systems other than Linux."""
    option = getattr(socket, "SO_PEERCRED", None)
    if option is None or connection.family != socket.AF_UNIX:
        return None
    pid, uid, _ = struct.unpack("3i", connection.getsockopt(socket.SOL_SOCKET, option, struct.calcsize("3i")))
    return Peer(pid, uid)
