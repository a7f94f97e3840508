"""Who may speak over a loopback port, where no file's permissions say so: whoever can read one file.

The token is made anew at each start of the gateway. It never crosses the connection: each end proves that it knows
it by a hash over both ends' nonces and over where it takes the gateway to be. So another user's program that sits on a
port learns nothing, and cannot pass itself off as the gateway by carrying proofs to and from the real one: that one is
at another place. Who can change what passes on the connection itself (root) is not kept out: frames have no proof of
their own.
"""

import hashlib
import hmac
import os
import secrets
import stat
from pathlib import Path

from affidavit.errors import StorageError, UserError
from affidavit.own_folder import make_own_folder

CLIENT, SERVER = b"run", b"gateway"


def nonce() -> str:
    return secrets.token_hex(16)


def proof(token: str, side: bytes, at: str, of_server: str, of_client: str) -> str:
    """What shows that `side` knows `token`, in this connection and no other, with the gateway `at` this place
    (`Place.bound`, as that side has it)."""
    said = b"\0".join((b"affidavit gateway 2", side, os.fsencode(at), of_server.encode(), of_client.encode()))
    return hmac.new(token.encode(), said, hashlib.sha256).hexdigest()


def proves(given: str | None, token: str, side: bytes, at: str, of_server: str, of_client: str) -> bool:
    right = proof(token, side, at, of_server, of_client)
    return given is not None and hmac.compare_digest(given.encode("utf-8", "replace"), right.encode())


def make_token(path: Path) -> str:
    """A new token, in a new file that only this user can read. Raises StorageError."""
    token = secrets.token_hex(32)
    try:
        make_own_folder(path.parent)
        path.unlink(missing_ok=True)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
            file.write(token + "\n")
    except OSError as error:
        raise StorageError(
            f"{path}: the gateway's token cannot be written there ({error.strerror or error}); name another file with "
            "--token-file"
        ) from error
    return token


def read_token(path: Path) -> str:
    """The token in `path`. Raises UserError where there is none, or where others could have read it."""
    try:
        mode = path.stat().st_mode
        text = path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is no token"
        raise UserError(f"{path}: the gateway's token cannot be read ({why}); affidavit gateway writes it") from error
    if os.name == "posix" and stat.S_IMODE(mode) & 0o007:
        raise UserError(f"{path}: everybody can read this token; chmod 600 it and start the gateway again")
    if len(text) < 32:
        raise UserError(f"{path}: holds no token; start the gateway again, which writes a new one")
    return text
