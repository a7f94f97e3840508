import asyncio
from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affidavit.errors import ModelFailure, ModelFailureKind
from affidavit.models.call import Recorded
from affidavit.models.prices import Price, Prices
from affidavit.models.reply import Finish, ModelReply, Usage
from affidavit.models.request import Assistant, ModelRequest, ToolSpec, User
from affidavit.models.spend import Spend

PRICE = Price(input=Decimal(3), output=Decimal(15), as_of=date(2026, 11, 30), source="a test")
PRICES = Prices({"a:b": PRICE})


def request(text: str = "hello", max_tokens: int = 1000, **given: Any) -> ModelRequest:
    return ModelRequest(**{"messages": (User(text),), "max_tokens": max_tokens} | given)


def reply(tokens_in: int, tokens_out: int) -> ModelReply:
    usage = Usage(input=tokens_in, output=tokens_out)
    return ModelReply(text="", usage=usage, finish=Finish.STOP, model="b", latency=0.0)


def test_what_was_set_aside_gives_way_to_what_it_cost():
    spend = Spend(PRICES, Decimal(1))
    reserved = spend.reserve("a:b", request())
    assert reserved.most > Decimal("0.015"), "a thousand tokens of output cost that much"
    assert spend.left == 1 - reserved.most
    assert spend.settle(reserved, request(), reply(10, 5)) == Decimal("0.000105")
    assert spend.spent == Decimal("0.000105")
    assert spend.left == 1 - spend.spent


def test_a_call_whose_worst_case_would_pass_the_limit_is_refused():
    spend = Spend(PRICES, Decimal("0.02"))
    spend.reserve("a:b", request())
    with pytest.raises(
        ModelFailure, match=r"may cost \$0\.01\d+, and \$0\.00\d+ of \$0\.02 is left.*--max-usd"
    ) as failed:
        spend.reserve("a:b", request())
    assert failed.value.kind is ModelFailureKind.SPEND_LIMIT
    assert not failed.value.uncertain


def test_a_model_without_a_price_is_refused_under_a_limit_and_counted_without_one():
    with pytest.raises(ModelFailure, match=r"price is not known.*models\.prices"):
        Spend(PRICES, Decimal(1)).reserve("c:d", request())
    spend = Spend(PRICES)
    assert spend.settle(spend.reserve("c:d", request()), request(), reply(10, 5)) is None
    assert spend.unpriced == 1
    assert spend.report() == {"limit": None, "spent": "0", "uncertain": "0", "unpriced_calls": 1}


def test_a_call_whose_end_is_not_known_keeps_its_worst_case():
    spend = Spend(PRICES, Decimal(1))
    reserved = spend.reserve("a:b", request())
    spend.release(reserved, uncertain=True)
    assert (spend.spent, spend.uncertain, spend.left) == (0, reserved.most, 1 - reserved.most)
    spend.release(spend.reserve("a:b", request()), uncertain=False)
    assert spend.left == 1 - reserved.most


def test_a_reply_without_counts_keeps_its_worst_case_too():
    spend = Spend(PRICES, Decimal(1))
    reserved = spend.reserve("a:b", request())
    uncounted = ModelReply(text="", usage=None, finish=Finish.STOP, model="b", latency=0.0)
    assert spend.settle(reserved, request(), uncounted) is None
    assert spend.uncertain == reserved.most


def test_what_the_provider_counted_before_is_not_guessed_again():
    """A loop that only adds is known nearly to the token; otherwise every byte might be a token."""
    spend = Spend(PRICES)
    first = request("x" * 10_000)
    spend.settle(spend.reserve("a:b", first), first, reply(2_500, 10))
    longer = request(messages=(*first.messages, Assistant(text="ok"), User("and?")))
    again, other = spend.most("a:b", longer), spend.most("a:b", request("y" * 10_000))
    assert again is not None
    assert other is not None
    assert again < Decimal("0.024") < Decimal("0.04") < other


def test_a_run_that_is_resumed_goes_on_where_it_was():
    spend = Spend(PRICES, Decimal("0.02"), spent=Decimal("0.01"), uncertain=Decimal("0.005"))
    assert spend.left == Decimal("0.005")
    with pytest.raises(ModelFailure):
        spend.reserve("a:b", request())


class Tokenising:
    """Counts as a provider might at worst: a token for each byte, what it hides in front, and all of max_tokens."""

    name = "a:b"

    def __init__(self, ends: list[str]) -> None:
        self.ends = ends

    async def complete(self, request: ModelRequest) -> ModelReply:
        end = self.ends.pop()
        if end == "fails":
            raise ModelFailure(ModelFailureKind.UNAVAILABLE, "a:b", "no")
        if end == "hangs up":
            raise ModelFailure(ModelFailureKind.UNAVAILABLE, "a:b", "no", uncertain=True)
        texts = [request.system, *(message.text for message in request.messages), *(t.name for t in request.tools)]
        tokens = sum(len(text.encode()) + 8 for text in texts) + (800 if request.tools else 0)
        return reply(tokens, request.max_tokens)


@given(
    st.lists(
        st.tuples(st.text(max_size=40), st.integers(1, 3000), st.booleans(), st.sampled_from("is fails hangs".split())),
        max_size=12,
    ),
    st.integers(0, 200),
)
def test_no_run_spends_more_than_its_limit(calls: list[tuple[str, int, bool, str]], thousandths: int):
    limit = Decimal(thousandths) / 1000
    spend = Spend(PRICES, limit)
    tool = ToolSpec(name="web_search", description="", schema={})
    messages: tuple[Any, ...] = ()

    async def main() -> None:
        nonlocal messages
        for text, max_tokens, with_tool, end in calls:
            model = Recorded(Tokenising([{"is": "", "fails": "fails", "hangs": "hangs up"}[end]]), "writer", spend)
            messages = (*messages, User(text))
            asked = request(messages=messages, max_tokens=max_tokens, tools=(tool,) if with_tool else ())
            try:
                await model.complete(asked)
            except ModelFailure:
                continue
            finally:
                assert spend.spent + spend.uncertain <= limit
                assert spend.left == limit - spend.spent - spend.uncertain

    asyncio.run(main())
