"""Several verifiers that must agree: SUPPORTED only if all say so (contract V4)."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from affidavit.errors import UserError
from affidavit.evidence.answer import VerifierCard
from affidavit.evidence.claim import Label, Verdict
from affidavit.verify.guards import verdict
from affidavit.verify.pair import Pair
from affidavit.verify.verifier import Verifier

_WEAKEST_FIRST = (Label.NOT_SUPPORTED, Label.PARTIAL, Label.COULD_NOT_CHECK, Label.SUPPORTED)


class Panel:
    """Asks every member and takes the weakest verdict; a member that could not check keeps the panel from SUPPORTED.

    A disagreement is told in the verdict's reason, member by member. Raises UserError for fewer than two members.
    """

    def __init__(self, members: Sequence[Verifier]) -> None:
        if len(members) < 2:
            raise UserError("a panel of verifiers needs two members at least")
        self._members = tuple(members)
        names = "+".join(f"{member.card.name}/{member.card.version}" for member in self._members)
        calibration = {f"{one.card.name}/{one.card.version}": one.card.calibration for one in self._members}
        self.card = VerifierCard(name="panel", version=names, calibration=calibration)

    async def verify(self, pair: Pair) -> Verdict:
        found = await asyncio.gather(*(member.verify(pair) for member in self._members))
        weakest = min(found, key=lambda one: _WEAKEST_FIRST.index(one.label))
        signed = f"{self.card.name}/{self.card.version}"
        if len({one.label for one in found}) == 1:
            return replace(weakest, verifier=signed)
        said = "; ".join(f"{one.verifier} says {one.label.value}: {one.reason}" for one in found)
        return verdict(
            pair,
            signed,
            weakest.label,
            f"the panel disagrees: {said}",
            element=weakest.unsupported_element,
            quote=weakest.quote_used,
            instructed=any(one.contains_instructions for one in found),
        )
