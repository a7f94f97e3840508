"""Model files that come inside an installed package: their bytes are the known ones, or they are not read."""

import hashlib
from importlib.resources import files

from affidavit.errors import IntegrityError


def shipped(package: str, path: str, sha256: str, distribution: str) -> bytes:
    """The bytes of `path` (slashes between folders) in `package`: with others, every threshold would mean nothing.

    Raises IntegrityError where they hash to something else; ModuleNotFoundError where `package` is not installed.
    `distribution` is what to install again.
    """
    data = files(package).joinpath(*path.split("/")).read_bytes()
    found = hashlib.sha256(data).hexdigest()
    if found != sha256:
        raise IntegrityError(f"{package}/{path}: its sha256 is {found}, not {sha256}; install {distribution} again")
    return data
