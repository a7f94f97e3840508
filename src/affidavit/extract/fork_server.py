"""The way worker processes are started: from a small server that imported the readers once and nothing else.

Two things differ from `multiprocessing`'s own context. A worker does not run the caller's main module again (a
script without an ``if __name__ == "__main__"`` guard would start itself over in each worker, and a command would
import its whole command line there). And nothing that is started hears Ctrl-C: that is for the caller, who closes
the pool; a worker that printed a traceback of its own would only add noise.
"""

import signal
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager
from multiprocessing import resource_tracker
from multiprocessing.context import BaseContext
from types import ModuleType
from typing import Any

# What the server imports before it forks: all that a reader imports late.
PRELOAD = ("affidavit.extract.preload",)

_main_lock = threading.Lock()


@contextmanager
def interrupts_held() -> Generator[None]:
    """Hold Ctrl-C back, and let what is started meanwhile never hear it; a signal that came is delivered at the end."""
    if sys.platform == "win32":
        yield
        return
    # First: starting the tracker ends with Ctrl-C let through again, and the fork server would hear it.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _without_main() -> Generator[None]:
    """Hide the caller's main module while a process is described, so that the process does not import it."""
    with _main_lock:
        main = sys.modules["__main__"]
        sys.modules["__main__"] = ModuleType("__main__")
        try:
            yield
        finally:
            sys.modules["__main__"] = main


if sys.platform == "win32":
    from multiprocessing.context import SpawnContext as _Context
    from multiprocessing.context import SpawnProcess as _Process
else:
    from multiprocessing.context import ForkServerContext as _Context
    from multiprocessing.context import ForkServerProcess as _Process


class WorkerProcess(_Process):
    """A process that does not import the caller's main module."""

    @staticmethod
    def _Popen(process_obj: Any) -> Any:
        with _without_main():
            return _Process._Popen(process_obj)


class WorkerContext(_Context):
    """A start context whose processes are `WorkerProcess`."""

    Process = WorkerProcess


def worker_context() -> BaseContext:
    """A context to start workers in. The server starts with the first process and ends with this one."""
    context = WorkerContext()
    if sys.platform != "win32":
        context.set_forkserver_preload(list(PRELOAD))
    return context
