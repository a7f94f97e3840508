"""Models that read little: each page part by part, a register in several calls, and nothing longer than they read."""

import asyncio
import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affidavit.evidence.fact import Candidate, Category
from affidavit.facts import GapKind
from affidavit.facts.consolidate import Consolidated
from affidavit.facts.consolidator import consolidate_with
from affidavit.facts.extractor import parted
from affidavit.models.context import Context, most_tokens
from affidavit.models.request import ModelRequest
from affidavit.models.scripted import ScriptedModel, said
from affidavit.models.structured import Structured

from .made import source
from .test_run import Pages, gather, page

COUNTED = ("berth", "crane", "ferry", "pilot", "lamp", "buoy", "gate", "lock")
SENTENCES = [
    f"The harbour at Aldermoor has {number + 100} {COUNTED[number % 8]}s in its basin of the year {1500 + number}."
    for number in range(150)
]


def read(request: ModelRequest):
    """Every tenth of the sentences that a part has, as a fact; the first reply of each call is no JSON."""
    text = request.messages[0].text
    if len(request.messages) == 1:
        return said("Here are the facts. " * 60)
    rows = [
        {
            "quote": sentence, "text": sentence, "category": "numbers", "subject": COUNTED[number % 8],
            "value": str(number + 100), "owner": None, "confidence": 0.9,
        }
        for number, sentence in enumerate(SENTENCES) if sentence in text and number % 10 == 0
    ]  # fmt: skip
    return said(json.dumps({"summary": "The harbour.", "facts": rows}))


def entries(request: ModelRequest):
    """One entry for each candidate that a call shows."""
    rows = [json.loads(line) for line in re.findall(r"^\{.*\}$", request.messages[0].text, re.MULTILINE)]
    keys = ("text", "category", "subject", "value", "owner", "confidence")
    made = [
        {"candidates": [row["number"]], "scope_note": row["text"], "conflict_group": None}
        | {key: row[key] for key in keys}
        for row in rows
    ]  # fmt: skip
    return said(json.dumps({"facts": made}))


def candidate(number: int) -> Candidate:
    return Candidate(
        candidate_id=f"cand_{number:04}", text=SENTENCES[number], category=Category.NUMBERS,
        subject=COUNTED[number % 8], value=str(number + 100), source=source(SENTENCES[number]), confidence=0.9,
    )  # fmt: skip


@settings(max_examples=8, deadline=None)
@given(tokens=st.integers(3000, 16_000))
def test_no_request_over_a_long_page_is_longer_than_the_context_and_all_of_it_is_read(tokens: int):
    extractor, consolidator = ScriptedModel([read] * 90), ScriptedModel([entries] * 40)
    run = gather(
        Pages({"/": page(*SENTENCES)}), context=Context(tokens),
        extractor=Structured(extractor), consolidator=Structured(consolidator),
    )  # fmt: skip
    asked = [*extractor.requests, *consolidator.requests]
    assert all(most_tokens(request) <= tokens for request in asked)
    assert all("Only what this page says." in request.system for request in extractor.requests)
    shown = "".join(request.messages[0].text for request in extractor.requests)
    assert [one for one in SENTENCES if one not in shown] == []
    assert run.pages[0].problem is None
    assert {fact.value for fact in run.register.facts} == {str(number) for number in range(100, 250, 10)}


def test_what_fits_in_one_call_is_asked_as_it_was():
    asked: list[str] = []
    for context in (None, Context(), Context(100_000)):
        extractor, consolidator = ScriptedModel([read] * 2), ScriptedModel([entries])
        models = {"extractor": Structured(extractor), "consolidator": Structured(consolidator)}
        gather(Pages({"/": page(*SENTENCES)}), context=context, **models)
        requests = [*extractor.requests, *consolidator.requests]
        assert [request.max_tokens for request in requests] == [6000, 6000, 8000]
        asked.append(" ".join(f"{request.sha256} {request.key}" for request in requests))
    assert asked[0] == asked[1] == asked[2]


def test_a_part_without_a_reply_is_told_and_the_others_are_kept():
    bad = [said("no json")] * 3
    extractor = ScriptedModel([read, read, *bad, *[read] * 20])
    run = gather(Pages({"/": page(*SENTENCES)}), context=Context(6144), extractor=Structured(extractor))
    (gap,) = run.gaps
    assert gap.kind is GapKind.NOT_EXTRACTED
    assert re.match(r"part 2 of [3-9]: ", gap.detail), gap.detail
    assert run.pages[0].candidates


def test_what_a_model_is_not_shown_of_a_page_is_told_and_told_again_of_a_page_that_is_fresh():
    one = Pages({"/": page(*SENTENCES, *("The tide comes in and goes out again at Aldermoor." for _ in range(400)))})
    run = gather(one, extractor=Structured(ScriptedModel([read] * 2)))
    again = gather(one, extractor=Structured(ScriptedModel([])), previous=run.pages)
    assert one.asked == ["/"]
    assert run.gaps == again.gaps
    (gap,) = run.gaps
    assert gap.kind is GapKind.NOT_EXTRACTED
    assert re.fullmatch(
        r"its last [\d,]{5,6} characters were not read: a model is shown the first 24,000 of a page", gap.detail
    )
    unread = sum(len(block) for block in (*SENTENCES, *["The tide comes in and goes out again at Aldermoor."] * 400))
    assert unread - 24_000 < run.pages[0].unread < unread + 2 * 552 - 24_000 + 200


def test_a_model_that_reads_too_little_for_any_page_is_told_and_not_asked():
    model = ScriptedModel([])
    run = gather(Pages({"/": page(*SENTENCES)}), context=Context(2000), extractor=Structured(model))
    assert "models.context_tokens is 2,000" in run.gaps[0].detail
    made = asyncio.run(consolidate_with(model, [candidate(1)], "Harbour", Context(2000)))
    assert "models.context_tokens is 2,000" in str(made)


@pytest.mark.parametrize("tokens", [4096, 8192])
def test_candidates_of_one_subject_are_shown_together(tokens: int):
    model = ScriptedModel([entries] * 20)
    made = asyncio.run(
        consolidate_with(Structured(model), [candidate(n) for n in range(60)], "Harbour", Context(tokens))
    )
    assert isinstance(made, Consolidated)
    assert len(model.requests) > 1
    for subject in COUNTED:
        assert sum(f'"subject": "{subject}"' in request.messages[0].text for request in model.requests) == 1


@given(text=st.text("a. \n", max_size=200), most=st.integers(0, 30))
def test_a_text_in_parts_loses_nothing_but_space_between_them(text: str, most: int):
    parts = parted(text, lambda part: len(part) <= most)
    assert "".join("".join(parts).split()) == "".join(text.split())
    assert most == 0 or all(len(part) <= most for part in parts)
