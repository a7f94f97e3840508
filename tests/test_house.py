from dataclasses import replace

import pytest

from affidavit import wiring
from affidavit.errors import ForbiddenAction
from affidavit.house import open_house
from affidavit.reach import Reach
from affidavit.research.ask import Ask
from affidavit.research.plan import make_plan
from affidavit.settings import load_settings

PAGE = (
    "The mill at Aldersbrook was rebuilt in 1911 after the great fire. It grinds wheat for four villages to this day."
)


def test_a_run_that_did_what_no_run_may_ends_failed_and_says_which(tmp_path, monkeypatch):
    (tmp_path / "mill").mkdir()
    (tmp_path / "mill" / "a.txt").write_text(PAGE)
    settings = load_settings({}, data_dir=tmp_path / "data", cache_dir=tmp_path / "cache", workers=1)
    record = wiring.record_decision
    monkeypatch.setattr(wiring, "record_decision", lambda log, one: record(log, replace(one, method="POST")))
    with (
        open_house(settings, Reach.named([str(tmp_path / "mill")])) as house,
        pytest.raises(ForbiddenAction, match="POST"),
    ):
        house.ask(make_plan(Ask("When was the mill at Aldersbrook rebuilt?"), 1))
    with wiring.open_ledger(settings) as ledger:
        (run,) = ledger.runs()
        assert run.state == "failed"
        assert "forbidden action method" in str(ledger.events(run.run_id)[-1].payload["detail"])
