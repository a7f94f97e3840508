"""A register after its site was read again: what a person decided stays, what nobody decided is as found now."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from affidavit.evidence.fact import Category, Fact, FactState, Register
from affidavit.facts.approval import RULE
from affidavit.facts.identity import group_id, normal

UNSAID = "no page that was read says it any more"
LIKE = 0.6
"""Share of all the words of two statements of one subject that both have, for one to be the other with a new figure."""
_ORDER = {category: place for place, category in enumerate(Category)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One fact before and after; None on the side where it is not. `why` is for a person."""

    before: Fact | None
    after: Fact | None
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """What a re-run does to a register. `kept` counts the facts that it leaves as they are."""

    added: tuple[Change, ...] = ()
    changed: tuple[Change, ...] = ()
    removed: tuple[Change, ...] = ()
    contested: tuple[Change, ...] = ()
    """Facts that a person decided and that the site no longer states, or now contradicts. They are kept as they are."""
    kept: int = 0

    @property
    def any(self) -> bool:
        return bool(self.added or self.changed or self.removed or self.contested)


def renewed(
    previous: Register, found: Register, knows: Callable[[str], bool] = lambda _url: True
) -> tuple[Register, Changes]:
    """The register after a re-run that found `found`, and what changed. Pure; neither register is altered. `knows` says
    of an address whether the re-run knows what its page states now: a fact that was not found again and has a page of
    which it does not stays as it is.

    What a person decided or added stays as it is, to the letter. What nobody or only the rule decided is replaced: a
    rule's approval of words that the site no longer says would be approved by nobody. A statement that was found again
    keeps its id. One that gives another value for what a person approved waits beside it in a conflict, undecided: the
    person's fact stands until they choose.
    """
    mine = [fact for fact in previous.facts if is_persons(fact)]
    loose = {fact.fact_id: fact for fact in previous.facts if not is_persons(fact)}
    book = _Book()
    new: dict[str, Fact] = {}
    matched: dict[str, Fact] = {}
    for fact in found.facts:
        held = next((one for one in mine if same_fact(one, fact)), None)
        if held is not None:
            matched[held.fact_id] = fact
            continue
        before = _before(fact, loose)
        if before is not None:
            del loose[before.fact_id]
            fact = replace(fact, fact_id=before.fact_id)
            if before.expires is not None:
                fact = replace(fact, expires=before.expires)
            if _undecided(before) == _undecided(fact):
                fact = before
        if fact.fact_id in new or any(fact.fact_id == one.fact_id for one in mine):
            continue
        new[fact.fact_id] = fact
        book.note(before, fact)
    kept = _against(mine, new, matched, book, knows)
    for gone in loose.values():
        if gone.fact_id not in new and not all(knows(source.url) for source in gone.sources):
            new[gone.fact_id] = gone
            book.kept += 1
            continue
        book.removed.append(Change(before=gone, after=None, why="the site no longer says it"))
    facts = [*kept, *_alone(list(new.values()), kept)]
    facts.sort(key=lambda fact: (_ORDER[fact.category], -fact.confidence, fact.text, fact.fact_id))
    return Register(previous.customer, tuple(facts)), book.changes()


def is_persons(fact: Fact) -> bool:
    """Whether a person decided on `fact` or wrote it."""
    return fact.added_by is not None or fact.decided_by not in (None, RULE)


def same_fact(one: Fact, other: Fact) -> bool:
    """Whether two entries say the same: in the same words, or of the same words of the page, and with one value."""
    if one.fact_id == other.fact_id:
        return True
    if normal(one.value or "") != normal(other.value or "") or normal(one.owner or "") != normal(other.owner or ""):
        return False
    if normal(one.subject) != normal(other.subject):
        return False
    quotes = {normal(source.quote) for source in one.sources} & {normal(source.quote) for source in other.sources}
    return normal(one.text) == normal(other.text) or bool(quotes)


@dataclass(slots=True)
class _Book:
    """The changes as they are found."""

    added: list[Change] = field(default_factory=list[Change])
    changed: list[Change] = field(default_factory=list[Change])
    removed: list[Change] = field(default_factory=list[Change])
    contested: list[Change] = field(default_factory=list[Change])
    kept: int = 0

    def note(self, before: Fact | None, fact: Fact) -> None:
        if before is None:
            self.added.append(Change(before=None, after=fact, why="the site says it now"))
        elif before == fact:
            self.kept += 1
        else:
            self.changed.append(Change(before=before, after=fact, why=_differs(before, fact)))

    def renote(self, before: Fact, after: Fact) -> None:
        """What was noted as `before` became `after`."""
        for rows in (self.added, self.changed):
            rows[:] = [replace(row, after=after) if row.after is before else row for row in rows]

    def changes(self) -> Changes:
        return Changes(
            added=tuple(self.added),
            changed=tuple(self.changed),
            removed=tuple(self.removed),
            contested=tuple(self.contested),
            kept=self.kept,
        )


def _before(fact: Fact, loose: dict[str, Fact]) -> Fact | None:
    """The entry before that `fact` stands for: the same statement, else the same subject in other words."""
    same = next((one for one in loose.values() if same_fact(one, fact)), None)
    if same is not None or fact.value is None:
        return same
    return next((one for one in loose.values() if one.value is not None and _one_subject(one, fact)), None)


def _one_subject(one: Fact, other: Fact) -> bool:
    def key(fact: Fact) -> tuple[str, str, str]:
        return (normal(fact.subject), normal(fact.owner or ""), fact.category)

    return key(one) == key(other) and _likeness(one.text, other.text)


def _likeness(one: str, other: str) -> bool:
    """Whether two statements differ in their figures and little else."""
    mine, theirs = set(_bare(one)), set(_bare(other))
    return len(mine & theirs) >= LIKE * max(1, len(mine | theirs))


def _bare(text: str) -> list[str]:
    return [word for word in normal(text).split() if not any(map(str.isdigit, word))]


def _against(
    mine: list[Fact],
    new: dict[str, Fact],
    matched: dict[str, Fact],
    book: _Book,
    knows: Callable[[str], bool],
) -> list[Fact]:
    """A person's facts, each told of where the site no longer says it or says otherwise. What says otherwise is in one
    conflict with it, and is pending; the person's own decision stands."""
    kept: list[Fact] = []
    for fact in mine:
        rivals = [one for one in new.values() if _rivals(fact, one)] if fact.state is FactState.APPROVED else []
        group = group_id((fact.fact_id, *(one.fact_id for one in rivals))) if rivals else None
        for rival in rivals:
            waiting = replace(rival, conflict_group=group, state=FactState.PENDING, decided_by=None, decided_at=None)
            new[rival.fact_id] = waiting
            book.renote(rival, waiting)
        again = matched.get(fact.fact_id)
        stands = {} if again is None or not fact.sources else {"sources": again.sources, "candidates": again.candidates}
        after = replace(fact, conflict_group=group, **stands)
        kept.append(after)
        if rivals:
            said = "; ".join(f"{one.value}: “{one.text}”" for one in rivals)
            book.contested.append(Change(before=fact, after=after, why=f"the site now says {said}"))
        elif _unsaid(fact, again, knows):
            book.contested.append(Change(before=fact, after=after, why=UNSAID))
        else:
            book.kept += 1
    return kept


def _unsaid(fact: Fact, again: Fact | None, knows: Callable[[str], bool]) -> bool:
    """Whether a person's fact is one that the pages it stood on state no more."""
    looked = bool(fact.sources) and all(knows(source.url) for source in fact.sources)
    return looked and again is None and fact.state is FactState.APPROVED


def _rivals(fact: Fact, one: Fact) -> bool:
    """Whether `one` gives another value for the subject of `fact`."""
    if fact.value is None or one.value is None or normal(fact.value) == normal(one.value):
        return False
    return normal(fact.subject) == normal(one.subject) and normal(fact.owner or "") == normal(one.owner or "")


def _alone(new: list[Fact], kept: list[Fact]) -> list[Fact]:
    """`new` without conflict groups whose other side is not there: a person's fact was found in its place."""
    sides = Counter(fact.conflict_group for fact in (*new, *kept) if fact.conflict_group is not None)
    return [
        replace(fact, conflict_group=None)
        if fact.conflict_group is not None and sides[fact.conflict_group] == 1
        else fact
        for fact in new
    ]


def _undecided(fact: Fact) -> Fact:
    """`fact` without when the rule decided and when its page was read: a re-run that finds the same changes neither."""
    sources = tuple(replace(source, doc_id="", start=0, end=0, retrieved_at="") for source in fact.sources)
    return replace(fact, decided_at=None, sources=sources, candidates=())


def _differs(before: Fact, fact: Fact) -> str:
    names = [
        name
        for name in (
            "text",
            "value",
            "category",
            "subject",
            "scope_note",
            "conflict_group",
            "confidence",
            "owner",
            "state",
        )
        if getattr(before, name) != getattr(fact, name)
    ]
    return f"other {', '.join(names).replace('_', ' ')}" if names else "the site says it in other places"
