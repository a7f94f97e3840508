"""Published claims that seem to disagree, as pairs of quotations. Nothing is averaged and nothing is settled."""

from collections.abc import Mapping, Sequence

from affidavit.evidence.answer import Conflict, Side
from affidavit.evidence.claim import Claim
from affidavit.evidence.document import Document
from affidavit.ranking.conflicts import Measured, Said, propose

MAX_CONFLICTS = 8
"""More pairs than this are noise of the proposer more often than news for a reader."""


def find_conflicts(claims: Sequence[Claim], documents: Mapping[str, Document]) -> list[Conflict]:
    """At most `MAX_CONFLICTS` pairs of `claims`, in order. A keyword pass proposes them; no verifier confirmed them."""
    measured = [
        Measured(text=claim.text, topic=claim.subquestion or "", source=documents[claim.spans[0].doc_id].canonical_url)
        for claim in claims
    ]
    return [
        Conflict(found.measure, _side(claims[found.a], found.said_a), _side(claims[found.b], found.said_b))
        for found in propose(measured)[:MAX_CONFLICTS]
    ]


def _side(claim: Claim, said: Said) -> Side:
    return Side(span=claim.spans[0], value=said.value, unit=said.unit, as_of=said.as_of)
