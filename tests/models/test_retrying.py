import asyncio

import pytest

from affidavit.errors import ModelFailure, ModelFailureKind
from affidavit.models.request import ModelRequest, User
from affidavit.models.retrying import Retrying
from affidavit.models.scripted import ScriptedModel, Turn, said

ASKED = ModelRequest(messages=(User("a"),))
GOOD = said("yes")


def failure(kind: ModelFailureKind = ModelFailureKind.UNAVAILABLE, wait: float | None = None) -> ModelFailure:
    return ModelFailure(kind, "scripted:script", "no", retry_after=wait)


def run(*script: ModelFailure | object, seconds: float = 100.0, chance: float = 1.0):
    model, waits = ScriptedModel(script), list[float]()  # pyright: ignore[reportArgumentType]

    async def sleep(wait: float) -> None:
        waits.append(wait)

    retrying = Retrying(model, seconds, sleep=sleep, chance=lambda: chance)
    try:
        return asyncio.run(retrying.complete(ASKED)), waits, model
    except ModelFailure as failed:
        return failed, waits, model


def test_the_third_try_may_succeed():
    reply, waits, model = run(failure(), failure(), GOOD)
    assert reply is GOOD
    assert waits == [1.0, 2.0]
    assert [request.sha256 for request in model.requests] == [ASKED.sha256] * 3


def test_there_is_no_fourth():
    failed, waits, model = run(failure(), failure(), failure(ModelFailureKind.RATE_LIMITED))
    assert isinstance(failed, ModelFailure)
    assert failed.kind is ModelFailureKind.RATE_LIMITED
    assert len(waits) == 2
    assert len(model.requests) == 3


def test_chance_halves_a_wait_at_most():
    assert run(failure(), GOOD, chance=0.0)[1] == [0.5]


@pytest.mark.parametrize("kind", ["AUTH", "QUOTA", "CONTEXT_LENGTH", "BAD_REQUEST", "CONTENT_FILTER", "SPEND_LIMIT"])
def test_what_another_try_would_not_change_is_not_tried_again(kind: str):
    failed, waits, _ = run(failure(ModelFailureKind[kind]), GOOD)
    assert isinstance(failed, ModelFailure)
    assert waits == []


def test_a_provider_says_how_long_to_wait():
    assert run(failure(wait=7.5), GOOD)[1] == [7.5]


def test_a_wait_that_the_deadline_would_cut_short_is_not_begun():
    failed, waits, _ = run(failure(wait=101), GOOD)
    assert isinstance(failed, ModelFailure)
    assert failed.kind is ModelFailureKind.UNAVAILABLE
    assert waits == []


def test_the_deadline_is_for_all_tries_together_and_leaves_the_call_uncertain():
    slow = ScriptedModel([Turn(answer=GOOD, seconds=30)])
    with pytest.raises(ModelFailure, match=r"no reply within the 0\.05 s") as failed:
        asyncio.run(Retrying(slow, 0.05).complete(ASKED))
    assert failed.value.kind is ModelFailureKind.TIMEOUT
    assert failed.value.uncertain


def test_a_request_may_bring_a_deadline_of_its_own():
    slow = ScriptedModel([Turn(answer=GOOD, seconds=30)])
    asked = ModelRequest(messages=(User("a"),), seconds=0.05)
    with pytest.raises(ModelFailure, match="raise --max-seconds") as failed:
        asyncio.run(Retrying(slow, 100).complete(asked))
    assert failed.value.kind is ModelFailureKind.TIME_LIMIT


def test_a_run_with_much_time_left_gives_no_call_more_than_the_settings_do():
    slow = ScriptedModel([Turn(answer=GOOD, seconds=30)])
    asked = ModelRequest(messages=(User("a"),), seconds=100)
    with pytest.raises(ModelFailure, match=r"raise models\.seconds") as failed:
        asyncio.run(Retrying(slow, 0.05).complete(asked))
    assert failed.value.kind is ModelFailureKind.TIMEOUT


def test_cancelling_is_no_time_out():
    async def main() -> None:
        task = asyncio.create_task(Retrying(ScriptedModel([Turn(answer=GOOD, seconds=30)]), 100).complete(ASKED))
        await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
