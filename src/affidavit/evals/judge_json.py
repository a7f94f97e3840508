"""An eval of a verifier as JSON: plain dicts and lists in the shape of `report.judge_schema.JudgeJson`."""

from typing import Literal, cast

from affidavit.evals.agreement import Confusion, Mean, Share, mean_over_sets
from affidavit.evals.judge import SUITE, SUITE_VERSION, Answered, JudgeEval, Measured
from affidavit.evals.reliability import Reliability
from affidavit.evals.triples import LABELS, Triples
from affidavit.evidence.claim import Label
from affidavit.report.judge_schema import (
    FiguresJson,
    GroupJson,
    JudgeJson,
    MeanJson,
    MeasuredJson,
    ReadingJson,
    ReliabilityJson,
    RowJson,
    ShareJson,
)


def judge_json(done: JudgeEval) -> JudgeJson:
    """`done` ready for `json.dumps`."""
    paired = done.paired
    return {
        "schema_version": "1.0",
        "run_id": done.run_id,
        "measured_at": done.measured_at,
        "kind": "eval",
        "suite": SUITE,
        "suite_version": SUITE_VERSION,
        "outcome": done.outcome.value,
        "data": {
            "digest": done.data.digest,
            "files": [{"name": one.name, "sha256": one.sha256, "rows": one.rows} for one in done.data.files],
        },
        "measured": measured_json(done.measured),
        "against": None if done.against is None else measured_json(done.against),
        "paired": None
        if paired is None
        else {
            "both": paired.both,
            "first_only": paired.first_only,
            "second_only": paired.second_only,
            "neither": paired.neither,
            "p_value": paired.p_value,
        },
        "floors": [
            {
                "name": cast('Literal["max_false_supported", "min_balanced_accuracy"]', floor.name),
                "bound": floor.bound,
                "measured": floor.measured,
                "met": floor.met,
            }
            for floor in done.floors
        ],
        "warnings": list(done.warnings),
        "rows": [_row(one) for one in done.measured.answers],
    }


def measured_json(measured: Measured) -> MeasuredJson:
    """One verifier's figures. They are what the ledger records, too."""
    card, sets = measured.verifier, list(measured.sets.values())
    return {
        "verifier": {
            "name": card.name,
            "version": card.version,
            "calibration": None if card.calibration is None else dict(card.calibration),
        },
        "pooled": _figures(measured.pooled),
        "mean": {
            "balanced_accuracy": _mean(mean_over_sets(sets, lambda one: one.balanced_accuracy)),
            "supported_recall": _mean(mean_over_sets(sets, lambda one: one.supported_recall.value)),
            "false_supported": _mean(mean_over_sets(sets, lambda one: one.false_supported.value)),
        },
        "near_misses": None if measured.near_misses is None else _figures(measured.near_misses),
        "sets": [_group(name, one) for name, one in measured.sets.items()],
        "kinds": [_group(name, one) for name, one in measured.kinds.items()],
        "twins": [_group(name, one) for name, one in measured.twins.items()],
        "reliability": None if measured.reliability is None else _reliability(measured.reliability),
        "seconds": measured.seconds,
        "pairs_per_second": measured.pairs_per_second,
    }


def calibration(done: JudgeEval) -> dict[str, object]:
    """What a verifier's card says of it once it was measured (contract V5): on which rows, when, and how good it was.

    Kept as a file beside a checkpoint's spec, it travels with the verifier into every report.
    """
    return measured_calibration(done.measured, done.data, done.measured_at)


def measured_calibration(measured: Measured, data: Triples, measured_at: str) -> dict[str, object]:
    """`calibration` of one verifier of an eval; the ledger holds that of each."""
    card, pooled = measured.verifier, measured.pooled
    return {
        "verifier": f"{card.name}/{card.version}",
        "suite": f"{SUITE}/{SUITE_VERSION}",
        "measured_at": measured_at,
        "data": [file.name for file in data.files],
        "digest": data.digest,
        "rows": pooled.rows(),
        "balanced_accuracy": pooled.balanced_accuracy,
        "agreement": share_json(pooled.checked.agreement),
        "false_supported": share_json(pooled.false_supported),
        "supported_recall": share_json(pooled.supported_recall),
        "could_not_check": share_json(pooled.could_not_check),
    }


def _group(name: str, confusion: Confusion) -> GroupJson:
    return {"name": name, "figures": _figures(confusion)}


def _figures(confusion: Confusion) -> FiguresJson:
    return {
        "n": confusion.rows(),
        "supported": confusion.rows(true=Label.SUPPORTED),
        "partial": confusion.rows(true=Label.PARTIAL),
        "not_supported": confusion.rows(true=Label.NOT_SUPPORTED),
        "could_not_check": share_json(confusion.could_not_check),
        "as_not_supported": _reading(confusion.as_not_supported),
        "checked_only": _reading(confusion.checked),
        "confusion": [
            {"label": true.value, "said": said.value, "rows": count}
            for true in LABELS
            for said in Label
            if (count := confusion.counts.get((true, said), 0))
        ],
    }


def _reading(confusion: Confusion) -> ReadingJson:
    return {
        "balanced_accuracy": confusion.balanced_accuracy,
        "certified_right": share_json(confusion.certified_right),
        "agreement": share_json(confusion.agreement),
        "supported_recall": share_json(confusion.supported_recall),
        "false_supported": share_json(confusion.false_supported),
        "precision": share_json(confusion.precision),
    }


def share_json(share: Share) -> ShareJson:
    """A share with its interval."""
    low, high = share.interval or (None, None)
    return {"hits": share.hits, "of": share.of, "value": share.value, "low": low, "high": high}


def _mean(mean: Mean) -> MeanJson:
    return {"value": mean.value, "sets": mean.sets}


def _reliability(found: Reliability) -> ReliabilityJson:
    return {
        "rows": found.rows,
        "expected_error": found.expected_error,
        "bins": [
            {
                "low": one.low,
                "high": one.high,
                "rows": one.rows,
                "mean_score": one.mean_score,
                "supported": one.supported,
            }
            for one in found.bins
        ],
    }


def _row(one: Answered) -> RowJson:
    return {
        "dataset": one.row.dataset,
        "id": one.row.row_id,
        "kind": one.row.kind,
        "twin": one.row.twin,
        "label": one.row.label.value,
        "said": one.said.value,
        "score": one.score,
        "reason": one.reason,
    }
