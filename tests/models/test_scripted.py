import asyncio

import pytest

from affidavit.errors import ModelFailure, ModelFailureKind
from affidavit.models.request import ModelRequest, ToolResult, User
from affidavit.models.scripted import ScriptedModel, Turn, called, said


def ask(model: ScriptedModel, text: str = "a", system: str = ""):
    return asyncio.run(model.complete(ModelRequest(messages=(User(text),), system=system)))


def test_it_says_what_the_script_says_and_remembers_what_it_was_asked():
    model = ScriptedModel([said("one"), lambda request: said(request.messages[0].text.upper())])
    assert (ask(model).text, ask(model, "b").text) == ("one", "B")
    assert [request.messages[0].text for request in model.requests] == ["a", "b"]
    model.finish()


def test_it_fails_loudly_when_the_script_runs_out():
    model = ScriptedModel([said("one")])
    ask(model)
    with pytest.raises(AssertionError, match=r"has 1 turns; call 2: 'again'"):
        ask(model, "again")


def test_it_fails_loudly_when_it_is_asked_something_else():
    model = ScriptedModel([Turn(answer=said("x"), expects="pier"), Turn(answer=said("y"), expects=lambda r: False)])
    with pytest.raises(AssertionError, match="expects 'pier', and was asked 'harbour'"):
        ask(model, "harbour")
    with pytest.raises(AssertionError, match="turn 2 does not expect"):
        ask(model, "pier")
    ask(ScriptedModel([Turn(answer=said("x"), expects="pier")]), "a", "a pier")


def test_turns_that_are_left_are_a_mistake():
    with pytest.raises(AssertionError, match="2 of 2 turns were never asked for"):
        ScriptedModel([said("a"), said("b")]).finish()


def test_it_may_fail_as_a_provider_does():
    with pytest.raises(ModelFailure):
        ask(ScriptedModel([ModelFailure(ModelFailureKind.QUOTA, "x:y", "no")]))


def test_a_call_of_a_tool_is_short_to_write():
    reply = ask(ScriptedModel([called(("web_search", {"query": "a"}), ("fetch_page", {"urls": ["b"]}))]))
    assert [(call.call_id, call.name) for call in reply.calls] == [("call_1", "web_search"), ("call_2", "fetch_page")]
    result = ToolResult(call_id="call_1", name="web_search", text="found")
    model = ScriptedModel([Turn(answer=said("done"), expects="found")])
    asyncio.run(model.complete(ModelRequest(messages=(User("a"), reply.turn(), result))))
