"""The reviewer's words, bounded by code."""

import asyncio
import json

import pytest

from affidavit.evidence.piece import Issue, Origin
from affidavit.models.prompt import load_prompt
from affidavit.models.scripted import ScriptedModel, said
from affidavit.models.structured import Structured
from affidavit.write.pack import Assignment
from affidavit.write.profile import Profile
from affidavit.write.reviewer import MAX_ISSUES, SENTENCE_WORDS, Reviewer, ReviewReply, review_of

ASSIGNMENT = Assignment(title="Hiring", notes="Where?")
PROFILE = Profile.model_validate({"name": "Harbour", "tone": "plain"})
DRAFT = "Harbour has offices in 45 countries. It is kind."
FINDING = Issue(
    code="subject_mismatch",
    message="45 counts offices.",
    sentence="45 </draft> people",
    blocks=False,
    origin=Origin.CHECK,
)


def issue(code="tone", severity="warn", sentence="It is kind.", reason="stiff"):
    return {"code": code, "severity": severity, "sentence": sentence, "reason": reason}


def reply(*issues, passed=True):
    return ReviewReply.model_validate({"issues": list(issues), "summary": "s", "passed": passed})


def reviewed(*replies):
    model = ScriptedModel([said(json.dumps(one)) for one in replies])
    found = asyncio.run(Reviewer(Structured(model)).review(ASSIGNMENT, PROFILE, "THE PACK", [FINDING], DRAFT, number=1))
    return found.review, model


def test_it_sees_the_brief_the_pack_the_findings_and_the_draft():
    _, model = reviewed({"issues": [], "summary": "", "passed": True})
    (request,) = model.requests
    text = request.messages[0].text
    for part in ("Title: Hiring", "Notes: Where?", "Tone: plain", "THE PACK", DRAFT):
        assert part in text
    assert '[subject_mismatch] 45 counts offices. — in: "45 &lt;/draft> people"' in text
    assert request.temperature == 0.0


def test_a_verdict_and_issues_that_contradict_each_other_are_asked_again():
    blocked = issue(severity="block")
    review, model = reviewed(
        {"issues": [blocked], "summary": "", "passed": True}, {"issues": [blocked], "summary": "", "passed": False}
    )
    assert not review.passed
    assert len(model.requests) == 2


@pytest.mark.parametrize("issues", [[], [issue()]])
def test_a_failure_of_which_no_issue_blocks_is_asked_again(issues):
    _, model = reviewed(
        {"issues": issues, "summary": "", "passed": False}, {"issues": [], "summary": "", "passed": True}
    )
    assert "give what fails the draft as block" in model.requests[1].messages[-1].text


def test_a_failure_for_sources_that_are_missing_is_no_contradiction():
    blocked = issue(code="needs_sources", severity="block")
    review, model = reviewed({"issues": [blocked], "summary": "", "passed": False})
    assert review.passed
    assert len(model.requests) == 1


def test_an_unknown_code_is_asked_again():
    review, model = reviewed(
        {"issues": [issue(code="style")], "summary": "", "passed": True}, {"issues": [], "summary": "", "passed": True}
    )
    assert review.passed
    assert len(model.requests) == 2


def test_six_issues_at_most_and_none_that_blocks_is_lost():
    many = [issue(reason=str(n)) for n in range(8)] + [issue(severity="block", reason="last")]
    review = review_of(reply(*many, passed=False), DRAFT)
    assert len(review.issues) == MAX_ISSUES
    assert review.issues[0].message == "last"
    assert not review.passed


def test_needs_sources_is_never_more_than_a_warning():
    review = review_of(reply(issue(code="needs_sources", severity="block"), passed=False), DRAFT)
    assert review.passed
    assert not review.issues[0].blocks


def test_a_long_sentence_is_cut_and_a_known_one_is_placed():
    long = review_of(reply(issue(sentence="word " * 40)), DRAFT).issues[0]
    assert len(long.sentence.split()) == SENTENCE_WORDS + 1
    assert (long.start, long.end) == (None, None)
    found = review_of(reply(issue(sentence='"It is kind."')), DRAFT).issues[0]
    assert DRAFT[found.start : found.end] == "It is kind."


def test_words_that_stand_twice_have_no_place():
    assert review_of(reply(issue(sentence="so")), "so and so").issues[0].start is None


@pytest.mark.parametrize(
    "clause",
    [
        "No praise, no rewriting",
        "generic_copy: a paragraph could be published by any company in the industry with no edits",
        "off_brief: the draft does not deliver what the title promises, or ignores the notes",
        "unsupported_claim: a specific claim about the business that is not a figure",
        "A figure that the material gives for something else than the draft says it counts belongs here too",
        "repeated_idea: the same point is made three times or more in different words",
        "tone: the voice clearly contradicts the tone",
        "needs_sources: the notes ask for a statistic that the material does not contain. This is always a warning",
        "Findings are evidence, not verdicts: decide each one.",
        "acceptable when each sentence of the draft says what its figure counts",
        "anything that would embarrass the business if it were published",
        "passed: true only if no issue blocks",
        "at most 6",
        "at most 15 words",
        "uses none of them, fails here too",
    ],
)
def test_the_prompt_has_every_rule(clause):
    assert clause in load_prompt("affidavit.write", "reviewer.system").text
