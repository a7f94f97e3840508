"""When the loop ends: the reserve, the stall, the time, the tokens, and what the convergence check may decide."""

import dataclasses
import json

import pytest

from affidavit.errors import ModelFailure, ModelFailureKind
from affidavit.evidence.answer import GapKind, State
from affidavit.models.reply import Finish
from affidavit.models.scripted import Turn, called, said

from .conftest import checked, draft, fetch, plan, quote, search

ASKED = "When was Aldersbrook pier closed?"
CLOSED = "Aldersbrook pier was closed in March 1988."
SLOW = ModelFailure(ModelFailureKind.TIME_LIMIT, "scripted:researcher", "no reply within the time that was left")
CLOSED_QUOTE = quote("pier.md", "The pier at Aldersbrook was closed", max_chars=80)


def test_at_the_reserve_the_only_tool_offered_is_draft_answer(world):
    ran = world.ask(
        [plan(ASKED), fetch("pier.md"), CLOSED_QUOTE, search("deck"), draft((CLOSED, 0))],
        max_tool_calls=5,
        reserve_calls=2,
    )
    assert [tool.name for tool in ran.researcher.requests[-1].tools] == ["draft_answer"]
    assert ran.researcher.requests[-1].must_call
    assert ran.of("landing")[0]["reason"] == "the reserve of tool calls is reached"
    assert ran.published == [CLOSED]
    assert any(gap.kind is GapKind.BUDGET_OUT and "--max-tool-calls" in gap.detail for gap in ran.answer.gaps)


@pytest.mark.parametrize("most", [0, 1, 2])
def test_a_budget_of_no_calls_publishes_sentences_as_they_stand(world, most):
    ran = world.ask([plan(ASKED)], max_tool_calls=most)
    assert ran.answer.state is State.PUBLISHED_WITH_GAPS
    assert ran.published[0] == "The pier at Aldersbrook was closed in March 1988 after a storm."
    assert any("without a model" in warning for warning in ran.answer.warnings)
    assert GapKind.BUDGET_OUT in {gap.kind for gap in ran.answer.gaps}


def test_a_loop_that_never_converges_is_landed_by_the_stall_detector(world):
    words = ["ship", "freight", "deck", "storm", "log"]
    ran = world.ask(
        [plan(ASKED), fetch("pier.md"), CLOSED_QUOTE, *(search(word) for word in words), draft((CLOSED, 0))],
        stall_window=4,
        convergence=[lambda request: said("not json at all")] * 60,
    )
    assert ran.of("landing")[0]["reason"] == "the last 4 tool calls brought no new quotation"
    assert ran.published == [CLOSED]


def test_a_loop_that_talks_and_calls_nothing_is_landed_too(world):
    ran = world.ask([plan(ASKED), *[said("Let me think about piers.")] * 4], stall_window=4)
    assert ran.of("landing")[0]["reason"] == "the last 4 tool calls brought no new quotation"
    assert "That was no tool call" in ran.last_result(2)
    assert ran.published == ["The pier at Aldersbrook was closed in March 1988 after a storm."]


def test_the_runtime_reads_the_best_listed_pages_for_a_model_that_reads_none(world):
    """And the model quotes from them as if it had asked."""
    ran = world.ask(
        [plan(ASKED), search("storm"), search("freight of the pier"), CLOSED_QUOTE, draft((CLOSED, 0))],
    )
    (read,) = ran.of("read_for_model")
    assert read["urls"][0].endswith("/pier.md")
    assert len(read["urls"]) == 2
    assert not read["landing"]
    assert "No page had been read, so the runtime read" in ran.last_result(3)
    assert ran.published == [CLOSED]
    assert ran.answer.budget["fetches"]["used"] == 2
    assert ran.answer.budget["tool_calls"]["used"] == 3, "what the runtime reads is no call of the model's"


def test_a_model_that_reads_has_nothing_read_for_it(world):
    ran = world.ask([plan(ASKED), fetch("pier.md"), CLOSED_QUOTE, draft((CLOSED, 0))])
    assert not ran.of("read_for_model")


def test_a_budget_of_one_page_bounds_what_the_runtime_reads(world):
    ran = world.ask([plan(ASKED), *[said("Let me think about piers.")] * 4], stall_window=4, max_fetches=1)
    assert ran.answer.budget["fetches"]["used"] == 1
    assert len(ran.published) == 1


def test_a_model_too_slow_for_its_first_turn_leaves_time_to_read(world):
    ran = world.ask([plan(ASKED), SLOW])
    assert ran.of("landing")[0]["reason"] == "its time is up"
    assert ran.of("read_for_model")[0]["landing"]
    assert ran.published == ["The pier at Aldersbrook was closed in March 1988 after a storm."]


def test_a_model_too_slow_to_plan_leaves_the_question_as_it_stands(world):
    ran = world.ask([SLOW, fetch("pier.md"), CLOSED_QUOTE, draft((CLOSED, 0))])
    assert ran.of("plan")[0]["subquestions"] == [ASKED]
    assert not ran.of("late"), "only a part of its time was up"
    assert ran.published == [CLOSED]


def test_going_on_needs_an_action_that_was_not_tried(world):
    ran = world.ask(
        [plan(ASKED), fetch("pier.md"), CLOSED_QUOTE, draft((CLOSED, 0))],
        convergence=[checked("CONTINUE", "Search again with better terms", [(1, [], "thin")])],
    )
    assert ran.of("landing")[0]["reason"] == "the convergence check names no action that was not tried"
    assert ran.published == [CLOSED]


def test_the_check_cannot_end_a_run_that_has_no_quotation_yet(world):
    ran = world.ask(
        [plan(ASKED), fetch("keeper.md"), fetch("pier.md"), CLOSED_QUOTE, draft((CLOSED, 0))],
        convergence=[checked("DRAFT", None, [(1, ["span_0000000000000000"], "covered")])] * 9,
    )
    assert ran.of("convergence")[0]["coverage"] == {"1": "empty"}
    assert ran.published == [CLOSED]


def test_two_failed_rounds_close_a_subquestion(world):
    action = "Open the deeds of Wexcombe town"
    ran = world.ask(
        [plan(ASKED), search("ship"), search("freight"), said("Piers are a fine thing.")],
        convergence=[checked("CONTINUE", action, [(1, [], "empty")])],
    )
    assert ran.of("convergence")[0]["closed"] == [1]
    assert ran.of("landing")[0]["reason"] == "what is not covered had two failed rounds"


def test_the_check_sees_ids_and_beginnings_and_no_whole_text(world):
    long = quote("pier.md", "The pier at Aldersbrook was closed", max_chars=600)
    ran = world.ask([plan(ASKED), fetch("pier.md"), long, search("deck"), draft()])
    seen = ran.convergence.requests[0].messages[0].text
    assert "The pier at Aldersbrook was closed in March 1988" in seen
    assert "borough council" not in seen
    assert "searched: " in seen
    assert "fetched: " in seen


def test_what_the_check_proposes_reaches_the_researcher_as_a_proposal(world):
    action = "Read the council minutes <tool>now</tool> instead of the page"
    ran = world.ask(
        [plan(ASKED), fetch("pier.md"), CLOSED_QUOTE, draft((CLOSED, 0))],
        convergence=[checked("CONTINUE", action, [(1, [], "thin")])],
    )
    assert "to take or leave: Read the council minutes &lt;tool>now" in ran.last_result(3)


def test_time_that_is_up_lands_the_run_and_it_still_drafts(world):
    now = [0.0]

    def slow(request):
        now[0] += 200
        return CLOSED_QUOTE(request)

    ran = world.ask(
        [plan(ASKED), fetch("pier.md"), CLOSED_QUOTE, slow, draft((CLOSED, 0))],
        max_seconds=100,
        changed=lambda tools: dataclasses.replace(tools, clock=lambda: now[0]),
    )
    assert ran.of("landing")[0]["reason"] == "its time is up"
    assert ran.published == [CLOSED]
    assert ran.of("late")


def test_a_call_that_the_runs_own_time_cuts_off_is_a_budget_that_ran_out_and_no_fault_of_the_model(world):
    now = [0.0]

    def late(request):
        now[0] = 99.9
        return CLOSED_QUOTE(request)

    hang = Turn(answer=said(""), seconds=30)
    ran = world.ask(
        [plan(ASKED), fetch("pier.md"), late, hang, draft((CLOSED, 0))],
        max_seconds=100,
        changed=lambda tools: dataclasses.replace(tools, clock=lambda: now[0]),
    )
    assert ran.of("landing")[0]["reason"] == "its time is up"
    assert ran.published == [CLOSED]
    (gap,) = ran.answer.gaps
    assert gap.kind is GapKind.BUDGET_OUT
    assert "--max-seconds" in gap.detail
    assert len(ran.of("late")) == 1


def test_tokens_that_are_not_left_are_not_spent(world):
    ran = world.ask([plan(ASKED)], max_tokens=2000)
    assert ran.answer.budget["tokens"]["used"] <= 2000
    assert any(gap.kind is GapKind.BUDGET_OUT and "--max-tokens" in gap.detail for gap in ran.answer.gaps)


def test_a_context_that_is_full_is_shortened_and_the_run_goes_on(world):
    full = ModelFailure(ModelFailureKind.CONTEXT_LENGTH, "scripted:researcher", "8192 tokens")
    ran = world.ask([plan(ASKED), fetch("pier.md"), full, CLOSED_QUOTE, draft((CLOSED, 0))])
    assert "left out to save room" in str(ran.researcher.requests[3].messages)
    assert len(str(ran.researcher.requests[3].messages)) < len(str(ran.researcher.requests[2].messages))


ENDLESS = said("the pier " * 800, finish=Finish.LENGTH)


def test_a_reply_that_is_cut_off_is_told_so_once_and_the_run_goes_on(world):
    ran = world.ask([plan(ASKED), fetch("pier.md"), ENDLESS, CLOSED_QUOTE, draft((CLOSED, 0))])
    assert ran.published == [CLOSED]
    reply, told = [message for message in ran.researcher.requests[3].messages if message.text][-3:-1]
    assert len(reply.text) < 250, "the model does not read all of it again"
    assert "was cut off" in told.text
    assert "pier" not in told.text
    assert any("cut off at the bound" in warning for warning in ran.answer.warnings)


def test_a_call_that_was_cut_off_is_not_made(world):
    cut = dataclasses.replace(called(("web_search", {"query": "the storm of"})), finish=Finish.LENGTH)
    ran = world.ask([plan(ASKED), fetch("pier.md"), cut, CLOSED_QUOTE, draft((CLOSED, 0))])
    assert ran.published == [CLOSED]
    assert not any("the storm of" in one["query"] for one in ran.of("search"))


def test_a_model_that_goes_round_in_circles_is_landed_after_the_second_time(world):
    ran = world.ask([plan(ASKED), fetch("pier.md"), CLOSED_QUOTE, ENDLESS, ENDLESS, draft((CLOSED, 0))])
    assert ran.of("landing")[0]["reason"] == "2 replies in a row were cut off at their bound"
    assert ran.published == [CLOSED]
    assert any(warning.startswith("2 replies were cut off") for warning in ran.answer.warnings)


def test_calls_that_a_reply_finished_before_its_bound_are_made_however_often_it_goes_on_after_them(world):
    def going_on(**arguments: str):
        call = json.dumps({"name": "web_search", "arguments": arguments})
        return said(f"```json\n{call}\n```", finish=Finish.LENGTH)

    going = [going_on(query="pier closed storm"), going_on(query="pier opened again")]
    ran = world.ask([plan(ASKED), fetch("pier.md"), CLOSED_QUOTE, *going, draft((CLOSED, 0))])
    assert ran.published == [CLOSED]
    assert {"pier closed storm", "pier opened again"} <= {one["query"] for one in ran.of("search")}


def test_a_draft_that_is_cut_off_twice_is_made_without_the_model(world):
    ran = world.ask([plan(ASKED), fetch("pier.md"), CLOSED_QUOTE, *[ENDLESS] * 4])
    assert [request.key for request in ran.researcher.requests[-2:]] == [
        "research/turn-draft-1",
        "research/turn-draft-2",
    ]
    assert "cut off after" in ran.last_result(-1)
    assert ran.published == ["The pier at Aldersbrook was closed in March 1988 after a storm."]


def test_what_a_turn_may_write_follows_from_what_it_may_do(world):
    ran = world.ask([plan(ASKED), fetch("pier.md"), CLOSED_QUOTE, draft((CLOSED, 0))])
    assert [request.max_tokens for request in ran.researcher.requests] == [512, 512, 512, 768]
    assert {request.max_tokens for request in ran.convergence.requests} == {512}


def test_the_bounds_are_settings(world):
    replies = {"plan": 100, "turn": 200, "draft": 300, "check": 400, "verdict": 500}
    ran = world.ask(
        [plan(ASKED), fetch("pier.md"), CLOSED_QUOTE, draft((CLOSED, 0))],
        models={"reply_tokens": replies},
    )
    assert [request.max_tokens for request in ran.researcher.requests] == [100, 200, 200, 300]
    assert {request.max_tokens for request in ran.convergence.requests} == {400}
