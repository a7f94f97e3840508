from affidavit.research.meter import Meter
from affidavit.settings import Budgets


def test_a_budget_is_never_overdrawn_and_what_ran_out_is_remembered():
    meter = Meter(Budgets(max_searches=2))
    assert [meter.take_search() for _ in range(4)] == [True, True, False, False]
    assert meter.out == {"searches"}
    assert meter.report()["searches"] == {"used": 2, "limit": 2}


def test_when_the_time_is_up_nothing_more_is_taken():
    now = [0.0]
    meter = Meter(Budgets(max_seconds=10), clock=lambda: now[0])
    assert meter.take_fetch()
    now[0] = 10.0
    assert not meter.take_fetch()
    assert not meter.take_search()
    assert meter.out == {"seconds"}
    assert meter.seconds_left == 0
