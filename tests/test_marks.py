"""What a run itself keeps from leaving: the keys that its process holds."""

import asyncio
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest

from affidavit.egress.policy import Policy
from affidavit.errors import PageFailure, SearchFailure
from affidavit.reach import Opened
from affidavit.settings import load_settings
from affidavit.wiring import Pages, open_gateway, open_ledger, open_pages

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


class NoSearch:
    name = "elsewhere"

    async def search(self, query: str, recency_days: int | None = None, limit: int = 10) -> None:
        raise AssertionError(f"{query} was sent")


class NoLive:
    @asynccontextmanager
    async def open(self, *_: object):
        yield Opened(NoWeb(), NoSearch())  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize("variable", KEYS)
@pytest.mark.parametrize("form", ["what is {}", "page # {}"])
def test_no_query_of_a_run_carries_a_key_of_its_process(
    variable: str, form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv(variable, KEYS[variable])
    settings = load_settings({}, data_dir=tmp_path, cache_dir=tmp_path)
    pages = Pages(archives=(), search=None, live=NoLive(), policy=Policy(), saved=None)  # pyright: ignore[reportArgumentType]
    query = form.format(KEYS[variable])

    async def search() -> None:
        async with AsyncExitStack() as stack:
            _, (provider,) = await open_pages(pages, settings, log, [].append, stack)
            with pytest.raises(AssertionError, match="an honest one was sent"):
                await provider.search("an honest one")
            await provider.search(query)

    with open_ledger(settings) as ledger, ledger.begin("ask", "a question", {}) as log:
        with pytest.raises(SearchFailure, match="was not sent; ask without it") as refused:
            asyncio.run(search())
        log.finish("failed")
    assert KEYS[variable] not in str(refused.value)
