"""A suite as a run of the ledger: which rows, every case, every figure and its floor."""

import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from affidavit.evals.pinned import Floors, held
from affidavit.evals.records import read_records, read_shipped_records
from affidavit.evals.run import KIND
from affidavit.evals.suite import Suite, SuiteEval, data_digest
from affidavit.evals.suite_json import suite_json
from affidavit.ledger import Ledger
from affidavit.ledger.run import RunLog
from affidavit.wiring import tell_nobody

DONE = "eval.suite"
"""The event that holds a finished suite, in the shape of `report.suite_schema.SuiteJson`."""


def run_suite(
    suite: Suite,
    ledger: Ledger,
    *,
    paths: Sequence[Path] = (),
    floors: Floors,
    progress: Callable[[str, int, int], None],
    on_begun: Callable[[RunLog], None] = tell_nobody,
) -> SuiteEval:
    """Measure `suite` on the rows at `paths`, or on those that ship, and record it. Raises UserError, StorageError.

    `progress` is told the suite's name, the rows done and of how many; `on_begun` gets the run's log before the first
    row, for whoever records more than the cases.
    """
    records = read_records(paths) if paths else read_shipped_records(suite.data)
    digest = data_digest(records)
    files = [{"name": one.name, "sha256": one.sha256, "rows": one.rows} for one in records.files]
    about = {"suite": f"{suite.name}/{suite.version}", "data": {"digest": digest, "files": files}}
    with ledger.begin(KIND, suite.name, about) as log:
        on_begun(log)
        begun = time.perf_counter()
        measured = suite.measure(records, lambda done, total: progress(suite.name, done, total))
        seconds = round(time.perf_counter() - begun, 3)
        bounds, why_none = held(floors, suite.name, digest, measured.figures)
        done = SuiteEval(
            run_id=log.run_id,
            suite=suite.name,
            version=suite.version,
            measured_at=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            files=records.files,
            data_digest=digest,
            measured=measured,
            floors=bounds,
            seconds=seconds,
            notes=(*measured.notes, *((why_none,) if why_none else ())),
        )
        log.record(DONE, suite_json(done))
        log.finish(done.outcome.value)
    return done
