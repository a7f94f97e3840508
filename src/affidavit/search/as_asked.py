"""A provider that is asked a question once: of its four queries only the one as asked.

The other three append words to it ("criticism", "original study") by which an engine of the whole web finds other
pages. Where every word has to stand in an abstract they find nothing, and what is left is to ask for any of them,
which finds anything. A provider that gives a turn every few seconds would spend most of a run's time on that, with all
the others waiting. Which queries are left out is told by their text alone, so a run does not depend on who was quick.
"""

from affidavit.ranking.hit import Hit
from affidavit.ranking.queries import Angle, angle_of
from affidavit.search.provider import Provider


class AsAsked:
    """`provider` for queries that are no variant of another; for the others there is nothing, at once."""

    def __init__(self, provider: Provider) -> None:
        self.name = provider.name
        self._provider = provider

    async def search(self, query: str, recency_days: int | None = None, limit: int = 10) -> list[Hit]:
        if angle_of(query) is not Angle.AS_ASKED:
            return []
        return await self._provider.search(query, recency_days, limit)
