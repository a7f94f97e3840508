"""Whatever the search spends, the draft of what it found can be paid for."""

from decimal import Decimal

import pytest

from affidavit.evidence.answer import GapKind
from affidavit.models.scripted import said

from .conftest import PRICED, draft, fetch, go_on, plan, quote, search

ASKED = "When was Aldersbrook pier closed?"
CLOSED = "Aldersbrook pier was closed in March 1988."
CLOSED_QUOTE = quote("pier.md", "The pier at Aldersbrook was closed", max_chars=80)


def wandering(request):
    """A model that searches on and on with what it has, and drafts when nothing else is offered."""
    offered = {tool.name for tool in request.tools}
    if offered == {"draft_answer"}:
        return draft((CLOSED, 0))(request)
    return search(f"the {len(request.messages)}th storm and the deck")


@pytest.mark.parametrize("limit", ["0.45", "0.60", "0.75"])
def test_a_run_whose_money_nearly_runs_out_still_drafts_and_judges(world, limit):
    ran = world.ask(
        [plan(ASKED), fetch("pier.md"), CLOSED_QUOTE, *[wandering] * 60],
        convergence=[go_on(number) for number in range(60)],
        limit=Decimal(limit),
        prices=PRICED,
        stall_window=60,
        max_searches=60,
    )
    assert ran.published == [CLOSED]
    assert ran.of("landing")[0]["reason"].startswith("its money or its tokens are used up, but for what is kept")
    assert not any("without a model" in warning for warning in ran.answer.warnings), "the model drafted it"
    assert ran.answer.cost_usd is not None
    assert ran.answer.cost_usd <= float(limit)
    (gap,) = [gap for gap in ran.answer.gaps if gap.kind is GapKind.BUDGET_OUT]
    assert "--max-usd" in gap.detail
    assert any("is kept for the draft" in one["detail"] for one in ran.of("model_failed"))


def test_a_run_whose_tokens_nearly_run_out_still_drafts(world):
    ran = world.ask(
        [plan(ASKED), fetch("pier.md"), CLOSED_QUOTE, *[wandering] * 60],
        convergence=[go_on(number) for number in range(60)],
        prices=PRICED,
        max_tokens=40_000,
        stall_window=60,
        max_searches=60,
    )
    assert ran.published == [CLOSED]
    assert not any("without a model" in warning for warning in ran.answer.warnings)
    assert ran.answer.budget["tokens"]["used"] <= 40_000


def test_money_that_buys_hardly_more_than_a_draft_buys_reading_instead(world):
    ran = world.ask(
        [plan(ASKED), fetch("pier.md"), CLOSED_QUOTE, *[said("")] * 20], limit=Decimal("0.10"), prices=PRICED
    )
    assert ran.published == ["The pier at Aldersbrook was closed in March 1988 after a storm."]
    assert any("without a model" in warning for warning in ran.answer.warnings)
