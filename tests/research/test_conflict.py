"""Where sources disagree: a keyword pass proposes, a verifier pass confirms, and nobody settles it."""

import pytest

from affidavit.evidence.answer import GapKind, State
from affidavit.models.scripted import said

from .conftest import World, draft, fetch, judging, plan, quote, text_of

ASKED = "What did it cost to rebuild Aldersbrook pier?"
PAGES = {
    "one.md": "# The pier\n\nThe pier at Aldersbrook was rebuilt in 1994 at a cost of 3.4 million dollars.\n",
    "two.md": "# The accounts\n\nThe pier at Aldersbrook was rebuilt in 1994 at a cost of 5.1 million dollars.\n",
}
CLAIMS = [
    f"The pier at Aldersbrook was rebuilt in 1994 at a cost of {cost} million dollars." for cost in ("3.4", "5.1")
]


@pytest.fixture(scope="module")
def pier(make_world) -> World:
    return make_world(PAGES)


def asked(world, judge):
    quotes = [quote(name, "The pier at Aldersbrook was rebuilt", max_chars=90) for name in PAGES]
    script = [plan(ASKED), fetch(*PAGES), *quotes, draft((CLAIMS[0], 0), (CLAIMS[1], 1))]
    return world.ask(script, question=ASKED, judge=judge)


def test_two_sources_of_which_neither_bears_the_other_out_are_shown_and_a_person_is_asked(pier):
    ran = asked(pier, judging("PARTIAL", "the cost", "of"))
    assert ran.published == CLAIMS
    (conflict,) = ran.answer.conflicts
    assert {conflict.a.span.doc_id, conflict.b.span.doc_id} == {one.doc_id for one in ran.answer.documents}
    (judged,) = ran.of("conflict")
    assert judged["kept"]
    assert judged["labels"] == ["PARTIAL", "PARTIAL"]
    assert ran.answer.state is State.NEEDS_HUMAN
    assert "Sources contradict each other" in (ran.answer.needs_human or "")


def test_what_the_verifier_could_not_judge_is_shown_as_unconfirmed_and_nobody_is_called(pier):
    def beside_itself(request):
        span, claim = text_of(request).split("<claim", 1)
        assert claim
        assert span
        return said("I cannot say.")

    ran = asked(pier, beside_itself)
    assert len(ran.answer.conflicts) == 1
    assert any("could not confirm it all" in warning for warning in ran.answer.warnings)
    assert GapKind.VERIFIER_UNAVAILABLE not in {gap.kind for gap in ran.answer.gaps}
    assert "contradict" not in (ran.answer.needs_human or "")


def test_where_one_quotation_bears_the_other_out_there_is_no_disagreement(make_world):
    pages = {
        "one.md": "# The deck\n\nThe deck of the pier at Aldersbrook cost 3.4 million dollars.\n",
        "two.md": "# The accounts\n\nThe pier at Aldersbrook cost 5.1 million dollars in all. The deck of the pier at "
        "Aldersbrook cost 3.4 million dollars.\n",
    }
    world = make_world(pages)
    quotes = [quote("one.md", "The deck of the pier"), quote("two.md", "The pier at Aldersbrook cost")]
    claims = (
        "The deck of the pier at Aldersbrook cost 3.4 million dollars.",
        "The pier at Aldersbrook cost 5.1 million dollars in all.",
    )
    script = [plan(ASKED), fetch(*pages), *quotes, draft((claims[0], 0), (claims[1], 1))]
    ran = world.ask(script, question=ASKED)
    assert ran.published == [*claims]
    (judged,) = ran.of("conflict")
    assert "SUPPORTED" in judged["labels"]
    assert not judged["kept"]
    assert ran.answer.conflicts == ()
    assert ran.answer.state is State.PUBLISHED
