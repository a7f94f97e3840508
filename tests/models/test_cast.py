import asyncio
from decimal import Decimal
from typing import Any

import pytest
from pydantic import BaseModel

from affidavit.egress.keys import Keys
from affidavit.errors import ModelFailure, UserError
from affidavit.models.account import Account
from affidavit.models.call import Call
from affidavit.models.cast import Cast
from affidavit.models.prices import load_prices
from affidavit.models.request import ModelRequest, OutputShape, User
from affidavit.models.roles import Role
from affidavit.models.scripted import ScriptedModel, Turn, said
from affidavit.models.spend import Spend
from affidavit.settings import Models

ASKED = ModelRequest(messages=(User("a"),))


class Yes(BaseModel):
    yes: bool


def models(**given: Any) -> Models:
    return Models.model_validate(given)


def test_a_role_is_asked_through_everything_around_it(provider: Any, chat: Any):
    calls: list[Call] = []
    account = Account()

    def on_call(call: Call) -> None:
        calls.append(call)
        account.take(call)

    busy = (503, {"retry-after": "0"}, {"error": {"message": "busy"}})

    async def main() -> None:
        async with provider(busy, chat("```json\n{'yes': True}\n```"), chat("Red.")) as served:
            settings = models(verifier="mine:small", servers={"mine": served.url})
            async with Cast(settings, on_call=on_call, keys=Keys({})) as cast:
                shaped = ModelRequest(messages=(User("a"),), output=OutputShape(Yes))
                reply = await cast.of(Role.VERIFIER).complete(shaped)
                assert reply.value == Yes(yes=True)
                assert (await cast.of(Role.VERIFIER).complete(ASKED)).text == "Red."

    asyncio.run(main())
    assert [(call.number, call.state.value) for call in calls] == [
        (1, "started"), (1, "failed"), (2, "started"), (2, "finished"), (3, "started"), (3, "finished"),
    ]  # fmt: skip
    line = account.lines["verifier"]
    assert (line.calls, line.failed, line.input, line.output, line.cached) == (3, 1, 200, 40, 80)
    assert line.unpriced == 2, "a server of one's own has no price until somebody writes it down"


def test_a_role_without_a_model_says_which_setting_names_it():
    with pytest.raises(UserError, match=r"role verifier: set AFFIDAVIT_MODELS__VERIFIER to provider:name"):
        Cast(models(), keys=Keys({})).of(Role.VERIFIER)
    with pytest.raises(UserError, match=r"AFFIDAVIT_MODELS__WRITER, or AFFIDAVIT_MODELS__RESEARCHER"):
        Cast(models(), keys=Keys({})).of(Role.WRITER)


def test_a_model_whose_key_is_missing_is_refused_before_anything_is_asked():
    with pytest.raises(UserError, match=r"openai:gpt-6-luna needs a key of OpenAI: set OPENAI_API_KEY"):
        Cast(models(writer="openai:gpt-6-luna"), keys=Keys({})).of(Role.WRITER)


def test_no_more_calls_run_at_once_than_the_settings_say():
    running, most = 0, 0

    class Counting:
        name = "a:b"

        async def complete(self, request: ModelRequest):
            nonlocal running, most
            running += 1
            most = max(most, running)
            await asyncio.sleep(0.005)
            running -= 1
            return said("x")

    async def main() -> None:
        model = Cast(models(at_once=3), keys=Keys({})).around(Counting(), Role.VERIFIER)
        await asyncio.gather(*(model.complete(ASKED) for _ in range(12)))

    asyncio.run(main())
    assert most == 3


def test_a_limit_in_dollars_stops_every_role():
    async def main() -> None:
        spend = Spend(load_prices(), Decimal("0.00001"))
        cast = Cast(models(), spend=spend, keys=Keys({}))
        script = ScriptedModel([said("x")], name="openai:gpt-6-luna")
        with pytest.raises(ModelFailure, match="--max-usd"):
            await cast.around(script, Role.RESEARCHER).complete(ASKED)
        assert script.requests == []

    asyncio.run(main())


def test_the_wait_for_a_turn_is_nobodys_deadline():
    async def main() -> None:
        script = ScriptedModel([Turn(answer=said("x"), seconds=0.05)] * 3)
        model = Cast(models(at_once=1, seconds=0.1), keys=Keys({})).around(script, Role.VERIFIER)
        await asyncio.gather(*(model.complete(ASKED) for _ in range(3)))

    asyncio.run(main())


def test_the_keys_are_told_to_whoever_keeps_them_out_of_the_ledger():
    assert Cast(models(), keys=Keys({"OPENAI_API_KEY": "secret-123456"})).secrets() == ("secret-123456",)
