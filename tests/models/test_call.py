import asyncio
import json
from decimal import Decimal

import pytest

from affidavit.errors import ModelFailure, ModelFailureKind, StorageError
from affidavit.models.account import Account
from affidavit.models.call import Call, CallState, Ended, Ending, RecallKey, Recorded
from affidavit.models.prices import Prices
from affidavit.models.reply import Finish, ModelReply
from affidavit.models.request import ModelRequest, User
from affidavit.models.scripted import ScriptedModel, Turn, said
from affidavit.models.spend import Spend

ASKED = ModelRequest(messages=(User("a"),), key="run/1")


def recorded(*script: object, calls: list[Call] | None = None, **given: object) -> Recorded:
    told = calls.append if calls is not None else lambda call: None
    model = ScriptedModel(script)  # pyright: ignore[reportArgumentType]
    return Recorded(model, "writer", Spend(Prices({})), told, **given)  # pyright: ignore[reportArgumentType]


def test_a_call_is_told_before_and_after():
    calls: list[Call] = []
    reply = asyncio.run(recorded(said("yes"), calls=calls).complete(ASKED))
    started, finished = calls
    assert (started.state, finished.state) == (CallState.STARTED, CallState.FINISHED)
    assert started.number == finished.number == 1
    assert finished.reply is reply
    assert finished.cost == 0, "the script says that it cost nothing"
    first, last = (json.loads(json.dumps(call.as_json())) for call in calls)
    assert first["request"]["messages"] == [{"from": "user", "text": "a"}]
    assert last["request_sha256"] == first["request_sha256"] == ASKED.sha256
    assert ModelReply.from_json(last["reply"]) == reply


def test_a_failure_that_cost_nothing_is_failed_and_another_uncertain():
    calls: list[Call] = []
    failures = [
        ModelFailure(ModelFailureKind.UNAVAILABLE, "x:y", "no", uncertain=uncertain) for uncertain in (False, True)
    ]
    model = recorded(*failures, calls=calls)
    for _ in failures:
        with pytest.raises(ModelFailure):
            asyncio.run(model.complete(ASKED))
    assert [call.state for call in calls] == ["started", "failed", "started", "uncertain"]
    assert calls[1].as_json()["failure"] == "unavailable"


def test_a_call_that_is_cancelled_is_uncertain():
    calls: list[Call] = []

    async def main() -> None:
        slow = recorded(Turn(answer=said("yes"), seconds=30), calls=calls)
        task = asyncio.create_task(slow.complete(ASKED))
        await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    assert [call.state for call in calls] == ["started", "uncertain"]


def test_a_call_that_cannot_be_recorded_is_not_made():
    def full(call: Call) -> None:
        raise StorageError("the disk is full")

    model, spend = ScriptedModel([said("yes")]), Spend(Prices({}), None)
    with pytest.raises(StorageError):
        asyncio.run(Recorded(model, "writer", spend, full).complete(ASKED))
    assert model.requests == []
    assert spend.report()["unpriced_calls"] == 0


def test_a_call_that_was_paid_for_is_not_made_again():
    calls: list[Call] = []
    asyncio.run(recorded(said("once"), said("twice"), calls=calls).complete(ASKED))
    recalled = {calls[1].recall_key: [ModelReply.from_json(json.loads(json.dumps(calls[1].as_json()))["reply"])]}
    resumed = recorded(said("anew"), calls=(again := []), recalled=recalled)
    assert asyncio.run(resumed.complete(ASKED)).text == "once"
    assert again == []
    assert asyncio.run(resumed.complete(ASKED)).text == "anew", "each stands in once"


def test_another_key_is_another_call():
    other = ModelRequest(messages=ASKED.messages, key="run/2")
    assert ASKED.sha256 == other.sha256
    recalled = {("scripted:script", ASKED.sha256, "run/1"): [said("once")]}
    assert asyncio.run(recorded(said("anew"), recalled=recalled).complete(other)).text == "anew"


def test_an_account_adds_up_by_role_and_keeps_what_is_not_known_apart():
    account = Account()
    uncounted = ModelReply(text="", usage=None, finish=Finish.STOP, model="m", latency=0.0)
    for role, script in {
        "writer": [said("a", tokens=(100, 20)), said("b", tokens=(200, 30)), uncounted],
        "judge": [ModelFailure(ModelFailureKind.AUTH, "x:y", "no")],
    }.items():
        model = Recorded(ScriptedModel(script), role, Spend(Prices({})), account.take)
        for _ in script:
            try:
                asyncio.run(model.complete(ASKED))
            except ModelFailure:
                continue
    writer, judge = account.as_json()["writer"], account.as_json()["judge"]
    assert isinstance(writer, dict)
    assert isinstance(judge, dict)
    assert {name: writer[name] for name in ("calls", "input_tokens", "output_tokens", "uncounted", "unpriced")} == {
        "calls": 3,
        "input_tokens": 300,
        "output_tokens": 50,
        "uncounted": 1,
        "unpriced": 1,
    }
    assert writer["usd"] == "0"
    assert (judge["calls"], judge["failed"], judge["usd"]) == (1, 1, None)


def test_unknown_is_not_zero():
    account = Account()
    reply = ModelReply(text="", usage=None, finish=Finish.STOP, model="m", latency=0.0)
    model = Recorded(ScriptedModel([reply]), "writer", Spend(Prices({})), account.take)
    asyncio.run(model.complete(ASKED))
    line = account.as_json()["writer"]
    assert isinstance(line, dict)
    assert line["usd"] is None
    assert account.lines["writer"].usd == Decimal(0)


def ended(script: ScriptedModel, before: dict[RecallKey, list[ModelFailure | None]] | None = None):
    told: list[Ending] = []
    return Ended(script, told.append, ended=before), told


def test_how_a_call_ended_without_a_reply_is_told_once_for_all_its_tries():
    failure = ModelFailure(ModelFailureKind.QUOTA, "scripted:script", "no credit")
    model, told = ended(ScriptedModel([said("yes"), failure]))
    assert asyncio.run(model.complete(ASKED)).text == "yes"
    assert told == []
    with pytest.raises(ModelFailure):
        asyncio.run(model.complete(ASKED))
    assert [one.failure for one in told] == [failure]


def test_a_call_that_ended_without_a_reply_in_the_run_that_is_resumed_is_not_made_again():
    failure = ModelFailure(ModelFailureKind.UNAVAILABLE, "scripted:script", "down")
    script = ScriptedModel([said("yes")])
    model, told = ended(script, {(script.name, ASKED.sha256, ASKED.key): [failure, None]})
    with pytest.raises(ModelFailure, match="down"):
        asyncio.run(model.complete(ASKED))
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(model.complete(ASKED))
    assert script.requests == []
    assert [one.failure for one in told] == [failure, None], "it is told as it was, so that it is known to be recorded"
    assert asyncio.run(model.complete(ASKED)).text == "yes"
