"""The verifier that needs no model: a claim that stands word for word in its span is supported by it.

It knows one reason to say SUPPORTED and a few to say NOT_SUPPORTED; everything else is COULD_NOT_CHECK, because
whether other words mean the same is nothing that comparing characters can tell.
"""

from affidavit.evidence.answer import WORD_FOR_WORD, VerifierCard
from affidavit.evidence.claim import Label, Verdict
from affidavit.verify.guards import settle, verdict
from affidavit.verify.pair import Pair

NAME = WORD_FOR_WORD
VERSION = "1"

CARD = VerifierCard(
    name=NAME,
    version=VERSION,
    calibration={
        "method": "exact comparison of characters; it has no error rate of its own to measure",
        "judges": "whether a claim is whole sentences of its quotation; not whether it answers the question",
    },
)


class VerbatimVerifier:
    """Judges by exact containment after E3's folding. Pure: the same pair gets the same verdict everywhere."""

    card = CARD

    async def verify(self, pair: Pair) -> Verdict:
        return self.judge(pair)

    def judge(self, pair: Pair) -> Verdict:
        signed = f"{NAME}/{VERSION}"
        reason = "the claim is not, word for word, whole sentences of the span"
        return settle(pair, signed) or verdict(pair, signed, Label.COULD_NOT_CHECK, reason)
