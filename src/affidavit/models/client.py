"""The HTTP client of model providers: one origin, no proxy of the environment, no redirect.

A key goes to the provider whose key it is and to nobody else, whatever a library, a variable or a server says: each
request is held against the one origin that the client is for, before it leaves (contract G6).
"""

from urllib.parse import urlsplit

import httpx2

CONNECT_SECONDS = 10.0


class ForeignOrigin(Exception):
    """A request went elsewhere than to the provider."""


def open_client(url: str, headers: dict[str, str], seconds: float) -> httpx2.AsyncClient:
    """A client for the origin of `url`; close it. `seconds` bounds each wait for bytes, and no deadline."""
    origin = _origin(url)

    async def only_there(request: httpx2.Request) -> None:
        if _origin(str(request.url)) != origin:
            raise ForeignOrigin(f"a request to {request.url.host} was stopped: only {origin[1]} is asked")

    return httpx2.AsyncClient(
        headers=headers,
        timeout=httpx2.Timeout(seconds, connect=min(seconds, CONNECT_SECONDS)),
        follow_redirects=False,
        trust_env=False,
        event_hooks={"request": [only_there]},
    )


def _origin(url: str) -> tuple[str, str, int]:
    parts = urlsplit(url)
    return parts.scheme, parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)
