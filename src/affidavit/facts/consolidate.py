"""One register of many candidates, without a model (contract W3).

Candidates that say the same are merged and cite all their places. Two that give different values for one subject are
both kept: in a conflict where nothing tells their scopes apart, each with a note of what it counts where their words
do. Which is right is never decided here.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from affidavit.evidence.fact import Candidate, Fact, FactSource
from affidavit.facts.choice import chosen_of, worth
from affidavit.facts.counted import DATING
from affidavit.facts.dropped import Dropped, Stage, Why
from affidavit.facts.enforce import KEEP_AT, enforced, filler, grouped, held_back, weeded
from affidavit.facts.guards import PLACEHOLDER_CAP
from affidavit.facts.identity import fact_id, normal
from affidavit.gates.numbers import Mention, compare, mentions
from affidavit.gates.numbers.compare import measure
from affidavit.ranking.terms import STOP_WORDS, stem, words

ALIKE = 0.6
"""Share of the words of the shorter of two statements of one value that the longer has too, for them to be one."""
SAME_SCOPE = 0.5
"""Share of the words of the shorter of two statements of other values of one noun that the longer has too, for them to
count the same thing. At 0.5 the development pages give no conflict that is none."""
SHARED = 2
"""Words, beside the noun, that two such statements share at least, unless both say no more than who has how many."""
MOST_OTHERS = 3
"""Values of other scope that a note names."""
_WORDS_BEFORE, _WORDS_AFTER = 5, 5
_CLAUSE = re.compile(r"(?<!\d)[,.]|[,.](?!\d)|[;:()—–]|\b(?:and|but|while)\b")
_BARE = 3
_ONCE = frozenset({"founding"})
"""Subjects that have one value, however it is said."""
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_IN_ALL = re.compile(r"\b(?:we (?:now |currently )?(?:have|employ|are|run|own|operate)|our)\s+$", re.IGNORECASE)
_DURING = re.compile(
    r"\b(?:today|now|currently|as of|this year|last year|in its first|by the end of|since)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Consolidated:
    """The facts of a register in its order, all pending, and what did not become one."""

    facts: tuple[Fact, ...]
    dropped: tuple[Dropped, ...]


def consolidate(candidates: Sequence[Candidate]) -> Consolidated:
    """The register that rules make of `candidates`. Pure; the order of the candidates decides nothing but ties."""
    merged, dropped = _merged(candidates)
    facts = [_fact(group) for group in merged]
    facts = _scoped(facts)
    sound, weak = weeded(facts)
    chosen, rest = chosen_of(sound)
    kept, cut = enforced(grouped(chosen))
    return Consolidated(kept, (*dropped, *weak, *rest, *cut))


def left_out(candidates: Sequence[Candidate], facts: Sequence[Fact]) -> tuple[Fact, ...]:
    """What `candidates` state beside `facts`, as facts that nobody decided, what says most of the business first."""
    cited = {name for fact in facts for name in fact.candidates}
    known = {(normal(fact.text), normal(fact.value or "")) for fact in facts}
    groups, _ = _merged([one for one in candidates if one.candidate_id not in cited])
    found = [fact for fact in map(_fact, groups) if (normal(fact.text), normal(fact.value or "")) not in known]
    sound = [fact for fact in found if filler(fact) in (None, Why.LOW_CONFIDENCE) and fact.confidence > PLACEHOLDER_CAP]
    return tuple(sorted(sound, key=lambda fact: (-worth(fact), fact.fact_id)))


def why_left_out(fact: Fact) -> str:
    """Why a statement of the site has no place in the register, for a person."""
    if fact.confidence < KEEP_AT:
        return f"its confidence is {fact.confidence:.2f}, and a register takes {KEEP_AT:.2f} and more"
    return "others say more of the business, or the same of its subject and surer"


def _merged(candidates: Sequence[Candidate]) -> tuple[list[list[Candidate]], list[Dropped]]:
    """The candidates in groups that say the same, the one that is kept first, and the others as dropped."""
    ordered = sorted(candidates, key=lambda one: (-one.confidence, len(one.text), one.candidate_id))
    groups: list[list[Candidate]] = []
    index: dict[tuple[str, str], list[int]] = defaultdict(list)
    for one in ordered:
        keys = _merge_keys(one)
        near = (place for key in keys for place in index[key])
        found = next((place for place in near if _same(groups[place][0], one)), None)
        if found is None:
            found = len(groups)
            groups.append([])
            for key in keys:
                index[key].append(found)
        groups[found].append(one)
    dropped = [
        Dropped(
            stage=Stage.REGISTER,
            why=Why.MERGED,
            text=one.text,
            url=one.source.url,
            ids=(one.candidate_id,),
            detail=f"says the same as “{group[0].text}”",
        )
        for group in groups
        for one in group[1:]
    ]
    return groups, dropped


def _merge_keys(one: Candidate) -> list[tuple[str, str]]:
    return (
        [("text", normal(one.text)), ("value", f"{normal(one.value)}|{normal(one.owner or '')}")]
        if one.value
        else [("text", normal(one.text))]
    )


def _same(one: Candidate, other: Candidate) -> bool:
    if normal(one.value or "") != normal(other.value or ""):
        return False
    if normal(one.text) == normal(other.text):
        return normal(one.subject) == normal(other.subject)
    if normal(one.subject) != normal(other.subject) or normal(one.owner or "") != normal(other.owner or ""):
        return False
    mine, theirs = content(one.text), content(other.text)
    return len(mine & theirs) >= ALIKE * max(1, min(len(mine), len(theirs)))


def _fact(group: Sequence[Candidate]) -> Fact:
    best = group[0]
    sources: dict[tuple[str, int, int], FactSource] = {}
    for one in group:
        sources.setdefault((one.source.doc_id, one.source.start, one.source.end), one.source)
    return Fact(
        fact_id=fact_id(best.text, best.subject, best.value, best.owner),
        text=best.text,
        category=best.category,
        subject=best.subject,
        value=best.value,
        confidence=best.confidence,
        candidates=tuple(dict.fromkeys(one.candidate_id for one in group)),
        sources=tuple(sources.values()),
        owner=best.owner,
    )


def _scoped(facts: Sequence[Fact]) -> list[Fact]:
    """`facts` with conflict groups and scope notes where one noun of one owner carries several values."""
    by_noun: dict[tuple[str, str], list[Fact]] = defaultdict(list)
    for fact in facts:
        if fact.value is not None:
            by_noun[(normal(fact.subject), normal(fact.owner or ""))].append(fact)
    common = _common(facts)
    notes: dict[str, str] = {}
    groups: dict[str, str] = {}
    contested: set[str] = set()
    for several in by_noun.values():
        for one, other in combinations(several, 2):
            if _agree(one, other) or not _comparable(one, other):
                continue
            if in_conflict(one, other, common):
                contested |= {one.fact_id, other.fact_id}
                if one.fact_id not in groups and other.fact_id not in groups:
                    groups |= dict.fromkeys((one.fact_id, other.fact_id), min(one.fact_id, other.fact_id))
            elif _counts_all(one) and _counts_all(other) and _one_year(one, other):
                contested |= {one.fact_id, other.fact_id}
        contested |= {fact.fact_id for fact in several if _beside(fact, several, contested)}
        for fact in several:
            others = [other for other in several if _shares_noun(fact, other)]
            if others:
                notes[fact.fact_id] = scope_note(fact, others)
    return [
        replace(
            held_back(fact) if fact.fact_id in contested - groups.keys() else fact,
            conflict_group=groups.get(fact.fact_id),
            scope_note=notes.get(fact.fact_id) or fact.scope_note,
        )
        for fact in facts
    ]


def _beside(fact: Fact, several: Sequence[Fact], contested: set[str]) -> bool:
    """Whether `fact` gives one more value of what others of its noun contradict each other about. Other words do not
    tell that it counts something else; another year does."""
    return any(
        other.fact_id in contested and _shares_noun(fact, other) and _comparable(fact, other) and _one_year(fact, other)
        for other in several
    )


def _counts_all(fact: Fact) -> bool:
    """Whether the statement says how many there are in all: "we employ 51", "our 46"."""
    one = _figure(fact)
    return one is not None and fact.owner is None and _IN_ALL.search(fact.text[: one.start]) is not None


def _one_year(one: Fact, other: Fact) -> bool:
    return frozenset(_YEAR.findall(one.text)) == frozenset(_YEAR.findall(other.text))


def in_conflict(one: Fact, other: Fact, common: frozenset[str]) -> bool:
    """Whether two values of one noun are of one scope, as far as their words tell: they share most of them, or neither
    says more than who has how many. `common` are words that tell nothing on this site."""
    if normal(one.subject) in _ONCE and normal(other.subject) in _ONCE:
        return True
    if _periods(one) != _periods(other):
        return False
    noun = {stem(word) for word in words(f"{one.subject} {one.owner or ''}")}
    mine, theirs = (content(text) - noun - common for text in (one.text, other.text))
    if len(mine) <= _BARE and len(theirs) <= _BARE and (mine <= theirs or theirs <= mine):
        return True
    shared = mine & theirs
    return len(shared) >= SHARED and len(shared) >= SAME_SCOPE * min(len(mine), len(theirs))


def _shares_noun(fact: Fact, other: Fact) -> bool:
    """Whether two facts count one noun and not the same of it, so that a writer may take one for the other."""
    mine, theirs = _figure(fact), _figure(other)
    if fact is other or mine is None or theirs is None or mine.kind in DATING or theirs.kind in DATING:
        return False
    return measure(mine).dimension == measure(theirs).dimension and not _agree(fact, other)


def scope_note(fact: Fact, others: Sequence[Fact]) -> str:
    """What `fact` counts and `others` of its noun do not: each in the words of the page around its figure."""
    return f"{fact.subject} as in “{_around(fact)}”" + "".join(map(_denied, others[:MOST_OTHERS]))


def uncited(facts: Sequence[Fact], rejected: Sequence[Fact]) -> list[Fact]:
    """`facts`, whose notes set none of them off against one of `rejected`: what nobody may assert limits nothing."""
    if not rejected or not any(_NOT_AS in (fact.scope_note or "") for fact in facts):
        return list(facts)
    denied = {_denied(one) for one in rejected}
    return [_less(fact, denied) if _NOT_AS in (fact.scope_note or "") else fact for fact in facts]


def _less(fact: Fact, denied: Collection[str]) -> Fact:
    note = before = fact.scope_note or ""
    for part in denied:
        note = note.replace(part, "")
    if note == before:
        return fact
    return replace(fact, scope_note=note if _NOT_AS in note else None)


_NOT_AS = ", not as in “"


def _denied(other: Fact) -> str:
    return f"{_NOT_AS}{_around(other)}”"


def _around(fact: Fact) -> str:
    """The words around the fact's figure, within its clause: "placed in 91 countries"."""
    one = _figure(fact)
    if one is None:
        return fact.text
    before = _CLAUSE.split(fact.text[: one.start])[-1].split()[-_WORDS_BEFORE:]
    after = _CLAUSE.split(fact.text[one.end :])[0].split()[:_WORDS_AFTER]
    plus = "" if fact.text[one.end : one.end + 1] in ("+", "%") else " "
    return f"{' '.join([*before, one.raw])}{plus}{' '.join(after)}".strip(" .,;:")


def _agree(one: Fact, other: Fact) -> bool:
    """Whether two values can both be meant: equal, or one a rounding or a bound of the other."""
    if normal(one.value or "") == normal(other.value or "") or one.text == other.text:
        return True
    mine, theirs = _figure(one), _figure(other)
    return any(compare(a, b).bears_out for a, b in (*_pairs(mine, theirs), *_pairs(theirs, mine)))


def _comparable(one: Fact, other: Fact) -> bool:
    """Whether two values can contradict each other: they are sure enough to be kept, measure the same, and are of whom
    their sentences name. An owner that only a page's title told ties no two of its sentences together."""
    if min(one.confidence, other.confidence) < KEEP_AT:
        return False
    if one.owner is not None and not (one.owner in one.text and one.owner in other.text):
        return False
    mine, theirs = _figure(one), _figure(other)
    return mine is None or theirs is None or measure(mine).dimension == measure(theirs).dimension


def _pairs(mine: Mention | None, theirs: Mention | None) -> Iterator[tuple[Mention, Mention]]:
    if mine is not None and theirs is not None:
        yield mine, theirs


def _figure(fact: Fact) -> Mention | None:
    """The mention of the fact's value as its text has it, with its bound."""
    read = [one for one in mentions(fact.text) if one.is_figure]
    value = (fact.value or "").rstrip("+")
    return next((one for one in read if value == one.raw.rstrip("+") or value.startswith(f"{one.raw} ")), None)


def content(text: str) -> frozenset[str]:
    """Stems of the words that carry meaning; figures are out."""
    return frozenset(
        stem(word) for word in words(text) if word.lower() not in STOP_WORDS and not word[0].isdigit() and len(word) > 1
    )


def _common(facts: Sequence[Fact]) -> frozenset[str]:
    """Words of a fifth of all statements, of ten at least: on this site they tell nothing apart."""
    counts = Counter(word for fact in facts for word in content(fact.text))
    return frozenset(word for word, count in counts.items() if count >= max(10, len(facts) / 5))


def _periods(fact: Fact) -> frozenset[str]:
    """What the statement says of when it holds, beside its own value."""
    said = frozenset(_YEAR.findall(fact.text)) - frozenset(_YEAR.findall(fact.value or ""))
    return said | frozenset(found.lower() for found in _DURING.findall(fact.text))
