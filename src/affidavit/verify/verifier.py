"""What judges whether a span supports a claim: one pair in, one verdict out.

Whoever judges sees the pair and nothing else; what it is made of (characters, an embedded model, a checkpoint, a
model behind an API) is nobody's business but its card's.
"""

from typing import Protocol

from affidavit.evidence.answer import VerifierCard
from affidavit.evidence.claim import Verdict
from affidavit.verify.pair import Pair


class Verifier(Protocol):
    """Judges pairs, each by itself. A verifier that cannot judge says COULD_NOT_CHECK; it does not raise."""

    @property
    def card(self) -> VerifierCard:
        """Which verifier this is, and how good it is known to be."""
        ...

    async def verify(self, pair: Pair) -> Verdict:
        """The verdict on `pair`. Deterministic where the card does not say otherwise."""
        ...
