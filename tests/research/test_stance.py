import pytest

from affidavit.evidence.claim import Stance
from affidavit.research.stance import stance_of

CLAIM = "The team is paid for by an appropriation."
FALSIFIER = "A statement that the team receives no appropriated funds."


@pytest.mark.parametrize(
    ("sentence", "claim", "falsifier", "stance"),
    [
        ("We do not receive appropriated funds.", CLAIM, FALSIFIER, Stance.AGAINST),
        ("The team is paid for by a yearly appropriation.", CLAIM, FALSIFIER, Stance.FOR),
        ("The pilot ran in 12 places.", "The pilot ran in 12 places.", "Another count.", Stance.FOR),
        ("The pilot ran in 11 places.", "The pilot ran in 12 places.", "Another count.", Stance.AGAINST),
        ("The proposal was rejected.", "The proposal was adopted.", "A rejected status.", Stance.AGAINST),
    ],
)
def test_denials_and_figures_tell_for_from_against(sentence: str, claim: str, falsifier: str, stance: Stance):
    assert stance_of(sentence, claim, falsifier) is stance
