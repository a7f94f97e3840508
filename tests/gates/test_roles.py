"""Claims that name the span's two parties the other way round, and those that only turn the sentence."""

import pytest

from affidavit.gates.finding import Severity
from affidavit.gates.roles import check_roles

SWAPPED = [
    ("Google acquired YouTube in 2006.", "YouTube acquired Google in 2006."),
    ("YouTube was acquired by Google.", "YouTube acquired Google."),
    ("YouTube, which was bought by Google, grew.", "YouTube bought Google."),
    ("Microsoft will acquire Nokia.", "Nokia will acquire Microsoft."),
    ("The dog chased the cat.", "The cat chased the dog."),
    ("The red team beat the blue team.", "The blue team beat the red team."),
    ("Smoking causes cancer.", "Cancer causes smoking."),
    ("The earth orbits the sun.", "The sun orbits the earth."),
    ("Teachers admired by students leave.", "Students admired by teachers leave."),
    ("Spain lost to Germany.", "Spain beat Germany in the final."),
    ("Anna is older than Bob.", "Bob is older than Anna."),
    ("Anna is older than Bob.", "Anna is younger than Bob."),
    ("France exports more wine than Italy.", "Italy exports more wine than France."),
    ("He moved from Paris to London.", "He moved from London to Paris."),
    ("Prices fell from 10 to 5.", "Prices fell from 5 to 10."),
    ("Zeus is the father of Ares.", "Ares is the father of Zeus."),
    ("The war began after the treaty.", "The treaty came after the war."),
    ("After the flood, the drought came.", "The drought came before the flood."),
    ("It centers on process instead of outcomes.", "It centers on outcomes instead of process."),
    ("It must not fall back, such as from new to old.", "It must not fall back, such as from old to new."),
    ("A constant requires the sentinel.", "The sentinel requires a constant."),
    ("In the end Rose slung a low cross to Dempsey.", "In the end Dempsey slung a low cross to Rose."),
    ("Haiti's involvement in Greenpeace has grown.", "Greenpeace's involvement in Haiti has grown."),
]
TURNED = [
    ("YouTube was acquired by Google.", "Google acquired YouTube."),
    ("Oracle sued Google.", "Google was sued by Oracle."),
    ("Cancer is caused by smoking.", "Smoking causes cancer."),
    ("Biden succeeded Trump.", "Trump was succeeded by Biden."),
    ("Trump preceded Biden.", "Biden followed Trump."),
    ("Anna is older than Bob.", "Bob is younger than Anna."),
    ("Spain lost to Germany.", "Germany beat Spain in the final."),
    ("The war began after the treaty.", "Before the war came the treaty."),
]
ORDERLESS = [
    ("Paris met Rome.", "Rome met Paris."),
    ("It includes Wales, Scotland, and England.", "It includes England, Scotland, and Wales."),
    ("Anna and Bob left.", "Bob and Anna left."),
    ("Microsoft did not acquire Nokia.", "Nokia acquired Microsoft."),
    ("The doctors sued the lawyers.", "The lawyers sued the doctors, and the doctors sued the lawyers."),
    ("Google acquired YouTube.", "Google acquired Nest, and YouTube acquired Twitch."),
    ("", "YouTube acquired Google."),
]


@pytest.mark.parametrize(("claim", "span"), SWAPPED)
def test_swapped_parties_are_blocked_both_ways(claim: str, span: str) -> None:
    for text, other in ((claim, span), (span, claim)):
        (finding,) = check_roles(text, other)
        assert (finding.code, finding.severity) == ("roles_swapped", Severity.BLOCK)
        assert 0 <= finding.start < finding.end <= len(text)


@pytest.mark.parametrize(("claim", "span"), [*TURNED, *ORDERLESS])
def test_a_turned_sentence_and_an_order_that_means_nothing_pass(claim: str, span: str) -> None:
    assert check_roles(claim, span) == ()


@pytest.mark.parametrize("text", [text for pair in SWAPPED for text in pair])
def test_a_sentence_never_swaps_its_own_parties(text: str) -> None:
    assert check_roles(text, text) == ()
