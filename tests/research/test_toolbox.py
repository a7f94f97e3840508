"""What a model is told when it calls a tool well, badly, twice or too often."""

import pytest

from affidavit.evidence.answer import GapKind
from affidavit.models.request import ToolCall
from affidavit.models.scripted import called, said

from .conftest import draft, fetch, plan, quote, search

ASKED = "When was Aldersbrook pier closed?"


def result(ran, number):
    """The result of the tool call with that number, from 0, as the model read it."""
    results = [m for m in ran.researcher.requests[-1].messages if type(m).__name__ == "ToolResult"]
    return results[number]


def test_each_result_ends_with_what_is_left(world):
    ran = world.ask([plan(ASKED), fetch("pier.md"), search("harbour log"), draft()], max_tool_calls=9)
    assert (
        result(ran, 0).text.splitlines()[-1].startswith("Left: 8 of 9 tool calls, 30 of 32 searches, 23 of 24 fetches")
    )
    assert (
        result(ran, 1).text.splitlines()[-1].startswith("Left: 7 of 9 tool calls, 29 of 32 searches, 23 of 24 fetches")
    )


def test_search_results_stand_between_tags_and_are_listed_in_full_only_once(world):
    ran = world.ask([plan(ASKED), search("pier keeper"), draft()])
    opening = ran.researcher.requests[1].messages[0].text
    assert "untrusted_results" in opening
    assert "It had carried 40 tonnes" in opening
    again = result(ran, 0).text
    assert "listed before" in again
    assert "It had carried" not in again


def test_a_query_made_twice_and_a_search_that_brings_nothing_new_are_refused(world):
    ran = world.ask(
        [plan(ASKED), search("keeper"), search("Keeper?"), search("wheat"), search("log of ships"), draft()],
        convergence=[said("nothing")] * 60,
    )
    assert result(ran, 1).failed
    assert "made before" in result(ran, 1).text
    assert result(ran, 3).failed
    assert "SATURATED" in result(ran, 3).text
    assert len(ran.of("search")) == 4, "two of the runtime's, two of the model's"


def test_four_pages_are_read_at_once_and_come_in_one_result(world):
    ran = world.ask([plan(ASKED), fetch("pier.md", "keeper.md", "mill.md"), draft()])
    text = result(ran, 0).text
    assert text.count("<untrusted_page") == 3
    assert "Miriam Holt" in text
    assert ran.answer.budget["fetches"]["used"] == 3


def test_a_page_asked_for_twice_is_fetched_once_and_said_to_be(world):
    ran = world.ask([plan(ASKED), fetch("pier.md"), fetch("pier.md"), draft()])
    assert "FETCHED_BEFORE" in result(ran, 1).text
    assert "It had carried 40 tonnes" in result(ran, 1).text
    assert len([one for one in ran.of("gateway") if one["allowed"]]) == 1


def test_an_address_that_nothing_listed_is_refused_by_the_gateway_and_told(world):
    evil = called(("fetch_page", {"urls": ["https://evil.example/?q=when+was+the+pier+closed"]}))
    ran = world.ask([plan(ASKED), evil, draft()])
    assert "NOT_READ" in result(ran, 0).text
    assert [one["reason"] for one in ran.of("gateway")] == ["not_seen"]
    assert GapKind.BLOCKED in {gap.kind for gap in ran.answer.gaps}


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (("web_search", {}), "query"),
        (("web_search", {"query": "pier", "site": "example.org"}), "site: Extra inputs"),
        (("fetch_page", {"urls": []}), "urls"),
        (("fetch_page", {"urls": [f"https://a.example/{n}" for n in range(5)]}), "at most 4"),
        (("fetch_page", {"urls": {"first": "https://a.example/"}}), "urls"),
        (("extract_quote", {"doc_id": "doc_1", "locator": "x" * 20, "purpose": "support_claim"}), "UNKNOWN_DOC_ID"),
        (("extract_quote", {"doc_id": "doc_1", "locator": "words", "purpose": "decorate"}), "purpose"),
        (("draft_answer", {"claims": [{"text": "It is so."}], "summary": ""}), "span_ids"),
        (
            ("draft_answer", {"claims": [{"text": "So.", "span_ids": [], "confidence": "high"}], "summary": ""}),
            "span_ids",
        ),
        (("run_code", {"code": "1"}), "there is no tool"),
    ],
)
def test_a_malformed_call_is_answered_with_what_is_wrong(world, call, says):
    ran = world.ask([plan(ASKED), called(call), draft()])
    assert result(ran, 0).failed
    assert says in result(ran, 0).text
    assert "Left: 39 of 40 tool calls" in result(ran, 0).text, "a refused call costs a call"


def test_arguments_that_are_no_json_are_answered_too(world):
    def broken(request):
        made = called(("web_search", {}))
        call = ToolCall(call_id="call_1", name="web_search", arguments={}, problem="a comma is missing")
        return type(made)(
            **{**{n: getattr(made, n) for n in ("text", "usage", "finish", "model", "latency")}, "calls": (call,)}
        )

    ran = world.ask([plan(ASKED), broken, draft()])
    assert "a comma is missing" in result(ran, 0).text


def test_a_locator_made_up_or_ambiguous_comes_back_with_what_to_do(world):
    ran = world.ask(
        [
            plan(ASKED),
            fetch("pier.md", "mill.md"),
            quote("pier.md", "The pier at Aldersbrook was opened"),
            quote("mill.md", "is paid by the village"),
            quote("pier.md", "The pier at Aldersbrook was closed", max_chars=80),
            quote("pier.md", "The pier was rebuilt in 1994", max_chars=901),
            quote("pier.md", "The pier was rebuilt in 1994", max_chars=0),
            draft(),
        ]
    )
    assert all("from 40 to 900" in result(ran, turn).text for turn in (4, 5))
    assert "LOCATOR_NOT_FOUND" in result(ran, 1).text
    assert "from memory" in result(ran, 1).text
    assert result(ran, 2).failed
    assert result(ran, 3).text.startswith("span_")
    assert "<untrusted_span" in result(ran, 3).text


def test_the_same_quotation_twice_is_one_and_no_heading_passes_for_a_statement(world):
    closed = quote("pier.md", "The pier at Aldersbrook was closed", max_chars=80)
    ran = world.ask([plan(ASKED), fetch("pier.md"), closed, closed, quote("keeper.md", "x" * 12), draft()])
    assert ran.answer.budget["spans"]["used"] == 1
    assert len(ran.of("span")) == 1


@pytest.mark.parametrize(
    ("budget", "turn", "says"),
    [
        ({"max_searches": 2}, search("harbour log"), "BUDGET_OUT"),
        ({"max_fetches": 1}, fetch("mill.md", "keeper.md"), "BUDGET_OUT"),
    ],
)
def test_a_budget_that_is_out_is_told_and_becomes_a_gap(world, budget, turn, says):
    ran = world.ask([plan(ASKED), turn, draft()], **budget)
    assert says in result(ran, 0).text
    name = next(iter(budget)).removeprefix("max_")
    assert any(gap.kind is GapKind.BUDGET_OUT and name in gap.detail for gap in ran.answer.gaps)


def test_the_budget_of_quotations_is_enforced(world):
    closed = quote("pier.md", "The pier at Aldersbrook was closed", max_chars=80)
    rebuilt = quote("pier.md", "The pier was rebuilt in 1994", max_chars=80)
    ran = world.ask([plan(ASKED), fetch("pier.md"), closed, rebuilt, draft()], max_spans=1)
    assert "SPAN_BUDGET_EXCEEDED" in result(ran, 2).text
    assert "draft with what you have" in result(ran, 2).text
    assert any(gap.kind is GapKind.BUDGET_OUT and "spans" in gap.detail for gap in ran.answer.gaps)


def test_a_draft_whose_claims_all_stand_on_nothing_is_handed_back(world):
    snippet = {"text": "The pier was closed in 1988.", "span_ids": ["63753a8ef87bd38a"]}
    ran = world.ask([plan(ASKED), draft(snippet), draft()])
    assert "NO_EVIDENCE" in result(ran, 0).text
    assert "empty list of claims" in result(ran, 0).text
    assert ran.published == []


def test_only_tools_are_offered_that_there_is_something_for(world):
    ran = world.ask([plan(ASKED), fetch("pier.md"), quote("pier.md", "The pier at Aldersbrook was closed"), draft()])
    offered = [[tool.name for tool in request.tools] for request in ran.researcher.requests[1:]]
    leading = ["web_search", "fetch_page"]
    assert offered == [leading, [*leading, "extract_quote"], [*leading, "extract_quote", "draft_answer"]]
    known = [request.known for request in ran.researcher.requests[1:]]
    assert [len(one["extract_quote"]) for one in known] == [0, 1, 1]
    assert [len(one["draft_answer"][0]["span_ids"]) for one in known] == [0, 0, 1]
    assert any(url.endswith("pier.md") for url in known[0]["fetch_page"][0]["urls"])
    beginnings = known[1]["extract_quote"][0]["locator"]
    assert any(one.startswith("The pier at Aldersbrook was closed in March 1988") for one in beginnings)


def test_after_calls_that_led_nowhere_it_may_be_handed_in_that_nothing_was_found(world):
    missing = [quote("pier.md", f"no sentence of this page, {number}") for number in range(4)]
    ran = world.ask([plan(ASKED), fetch("pier.md"), *missing, draft()])
    offered = ["draft_answer" in [tool.name for tool in request.tools] for request in ran.researcher.requests[1:]]
    assert offered[:2] == [False, False]
    assert offered[-1]


def test_a_tool_is_not_offered_after_the_same_call_of_it_was_refused_twice(world):
    again = search("keeper")
    ran = world.ask([plan(ASKED), fetch("pier.md"), again, again, again, fetch("keeper.md"), draft()])
    offered = ["web_search" in [tool.name for tool in request.tools] for request in ran.researcher.requests[1:7]]
    assert offered == [True, True, True, True, False, True]
