"""The live web and its search by a gateway's process: what a run opens where the setting `gateway` names one."""

import secrets
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

from affidavit.egress.api import ApiCall
from affidavit.egress.policy import Policy
from affidavit.egress.process.client import RemoteSearch, RemoteWeb, gateway_status, open_session
from affidavit.egress.process.messages import Open
from affidavit.egress.process.place import Place, read_place
from affidavit.egress.process.token import read_token
from affidavit.egress.received import Received
from affidavit.errors import GatewayError, SearchFailure
from affidavit.settings import Settings


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """`policy` is what the run's own and the gateway's both allow."""

    web: RemoteWeb
    search: RemoteSearch
    policy: Policy


@asynccontextmanager
async def open_elsewhere(
    settings: Settings,
    policy: Policy,
    *,
    keep: Callable[[Received], None] | None,
    on_call: Callable[[ApiCall], None],
    on_failure: Callable[[SearchFailure], None],
    given: Sequence[str] = (),
    canaries: Sequence[str] = (),
    run_id: str | None = None,
) -> AsyncGenerator[Elsewhere]:
    """A run at the gateway of the settings, closed afterwards. `given` are addresses that a person gave: none can be
    given later. Raises GatewayError where it does not answer or refuses the run; UserError for settings that name none.
    """
    place, token = _named(settings)
    asked = Open(
        run_id=run_id or f"run_{secrets.token_hex(8)}",
        policy=policy.as_json(),
        given=list(given),
        canaries=list(canaries),
        search=list(settings.search),
        language=settings.search_language,
        region=settings.search_region,
        keep=keep is not None,
        seconds=settings.fetch_seconds,
        megabytes=settings.fetch_megabytes,
        search_seconds=settings.search_seconds,
        max_age=settings.cache_seconds,
    )
    async with open_session(place, asked, token=token) as session:
        yield Elsewhere(RemoteWeb(session, keep), RemoteSearch(session, on_call, on_failure), session.policy)


async def named_gateway(settings: Settings) -> tuple[Place, Mapping[str, object]]:
    """The gateway of the settings and how it is (`gateway_status`). Raises as `open_elsewhere` does."""
    place, token = _named(settings)
    return place, await gateway_status(place, token=token)


def _named(settings: Settings) -> tuple[Place, str | None]:
    """Its place, and the token if there is one."""
    if settings.gateway is None:
        raise GatewayError("no gateway is named; set gateway to where `affidavit gateway` says it is")
    token = read_token(settings.gateway_token.expanduser()) if settings.gateway_token is not None else None
    return read_place(settings.gateway), token
