"""Building an index: once, resumable, safe beside others, and never the end of a run."""

import os
import signal
import sqlite3
import subprocess
import sys
import threading

import pytest

from affidavit.egress.archive import open_archive
from affidavit.errors import FailureKind, PageFailure
from affidavit.search.embedded import EmbeddedSearch
from affidavit.search.index import Table

PAGES = {f"p{number}.txt": f"Page number {number} has a few words of its own." for number in range(100)}

# Another process: builds the index of a folder, and does what is asked after so many pages.
PROCESS = """
import os, signal, sys, time
from pathlib import Path
from affidavit.egress.archive import open_archive
from affidavit.errors import PageFailure
from affidavit.extract.extraction import EXTRACTORS, extract
from affidavit.search.build import Builder

folder, cache, action = sys.argv[1:]

class InProcess:
    def extract_many(self, pages):
        for page in pages:
            yield page, extract(page)

def progress(done, total, archive):
    if action == "die" and done == 70:
        os.kill(os.getpid(), signal.SIGKILL)
    if action == "slow" and done % 25 == 1:
        print("building", flush=True)
        time.sleep(0.2)

def message(text):
    print(text, flush=True)

if action == "full":
    import resource
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000))
archive = open_archive(Path(folder))
index = Builder(Path(cache), InProcess, EXTRACTORS, progress, message).open(archive)
print("done", index.size("pages"), flush=True)
index.close()
"""


def process(archive, cache, action):
    command = [sys.executable, "-c", PROCESS, str(archive.path), str(cache), action]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def test_the_second_run_extracts_nothing(site, building):
    archive = site(PAGES)
    first, second = building(), building()
    first.builder.open(archive).close()
    assert first.extractor.count == 100
    assert first.progress[0] == (0, 100)
    assert first.progress[-1] == (100, 100)
    index = second.builder.open(archive)
    assert index.size(Table.PAGES) == 100
    index.close()
    assert second.extractor.count == 0
    assert not first.messages
    assert not second.messages


def test_the_same_pages_elsewhere_use_the_same_index(site, building, tmp_path):
    building().builder.open(site(PAGES)).close()
    other = tmp_path / "elsewhere"
    other.mkdir()
    moved = (tmp_path / "site").rename(other / "site")
    second = building()
    second.builder.open(open_archive(moved)).close()
    assert second.extractor.count == 0


def test_a_changed_page_or_extractor_makes_another_index(site, building):
    made = building()
    archive = site(PAGES)
    before = made.builder.path(archive)
    made.builder._version = "other/2"
    assert made.builder.path(archive) != before
    assert building().builder.path(site(PAGES | {"p0.txt": "Changed."})) != before


@pytest.mark.skipif(os.name != "posix", reason="SIGKILL is POSIX")
def test_a_killed_build_goes_on_where_it_was(site, building, tmp_path):
    archive = site(PAGES)
    with process(archive, tmp_path / "cache", "die") as killed:
        assert killed.wait(60) == -signal.SIGKILL
    made = building()
    with EmbeddedSearch.open([archive], made.builder) as search:
        assert search.unreadable() == ()
        assert [index.size(Table.PAGES) for index in search._indexes] == [100]
    assert 30 <= made.extractor.count < 70
    assert made.progress[0][0] == 100 - made.extractor.count


@pytest.mark.skipif(os.name != "posix", reason="the lock's message is checked through a pipe")
def test_two_processes_take_turns_and_build_once(site, building, tmp_path):
    archive = site(PAGES)
    with process(archive, tmp_path / "cache", "slow") as first:
        assert first.stdout.readline() == "building\n"
        made = building()
        index = made.builder.open(archive)
        assert index.size(Table.PAGES) == 100
        index.close()
        assert first.wait(60) == 0
    assert made.extractor.count == 0
    assert any("another process" in message for message in made.messages)


def test_two_threads_build_once(site, building):
    archive = site(PAGES)
    builds = [building(), building()]
    threads = [threading.Thread(target=lambda made=made: made.builder.open(archive).close()) for made in builds]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(made.extractor.count for made in builds) == [0, 100]


def test_a_build_waits_for_whoever_reads_the_unfinished_index(site, building):
    archive = site(PAGES)
    made = building()
    path = made.builder.path(archive)
    path.parent.mkdir(parents=True)
    reader = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    reader.execute("CREATE TABLE held (x)")
    reader.execute("BEGIN")
    reader.execute("SELECT * FROM held").fetchall()
    reader.execute("SELECT * FROM sqlite_schema").fetchall()
    leaves = threading.Timer(0.5, reader.close)
    leaves.start()
    made.builder.open(archive).close()
    leaves.join()
    assert made.extractor.count == 100
    assert not made.messages


@pytest.mark.parametrize("content", [b"", b"not a database at all" * 500, b"SQLite format 3\0" + b"\xff" * 9000])
def test_a_file_that_is_no_index_is_replaced(site, building, content):
    archive = site(PAGES)
    made = building()
    path = made.builder.path(archive)
    path.parent.mkdir(parents=True)
    path.write_bytes(content)
    index = made.builder.open(archive)
    assert index.size(Table.PAGES) == 100
    index.close()
    assert bool(made.messages) == bool(content)


def test_only_a_damaged_index_is_discarded(site, building):
    archive = site(PAGES)
    made = building()
    path = made.builder.path(archive)
    made.builder.discard_damaged(archive)
    made.builder.open(archive).close()
    before = path.read_bytes()
    made.builder.discard_damaged(archive)
    assert path.read_bytes() == before
    path.write_bytes(before[:4096] + b"\xff" * (len(before) - 4096))
    made.builder.discard_damaged(archive)
    assert not path.exists()


@pytest.mark.skipif(os.name != "posix", reason="file size limits are POSIX")
def test_where_the_disk_is_full_it_is_built_in_memory_and_said(site, tmp_path):
    archive = site(PAGES)
    with process(archive, tmp_path / "cache", "full") as full:
        said = full.stdout.read()
        assert full.wait(60) == 0
    assert "built in memory" in said
    assert "done 100" in said


def test_where_the_cache_is_no_folder_it_is_built_in_memory_and_said(site, building, tmp_path):
    (tmp_path / "cache").write_text("a file")
    made = building()
    index = made.builder.open(site(PAGES))
    assert index.size(Table.PAGES) == 100
    index.close()
    (message,) = made.messages
    assert "built in memory" in message
    assert "\n" not in message


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root writes everywhere")
def test_where_the_cache_cannot_be_written_it_is_built_in_memory(site, building, tmp_path):
    (tmp_path / "cache").mkdir(mode=0o500)
    made = building()
    made.builder.open(site(PAGES)).close()
    assert "built in memory" in made.messages[0]


def test_failures_are_kept_and_what_may_have_been_the_machine_is_tried_again(site, building):
    archive = site({f"{number:02}.txt": f"words {number}" for number in range(40)})

    class Failing:
        """Every second page times out, every other has no text; after 35 the user has had enough."""

        def extract_many(self, pages):
            for number, page in enumerate(pages):
                if number == 35:
                    raise KeyboardInterrupt
                kind = FailureKind.TIMEOUT if number % 2 else FailureKind.NO_TEXT
                yield page, PageFailure(kind, page.final_url, "said")

    made = building()
    made.extractor = Failing()
    with pytest.raises(KeyboardInterrupt):
        made.builder.open(archive)
    again = building()
    index = again.builder.open(archive)
    assert again.extractor.count == 40 - 16
    assert index.size(Table.PAGES) == 24
    assert {(page.kind, page.detail) for page in index.unreadable()} == {("no_text", "said")}
    assert index.unreadable()[0].url.endswith("/00.txt")
    index.close()
