"""One search result, before anything of it is read. A snippet is never evidence."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """`published` is an ISO date or None; `rank` is 1-based within the provider's own list."""

    url: str
    title: str
    snippet: str
    published: str | None
    provider: str
    rank: int
