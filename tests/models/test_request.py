import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from affidavit.models.reply import Finish, ModelReply, Usage
from affidavit.models.request import Assistant, ModelRequest, OutputShape, ToolCall, ToolResult, ToolSpec, User


class Shape(BaseModel):
    title: str


TOOL = ToolSpec.of("web_search", "Find.", Shape)
FULL: dict[str, Any] = {
    "messages": (
        User("a"),
        Assistant(text="b", calls=(ToolCall(call_id="1", name="web_search", arguments={"title": ["x"]}),)),
        ToolResult(call_id="1", name="web_search", text="c"),
    ),
    "system": "s",
    "tools": (TOOL,),
    "temperature": 0.0,
    "max_tokens": 10,
    "stop": ("END",),
    "must_call": False,
}


def test_the_hash_is_over_what_decides_the_reply():
    base = ModelRequest(**FULL)
    changes: dict[str, Any] = {
        "messages": (User("z"),),
        "system": "t",
        "tools": (ToolSpec.of("web_search", "Find it.", Shape),),
        "temperature": 0.5,
        "max_tokens": 11,
        "stop": (),
        "must_call": True,
    }
    hashes = {ModelRequest(**FULL | {name: value}).sha256 for name, value in changes.items()}
    assert len(hashes | {base.sha256}) == len(changes) + 1
    assert ModelRequest(**FULL, key="k", seconds=3).sha256 == base.sha256


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"messages": ()}, "ends with what the model should answer"),
        ({"messages": (User("a"), Assistant(text="b"))}, "ends with"),
        ({"messages": (User("a"),), "tools": (TOOL,), "output": OutputShape(Shape)}, "not both"),
        ({"messages": (User("a"),), "must_call": True}, "needs tools"),
        ({"messages": (User("a"),), "max_tokens": 0}, "one at least"),
    ],
)
def test_a_request_that_cannot_be_meant_is_refused(given: dict[str, Any], said: str):
    with pytest.raises(ValueError, match=said):
        ModelRequest(**given)


def test_a_schema_has_no_titles_but_keeps_a_field_of_that_name():
    assert TOOL.schema["properties"] == {"title": {"type": "string"}}
    assert "title" not in OutputShape(Shape).schema


def test_what_a_request_holds_cannot_change():
    schema: dict[str, object] = {"type": "object"}
    tool = ToolSpec(name="a", description="b", schema=schema)
    schema["type"] = "array"
    assert tool.schema == {"type": "object"}
    with pytest.raises(TypeError):
        tool.schema["type"] = "array"  # pyright: ignore[reportIndexIssue]


USAGE = st.none() | st.builds(
    Usage,
    input=st.integers(0, 10**6),
    output=st.integers(0, 10**6),
    cached=st.integers(0, 10**6),
    written=st.integers(0, 10**6),
    cost=st.none() | st.decimals(0, 100, places=6),
)
CALLS = st.builds(
    ToolCall,
    call_id=st.text(max_size=5),
    name=st.text(max_size=5),
    arguments=st.dictionaries(st.text(max_size=3), st.integers() | st.lists(st.text(max_size=3))),
    problem=st.none() | st.text(max_size=5),
)


@given(
    st.builds(
        ModelReply,
        text=st.text(),
        calls=st.lists(CALLS, max_size=3).map(tuple),
        value=st.none(),
        usage=USAGE,
        finish=st.sampled_from(Finish),
        model=st.text(max_size=9),
        latency=st.floats(0, 100),
        repairs=st.just(()),
        trace=st.none() | st.text(max_size=9),
    )
)
def test_a_reply_comes_back_from_the_ledger_as_it_was(reply: ModelReply):
    assert ModelReply.from_json(json.loads(json.dumps(reply.as_json()))) == reply


def test_what_there_is_to_name_follows_from_the_run_and_is_neither_hashed_nor_reckoned():
    known = {"web_search": ({"title": ("pier", "harbour")},)}
    assert ModelRequest(**FULL | {"known": known}).as_json() == ModelRequest(**FULL).as_json()
