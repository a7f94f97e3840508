"""Whatever a page does to its worker, it does to itself alone."""

import os
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from itertools import count, islice
from pathlib import Path

import psutil
import pytest

from affidavit.errors import FailureKind, PageFailure
from affidavit.evidence.document import Document, Fetched
from affidavit.extract import extract
from affidavit.extract.worker import Workers

Respond = Callable[..., Fetched]
Reader = Callable[[Fetched], Document]

# What a page can do to its reader, told by the last part of its address. Workers import it as a module of its own.
MISCHIEF = """
import os, signal, sys, time
from affidavit.extract import extract

def read(fetched):
    what = fetched.final_url.rsplit("/", 1)[1]
    if what == "hang":
        time.sleep(60)
    if what == "segfault":
        os.kill(os.getpid(), signal.SIGSEGV)
    if what == "abort":
        print("terminate called", flush=True)
        os.abort()
    if what == "exit":
        os._exit(3)
    if what == "eat":
        eaten = bytearray(8 << 30)
    if what == "dig":
        sys.setrecursionlimit(500)
        read(fetched) if False else (lambda f: f(f))(lambda f: f(f))
    if what == "fail":
        raise ValueError("odd bytes")
    return extract(fetched)
"""


@pytest.fixture
def mischief(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Reader]:
    (tmp_path / "mischief_for_workers.py").write_text(MISCHIEF)
    monkeypatch.syspath_prepend(tmp_path)
    import mischief_for_workers

    yield mischief_for_workers.read
    del sys.modules["mischief_for_workers"]


def page(respond: Respond, name: str = "mill") -> Fetched:
    body = f"<h1>The {name}</h1><p>The {name} opened in 1945 and was used by 84,909 people a day.</p>"
    return respond(body, url=f"https://trust.example.org/{name}")


def test_a_page_is_read_as_it_is_in_this_process(respond: Respond) -> None:
    with Workers(1, 20.0, 1024) as workers:
        assert workers.submit(page(respond)).result() == extract(page(respond))


def test_a_failure_arrives_as_it_was_raised(respond: Respond) -> None:
    with Workers(1, 20.0) as workers, pytest.raises(PageFailure) as failure:
        workers.submit(respond(b"")).result()
    assert failure.value.kind is FailureKind.EMPTY_BODY


def test_each_mischief_is_that_pages_own_failure_and_the_pool_goes_on(respond: Respond, mischief: Reader) -> None:
    names = ["a", "hang", "b", "segfault", "abort", "c", "exit", "eat", "dig", "fail", "d"]
    with Workers(2, 8.0, 1024, reader=mischief) as workers:
        found = list(workers.extract_many(page(respond, name) for name in names))
    assert [fetched.final_url.rsplit("/", 1)[1] for fetched, _ in found] == names
    kinds = {
        name: outcome.kind.value if isinstance(outcome, PageFailure) else "document"
        for name, (_, outcome) in zip(names, found, strict=True)
    }
    assert kinds == {
        "a": "document",
        "b": "document",
        "c": "document",
        "d": "document",
        "hang": "timeout",
        "segfault": "crashed",
        "abort": "crashed",
        "exit": "crashed",
        "eat": "too_large",
        "dig": "too_large",
        "fail": "crashed",
    }


def test_a_crash_names_the_signal_and_an_error_its_type(respond: Respond, mischief: Reader) -> None:
    with Workers(1, 20.0, reader=mischief) as workers:
        with pytest.raises(PageFailure, match="SIGSEGV"):
            workers.submit(page(respond, "segfault")).result()
        with pytest.raises(PageFailure, match="ValueError: odd bytes"):
            workers.submit(page(respond, "fail")).result()


def test_an_archive_is_never_held_in_memory(respond: Respond) -> None:
    taken = count()

    def pages() -> Iterator[Fetched]:
        for _ in range(200):
            next(taken)
            yield page(respond)

    with Workers(2, 20.0) as workers:
        first = list(islice(workers.extract_many(pages()), 3))
        assert len(first) == 3
        assert next(taken) <= 12


def test_closing_gives_up_what_is_running_and_leaves_no_worker(respond: Respond, mischief: Reader) -> None:
    before = {child.pid for child in psutil.Process().children(recursive=True)}
    with Workers(2, 60.0, reader=mischief) as workers:
        waiting = [workers.submit(page(respond, name)) for name in ("hang", "hang", "hang")]
        time.sleep(0.5)
    for future in waiting:
        with pytest.raises(CancelledError):
            future.result(timeout=5)
    left = [child for child in psutil.Process().children(recursive=True) if child.pid not in before]
    # The fork server and the resource tracker are multiprocessing's own, and end with this process.
    assert [child.cmdline() for child in left if not _is_server(child)] == []
    with pytest.raises(RuntimeError, match="closed"):
        workers.submit(page(respond))


def _is_server(child: psutil.Process) -> bool:
    line = " ".join(child.cmdline())
    return ("forkserver" in line or "resource_tracker" in line) and child.ppid() == os.getpid()


def test_cancelling_ends_the_work(respond: Respond, mischief: Reader) -> None:
    with Workers(1, 60.0, reader=mischief) as workers:
        hanging = workers.submit(page(respond, "hang"))
        time.sleep(0.3)
        assert hanging.cancel()
        assert workers.submit(page(respond)).result(timeout=20).title == "The mill"


def test_workers_that_were_never_used_start_nothing() -> None:
    before = len(psutil.Process().children(recursive=True))
    Workers(4, 1.0).close()
    assert len(psutil.Process().children(recursive=True)) == before


SCRIPT = """
import sys, time
from affidavit.evidence.document import Fetched
from affidavit.extract.worker import Workers
sys.path.insert(0, {folder!r})
from mischief_for_workers import read

print("started", flush=True)
def fetched(name):
    return Fetched(requested_url="https://x.example.org/" + name, final_url="https://x.example.org/" + name,
                   retrieved_at="2026-03-01T12:00:00Z", status=200, headers=(("content-type", "text/html"),),
                   body=b"<h1>Mill</h1><p>The mill opened in 1945 and closed in 1999.</p>")
with Workers(2, 30.0, 1024, reader=read) as workers:
    print(workers.submit(fetched("mill")).result().title, flush=True)
    {last}
"""


def run_script(folder: Path, last: str) -> subprocess.Popen[str]:
    (folder / "mischief_for_workers.py").write_text(MISCHIEF)
    script = folder / "unguarded.py"
    script.write_text(textwrap.dedent(SCRIPT).format(folder=str(folder), last=last))
    return subprocess.Popen(
        [sys.executable, str(script)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def descendants(process: psutil.Process) -> list[psutil.Process]:
    return process.children(recursive=True)


def test_a_script_without_a_main_guard_runs_once(tmp_path: Path) -> None:
    with run_script(tmp_path, "pass") as script:
        out, err = script.communicate(timeout=60)
    assert (out.splitlines(), err, script.returncode) == (["started", "Mill"], "", 0)


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_an_interrupt_ends_everything_without_a_workers_traceback(tmp_path: Path) -> None:
    import signal

    last = "list(workers.extract_many(fetched('hang') for _ in range(4)))"
    with run_script(tmp_path, last) as script:
        assert script.stdout is not None
        assert [script.stdout.readline().strip() for _ in range(2)] == ["started", "Mill"]
        time.sleep(0.5)
        family = descendants(psutil.Process(script.pid))
        os.killpg(script.pid, signal.SIGINT)
        _, err = script.communicate(timeout=20)
    assert err.count("Traceback") == 1  # the script's own
    assert err.rstrip().endswith("KeyboardInterrupt")
    assert psutil.wait_procs(family, timeout=5)[1] == []


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_a_worker_outlives_a_killed_caller_by_one_page_at_most(tmp_path: Path) -> None:
    last = "workers._timeout_s = 1.0; list(workers.extract_many(fetched('hang') for _ in range(4)))"
    with run_script(tmp_path, last) as script:
        assert script.stdout is not None
        assert [script.stdout.readline().strip() for _ in range(2)] == ["started", "Mill"]
        time.sleep(0.3)
        family = descendants(psutil.Process(script.pid))
        script.kill()
        script.communicate(timeout=20)
    assert psutil.wait_procs(family, timeout=15)[1] == []
