"""Typed mismatches between a claim and a span that otherwise say the same.

"Did not" beside "did", "should" beside "shall", "most" beside "many", "at most" beside "at least", "fell" beside
"rose": the words that decide a sentence are few, and most of what compares texts by their likeness looks past them.
Rules on the surface of English sentences find them here. A finding caps a verdict; no finding certifies nothing.
"""

from affidavit.gates.finding import Finding
from affidavit.gates.polarity.alignment import align
from affidavit.gates.polarity.edits import edits
from affidavit.gates.polarity.modality import modality
from affidavit.gates.polarity.negation import direction, negation
from affidavit.gates.polarity.omissions import omissions
from affidavit.gates.polarity.quantity import bounds, quantifiers
from affidavit.gates.polarity.reading import read
from affidavit.gates.polarity.scope import scope
from affidavit.gates.polarity.speaker import attribution

__all__ = ["VERSION", "check_polarity"]

VERSION = "polarity/2"

_COMPARERS = (negation, direction, modality, quantifiers, bounds, scope, attribution)


def check_polarity(claim: str, span: str) -> tuple[Finding, ...]:
    """What the claim asserts otherwise than the span, at places of the claim.

    Written for English. In other languages that write words apart only a plain negator is noticed, beside nearly the
    same words; in Chinese, Japanese or Thai nothing is.

    BLOCK is a mismatch that no reading mends. CAP is a part left out that held the rest in bounds. WARN is one that may
    be fair: something weaker than the span says, a report restated, a condition left out of a freer text.
    """
    spans = read(span)
    found: list[Finding] = []
    for sentence in read(claim):
        pair = align(sentence, spans)
        if pair is not None:
            edited = list(edits(pair))
            edited += [one for one in omissions(pair) if not any(other.code == one.code for other in edited)]
            said = {finding.code for finding in edited}
            found += edited
            found += [one for compare in _COMPARERS for one in compare(pair) if one.code not in said]
    return tuple(sorted(dict.fromkeys(found), key=lambda finding: (finding.start, finding.end, finding.code)))
