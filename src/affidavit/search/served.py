"""What a gateway's process gives to runs: the live web, and the search providers with the keys that only it has."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager

from affidavit.egress.api import ApiCall, HttpApi
from affidavit.egress.cache import PageCache
from affidavit.egress.client import user_agent
from affidavit.egress.keys import Keys
from affidavit.egress.live import Keep, LiveWeb
from affidavit.egress.policy import Policy
from affidavit.egress.politeness import Politeness
from affidavit.egress.process.messages import Open
from affidavit.egress.received import Limits
from affidavit.egress.transport import PinnedTransport
from affidavit.errors import PageFailure, SearchFailure, UserError
from affidavit.evidence.document import Fetched
from affidavit.extract.worker import Workers
from affidavit.search.live import live_search, open_api, readiness
from affidavit.search.together import Together
from affidavit.settings import Settings

_MEGABYTE = 1024 * 1024


def _less(asked: float | None, own: float | None) -> float | None:
    """The smaller of two bounds, of which each may be none."""
    return min((one for one in (asked, own) if one is not None), default=None)


class LiveBackend:
    """The backend of a gateway: for each run a web and a search of its own, over one cache, one set of turns at sites
    and one set of keys. Belongs to one event loop.

    `transport` makes the way to the web for a policy, and `api` the way to the search APIs; a test gives ones that lead
    to servers of its own.
    """

    def __init__(
        self,
        settings: Settings,
        keys: Keys,
        workers: Workers,
        *,
        on_trouble: Callable[[str], None],
        transport: Callable[[Policy], PinnedTransport] = lambda policy: PinnedTransport(
            allow_private=policy.allow_private
        ),
        api: Callable[[Settings, Callable[[ApiCall], None], Keys], HttpApi] = open_api,
        politeness: Politeness | None = None,
    ) -> None:
        self._settings = settings
        self._keys = keys
        self._workers = workers
        self._transport = transport
        self._api = api
        self._cache = PageCache(settings.cache_dir / "web", on_trouble=on_trouble)
        self._politeness = politeness or Politeness()

    @asynccontextmanager
    async def web(self, policy: Policy, asked: Open, keep: Keep | None) -> AsyncGenerator[LiveWeb]:
        most = self._settings
        limits = Limits(
            seconds=min(asked.seconds, most.fetch_seconds),
            received=min(asked.megabytes, most.fetch_megabytes) * _MEGABYTE,
        )
        async with LiveWeb(
            self._transport(policy),
            agent=user_agent(most.contact),
            limits=limits,
            types=policy.types,
            cache=self._cache,
            max_age=_less(asked.max_age, most.cache_seconds),
            keep=keep,
            politeness=self._politeness,
        ) as web:
            yield web

    @asynccontextmanager
    async def search(
        self, asked: Open, on_call: Callable[[ApiCall], None], on_failure: Callable[[SearchFailure], None]
    ) -> AsyncGenerator[Together]:
        settings = self._asked(asked)
        async with self._api(settings, on_call, self._keys) as api:
            yield live_search(settings, api, on_failure)

    async def links(self, page: Fetched) -> Sequence[str]:
        try:
            # The first page waits in a thread for the workers to start.
            document = await asyncio.wrap_future(await asyncio.to_thread(self._workers.submit, page))
        except PageFailure:
            return ()  # the run cannot read it either
        return [link.url for link in document.links]

    @property
    def secrets(self) -> Sequence[str]:
        return self._keys.secrets()

    def status(self) -> dict[str, object]:
        api = self._api(self._settings, lambda _: None, self._keys)
        return {
            "providers": [
                {"name": one.entry.name, "missing": one.missing} for one in readiness(self._settings, api) if one.used
            ]
        }

    def _asked(self, asked: Open) -> Settings:
        """The gateway's settings with what a run may choose of them: fewer providers, a language, a region, less time.

        Providers that the gateway does not use itself may cost it money. Raises UserError.
        """
        others = [name for name in asked.search if name not in self._settings.search]
        if others:
            raise UserError(
                f"the gateway does not search with {', '.join(others)[:200]}, but with "
                f"{', '.join(self._settings.search)}; change the setting search there or here"
            )
        values = self._settings.model_dump() | {
            "search": tuple(asked.search),
            "search_language": asked.language or self._settings.search_language,
            "search_region": asked.region or self._settings.search_region,
            "search_seconds": min(asked.search_seconds, self._settings.search_seconds),
        }
        try:
            return Settings.model_validate(values)
        except ValueError as error:
            raise UserError(f"search_language or search_region of the run: {error}") from error
