"""A search that sends no query with a mark of the run in it: a key of its process, above all.

A model writes queries, and what it has read may tell it what to write there. Providers are others' servers.
"""

from affidavit.egress.canary import Canaries
from affidavit.ranking.hit import Hit
from affidavit.search.provider import Provider


class Discreet:
    """`provider`, asked for what carries none of `canaries`."""

    def __init__(self, provider: Provider, canaries: Canaries) -> None:
        self.name = provider.name
        self._provider = provider
        self._canaries = canaries

    async def search(self, query: str, recency_days: int | None = None, limit: int = 10) -> list[Hit]:
        """Raises SearchFailure, also for a query that carries a mark."""
        self._canaries.check_query(query, self.name)
        return await self._provider.search(query, recency_days, limit)
