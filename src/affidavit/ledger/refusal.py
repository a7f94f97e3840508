"""What to tell a person when the machine refuses a read or a write: the path, the reason, and what to do."""

import errno
from os import PathLike

from affidavit.errors import StorageError

ADVICE = {
    errno.ENOSPC: "the disk is full: free some space or name a folder on another disk",
    errno.EDQUOT: "the disk quota is used up: free some space or name a folder on another disk",
    errno.EFBIG: "the file may not grow further here: raise the limit or name another folder",
    errno.EROFS: "the file system is read-only: name a folder that can be written",
    errno.EACCES: "permission denied: change its permissions or name another folder",
    errno.EPERM: "permission denied: change its permissions or name another folder",
    errno.ENOTDIR: "a part of the path is a file, not a folder: name another folder",
    errno.EEXIST: "a file stands where a folder is needed: name another folder",
    errno.EISDIR: "a folder stands where a file is needed: name another file",
    errno.ENOENT: "a part of the path does not exist: create it or name another folder",
    errno.ENAMETOOLONG: "the path is too long: name a shorter one",
    errno.EMFILE: "too many files are open: raise the limit (ulimit -n)",
}


def refused(path: str | PathLike[str], doing: str, error: OSError) -> StorageError:
    """The StorageError for an operating system's refusal of `doing` (a phrase: "write the blob") at `path`."""
    advice = ADVICE.get(error.errno or 0, error.strerror or str(error))
    return StorageError(f"{path}: cannot {doing}: {advice}")
