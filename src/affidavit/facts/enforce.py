"""What code holds a register to, whoever consolidated it: a model or the rules (contract W3).

In order: what is not sure enough goes, and what is no fact; false conflicts are cleared; of one subject that is in no
conflict the more confident statement stays; what is left is sorted and cut. Each step says what it took away.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from affidavit.evidence.document import BlockKind
from affidavit.evidence.fact import Category, Fact
from affidavit.facts.approval import APPROVE_AT
from affidavit.facts.dropped import Dropped, Stage, Why
from affidavit.facts.identity import group_id, normal
from affidavit.gates.assertion import assess
from affidavit.gates.numbers import mentions
from affidavit.gates.numbers.compare import measure

KEEP_AT = 0.70
"""The seed's threshold, as published; `approval.APPROVE_AT` is another."""
MOST = 30
CONFLICTING = 2
"""Members of a conflict group. Three or more are a list that was taken for one, as published."""

_ORDER = {category: place for place, category in enumerate(Category)}
_CONTACT = re.compile(
    r"[\w.+-]+@[\w-]+\.\w|\b(?:phone|telephone|tel|fax|mobile|call|e-?mail)\b\s*[:.]?\s*\(?\+?\d[\d ().-]{5,}"
    r"|\bcall us\b|\b(?:hotline|opening hours)\b|\+?\d[\d ().-]{7,}\d(?=\s*(?:$|[,;.]))"
    r"|\b\d{1,5} [A-Z][\w.]+ (?:street|st|road|rd|avenue|ave|lane|drive|suite|floor)\b",
    re.IGNORECASE,
)
_ENUMERATION_NOUN = (
    r"(?:ways?|steps?|tips?|reasons?|things?|questions?|lessons?|takeaways?|examples?|principles?|types?|options?|points?"
    r"|secrets?|mistakes?|benefits?|ideas?|facts?|rules?|signs?|myths?|trends?|plays?|items?|parts?|sections?|chapters?)"
)
_ENUMERATION = re.compile(
    rf"(?:the |top |our |here are (?:the )?|there are )?(?:\d+|two|three|four|five|six|seven|eight|nine|ten|twelve)\+?"
    rf"(?: [a-z-]+){{0,3}} {_ENUMERATION_NOUN}\b(?: (?:to|for|of|you|that|why|about)\b|:|$)",
    re.IGNORECASE,
)
_ENUMERATING = re.compile(rf"{_ENUMERATION_NOUN}(?: .*)?", re.IGNORECASE)


def enforced(facts: Iterable[Fact]) -> tuple[tuple[Fact, ...], tuple[Dropped, ...]]:
    """`facts` as far as they may stand in a register, in its order, and what was dropped. Idempotent."""
    kept, dropped = weeded(facts)
    kept.sort(key=lambda fact: (_ORDER[fact.category], -fact.confidence, fact.text, fact.fact_id))
    kept, cut = kept[:MOST], kept[MOST:]
    dropped += [drop(fact, Why.CUT, f"a register has {MOST} facts at most") for fact in cut]
    # A group that lost a member to the cut is none: its other side may no more be approved for that.
    lost = {fact.conflict_group for fact in cut if fact.conflict_group is not None}
    alone = [held_back(fact) if fact.conflict_group in lost else fact for fact in kept]
    return tuple(_true_conflicts(alone)), tuple(dropped)


def weeded(facts: Iterable[Fact]) -> tuple[list[Fact], list[Dropped]]:
    """`facts` without what is no fact for a register, and with one statement for each subject, in their order."""
    dropped: list[Dropped] = []
    kept: list[Fact] = []
    for fact in facts:
        why = filler(fact)
        if why is None:
            kept.append(fact)
        else:
            dropped.append(drop(fact, why, f"confidence {fact.confidence:.2f}" if why is Why.LOW_CONFIDENCE else ""))
    kept, rest = _one_a_subject(_true_conflicts(kept))
    return kept, dropped + rest


def held_back(fact: Fact) -> Fact:
    """`fact` just below what the rule approves: something stands against it, and a person has to look."""
    return replace(fact, confidence=min(fact.confidence, APPROVE_AT - 0.01))


def filler(fact: Fact) -> Why | None:
    """Why `fact` is none for a register, or None."""
    if fact.confidence < KEEP_AT:
        return Why.LOW_CONFIDENCE
    if _CONTACT.search(fact.text):
        return Why.CONTACT
    if _ENUMERATION.match(fact.text):
        return Why.ENUMERATION
    match assess(fact.text, BlockKind.PARAGRAPH).reason:
        case "instruction":
            return Why.CALL_TO_ACT
        case "heading" | "navigation" | "question" | "reference":
            return Why.HEADING
        case _:
            return None


def _true_conflicts(facts: Sequence[Fact]) -> list[Fact]:
    """`facts` with the false conflict groups cleared: of one or of three or more members, of enumeration words
    alone, or whose members give the same value. What three do not agree on is approved by no rule for all that."""
    sizes = Counter(fact.conflict_group for fact in facts if fact.conflict_group is not None)
    false: set[str] = set()
    doubtful: set[str] = set()
    for group, size in sizes.items():
        members = [fact for fact in facts if fact.conflict_group == group]
        listed = all(_ENUMERATING.fullmatch(fact.subject) for fact in members)
        values = len({normal(fact.value or fact.text) for fact in members})
        if size != CONFLICTING or listed or values < size:
            false.add(group)
        if size > CONFLICTING and not listed and values > 1:
            doubtful.add(group)
    return [
        replace(held_back(fact) if fact.conflict_group in doubtful else fact, conflict_group=None)
        if fact.conflict_group in false
        else fact
        for fact in facts
    ]


def _one_a_subject(facts: Sequence[Fact]) -> tuple[list[Fact], list[Dropped]]:
    """Of the facts that give a value for one subject of one owner, and are in no conflict, the most confident.

    Statements without a value are told apart by their words: two of them with one subject do not exclude each other.
    """
    best: dict[tuple[str, str, str], Fact] = {}
    for fact in sorted(facts, key=lambda fact: (-fact.confidence, fact.text, fact.fact_id)):
        best.setdefault(_subject(fact), fact)
    kept: list[Fact] = []
    dropped: list[Dropped] = []
    for fact in facts:
        stands = best[_subject(fact)]
        if stands is fact:
            kept.append(fact)
        else:
            detail = f"“{stands.text}” says of the same subject {stands.value or 'the same'}, and is more confident"
            dropped.append(drop(fact, Why.LESS_CONFIDENT, detail))
    return kept, dropped


def _subject(fact: Fact) -> tuple[str, str, str]:
    if fact.conflict_group is not None:
        return (fact.conflict_group, fact.fact_id, "")
    if fact.value is None:
        return ("", normal(fact.text), normal(fact.owner or ""))
    # A value in other words that count something else is another subject: the note says what it counts. So is a value
    # that measures something else: a fee in pounds and a fee in per cent.
    read = [one for one in mentions(fact.value) if one.is_figure]
    measured = measure(read[0]).dimension if read else ""
    return (f"{normal(fact.subject)}|{measured}", normal(fact.scope_note or ""), normal(fact.owner or ""))


def grouped(facts: Sequence[Fact]) -> list[Fact]:
    """`facts` with each conflict group named after its members, so that a re-run calls the same conflict the same."""
    names = {
        group: group_id(tuple(fact.fact_id for fact in facts if fact.conflict_group == group))
        for group in {fact.conflict_group for fact in facts if fact.conflict_group is not None}
    }
    return [
        replace(fact, conflict_group=names[fact.conflict_group]) if fact.conflict_group is not None else fact
        for fact in facts
    ]


def drop(fact: Fact, why: Why, detail: str = "") -> Dropped:
    url = fact.sources[0].url if fact.sources else None
    return Dropped(stage=Stage.REGISTER, why=why, text=fact.text, url=url, ids=fact.candidates, detail=detail)
