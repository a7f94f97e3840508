import asyncio

import pytest

from affidavit.errors import SearchFailure, SearchFailureKind, StorageError
from affidavit.ranking.hit import Hit
from affidavit.search.breaker import Breaker


class Scripted:
    """Fails or answers as it is told, and fails the test when it is asked once more."""

    name = "scripted"

    def __init__(self, *script: SearchFailureKind | None) -> None:
        self._script = list(script)

    async def search(self, query: str, recency_days: int | None = None, limit: int = 10) -> list[Hit]:
        kind = self._script.pop(0)
        if kind is not None:
            raise SearchFailure(kind, self.name, query)
        return []


def told(provider: Breaker, times: int) -> list[str | None]:
    """What each of so many searches failed with."""

    async def search(number: int) -> str | None:
        try:
            await provider.search(str(number))
        except SearchFailure as failure:
            return failure.detail
        return None

    async def all_of_them() -> list[str | None]:
        return [await search(number) for number in range(times)]

    return asyncio.run(all_of_them())


def test_one_that_is_not_there_is_asked_twice_and_then_left_alone():
    unavailable = SearchFailureKind.UNAVAILABLE
    assert told(Breaker(Scripted(unavailable, unavailable)), 4) == ["0", "1", "1", "1"]


@pytest.mark.parametrize("kind", [SearchFailureKind.AUTH, SearchFailureKind.QUOTA])
def test_what_no_other_query_can_change_is_not_tried_again(kind: SearchFailureKind):
    assert told(Breaker(Scripted(kind)), 3) == ["0", "0", "0"]


def test_an_answer_in_between_begins_the_count_anew():
    unavailable = SearchFailureKind.UNAVAILABLE
    assert told(Breaker(Scripted(unavailable, None, unavailable, None)), 4) == ["0", None, "2", None]


def test_a_query_that_is_not_taken_says_nothing_about_the_next():
    bad = SearchFailureKind.BAD_REQUEST
    assert told(Breaker(Scripted(bad, bad, bad, None)), 4) == ["0", "1", "2", None]


@pytest.mark.parametrize("error", [LookupError("x-user-defined"), OverflowError("too large"), RecursionError()])
def test_an_error_that_nobody_foresaw_is_the_providers_failure_names_its_type_and_is_logged(error, caplog):
    class Fragile:
        name = "fragile"

        async def search(self, query: str, recency_days: int | None = None, limit: int = 10) -> list[Hit]:
            raise error

    with pytest.raises(SearchFailure, match=type(error).__name__) as caught:
        asyncio.run(Breaker(Fragile()).search("q"))
    assert caught.value.kind is SearchFailureKind.BAD_RESPONSE
    assert caught.value.provider == "fragile"
    assert [type(error).__name__ in one.getMessage() for one in caplog.records] == [True]


def test_an_error_of_the_machine_is_no_providers_failure():
    class Full:
        name = "full"

        async def search(self, query: str, recency_days: int | None = None, limit: int = 10) -> list[Hit]:
            raise StorageError("disk full")

    with pytest.raises(StorageError):
        asyncio.run(Breaker(Full()).search("q"))
