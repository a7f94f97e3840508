"""The schema of one call: only tools that are offered, only values that there are."""

import json
from collections.abc import Sequence
from typing import Any

from jsonschema import Draft202012Validator

from affidavit.models.held import call_schema
from affidavit.models.request import ToolSpec
from affidavit.research.tool_arguments import draft_spec, tool_specs

URL = "https://pier.example/"
KNOWN = {
    "fetch_page": [{"urls": [URL]}],
    "extract_quote": [
        {"doc_id": ["doc_1"], "locator": ["The pier opened"]},
        {"doc_id": ["doc_2"], "locator": ["The pier closed"]},
    ],
    "draft_answer": [{"span_ids": ["span_1", "span_2"]}],
}


def fits(call: object, known: Any = KNOWN, tools: Sequence[ToolSpec] = tool_specs()) -> bool:
    schema: Any = json.loads(json.dumps(call_schema(tools, known)))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema).is_valid(call)


def quote(doc_id: str, locator: str = "The pier opened") -> object:
    arguments = {"doc_id": doc_id, "locator": locator, "purpose": "support_claim"}
    return {"name": "extract_quote", "arguments": arguments}


def drafted(*span_ids: str) -> object:
    claim = {"text": "The pier opened in 1905.", "span_ids": list(span_ids), "confidence": "high"}
    return {"name": "draft_answer", "arguments": {"claims": [claim], "summary": ""}}


def test_a_call_names_what_there_is_and_nothing_else():
    assert fits({"name": "web_search", "arguments": {"query": "pier"}})
    assert fits({"name": "fetch_page", "arguments": {"urls": [URL]}})
    assert not fits({"name": "fetch_page", "arguments": {"urls": [URL, "https://elsewhere.example/"]}})
    assert not fits({"name": "fetch_page", "arguments": {"urls": []}})
    assert fits(quote("doc_1"))
    assert fits(quote("doc_2", "The pier closed"))
    assert not fits(quote("doc_2")), "that stands in the other page"
    assert not fits(quote("doc_3"))
    assert fits(drafted("span_2", "span_1"))
    assert not fits(drafted("span_3"))
    assert not fits(drafted())


def test_a_call_is_of_a_tool_that_is_offered_with_its_own_arguments():
    assert not fits({"name": "no_tool", "arguments": {}})
    assert not fits({"name": "web_search", "arguments": {"urls": [URL]}})
    assert not fits({"claims": [], "summary": ""})
    assert not fits(quote("doc_1"), tools=[draft_spec()])
    assert fits(drafted("span_1"), tools=[draft_spec()])


def test_where_there_is_nothing_to_name_a_tool_cannot_be_called_and_a_draft_is_empty():
    nothing = {"fetch_page": [{"urls": []}], "extract_quote": [], "draft_answer": [{"span_ids": []}]}
    assert fits({"name": "web_search", "arguments": {"query": "pier"}}, nothing)
    assert not fits({"name": "fetch_page", "arguments": {"urls": [URL]}}, nothing)
    assert not fits(quote("doc_1"), nothing)
    assert not fits(drafted("span_1"), nothing)
    assert fits({"name": "draft_answer", "arguments": {"claims": [], "summary": ""}}, nothing)
    assert call_schema([tool_specs()[1]], nothing) is None


def test_what_nothing_is_known_of_is_free():
    assert fits({"name": "fetch_page", "arguments": {"urls": ["https://anywhere.example/"]}}, {})
    assert fits(drafted("any"), {})
