import asyncio
from dataclasses import dataclass, field

import pytest

from affidavit.check.confirm import confirm
from affidavit.evidence.answer import VerifierCard
from affidavit.evidence.check import Check, SentenceState
from affidavit.evidence.claim import Label, Verdict
from affidavit.verify import Guarded, Pair
from affidavit.verify.guards import verdict

SOURCE = (
    "The mill was erected in 1871 by Ada Marsh, who came from a family of bakers. "
    "Its great wheel stands still in winter because the river freezes over every year."
)
OTHER_WORDS = "Ada Marsh, whose kin had made bread for long, put up that mill of hers."


@dataclass
class Says:
    label: Label
    asked: list[str] = field(default_factory=list)
    card: VerifierCard = field(default_factory=lambda: VerifierCard(name="says", version="1", calibration=None))

    async def verify(self, pair: Pair) -> Verdict:
        self.asked.append(pair.claim_text)
        element = None if self.label is Label.SUPPORTED else pair.claim_text
        return verdict(pair, "says/1", self.label, "so it seems", element=element)


def again(check: Check, says: Says) -> Check:
    return asyncio.run(confirm(check, Guarded(says)))


def test_a_claim_in_other_words_is_sourced_where_the_verifier_says_so(checked):
    before = checked(OTHER_WORDS, SOURCE)
    assert [one.state for one in before.claims] == [SentenceState.UNSOURCED]
    says = Says(Label.SUPPORTED)
    after = again(before, says)
    assert says.asked == [OTHER_WORDS]
    assert [one.state for one in after.claims] == [SentenceState.SOURCED]
    assert after.claims[0].verdict is not None
    assert after.claims[0].verdict.verifier == "says/1"
    assert after.verifier.name == "keyless+says"


@pytest.mark.parametrize("label", [Label.PARTIAL, Label.NOT_SUPPORTED, Label.COULD_NOT_CHECK])
def test_anything_less_leaves_it_unsourced_and_is_told(checked, label: Label):
    after = again(checked(OTHER_WORDS, SOURCE), Says(label))
    assert [one.state for one in after.claims] == [SentenceState.UNSOURCED]
    assert any("so it seems" in one.message for one in after.claims[0].findings)


@pytest.mark.parametrize(
    "claim",
    [
        "Ada Marsh, a child of bakers, put up the mill in 1872.",
        "The great wheel does not stand still in winter.",
        "The mill was erected in 1871 by Ada Marsh, who came from a family of bakers.",
        "Oliver Stone, a child of bakers, put up the mill.",
    ],
)
def test_what_the_rules_have_settled_is_not_asked_again(checked, claim: str):
    before = checked(claim, SOURCE)
    says = Says(Label.SUPPORTED)
    after = again(before, says)
    assert says.asked == []
    assert [one.state for one in after.claims] == [one.state for one in before.claims]
