"""Several suites measured at the same time, in processes of their own.

Suites over the same rows stay together in one process: what one of them found out, the other need not find out again.
The order of what comes back is the order of what was asked for, whichever was done first.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context

from affidavit.errors import OperatorError
from affidavit.evals.hired import Hired
from affidavit.evals.pinned import Floors
from affidavit.evals.run_suite import run_suite
from affidavit.evals.suite import Suite, SuiteEval
from affidavit.evals.suite_json import suite_json, suite_of
from affidavit.evals.suites import suites
from affidavit.report.suite_schema import SuiteJson
from affidavit.settings import Settings
from affidavit.wiring import open_ledger, tell_nobody


def together(chosen: Sequence[Suite]) -> list[tuple[str, ...]]:
    """The names of `chosen`, those over the same rows together, the last first: suites stand in order of how long they
    take, and what takes long must not begin last."""
    groups: dict[str, list[str]] = {}
    for suite in chosen:
        groups.setdefault(suite.data, []).append(suite.name)
    return [tuple(names) for names in groups.values()][::-1]


def run_at_once(
    chosen: Sequence[Suite],
    processes: int,
    *,
    settings: Settings,
    floors: Floors,
    progress: Callable[[str, int, int], None],
) -> list[SuiteEval]:
    """Measure `chosen` on the rows that ship, `processes` groups of them at a time, with no model. Each is a run of the
    ledger that `settings` name. Raises what measuring raises, and OperatorError where a process was killed; what was
    measured until then stands in the ledger.

    `progress` is told what was just done, how many suites are, and of how many.
    """
    done: dict[str, SuiteEval] = {}
    progress("", 0, len(chosen))
    pool = ProcessPoolExecutor(processes, mp_context=get_context("spawn"))
    try:
        waiting: list[Future[list[SuiteJson]]] = [
            pool.submit(_measured, names, settings, floors) for names in together(chosen)
        ]
        for ended in as_completed(waiting):
            for told in ended.result():
                done[told["suite"]] = suite_of(told)
                progress(told["suite"], len(done), len(chosen))
    except BrokenProcessPool as error:
        raise OperatorError(
            "a process that measured suites was killed, as a machine does that is out of memory: measure with --jobs 1"
        ) from error
    finally:
        pool.shutdown(cancel_futures=True)
    return [done[suite.name] for suite in chosen]


def _measured(names: Sequence[str], settings: Settings, floors: Floors) -> list[SuiteJson]:
    """In the other process. A finished suite goes from one to the other in its JSON."""
    hired = Hired(settings, {})
    known = suites(hired)
    with open_ledger(settings) as ledger:
        return [
            suite_json(run_suite(known[name], ledger, floors=floors, progress=tell_nobody, on_begun=hired.charge))
            for name in names
        ]
