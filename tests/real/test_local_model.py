"""With a real small model on a server that speaks the OpenAI protocol. It costs minutes, so it is asked for by name."""

import asyncio
import os
from decimal import Decimal

import pytest

from affidavit.egress.keys import Keys
from affidavit.evidence.claim import Label
from affidavit.models.account import Account
from affidavit.models.cast import Cast
from affidavit.models.prices import Price, Prices
from affidavit.models.request import ModelRequest, ToolResult, ToolSpec, User
from affidavit.models.roles import Role
from affidavit.models.spend import Spend
from affidavit.settings import Models
from affidavit.verify import Guarded, text_pair
from affidavit.verify.model import ModelVerifier

ADDRESS = os.environ.get("TEST_MODEL_URL")
pytestmark = pytest.mark.skipif(ADDRESS is None, reason="needs a model's server: TEST_MODEL_URL=http://host:port/v1")

SEARCH = ToolSpec(
    name="web_search",
    description="Find candidate sources.",
    schema={
        "type": "object",
        "properties": {"query": {"type": "string"}},
        "required": ["query"],
        "additionalProperties": False,
    },
)
FREE = Price.model_validate({"input": 1, "output": 1, "as_of": "2026-11-30", "source": "a test"})


def test_a_small_model_calls_a_tool_takes_its_result_and_judges_a_pair():
    settings = Models.model_validate({"servers": {"local": ADDRESS}, "verifier": "local:small", "seconds": 600})
    account = Account()
    spend = Spend(Prices({"local:small": FREE}), Decimal(1))

    async def main() -> Label:
        async with Cast(settings, keys=Keys({}), spend=spend, on_call=account.take) as cast:
            model = cast.named("local:small", Role.RESEARCHER)
            asked = ModelRequest(
                system="You are a research agent. Use the tools.",
                messages=(User("When did the north pier of Wells open?"),),
                tools=(SEARCH,),
                max_tokens=120,
            )
            reply = await model.complete(asked)
            assert [call.name for call in reply.calls] == ["web_search"]
            result = ToolResult(call_id=reply.calls[0].call_id, name="web_search", text="It opened on 4 May 2019.")
            after = ModelRequest(
                system=asked.system, messages=(*asked.messages, reply.turn(), result), tools=(SEARCH,), max_tokens=120
            )
            await model.complete(after)
            verifier = Guarded(ModelVerifier(cast.of(Role.VERIFIER)))
            verdict = await verifier.verify(
                text_pair(
                    "The pier is open to walkers.", "On 4 May 2019 the council opened the north pier to people on foot."
                )
            )
            return verdict.label

    assert asyncio.run(main()) in Label
    assert account.lines["researcher"].calls == 2
    assert account.lines["researcher"].uncounted == account.lines["verifier"].uncounted == 0
    assert 0 < spend.spent < 1
