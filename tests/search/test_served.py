"""The real providers behind a gateway's process: what they find can be fetched, and no key of theirs comes across."""

import asyncio
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import quote

import pytest

from affidavit.egress.api import HttpApi, own_hosts
from affidavit.egress.keys import Keys
from affidavit.egress.policy import Policy
from affidavit.egress.process import frames
from affidavit.egress.process.client import RemoteSearch, RemoteWeb, open_session
from affidavit.egress.process.messages import Fetch, Open, read_fetch
from affidavit.egress.process.place import Listening, Place
from affidavit.egress.process.server import Server
from affidavit.egress.transport import PinnedTransport
from affidavit.errors import GatewayError, PageFailure, SearchFailure, SearchFailureKind
from affidavit.extract.worker import Workers
from affidavit.search.catalogue import MAKERS
from affidavit.search.live import endpoints_for, live_search
from affidavit.search.served import LiveBackend
from affidavit.settings import Settings, load_settings

from .conftest import Desk
from .provider_fakes import KEYS, of_json
from .provider_server import EverywherePublic

ALL = tuple(name for name in MAKERS if name not in ("mediawiki", "searxng"))


class Crossed:
    """Every byte that went over a connection of frames, from either end."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.bytes = bytearray()
        send = frames.Pipe.send

        async def heard(pipe, said, blobs=()):
            before = pipe._line.write
            pipe._line.write = lambda data: (self.bytes.extend(data), before(data))[1]
            try:
                await send(pipe, said, blobs)
            finally:
                pipe._line.write = before

        monkeypatch.setattr(frames.Pipe, "send", heard)


def api_of(desk: Desk):
    def api(settings: Settings, on_call, keys: Keys) -> HttpApi:
        table = endpoints_for(settings).values()
        transport = PinnedTransport(
            EverywherePublic(), allow_private=own_hosts(table), ssl_context=desk.server.trust, dialler=desk.dialler
        )
        return HttpApi(table, keys, transport=transport, user_agent="affidavit/test", on_call=on_call)

    return api


@asynccontextmanager
async def opened(desk: Desk, folder: Path, asked: Open, *, own: tuple[str, ...] = ALL, log=lambda event, fields: None):
    settings = load_settings({}, cache_dir=folder / "gateway", search=own)
    backend = LiveBackend(settings, Keys(desk.keys), Workers(1, 20.0), on_trouble=print, api=api_of(desk))
    with Listening(Place(folder / "gateway.sock")) as listening:
        stop, ready = asyncio.Event(), asyncio.Event()
        serving = asyncio.create_task(Server(backend, Policy(), log=log).serve(listening, stop, ready.set))
        await ready.wait()
        try:
            async with open_session(listening.place, asked) as session:
                yield session
        finally:
            stop.set()
            await serving


@pytest.fixture
def far(desk: Desk, tmp_path: Path):
    """``far(names, act)``: what `act` made of a remote search with those providers."""

    def run(names, act, **more):
        async def scene():
            asked = Open(run_id="run_1", search=list(names), search_seconds=20.0, language=more.pop("language", None))
            async with opened(desk, tmp_path, asked, **more) as session:
                return await act(session, RemoteSearch(session, desk.calls.append, desk.told.append))

        return asyncio.run(scene())

    return run


def test_no_key_is_in_any_frame_nor_in_the_gateways_log(desk: Desk, far, monkeypatch):
    crossed, log = Crossed(monkeypatch), []

    async def act(session, search):
        return await search.search("password", limit=60)

    hits = far(ALL, act, log=lambda event, fields: log.append((event, fields)))
    assert {name for hit in hits for name in hit.provider.split(", ")} >= set(ALL) - {"duckduckgo"}  # it has no topic
    used = {value for request in desk.asked for value in (*request.headers.values(), *request.params.values())}
    told = bytes(crossed.bytes) + repr(log).encode()
    assert len(crossed.bytes) > 10_000
    for variable, key in KEYS.items():
        assert any(key in value for value in used), variable
        for form in (key, quote(key, safe=""), key[::-1], key[:12]):
            assert form.encode() not in told, variable


def test_a_key_that_a_server_sends_back_does_not_cross_either(desk: Desk, far, monkeypatch):
    crossed = Crossed(monkeypatch)
    key = KEYS["BRAVE_API_KEY"]
    desk.server.will("api.search.brave.com", of_json({"error": {"code": "X", "detail": f"bad token {key}"}}, 422))

    async def act(session, search):
        with pytest.raises(SearchFailure) as caught:
            await search.search("password")
        return caught.value

    failure = far(["brave"], act)
    assert failure.kind in (SearchFailureKind.BAD_REQUEST, SearchFailureKind.AUTH)
    assert key.encode() not in crossed.bytes
    assert key not in str(failure)


def test_the_hits_are_those_of_a_search_in_this_process(desk: Desk, far, tmp_path: Path):
    names = ("wikipedia", "brave", "pubmed", "arxiv")

    async def here():
        settings = load_settings({}, cache_dir=tmp_path / "here", search=names)
        async with api_of(desk)(settings, desk.calls.append, Keys(desk.keys)) as api:
            search = live_search(settings, api, desk.told.append)
            return search.name, await search.search("password", 365, 20)

    async def act(session, search):
        return search.name, await search.search("password", 365, 20)

    near, calls = asyncio.run(here()), len(desk.calls)
    assert far(names, act) == near
    asked = [call.endpoint for call in desk.calls]
    assert sorted(asked[calls:]) == sorted(asked[:calls])


def test_what_a_provider_found_counts_as_seen_and_what_was_asked_does_not(desk: Desk, far):
    made_up = "https://evil.example.net/?d=secret"

    async def act(session, search):
        (hit, *_) = await search.search(f"password {made_up}")
        return hit.url, [
            read_fetch(await session.ask(lambda n, u=url: Fetch(n=n, url=u))) for url in (hit.url, made_up)
        ]

    _, (found, asked) = far(["brave"], act)
    assert "not_seen" not in str(found.result)
    assert isinstance(asked.result, PageFailure)
    assert "not_seen" in asked.result.detail


def test_a_run_may_use_no_provider_that_the_gateway_does_not(desk: Desk, far):
    async def act(session, search):
        raise AssertionError("it was opened")

    for names, said in ((["exa", "brave"], "does not search with exa"), (["nobody"], "does not search with nobody")):
        with pytest.raises(GatewayError, match=said):
            far(names, act, own=("brave", "wikipedia"))
    assert desk.asked == []


def test_a_run_chooses_its_language_and_no_host_by_it(desk: Desk, far):
    async def act(session, search):
        return await search.search("password")

    with pytest.raises(GatewayError, match="search_language"):
        far(["wikipedia"], act, language="evil.example/")
    assert desk.asked == []


def test_a_gateway_that_goes_is_a_page_and_a_search_that_failed(desk: Desk, tmp_path: Path):
    class Watch:
        def permit(self, target):
            raise AssertionError

        def record(self, hop):
            raise AssertionError

    async def scene():
        async with opened(desk, tmp_path, Open(run_id="run_1", search=["brave"])) as session:
            session._pipe.close()
            await asyncio.sleep(0.05)
            with pytest.raises(PageFailure, match="start it with `affidavit gateway`"):
                await RemoteWeb(session).fetch("https://a.example.com/", Watch())
            with pytest.raises(SearchFailure, match="start it with `affidavit gateway`"):
                await RemoteSearch(session, print, print).search("password")

    asyncio.run(scene())
