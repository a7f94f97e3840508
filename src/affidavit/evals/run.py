"""An eval as a run of the ledger: what was measured, on which rows, and every answer, so that runs can be compared."""

import asyncio
from collections.abc import Callable, Mapping
from datetime import UTC, datetime

from affidavit.evals.floors import Floors
from affidavit.evals.judge import SUITE, SUITE_VERSION, JudgeEval, Measured, measure
from affidavit.evals.judge_json import measured_calibration, measured_json
from affidavit.evals.triples import Triples
from affidavit.ledger import Ledger
from affidavit.ledger.run import RunLog
from affidavit.verify.calibration import CALIBRATED
from affidavit.verify.verifier import Verifier

KIND = "eval"
"""The kind of run in the ledger."""


def _tell_nobody(_: RunLog) -> None:
    """For whoever needs no log."""


def run_judge(
    verifier: Verifier,
    data: Triples,
    ledger: Ledger,
    *,
    against: Verifier | None = None,
    floors: Floors | None = None,
    progress: Callable[[str, int, int], None],
    on_begun: Callable[[RunLog], None] = _tell_nobody,
) -> JudgeEval:
    """Ask `verifier`, and then `against`, about every row of `data`, and record it. Raises StorageError.

    `progress` is told a verifier's name, the rows done and of how many; `on_begun` gets the run's log before the first
    row, for whoever records what the verifiers cost.
    """
    bounds = floors or Floors()
    with ledger.begin(KIND, SUITE, _recorded(verifier, data, against, bounds)) as log:
        on_begun(log)
        measured = _measured(verifier, data, log, progress)
        other = None if against is None else _measured(against, data, log, progress)
        done = JudgeEval(
            run_id=log.run_id,
            measured_at=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            data=data,
            measured=measured,
            against=other,
            floors=bounds.held_against(measured.pooled),
        )
        for one in (done.measured, done.against):
            if one is not None and one.pooled.could_not_check.hits < one.pooled.rows():
                log.record(CALIBRATED, measured_calibration(one, data, done.measured_at))
        log.finish(done.outcome.value)
    return done


def _measured(verifier: Verifier, data: Triples, log: RunLog, progress: Callable[[str, int, int], None]) -> Measured:
    name = verifier.card.name
    measured = asyncio.run(measure(verifier, data.rows, lambda done, total: progress(name, done, total)))
    log.record("eval.figures", measured_json(measured))
    for dataset in measured.sets:
        said = {one.row.row_id: one.said.value for one in measured.answers if one.row.dataset == dataset}
        log.record("eval.answers", {"verifier": _card(verifier), "dataset": dataset, "said": said})
    return measured


def _recorded(verifier: Verifier, data: Triples, against: Verifier | None, floors: Floors) -> Mapping[str, object]:
    return {
        "suite": f"{SUITE}/{SUITE_VERSION}",
        "verifier": _card(verifier),
        "against": None if against is None else _card(against),
        "data": {"digest": data.digest, "files": data.files},
        "floors": floors,
    }


def _card(verifier: Verifier) -> str:
    return f"{verifier.card.name}/{verifier.card.version}"
