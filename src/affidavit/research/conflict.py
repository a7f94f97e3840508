"""Published claims that seem to disagree, as pairs of quotations. Nothing is averaged and nothing is settled."""

import re
from collections.abc import Mapping, Sequence

from affidavit.evidence.answer import Conflict, Side
from affidavit.evidence.claim import Claim
from affidavit.evidence.document import Document
from affidavit.ranking.conflicts import Measured, Said, propose

_ROW = re.compile(r"[^\t:.]{1,40}(?:\t|:\s)")
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
        for found in propose(measured)
        if not _of_two_subjects(measured[found.a], measured[found.b])
    ][:MAX_CONFLICTS]


def _of_two_subjects(one: Measured, other: Measured) -> bool:
    """Whether both are rows ("Status: Rejected") of different pages: each speaks of its own page's subject."""
    return one.source != other.source and bool(_ROW.match(one.text) and _ROW.match(other.text))


def _side(claim: Claim, said: Said) -> Side:
    return Side(span=claim.spans[0], value=said.value, unit=said.unit, as_of=said.as_of)
