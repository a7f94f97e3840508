"""Published claims that seem to disagree, as pairs of quotations. Nothing is averaged and nothing is settled.

A keyword pass proposes them, and in a run with a model a verifier pass follows (contract S8): each side's sentence is
judged beside the other side's quotation. Where one of them bears the other out they do not disagree; where neither
does, they do, as far as the verifier can tell.
"""

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from affidavit.evidence.answer import Conflict, Side
from affidavit.evidence.claim import Claim, Label
from affidavit.evidence.document import Document
from affidavit.ranking.conflicts import Measured, Said, propose
from affidavit.research.tools import Tools
from affidavit.verify.pair import pair

_ROW = re.compile(r"[^\t:.]{1,40}(?:\t|:\s)")
MAX_CONFLICTS = 8
"""More pairs than this are noise of the proposer more often than news for a reader."""


@dataclass(frozen=True, slots=True)
class Proposed:
    """Two claims that may disagree, and what the reader is shown of them."""

    a: Claim
    b: Claim
    conflict: Conflict


@dataclass(frozen=True, slots=True)
class Confirmed:
    """`conflicts` are those that no verdict spoke against; `sure` those among them that a verifier judged, between two
    sources, and `unjudged` how many it could not."""

    conflicts: tuple[Conflict, ...]
    sure: tuple[Conflict, ...]
    unjudged: int


def find_conflicts(claims: Sequence[Claim], documents: Mapping[str, Document]) -> list[Conflict]:
    """At most `MAX_CONFLICTS` pairs of `claims`, in order. A keyword pass proposes them; no verifier confirmed them."""
    return [one.conflict for one in _proposed(claims, documents)]


async def confirmed(claims: Sequence[Claim], documents: Mapping[str, Document], tools: Tools) -> Confirmed:
    """The pairs of `find_conflicts` that `tools.verifier` does not speak against, all judged at once and recorded."""
    proposed = _proposed(claims, documents)
    said = await asyncio.gather(*(_judged(one, documents, tools) for one in proposed))
    kept: list[Conflict] = []
    sure: list[Conflict] = []
    unjudged = 0
    for one, labels in zip(proposed, said, strict=True):
        stands = Label.SUPPORTED not in labels
        tools.log.record(
            "conflict",
            {
                "measure": one.conflict.measure,
                "claims": [one.a.claim_id, one.b.claim_id],
                "labels": [label.value for label in labels],
                "kept": stands,
            },
        )
        if not stands:
            continue
        kept.append(one.conflict)
        if Label.COULD_NOT_CHECK in labels:
            unjudged += 1
        elif one.conflict.a.span.doc_id != one.conflict.b.span.doc_id:
            sure.append(one.conflict)
    return Confirmed(tuple(kept), tuple(sure), unjudged)


async def _judged(one: Proposed, documents: Mapping[str, Document], tools: Tools) -> tuple[Label, Label]:
    """What the verifier says of each side's sentence beside the other side's quotation."""
    a, b = one.conflict.a.span, one.conflict.b.span
    verdicts = await asyncio.gather(
        tools.verifier.verify(pair(one.a.text, b, documents[b.doc_id])),
        tools.verifier.verify(pair(one.b.text, a, documents[a.doc_id])),
    )
    return verdicts[0].label, verdicts[1].label


def _proposed(claims: Sequence[Claim], documents: Mapping[str, Document]) -> list[Proposed]:
    measured = [
        Measured(text=claim.text, topic=claim.subquestion or "", source=documents[claim.spans[0].doc_id].canonical_url)
        for claim in claims
    ]
    return [
        Proposed(
            claims[found.a],
            claims[found.b],
            Conflict(found.measure, _side(claims[found.a], found.said_a), _side(claims[found.b], found.said_b)),
        )
        for found in propose(measured)
        if not _of_two_subjects(measured[found.a], measured[found.b])
    ][:MAX_CONFLICTS]


def _of_two_subjects(one: Measured, other: Measured) -> bool:
    """Whether both are rows ("Status: Rejected") of different pages: each speaks of its own page's subject."""
    return one.source != other.source and bool(_ROW.match(one.text) and _ROW.match(other.text))


def _side(claim: Claim, said: Said) -> Side:
    return Side(span=claim.spans[0], value=said.value, unit=said.unit, as_of=said.as_of)
