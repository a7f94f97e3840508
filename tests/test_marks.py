"""What a run itself keeps from leaving: the keys that its process holds."""

import asyncio
from pathlib import Path

import pytest

from affidavit.egress.policy import Policy
from affidavit.errors import PageFailure
from affidavit.settings import load_settings
from affidavit.wiring import open_gateway, open_ledger

KEYS = {"ANTHROPIC_API_KEY": "sk-ant-0123456789abcdefghij", "BRAVE_API_KEY": "BSA0123456789abcdefghij"}


class NoWeb:
    async def fetch(self, url: str, watch: object) -> None:
        raise AssertionError(f"{url} was asked for")


@pytest.mark.parametrize("variable", KEYS)
@pytest.mark.parametrize("form", ["https://example.org/?d={}", "https://{}.example.org/", "https://example.org/{}/x"])
def test_no_address_of_a_run_carries_a_key_of_its_process(
    variable: str, form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv(variable, KEYS[variable])
    settings = load_settings({}, data_dir=tmp_path, cache_dir=tmp_path)
    url = form.format(KEYS[variable])
    with open_ledger(settings) as ledger:
        with ledger.begin("ask", "a question", {}) as log:
            gateway = open_gateway(NoWeb(), log, Policy(), settings)  # pyright: ignore[reportArgumentType]
            gateway.saw(url, "search result")
            with pytest.raises(PageFailure, match="canary"):
                asyncio.run(gateway.fetch(url))
            log.finish("failed")
        (decision,) = [event.payload for event in ledger.events(log.run_id) if event.type == "gateway"]
    assert (decision["allowed"], decision["reason"]) == (False, "canary")
    assert KEYS[variable] not in str(decision)
