"""A provider that does not answer is not asked again in the same run (a circuit breaker: Nygard, Release It!, 2007).

A run asks each provider a dozen times. One that is not there would cost every query its whole patience, and without
a network all of them together would cost minutes to learn nothing.

Nor can a provider end the run: whatever its answer makes us raise that nobody foresaw is a failure of that provider.
"""

import logging
from typing import Final

from affidavit.errors import AffidavitError, SearchFailure, SearchFailureKind
from affidavit.ranking.hit import Hit
from affidavit.search.provider import Provider

IN_A_ROW: Final = 2
"""Searches that must fail, one after the other, before the provider is left alone. Each has been tried three times."""

# What the next query cannot change: at once.
_LASTING = frozenset({SearchFailureKind.AUTH, SearchFailureKind.QUOTA})
# What is about the one query, or says itself when to come back.
_PASSING = frozenset({SearchFailureKind.BAD_REQUEST, SearchFailureKind.RATE_LIMITED})

_log = logging.getLogger(__name__)


class Breaker:
    """`provider`, until it has failed for good; from then on its last failure, at once.

    An error that is no `AffidavitError` becomes a SearchFailure (bad response) that names its type, and is logged.
    """

    def __init__(self, provider: Provider) -> None:
        self.name = provider.name
        self._provider = provider
        self._failed = 0
        self._last: SearchFailure | None = None

    async def search(self, query: str, recency_days: int | None = None, limit: int = 10) -> list[Hit]:
        if self._last is not None:
            raise self._last
        try:
            found = await self._foreseen(query, recency_days, limit)
        except SearchFailure as failure:
            self._failed += failure.kind not in _PASSING
            if failure.kind in _LASTING or self._failed == IN_A_ROW:
                self._last = failure
            raise
        self._failed = 0
        return found

    async def _foreseen(self, query: str, recency_days: int | None, limit: int) -> list[Hit]:
        try:
            return await self._provider.search(query, recency_days, limit)
        except AffidavitError:
            raise
        except Exception as error:  # what a provider may send cannot all be foreseen
            kind = type(error).__name__
            _log.warning("reading the answer of %s failed with %s: %s", self.name, kind, ascii(str(error)[:300]))
            _log.debug("where it arose", exc_info=error)
            detail = f"its answer could not be read ({kind}, an error of affidavit's own)"
            raise SearchFailure(SearchFailureKind.BAD_RESPONSE, self.name, detail) from error
