import asyncio
from pathlib import Path

import pytest

from affidavit.egress.api import HttpApi, own_hosts
from affidavit.egress.keys import Keys
from affidavit.egress.transport import PinnedTransport
from affidavit.errors import SearchFailure, SearchFailureKind, UserError
from affidavit.search.catalogue import MAKERS, catalogue, named
from affidavit.search.live import LIMITS_FILE, endpoints_for, live_search, probe, readiness
from affidavit.settings import Settings, load_settings

from .conftest import Desk
from .provider_fakes import KEYS, of_json
from .provider_server import EverywherePublic


def opened(desk: Desk, settings: Settings) -> HttpApi:
    table = endpoints_for(settings).values()
    transport = PinnedTransport(
        EverywherePublic(), allow_private=own_hosts(table), ssl_context=desk.server.trust, dialler=desk.dialler
    )
    return HttpApi(table, Keys(desk.keys), transport=transport, user_agent="affidavit/test", on_call=desk.calls.append)


def test_the_default_providers_need_no_key(desk: Desk, tmp_path: Path):
    desk.keys = {}
    settings = load_settings({}, cache_dir=tmp_path)

    async def search():
        async with opened(desk, settings) as api:
            return await live_search(settings, api, desk.told.append).search("password", limit=60)

    hits = asyncio.run(search())
    assert desk.told == []
    assert {name for hit in hits for name in hit.provider.split(", ")} == set(settings.search)
    assert (tmp_path / LIMITS_FILE).exists()


def test_one_that_is_rate_limited_is_told_and_the_rest_answers(desk: Desk, tmp_path: Path):
    settings = load_settings({}, cache_dir=tmp_path, search=("brave", "tavily"))
    desk.server.will("api.tavily.com", of_json({"detail": {"error": "slow"}}, 429, Retry_After="900"))

    async def search():
        async with opened(desk, settings) as api:
            return await live_search(settings, api, desk.told.append).search("password")

    assert {hit.provider for hit in asyncio.run(search())} == {"brave"}
    assert [(failure.provider, failure.kind) for failure in desk.told] == [("tavily", SearchFailureKind.RATE_LIMITED)]


@pytest.mark.parametrize(("name", "said"), [("wikipdia", "did you mean 'wikipedia'"), ("google", "known: wikipedia")])
def test_a_provider_that_does_not_exist_is_named(name: str, said: str):
    with pytest.raises(UserError, match=said):
        named([name])


def test_no_provider_is_an_error():
    with pytest.raises(UserError):
        named([])


def test_every_provider_is_in_the_catalogue_with_its_cost_and_source():
    assert list(catalogue()) == list(MAKERS)
    for entry in catalogue().values():
        assert entry.source.startswith("https://")
        assert entry.cost
        assert entry.as_of.year >= 2026


def test_who_is_ready_is_known_without_asking(desk: Desk):
    desk.keys = {"BRAVE_API_KEY": KEYS["BRAVE_API_KEY"]}
    settings = load_settings({}, search=("brave",))
    found = {one.entry.name: one for one in readiness(settings, opened(desk, settings))}
    assert desk.asked == []
    assert next(iter(found)) == "brave"
    assert found["brave"].used
    assert found["brave"].missing is None
    assert not found["exa"].used
    assert "EXA_API_KEY" in (found["exa"].missing or "")
    assert "searxng_url" in (found["searxng"].missing or "")
    assert found["tavily"].missing is None


def test_a_trial_search_finds_out_what_a_key_is_worth(desk: Desk, tmp_path: Path):
    desk.keys = {"BRAVE_API_KEY": "wrong-key-123456"}
    settings = load_settings({}, cache_dir=tmp_path, search=("brave", "crossref", "exa"))

    async def tried():
        async with opened(desk, settings) as api:
            return [await probe(settings, api, one) for one in readiness(settings, api) if one.used]

    brave, crossref, exa = asyncio.run(tried())
    assert isinstance(brave.failure, SearchFailure)
    assert brave.failure.kind is SearchFailureKind.AUTH
    assert crossref.failure is None
    assert exa.failure is None
    assert exa.missing
    assert "api.exa.ai" not in {request.host for request in desk.asked}
