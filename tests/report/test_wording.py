from dataclasses import replace

import pytest

from affidavit.evidence.answer import GapKind, State
from affidavit.evidence.claim import Label, Stance
from affidavit.ranking.score import Terms
from affidavit.ranking.tiers import Tier
from affidavit.report import wording


@pytest.mark.parametrize(
    ("table", "kinds"),
    [
        (wording.STATES, State),
        (wording.GAPS, GapKind),
        (wording.LABELS, Label),
        (wording.STANCES, Stance),
    ],
)
def test_every_value_a_reader_may_meet_has_words(table, kinds):
    assert set(table) == set(kinds)
    assert all(term.label and term.means for term in table.values())


def test_every_gap_says_what_to_do_next():
    assert all(term.next for term in wording.GAPS.values())


def test_the_tiers_and_terms_of_the_ranking_have_words():
    assert set(wording.TIERS) == {tier.value for tier in Tier}
    assert list(wording.SCORE_TERMS) == list(Terms.__dataclass_fields__)


def test_a_name_the_tables_do_not_know_is_shown_and_not_lost():
    assert wording.tier("hearsay").label == "Hearsay"
    assert wording.score_term("house_view").label == "House view"


def test_the_tally_counts_what_the_answer_holds(answer, nothing):
    assert wording.tally(answer) == (
        "3 published claims · 2 pages cited · 1 supported in part · 2 gaps · 1 conflict · 1 dropped"
    )
    assert wording.tally(replace(nothing, gaps=())) == "0 published claims · 0 pages cited"


def test_figures_read_as_figures():
    assert wording.spent(3, 12.0) == "3 of 12"
    assert wording.spent(1.25, None) == "1.25, no limit"
    assert wording.spent(None, 5) == "– of 5"
    assert wording.calibration_fact("agreement", 0.934) == ("agreement with people", "93.4%")
    assert wording.calibration_fact("method", "exact") == ("method", "exact")
