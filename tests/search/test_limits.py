import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affidavit.errors import StorageError
from affidavit.search.limits import Limits, Rate


class Clock:
    def __init__(self) -> None:
        self.now = 1.8e9

    def __call__(self) -> float:
        return self.now


def test_a_burst_is_free_and_then_each_waits_its_turn(tmp_path: Path):
    limits = Limits(tmp_path / "l.sqlite", Clock())
    waits = [limits.reserve("p", Rate(1, 2, burst=3), 100) for _ in range(6)]
    assert waits == [0, 0, 0, 2, 4, 6]


def test_time_gives_turns_back(tmp_path: Path):
    clock = Clock()
    limits = Limits(tmp_path / "l.sqlite", clock)
    for _ in range(3):
        limits.reserve("p", Rate(1, 2, burst=3), 100)
    clock.now += 100
    assert [limits.reserve("p", Rate(1, 2, burst=3), 100) for _ in range(4)] == [0, 0, 0, 2]


def test_a_turn_that_comes_too_late_is_not_taken(tmp_path: Path):
    limits = Limits(tmp_path / "l.sqlite", Clock())
    rate = Rate(1, 3)
    assert [limits.reserve("p", rate, 2) for _ in range(5)] == [0, 3, 3, 3, 3]


def test_providers_do_not_wait_for_one_another(tmp_path: Path):
    limits = Limits(tmp_path / "l.sqlite", Clock())
    assert [limits.reserve(name, Rate(1, 3), 9) for name in ("p", "q", "p")] == [0, 0, 3]


def test_nobody_asks_before_the_provider_wants_it(tmp_path: Path):
    clock = Clock()
    limits, other = Limits(tmp_path / "l.sqlite", clock), Limits(tmp_path / "l.sqlite", clock)
    limits.hold("p", 60)
    assert other.reserve("p", Rate(1, 3), 10) == 60
    limits.hold("p", 5)
    assert other.reserve("p", Rate(1, 3), 10) == 60, "a shorter wait does not undo a longer one"
    clock.now += 60
    assert [other.reserve("p", Rate(1, 3), 10) for _ in range(2)] == [0, 3]


def test_a_clock_put_back_is_not_waited_for(tmp_path: Path):
    clock = Clock()
    limits = Limits(tmp_path / "l.sqlite", clock)
    limits.reserve("p", Rate(1, 3), 10)
    limits.hold("p", 60)
    clock.now -= 30 * 24 * 3600
    assert limits.reserve("p", Rate(1, 3), 10) == 0


@settings(max_examples=15, deadline=None)
@given(st.lists(st.floats(0, 5), min_size=1, max_size=25), st.integers(1, 4))
def test_no_window_holds_more_than_the_rate_allows(
    tmp_path_factory: pytest.TempPathFactory, gaps: list[float], burst: int
):
    clock = Clock()
    limits = Limits(tmp_path_factory.mktemp("l") / "l.sqlite", clock)
    rate = Rate(1, 2, burst=burst)
    sent: list[float] = []
    for gap in gaps:
        clock.now += gap
        sent.append(clock.now + limits.reserve("p", rate, 1e9))
    for first in range(len(sent)):
        for last in range(first, len(sent)):
            allowed = burst + (sent[last] - sent[first]) / rate.interval
            assert last - first + 1 <= allowed + 1e-6


def test_processes_share_the_turns(tmp_path: Path):
    code = (
        "import sys; from pathlib import Path; from affidavit.search.limits import Limits, Rate\n"
        f"limits = Limits(Path({str(tmp_path / 'l.sqlite')!r}), lambda: 1000.0)\n"
        "print(*[limits.reserve('p', Rate(1, 1), 1e9) for _ in range(40)])"
    )
    running = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) for _ in range(3)]
    waits = [float(wait) for one in running for wait in one.communicate(timeout=60)[0].split()]
    assert sorted(waits) == [float(n) for n in range(120)], "every turn was taken, and none twice"


@pytest.mark.parametrize(
    "content", [b"this is no database, whatever it is" * 100, b"SQLite format 3\x00" + b"\xff" * 4096]
)
def test_a_damaged_file_is_begun_anew(tmp_path: Path, content: bytes):
    path = tmp_path / "l.sqlite"
    path.write_bytes(content)
    limits = Limits(path, Clock())
    assert [limits.reserve("p", Rate(1, 3), 10) for _ in range(2)] == [0, 3]


def test_a_file_of_another_make_says_what_to_do(tmp_path: Path):
    path = tmp_path / "l.sqlite"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE due (something TEXT)")
    connection.close()
    with pytest.raises(StorageError, match="AFFIDAVIT_CACHE_DIR"):
        Limits(path, Clock()).reserve("p", Rate(1, 3), 10)


def test_a_folder_that_is_a_file_says_what_to_do(tmp_path: Path):
    (tmp_path / "blocked").write_text("")
    with pytest.raises(StorageError, match="AFFIDAVIT_CACHE_DIR"):
        Limits(tmp_path / "blocked" / "l.sqlite", Clock()).reserve("p", Rate(1, 3), 10)
