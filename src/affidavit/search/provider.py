"""What every search provider is: a query in, hits out. A hit's snippet is for ranking and is never evidence (E5)."""

from typing import Protocol

from affidavit.ranking.hit import Hit


class Provider(Protocol):
    """A place to search. `name` stands in every hit and in the record of what was tried."""

    @property
    def name(self) -> str: ...

    async def search(self, query: str, recency_days: int | None = None, limit: int = 10) -> list[Hit]:
        """At most `limit` hits, best first. `query` is text; no character of it is an operator.

        With `recency_days`, only pages dated within that many days; a page without a date is left out, unless the
        place that is searched selected by date itself. Providers on the network raise SearchFailure.
        """
        ...
