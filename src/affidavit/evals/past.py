"""Suites that were measured before, read from the ledger, and two runs of one suite held side by side."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import cast

from affidavit.errors import UserError
from affidavit.evals.paired import Paired
from affidavit.evals.pinned import held, read_floors
from affidavit.evals.run import KIND
from affidavit.evals.run_suite import DONE
from affidavit.evals.suite import Case, CaseState, Figure, SuiteEval
from affidavit.evals.suite_json import suite_of
from affidavit.ledger import Ledger
from affidavit.report.suite_schema import SuiteJson

MOST_RUNS = 10_000


def read_suite(ledger: Ledger, run_id: str) -> SuiteEval:
    """The suite of that run. Raises UserError where the run is none of a suite, or never came to its end."""
    found = [event for event in ledger.events(run_id) if event.type == DONE]
    if not found:
        raise UserError(f"{run_id} is no finished run of a suite (affidavit eval report lists those there are)")
    return suite_of(cast("SuiteJson", found[-1].payload))


def newest_suites(ledger: Ledger) -> Iterator[SuiteEval]:
    """The newest finished run of each suite, newest first."""
    seen: set[str] = set()
    for run in ledger.runs(MOST_RUNS):
        if run.kind != KIND or run.question is None or run.question in seen:
            continue
        for event in ledger.events(run.run_id):
            if event.type == DONE:
                seen.add(run.question)
                yield suite_of(cast("SuiteJson", event.payload))


def shipped_suites(ledger: Ledger) -> dict[str, SuiteEval]:
    """By name, the newest finished run of each suite on the very rows that its shipped floors were pinned on, held to
    the floors of today."""
    pinned = read_floors()
    found: dict[str, SuiteEval] = {}
    for event in ledger.recorded(DONE, MOST_RUNS):
        told = cast("SuiteJson", event.payload)
        name = told["suite"]
        if name in found or name not in pinned or told["data"]["digest"] != pinned[name].digest:
            continue
        done = suite_of(told)
        bounds, _ = held(pinned, name, done.data_digest, done.measured.figures)
        found[name] = replace(done, floors=bounds)
    return found


@dataclass(frozen=True, slots=True)
class Compared:
    """Two runs of one suite on the same rows. `figures` stand in pairs, in the order of the later run."""

    earlier: SuiteEval
    later: SuiteEval
    figures: tuple[tuple[Figure, Figure], ...]
    turned: tuple[tuple[Case, Case], ...]
    """Cases whose state is another, in order."""
    paired: Paired


def compare(earlier: SuiteEval, later: SuiteEval) -> Compared:
    """Raises UserError where the two are not of one suite, version and data: then a difference says nothing."""
    for what, one, other in (
        ("suites", earlier.suite, later.suite),
        ("versions of the suite", earlier.version, later.version),
        ("rows", earlier.data_digest, later.data_digest),
    ):
        if one != other:
            raise UserError(f"{earlier.run_id} and {later.run_id} are of different {what} ({one}; {other})")
    before = {case.case_id: case for case in earlier.measured.cases}
    pairs = [(before[case.case_id], case) for case in later.measured.cases]
    figures = {figure.name: figure for figure in earlier.measured.figures}
    return Compared(
        earlier,
        later,
        tuple((figures[one.name], one) for one in later.measured.figures if one.name in figures),
        tuple((one, other) for one, other in pairs if one.state is not other.state),
        Paired.of((one.state is CaseState.RIGHT, other.state is CaseState.RIGHT) for one, other in pairs),
    )
