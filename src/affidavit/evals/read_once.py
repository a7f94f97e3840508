"""One cache for the suites of one run: what one of them read of the stored pages, no other reads again."""

import os
import tempfile
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from types import MappingProxyType

from affidavit.settings import PREFIX

PATIENT: Mapping[str, float] = MappingProxyType({"page_seconds": 600.0, "max_seconds": 86_400.0})
"""Settings of the runs of a suite: no figure hangs on how fast this machine is, and on what else it does."""
_FOLDER = f"{PREFIX}CACHE_DIR"


@contextmanager
def read_once() -> Generator[None]:
    """Within it the cache folder is one that is empty at first and goes with it, for the processes started within it as
    well. What is measured is the code as it stands, and nothing that other code once made of a page."""
    before = os.environ.get(_FOLDER)
    with tempfile.TemporaryDirectory(prefix="affidavit-eval-") as folder:
        os.environ[_FOLDER] = folder
        try:
            yield
        finally:
            if before is None:
                del os.environ[_FOLDER]
            else:
                os.environ[_FOLDER] = before
