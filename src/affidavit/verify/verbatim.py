"""The verifier that needs no model: a claim that stands word for word in its span is supported by it.

It knows one reason to say SUPPORTED and a few to say NOT_SUPPORTED; everything else is COULD_NOT_CHECK, because
whether other words mean the same is nothing that comparing characters can tell. A part of a sentence is never
enough: the words before it may deny it.
"""

from affidavit.evidence.answer import WORD_FOR_WORD, VerifierCard
from affidavit.evidence.claim import Label, Verdict
from affidavit.evidence.document import BlockKind
from affidavit.evidence.fold import fold
from affidavit.evidence.sentences import sentences
from affidavit.gates.assertion import assess, speaks_to_a_model
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

    def judge(self, pair: Pair) -> Verdict:
        cue = speaks_to_a_model(pair.span.text)
        if cue is not None:
            return self._verdict(
                pair,
                Label.NOT_SUPPORTED,
                f"it speaks to a model: {cue}",
                element=pair.claim_text,
                instructed=True,
            )
        kind = pair.kinds[0] if pair.kinds else BlockKind.OTHER
        assertion = assess(pair.claim_text, kind)
        if not assertion.is_evidence:
            return self._verdict(
                pair, Label.NOT_SUPPORTED, f"the span is no statement ({assertion.reason})", element=pair.claim_text
            )
        if not self._stands_in(pair):
            return self._verdict(
                pair, Label.COULD_NOT_CHECK, "the claim is not, word for word, whole sentences of the span"
            )
        return self._verdict(pair, Label.SUPPORTED, "word for word in the span", quote=pair.claim_text)

    @staticmethod
    def _stands_in(pair: Pair) -> bool:
        """Whether the claim is a run of whole sentences of the span."""
        claim = fold(pair.claim_text).text.strip()
        if not claim:
            return False
        text = pair.span.text
        if pair.whole and fold(text).text.strip() == claim:
            return True
        ranges = sentences(text)
        if not pair.whole:
            ranges = ranges[1:-1]
        return any(
            fold(text[start:end]).text.strip() == claim
            for index, (start, _) in enumerate(ranges)
            for _, end in ranges[index:]
        )

    @staticmethod
    def _verdict(
        pair: Pair,
        label: Label,
        reason: str,
        *,
        element: str | None = None,
        quote: str | None = None,
        instructed: bool = False,
    ) -> Verdict:
        return Verdict(
            claim_text=pair.claim_text,
            span_id=pair.span.span_id,
            label=label,
            verifier=f"{NAME}/{VERSION}",
            reason=reason,
            unsupported_element=element,
            quote_used=" ".join(quote.split()[:25]) if quote else None,
            contains_instructions=instructed,
        )
