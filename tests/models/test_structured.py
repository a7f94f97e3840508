import asyncio
from dataclasses import replace
from typing import Any, Literal

import pytest
from pydantic import BaseModel

from affidavit.errors import ModelFailure, ModelFailureKind
from affidavit.models.context import most_tokens
from affidavit.models.reply import Finish
from affidavit.models.request import ModelRequest, OutputShape, ToolSpec, User
from affidavit.models.scripted import ScriptedModel, called, said
from affidavit.models.structured import Structured


class Colour(BaseModel):
    colour: Literal["red", "blue"]


SEARCH = ToolSpec(name="web_search", description="", schema={"type": "object", "properties": {}})
GOOD = '{"colour": "red"}'


def ask(*script: Any, **given: Any):
    model = ScriptedModel(script)
    request = ModelRequest(**{"messages": (User("Which?"),), "output": OutputShape(Colour), "key": "k"} | given)
    reply = asyncio.run(Structured(model).complete(request))
    model.finish()
    return reply, model


def test_a_reply_that_fits_is_taken_as_it_is():
    reply, _ = ask(said(GOOD))
    assert reply.value == Colour(colour="red")
    assert reply.repairs == ()


def test_a_reply_that_does_not_fit_is_asked_again_with_what_is_wrong():
    reply, model = ask(said("It is red."), said('{"colour": "green"}'), said(GOOD))
    assert reply.value == Colour(colour="red")
    assert "the model was asked 3 times" in reply.repairs
    second, third = model.requests[1:]
    assert "ends before it is complete" in second.messages[-1].text
    assert "colour: Input should be 'red' or 'blue' (given: \"green\")" in third.messages[-1].text
    assert len(second.messages) == len(third.messages) == 3, "only the last bad reply is shown"
    assert [request.key for request in model.requests] == ["k", "k/repair-1", "k/repair-2"]


def test_what_a_schema_cannot_say_is_checked_too():
    shape = OutputShape(Colour, lambda value: "not that one" if value == Colour(colour="blue") else None)
    reply, model = ask(said('{"colour": "blue"}'), said(GOOD), output=shape)
    assert reply.value == Colour(colour="red")
    assert "not that one" in model.requests[1].messages[-1].text
    assert shape.schema == OutputShape(Colour).schema


def test_a_reply_that_was_cut_off_is_asked_to_be_shorter():
    _, model = ask(said('{"colour": "re', finish=Finish.LENGTH), said(GOOD))
    assert "cut off after 1024 tokens" in model.requests[1].messages[-1].text


def test_a_reply_that_is_cut_off_again_is_not_asked_for_a_third_time():
    with pytest.raises(ModelFailure, match="no Colour in 2 replies; the last: it was cut off after 50") as failed:
        ask(*[said('{"colour": "re' + "d" * 5000, finish=Finish.LENGTH)] * 2, max_tokens=50)
    assert failed.value.kind is ModelFailureKind.BAD_REPLY


def test_little_of_a_reply_that_was_cut_off_goes_back():
    _, model = ask(said('{"colour": "re' + "d" * 5000, finish=Finish.LENGTH), said(GOOD))
    assert len(model.requests[1].messages[-2].text) < 250


def test_a_whole_object_of_just_the_longest_length_is_taken():
    reply, _ = ask(said(GOOD, finish=Finish.LENGTH))
    assert reply.value == Colour(colour="red")


def test_of_a_reply_that_was_cut_off_the_last_call_is_not_handed_on():
    """Some providers give what there was of its arguments, as if they were all."""
    whole = called(("web_search", {"query": "pier"}), ("web_search", {}), text="pier " * 500)
    reply, _ = ask(replace(whole, finish=Finish.LENGTH, trace="signed"), output=None, tools=(SEARCH,))
    assert [call.arguments for call in reply.calls] == [{"query": "pier"}]
    assert reply.cut_off
    assert reply.trace is None, "the provider must not get the call back without a result"
    assert len(reply.text) < 250


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        ('<tool_call>{"name": "web_search", "arguments": {"query": "a"}}</tool_call>\n<tool_call>{"name": "web_se', 1),
        ('{"name": "web_search", "arguments": {"query": "a"', 0),
        ('```json\n{"name": "web_search", "argum', 0),
    ],
)
def test_a_call_in_the_text_is_made_only_if_it_was_finished(text: str, calls: int):
    reply, _ = ask(said(text, finish=Finish.LENGTH), output=None, tools=(SEARCH,))
    assert len(reply.calls) == calls
    assert reply.cut_off


def test_it_is_asked_no_more_than_three_times():
    with pytest.raises(ModelFailure, match="no Colour in 3 replies") as failed:
        ask(said("no"), said("no"), said("no"))
    assert failed.value.kind is ModelFailureKind.BAD_REPLY


def test_a_failure_is_nobodys_to_repair():
    failure = ModelFailure(ModelFailureKind.AUTH, "x:y", "no")
    with pytest.raises(ModelFailure, match="auth"):
        ask(failure)


def test_a_call_in_the_text_gets_an_id_that_no_other_turn_has():
    text = '{"name": "web_search", "arguments": {"query": "a"}}'
    reply, _ = ask(said(text), output=None, tools=(SEARCH,))
    assert [call.call_id for call in reply.calls] == ["text_1_1"]
    assert reply.finish is Finish.TOOL_CALL
    assert reply.text == ""
    later, _ = ask(said(text), output=None, tools=(SEARCH,), messages=(User("a"), reply.turn(), User("b")))
    assert [call.call_id for call in later.calls] == ["text_3_1"]


def test_a_call_that_came_as_one_stays_as_it_is():
    given = called(("web_search", {"query": "a"}), text="I look.")
    reply, _ = ask(given, output=None, tools=(SEARCH,))
    assert reply == given


def test_thinking_is_left_out_of_prose():
    reply, _ = ask(said("<think>hm</think>Red."), output=None)
    assert reply.text == "Red."
    assert reply.repairs


@pytest.mark.parametrize("output", [None, OutputShape(Colour)])
def test_a_reply_that_a_filter_swallowed_is_a_failure_and_not_asked_again(output: OutputShape | None):
    with pytest.raises(ModelFailure, match="content filter") as failed:
        ask(said("", finish=Finish.CONTENT_FILTER), output=output)
    assert failed.value.kind is ModelFailureKind.CONTENT_FILTER


@pytest.mark.parametrize(("room", "asked", "shown"), [(None, 3, 3000), (4096, 3, 3000), (1200, 3, 210), (500, 1, 0)])
def test_it_is_asked_again_only_with_what_its_context_holds(room: int | None, asked: int, shown: int):
    bad = "It is red, I think. " * 150
    model = ScriptedModel([said(bad)] * 3)
    request = ModelRequest(messages=(User("Which?"),), output=OutputShape(Colour), max_tokens=600, context_tokens=room)
    with pytest.raises(ModelFailure, match="no room to ask it again" if asked == 1 else "in 3 replies"):
        asyncio.run(Structured(model).complete(request))
    assert len(model.requests) == asked
    assert room is None or all(most_tokens(one) <= room for one in model.requests[1:])
    assert max((len(one.messages[1].text) for one in model.requests[1:]), default=0) <= shown
    assert model.requests[-1].max_tokens >= 300
