"""`odd_replies.toml`, through everything that makes a reply usable: one reading is taken, of two none is."""

import asyncio
import tomllib
from pathlib import Path
from typing import Any, Literal

import pytest
from pydantic import BaseModel

from affidavit.errors import ModelFailure
from affidavit.models.reply import Finish, ModelReply
from affidavit.models.request import ModelRequest, OutputShape, ToolCall, ToolSpec, User
from affidavit.models.scripted import ScriptedModel, said
from affidavit.models.structured import Structured
from affidavit.models.wire import read_arguments

FORMS: dict[str, list[dict[str, Any]]] = tomllib.loads(
    Path(__file__).with_name("odd_replies.toml").read_text(encoding="utf-8")
)
TEXTS = {"type": "array", "items": {"type": "string"}}
TOOLS = (
    ToolSpec(name="web_search", description="", schema={"properties": {"query": {"type": "string"}}}),
    ToolSpec(name="fetch_page", description="", schema={"properties": {"urls": TEXTS}}),
)


class Verdict(BaseModel):
    verdict: Literal["SUPPORTED", "PARTIAL", "NOT_SUPPORTED"]
    why: str | None = None


def asked(answer: ModelReply, **given: Any) -> ModelReply:
    request = ModelRequest(messages=(User("?"),), **given)
    return asyncio.run(Structured(ScriptedModel([answer]), repairs=0).complete(request))


def made(reply: ModelReply) -> list[list[Any]]:
    return [[call.name, _plain(call.arguments)] for call in reply.calls]


def _plain(value: Any) -> Any:
    if hasattr(value, "items"):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value


@pytest.mark.parametrize("form", FORMS["call"], ids=lambda form: form["name"])
def test_of_an_odd_reply_the_calls_are_made_that_it_means(form: dict[str, Any]):
    reply = asked(said(form["text"]), tools=TOOLS)
    assert made(reply) == form["calls"]
    assert not form["calls"] or reply.repairs
    assert len({call.call_id for call in reply.calls}) == len(reply.calls)


@pytest.mark.parametrize("form", FORMS["value"], ids=lambda form: form["name"])
def test_of_an_odd_reply_the_value_is_read_that_it_means(form: dict[str, Any]):
    if "read" not in form:
        with pytest.raises(ModelFailure, match="no Verdict in 1 replies"):
            asked(said(form["text"]), output=OutputShape(Verdict))
        return
    reply = asked(said(form["text"]), output=OutputShape(Verdict))
    assert reply.value == Verdict(**form["read"])
    assert reply.repairs


def native(*calls: tuple[str, str], trace: str | None = None) -> ModelReply:
    """Calls as a server hands them on: a name, and arguments as text."""
    read = [(name, *read_arguments(given)) for name, given in calls]
    return ModelReply(
        text="",
        calls=tuple(
            ToolCall(call_id=f"c{number}", name=name, arguments=arguments, problem=problem)
            for number, (name, arguments, problem, _) in enumerate(read)
        ),
        usage=None,
        finish=Finish.TOOL_CALL,
        model="m",
        latency=0.0,
        trace=trace,
    )


@pytest.mark.parametrize(
    ("calls", "expected"),
    [
        ([("functions.web_search", '{"query": "a"}')], [["web_search", {"query": "a"}]]),
        ([("web_search", '"{\\"query\\": \\"a\\"}"')], [["web_search", {"query": "a"}]]),
        ([("fetch_page", '{"urls": "u"}')], [["fetch_page", {"urls": ["u"]}]]),
        ([("fetch_page", '{"urls": "[not json"}')], [["fetch_page", {"urls": ["[not json"]}]]),
        ([("web_search", '{"query": "a"}')] * 5, [["web_search", {"query": "a"}]]),
        ([("web_search", '{"query": ["a"]}')], [["web_search", {"query": ["a"]}]]),
    ],
)
def test_a_call_that_a_server_hands_on_is_helped_in_the_same_way(calls: Any, expected: Any):
    reply = asked(native(*calls, trace="signed"), tools=TOOLS)
    assert made(reply) == expected
    unchanged = len(calls) == 1 and calls[0] == ("web_search", '{"query": ["a"]}')
    assert (reply.trace == "signed") is unchanged or calls[0][1].startswith('"'), "what was changed goes back unsigned"


def test_arguments_that_are_no_object_stay_a_problem():
    reply = asked(native(("web_search", '"pier"'), ("web_search", "{'query'")), tools=TOOLS)
    assert [bool(call.problem) for call in reply.calls] == [True, True]
