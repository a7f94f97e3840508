"""On replies of a real small model (`replies.jsonl`: Qwen2.5-Coder 1.5B, asked for verdicts and calls), and more."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affidavit.models.lenient_json import NotJson
from affidavit.models.tidy import calls_in, fitted, read_arguments, read_object, without_thoughts

REPLIES = {
    row["name"]: row["text"]
    for row in map(json.loads, Path(__file__).with_name("replies.jsonl").read_text(encoding="utf-8").splitlines())
}
TOOLS = {"web_search", "fetch_page"}
FENCED = '```json\n{"a": 1}\n```'


@pytest.mark.parametrize("name", ["verdict-0", "verdict-1", "verdict-2", "verdict-schema", "verdict-object"])
def test_a_real_verdict_that_came_as_it_should_is_read_as_it_is(name: str):
    value, repairs = read_object(REPLIES[name])
    assert value["verdict"] in ("SUPPORTED", "PARTIAL", "NOT_SUPPORTED")
    assert repairs == ()


def test_a_real_verdict_after_an_introduction_is_read():
    value, repairs = read_object(REPLIES["verdict-python"])
    assert value["verdict"] == "NOT_SUPPORTED"
    assert repairs == ("words stood before the JSON",)


def test_a_real_verdict_in_a_fence_is_read():
    value, repairs = read_object(REPLIES["verdict-list"])
    assert value["verdict"] == "True", "whether that is a verdict is for the shape to say"
    assert repairs == ("the JSON stood in a code fence",)


@pytest.mark.parametrize("name", ["verdict-hot-0", "verdict-hot-1", "verdict-hot-2", "cut"])
def test_a_real_reply_that_was_cut_off_is_refused(name: str):
    with pytest.raises(NotJson):
        read_object(REPLIES[name])


@pytest.mark.parametrize(
    ("name", "tool", "arguments"),
    [
        ("tools-search", "web_search", {"query": "north pier of wells opening date", "recency_days": 10}),
        ("tools-required", "web_search", {"query": "north pier of wells opening date", "recency_days": 10}),
        ("tools-two", "web_search", {"query": "pier repair cost pier opening date", "recency_days": 30}),
        ("tools-fetch", "fetch_page", {"urls": ("https://a.example/pier", "https://b.example/harbour")}),
        (
            "tools-after",
            "fetch_page",
            {"urls": ("https://a.example/pier", "https://b.example/harbour Harbour news")},
        ),
    ],
)
def test_a_real_tool_call_in_the_text_is_found(name: str, tool: str, arguments: Any):
    found = calls_in(REPLIES[name], TOOLS)
    assert [(call.name, call.arguments) for call in found.calls] == [(tool, arguments)]
    assert found.repairs
    assert found.text == ""


def test_a_real_call_between_paragraphs_leaves_the_paragraphs():
    found = calls_in(REPLIES["tools-in-prompt"], TOOLS)
    assert [call.name for call in found.calls] == ["web_search"]
    assert found.text.startswith("To answer this question")
    assert found.text.endswith("within the last day.")


def test_a_real_draft_after_an_introduction_is_read():
    value, repairs = read_object(REPLIES["draft"])
    assert value["summary"] == "The pier opened on May 4, 2019."
    assert repairs == ("words stood before the JSON",)


def test_a_real_echo_of_the_tools_definitions_is_no_call():
    found = calls_in(REPLIES["tools-plan"], TOOLS)
    assert [call.arguments for call in found.calls] == [{"query": "north pier wells cost", "recency_days": 1}]


def test_a_real_reply_without_a_call_has_none():
    assert calls_in(REPLIES["tools-hot"], TOOLS).calls == ()
    assert calls_in(REPLIES["verdict-0"], TOOLS).calls == ()


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("<think>Hm. {\"a\": 2}</think>\n{\"a\": 1}", '{"a": 1}'),
        ("Hm, the template opened it.</think>\n\n{\"a\": 1}", '{"a": 1}'),
        ("<THINKING>a</THINKING><reasoning>b</reasoning>yes", "yes"),
        ("so: <think>never ends {\"a\": 1}", "so:"),
        ("nothing of the kind", "nothing of the kind"),
        ("I think <b>so</b>", "I think <b>so</b>"),
    ],
)  # fmt: skip
def test_thinking_that_leaked_is_left_out(text: str, left: str):
    assert without_thoughts(text).text == left


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1}',
        FENCED,
        f"Here it is:\n{FENCED}\nI hope this helps!",
        '~~~\n{"a": 1}\n~~~',
        '```json\n{"a": 1}',
        'My answer is {"a": 1}',
        '[{"a": 1}]',
        "{'a': 1,}",
        f"<think>Is it 2? {FENCED.replace('1', '2')}</think>{FENCED}",
    ],
)
def test_one_object_is_read_however_it_is_wrapped(text: str):
    assert read_object(text)[0] == {"a": 1}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "it is empty"),
        ("<think>no end", "it is empty"),
        ("I cannot tell.", "ends before it is complete"),
        ('{"a": 1} would be wrong, because of b.', "something follows the JSON"),
        ('{"a": 1}\n{"a": 2}', "something follows the JSON"),
        (f"{FENCED}\nor\n{FENCED}", "2 code blocks"),
        ('[{"a": 1}, {"a": 2}]', "a list of 2"),
        ("[]", "a list of 0"),
        ('"SUPPORTED"', "ends before it is complete|no JSON object"),
        ("[1]", "no JSON object"),
    ],
)
def test_where_two_readings_are_left_none_is_taken(text: str, said: str):
    with pytest.raises(NotJson, match=said):
        read_object(text)


SCHEMA = {"type": "object", "properties": {"verdict": {}, "why": {}}}


@pytest.mark.parametrize(
    ("value", "left", "repaired"),
    [
        ({"verdict": "A", "why": None}, {"verdict": "A", "why": None}, False),
        ({"verdict": "A", "confidence": 0.9}, {"verdict": "A"}, True),
        ({"result": {"verdict": "A"}}, {"verdict": "A"}, True),
        ({"why": {"verdict": "A"}}, {"why": {"verdict": "A"}}, False),
        ({"result": {"other": "A"}}, {}, True),
    ],
)
def test_what_a_shape_does_not_know_is_left_out(value: Any, left: Any, repaired: bool):
    found, repairs = fitted(value, SCHEMA)
    assert found == left
    assert bool(repairs) is repaired


@pytest.mark.parametrize(
    ("text", "calls", "rest"),
    [
        ('<tool_call>\n{"name": "web_search", "arguments": {"query": "a"}}\n</tool_call>', 1, ""),
        (
            'I look.\n<tool_call>{"name": "web_search", "arguments": {}}</tool_call>'
            '<tool_call>{"name": "fetch_page", "arguments": {"urls": []}}</tool_call>',
            2,
            "I look.",
        ),
        ('<tool_call>\n{"name": "web_search", "arguments": {"query": "a"}}', 1, ""),
        ('[TOOL_CALLS][{"name": "web_search", "arguments": {"query": "a"}}]', 1, ""),
        ('<|python_tag|>{"name": "web_search", "parameters": {"query": "a"}}', 1, ""),
        ('{"tool": "web_search", "tool_input": {"query": "a"}}', 1, ""),
        ('{"type": "function", "function": {"name": "web_search", "arguments": "{\\"query\\": \\"a\\"}"}}', 1, ""),
        ('[{"name": "web_search", "arguments": {}}, {"name": "web_search", "arguments": {}}]', 2, ""),
        ('{"name": "web_search", "arguments": {}}\n{"name": "web_search", "arguments": {}}', 2, ""),
        ('I search now: {"name": "web_search", "arguments": {"query": "a"}}', 1, "I search now:"),
        ('{"name": "delete_all", "arguments": {}}', 0, None),
        ('{"name": "web_search", "arguments": {"query": "a"}} would find it.', 0, None),
        ('{"name": "web_search", "description": "x", "parameters": {"type": "object", "properties": {}}}', 0, None),
        ("What is <b>web_search</b>?", 0, None),
    ],
)
def test_calls_written_as_text_are_found_and_only_calls(text: str, calls: int, rest: str | None):
    found = calls_in(text, TOOLS)
    assert len(found.calls) == calls
    assert found.text == (text if rest is None else rest)


@given(st.text(max_size=60))
def test_prose_holds_no_call(text: str):
    assert calls_in(text, TOOLS).calls == ()


def test_arguments_that_are_no_object_are_a_problem_and_no_guess():
    assert read_arguments("") == ({}, None, ())
    assert read_arguments("{'query': 'a'}") == ({"query": "a"}, None, ("a text stood in ''",))
    arguments, problem, _ = read_arguments('{"query": "a')
    assert arguments == {}
    assert problem is not None
    assert "complete" in problem


def test_a_call_whose_arguments_are_no_object_says_so():
    (call,) = calls_in('{"name": "web_search", "arguments": ["a"]}', TOOLS).calls
    assert (call.arguments, call.problem) == ({}, "its arguments are no JSON object")
