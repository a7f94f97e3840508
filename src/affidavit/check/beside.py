"""One passage beside one claim: what speaks against the claim, what the passage lacks of it, and why it may mislead.

Three degrees of what is found decide in `judge`: what is *against* the claim can reject it, what the passage *lacks*
keeps it from being sourced there, and a *doubt* does so too where the words of the claim all stand in the passage.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from affidavit.check.bind import Binder, Bound
from affidavit.check.claim import Claim, same_digits
from affidavit.check.clauses import clauses
from affidavit.check.languages import in_other_script, is_sentence_of
from affidavit.check.passages import content
from affidavit.check.table import filled_otherwise
from affidavit.check.vocabulary import periods
from affidavit.evidence.check import Remark
from affidavit.evidence.fold import fold
from affidavit.gates.figures import BOUNDS, check_figures
from affidavit.gates.finding import Finding, Severity
from affidavit.gates.polarity import check_polarity
from affidavit.gates.polarity.reading import Operator, read
from affidavit.gates.roles import check_roles
from affidavit.gates.source_figures import read_sources
from affidavit.verify.embedded import Reading, Scorer

NAMED_WITHIN = 3
"""Lines on either side of a passage in which what it speaks of may be named."""
NEARBY = 0.5
"""Of the claim's words such a sentence has so many."""
CORE = 0.5
"""Such lines hold so much of what the passage holds. {.5, .6: 114; .7: a grave error}."""
_SWEEPING = frozenset({"all", "most", "few"})
_BINDING = frozenset({"must", "should"})
_DUTIES = frozenset({("modality", "must"), ("modality", "should")})
_CONDITION = re.compile(r"\W*(?:if|unless|when|whenever|where)\b[^,]*,", re.IGNORECASE)
# Deny by what they mean, each in its own way: beside a plain "not" they may say the same.
_LACKING = re.compile(
    r"\b(?:left out|leav(?:e|es|ing) out|drop(?:s|ped|ping)?|without|instead|rather than|exclud\w+|omit\w*|remov\w+"
    r"|lack\w*|stop\w*|avoid\w*|refus\w+|reject\w+|ban(?:s|ned)?|forbid\w*|prohibit\w*|fail\w*|end(?:s|ed)?)\b",
    re.IGNORECASE,
)
# Denials that stand by themselves; a prefix denies its own word alone.
_NEGATORS = frozenset("not no never neither nor cannot none n't nobody nothing".split())


@dataclass(frozen=True, slots=True)
class Beside:
    """A passage with what was found between it and the claim. `warned` is told and decides nothing; `quoted` is whether
    the claim is chiefly a quotation of this very passage."""

    bound: Bound
    against: tuple[Remark, ...]
    lacks: tuple[Remark, ...]
    warned: tuple[Remark, ...]
    reading: Reading
    quoted: bool

    @property
    def clean(self) -> bool:
        return not self.against and not self.lacks

    def doubts(self, claim: Claim) -> tuple[Remark, ...]:
        """Why the passage may not say what it has all the words for. A table's row is no sentence to be copied."""
        doubt = None if claim.heads or claim.part or claim.quoted else self.reading.doubt
        if doubt is None:
            return ()
        return (
            Remark(
                "not_the_same", f"The claim is nearly a sentence of the source, but {doubt}.", 0, len(claim.text), "cap"
            ),
        )


def stand_beside(claim: Claim, binder: Binder, bound: Bound, derived: frozenset[int], scorer: Scorer | None) -> Beside:
    """`derived` are where figures of the claim begin that may follow from figures of a source."""
    found = list(_findings(claim, bound.text))
    denied = tuple(_denied(claim, bound.text))
    against = tuple(one for one in found if one.severity == "block") or (
        *(one for one in denied if one.severity == "block"),
        *filled_otherwise(claim, binder, bound),
        *_other_period(claim, bound.text),
    )
    warned = tuple(one for one in found if one.severity == "warn")
    lacks = (
        *(one for one in (*found, *denied) if one.severity == "cap"),
        *_otherwise_nearby(claim, bound.text),
        *_lacks(claim, binder, bound, derived),
        *_operators_not_there(claim, binder, bound),
        *_other_language(claim, binder, bound),
        *_said_elsewhere(claim, binder, bound),
    )
    place = frozenset[str]().union(*(line.place for line in binder.passages.lines[bound.first : bound.last]))
    context = place | _around(binder, bound)
    reading = Reading(claim.text, bound.text, scorer, context)
    return Beside(bound, against, lacks, warned, reading, claim.quoted and _quotes(claim, binder, bound))


def _quotes(claim: Claim, binder: Binder, bound: Bound) -> bool:
    return any(_holds(binder, bound, place) for place in claim.quotes)


def _holds(binder: Binder, bound: Bound, place: tuple[int, int, int]) -> bool:
    """Whether the passage has some of the text at `place`."""
    first, last = binder.passages.lines[bound.first], binder.passages.lines[bound.last - 1]
    source, start, end = place
    return source == first.source and start < last.end and end > first.start


def _said_elsewhere(claim: Claim, binder: Binder, bound: Bound) -> Iterator[Remark]:
    """What the claim lets somebody say, where the passage has not the words: another one tells who said them."""
    for place in claim.said:
        source, start, end = place
        words = fold(binder.passages.sources[source].document.text[start:end]).text
        if not _holds(binder, bound, place) and words not in fold(bound.text).text:
            message = "The passage does not have the quotation: read who says it where it stands."
            yield Remark("said_elsewhere", message, 0, len(claim.text), "cap")


def _other_language(claim: Claim, binder: Binder, bound: Bound) -> Iterator[Remark]:
    """In a language that the gates do not know nothing less than a sentence of the source is certified."""
    known = binder.passages.ruled(binder.passages.lines[bound.first].source) and not in_other_script(claim.text)
    if not known and not is_sentence_of(claim.text, bound.text):
        message = "Rules cannot tell a denial in this language: only what stands there word for word is certified."
        yield Remark("language_not_judged", message, 0, len(claim.text), "cap")


def _other_period(claim: Claim, passage: str) -> Iterator[Remark]:
    """How often: "once a quarter" beside "on a monthly basis"."""
    ours, theirs = periods(claim.text), periods(passage)
    if ours and theirs and not set(ours) & set(theirs):
        (start, end), said = next(iter(ours.values())), next(iter(theirs.values()))
        message = f"the claim says “{claim.text[start:end]}”, the source “{passage[slice(*said)]}”"
        yield Remark("other_period", message, start, end, "block")


def _operators_not_there(claim: Claim, binder: Binder, bound: Bound) -> Iterator[Remark]:
    """What the claim denies, binds somebody to or says of all, where the passage has no such word in the sentences that
    hold most of the claim."""
    theirs = {(one.kind, one.value) for sentence in read(_core(claim, binder, bound)) for one in sentence.operators}
    kinds = {kind for kind, _ in theirs}
    for sentence in read(claim.text):
        for one in sentence.operators:
            first, last = sentence.words[one.first], sentence.words[one.last - 1]
            lost = (
                (one.kind == "negation" and first.text in _NEGATORS and not kinds & {"negation"})
                or (one.kind == "quantifier" and _sweeping(claim.text, one) and (one.kind, one.value) not in theirs)
                or (one.kind == "modality" and one.value in _BINDING and not theirs & _DUTIES)
            )
            if lost and ("quantifier", "few") not in theirs:
                message = f"The passage has nothing for “{claim.text[first.start : last.end]}”."
                yield Remark("operator_not_there", message, first.start, last.end, "cap")


def _sweeping(text: str, operator: Operator) -> bool:
    """Whether a quantifier speaks of all or most of something: not "each of them" said of one."""
    return operator.value in _SWEEPING and not text.lower().startswith("each ")


def _core(claim: Claim, binder: Binder, bound: Bound) -> str:
    """Those lines of the passage that alone hold nearly all that it holds of the claim, else the whole, as text."""
    lines = binder.passages.lines
    whole = binder.passages.held(
        claim.terms, frozenset[str]().union(*(one.own for one in lines[bound.first : bound.last]))
    )
    held = [
        index
        for index in range(bound.first, bound.last)
        if binder.passages.held(claim.terms, lines[index].own) >= CORE * whole
    ]
    return "\n\n".join(binder.passages.text(index, index + 1) for index in held) or bound.text


def _findings(claim: Claim, passage: str) -> Iterator[Remark]:
    """What the gates that read both sides find. A page seldom names itself in what it says."""
    for one in (*check_polarity(claim.text, passage), *check_roles(claim.text, passage)):
        if not (claim.credited and one.code.startswith("attribution")):
            yield _remark(one, claim)


def _otherwise_nearby(claim: Claim, passage: str) -> Iterator[Remark]:
    """What a sentence of the passage other than the nearest one denies, where it too has most of the claim's words."""
    stems = frozenset[str]().union(*(one.stems for one in read(claim.text)))
    for sentence in read(passage):
        if not stems or len(stems & sentence.stems) < NEARBY * len(stems) or not sentence.words:
            continue
        text = passage[sentence.words[0].start : sentence.words[-1].end]
        for one in check_polarity(claim.text, text):
            if one.code in ("negation_dropped", "negation_added") and one.severity is Severity.BLOCK:
                yield Remark(one.code, one.message, one.start, one.end, "cap")


def _remark(finding: Finding, claim: Claim) -> Remark:
    """The finding; what stands in a condition ("If no level is given, …") asserts nothing that could be denied, and
    still says on what it depends: a mismatch there rejects nothing and certifies nothing."""
    condition = _CONDITION.match(claim.text)
    aside = condition is not None and finding.start < condition.end() and finding.severity is Severity.BLOCK
    severity = Severity.CAP if aside else finding.severity
    return Remark(finding.code, finding.message, finding.start, finding.end, severity.value)


def _lacks(claim: Claim, binder: Binder, bound: Bound, derived: frozenset[int]) -> Iterator[Remark]:
    """Specifics of the claim that neither the passage nor its place has."""
    lines = binder.passages.lines[bound.first : bound.last]
    own = frozenset[str]().union(*(line.own for line in lines))
    held = own.union(*(line.place for line in lines))
    for name in claim.missing_names(held | _around(binder, bound), own):
        at = claim.text.find(name)
        yield Remark("name_not_there", f"The passage does not name “{name}”.", at, at + len(name), "cap")
    text = _with_neighbours(binder, bound)
    for finding in check_figures(claim.text, read_sources([text])):
        if (
            finding.code != "name_without_source"
            and not (finding.code == "figure_derived" and finding.start in derived)
            and finding.severity.value != "warn"
            and not _date_stands(claim, finding, text)
        ):
            raw = claim.text[finding.start : finding.end]
            how = (
                "has another bound in that passage" if finding.code in BOUNDS else "does not stand in the same passage"
            )
            message = f"“{raw}” {how}."
            yield Remark("figure_not_there", message, finding.start, finding.end, "cap")


def _date_stands(claim: Claim, finding: Finding, text: str) -> bool:
    mention = next((one for one in claim.figures if one.start == finding.start), None)
    return mention is not None and same_digits(mention, text)


def _around(binder: Binder, bound: Bound) -> frozenset[str]:
    """The terms of the lines about the passage: what a text speaks of, it seldom names in every sentence."""
    lines, source = binder.passages.lines, binder.passages.lines[bound.first].source
    near = lines[max(0, bound.first - NAMED_WITHIN) : bound.last + NAMED_WITHIN]
    return frozenset[str]().union(*(line.own for line in near if line.source == source))


def _with_neighbours(binder: Binder, bound: Bound) -> str:
    lines = binder.passages.lines
    run = {lines[index].run for index in range(bound.first, bound.last)}
    first, last = bound.first, bound.last
    if first > 0 and lines[first - 1].run in run:
        first -= 1
    if last < len(lines) and lines[last].run in run:
        last += 1
    return binder.passages.text(first, last)


def _denied(claim: Claim, passage: str) -> Iterator[Remark]:
    """A denial in the very clause of the passage that holds the claim's words, where the claim denies nothing."""
    if any(sentence.of("negation") for sentence in read(claim.text)):
        return
    terms = frozenset(term for term in claim.terms if not term.startswith("="))
    negators = [sentence.words[one.first] for sentence in read(passage) for one in sentence.of("negation")]
    denials = [word.start for word in negators if word.text in _NEGATORS]
    held: list[tuple[int, bool, str]] = []
    for start, end in clauses(passage):
        text = passage[start:end]
        held.append((len(content(text) & terms), any(start <= at < end for at in denials), text))
    most = max((shared for shared, _, _ in held), default=0)
    best = [(denies, text) for shared, denies, text in held if shared == most]
    if most >= 2 and best and all(denies for denies, _ in best):
        message = f"The source denies this: “{' '.join(best[0][1].split())[:160]}”."
        yield Remark("denied", message, 0, len(claim.text), "cap" if _LACKING.search(claim.text) else "block")
