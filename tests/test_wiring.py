"""What is only true of the parts together."""

from dataclasses import replace

import pytest

from affidavit import wiring
from affidavit.errors import ForbiddenAction
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
        wiring.open_house(settings, Reach.named([str(tmp_path / "mill")])) as house,
        pytest.raises(ForbiddenAction, match="POST"),
    ):
        house.ask(make_plan(Ask("When was the mill at Aldersbrook rebuilt?"), 1))
    with wiring.open_ledger(settings) as ledger:
        (run,) = ledger.runs()
        assert run.state == "failed"
        assert "forbidden action method" in str(ledger.events(run.run_id)[-1].payload["detail"])


def test_no_key_of_a_search_or_of_a_model_is_recorded_whatever_it_looks_like(tmp_path, monkeypatch):
    search_key, model_key, server_key = "plain-words/1", "just-a-model-word", "server_word"
    monkeypatch.setenv("BRAVE_API_KEY", search_key)
    monkeypatch.setenv("ANTHROPIC_API_KEY", model_key)
    monkeypatch.setenv("OURS_API_KEY", server_key)
    servers = {"ours": "https://models.example/v1"}
    settings = load_settings({}, data_dir=tmp_path / "data", models={"servers": servers})
    with wiring.open_ledger(settings) as ledger, ledger.begin("ask", f"Is {model_key} {search_key}?", {}) as log:
        log.record("page_failed", {"url": f"https://a.example/{server_key}", "detail": f"it said {search_key}"})
        recorded = str([event.payload for event in ledger.events(log.run_id)])
    assert not any(key in recorded for key in (search_key, model_key, server_key))
    assert recorded.count("[redacted:secret]") == 4


def test_a_stand_in_for_a_key_neither_stops_a_run_nor_is_cut_out_of_its_settings(tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "EMPTY")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "ollama")
    settings = load_settings({}, data_dir=tmp_path / "data")
    said = {"models": {"answer": "ollama:a-model", "note": "EMPTY"}}
    with wiring.open_ledger(settings) as ledger, ledger.begin("ask", "Is it so?", said) as log:
        assert ledger.run(log.run_id).settings == said
