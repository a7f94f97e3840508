"""A finished suite as JSON and back again: the ledger holds it so, and reports and comparisons read it from there."""

from affidavit.evals.agreement import Share
from affidavit.evals.floors import Floor
from affidavit.evals.records import DataFile
from affidavit.evals.suite import Case, CaseState, Figure, Measured, SuiteEval
from affidavit.report.judge_schema import ShareJson
from affidavit.report.suite_schema import SUITE_SCHEMA_VERSION, SuiteJson


def suite_json(done: SuiteEval) -> SuiteJson:
    """`done` ready for `json.dumps`."""
    return {
        "schema_version": SUITE_SCHEMA_VERSION,
        "run_id": done.run_id,
        "kind": "suite",
        "suite": done.suite,
        "suite_version": done.version,
        "measured_at": done.measured_at,
        "outcome": done.outcome.value,
        "data": {
            "digest": done.data_digest,
            "files": [{"name": one.name, "sha256": one.sha256, "rows": one.rows} for one in done.files],
        },
        "figures": [
            {"name": one.name, "about": one.about, "share": _share(one.share), "more_is_better": one.more_is_better}
            for one in done.measured.figures
        ],
        "floors": [
            {"name": one.name, "bound": one.bound, "measured": one.measured, "met": one.met} for one in done.floors
        ],
        "cases": [
            {"case_id": one.case_id, "kind": one.kind, "state": one.state.value, "detail": one.detail}
            for one in done.measured.cases
        ],
        "seconds": done.seconds,
        "notes": list(done.notes),
    }


def suite_of(told: SuiteJson) -> SuiteEval:
    """What `suite_json` made `told` of."""
    return SuiteEval(
        run_id=told["run_id"],
        suite=told["suite"],
        version=told["suite_version"],
        measured_at=told["measured_at"],
        files=tuple(DataFile(one["name"], one["sha256"], one["rows"]) for one in told["data"]["files"]),
        data_digest=told["data"]["digest"],
        measured=Measured(
            tuple(Case(one["case_id"], one["kind"], CaseState(one["state"]), one["detail"]) for one in told["cases"]),
            tuple(
                Figure(
                    name=one["name"],
                    about=one["about"],
                    share=Share(one["share"]["hits"], one["share"]["of"]),
                    more_is_better=one["more_is_better"],
                )
                for one in told["figures"]
            ),
        ),
        floors=tuple(Floor(one["name"], one["bound"], one["measured"], one["met"]) for one in told["floors"]),
        seconds=told["seconds"],
        notes=tuple(told["notes"]),
    )


def _share(share: Share) -> ShareJson:
    low, high = share.interval or (None, None)
    return {"hits": share.hits, "of": share.of, "value": share.value, "low": low, "high": high}
