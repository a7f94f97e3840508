import asyncio
import pickle

import pytest

from affidavit.errors import SearchFailure, SearchFailureKind, StorageError, UserError
from affidavit.ranking.hit import Hit
from affidavit.search.together import Together


class Fixed:
    """A provider that gives what it was made with."""

    def __init__(self, name: str, result: list[str] | Exception, takes: float = 0.0) -> None:
        self.name = name
        self._result = result
        self._takes = takes

    async def search(self, query: str, recency_days: int | None = None, limit: int = 10) -> list[Hit]:
        await asyncio.sleep(self._takes)
        if isinstance(self._result, Exception):
            raise self._result
        return [
            Hit(url=url, title="t", snippet="s", published=None, provider=self.name, rank=rank)
            for rank, url in enumerate(self._result, 1)
        ]


def limited(name: str, wait: float | None = None) -> SearchFailure:
    return SearchFailure(SearchFailureKind.RATE_LIMITED, name, "too many requests", wait)


def test_a_failed_provider_costs_its_own_results_and_is_told():
    told: list[SearchFailure] = []
    both = Together([Fixed("a", ["https://a.example/"]), Fixed("b", limited("b"))], told.append)
    hits = asyncio.run(both.search("q"))
    assert [hit.url for hit in hits] == ["https://a.example/"]
    assert [str(failure).partition(";")[0] for failure in told] == ["provider b: rate limited: too many requests"]


def test_it_is_named_after_those_it_asks():
    assert Together([Fixed("a", []), Fixed("b", [])], lambda _: None).name == "a, b"


def test_no_results_are_no_failure():
    both = Together([Fixed("a", []), Fixed("b", [])], lambda failure: pytest.fail(str(failure)))
    assert asyncio.run(both.search("q")) == []


def test_only_when_all_fail_the_search_fails_and_says_of_each_why():
    down = SearchFailure(SearchFailureKind.AUTH, "a", "no key")
    both = Together([Fixed("a", down), Fixed("b", limited("b", 30))], lambda _: None)
    with pytest.raises(SearchFailure) as raised:
        asyncio.run(both.search("q"))
    assert "a: auth: no key" in str(raised.value)
    assert "b: rate_limited: too many requests" in str(raised.value)
    assert raised.value.retry_after == 30


def test_one_providers_failure_alone_is_its_own():
    with pytest.raises(SearchFailure) as raised:
        asyncio.run(Together([Fixed("b", limited("b"))], lambda _: None).search("q"))
    assert raised.value.provider == "b"


def test_what_is_no_providers_fault_passes_through():
    both = Together([Fixed("a", ["https://a.example/"]), Fixed("b", StorageError("disk"))], lambda _: None)
    with pytest.raises(StorageError):
        asyncio.run(both.search("q"))


def test_the_slowest_does_not_change_the_order():
    slow = Together([Fixed("a", ["https://a.example/"], 0.02), Fixed("b", ["https://b.example/"])], lambda _: None)
    fast = Together([Fixed("a", ["https://a.example/"]), Fixed("b", ["https://b.example/"], 0.02)], lambda _: None)
    assert asyncio.run(slow.search("q")) == asyncio.run(fast.search("q"))


def test_there_must_be_a_provider():
    with pytest.raises(UserError):
        Together([], lambda _: None)


def test_a_failure_survives_another_process():
    failure = SearchFailure(SearchFailureKind.QUOTA, "p", "used up", 5.0, "do this")
    again = pickle.loads(pickle.dumps(failure))
    assert str(again) == str(failure)
    assert (again.kind, again.retry_after, again.advice) == (failure.kind, 5.0, "do this")
