"""A writer and a reviewer that read little: nothing they are sent is longer, and the rules in it are whole."""

import asyncio
import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affidavit.evidence.fact import Register
from affidavit.evidence.piece import PieceState
from affidavit.models.context import Context, most_tokens
from affidavit.models.prompt import load_prompt
from affidavit.models.request import ModelRequest
from affidavit.models.scripted import ScriptedModel, said
from affidavit.models.structured import Structured
from affidavit.write.author import DEFAULT_PROMPT, Author
from affidavit.write.commission import Commission
from affidavit.write.loop import Desk, write_piece
from affidavit.write.memory import Memory, recall_markdown
from affidavit.write.pack import Assignment, SourceNote
from affidavit.write.profile import Profile
from affidavit.write.reviewer import Reviewer

from .conftest import TODAY, Heard, Words, make_fact

PLACES = ("Leith", "Malmo", "Gdansk", "Aarhus", "Turku", "Bergen", "Cork", "Porto", "Genoa", "Split", "Varna", "Izmir")
FACTS = tuple(
    make_fact(
        number, f"Harbour has {40 + number} berths for ferries of more than a hundred metres in {place}.", "berth",
        str(40 + number), scope_note=f"berths in {place}, none elsewhere",
    )
    for number, place in enumerate(PLACES)
)  # fmt: skip
EARLIER = Memory(
    tuple(
        recall_markdown(f"The port of {place}", f"The quay of {place} was rebuilt in 19{number + 60} by masons. " * 2)
        for number, place in enumerate(PLACES)
    )
)
PROFILE = Profile.model_validate({"name": "Harbour", "voice_sample": "We say what we do. We do what we say. " * 20})
SOURCES = tuple(
    SourceNote(title=place, url=None, summary=f"What the page of {place} says. " * 12) for place in PLACES[:5]
)
GOOD = "# Ferries in Leith\n\nHarbour has 40 berths for ferries in Leith."
INVENTED = "# Ferries in Leith\n\nHarbour has 77 ships."
FAULTY = "# Ferries in Leith\n\n" + " ".join(
    f"Harbour has a trio of cranes and {500 + number % 20} ships in {1700 + number}." for number in range(24)
)
PASSED = json.dumps({"issues": [], "summary": "Read.", "passed": True})
RULES = load_prompt("affidavit.write", "pack.rules").text


def wordy(text: str, request: ModelRequest) -> str:
    """`text` and more, until the reply is as long as it may be."""
    more = " and the sea is wide and the boats are slow and the wind is cold and the bay is deep and the quay is long"
    return text + more * max(0, (4 * request.max_tokens - len(text)) // len(more))


def write(
    tokens: int | None,
    *,
    first: str = INVENTED,
    draft: str | None = None,
    notes: str = "",
    max_words: int | None = 350,
    wordily=False,
):
    """A piece whose first draft is blocked and whose first review is no JSON: everything is asked that may be."""
    drafts = [first, GOOD]

    def written(request: ModelRequest):
        text = drafts.pop(0)
        return said(wordy(text, request) if wordily else text)

    def read(request: ModelRequest):
        return said(PASSED if len(request.messages) > 1 else "It is fine. " * 150)

    writer, reviewer = ScriptedModel([written] * 2, name="script:w"), ScriptedModel([read] * 8, name="script:r")
    context = Context(tokens)
    desk = Desk(
        log=Heard(),
        counter=Words(),
        author=None if draft is not None else Author(Structured(writer), DEFAULT_PROMPT, context),
        reviewer=Reviewer(Structured(reviewer), context),
    )
    commission = Commission.over(
        Register("Harbour", FACTS), Assignment(title="Ferries in Leith", notes=notes, max_words=max_words), PROFILE,
        today=TODAY, memory=EARLIER, sources=SOURCES, draft=draft,
    )  # fmt: skip
    return asyncio.run(write_piece(commission, desk)), writer.requests, reviewer.requests


@settings(max_examples=12, deadline=None)
@given(
    tokens=st.integers(3000, 16_000),
    notes=st.integers(0, 12_000),
    max_words=st.sampled_from([None, 100, 350, 1200]),
    first=st.sampled_from([INVENTED, FAULTY]),
    wordily=st.booleans(),
)
def test_no_request_is_longer_than_the_context_and_what_must_be_kept_to_is_whole(
    tokens, notes, max_words, first, wordily
):
    noted = "Say it. " * (notes // 8)
    piece, asked, read = write(tokens, first=first, notes=noted, max_words=max_words, wordily=wordily)
    assert all(most_tokens(request) <= tokens for request in (*asked, *read))
    for request in asked:
        assert request.system == DEFAULT_PROMPT
        assert RULES in request.messages[0].text
        assert all(fact.text in request.messages[0].text for fact in FACTS)
    if len(asked) == 2:
        assert asked[1].messages[0].text.startswith(asked[0].messages[0].text)
    assert (piece.state is PieceState.FAILED) is (not piece.rounds)
    if piece.text is None:
        assert f"models.context_tokens is {tokens:,}" in " ".join([piece.reason or "", *piece.warnings])


@pytest.mark.parametrize(("tokens", "cut"), [(None, False), (8192, False), (6144, False), (4096, True)])
def test_a_piece_of_350_words_is_written_rewritten_and_accepted_in_little(tokens, cut):
    piece, asked, read = write(tokens, wordily=tokens is not None)
    assert piece.text is not None, piece.reason
    assert piece.text.startswith(GOOD)
    assert len(asked) == 2
    assert read
    assert piece.pack is not None
    assert bool(piece.pack.cuts) is cut


@pytest.mark.parametrize("tokens", [4096, 6000])
def test_a_draft_full_of_faults_is_written_anew_for_those_that_block_and_fit(tokens):
    piece, (first, second), (review, *_) = write(tokens, first=FAULTY)
    assert piece.text == GOOD
    assert len(piece.rounds[0].findings) > 60
    assert max(map(most_tokens, (second, review))) <= tokens
    for request, begins in ((second, "1. "), (review, "")):
        told = request.messages[0].text.replace(first.messages[0].text, "")
        lines = [line for line in told.splitlines() if " — in: " in line]
        assert lines[0].startswith(f"{begins}[figure_without_source]")
        assert 3 <= len(lines) < 60
        counted = [int(one) for one in re.findall(r"(\d+) (?:more of \[|times\)$)", told, re.MULTILINE)]
        once = sum(not line.endswith(" times)") for line in lines)
        assert once + sum(counted) == len(piece.rounds[0].findings)
    assert second.max_tokens >= 700


def test_a_draft_that_cannot_be_sent_back_is_withheld_for_what_was_found_in_it():
    piece, asked, read = write(6144, first=INVENTED + " " + "⛴" * 5000)
    assert (piece.state, len(piece.rounds), len(asked), read) == (PieceState.NEEDS_ATTENTION, 1, 1, [])
    assert [issue.code for issue in piece.blocking()] == ["figure_without_source"]
    (warning,) = [one for one in piece.warnings if "was not written anew" in one]
    assert "models.context_tokens is 6,144; raise models.context_tokens" in warning
    assert "the draft with the first of what was found in it 5," in warning


def test_without_a_limit_the_requests_are_what_they_were():
    _, (first, second), (review, *_) = write(None)
    assert (first.max_tokens, second.max_tokens, review.max_tokens) == (4096, 4096, 2048)
    _, (wide, _), (wide_review, *_) = write(100_000)
    assert (wide.sha256, wide_review.sha256) == (first.sha256, review.sha256)


@pytest.mark.parametrize(
    ("given", "state", "says"),
    [
        ({"notes": "Say where. " * 2000}, PieceState.FAILED, "shorten the notes"),
        ({"max_words": 3000}, PieceState.FAILED, "the piece 6,000"),
        ({"draft": GOOD + " The sea is wide." * 600}, PieceState.NEEDS_ATTENTION, "shorten the notes or the draft"),
    ],
)
def test_what_does_not_fit_is_not_sent_and_says_what_to_do(given, state, says):
    piece, asked, read = write(6144, **given)
    assert (piece.state, piece.text, asked, read) == (state, None, [], [])
    assert says in (piece.reason or "")
    assert "models.context_tokens is 6,144" in (piece.reason or "")
