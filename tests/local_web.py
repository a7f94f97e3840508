"""A small live web on loopback: several sites over http and https, and search APIs that find their pages.

Permits are explicit and given by hand: names resolve to a public address, and a dialler leads connections to that
address here. A command that runs in a process of its own is let in as an operator would: by a policy file that opens
this host, and by naming a SearXNG instance of one's own.
"""

import asyncio
import threading
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from affidavit.egress.api import ApiCall, HttpApi, own_hosts
from affidavit.egress.keys import Keys
from affidavit.egress.policy import Policy
from affidavit.egress.transport import PinnedTransport
from affidavit.reach import LiveHere
from affidavit.search.live import endpoints_for
from affidavit.settings import Settings, load_settings

from .egress.hostile_server import Answers, HostileServer
from .search.provider_fakes import Reply, Request, of_json
from .search.provider_server import EverywherePublic, ProviderServer, ToServer


@dataclass
class LocalWeb:
    """`site` serves the pages; `providers` the search APIs, of which SearXNG finds `found`, the addresses of pages."""

    site: HostileServer
    providers: ProviderServer
    folder: Path
    found: list[str] = field(default_factory=list)
    keys: Mapping[str, str] = field(default_factory=dict)

    @property
    def plain_port(self) -> int:
        """Of the sites over http, for those who come without a detour."""
        return self.site.detour.ports[80]

    @property
    def own(self) -> str:
        return f"http://127.0.0.1:{self.providers.plain_port}"

    def settings(self, **given: object) -> Settings:
        parts = {
            "cache_dir": self.folder / "cache",
            "data_dir": self.folder / "data",
            "workers": 1,
            "search": ("searxng",),
            "searxng_url": self.own,
            "search_seconds": 3.0,
            "fetch_seconds": 2.0,
        }
        return load_settings({}, **parts | given)

    def live(self, settings: Settings, policy: Policy, on_trouble: Callable[[str], None]) -> LiveHere:
        """As `reach.live_here`, to here."""
        return LiveHere(
            settings, policy, on_trouble=on_trouble, transport=self._transport, api=self._api, keys=Keys(self.keys)
        )

    def policy_file(self) -> Path:
        path = self.folder / "web.toml"
        path.write_text(f'allow_private = ["127.0.0.1", "localhost"]\nports = [{self.plain_port}]\n')
        return path

    def environment(self) -> dict[str, str]:
        """For a command in a process of its own."""
        return {
            "AFFIDAVIT_SEARCH": "searxng",
            "AFFIDAVIT_SEARXNG_URL": self.own,
            "AFFIDAVIT_WEB_POLICY": str(self.policy_file()),
            "AFFIDAVIT_FETCH_SECONDS": "20",
        }

    def search(self, request: Request) -> Reply:
        """What SearXNG answers: every page it has, for any query."""
        results = [
            {"url": url, "title": url, "content": "", "engine": "local", "publishedDate": None} for url in self.found
        ]
        first = request.params.get("pageno", "1") == "1"
        return of_json({"query": request.params["q"], "results": results if first else [], "unresponsive_engines": []})

    def _transport(self, policy: Policy) -> PinnedTransport:
        return PinnedTransport(
            Answers(), allow_private=policy.allow_private, ssl_context=self.site.trust, dialler=self.site.detour
        )

    def _api(self, settings: Settings, on_call: Callable[[ApiCall], None], keys: Keys) -> HttpApi:
        table = endpoints_for(settings).values()
        transport = PinnedTransport(
            EverywherePublic(),
            allow_private=own_hosts(table),
            ssl_context=self.providers.trust,
            dialler=ToServer(self.providers.tls_port),
        )
        return HttpApi(table, keys, transport=transport, user_agent="affidavit/test", on_call=on_call)


@contextmanager
def local_web(folder: Path) -> Generator[LocalWeb]:
    providers = ProviderServer(folder)
    with _in_a_thread(HostileServer()) as site:
        web = LocalWeb(site=site, providers=providers, folder=folder)
        providers.fakes[f"127.0.0.1:{providers.plain_port}"] = web.search
        try:
            yield web
        finally:
            providers.close()


@contextmanager
def _in_a_thread(server: HostileServer) -> Generator[HostileServer]:
    """The server in a loop of its own, so that whoever asks it may block."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()

    def wait(work) -> None:
        asyncio.run_coroutine_threadsafe(work, loop).result(timeout=20)

    wait(server.__aenter__())
    try:
        yield server
    finally:
        wait(server.__aexit__(None, None, None))
        wait(loop.shutdown_default_executor())
        loop.call_soon_threadsafe(loop.stop)
        thread.join(timeout=20)
        loop.close()
