"""How a run's rates compare with those of this user's earlier runs, and what the run records of it.

What a run is compared with is recorded with it, so that a replay warns of the same, whatever ran since.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from affidavit.evidence.answer import Answer
from affidavit.evidence.check import Check
from affidavit.evidence.claim import Label
from affidavit.evidence.rates import RUNS, Rates, alerts, rates_of
from affidavit.ledger import Ledger

RATES = "rates"
"""The event with a run's own rates and those of the runs before it."""


def answer_rates(answer: Answer, verdicts: Iterable[Mapping[str, Any]]) -> Rates:
    """The rates of a research run. `verdicts` are its events: all that were given, before anything was dropped."""
    labels = [one["label"] for one in verdicts]
    dropped = len(answer.dropped)
    return Rates(
        pairs=len(labels),
        supported=labels.count(Label.SUPPORTED.value),
        partial=labels.count(Label.PARTIAL.value),
        claims=len(answer.claims) + len(answer.partial) + dropped,
        dropped=dropped,
    )


def check_rates(check: Check) -> Rates:
    """The rates of a check: sourced is what supported is, unsourced what partial is, rejected what dropped is."""
    counts, claims = check.counts, len(check.claims)
    return Rates(
        pairs=claims,
        supported=counts["sourced"],
        partial=counts["unsourced"],
        claims=claims,
        dropped=counts["rejected"],
    )


def usual_rates(ledger: Ledger, kind: str, verifier: str) -> list[Rates]:
    """The rates of the newest finished runs of that kind with that verifier, newest first."""
    found: list[Rates] = []
    for event in ledger.recorded(RATES):
        said = cast("Mapping[str, Any]", event.payload)
        if said["kind"] == kind and said["verifier"] == verifier:
            found.append(rates_of(said["rates"]))
    return found[:RUNS]


def rates_event(kind: str, verifier: str, rates: Rates, before: Sequence[Rates]) -> dict[str, object]:
    return {
        "kind": kind,
        "verifier": verifier,
        "rates": rates.as_list(),
        "before": [one.as_list() for one in before],
        "alerts": list(alerts(rates, before)),
    }


def before_of(said: Mapping[str, Any]) -> list[Rates]:
    """What the run whose ``rates`` event that is was compared with."""
    return [rates_of(one) for one in said["before"]]


def answer_with_alerts(answer: Answer, rates: Rates, before: Sequence[Rates]) -> Answer:
    found = alerts(rates, before)
    return replace(answer, warnings=(*answer.warnings, *found)) if found else answer


def check_with_alerts(check: Check, before: Sequence[Rates]) -> Check:
    found = alerts(check_rates(check), before)
    return replace(check, warnings=(*check.warnings, *found)) if found else check


def signed(name: str, version: str) -> str:
    """The verifier as it is told from others: another version of it judges otherwise."""
    return f"{name}/{version}"
