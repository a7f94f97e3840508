"""What a run's rates are compared with."""

from collections.abc import Callable

from affidavit.evidence.rates import RUNS, Rates
from affidavit.ledger.ledger import Ledger
from affidavit.usual import RATES, rates_event, usual_rates

OpenLedger = Callable[..., Ledger]


def ended(ledger: Ledger, kind: str, verifier: str, supported: int, *, finish: bool = True) -> None:
    log = ledger.begin(kind, "What?", {})
    rates = Rates(pairs=100, supported=supported, partial=0, claims=1, dropped=0)
    log.record(RATES, rates_event(kind, verifier, rates, usual_rates(ledger, kind, verifier)))
    if finish:
        log.finish("published")


def test_runs_are_compared_with_finished_ones_of_their_kind_and_verifier_newest_first(open_ledger: OpenLedger) -> None:
    ledger = open_ledger()
    ended(ledger, "ask", "verbatim/1", 1)
    ended(ledger, "ask", "verbatim/2", 2)
    ended(ledger, "check", "verbatim/1", 3)
    ended(ledger, "ask", "verbatim/1", 4, finish=False)
    ended(ledger, "ask", "verbatim/1", 5)
    assert sorted(one.supported for one in usual_rates(ledger, "ask", "verbatim/1")) == [1, 5]
    assert [one.supported for one in usual_rates(ledger, "check", "verbatim/1")] == [3]


def test_old_habits_are_forgotten(open_ledger: OpenLedger) -> None:
    ledger = open_ledger()
    for number in range(RUNS + 3):
        ended(ledger, "ask", "verbatim/1", number % 100)
    assert len(usual_rates(ledger, "ask", "verbatim/1")) == RUNS
