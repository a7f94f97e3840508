"""What is only true of the parts together."""

from affidavit import wiring
from affidavit.settings import load_settings


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
