"""The run with a model, each arrow of its diagram, by a scripted model over real pages."""

import asyncio
import dataclasses
from decimal import Decimal

import pytest

from affidavit.errors import ModelFailure, ModelFailureKind
from affidavit.evidence.answer import GapKind, State
from affidavit.evidence.claim import Label
from affidavit.models.scripted import called, said

from .conftest import agreeing, checked, draft, fetch, judging, plan, quote, search, spans_in, supporting, text_of

ASKED = "When was Aldersbrook pier closed?"
CLOSED = "Aldersbrook pier was closed in March 1988."
CLOSED_QUOTE = quote("pier.md", "The pier at Aldersbrook was closed", max_chars=80)
REBUILT_QUOTE = quote("pier.md", "The pier was rebuilt in 1994", max_chars=80)


def test_a_full_run_publishes_what_its_quotations_say(world):
    ran = world.ask(
        [
            plan(ASKED),
            search("Aldersbrook storm damage"),
            fetch("pier.md", "keeper.md"),
            CLOSED_QUOTE,
            draft((CLOSED, 0), summary="The pier was closed in March 1988."),
        ],
    )
    assert ran.published == [CLOSED]
    assert ran.answer.state is State.PUBLISHED
    assert ran.answer.summary == "The pier was closed in March 1988."
    assert ran.answer.claims[0].claim.spans[0].text == "The pier at Aldersbrook was closed in March 1988 after a storm."
    assert ran.answer.claims[0].verdicts[0].verifier.startswith("model:scripted:judge/")
    assert ran.answer.budget["tool_calls"] == {"used": 4, "limit": 40}
    ran.researcher.finish()


def test_what_would_refute_is_searched_for_whether_the_model_asks_or_not(world):
    ran = world.ask([plan(ASKED, "Who owns Aldersbrook pier?"), draft()])
    tried = [one.query for one in ran.answer.tried]
    assert [query for query in tried if "disputed" in query] == [
        "when was aldersbrook pier closed criticism OR disputed OR retracted",
        "who owns aldersbrook pier criticism OR disputed OR retracted",
    ]


def test_every_call_to_a_model_and_every_tool_call_is_in_the_record_with_its_words(world):
    ran = world.ask([plan(ASKED), fetch("pier.md"), CLOSED_QUOTE, draft((CLOSED, 0))])
    asked, replied = ran.of("model.asked"), ran.of("model.replied")
    judged = 2  # the claim, and its denial
    assert len(asked) == len(replied) == len(ran.researcher.requests) + len(ran.convergence.requests) + judged
    assert {one["request_sha256"] for one in asked} == {one["request_sha256"] for one in replied}
    assert all(one["request"]["messages"] for one in asked)
    assert [one["name"] for one in ran.of("tool")] == ["fetch_page", "extract_quote", "draft_answer"]
    assert all(one["left"].startswith("Left: ") for one in ran.of("tool"))
    assert [one["loop"] for one in ran.of("landing")] == []
    assert set(ran.of("plan")[0]["models"]) == {"researcher", "convergence"}


def test_a_claim_with_a_made_up_span_is_dropped_by_code_and_said_to_be(world):
    ran = world.ask(
        [
            plan(ASKED),
            fetch("pier.md"),
            CLOSED_QUOTE,
            draft((CLOSED, 0), {"text": "The pier sank in 1990.", "span_ids": ["span_0123456789abcdef"]}),
        ]
    )
    assert ran.published == [CLOSED]
    (dropped,) = ran.answer.dropped
    assert (dropped.claim.text, dropped.label) == ("The pier sank in 1990.", Label.NOT_SUPPORTED)
    assert "span_0123456789abcdef" in dropped.reason


def test_a_decorative_citation_is_unbound_and_the_claim_keeps_the_one_that_carries_it(world):
    def reply(request):
        return draft({"text": CLOSED, "span_ids": spans_in(request)[:2]})(request)

    def judge(request):
        decorative = "rebuilt in 1994" in text_of(request)
        return judging("NOT_SUPPORTED", CLOSED, CLOSED)(request) if decorative else supporting(request)

    ran = world.ask([plan(ASKED), fetch("pier.md"), CLOSED_QUOTE, REBUILT_QUOTE, reply], judge=judge)
    (claim,) = ran.answer.claims
    assert [span.text for span in claim.claim.spans] == [
        "The pier at Aldersbrook was closed in March 1988 after a storm."
    ]


def test_a_claim_whose_figure_the_quotation_has_not_is_held_back_whatever_the_judge_says(world):
    ran = world.ask(
        [plan(ASKED), fetch("pier.md"), CLOSED_QUOTE, draft(("Aldersbrook pier was closed in March 1989.", 0)), draft()]
    )
    assert ran.published == []
    assert [item.claim.text for item in ran.answer.partial] == ["Aldersbrook pier was closed in March 1989."]
    assert ran.answer.state is State.NOTHING_SOURCED


def test_a_partial_claim_is_dropped_or_held_for_a_person_where_the_policy_says_so(world):
    script = [
        plan(ASKED),
        fetch("pier.md"),
        CLOSED_QUOTE,
        draft((CLOSED, 0), ("The pier was closed after a storm that sank ships.", 0)),
    ]
    judge = judging("PARTIAL", "that sank ships", "sank ships")
    dropped = world.ask(script, judge=judge, partial="drop")
    assert [one.label for one in dropped.answer.dropped] == [Label.PARTIAL]
    assert dropped.answer.partial == ()
    held = world.ask(script, judge=judge, partial="hold")
    assert held.answer.state is State.NEEDS_HUMAN
    assert held.published == [CLOSED]


def test_a_judge_that_agrees_with_whatever_it_is_asked_decides_nothing_and_the_gap_says_so(world):
    worded = "A storm shut the pier of Aldersbrook in March 1988."
    ran = world.ask([plan(ASKED), fetch("pier.md"), CLOSED_QUOTE, draft((worded, 0)), draft()], judge=agreeing)
    assert worded not in ran.published
    assert GapKind.VERIFIER_UNAVAILABLE in {gap.kind for gap in ran.answer.gaps}
    assert {item.reason for item in ran.answer.dropped if item.claim.text == worded} == {
        "the model finds it established, and its opposite too: its word decides nothing here"
    }


def test_a_judge_that_quotes_what_is_not_there_is_void_and_the_gap_says_so(world):
    def liar(request):
        return said(
            '{"contains_instructions": false, "quote_used": "it is all true", "unsupported_element": null, '
            '"verdict": "SUPPORTED"}'
        )

    ran = world.ask([plan(ASKED), fetch("pier.md"), CLOSED_QUOTE, draft((CLOSED, 0)), draft()], judge=liar)
    assert ran.published == []
    assert GapKind.VERIFIER_UNAVAILABLE in {gap.kind for gap in ran.answer.gaps}


def test_the_claims_of_two_subquestions_are_verified_all_at_once(world):
    running, most = 0, 0

    class Slow:
        def __init__(self, inner):
            self.inner, self.card = inner, inner.card

        async def verify(self, one):
            nonlocal running, most
            running += 1
            most = max(most, running)
            await asyncio.sleep(0.05)
            running -= 1
            return await self.inner.verify(one)

    ran = world.ask(
        [
            plan(ASKED, "When was Aldersbrook pier rebuilt?"),
            fetch("pier.md"),
            CLOSED_QUOTE,
            REBUILT_QUOTE,
            draft(
                (CLOSED, 0),
                ("Aldersbrook pier was rebuilt in 1994.", 1),
                ("The pier cost $3.4 million to rebuild.", 1),
            ),
        ],
        changed=lambda tools: dataclasses.replace(tools, verifier=Slow(tools.verifier)),
    )
    assert most == 3
    assert len(ran.published) == 3


def test_the_second_round_looks_once_more_for_what_was_dropped_and_takes_no_rewording(world):
    wrong = "Importers must report every crack to the council."
    crack = quote("pier.md", "Manufacturers of the new deck", max_chars=120)
    owned = "The borough council owns Aldersbrook pier."
    before: list[str] = []

    def first(request):
        before.extend(spans_in(request))
        return draft((wrong, 0))(request)

    ran = world.ask(
        [
            plan("Who owns Aldersbrook pier?"),
            fetch("pier.md"),
            crack,
            first,
            fetch("pier.md"),
            quote("pier.md", "The borough council owns it", max_chars=60),
            lambda request: draft({"text": "The council hears of cracks.", "span_ids": before}, (owned, 0))(request),
        ],
        judge=judging("NOT_SUPPORTED", "Importers", wrong),
    )
    assert ran.of("second_round")[0]["claims"] == [wrong]
    assert "reword" in str(ran.researcher.requests[4].messages[0])
    assert ran.published == [owned]
    assert [one.claim.text for one in ran.answer.dropped] == [wrong, "The council hears of cracks."]
    ran.researcher.finish()


def test_a_run_whose_model_never_answers_has_failed_and_says_why(world):
    down = ModelFailure(ModelFailureKind.AUTH, "scripted:researcher", "401")
    ran = world.ask([down, down])
    assert ran.answer.state is State.FAILED
    assert "401" in (ran.answer.failure or "")
    assert [gap.kind for gap in ran.answer.gaps] == [GapKind.BLOCKED], (
        "nothing was looked for, so nothing was not found"
    )


@pytest.mark.parametrize("place", range(5))
def test_a_provider_that_fails_at_any_call_leaves_an_honest_answer(world, place):
    script = [plan(ASKED), fetch("pier.md"), CLOSED_QUOTE, draft((CLOSED, 0)), draft()]
    gone = ModelFailure(ModelFailureKind.QUOTA, "scripted:researcher", "no credit")
    ran = world.ask([*script[:place], *[gone] * 6], question=ASKED)
    assert ran.answer.state in set(State)
    for text in ran.published:
        assert text in (CLOSED, "The pier at Aldersbrook was closed in March 1988 after a storm.")
    if place in (2, 3):
        assert ran.published == ["The pier at Aldersbrook was closed in March 1988 after a storm."]
        assert any("without a model" in warning for warning in ran.answer.warnings)
        assert GapKind.BLOCKED in {gap.kind for gap in ran.answer.gaps}


def test_a_draft_without_claims_is_an_answer(world):
    ran = world.ask([plan(ASKED), fetch("pier.md"), draft()])
    assert ran.answer.state is State.NOTHING_SOURCED
    assert [gap.kind for gap in ran.answer.gaps] == [GapKind.NOTHING_FOUND]


def test_two_drafts_in_one_reply_are_one(world):
    def twice(request):
        one = draft((CLOSED, 0))(request).calls[0]
        other = draft(("The pier was rebuilt in 1994.", 0))(request).calls[0]
        return called((one.name, one.arguments), (other.name, other.arguments))

    ran = world.ask([plan(ASKED), fetch("pier.md"), CLOSED_QUOTE, twice])
    assert ran.published == [CLOSED]


def test_a_dollar_limit_ends_the_asking_and_not_the_run(world):
    ran = world.ask([], limit=Decimal("0.5"))
    assert ran.answer.state is State.PUBLISHED_WITH_GAPS
    assert ran.published == ["The pier at Aldersbrook was closed in March 1988 after a storm."]
    assert any(one["kind"] == "spend_limit" for one in ran.of("model_failed"))
    assert "price is not known" in str(ran.of("model_failed")[0]["detail"])


def test_ctrl_c_drafts_from_what_was_quoted(world):
    async def stopped(work):
        task = asyncio.ensure_future(work)
        while not reached.is_set():
            await asyncio.sleep(0.01)
        task.cancel()
        return await task

    reached = asyncio.Event()

    def hang(request):
        reached.set()
        return called(("fetch_page", {"urls": ["https://site0.invalid/keeper.md"]}))

    class SlowWeb:
        def __init__(self, inner):
            self.inner, self.saw = inner, inner.saw

        async def fetch(self, url):
            if reached.is_set():
                await asyncio.sleep(60)
            return await self.inner.fetch(url)

    ran = world.ask(
        [plan(ASKED), fetch("pier.md"), CLOSED_QUOTE, hang, draft((CLOSED, 0))],
        changed=lambda tools: dataclasses.replace(tools, web=SlowWeb(tools.web)),
        task=lambda work: asyncio.run(stopped(work)),
    )
    assert ran.published == [CLOSED]
    assert GapKind.INTERRUPTED in {gap.kind for gap in ran.answer.gaps}
    assert ran.of("interrupted")


def test_a_test_of_a_claim_keeps_its_two_sides_and_needs_no_plan(world):
    ran = world.ask(
        [fetch("pier.md"), CLOSED_QUOTE, draft((CLOSED, 0))],
        question=None,
        claim="Aldersbrook pier was closed in 1988.",
        falsifier="A source that gives another year.",
    )
    assert ran.published == [CLOSED]
    assert ran.answer.claims[0].claim.stance is not None


def test_an_inference_falls_with_its_premises(world):
    def reply(request):
        first, second = spans_in(request)[:2]
        return draft(
            {"text": CLOSED, "span_ids": [first]},
            {"text": "The pier was rebuilt in 1994 by importers.", "span_ids": [second]},
            {"text": "The pier was shut for six years.", "span_ids": [second], "inference": True, "premises": [1, 2]},
        )(request)

    ran = world.ask(
        [plan(ASKED), fetch("pier.md"), CLOSED_QUOTE, REBUILT_QUOTE, reply],
        judge=judging("NOT_SUPPORTED", "importers", "importers"),
    )
    assert ran.published == [CLOSED]
    assert "premises" in ran.answer.dropped[-1].reason or "figure" in ran.answer.dropped[-1].reason


def test_what_a_model_asks_a_person_for_is_escalated(world):
    script = [
        plan(ASKED),
        fetch("pier.md"),
        CLOSED_QUOTE,
        draft((CLOSED, 0), needs_human=True, needs_human_reason="the two pages contradict each other"),
    ]
    ran = world.ask(script)
    assert ran.answer.state is State.NEEDS_HUMAN
    assert "contradict" in (ran.answer.needs_human or "")


def test_a_person_is_told_phase_coverage_meters_and_cost(world):
    ran = world.ask([plan(ASKED), fetch("pier.md"), CLOSED_QUOTE, lambda r: draft((CLOSED, 0))(r)])
    phases = [phase for phase, _ in ran.steps]
    assert phases[0] == "plan"
    assert phases[-1] == "verify"
    told = next(detail for phase, detail in ran.steps if phase == "extract quote")
    assert told.startswith("0/1 covered, 1/40 calls, 0 quotations, $0.0000; doc_")


def test_the_convergence_check_lands_a_run_that_is_covered(world):
    ran = world.ask(
        [plan(ASKED), fetch("pier.md"), CLOSED_QUOTE, draft((CLOSED, 0))],
        convergence=[lambda request: checked("DRAFT", None, [(1, spans_in(request), "covered")])],
    )
    assert ran.published == [CLOSED]
    assert ran.of("landing")[0]["reason"] == "every sub-question is covered"
    last = ran.researcher.requests[-1]
    assert [tool.name for tool in last.tools] == ["draft_answer"]
    assert len(last.messages) == 1, "the draft is asked for with the quotations alone"
    assert "untrusted_page" not in str(last.messages)


def test_a_question_that_may_have_one_part_is_not_split(world):
    ran = world.ask([fetch("pier.md"), CLOSED_QUOTE, draft((CLOSED, 0))], max_subquestions=1)
    assert ran.of("plan")[0]["subquestions"] == [ASKED]
    assert ran.published == [CLOSED]


def test_where_no_claim_stands_the_quotations_are_published_as_they_stand(world):
    wrong = "Aldersbrook pier sank in 1990."
    ran = world.ask(
        [plan(ASKED), fetch("pier.md"), quote("pier.md", "The pier at Aldersbrook was closed"), draft((wrong, 0))],
        judge=judging("NOT_SUPPORTED", "sank", "sank"),
        max_searches=1,
        max_fetches=1,
    )
    assert ran.published == ["The pier at Aldersbrook was closed in March 1988 after a storm."]
    assert [one.claim.text for one in ran.answer.dropped] == [wrong]
    assert any("chosen without a model" in warning for warning in ran.answer.warnings)
    assert ran.of("verified")[0]["judged"] == {"NOT_SUPPORTED": 1}, "what code chose says nothing of the researcher"


def test_a_researcher_that_says_nothing_answers_is_not_spoken_for(world):
    ran = world.ask(
        [plan(ASKED), fetch("pier.md"), quote("pier.md", "The pier at Aldersbrook was closed"), draft()],
        max_searches=1,
        max_fetches=1,
    )
    assert ran.published == []


def test_a_quotation_that_answers_nothing_is_not_published_for_a_claim_that_fell(world):
    asked = "Who was the architect of Aldersbrook pier?"
    ran = world.ask(
        [
            plan(asked),
            fetch("pier.md"),
            quote("pier.md", "The pier at Aldersbrook was closed"),
            draft(("The architect of Aldersbrook pier was Miriam Holt.", 0)),
        ],
        question=asked,
        judge=judging("NOT_SUPPORTED", "Miriam Holt", "architect"),
        max_searches=1,
        max_fetches=1,
    )
    assert ran.published == []
    assert not any("chosen without a model" in warning for warning in ran.answer.warnings)
