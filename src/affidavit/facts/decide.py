"""What a person may decide about a register, each as a function from the register to what is to be recorded.

Nothing here writes: whoever calls records the `Step`, and where somebody else was quicker asks the function again. Two
values for one subject are never both approved without a note of what each counts; that is what a conflict group holds
back, and only a person's choice among its members clears it.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from itertools import pairwise
from typing import Any

from affidavit.errors import UserError
from affidavit.evidence.fact import Category, Fact, FactState
from affidavit.facts.history import (
    ADDED,
    DECIDED,
    EDITED,
    EXPIRED,
    RESOLVED,
    RULE,
    CustomerRegister,
)
from affidavit.gates.numbers import mentions
from affidavit.ledger.canonical import digest

MIN_PREFIX = 3
"""Characters of the shortest id that is taken, after ``fact_``."""
MAX_TEXT = 600
"""Characters of a fact. A longer one is a passage and not one statement."""
MAX_NAME = 120
"""Characters of a subject, a value, an owner, a person's name."""

_SPACE = re.compile(r"\s+")
_ENDING = re.compile(r"[\s.!;:,]+$")


class NotInRegister(UserError):
    """No fact of the register has that id; a statement that was left out may."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What one decision records: the facts as they are from now on, and for a person what was noticed on the way.

    Nothing is recorded where `put` is empty: then everything was so already, and `told` says it.
    """

    type: str
    put: tuple[Fact, ...]
    told: tuple[str, ...] = ()
    detail: Mapping[str, object] = field(default_factory=dict[str, object])


@dataclass(frozen=True, slots=True)
class Who:
    """Who decides, and when (ISO-8601, UTC)."""

    name: str
    at: str

    @classmethod
    def named(cls, name: str, at: datetime) -> "Who":
        """Raises UserError for a name that is none, or that stands for no person."""
        known = _SPACE.sub(" ", name).strip()
        if not known or len(known) > MAX_NAME or not known.isprintable():
            raise UserError(f"--as {name!r}: write the name of whoever decides, in one line")
        if known.casefold() == RULE:
            raise UserError(f"--as {name}: {RULE!r} stands for what a threshold decided; write a person's name")
        return cls(known, at.strftime("%Y-%m-%dT%H:%M:%SZ"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """The fields to change. None leaves one as it is; an empty text clears `value`, `scope_note` and `owner`."""

    text: str | None = None
    category: Category | None = None
    subject: str | None = None
    value: str | None = None
    scope_note: str | None = None
    owner: str | None = None


def found(now: CustomerRegister, given: str) -> Fact:
    """The fact of that id, or of a beginning of it that only one has. Raises UserError."""
    wanted = given.strip().lower().removeprefix("fact_")
    known = (*now.facts, *now.left_out)
    whole = [fact for fact in known if fact.fact_id.removeprefix("fact_") == wanted]
    begun = [fact for fact in known if fact.fact_id.removeprefix("fact_").startswith(wanted)]
    if len(whole) == 1:
        return whole[0]
    if not begun:
        gone = next((name for name in now.history if name.removeprefix("fact_").startswith(wanted)), None)
        if gone is not None and len(wanted) >= MIN_PREFIX:
            raise NotInRegister(
                f"{given}: the site no longer states it, and nobody had decided on it; `facts add` can bring it back"
            )
        raise NotInRegister(f"{now.customer} has no fact {given}; `affidavit facts list` shows what there is")
    if len(wanted) < MIN_PREFIX:
        raise UserError(f"{given}: write {MIN_PREFIX} or more characters of the id")
    if len(begun) > 1:
        some = ", ".join(fact.fact_id for fact in begun[:4])
        raise UserError(f"{given} begins more than one fact ({some}); write more of it")
    return begun[0]


def short_ids(now: CustomerRegister) -> dict[str, str]:
    """For each fact the shortest beginning of its id, of four or more characters, that no other has, dead or alive."""
    known = (*now.facts, *now.left_out)
    names = sorted({name.removeprefix("fact_") for name in now.history} | {_bare(fact) for fact in known})
    length = dict.fromkeys(names, 4)
    for one, other in pairwise(names):
        same = next((at for at, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), len(one))
        for name in (one, other):
            length[name] = max(length[name], same + 1)
    return {fact.fact_id: _bare(fact)[: length[_bare(fact)]] for fact in known}


def approve(now: CustomerRegister, given: Sequence[str], who: Who) -> Step:
    """Approve facts. Raises UserError for one that another value of the same subject stands against."""
    put: list[Fact] = []
    told: list[str] = []
    for fact in _each(now, given):
        rivals = [other for other in rivals_of(now, fact) if other.state is not FactState.REJECTED]
        if rivals:
            values = "; ".join(f"{_bare(one)[:8]} “{one.text}”" for one in [fact, *rivals])
            raise UserError(
                f"{_bare(fact)[:8]} is one of {len(rivals) + 1} statements that do not agree: {values}. Decide between "
                f"them: affidavit facts resolve {fact.conflict_group} --keep FACT, and a --scope for each you keep"
            )
        usable = (other for other in (*now.facts, *put) if other.state is FactState.APPROVED)
        others = [other for other in usable if _disagree(fact, other)]
        if others and fact.scope_note is None and fact.state is not FactState.APPROVED:
            raise UserError(
                f"{_bare(others[0])[:8]} “{others[0].text}” is approved and gives another value for {fact.subject!r}: "
                f"say first what this one counts (affidavit facts edit {_bare(fact)[:8]} --scope '…'), or reject it"
            )
        if fact.expires is not None and fact.expires < date.fromisoformat(who.at[:10]):
            told.append(f"{_bare(fact)[:8]} expired on {fact.expires} and stays unused until `facts expire` moves it")
        if fact.state is FactState.APPROVED and fact.decided_by != RULE:
            told.append(f"{_bare(fact)[:8]} is approved already, by {fact.decided_by}")
            continue
        put.append(_decided(fact, FactState.APPROVED, who))
    return Step(type=DECIDED, put=tuple(put), told=tuple(told))


def reject(now: CustomerRegister, given: Sequence[str], who: Who) -> Step:
    """Reject facts. Where one statement of a conflict is all that is left, it stands alone again, undecided."""
    put: dict[str, Fact] = {}
    told: list[str] = []
    for fact in _each(now, given):
        if fact.state is FactState.REJECTED:
            told.append(f"{_bare(fact)[:8]} is rejected already, by {fact.decided_by}")
            continue
        put[fact.fact_id] = _decided(fact, FactState.REJECTED, who)
    groups = {fact.conflict_group for fact in put.values() if fact.conflict_group is not None}
    for group in sorted(groups):
        members = [put.get(fact.fact_id, fact) for fact in now.group(group)]
        left = [fact for fact in members if fact.state is not FactState.REJECTED]
        if len(left) > 1:
            continue
        put |= {fact.fact_id: replace(fact, conflict_group=None) for fact in members}
        if left and left[0].state is FactState.PENDING:
            told.append(f"{_bare(left[0])[:8]} “{left[0].text}” has no rival any more, and waits for a decision")
    return Step(type=DECIDED, put=tuple(put.values()), told=tuple(told))


def edit(now: CustomerRegister, given: str, change: Edit, who: Who) -> Step:
    """Change the words of a fact. Its state stays; who changes what an approved one says answers for it."""
    fact = found(now, given)
    text = fact.text if change.text is None else clean_text(change.text, "--text", MAX_TEXT)
    value = _cleared(fact.value, change.value, "--value")
    new = replace(
        fact,
        text=text,
        category=change.category or fact.category,
        subject=fact.subject if change.subject is None else clean_text(change.subject, "--subject", MAX_NAME),
        value=None if value is None else check_value(value, "--value"),
        scope_note=_cleared(fact.scope_note, change.scope_note, "--scope", MAX_TEXT),
        owner=_cleared(fact.owner, change.owner, "--owner"),
    )
    if new == fact:
        return Step(type=EDITED, put=(), told=(f"{_bare(fact)[:8]} says so already",))
    figures = (new.text, new.value) != (fact.text, fact.value)
    if figures:
        check_stated(new.text, new.value)
    _check_new(now, new)
    if answers_for(fact, _asserts(new) != _asserts(fact)):
        new = _decided(new, FactState.APPROVED, who)
    return Step(type=EDITED, put=(new,), told=tuple(_doubts(new)) if figures else ())


def add(now: CustomerRegister, new: Fact, who: Who) -> Step:
    """Add `new`, a fact that a person knows and no page states; see `written`. It is approved by whoever adds it.

    Raises UserError where the register says it already, or has another value of that subject and nothing says what each
    of them counts.
    """
    _check_new(now, new)
    rivals = [fact for fact in now.facts if _disagree(fact, new) and fact.state is not FactState.REJECTED]
    if rivals and new.scope_note is None:
        values = "; ".join(f"{_bare(one)[:8]} “{one.text}”" for one in rivals)
        raise UserError(
            f"the register has another value for {new.subject!r}: {values}. Say with --scope what yours counts and "
            "what it does not, or edit that one"
        )
    return Step(type=ADDED, put=(_decided(new, FactState.APPROVED, who),))


def written(
    customer: str,
    *,
    text: str,
    category: Category,
    subject: str,
    value: str | None,
    scope_note: str | None,
    owner: str | None,
    expires: date | None,
    who: Who,
) -> Fact:
    """A fact that a person wrote down. Raises UserError for words that are none."""
    said = clean_text(text, "TEXT", MAX_TEXT)
    figure = None if value is None else check_value(clean_text(value, "--value", MAX_NAME), "--value")
    check_stated(said, figure)
    return Fact(
        fact_id=new_id(customer, said, who),
        text=said,
        category=category,
        subject=clean_text(subject, "--subject", MAX_NAME),
        value=figure,
        scope_note=None if scope_note is None else clean_text(scope_note, "--scope", MAX_TEXT),
        owner=None if owner is None else clean_text(owner, "--owner", MAX_NAME),
        added_by=who.name,
        expires=expires,
    )


def new_id(customer: str, text: str, who: Who) -> str:
    """The id of a fact that `who` adds: ``fact_`` and 16 hex digits over customer, words, person and time."""
    return "fact_" + digest([customer, text, who.name, who.at]).removeprefix("sha256:")[:16]


def resolve(now: CustomerRegister, given: str, keep: Sequence[str], scopes: Mapping[str, str], who: Who) -> Step:
    """Decide a conflict: those kept are approved, the others rejected, and the group is no more.

    `given` names the group, or any fact of it. Where more than one is kept, each needs a scope note of a person's, from
    `scopes` (by fact) or written before: what rules make of the two sentences is no reason to believe both. Raises
    UserError.
    """
    name, members = _group(now, given)
    kept = {found(now, one).fact_id for one in keep}
    notes = {found(now, one).fact_id: clean_text(note, "--scope", MAX_TEXT) for one, note in scopes.items()}
    strangers = sorted((kept | set(notes)) - {fact.fact_id for fact in members})
    if strangers:
        inside = ", ".join(_bare(fact)[:8] for fact in members)
        raise UserError(f"{strangers[0]} is not in the conflict {name}; its statements are {inside}")
    if not kept:
        raise UserError(f"resolve {given}: say with --keep FACT which statement holds; `facts reject` drops them all")
    put: list[Fact] = []
    for fact in members:
        noted = replace(fact, scope_note=notes.get(fact.fact_id, fact.scope_note), conflict_group=None)
        if fact.fact_id not in kept:
            put.append(_decided(noted, FactState.REJECTED, who))
            continue
        theirs = fact.fact_id in notes or (fact.fact_id in now.held and noted.scope_note is not None)
        if len(kept) > 1 and not theirs:
            raise UserError(
                f"{len(kept)} statements are kept, and nobody has said what {_bare(fact)[:8]} “{fact.text}” counts and "
                f"the others do not: add --scope {_bare(fact)[:8]}='…'"
            )
        put.append(_decided(noted, FactState.APPROVED, who))
    return Step(type=RESOLVED, put=tuple(put), detail={"group": name, "kept": sorted(kept)})


def expire(now: CustomerRegister, given: Sequence[str], on: date | None, who: Who) -> Step:
    """Set the last day on which facts may be used; None: they do not expire."""
    told: list[str] = []
    facts = _each(now, given)
    later = [replace(fact, expires=on) for fact in facts if fact.expires != on]
    put = [_decided(fact, FactState.APPROVED, who) if answers_for(fact, False) else fact for fact in later]
    told += [f"{_bare(fact)[:8]} has that date already" for fact in facts if fact.expires == on]
    if on is not None and put and on < date.fromisoformat(who.at[:10]):
        told.append(f"{on} is past: what expired then is not used from now on")
    return Step(type=EXPIRED, put=tuple(put), told=tuple(told))


def rivals_of(now: CustomerRegister, fact: Fact) -> tuple[Fact, ...]:
    """The other facts of its conflict group."""
    if fact.conflict_group is None:
        return ()
    return tuple(other for other in now.group(fact.conflict_group) if other.fact_id != fact.fact_id)


def clean_text(given: str, name: str, most: int) -> str:
    """`given` on one line. Raises UserError for what is empty, too long, or holds what no reader sees."""
    text = _SPACE.sub(" ", given).strip()
    if not text:
        raise UserError(f"{name} is empty")
    if not text.isprintable():
        bad = next(char for char in text if not char.isprintable())
        raise UserError(f"{name} holds the character U+{ord(bad):04X}, which no reader sees; take it out")
    if len(text) > most:
        raise UserError(f"{name} has {len(text)} characters; at most {most}")
    return text


def check_value(value: str, name: str) -> str:
    """`value`, which must be a figure. Raises UserError."""
    if not any(char.isdigit() for char in value) and not mentions(value):
        raise UserError(
            f"{name} {value!r} holds no figure; write it as the page does (45+, forty-five), or leave it out"
        )
    return value


def _each(now: CustomerRegister, given: Sequence[str]) -> list[Fact]:
    """The facts named, each once, in the order named. All must be there: nothing is decided by half."""
    return list({fact.fact_id: fact for fact in (found(now, one) for one in given)}.values())


def _group(now: CustomerRegister, given: str) -> tuple[str, tuple[Fact, ...]]:
    names = {fact.conflict_group for fact in now.facts if fact.conflict_group is not None}
    if given in names:
        return given, now.group(given)
    begun = sorted(name for name in names if name.removeprefix("conflict_").startswith(given.removeprefix("conflict_")))
    if len(begun) == 1:
        return begun[0], now.group(begun[0])
    if begun:
        raise UserError(f"{given} begins more than one conflict ({', '.join(begun[:4])}); write more of it")
    try:
        fact = found(now, given)
    except UserError:
        known = f"there are {', '.join(sorted(names))}" if names else "there is none to decide"
        raise UserError(f"{now.customer} has no conflict {given}; {known}") from None
    if fact.conflict_group is None:
        raise UserError(f"{_bare(fact)[:8]} “{fact.text}” is in no conflict; approve or reject it")
    return fact.conflict_group, now.group(fact.conflict_group)


def _decided(fact: Fact, state: FactState, who: Who) -> Fact:
    return replace(fact, state=state, decided_by=who.name, decided_at=who.at)


def answers_for(fact: Fact, asserts_otherwise: bool) -> bool:
    """Whether whoever changes `fact` decides on it by that: it is approved, and by a rule or for other words. A fact
    that a person holds and a rule approved would be approved by nobody once the site contradicts it."""
    return fact.state is FactState.APPROVED and (asserts_otherwise or fact.decided_by == RULE)


def _cleared(before: str | None, given: str | None, name: str, most: int = MAX_NAME) -> str | None:
    if given is None:
        return before
    return clean_text(given, name, most) if given.strip() else None


def _asserts(fact: Fact) -> tuple[Any, ...]:
    """What a writer would say of it."""
    return (fact.text, fact.subject, fact.value, fact.scope_note, fact.owner)


def _check_new(now: CustomerRegister, new: Fact) -> None:
    """Raises UserError where another fact says the same."""
    for fact in now.facts:
        if fact.fact_id != new.fact_id and says_the_same(fact, new):
            raise UserError(f"{_bare(fact)[:8]} says the same already ({fact.state}): “{fact.text}”")


def says_the_same(one: Fact, other: Fact) -> bool:
    """Whether two facts are one twice: the same words, of the same figure. Two figures of one sentence are two facts,
    and so are a figure and what else a page states in that sentence."""
    told_apart = bool(one.sources and other.sources) or bool(one.value and other.value)
    return same_words(one.text, other.text) and not (told_apart and _figure(one) != _figure(other))


def _figure(fact: Fact) -> tuple[str, ...]:
    return tuple(folded(part or "") for part in (fact.value, fact.subject, fact.owner))


def same_words(one: str, other: str) -> bool:
    """Whether two texts are the same but for case, white space and what stands at their ends."""
    return folded(one) == folded(other)


def folded(text: str) -> str:
    """What two texts that say the same have in common; see `same_words`."""
    return _ENDING.sub("", _SPACE.sub(" ", text).strip()).casefold()


def _disagree(one: Fact, other: Fact) -> bool:
    """Whether they give different values for the same subject of the same owner."""
    if one.value is None or other.value is None or folded(one.value) == folded(other.value):
        return False
    return folded(one.subject) == folded(other.subject) and folded(one.owner or "") == folded(other.owner or "")


def check_stated(text: str, value: str | None) -> None:
    """Raises UserError where `value` is not in `text`, in figures or in words: a writer may assert both."""
    if value is None:
        return
    written = re.search(rf"(?<!\w)(?<!\d[.,]){re.escape(value.casefold())}(?!\w)(?![.,]\d)", text.casefold())
    figures = [one.value for one in mentions(value)]
    if written is None and not (figures and all(one in [told.value for told in mentions(text)] for one in figures)):
        raise UserError(
            f"the value {value} does not stand in the text “{text}”; write it as the text does, or leave it out"
        )


def _doubts(fact: Fact) -> list[str]:
    """What a person should look at again. It is their word, so it stands."""
    if fact.value is None or not fact.sources or any(_holds(one.quote, fact.value) for one in fact.sources):
        return []
    return [f"the value {fact.value} stands in none of the quotes of this fact"]


def _holds(quote: str, value: str) -> bool:
    return value.casefold() in quote.casefold()


def _bare(fact: Fact) -> str:
    return fact.fact_id.removeprefix("fact_")
