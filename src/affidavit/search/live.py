"""The live search of a run, built from the settings; and what stands in the way of each provider."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from affidavit.egress.api import Api, ApiCall, HttpApi, own_hosts
from affidavit.egress.client import user_agent
from affidavit.egress.endpoints import Endpoint, endpoints, names_of
from affidavit.egress.keys import Keys
from affidavit.egress.transport import PinnedTransport
from affidavit.errors import SearchFailure
from affidavit.search.as_asked import AsAsked
from affidavit.search.breaker import Breaker
from affidavit.search.catalogue import MAKERS, Entry, named
from affidavit.search.connection import Connection
from affidavit.search.exchange import Exchange
from affidavit.search.limits import Limits
from affidavit.search.provider import Provider
from affidavit.search.together import Together
from affidavit.settings import Settings

LIMITS_FILE = "search-limits.sqlite"
"""In the cache folder, which the runs of one user share."""

_PROBE = "encyclopedia"
_MAIL = re.compile(r"[^\s@<>\"']+@[^\s@<>\"']+")


def endpoints_for(settings: Settings) -> dict[str, Endpoint]:
    """The endpoints these settings open. Raises UserError."""
    language = (settings.search_language or "en").partition("-")[0].lower()
    own = {"searxng_url": settings.searxng_url, "mediawiki_url": settings.mediawiki_url}
    return endpoints(language, own)


def open_api(settings: Settings, on_call: Callable[[ApiCall], None], keys: Keys | None = None) -> HttpApi:
    """The way to the search APIs, not opened yet: a context. Keys come from the environment. Raises UserError."""
    table = endpoints_for(settings).values()
    contact = settings.contact.strip() if settings.contact else ""
    return HttpApi(
        table,
        keys or Keys.from_environment(),
        transport=PinnedTransport(allow_private=own_hosts(table)),
        user_agent=user_agent(settings.contact),
        contact=contact if _MAIL.fullmatch(contact) else None,
        on_call=on_call,
    )


def live_search(settings: Settings, api: Api, on_failure: Callable[[SearchFailure], None]) -> Together:
    """All providers of the settings as one; for one event loop, that of `api`. Raises UserError.

    `on_failure` is told of each provider that failed, or of whose results a part is missing.
    """
    entries = named(settings.search)
    connection = _connection(settings, api, entries, on_failure)
    providers: list[Provider] = []
    for entry in entries:
        provider = Breaker(MAKERS[entry.name](connection))
        providers.append(AsAsked(provider) if entry.as_asked else provider)
    return Together(providers, on_failure)


@dataclass(frozen=True, slots=True, kw_only=True)
class Readiness:
    """Whether a provider can be asked. `missing` is what it lacks; `failure` why a trial search failed."""

    entry: Entry
    used: bool
    missing: str | None
    failure: SearchFailure | None = None


def readiness(settings: Settings, api: Api) -> list[Readiness]:
    """Every provider there is, those of the settings first. Sends nothing. Raises UserError."""
    used = named(settings.search)
    rest = [entry for entry in named(tuple(MAKERS)) if entry not in used]
    return [
        Readiness(
            entry=entry,
            used=entry in used,
            missing=next((lack for place in names_of(entry.name) if (lack := api.ready(place)) is not None), None),
        )
        for entry in (*used, *rest)
    ]


async def probe(settings: Settings, api: Api, one: Readiness) -> Readiness:
    """`one` after a search for one result, which costs what a search costs."""
    if one.missing is not None:
        return one
    connection = _connection(settings, api, [one.entry], lambda _: None)
    try:
        await Breaker(MAKERS[one.entry.name](connection)).search(_PROBE, limit=1)
    except SearchFailure as failure:
        return Readiness(entry=one.entry, used=one.used, missing=None, failure=failure)
    return one


def _connection(
    settings: Settings, api: Api, entries: Sequence[Entry], on_failure: Callable[[SearchFailure], None]
) -> Connection:
    exchange = Exchange(
        api,
        Limits(settings.cache_dir / LIMITS_FILE),
        {entry.name: entry.manners for entry in entries},
        seconds=settings.search_seconds,
        on_partial=on_failure,
    )
    return Connection(exchange=exchange, language=settings.search_language, region=settings.search_region)
