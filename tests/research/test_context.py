"""A model that reads 8,192 tokens: nothing it is sent is longer, and the run comes to the same."""

import re

import pytest

from affidavit.errors import ModelFailure, ModelFailureKind
from affidavit.evidence.answer import GapKind
from affidavit.models.context import Context, most_tokens
from affidavit.models.request import ModelRequest

from .conftest import draft, fetch, plan, quote, search, text_of

ASKED = "When was Aldersbrook pier closed?"
CLOSED = "Aldersbrook pier was closed in March 1988."
SMALL = {"context_tokens": 8192}
YEARS = range(1400, 1480)
LONG = {
    f"{name}.md": f"# The {name} of Aldersbrook\n\nThe pier at Aldersbrook was closed in March 1988 ({name}).\n\n"
    + "\n\n".join(f"In {year} the {name} of the pier at Aldersbrook was kept by {year - 1380} men." for year in YEARS)
    for name in ("ledger", "chronicle")
}


@pytest.fixture(scope="module")
def long_pages(make_world):
    return make_world(LONG)


def noted(name: str, year: int):
    return quote(f"{name}.md", f"In {year} the {name} of the pier", max_chars=80)


SCRIPT = [
    plan(ASKED, "How many men kept the pier at Aldersbrook in 1450?"),
    fetch("ledger.md", "chronicle.md"),
    quote("ledger.md", "The pier at Aldersbrook was closed", max_chars=80),
    search("the men who kept the pier in the year of the storm"),
    fetch("ledger.md"),
    noted("ledger", 1400),
    draft((CLOSED, 0)),
]


def narrow(limit: int, steps):
    """The replies of a server that does `steps` in turn and refuses a request of more than `limit` tokens."""
    left = list(steps)

    def reply(request: ModelRequest):
        if most_tokens(request) > limit:
            said = f"request exceeds the available context size ({limit} tokens)"
            raise ModelFailure(ModelFailureKind.CONTEXT_LENGTH, "scripted:researcher", said)
        step = left.pop(0)
        return step(request) if callable(step) else step

    return [reply] * 60


def test_no_call_is_longer_than_the_context_and_the_claim_is_published(long_pages):
    ran = long_pages.ask(SCRIPT, models=SMALL, max_preview_chars=12_000)
    assert all(most_tokens(request) <= 8192 for request in ran.researcher.requests)
    assert any("left out to save room" in text_of(request) for request in ran.researcher.requests)
    assert ran.published == [CLOSED]
    wide = long_pages.ask(SCRIPT, max_preview_chars=12_000)
    assert max(map(most_tokens, wide.researcher.requests)) > 8192, "else nothing was cut above"


def test_what_a_stranger_wrote_stays_between_tags_when_it_is_cut(long_pages):
    ran = long_pages.ask(SCRIPT, models=SMALL, max_preview_chars=12_000)
    for request in ran.researcher.requests:
        shown = re.sub(r"<(untrusted_\w+) [^>]*>\n.*?\n</\1\b[^>]*>", "", text_of(request), flags=re.DOTALL)
        assert "was kept by" not in shown
        assert "untrusted_" not in shown


def test_no_more_is_quoted_than_can_be_drafted_from(long_pages):
    quotes = [quote("ledger.md", f"In {year} the ledger of the pier") for year in range(1400, 1416)]
    ran = long_pages.ask(
        [plan(ASKED), fetch("ledger.md"), SCRIPT[2], *quotes, draft((CLOSED, 0))],
        models=SMALL,
        stall_window=4,
        max_preview_chars=12_000,
    )
    (drafting,) = [request for request in ran.researcher.requests if (request.key or "").endswith("draft-1")]
    assert most_tokens(drafting) <= 8192
    assert 5 <= text_of(drafting).count("<untrusted_span") < 20
    assert any("could not read more quotations" in one["result"] for one in ran.of("tool"))


@pytest.mark.parametrize("limit", [8192, 6000])
def test_a_server_that_refuses_what_is_too_long_gets_less_until_it_takes_it(long_pages, limit: int):
    ran = long_pages.ask(narrow(limit, SCRIPT), max_preview_chars=12_000)
    assert ran.published == [CLOSED]
    assert ran.of("model_failed"), "it refused"
    assert GapKind.BLOCKED not in {gap.kind for gap in ran.answer.gaps}


def test_a_draft_that_is_too_long_is_made_of_fewer_quotations(long_pages):
    def drafting(request: ModelRequest):
        if text_of(request).count("<untrusted_span") > 4:
            raise ModelFailure(ModelFailureKind.CONTEXT_LENGTH, "scripted:researcher", "too long")
        return draft((CLOSED, 0))(request)

    quotes = [noted("ledger", year) for year in range(1400, 1404)]
    script = [plan(ASKED), fetch("ledger.md"), SCRIPT[2], *quotes, drafting, drafting]
    ran = long_pages.ask(script, max_tool_calls=8)
    drafted = [one for one in ran.researcher.requests if "-draft-" in (one.key or "")]
    assert [text_of(one).count("<untrusted_span") for one in drafted] == [5, 2]
    assert ran.published == [CLOSED]


def test_a_server_that_refuses_everything_leaves_sentences_of_the_pages(long_pages):
    full = ModelFailure(ModelFailureKind.CONTEXT_LENGTH, "scripted:researcher", "too long")
    ran = long_pages.ask([plan(ASKED), *[full] * 60])
    assert ran.published
    assert "the researcher did not answer: context length" in [one["reason"] for one in ran.of("landing")]


def test_without_a_limit_nothing_is_cut():
    context = Context()
    assert context.shown(5000, 9) == context.reply(5000) == 5000
    assert context.quotes(10**9)
