"""A provider that is asked a question once."""

import asyncio

from affidavit.ranking.hit import Hit
from affidavit.ranking.queries import Angle, angle_of, four_queries
from affidavit.search.as_asked import AsAsked
from affidavit.search.catalogue import catalogue
from affidavit.search.together import Together


class Asked:
    name = "slow"

    def __init__(self):
        self.queries = []

    async def search(self, query, recency_days=None, limit=10):
        self.queries.append((query, recency_days, limit))
        return [Hit(url="https://a.example/", title="A", snippet="", published=None, provider=self.name, rank=1)]


def test_of_the_four_queries_of_a_question_it_is_asked_the_first_and_has_nothing_for_the_others():
    slow = Asked()
    found = [asyncio.run(AsAsked(slow).search(query.text, 30, 5)) for query in four_queries("Do mills leak?")]
    assert [len(hits) for hits in found] == [1, 0, 0, 0]
    assert slow.queries == [("do mills leak", 30, 5)]


def test_what_a_model_asks_in_its_own_words_is_asked():
    slow = Asked()
    for query in ("mill leaks evidence of 1911", "criticism of mills", "dataset of mills"):
        asyncio.run(AsAsked(slow).search(query))
    assert len(slow.queries) == 3


def test_the_others_are_asked_all_four():
    slow, quick = Asked(), Asked()
    quick.name = "quick"
    both = Together([AsAsked(slow), quick], lambda _: None)
    for query in four_queries("Do mills leak?"):
        assert asyncio.run(both.search(query.text))
    assert (len(slow.queries), len(quick.queries)) == (1, 4)
    assert both.name == "slow, quick"


def test_every_query_is_known_by_its_text():
    for query in four_queries("Is there evidence of leaks, or criticism?"):
        assert angle_of(query.text) is query.angle
    assert {angle_of(query.text) for query in four_queries("x")} == set(Angle)


def test_it_is_for_those_who_give_a_turn_every_few_seconds():
    slow = {entry.name for entry in catalogue().values() if entry.manners.rate.interval >= 3}
    assert {entry.name for entry in catalogue().values() if entry.as_asked} == slow == {"arxiv"}
