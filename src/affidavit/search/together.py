"""Several providers asked at once, as one.

A provider that fails costs its own results and no others; `on_failure` is told which and why, so that an answer can
say what was not searched. Only when all of them fail does the search fail.
"""

import asyncio
from collections.abc import Callable, Sequence

from affidavit.errors import SearchFailure, SearchFailureKind, UserError
from affidavit.ranking.hit import Hit
from affidavit.search.merge import SEPARATOR, merge
from affidavit.search.provider import Provider


class Together:
    """A `Provider` over others, named after them. Its hits name all the providers that had them (`merge`)."""

    def __init__(self, providers: Sequence[Provider], on_failure: Callable[[SearchFailure], None]) -> None:
        """Raises UserError for no providers."""
        if not providers:
            raise UserError("there is no search provider to ask; name one in the setting search")
        self.name = SEPARATOR.join(provider.name for provider in providers)
        self._providers = tuple(providers)
        self._on_failure = on_failure

    async def search(self, query: str, recency_days: int | None = None, limit: int = 10) -> list[Hit]:
        """Raises SearchFailure when every provider fails; what is no failure of a provider passes through."""
        results = await asyncio.gather(
            *(one.search(query, recency_days, limit) for one in self._providers), return_exceptions=True
        )
        lists: dict[str, list[Hit]] = {}
        failures: list[SearchFailure] = []
        for provider, result in zip(self._providers, results, strict=True):
            if isinstance(result, SearchFailure):
                failures.append(result)
            elif isinstance(result, BaseException):
                raise result
            else:
                lists[provider.name] = result
        if not lists:
            raise _all(failures)
        for failure in failures:
            self._on_failure(failure)
        return merge(lists, limit)


def _all(failures: Sequence[SearchFailure]) -> SearchFailure:
    if len(failures) == 1:
        return failures[0]
    kinds = {failure.kind for failure in failures}
    kind = kinds.pop() if len(kinds) == 1 else SearchFailureKind.UNAVAILABLE
    waits = [failure.retry_after for failure in failures if failure.retry_after is not None]
    causes: dict[str, list[str]] = {}
    for failure in failures:  # without a network all say the same
        causes.setdefault(f"{failure.kind.value}: {failure.detail}", []).append(failure.provider)
    told = "; ".join(f"{', '.join(providers)}: {cause}" for cause, providers in causes.items())
    names = ", ".join(failure.provider for failure in failures)
    return SearchFailure(kind, names, f"none of them answered ({told})", min(waits, default=None))
