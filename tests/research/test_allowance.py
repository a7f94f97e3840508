from dataclasses import replace

from affidavit.models.request import ModelRequest, User
from affidavit.models.scripted import said
from affidavit.research.allowance import Allowance
from affidavit.settings import Budgets


def request(text: str, most: int = 100) -> ModelRequest:
    return ModelRequest(messages=(User(text),), max_tokens=most)


def test_the_provider_s_own_count_is_booked():
    allowance = Allowance(Budgets())
    allowance.book(request("x" * 3000), said("y", tokens=(70, 30)))
    assert allowance.tokens == 100


def test_a_reply_without_counts_is_booked_as_it_was_estimated():
    allowance = Allowance(Budgets())
    allowance.book(request("x" * 3000), replace(said("y"), usage=None))
    assert allowance.tokens > 1000


def test_a_call_that_would_go_over_the_tokens_is_not_afforded():
    allowance = Allowance(Budgets(max_tokens=1000))
    assert allowance.affords(request("short"))
    assert not allowance.affords(request("x" * 3000))
    assert not allowance.affords(request("short", most=1000))


def test_the_reserve_is_reached_with_so_many_calls_left():
    allowance = Allowance(Budgets(max_tool_calls=3, reserve_calls=2))
    assert not allowance.at_reserve
    assert allowance.take_tool_call()
    assert allowance.at_reserve


def test_what_is_left_names_no_time_and_no_money():
    left = Allowance(Budgets()).left()
    assert left == (
        "Left: 40 of 40 tool calls, 32 of 32 searches, 24 of 24 fetches, 40 of 40 quotations, 400000 of 400000 tokens."
    )
