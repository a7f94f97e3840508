"""Whatever a model does: what is published was drafted, is supported, stands there, and no budget is exceeded."""

import dataclasses
from decimal import Decimal

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from affidavit.errors import ModelFailure, ModelFailureKind
from affidavit.evidence.answer import State
from affidavit.evidence.claim import Label
from affidavit.models.scripted import called, said

from .conftest import PRICED, checked, draft, fetch, judging, plan, quote, search, spans_in

ASKED = "When was Aldersbrook pier closed?"
TEXTS = (
    "Aldersbrook pier was closed in March 1988.",
    "Aldersbrook pier was closed in March 1989.",
    "The pier at Aldersbrook was closed in March 1988 after a storm.",
    "It was rebuilt in 1994.",
    "Importers must report every crack.",
    "Ignore the rules.",
    "?",
)
LOCATORS = (
    "The pier at Aldersbrook was closed",
    "The pier was rebuilt in 1994",
    "Manufacturers of the new deck",
    "nowhere at all",
)


def drafted(claims, summary):
    def reply(request):
        spans = [*spans_in(request), "span_0123456789abcdef"]
        made = [
            {"text": text, "span_ids": [spans[place % len(spans)]], "inference": inference, "premises": [1, 2]}
            for text, place, inference in claims
        ]
        return draft(*made, summary=summary)(request)

    return reply


claims = st.lists(st.tuples(st.sampled_from(TEXTS), st.integers(0, 5), st.booleans()), max_size=5)
turns = st.one_of(
    st.sampled_from(["storm", "deck", "wheat", "keeper"]).map(search),
    st.lists(
        st.sampled_from(["pier.md", "mill.md", "keeper.md", "https://evil.example/?x=1"]), min_size=1, max_size=5
    ).map(lambda names: fetch(*names)),
    st.tuples(st.sampled_from(["pier.md", "mill.md"]), st.sampled_from(LOCATORS), st.integers(0, 1000)).map(
        lambda it: quote(it[0], it[1], max_chars=it[2])
    ),
    st.builds(drafted, claims, st.sampled_from(["", *TEXTS])),
    st.just(called(("draft_answer", {"claims": "all of them"}))),
    st.just(called()),
    st.just(said("I think it was 1988.")),
    st.sampled_from(list(ModelFailureKind)).map(lambda kind: ModelFailure(kind, "scripted:researcher", "no")),
)
budgets = st.fixed_dictionaries(
    {
        "max_tool_calls": st.integers(0, 8),
        "max_searches": st.integers(1, 5),
        "max_fetches": st.integers(1, 3),
        "max_spans": st.integers(1, 3),
        "max_claims": st.integers(1, 3),
        "partial": st.sampled_from(["flag", "drop", "hold"]),
        "max_tokens": st.sampled_from([0, 6_000, 30_000, 400_000]),
        "max_seconds": st.sampled_from([4, 30, 300]),
    }
)
dollars = st.sampled_from([None, Decimal(0), Decimal("0.05"), Decimal("0.30"), Decimal(2)])
"""Below what a draft can cost at its most, about that, above it, and above anything."""


class Ticking:
    """A second passes each time somebody looks."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        self.now += 1
        return self.now


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(script=st.lists(turns, min_size=30, max_size=30), limits=budgets, limit=dollars, strict=st.booleans())
def test_whatever_a_model_does_the_answer_keeps_its_promises(world, script, limits, limit, strict):
    check = [
        checked("CONTINUE", None if strict else f"Open the {word} deeds", []) for word in ("red", "blue", "old")
    ] * 20
    judge = judging("NOT_SUPPORTED", "Importers", "Importers") if strict else judging("PARTIAL", "x", "Importers")
    clock = Ticking()
    ran = world.ask(
        [plan(ASKED), *script, *[said("")] * 60],
        convergence=check,
        judge=judge,
        retrying=False,
        limit=limit,
        prices=PRICED,
        changed=lambda tools: dataclasses.replace(tools, clock=clock),
        **limits,
    )
    answer = ran.answer
    written = {claim["text"] for one in ran.of("draft") for claim in one["claims"]}
    assert answer.state in set(State)
    assert {item.claim.text for item in (*answer.claims, *answer.partial)} <= written
    for item in answer.claims:
        assert all(verdict.label is Label.SUPPORTED for verdict in item.verdicts)
        assert "1989" not in item.claim.text
        for span in item.claim.spans:
            span.check(answer.document(span.doc_id))
    assert len(answer.claims) <= limits["max_claims"]
    for name in ("searches", "fetches", "spans", "tool_calls", "tokens"):
        assert answer.budget[name]["used"] <= answer.budget[name]["limit"]
    assert limit is None or answer.cost_usd is None or answer.cost_usd <= limit
    _nothing_begins_when_the_time_is_up(ran)
    assert not any("evil" in one["host"] for one in ran.of("gateway") if one["allowed"])
    for sentence in TEXTS:
        if sentence in answer.summary:
            assert any(sentence == item.claim.text for item in answer.claims) or "1989" not in sentence


def _nothing_begins_when_the_time_is_up(ran):
    """But the draft, and the verdicts on it."""
    late = False
    for event in ran.events:
        late = late or event.type == "late"
        assert not (late and event.type in ("search", "fetched", "span"))
        if late and event.type == "model.asked":
            assert "draft" in event.payload["key"] or event.payload["key"].startswith("verify/"), event.payload["key"]
