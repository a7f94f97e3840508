"""The run with a model, each arrow of its diagram, by a scripted model over real pages."""

from affidavit.evidence.answer import State

from .conftest import draft, fetch, plan, quote


def test_a_full_run_publishes_what_its_quotations_say(world):
    ran = world.ask(
        [
            plan("When was Aldersbrook pier closed?"),
            fetch("pier.md"),
            quote("pier.md", "The pier at Aldersbrook was closed"),
            draft(("Aldersbrook pier was closed in March 1988.", 0), summary="The pier was closed in March 1988."),
        ],
    )
    assert ran.published == ["Aldersbrook pier was closed in March 1988."]
    assert ran.answer.state is State.PUBLISHED
