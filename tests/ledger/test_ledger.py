import asyncio
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from affidavit.errors import IntegrityError, StorageError, UserError
from affidavit.evidence.answer import Answer, VerifierCard
from affidavit.ledger.ledger import Ledger
from affidavit.ledger.secret_shapes import NAMES
from affidavit.version import __version__

OpenLedger = Callable[..., Ledger]


def execute(ledger: Ledger, statement: str) -> None:
    with ledger._engine.connect() as connection, connection.begin():
        connection.exec_driver_sql(statement)


def test_a_run_is_read_back_as_it_was_recorded(open_ledger: OpenLedger) -> None:
    log = open_ledger().begin("ask", "Why is the sky blue?", {"budget": {"searches": 3}, "hosts": ("a", "b")})
    assert log.record("search.done", {"query": "sky", "hits": 3, "score": 0.25, "note": None}) == 2
    assert log.finish("published") == 3
    events = open_ledger().events(log.run_id)
    assert [event.type for event in events] == ["run.begun", "search.done", "run.finished"]
    assert events[1].payload == {"query": "sky", "hits": 3, "score": 0.25, "note": None}
    run = open_ledger().run(log.run_id)
    assert (run.kind, run.question, run.state, run.events) == ("ask", "Why is the sky blue?", "published", 3)
    assert run.settings == {"budget": {"searches": 3}, "hosts": ["a", "b"]}
    assert run.product == __version__
    assert open_ledger().verify(log.run_id) == 3


# A payload that names or holds a secret does not come back as it was; tests/ledger/test_redaction.py is about those.
PAYLOADS = st.dictionaries(
    st.text(max_size=8).filter(lambda name: name.lower().replace("_", "-") not in NAMES),
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=20),
    max_size=4,
)


@given(st.lists(PAYLOADS, max_size=4), st.text(max_size=30))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25, deadline=None)
def test_any_payload_and_any_question_come_back_and_the_chain_verifies(
    open_ledger: OpenLedger, payloads: list[dict[str, object]], question: str
) -> None:
    with open_ledger() as ledger:
        log = ledger.begin("ask", question, {})
        for payload in payloads:
            log.record("thing.happened", payload)
        log.finish("published")
        assert ledger.verify(log.run_id) == len(payloads) + 2
        assert [event.payload for event in ledger.events(log.run_id)][1:-1] == payloads


def test_a_nul_and_half_a_surrogate_pair_are_recorded(open_ledger: OpenLedger) -> None:
    log = open_ledger().begin("ask", "a\x00b\udcff", {})
    assert open_ledger().run(log.run_id).question == "a\x00b\udcff"


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE events SET payload = '{}'",
        "UPDATE events SET type = 'x' WHERE seq = 1",
        "DELETE FROM events",
        "DELETE FROM events WHERE seq = 2",
    ],
)
def test_the_database_itself_refuses_to_change_or_remove_an_event(open_ledger: OpenLedger, statement: str) -> None:
    ledger = open_ledger()
    log = ledger.begin("ask", "q", {})
    log.record("a.b", {"n": 1})
    with pytest.raises(sa.exc.DBAPIError, match="append-only"):
        execute(ledger, statement)
    assert ledger.verify(log.run_id) == 2


def test_replacing_and_truncating_are_refused_too(open_ledger: OpenLedger, where: str) -> None:
    ledger = open_ledger()
    log = ledger.begin("ask", "q", {})
    columns = f"'{log.run_id}', 1, 'run.begun', 'x', '{{}}', NULL, 'x'"
    statement = "TRUNCATE events" if "postgres" in where else f"INSERT OR REPLACE INTO events VALUES ({columns})"
    with pytest.raises(sa.exc.DBAPIError, match="append-only"):
        execute(ledger, statement)


def test_an_event_changed_behind_the_triggers_is_named(open_ledger: OpenLedger, where: str) -> None:
    ledger = open_ledger()
    log = ledger.begin("ask", "q", {})
    log.record("page.fetched", {"n": 1})
    log.record("page.fetched", {"n": 2})
    if "postgres" in where:
        execute(ledger, "ALTER TABLE events DISABLE TRIGGER ALL")
    else:
        execute(ledger, "DROP TRIGGER events_no_update")
    execute(ledger, "UPDATE events SET payload = '{\"n\":7}' WHERE seq = 2")
    with pytest.raises(IntegrityError, match=rf"{log.run_id}, event 2 \(page.fetched\): its content does not hash"):
        ledger.verify(log.run_id)
    execute(ledger, "UPDATE events SET payload = '{\"n\":' WHERE seq = 2")
    with pytest.raises(IntegrityError, match="event 2: its payload is not JSON"):
        ledger.events(log.run_id)


def test_the_newest_run_comes_first_and_only_as_many_as_asked(open_ledger: OpenLedger) -> None:
    start = datetime(2026, 5, 1, tzinfo=UTC)
    ticks = iter(range(100_000))
    ledger = open_ledger(clock=lambda: start + timedelta(milliseconds=next(ticks)))
    ids = [ledger.begin("ask", f"q{number}", {}).run_id for number in range(5)]
    assert ids == sorted(ids)
    assert [run.run_id for run in ledger.runs(3)] == ids[:1:-1]
    assert [run.question for run in ledger.runs()] == ["q4", "q3", "q2", "q1", "q0"]


def test_a_beginning_of_an_id_is_enough_where_only_one_run_has_it(open_ledger: OpenLedger) -> None:
    start = datetime(2026, 5, 1, tzinfo=UTC)
    days = iter([0, 0, 400, 400])
    ledger = open_ledger(clock=lambda: start + timedelta(days=next(days)))
    first, second = ledger.begin("ask", "one", {}), ledger.begin("ask", "two", {})
    length = next(i for i, (a, b) in enumerate(zip(first.run_id, second.run_id, strict=True)) if a != b)
    assert ledger.run(first.run_id[: length + 1]).question == "one"
    assert ledger.run(second.run_id[4 : length + 1]).question == "two"
    with pytest.raises(UserError, match="begins more than one run"):
        ledger.run(first.run_id[:length])
    for missing in ("run_zzzz", "zz", "%", "_", "run_'"):
        with pytest.raises(UserError, match="no run"):
            ledger.run(missing)


def test_a_living_run_is_running_and_a_finished_one_is_what_it_finished_as(open_ledger: OpenLedger) -> None:
    log = open_ledger().begin("ask", "q", {})
    assert open_ledger().run(log.run_id).state == "running"
    log.finish("nothing_sourced")
    assert open_ledger().run(log.run_id).state == "nothing_sourced"
    with pytest.raises(IntegrityError, match=r"is finished; page\.fetched came after its end"):
        log.record("page.fetched", {})


KILLED = """
import os, signal, sys
from pathlib import Path
from affidavit.ledger.ledger import Ledger
from affidavit.ledger.secret_shapes import NAMES
log = Ledger.open(sys.argv[1], blobs=Path(sys.argv[2])).begin("ask", "q", {})
for number in range(20):
    log.record("page.fetched", {"n": number})
print(log.run_id, flush=True)
sys.stdin.read()
"""


def test_a_killed_run_loses_nothing_it_recorded_and_is_interrupted(
    open_ledger: OpenLedger, where: str, tmp_path: Path
) -> None:
    command = [sys.executable, "-c", KILLED, where, str(tmp_path / "blobs")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        run_id = process.stdout.readline().strip()
        assert open_ledger().run(run_id).state == "running"
        process.send_signal(signal.SIGKILL)
    ledger = open_ledger()
    for _ in range(100):  # the server notices a lost connection a moment later
        if ledger.run(run_id).state != "running":
            break
        threading.Event().wait(0.05)
    assert ledger.run(run_id).state == "interrupted"
    assert ledger.verify(run_id) == 21
    log = ledger.resume(run_id)
    assert log.record("page.fetched", {"n": 20}) == 23
    log.finish("published")
    assert ledger.run(run_id).state == "published"
    assert ledger.verify(run_id) == 24


def test_a_run_that_lives_or_is_finished_cannot_be_resumed(open_ledger: OpenLedger) -> None:
    log = open_ledger().begin("ask", "q", {})
    with pytest.raises(StorageError, match="another process is writing"):
        open_ledger().resume(log.run_id)
    log.finish("published")
    with pytest.raises(UserError, match="finished as published; begin a new run"):
        open_ledger().resume(log.run_id)


WRITERS = """
import os, sys
from pathlib import Path
from affidavit.ledger.ledger import Ledger
from affidavit.ledger.secret_shapes import NAMES
def write(question):
    with Ledger.open(sys.argv[1], blobs=Path(sys.argv[2])) as ledger:
        log = ledger.begin("ask", question, {})
        for number in range(30):
            log.record("page.fetched", {"n": number})
            ledger.blobs.put(str(number).encode())
        log.finish("published")
started = []
for number in range(4):
    child = os.fork()
    if child == 0:
        write(str(number))
        os._exit(0)
    started.append(child)
sys.exit(any([os.waitpid(child, 0)[1] for child in started]))
"""
"""Four processes that have all imported what they need, so that they open the ledger at the same moment."""


def test_several_processes_open_a_new_ledger_and_write_at_once(
    open_ledger: OpenLedger, where: str, tmp_path: Path
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", WRITERS, where, str(tmp_path / "blobs")], stderr=subprocess.PIPE, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    ledger = open_ledger()
    assert {run.question for run in ledger.runs()} == {"0", "1", "2", "3"}
    assert [ledger.verify(run.run_id) for run in ledger.runs()] == [32] * 4


def test_threads_may_record_into_one_run(open_ledger: OpenLedger) -> None:
    ledger = open_ledger()
    log = ledger.begin("ask", "q", {})
    threads = [
        threading.Thread(target=lambda: [log.record("page.fetched", {"n": n}) for n in range(10)]) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert ledger.verify(log.run_id) == 41


@pytest.mark.parametrize(
    ("error", "state"),
    [(ValueError("no"), "failed"), (KeyboardInterrupt(), "interrupted"), (asyncio.CancelledError(), "interrupted")],
)
def test_a_run_left_by_an_exception_says_how_it_ended(
    open_ledger: OpenLedger, error: BaseException, state: str
) -> None:
    ledger = open_ledger()
    log = ledger.begin("ask", "q", {})
    with pytest.raises(type(error)), log:
        raise error
    last = ledger.events(log.run_id)[-1]
    assert last.payload["state"] == state
    assert type(error).__name__ in str(last.payload["detail"])


def test_secrets_never_reach_the_database_or_its_files(open_ledger: OpenLedger, tmp_path: Path, where: str) -> None:
    ledger = open_ledger(secrets=["hunter2-hunter2"])
    key = "sk-" + "Ab3" * 15
    log = ledger.begin("ask", f"is {key} valid?", {"search": {"api_key": "plain-and-short"}})
    log.record("page.fetched", {"url": "https://me:hunter2-hunter2@example.com/?x=hunter2-hunter2"})
    log.finish("failed", detail=f"Bearer {key}")
    for event in ledger.events(log.run_id):
        for secret in (key, "hunter2", "plain-and-short"):
            assert secret not in str(event)
    assert ledger.verify(log.run_id) == 3
    ledger.close()
    if "postgres" not in where:
        raw = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
        assert b"hunter2" not in raw
        assert key.encode() not in raw


def test_a_run_type_is_not_for_record(open_ledger: OpenLedger) -> None:
    log = open_ledger().begin("ask", "q", {})
    with pytest.raises(ValueError, match=re.escape("what begins with run.")):
        log.record("run.finished", {})
    with pytest.raises(TypeError, match=r"page\.fetched\.body: bytes is not JSON"):
        log.record("page.fetched", {"body": b"x"})
    assert log.record("page.fetched", {}) == 2


def test_a_full_database_refuses_the_event_and_keeps_the_rest(tmp_path: Path) -> None:
    ledger = Ledger.open(tmp_path / "ledger.sqlite3")
    log = ledger.begin("ask", "q", {})
    with ledger._engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA max_page_count=30")
    with pytest.raises(StorageError, match=r"ledger\.sqlite3: the disk is full: free some space"):
        log.record("page.fetched", {"text": "x" * 1_000_000})
    assert log.record("page.fetched", {"text": "small"}) == 2
    assert ledger.verify(log.run_id) == 2
    ledger.close()


READ_ONLY = """
import os, sys
from affidavit.ledger.ledger import Ledger
from affidavit.ledger.secret_shapes import NAMES
from affidavit.errors import StorageError
with Ledger.open(sys.argv[1]) as ledger:  # loads every module while this user may still read them
    ledger.runs()
os.setgid(65534)
os.setuid(65534)
ledger = Ledger.open(sys.argv[1])
print(*[run.question for run in ledger.runs()])
try:
    ledger.begin("ask", "q", {})
except StorageError as error:
    print(error)
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="becomes another user, which only root may")
def test_where_nothing_may_be_written_what_was_recorded_can_be_read(tmp_path: Path) -> None:
    import shutil
    import tempfile

    folder = Path(tempfile.mkdtemp(prefix="affidavit-ro-", suffix=" 100%?#"))
    with Ledger.open(folder / "ledger.sqlite3") as ledger:
        ledger.begin("ask", "what was asked", {}).finish("published")
    shutil.rmtree(folder / "ledger.sqlite3-runs")
    folder.chmod(0o755)
    try:
        done = subprocess.run(
            [sys.executable, "-c", READ_ONLY, folder / "ledger.sqlite3"],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.stdout.splitlines()[0] == "what was asked", done.stderr
        assert "ledger.sqlite3-runs" in done.stdout
        assert "permission denied" in done.stdout
    finally:
        shutil.rmtree(folder)


def test_publishing_records_what_the_answer_was_and_finishes_with_its_state(open_ledger: OpenLedger) -> None:
    answer = Answer(
        run_id="run_1",
        question="q",
        tested_claim=None,
        falsifier=None,
        summary="",
        claims=(),
        partial=(),
        dropped=(),
        gaps=(),
        conflicts=(),
        sources=(),
        tried=(),
        documents=(),
        verifier=VerifierCard(name="verbatim", version="1", calibration=None),
        budget={},
    )
    ledger = open_ledger()
    digests = set()
    for one in (answer, replace(answer, warnings=("careful",)), replace(answer, cost_usd=0.5)):
        log = ledger.begin("ask", "q", {})
        log.publish(one)
        *_, published, finished = ledger.events(log.run_id)
        assert (published.type, finished.type) == ("published", "run.finished")
        assert finished.payload["state"] == published.payload["state"] == "nothing_sourced"
        digests.add(published.payload["digest"])
    assert len(digests) == 3
