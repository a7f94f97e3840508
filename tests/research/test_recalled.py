"""What a run's record says of its calls to models."""

import asyncio
from decimal import Decimal
from typing import Any

import pytest

from affidavit.errors import ModelFailure, ModelFailureKind, NotRecorded
from affidavit.ledger.event import Event
from affidavit.models.call import Ending
from affidavit.models.prices import load_prices
from affidavit.models.reply import Finish, ModelReply, Usage
from affidavit.models.request import ModelRequest, User
from affidavit.research.recalled import RecalledModel, read_calls

MODEL = "mine:small"


def request(text: str, key: str = "k") -> ModelRequest:
    return ModelRequest(messages=(User(text),), key=key)


def reply(text: str) -> ModelReply:
    usage = Usage(input=10, output=2)
    return ModelReply(text=text, usage=usage, finish=Finish.STOP, model="small-1", latency=0.1)


def told(number: int, one: ModelRequest, **more: Any) -> dict[str, Any]:
    return {
        "number": number,
        "role": "researcher",
        "model": MODEL,
        "request_sha256": one.sha256,
        "key": one.key,
        **more,
    }


def events(*said: tuple[str, dict[str, Any]]) -> list[Event]:
    found: list[Event] = []
    for kind, payload in said:
        last = found[-1] if found else None
        at = "2026-01-01T00:00:00Z"
        found.append(Event.following(last, run_id="run_1", event_type=kind, at=at, payload=payload))
    return found


def asked(number: int, one: ModelRequest, model: str = MODEL) -> tuple[str, dict[str, Any]]:
    return "model.asked", {**told(number, one), "model": model, "request": one.as_json()}


def replied(number: int, one: ModelRequest, text: str, cost: str | None = "0.5") -> tuple[str, dict[str, Any]]:
    return "model.replied", told(number, one, seconds=1.0, cost=cost, reply=reply(text).as_json())


A, B = request("a", "one"), request("b", "two")


def test_finished_calls_are_answered_in_their_order_and_what_they_cost_is_known():
    calls = read_calls(events(asked(1, A), replied(1, A, "first"), asked(2, A), replied(2, A, "second", "0.25")))
    model = RecalledModel(MODEL, calls)
    assert [asyncio.run(model.complete(A)).text for _ in range(2)] == ["first", "second"]
    assert calls.spent == Decimal("0.75")
    assert not calls.uncertain
    with pytest.raises(NotRecorded, match=r"no call of mine:small with this request \(one, sha256"):
        asyncio.run(model.complete(A))


def gave_up(one: ModelRequest, failure: ModelFailure) -> tuple[str, dict[str, Any]]:
    return "model.gave_up", Ending(model=MODEL, request=one, failure=failure).as_json()


def cancelled(one: ModelRequest) -> tuple[str, dict[str, Any]]:
    return "model.cancelled", Ending(model=MODEL, request=one, failure=None).as_json()


def test_a_call_that_failed_at_every_try_fails_again_in_the_same_words_and_one_that_came_at_last_does_not():
    failed = ("model.failed", told(1, A, seconds=1.0, cost=None, failure="unavailable", detail="down"))
    last = ModelFailure(ModelFailureKind.RATE_LIMITED, MODEL, "full", retry_after=7.0, advice="come back later")
    tries = (asked(1, A), failed, gave_up(A, last), asked(2, B), failed, asked(3, B), replied(3, B, "at last"))
    model = RecalledModel(MODEL, read_calls(events(*tries)))
    with pytest.raises(ModelFailure) as raised:
        asyncio.run(model.complete(A))
    assert str(raised.value) == str(last)
    assert asyncio.run(model.complete(B)).text == "at last"


def test_a_call_that_ctrl_c_ended_ends_so_again_where_the_run_landed_for_it():
    landed = events(asked(1, A), cancelled(A), ("interrupted", {"searches": 0, "documents": 0}))
    calls = read_calls(landed)
    assert calls.to_repeat == [], "it is not to be made again"
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(RecalledModel(MODEL, calls).complete(A))


def test_a_call_that_the_second_ctrl_c_ended_was_cut_off_with_its_run():
    calls = read_calls(events(asked(1, A), cancelled(A), ("run.stopped", {"state": "interrupted", "detail": ""})))
    assert [one["key"] for one in calls.to_repeat] == ["one"]
    assert not calls.endings


def test_what_began_and_did_not_end_is_uncertain_until_it_is_answered():
    cut_off = events(asked(1, A), replied(1, A, "done"), asked(2, B))
    assert [one["key"] for one in read_calls(cut_off).uncertain] == ["two"]
    noted = ("model.uncertain", told(2, B, state="uncertain", seconds=0.0, cost=None))
    again = events(asked(1, A), replied(1, A, "done"), asked(2, B), noted, asked(1, B), replied(1, B, "again"))
    assert read_calls(again).uncertain == []
    twice = events(asked(2, B), noted, asked(1, B))
    assert [one["key"] for one in read_calls(twice).uncertain] == ["two", "two"]


def test_what_is_uncertain_may_have_cost_its_worst_case():
    prices = load_prices()
    priced = "openai:gpt-4o"
    if prices.of(priced) is None:
        pytest.skip(f"the price table has no {priced}")
    most = read_calls(events(asked(1, A, priced))).may_have_cost(prices)
    assert most > 0
    assert read_calls(events(asked(1, A))).may_have_cost(prices) == 0, "nobody knows the price of a model of one's own"


def test_a_call_that_money_did_not_allow_is_not_allowed_again():
    capped = ModelFailure(ModelFailureKind.SPEND_LIMIT, MODEL, "$0.01 is left")
    model = RecalledModel(MODEL, read_calls(events(gave_up(A, capped))))
    with pytest.raises(ModelFailure) as raised:
        asyncio.run(model.complete(A))
    assert raised.value.kind is ModelFailureKind.SPEND_LIMIT
