"""A hostile web, a gateway's process over it, and runs that use it: in this process, or over real sockets."""

import asyncio
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path

import pytest

from affidavit.egress.client import user_agent
from affidavit.egress.gateway import Gateway
from affidavit.egress.keys import Keys
from affidavit.egress.live import LiveWeb, aside
from affidavit.egress.policy import Policy
from affidavit.egress.politeness import Politeness
from affidavit.egress.process.client import RemoteSearch, RemoteWeb, open_session
from affidavit.egress.process.messages import Open
from affidavit.egress.process.place import Listening, Place
from affidavit.egress.process.server import Server
from affidavit.egress.process.token import make_token
from affidavit.egress.transport import PinnedTransport
from affidavit.errors import SearchFailure, SearchFailureKind
from affidavit.extract.worker import Workers
from affidavit.ranking.hit import Hit
from affidavit.search.served import LiveBackend
from affidavit.settings import load_settings

from ..hostile_server import Answers, HostileServer

SITE = "https://www.example.com"


class Listed:
    """A search that finds what it is told to; "fail" fails."""

    name = "listed"

    def __init__(self, urls, on_call, on_failure):
        self._urls = urls
        self._on_failure = on_failure

    async def search(self, query, recency_days=None, limit=10):
        if query == "fail":
            raise SearchFailure(SearchFailureKind.UNAVAILABLE, "listed", "is not working", 7.0)
        if query == "break":
            raise RuntimeError("a fault with a secret in it: key-123456")
        if query == "partly":
            self._on_failure(SearchFailure(SearchFailureKind.QUOTA, "other", "nothing left"))
        return [
            Hit(url=url, title=f"About {query}", snippet="…", published=None, provider="listed", rank=rank)
            for rank, url in enumerate(self._urls[:limit], 1)
        ]


class Backend(LiveBackend):
    found = ()

    @asynccontextmanager
    async def search(self, asked, on_call, on_failure):
        yield Listed(self.found, on_call, on_failure)


class Town:
    """The web, and the gateway's process over it. `own` is the gateway's policy."""

    def __init__(
        self,
        folder,
        workers,
        pages=None,
        *,
        found=(),
        own=None,
        answers=None,
        tcp=False,
        settings=(),
        keys=(),
        **server,
    ):
        self.web = HostileServer(dict(pages or {}))
        self.answers = answers or Answers()
        self.own = own or Policy()
        self.folder = Path(folder)
        self.log = []
        self._found = found
        self._workers = workers
        self._tcp = tcp
        self._settings = dict(settings)
        self._keys = Keys(dict(keys))
        self._server = server
        self.token = None

    async def __aenter__(self):
        await self.web.__aenter__()
        self.detour = self.web.detour
        settings = load_settings({}, cache_dir=self.folder / "cache", data_dir=self.folder / "data", **self._settings)
        self.backend = Backend(
            settings,
            self._keys,
            self._workers,
            on_trouble=print,
            transport=self.transport,
            politeness=Politeness(at_once=50, interval=0),
        )
        self.backend.found = self._found
        place = Place(host="127.0.0.1") if self._tcp else Place(self.folder / "gateway.sock")
        if self._tcp:
            self.token = make_token(self.folder / "token")
        self.listening = Listening(place).__enter__()
        self.place = self.listening.place
        self.server = Server(
            self.backend,
            self.own,
            log=lambda event, fields: self.log.append((event, fields)),
            token=self.token,
            **self._server,
        )
        self.stop = asyncio.Event()
        ready = asyncio.Event()
        self.serving = asyncio.create_task(self.server.serve(self.listening, self.stop, ready.set))
        await ready.wait()
        return self

    async def __aexit__(self, *_):
        self.stop.set()
        await asyncio.wait_for(self.serving, 10)
        self.listening.close()
        await self.web.__aexit__()

    def transport(self, policy):
        return PinnedTransport(
            self.answers, allow_private=policy.allow_private, ssl_context=self.web.trust, dialler=self.detour
        )

    def session(self, run_id="run_1", *, policy=None, given=(), **wishes):
        asked = Open(
            run_id=run_id,
            policy=(policy or Policy()).as_json(),
            given=list(given),
            **wishes,
        )
        return open_session(self.place, asked, token=self.token)

    def events(self, kind):
        return [fields for event, fields in self.log if event == kind]


class Run:
    """What a run has: a gateway, a search, and what both told it."""

    def __init__(self, town, decisions, kept, told):
        self.town, self.decisions, self.kept, self.told = town, decisions, kept, told

    async def find(self, query="mill"):
        hits = await self.search.search(query)
        for hit in hits:
            self.gateway.saw(hit.url, "search result")
        return hits


KINDS = ("in process", "unix", "tcp")


@asynccontextmanager
async def running(kind, town, *, policy=None, given=(), canaries=()):
    """A run of `kind` in `town`, which is open."""
    run = Run(town, [], [], [])
    wanted = policy or Policy()
    if kind == "in process":
        web = LiveWeb(
            town.transport(wanted),
            agent=user_agent(None),
            types=wanted.types,
            politeness=Politeness(at_once=50, interval=0),
            keep=aside(run.kept.append),
        )
        async with web:
            run.gateway = Gateway(web, run.decisions.append, wanted, canaries=canaries)
            run.search = Listed(town.backend.found, None, run.told.append)
            for url in given:
                run.gateway.saw(url, "given by the user")
            yield run
        return
    async with town.session(policy=policy, given=given, canaries=list(canaries), search=["listed"], keep=True) as one:
        web = RemoteWeb(one, run.kept.append)
        run.session = one
        run.gateway = Gateway(web, run.decisions.append, one.policy, canaries=canaries)
        run.search = RemoteSearch(one, lambda _: None, run.told.append)
        for url in given:
            run.gateway.saw(url, "given by the user")
        yield run


@pytest.fixture(scope="session")
def workers():
    with Workers(1, 20.0) as workers:
        yield workers


@pytest.fixture
def town(tmp_path, workers):
    """``town(pages, …)`` makes a Town, with a cache of its own."""
    made = count()

    def make(pages=None, *, folder=None, **more):
        if folder is None:
            folder = tmp_path / str(next(made))
            folder.mkdir()
        return Town(folder, workers, pages, **more)

    return make
