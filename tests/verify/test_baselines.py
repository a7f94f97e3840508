import asyncio

import pytest

from affidavit.errors import MissingExtra
from affidavit.evals.judge import ScoringVerifier
from affidavit.evidence.claim import Label
from affidavit.verify.baselines import OVERLAP, STRICT, OverlapVerifier, PairJudgeVerifier
from affidavit.verify.pair import text_pair

SPAN = "The harbour bridge was opened by Ada Marsh in 1902."


def test_overlap_certifies_the_near_miss_that_it_is_here_to_show():
    verdict, share = asyncio.run(
        OverlapVerifier().scored(text_pair("Ada Marsh was opened by the harbour bridge.", SPAN))
    )
    assert (verdict.label, share) == (Label.SUPPORTED, 1.0)


def test_overlap_names_the_words_that_the_span_has_not():
    verdict, share = asyncio.run(OverlapVerifier().scored(text_pair("Sailors adore the bridge.", SPAN)))
    assert verdict.label is Label.NOT_SUPPORTED
    assert verdict.unsupported_element == "ador sailor"
    assert share < OVERLAP


@pytest.mark.parametrize("claim", ["It was.", "…", "The the."])
def test_overlap_judges_a_claim_of_no_content_words_by_what_it_has(claim: str):
    verdict, share = asyncio.run(OverlapVerifier().scored(text_pair(claim, SPAN)))
    assert 0 <= share <= 1
    assert verdict.claim_text == claim


def test_the_pair_judge_answers_by_its_score():
    try:
        judge = PairJudgeVerifier()
    except MissingExtra as missing:
        pytest.skip(str(missing))
    assert isinstance(judge, ScoringVerifier)
    verdict, score = asyncio.run(judge.scored(text_pair("Ada Marsh opened the bridge.", SPAN)))
    assert (verdict.label is Label.SUPPORTED) is (score >= STRICT)
