"""Extraction in processes that can die.

A page is hostile input to C code: deep nesting hangs every parser tried, a crafted PDF makes one grow or crash. So
each page is read in a worker with a time limit and a memory limit, and whatever happens there happens to that page
alone: it becomes a `PageFailure`, the worker is replaced, the pool goes on.

Workers come from a fork server: a small process, started once, that has the heavy libraries imported and nothing
else. Forking from it is safe where forking from a program with threads and open databases is not, and it makes a
worker that replaces a dead one ready in milliseconds.
"""

import contextlib
import os
import pickle
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError, Future
from concurrent.futures import TimeoutError as FutureTimeout
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Self

from pebble import ProcessExpired, ProcessPool

from affidavit.errors import FailureKind, PageFailure
from affidavit.evidence.document import Document, Fetched
from affidavit.extract.extraction import extract
from affidavit.extract.fork_server import interrupts_held, worker_context

if sys.platform != "win32":
    import resource

Reader = Callable[[Fetched], Document]

# A worker ends itself when its own timer passes this multiple of the limit: the pool's timer is in another process,
# and if that is gone (killed, not closed) nobody else would.
_OWN_TIMER = 1.5
# Pages handed to one worker before it is replaced: what C libraries leak cannot add up. Starting one costs 5 ms.
_PAGES_PER_WORKER = 500
_ELSEWHERE = "Look for the same on another page"
_TIMERS = frozenset({"SIGALRM", "SIGXCPU"})


class Workers:
    """A pool of killable extractors; a context manager.

    `timeout_s` is wall time per page, from when a worker takes it. `memory_mb` is address space that one worker may
    add to what it starts with (None: no limit; systems that do not enforce RLIMIT_AS ignore it).
    """

    def __init__(
        self, processes: int, timeout_s: float, memory_mb: int | None = None, *, reader: Reader = extract
    ) -> None:
        self._processes = processes
        self._timeout_s = timeout_s
        self._memory_mb = memory_mb
        self._reader = reader
        self._lock = threading.Lock()
        self._pool: ProcessPool | None = None
        self._open: set[Future[Document]] = set()
        self._closed = False

    def __enter__(self) -> Self:
        threading.Thread(target=self._start, daemon=True).start()  # while the caller opens what else it needs
        return self

    def _start(self) -> None:
        with self._lock, contextlib.suppress(OSError, RuntimeError):  # whoever submits meets it again
            self._running_pool()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Stop at once: running pages are given up (their futures are cancelled), workers end, none is left behind."""
        self._closed = True
        for future in tuple(self._open):
            future.cancel()
        with self._lock, interrupts_held():
            pool, self._pool = self._pool, None
            if pool is not None:
                pool.stop()
                pool.join()

    def submit(self, fetched: Fetched) -> "Future[Document]":
        """Read one page. The future gives the Document or raises PageFailure; cancelling it ends the work.

        Waits, the first time, until the pool has started: 0.8 s of one core from `__enter__` on.
        """
        outer: Future[Document] = Future()
        self._open.add(outer)
        outer.add_done_callback(self._open.discard)
        self._schedule(fetched, outer, retry=True)
        return outer

    def extract_many(self, pages: Iterable[Fetched]) -> Iterator[tuple[Fetched, Document | PageFailure]]:
        """Every page with its document or its failure, in input order.

        Takes from `pages` only as many as keep the workers busy, so an archive is never held in memory.
        """
        waiting: deque[tuple[Fetched, Future[Document]]] = deque()
        source = iter(pages)
        try:
            for fetched in source:
                waiting.append((fetched, self.submit(fetched)))
                if len(waiting) >= 4 * self._processes:
                    yield _outcome(*waiting.popleft())
            while waiting:
                yield _outcome(*waiting.popleft())
        finally:
            for _, future in waiting:
                future.cancel()

    def _running_pool(self) -> ProcessPool:
        """The pool, started if there is none and replaced if it broke (a worker died between two pages)."""
        if self._closed:
            raise RuntimeError("the workers are closed; open new ones")
        if self._pool is not None and self._pool.active:
            return self._pool
        with interrupts_held():
            if self._pool is not None:
                self._pool.stop()
                self._pool.join()
            self._pool = ProcessPool(
                max_workers=self._processes,
                max_tasks=_PAGES_PER_WORKER,
                initializer=_initialise,
                initargs=(self._memory_mb,),
                context=worker_context(),
            )
            self._pool.schedule(_nothing)  # the pool starts its processes with its first task
        return self._pool

    def _schedule(self, fetched: Fetched, outer: "Future[Document]", *, retry: bool) -> None:
        with self._lock:
            inner = self._running_pool().schedule(
                _read, args=(self._reader, fetched, self._timeout_s), timeout=self._timeout_s
            )
        outer.add_done_callback(lambda done: inner.cancel() if done.cancelled() else None)
        inner.add_done_callback(partial(self._settle, fetched, outer, retry))

    def _settle(self, fetched: Fetched, outer: "Future[Document]", retry: bool, inner: "Future[bytes]") -> None:
        """Carry what became of a page over to the future its caller holds."""
        if outer.cancelled():
            return
        try:
            error = inner.exception()
        except CancelledError:
            outer.cancel()
            return
        if isinstance(error, BrokenProcessPool) and retry and not self._closed:
            # Not in this thread: it is the broken pool's own, and replacing the pool joins it.
            threading.Thread(target=self._retry, args=(fetched, outer), daemon=True).start()
        elif outer.set_running_or_notify_cancel():
            if error is None:
                outer.set_result(pickle.loads(inner.result()))  # noqa: S301, made by our own worker
            else:
                outer.set_exception(self._failure(fetched, error))

    def _retry(self, fetched: Fetched, outer: "Future[Document]") -> None:
        try:
            self._schedule(fetched, outer, retry=False)
        except RuntimeError:  # closed meanwhile
            outer.cancel()

    def _failure(self, fetched: Fetched, error: BaseException) -> PageFailure:
        url, size = fetched.final_url, f"{len(fetched.body):,} bytes"
        if isinstance(error, PageFailure):
            return error
        died_of = _signal(error)
        if isinstance(error, FutureTimeout | TimeoutError) or died_of in _TIMERS:
            return PageFailure(
                FailureKind.TIMEOUT,
                url,
                f"reading its {size} took more than {self._timeout_s:g} s. {_ELSEWHERE}, or raise page_seconds where "
                "the machine is busy",
            )
        if isinstance(error, MemoryError):
            return PageFailure(
                FailureKind.TOO_LARGE, url, f"reading its {size} takes more than {self._memory_mb} MB. {_ELSEWHERE}"
            )
        if isinstance(error, RecursionError):
            return PageFailure(FailureKind.TOO_LARGE, url, f"its {size} are nested too deeply to read. {_ELSEWHERE}")
        if isinstance(error, ProcessExpired):
            how = f"by {died_of}" if died_of else f"with code {error.exitcode}"
            return PageFailure(
                FailureKind.CRASHED, url, f"the process that read its {size} was ended {how}. {_ELSEWHERE}"
            )
        return PageFailure(
            FailureKind.CRASHED, url, f"reading failed with {type(error).__name__}: {error}. {_ELSEWHERE}"
        )


def _signal(error: BaseException) -> str | None:
    """The name of the signal that ended a worker, None for any other end."""
    if not isinstance(error, ProcessExpired) or (error.exitcode or 0) >= 0:
        return None
    number = -(error.exitcode or 0)
    return signal.Signals(number).name if number in set(signal.Signals) else f"signal {number}"


def _outcome(fetched: Fetched, future: Future[Document]) -> tuple[Fetched, Document | PageFailure]:
    try:
        return fetched, future.result()
    except PageFailure as failure:
        return fetched, failure


def _initialise(memory_mb: int | None) -> None:
    """Set up a worker: silent, ended by the first signal, bounded in memory.

    What C libraries print about a hostile page must not end up among the JSON of whoever called.
    """
    silence = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(silence, stream)
    if sys.platform == "win32":
        return
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # ends it also inside C code, where Python's handlers do not run
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    if memory_mb is not None:
        limit = _address_space() + memory_mb * 1024 * 1024
        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        resource.setrlimit(resource.RLIMIT_AS, (limit if hard == resource.RLIM_INFINITY else min(limit, hard), hard))


def _address_space() -> int:
    """Bytes of address space in use, from Linux's procfs; 0 elsewhere."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    except (OSError, ValueError, IndexError):
        return 0
    return pages * resource.getpagesize()


def _read(reader: Reader, fetched: Fetched, timeout_s: float) -> bytes:
    """One page in a worker: the pickled Document. Pickled here, so that running out of memory at it is an error too."""
    if sys.platform != "win32":
        signal.setitimer(signal.ITIMER_REAL, timeout_s * _OWN_TIMER + 1)
    try:
        return pickle.dumps(reader(fetched))
    finally:
        if sys.platform != "win32":
            signal.setitimer(signal.ITIMER_REAL, 0)


def _nothing() -> None:
    """The task that wakes a pool."""
