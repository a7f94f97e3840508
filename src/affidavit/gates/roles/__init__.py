"""Who did it to whom: a claim that names the span's two parties the other way round.

"A acquired B" beside "B acquired A" has every word of the truth, so whatever compares words passes it. Here the parties
around one and the same verb, comparison or way are read off the surface, the passive and the converse turned about
("was acquired by", "lost to", "younger than"), and a BLOCK says that they are swapped. Rules without a parser see only
plain sentences; what they do not see they do not judge, so no finding certifies nothing.

Measured on verify/dev: no alarm on 2,464 SUPPORTED pairs, and on the 12,000 SUPPORTED pairs drawn from the training set
one, between two sentences that do contradict; of 341 pairs there with two names or parties swapped, 210 are met.
"""

from collections.abc import Iterator

from affidavit.gates.finding import Finding, Severity
from affidavit.gates.polarity.reading import Sentence, read
from affidavit.gates.roles.exchange import exchanged
from affidavit.gates.roles.relation import Relation, relations

__all__ = ["VERSION", "check_roles"]

VERSION = "roles/1"


def check_roles(claim: str, span: str) -> tuple[Finding, ...]:
    """A BLOCK finding wherever claim and span name the same two parties, swapped, around the same relation.

    Where some sentence of the source has them the claim's way round too ("A beat B, then B beat A"), there is none.
    """
    spans = read(span)
    theirs: dict[str, list[tuple[Relation, Sentence]]] = {}
    for sentence in spans:
        for one in relations(sentence):
            theirs.setdefault(one.name, []).append((one, sentence))
    found: list[Finding] = []
    for sentence in read(claim):
        for ours in relations(sentence):
            beside = [(one, where) for one, where in theirs.get(ours.name, ()) if one.denied == ours.denied]
            if any(ours.left & one.left and ours.right & one.right and not _swapped(ours, one) for one, _ in beside):
                continue
            swapped = next(((one, where) for one, where in beside if _swapped(ours, one)), None)
            if swapped is not None:
                found.append(_finding(ours, sentence, *swapped))
        if not found:
            found += _exchanges(sentence, spans)
    return tuple(dict.fromkeys(found))


def _exchanges(sentence: Sentence, spans: tuple[Sentence, ...]) -> Iterator[Finding]:
    for first, second, where, run in exchanged(sentence, spans):
        start, end = sentence.words[first[0]].start, sentence.words[second[1] - 1].end
        said = where.text[where.words[run[0]].start : where.words[run[1] - 1].end]
        yield Finding(
            "roles_swapped", f'the source says "{said}", the claim the other way round', start, end, Severity.BLOCK
        )
        return


def _swapped(ours: Relation, theirs: Relation) -> bool:
    """Whether each party is the other side's opposite one.

    Words that both parties of one side share tell nothing (the red team, the blue team), nor do those that stand on
    the same side in both ("students leave", "teachers leave"): what remains has to be crossed, and only crossed.
    """
    left, right = ours.left - ours.right - theirs.left, ours.right - ours.left - theirs.right
    other_left, other_right = theirs.left - theirs.right - ours.left, theirs.right - theirs.left - ours.right
    return bool(left & other_right) and bool(right & other_left)


def _finding(ours: Relation, sentence: Sentence, theirs: Relation, where: Sentence) -> Finding:
    words = sentence.words
    start, end = words[ours.first].start, words[ours.last - 1].end
    said = where.text[where.words[theirs.first].start : where.words[theirs.last - 1].end]
    message = (
        f'the claim has who and whom of "{sentence.text[start:end]}" the other way round than the source\'s "{said}"'
    )
    return Finding("roles_swapped", message, start, end, Severity.BLOCK)
