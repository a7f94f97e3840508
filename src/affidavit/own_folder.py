"""Folders that only this user can enter.

What a person's runs keep (their drafts, the pages they read, what was said of both) is for nobody else of the machine,
whatever umask it was made under. `Path.mkdir` gives its mode to the last folder alone, and those above it to all.
"""

import errno
import os
from pathlib import Path


def make_own_folder(path: Path) -> None:
    """Make `path`, and each folder above it that is missing, for this user alone; what is there keeps its mode, which
    somebody chose. Raises OSError."""
    for folder in (*reversed(path.parents), path):
        if folder.is_dir():
            continue
        try:
            folder.mkdir(mode=0o700, exist_ok=True)  # another process may have made it meanwhile
        except FileExistsError as error:
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(folder)) from error
